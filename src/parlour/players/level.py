"""Players from beginner to expert, defined by what they do.

A position is critical if some legal move loses value and some keeps it: a win can become a draw or a loss, a draw a
loss. On critical positions, and there alone, a level goes wrong, and it does so at the stated rate. Its errors are not
foolish: where it has the choice it does not play what is refuted soonest. In a lost position there is nothing to go
wrong, and every level resists as the perfect player does.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from parlour.batch import random_move
from parlour.game import P
from parlour.limit import Limit, limit_of
from parlour.match import Match
from parlour.options import O
from parlour.players import PlayerKind
from parlour.players.knowledge import shortlist, solver_for
from parlour.players.perfect import best_move
from parlour.score import Score, Value
from parlour.solver import Choice, Solver

LOST_AT_ONCE = Score(Value.LOSS, 2)  # this move and its refutation


class Level(NamedTuple):
    """What a level does on a critical position."""

    errors: float  # the rate at which it loses value
    best: bool  # when it does not: the best move, rather than any that keeps the value


LEVELS = {
    1: Level(0.50, best=False),
    2: Level(0.35, best=False),
    3: Level(0.20, best=False),
    4: Level(0.10, best=True),
    5: Level(0.03, best=True),
}


class LevelPlayer:
    """Any legal move as long as the position is too big to be solved at once; then as the level says."""

    def __init__(self, level: int) -> None:
        self._level = LEVELS[level]

    def choose(self, match: Match[O, P], random: Random, limit: Limit | None = None) -> int:
        position = match.position
        if match.only_move is not None:
            return match.only_move
        solver = solver_for(match.rules, position)
        if solver is None:
            return random_move(match.rules, position, random)
        limit = limit_of(limit)
        value = solver.value(position, limit)
        errs = random.random() < self._level.errors
        wrong = plausible_errors(solver, position, random, limit) if errs and value is not Value.LOSS else []
        if wrong:  # of two, the one that takes longer to refute
            return max(random.choice(wrong), random.choice(wrong), key=lambda error: error.score).move
        if value is Value.LOSS or self._level.best:
            return best_move(solver, position, random, limit)
        moves = shortlist(solver, position, random, limit)
        shuffled = random.sample(moves, len(moves))
        return next(move for move in shuffled if solver.keeps(position, move, Score(value), limit))

    def close(self) -> None:
        pass


def plausible_errors(solver: Solver[O, P], position: P, random: Random, limit: Limit) -> list[Choice]:
    """The moves that lose value; those that are refuted soonest only if there are no others.

    What the opponent's very next move refutes is as plain to see as what loses on the spot, and counts as the same.
    """
    choices = solver.choices(position, limit, shortlist(solver, position, random, limit))
    value = max(choice.value for choice in choices)
    wrong = [Choice(move, max(score, LOST_AT_ONCE)) for move, score in choices if score.value < value]
    soonest = min((choice.score for choice in wrong), default=LOST_AT_ONCE)
    return [choice for choice in wrong if choice.score > soonest] or wrong


KINDS = tuple(
    PlayerKind(
        word=f"level:{number}",
        title=f"Level {number}",
        about=f"goes wrong at {level.errors:.0%} of the moments that matter",
        make=lambda argument: LevelPlayer(int(argument)),
        place=20,
    )
    for number, level in LEVELS.items()
)
