"""A match as it has just been loaded from the store and replayed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, NamedTuple, cast

from parlour import record
from parlour.documents.match import MatchStatus, OfferKind
from parlour.match import Match
from parlour.players import HUMAN
from parlour.service.capacity import is_full
from parlour.store import StoredMatch
from parlour.view import PLAYERS, PlayerNumber

FRIEND, COMPUTER, LOCAL, RECORD = "friend", "computer", "local", "record"  # kinds of match

UNDO: Final = "undo"
NEXT: Final = "next"
REMATCH: Final = "rematch"
DELETE: Final = "delete"


class Offer(NamedTuple):
    """What one player asks the other for."""

    kind: OfferKind  # a take-back, the next round, another match, or that this one is deleted
    by: PlayerNumber  # the player who asks

    def __str__(self) -> str:
        """As it is stored: ``undo 1``."""
        return f"{self.kind} {self.by}"


def read_offer(text: str) -> Offer | None:
    """The offer that is stored as this text; None for an empty one."""
    kind, _, by = text.partition(" ")
    return Offer(cast(OfferKind, kind), 1 if by == "1" else 2) if text else None


@dataclass(frozen=True)
class LoadedMatch:
    """A match as it was at one moment, and the seats of whoever asked for it. Nobody changes it: see ``commands``."""

    stored: StoredMatch
    match: Match  # its record, replayed
    seats: tuple[PlayerNumber, ...] = ()  # the players whose seats the client has; none: watching
    present: frozenset[PlayerNumber] = frozenset()  # the connected players, as far as the store knows
    deleted: bool = False  # it was, just now: nothing is left of it but this

    @property
    def id(self) -> str:
        return self.stored.id

    @property
    def ply(self) -> int:
        """How many things have been done in the match. It never goes back."""
        return len(self.match.log)

    @property
    def waiting(self) -> bool:
        """The second player has not come yet."""
        return self.stored.invitation_hash is not None

    @property
    def free_seats(self) -> list[PlayerNumber]:
        """The players whose seats are still free."""
        return [player for player in PLAYERS if self.waiting and self.stored.seat_hash(player) is None]

    @cached_property
    def status(self) -> MatchStatus:
        """Where the match is: ``between`` two rounds, the next is to be dealt."""
        if self.match.outcome is not None:
            return "over"
        if self.waiting:
            return "waiting"
        return "between" if self.match.between_rounds else "playing"

    @cached_property
    def full(self) -> bool:
        """No more can be done in this match, but to end it."""
        return is_full(self.match, self.stored.lines)

    @property
    def between_friends(self) -> bool:
        """There is somebody else to be asked."""
        return self.stored.kind == FRIEND

    @cached_property
    def offer(self) -> Offer | None:
        """What one player is asking the other for."""
        return read_offer(self.stored.offer)

    @property
    def computer_to_move(self) -> bool:
        return self.status == "playing" and not self.deleted and self.match.setup.players[self.match.turn - 1] != HUMAN

    def public_record(self) -> str:
        """The record of the match. As long as it goes on, what will be dealt is not to be read from it."""
        match = self.match
        if match.outcome is None:
            match = match.with_setup(replace(match.setup, seed="secret until the match is over"))
        return record.write_record(match)
