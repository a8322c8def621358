"""What the perfect player and the levels know of a game: exact answers, as far as they can be had without waiting.

Whether a position can be solved must not depend on what was asked before, or the same seed would give other moves in
another order of games. So the decision is always made by a search that knows nothing yet, and never compiled: the same
on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from threading import get_ident
from typing import Any

from parlour import referee
from parlour.errors import TooBig
from parlour.game import AnyGame
from parlour.solver import Solver
from parlour.solver.kernels import back

SMALL = 30_000  # positions searched for the score of one: about half a second, and a few times that for all its moves
MANY = 1000  # moves beyond which not all are looked at


def solver_for(game: AnyGame, options: Any, position: Any) -> Solver | None:
    """A solver that can answer about a position and all that can follow it; None where that would take too long."""
    whole = _whole(game, options, get_ident())
    if whole is not None or position == game.start(options):
        return whole
    return _solved(game, options, position)


@lru_cache(maxsize=8)
def _whole(game: AnyGame, options: Any, thread: int) -> Solver | None:
    """Of a small game everything is known, and what was found out in one match is remembered in the next.

    A solver can answer one question at a time, so every thread has its own.
    """
    return _solved(game, options, game.start(options))


def _solved(game: AnyGame, options: Any, position: Any) -> Solver | None:
    """A solver that has found the score of this position; None if it could not with little work."""
    searching = True

    def stop(spent: int) -> None:
        if searching and spent >= SMALL:
            raise TooBig(f"more than {SMALL:,} positions")

    try:
        solver = Solver(game, options, progress=stop, compiled=False)
        solver.score(position)
    except TooBig:
        return None
    searching = False  # what follows the position is smaller, and is searched to its end
    return solver


def value_after(solver: Solver, position: Any, move: int) -> int:
    """What a move leaves to the player who makes it: 1 a win, 0 a draw, -1 a loss."""
    return -solver.value(solver.game.play(solver.options, position, move))


def score_after(solver: Solver, position: Any, move: int) -> int:
    """The score of a move for the player who makes it."""
    return back(solver.score(solver.game.play(solver.options, position, move)))


def shortlist(solver: Solver, position: Any, random: Random) -> Sequence[int]:
    """The legal moves. Of very many a best one, and others by lot: hundreds of thousands would take their time."""
    legal = referee.legal_moves(solver.game, solver.options, position)
    if len(legal) <= MANY:
        return legal
    return sorted({*solver.line(position, 1), *random.sample(legal, MANY)})
