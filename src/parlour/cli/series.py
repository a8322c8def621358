"""Games that are played one after the other, and who has won them."""

from __future__ import annotations

from parlour.match import Match
from parlour.text import counted


class Series:
    """The results so far; a match counts as soon as it is over, and no more once its end was taken back."""

    def __init__(self) -> None:
        self._winners: list[str | None] = []  # of the games before this one, by name; None where nobody won
        self.same_begins = False  # the next game begins as the last one did
        self.next_opponent: str | None = None  # the computer chosen for the next game; None: the same as in this one

    def score(self, match: Match, names: tuple[str, str], own: int) -> str:
        """How it stands, ``own`` seat first: ``You 2 : 1 Computer``; empty as long as nothing was played to its end."""
        winners = [*self._winners, *_winner(match)]
        if not winners:
            return ""
        wins = [winners.count(name) for name in match.names]
        drawn = winners.count(None)
        told = f"{names[own]} {wins[own]} : {wins[1 - own]} {names[1 - own]}"
        return told + (f", {counted(drawn, 'draw')}" if drawn else "")

    def count(self, match: Match) -> None:
        """Go on from a match that is over to the next."""
        self._winners += _winner(match)


def _winner(match: Match) -> list[str | None]:
    """Who has won a match, by name and as a list; an empty one while it goes on."""
    outcome = match.outcome
    if outcome is None:
        return []
    return [None if outcome.winner is None else match.names[outcome.winner]]
