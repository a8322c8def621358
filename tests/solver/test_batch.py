"""Random games in batches: the same compiled or not, and as random as they claim."""

from __future__ import annotations

from functools import cache
from math import sqrt
from random import Random
from typing import Any

import pytest

from parlour import batch, catalog, referee
from parlour.errors import TooBig
from parlour.game import DRAWN, MOVER_WINS, ONGOING, AnyGame, listed, marked
from parlour.solver.kernels import nth, select


def dealt(key: str, **texts: str) -> tuple[AnyGame, Any]:
    game = catalog.load(key)
    return game, game.deal(referee.choose_options(game, texts), 1, Random(3))


@pytest.mark.parametrize("key", catalog.keys())
def test_plain_and_compiled_play_the_same_games(key: str) -> None:
    game, options = dealt(key)
    start = game.start(options)
    for seed in (1, 2, 2**63):
        state = batch._begin(seed, 0)
        assert batch._plain(game)(options, start, 300, state) == batch._compiled(game)(options, start, 300, state)


def expectation(game: AnyGame, options: Any) -> Any:
    """Chances of win, draw and loss for the player to move when both play at random: exact, by hand."""

    @cache
    def chances(position: Any) -> tuple[float, float, float]:
        result = game.result(options, position)
        if result != ONGOING:
            return float(result == MOVER_WINS), float(result == DRAWN), float(result not in (MOVER_WINS, DRAWN))
        after = [chances(game.play(options, position, move)) for move in listed(game.moves(options, position))]
        wins, draws, losses = (sum(column) / len(after) for column in zip(*after, strict=True))
        return losses, draws, wins

    return chances


@pytest.mark.parametrize(
    ("key", "texts"),
    [
        ("increasing-differences", {"length": "3", "range": "8"}),
        ("sequence-builder", {"length": "3", "pool": "8"}),
        ("pyramid-challenge", {"base": "2", "highest": "5", "copies": "2"}),
        ("double-up", {"limit": "30"}),
        ("sequence-spot", {"grid": "1,2,3,4,5,6,7,8,9"}),
    ],
)
def test_random_games_come_out_as_chance_says(key: str, texts: dict[str, str]) -> None:
    game, options = dealt(key, **texts)
    games = 40_000
    found = batch.playouts(game, options, games, seed=11)
    assert found.games == games
    chances = expectation(game, options)(game.start(options))
    for count, chance in zip(found[:3], chances, strict=True):
        assert abs(count / games - chance) <= 5 * sqrt(chance * (1 - chance) / games) + 1e-12


def test_seeds_and_threads() -> None:
    game, options = dealt("sequence-builder")
    assert batch.playouts(game, options, 999, seed=1) == batch.playouts(game, options, 999, seed=1)
    assert batch.playouts(game, options, 999, seed=1) != batch.playouts(game, options, 999, seed=2)
    many = batch.playouts(game, options, 1001, seed=1, threads=3)
    assert many.games == 1001
    assert many == batch.playouts(game, options, 1001, seed=1, threads=3)


def test_games_from_a_position_are_seen_from_its_mover() -> None:
    game, options = dealt("double-up", limit="4")
    # From 3 the only move is 4, the limit: the player to move wins.
    assert batch.playouts(game, options, 10, position=type(game.start(options))(3)) == (10, 0, 0, 10, 10)


def test_a_game_without_end_is_refused() -> None:
    game, options = dealt("double-up", limit="none")
    with pytest.raises(TooBig):
        batch.playouts(game, options, 1)


def test_select_finds_every_bit() -> None:
    numba = pytest.importorskip("numba")
    from parlour.solver import compile as compiler

    assert compiler.BUCKET  # importing it teaches numba the function

    @numba.njit
    def fast(mask: int, place: int) -> int:
        return select(mask, place)

    random = Random(5)
    for _ in range(300):
        bits = sorted(random.sample(range(62), random.randint(1, 62)))
        mask = sum(1 << bit for bit in bits)
        for place, bit in enumerate(bits):
            assert select(mask, place) == bit == nth(marked(mask), place) == fast(mask, place)
