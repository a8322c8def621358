"""Players from beginner to expert, defined by what they do.

A position is critical if some legal move loses value and some keeps it: a win can become a draw or a loss, a draw a
loss. On critical positions, and there alone, a level goes wrong, and it does so at the stated rate. Its errors are not
foolish: where it has the choice it does not play what is refuted soonest. In a lost position there is nothing to go
wrong, and every level resists as the perfect player does.
"""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

from parlour.match import Match
from parlour.players.knowledge import score_after, shortlist, solver_for, value_after
from parlour.players.perfect import best_move
from parlour.players.random import RandomPlayer
from parlour.solver import Solver
from parlour.solver.kernels import TOP, sign

AT_ONCE = 2 - TOP  # the score of a loss in two plies: this move and its refutation


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

    def choose(self, match: Match, random: Random) -> int:
        position = match.position
        if match.only_move is not None:
            return match.only_move
        solver = solver_for(match.game, match.options, position)
        if solver is None:
            return RandomPlayer().choose(match, random)
        value = solver.value(position)
        errs = random.random() < self._level.errors
        wrong = plausible_errors(solver, position, random) if errs and value >= 0 else []
        if wrong:  # of two, the one that takes longer to refute
            return max(random.choice(wrong), random.choice(wrong), key=lambda error: error[0])[1]
        if value < 0 or self._level.best:
            return best_move(solver, position, random)
        moves = shortlist(solver, position, random)
        return next(move for move in random.sample(moves, len(moves)) if value_after(solver, position, move) == value)

    def close(self) -> None:
        pass


def plausible_errors(solver: Solver, position: Any, random: Random) -> list[tuple[int, int]]:
    """The moves that lose value, with their scores; those that are refuted soonest only if there are no others.

    What the opponent's very next move refutes is as plain to see as what loses on the spot.
    """
    scores = [(score_after(solver, position, move), move) for move in shortlist(solver, position, random)]
    value = sign(max(scores)[0])
    wrong = [(max(score, AT_ONCE), move) for score, move in scores if sign(score) < value]
    return [error for error in wrong if error[0] > min(wrong)[0]] or wrong
