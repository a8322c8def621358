"""Decisions met in sampled games, where a game has too many positions to look at them all.

Two equal players meet who sometimes err, as ``study.contest`` has them. What each move is worth is found out exactly;
only which positions are looked at is left to chance.
"""

from __future__ import annotations

from math import sqrt
from random import Random
from statistics import NormalDist
from typing import NamedTuple

from parlour.errors import TooBig
from parlour.game import Move, P
from parlour.limit import Limit
from parlour.options import O
from parlour.rules import Rules
from parlour.solver import Solver

CONFIDENCE = 0.95
DEVIATIONS = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)  # that the middle 95 % lie within


class Interval(NamedTuple):
    """A number that was sampled, and between which two the true one lies 95 times in 100."""

    estimate: float
    low: float
    high: float


class Decisions(NamedTuple):
    """The decisions of some games."""

    decisions: int  # positions with more than one move that were met
    critical: int  # those where some move loses value
    critical_share: Interval | None  # of the decisions; None where there are none
    holding: Interval | None  # moves that keep the value, on average over the decisions


def sample_decisions(rules: Rules[O, P], error: float, games: int, seed: str, limit: Limit) -> Decisions:
    """The decisions in so many games between equals who err so often; TooBig if they do not fit the limit."""
    if rules.bounds is None:
        raise TooBig("a game that need not end cannot be measured; set a limit")
    random, solver = Random(seed), Solver(rules)
    known: dict[P, tuple[list[Move], list[Move]]] = {}  # the moves at a position, and those that keep its value
    met, critical, holding = [0] * games, [0] * games, [0] * games
    for game in range(games):
        position = rules.start
        while not rules.is_over(position):
            limit.check()
            if position not in known:
                found = solver.analyse(position, limit, distances=False)
                known[position] = [choice.move for choice in found.choices], found.keeping
            legal, keeping = known[position]
            if len(legal) > 1:
                met[game] += 1
                critical[game] += len(keeping) < len(legal)
                holding[game] += len(keeping)
            position = rules.after(position, random.choice(legal if random.random() < error else keeping))
    share, kept = _ratio(critical, met), _ratio(holding, met)
    return Decisions(sum(met), sum(critical), share and _of_share(share, games), kept and _of_mean(kept))


class _Ratio(NamedTuple):
    estimate: float
    variance: float  # of the estimate
    wholes: int  # together


def _ratio(parts: list[int], wholes: list[int]) -> _Ratio | None:
    """The parts in all wholes. The decisions of one game resemble each other, so it is the games that vary freely."""
    count, games = sum(wholes), len(wholes)
    if not count:
        return None
    estimate = sum(parts) / count
    squares = sum((part - estimate * whole) ** 2 for part, whole in zip(parts, wholes, strict=True))
    return _Ratio(estimate, squares / count**2 * games / max(games - 1, 1), count)


def _of_share(ratio: _Ratio, games: int) -> Interval:
    """Wilson's interval, which stays between 0 and 1, as if there were so many decisions that did not depend on others.

    Where all decisions are alike, nothing tells how far they depend on each other: each game counts as one.
    """
    share, variance, decisions = ratio
    free = min(share * (1 - share) / variance, decisions) if variance else games
    return Interval(share, *wilson(share, free))


def wilson(share: float, trials: float) -> tuple[float, float]:
    """Return Wilson's 95 % interval for a share of independent trials."""
    square = DEVIATIONS**2 / trials
    middle = (share + square / 2) / (1 + square)
    half = DEVIATIONS / (1 + square) * sqrt(max(share * (1 - share), 0) / trials + square / (4 * trials))
    return max(0.0, middle - half), min(1.0, middle + half)


def _of_mean(ratio: _Ratio) -> Interval:
    """The normal distribution's; some move always holds."""
    half = DEVIATIONS * sqrt(ratio.variance)
    return Interval(ratio.estimate, max(1.0, ratio.estimate - half), ratio.estimate + half)
