"""What the perfect player and the levels know of a game: exact answers, as far as they can be had without waiting.

Whether a position can be solved must not depend on what was asked before, or the same seed would give other moves in
another order of games. So the decision is always made by a search that knows nothing yet and counts the nodes of pure
Python: the same on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from threading import get_ident

from parlour.errors import TooBig
from parlour.game import P
from parlour.limit import Limit
from parlour.options import O
from parlour.rules import Rules
from parlour.solver import ReproducibleSolver, Solver

FEW_NODES = 1_000  # searched in pure Python, in less time than WebAssembly takes to load
SEARCHED_NODES = 30_000  # for the score of a position: about half a second, and a few times that for all its moves
WEIGHED_MOVES = 1000  # that are looked at, of however many there are


def solver_for(rules: Rules[O, P], position: P) -> Solver[O, P] | None:
    """A solver that can answer about a position and all that can follow it; None where that would take too long."""
    whole: Solver[O, P] | None = _whole(rules, get_ident())
    if whole is not None or position == rules.start:
        return whole
    return _solved(rules, position)


@lru_cache(maxsize=8)
def _whole(rules: Rules[O, P], thread: int) -> Solver[O, P] | None:
    """Of a small game everything is known, and what was found out in one match is remembered in the next.

    A solver can answer one question at a time, so every thread has its own.
    """
    return _solved(rules, rules.start)


def _solved(rules: Rules[O, P], position: P) -> Solver[O, P] | None:
    """A solver that has found the score of this position; None if it could not with little work."""
    attempts = (Solver(rules, runtime="python"), FEW_NODES), (ReproducibleSolver(rules, runtime="wasm"), SEARCHED_NODES)
    for solver, nodes in attempts:
        try:
            solver.score(position, Limit(nodes=nodes))
        except TooBig:
            continue
        return solver  # all that follows the position is smaller still
    return None


def shortlist(solver: Solver[O, P], position: P, random: Random, limit: Limit) -> Sequence[int]:
    """The legal moves. Of very many a best one, and others by lot: hundreds of thousands would take their time."""
    legal = solver.rules.legal(position)
    if len(legal) <= WEIGHED_MOVES:
        return legal
    return sorted({*solver.line(position, limit, most=1), *random.sample(legal, WEIGHED_MOVES)})
