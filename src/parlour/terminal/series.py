"""Games that are played one after the other, and who has won them."""

from __future__ import annotations

from parlour.game import opponent
from parlour.match import Match
from parlour.text import counted
from parlour.view import PlayerNumber


class Series:
    """The results so far; a match counts as soon as it is over, and no more once its end was taken back."""

    def __init__(self) -> None:
        self._winners: list[str | None] = []  # of the games before this one, by name; None where nobody won
        self.same_begins = False  # the next game begins as the last one did
        self.next_opponent: str | None = None  # the computer chosen for the next game; None: the same as in this one

    def score(self, match: Match, names: tuple[str, str], own: PlayerNumber) -> str:
        """Return the score, ``own`` player first: ``You 2 : 1 Computer``; empty until a game has ended."""
        winners = [*self._winners, *_winner(match)]
        if not winners:
            return ""
        wins = [winners.count(name) for name in match.names]
        drawn = winners.count(None)
        told = f"{names[own - 1]} {wins[own - 1]} : {wins[opponent(own) - 1]} {names[opponent(own) - 1]}"
        return told + (f", {counted(drawn, 'draw')}" if drawn else "")

    def count(self, match: Match) -> None:
        """Go on from a match that is over to the next."""
        self._winners += _winner(match)


def _winner(match: Match) -> list[str | None]:
    """Who has won a match, by name and as a list; an empty one while it goes on."""
    outcome = match.outcome
    if outcome is None:
        return []
    return [None if outcome.winner is None else match.names[outcome.winner - 1]]
