"""How a match ended: who won, in which way, and how that is told and counted."""

from __future__ import annotations

from typing import Literal, NamedTuple

from parlour.view import PlayerNumber

How = Literal["won", "resigned", "forfeited", "drawn", "undecided"]

UNFINISHED = "*"  # the result of a match that goes on


class Outcome(NamedTuple):
    """How a match ended.

    >>> from parlour import Outcome
    >>> ended = Outcome(2, "resigned")
    >>> ended.result, ended.points, ended.words(("Ann", "Ben"))
    ('0-1', (0.0, 1.0), 'Ben won by resignation')
    """

    winner: PlayerNumber | None  # the player who won
    how: How  # "won", "resigned", "forfeited"; without a winner "drawn", or "undecided": the rounds are used up

    @property
    def result(self) -> str:
        """``1-0``, ``0-1``, ``1/2-1/2`` or ``undecided``, as records have it."""
        if self.winner is None:
            return "1/2-1/2" if self.how == "drawn" else "undecided"
        return "1-0" if self.winner == 1 else "0-1"

    @property
    def points(self) -> tuple[float, float]:
        """What each player gets: 1 for a win, a half for a match that nobody won."""
        if self.winner is None:
            return 0.5, 0.5
        return (1.0, 0.0) if self.winner == 1 else (0.0, 1.0)

    def words(self, names: tuple[str, str]) -> str:
        """In a few words, without a full stop."""
        if self.winner is None:
            return "a draw" if self.how == "drawn" else "undecided"
        by = {"resigned": " by resignation", "forfeited": " by forfeit"}.get(self.how, "")
        return f"{names[self.winner - 1]} won{by}"


def result_of(outcome: Outcome | None) -> str:
    """The result as records have it; ``*`` for a match that goes on."""
    return UNFINISHED if outcome is None else outcome.result
