"""Many random games in one call: compiled where Numba is installed (extra ``fast``), and the same games without it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, NamedTuple

from parlour.errors import ParlourError, TooBig
from parlour.game import AnyGame
from parlour.solver.kernels import make_playouts
from parlour.solver.plain import as_it_stands, fits, rules_of
from parlour.solver.solution import can_compile


class Playouts(NamedTuple):
    """What came out of many random games, seen from the player to move at their beginning."""

    wins: int
    draws: int
    losses: int
    placements: int  # moves that were no passes
    plies: int

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses


def playouts(
    game: AnyGame, options: Any, games: int, *, position: Any = None, seed: int = 1, threads: int = 1
) -> Playouts:
    """Play random games from a position, or from the start. The same seed and number of threads give the same games."""
    if games < 0 or threads < 1:
        raise ParlourError(f"{games} games in {threads} threads cannot be played; at least 0 games and 1 thread")
    if game.bounds(options) is None:
        raise TooBig("random games that need not end cannot be counted; set a limit")
    start = game.start(options) if position is None else position
    shares = [games * (part + 1) // threads - games * part // threads for part in range(threads)]
    run = _compiled(game) if can_compile() and fits(game, options, 1) else _plain(game)
    with ThreadPoolExecutor(threads) as pool:
        tallies = list(pool.map(lambda part: run(options, start, shares[part], _begin(seed, part)), range(threads)))
    return Playouts(*(sum(column) for column in zip(*tallies, strict=True)))


def _begin(seed: int, part: int) -> int:
    """A first random state, far apart for neighbouring seeds: splitmix64, and never 0."""
    state = (seed * 1_000_003 + part + 1) * 0x9E3779B97F4A7C15 % 2**64
    state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    state = (state ^ state >> 27) * 0x94D049BB133111EB % 2**64
    return state ^ state >> 31 or 1


Run = Callable[[Any, Any, int, int], list[int]]


@cache
def _plain(game: AnyGame) -> Run:
    kernel = make_playouts(rules_of(game), as_it_stands)

    def run(options: Any, start: Any, games: int, state: int) -> list[int]:
        tally = [0] * 5
        kernel(options, start, games, [state], tally)
        return tally

    return run


@cache
def _compiled(game: AnyGame) -> Run:
    from parlour.solver.compile import playout_kernel

    return playout_kernel(game)
