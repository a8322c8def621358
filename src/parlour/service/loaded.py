"""A match as it has just been loaded from the store and replayed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from parlour import players
from parlour.match import Match
from parlour.store import StoredMatch

Status = Literal["waiting", "playing", "between", "over"]


@dataclass(frozen=True)
class LoadedMatch:
    """A match as it was at one moment, and the seats of whoever asked for it."""

    stored: StoredMatch
    match: Match  # its record, replayed
    seats: tuple[int, ...] = ()  # of whoever asks; none: watching

    @property
    def id(self) -> str:
        return self.stored.id

    @property
    def waiting(self) -> bool:
        """The second player has not come yet."""
        return self.stored.invitation_hash is not None

    @property
    def status(self) -> Status:
        """Where the match is: ``between`` two rounds, the next is to be dealt."""
        if self.match.outcome is not None:
            return "over"
        if self.waiting:
            return "waiting"
        return "between" if self.match.between_rounds else "playing"

    @property
    def computer_to_move(self) -> bool:
        return self.status == "playing" and self.match.setup.players[self.match.turn] != players.HUMAN
