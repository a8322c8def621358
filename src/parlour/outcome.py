"""The outcome of a match."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from parlour.fields import record
from parlour.view import PlayerNumber

UNFINISHED = "*"  # the result of a match in progress


class Termination(StrEnum):
    """The way in which a match ended. Each member equals its word.

    >>> from parlour import Termination
    >>> Termination("resigned"), Termination.DRAWN == "drawn", str(Termination.WON)
    (<Termination.RESIGNED: 'resigned'>, True, 'won')
    """

    WON = "won"  # the winner won by play
    RESIGNED = "resigned"  # the loser gave up
    FORFEITED = "forfeited"  # the loser did not play by the rules
    DRAWN = "drawn"  # the game is a draw
    UNDECIDED = "undecided"  # the rounds were used up without a winner


@record(
    winner="the player who won; null if there is none",
    how="the way the match ended; without a winner drawn or undecided",
)
class Outcome(NamedTuple):
    """The end of a match: the winner and the way it ended.

    >>> from parlour import Outcome, Termination
    >>> ended = Outcome(2, Termination.RESIGNED)
    >>> ended.result, ended.points, ended.words(("Ann", "Ben"))
    ('0-1', (0.0, 1.0), 'Ben won by resignation')
    """

    winner: PlayerNumber | None
    how: Termination

    @property
    def result(self) -> str:
        """The result in the notation of records: ``1-0``, ``0-1``, ``1/2-1/2`` or ``undecided``."""
        if self.winner is None:
            return "1/2-1/2" if self.how == Termination.DRAWN else "undecided"
        return "1-0" if self.winner == 1 else "0-1"

    @property
    def points(self) -> tuple[float, float]:
        """The points of each player: 1 for a win, a half for a match without a winner."""
        if self.winner is None:
            return 0.5, 0.5
        return (1.0, 0.0) if self.winner == 1 else (0.0, 1.0)

    def words(self, names: tuple[str, str]) -> str:
        """Return the outcome as a short text without a full stop."""
        if self.winner is None:
            return "a draw" if self.how == Termination.DRAWN else "undecided"
        by = {Termination.RESIGNED: " by resignation", Termination.FORFEITED: " by forfeit"}.get(self.how, "")
        return f"{names[self.winner - 1]} won{by}"


def result_of(outcome: Outcome | None) -> str:
    """Return the result in the notation of records; ``*`` for a match in progress."""
    return UNFINISHED if outcome is None else outcome.result
