"""How a game is counted: sums, from which every score is the quotient of two.

So a score over many games is one sum divided by another, and the same holds for what random and perfect play can
expect; nothing is averaged twice. The games are independent of each other, the moves of one game are not: an interval
is reckoned from one pair of sums for each game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from parlour.lab.sampling import wilson


class Sums(NamedTuple):
    """Sums over games; of what can be expected they are not whole."""

    games: float = 0
    points: float = 0  # 1 for a win, 1/2 for a draw; a match without a winner is one
    decisions: float = 0  # turns with a choice, in positions not lost and not settled
    regret: float = 0  # what these gave away: 1 from a win to a draw or from a draw to a loss, 2 from a win to a loss
    critical: float = 0  # decisions at which some move gives something away
    held: float = 0  # of these, so many gave nothing away
    asked: float = 0  # turns at which the model was asked
    readable: float = 0  # at so many its first answer named a move
    legal: float = 0  # at so many that move was legal
    won_starts: float = 0  # games that began with a position won for the model
    converted: float = 0  # so many of them it won
    drawn_starts: float = 0
    saved: float = 0  # of these it did not lose so many
    lost_starts: float = 0
    escaped: float = 0  # of these it did not lose so many

    def plus(self, other: Sums, times: float = 1) -> Sums:
        """The sums of both."""
        return Sums(*(mine + times * theirs for mine, theirs in zip(self, other, strict=True)))


class Measure(NamedTuple):
    """A score: one sum by another."""

    part: str  # a field of ``Sums``
    whole: str  # another
    most: float  # that it can be
    title: str
    about: str


MEASURES = {
    "points": Measure("points", "games", 1, "points", "points a game: a win is 1, a draw 1/2"),
    "regret": Measure("regret", "decisions", 2, "regret", "value given away a decision, from 0 to 2"),
    "accuracy": Measure("held", "critical", 1, "accuracy", "critical decisions that kept the value"),
    "legality": Measure("legal", "asked", 1, "legal", "first answers that were legal moves"),
    "readability": Measure("readable", "asked", 1, "readable", "first answers that named a move"),
    "conversion": Measure("converted", "won_starts", 1, "converted", "won beginnings that were won"),
    "save": Measure("saved", "drawn_starts", 1, "saved", "drawn beginnings that were not lost"),
    "escape": Measure("escaped", "lost_starts", 1, "escaped", "lost beginnings that were not lost"),
}


class Estimate(NamedTuple):
    """A score over some games, and between what it lies with 95 % confidence."""

    value: float
    low: float
    high: float


def total(games: Iterable[Sums]) -> Sums:
    """The sums of all."""
    whole = Sums()
    for game in games:
        whole = whole.plus(game)
    return whole


def quotient(sums: Sums, name: str) -> float | None:
    """What a score is; None where there is nothing to divide by."""
    measure = MEASURES[name]
    whole = float(getattr(sums, measure.whole))
    return float(getattr(sums, measure.part)) / whole if whole else None


def estimate(games: Sequence[Sums], name: str) -> Estimate | None:
    """A score over independent games, with its interval; None where there is nothing to divide by.

    The variance is that of a quotient of two sums, from one pair of sums for each game. From it follows how many
    independent trials would tell as much, and from these Wilson's interval: unlike the plain one it stays within what
    is possible, and is not empty where every game went the same way.
    """
    measure = MEASURES[name]
    pairs = [(getattr(game, measure.part) / measure.most, getattr(game, measure.whole)) for game in games]
    pairs = [(part, whole) for part, whole in pairs if whole]
    if not pairs:
        return None
    clusters, whole = len(pairs), sum(whole for _, whole in pairs)
    share = min(max(sum(part for part, _ in pairs) / whole, 0.0), 1.0)
    spread = sum((part - share * size) ** 2 for part, size in pairs) / whole**2
    variance = spread * clusters / (clusters - 1) if clusters > 1 else 0.0
    trials = share * (1 - share) / variance if variance > 0 else float(clusters)
    low, high = wilson(share, trials)
    return Estimate(share * measure.most, low * measure.most, high * measure.most)
