"""Matches loaded from the store and replayed."""

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
    """An offer of one player to the other."""

    kind: OfferKind  # a take-back, the next round, a rematch, or deletion of the match
    by: PlayerNumber  # the player who makes the offer

    def __str__(self) -> str:
        """Return the stored text, such as ``undo 1``."""
        return f"{self.kind} {self.by}"


def read_offer(text: str) -> Offer | None:
    """Return the offer of a stored text; None for an empty one."""
    kind, _, by = text.partition(" ")
    return Offer(cast(OfferKind, kind), 1 if by == "1" else 2) if text else None


@dataclass(frozen=True)
class LoadedMatch:
    """An immutable snapshot of a match, with the seats of the client."""

    stored: StoredMatch
    match: Match  # its record, replayed
    seats: tuple[PlayerNumber, ...] = ()  # the client's seats; empty for a spectator
    present: frozenset[PlayerNumber] = frozenset()  # the connected players, at any process
    deleted: bool = False  # whether it was deleted from the store

    @property
    def id(self) -> str:
        return self.stored.id

    @property
    def ply(self) -> int:
        """The number of actions in the match. It never decreases."""
        return len(self.match.log)

    @property
    def waiting(self) -> bool:
        """Whether the second player has not joined yet."""
        return self.stored.invitation_hash is not None

    @property
    def free_seats(self) -> list[PlayerNumber]:
        """The players whose seats are still free."""
        return [player for player in PLAYERS if self.waiting and self.stored.seat_hash(player) is None]

    @cached_property
    def status(self) -> MatchStatus:
        """The status of the match; ``between``: the next round has not been dealt."""
        if self.match.outcome is not None:
            return "over"
        if self.waiting:
            return "waiting"
        return "between" if self.match.between_rounds else "playing"

    @cached_property
    def full(self) -> bool:
        """Whether the match can only be ended."""
        return is_full(self.match, self.stored.lines)

    @property
    def between_friends(self) -> bool:
        """Whether the match has two human players on different devices."""
        return self.stored.kind == FRIEND

    @cached_property
    def offer(self) -> Offer | None:
        """The pending offer."""
        return read_offer(self.stored.offer)

    @property
    def computer_to_move(self) -> bool:
        return self.status == "playing" and not self.deleted and self.match.setup.players[self.match.turn - 1] != HUMAN

    def public_record(self) -> str:
        """Return the record of the match. It hides the seed, and so future deals, until the match is over."""
        match = self.match
        if match.outcome is None:
            match = match.with_setup(replace(match.setup, seed="secret until the match is over"))
        return record.write_record(match)
