"""Random games in batches: the same compiled or not, and as random as they claim."""

from __future__ import annotations

from functools import cache
from math import sqrt
from random import Random
from typing import Any

import pytest

from parlour import catalog
from parlour.batch import random_games as batch
from parlour.batch.random_games import Playouts
from parlour.engine.primitives import nth_move, select_bit
from parlour.engine.search import compiles
from parlour.errors import ParlourError, TooBig
from parlour.game import DRAWN, MOVER_WINS, ONGOING, marked
from parlour.rules import Rules, read_rules


def dealt(key: str, **texts: str) -> Rules:
    game = catalog.find_game(key)
    return Rules(game, game.rounds.deal(read_rules(game, texts).packed, 1, Random(3)))


@pytest.mark.parametrize("key", catalog.keys())
def test_plain_and_compiled_play_the_same_games(key: str) -> None:
    rules = dealt(key)
    if not compiles(rules):
        pytest.skip("a game too large to be compiled")
    plain, compiled = batch._plain(rules.game), batch._compiled(rules.game)
    assert compiled is not None
    for seed in (1, 2, 2**63):
        state = batch._first_state(seed, 0)
        both = [run(rules.packed, rules.start, [100, 200], state) for run in (plain, compiled)]
        assert both[0] == both[1]


def expectation(rules: Rules) -> Any:
    """Chances of win, draw and loss for the player to move when both play at random: exact, by hand."""

    @cache
    def chances(position: Any) -> tuple[float, float, float]:
        result = rules.result(position)
        if result != ONGOING:
            return float(result == MOVER_WINS), float(result == DRAWN), float(result not in (MOVER_WINS, DRAWN))
        after = [chances(rules.after(position, move)) for move in rules.legal(position)]
        wins, draws, losses = (sum(column) / len(after) for column in zip(*after, strict=True))
        return losses, draws, wins

    return chances


SMALL = [
    ("increasing-differences", {"length": "3", "range": "8"}),
    ("sequence-builder", {"length": "3", "pool": "8"}),
    ("pyramid-challenge", {"base": "2", "highest": "5", "copies": "2"}),
    ("double-up", {"limit": "30"}),
    ("sequence-spot", {"grid": "1,2,3,4,5,6,7,8,9"}),
]


@pytest.mark.parametrize(("key", "texts"), SMALL)
def test_random_games_come_out_as_chance_says(key: str, texts: dict[str, str]) -> None:
    rules = dealt(key, **texts)
    games = 40_000
    found = batch.playouts(rules, games, seed=11)
    assert found.games == games
    chances = expectation(rules)(rules.start)
    for count, chance in zip((found.wins, found.draws, found.losses), chances, strict=True):
        assert abs(count / games - chance) <= 5 * sqrt(chance * (1 - chance) / games) + 1e-12


def test_seeds_and_threads() -> None:
    rules = dealt("sequence-builder")
    assert batch.playouts(rules, 999, seed=1) == batch.playouts(rules, 999, seed=1)
    assert batch.playouts(rules, 999, seed=1) != batch.playouts(rules, 999, seed=2)
    many = batch.playouts(rules, 1001, seed=1, threads=3)
    assert many.games == 1001
    assert many == batch.playouts(rules, 1001, seed=1, threads=3)


def test_games_from_a_position_are_seen_from_its_mover() -> None:
    rules = dealt("double-up", limit="4")
    # From 3 the only move is 4, the limit: the player to move wins.
    expected = Playouts(wins=10, draws=0, losses=0, placements=10, plies=10)
    assert batch.playouts(rules, 10, position=rules.position([3])) == expected


def test_a_game_without_end_is_refused() -> None:
    rules = dealt("double-up", limit="none")
    with pytest.raises(TooBig):
        batch.playouts(rules, 1)


@pytest.mark.parametrize("games", [2.0, "2", None, [2], -1])
def test_what_is_no_number_of_games_is_refused(games: Any) -> None:
    with pytest.raises(ParlourError, match=r"bad games .*; give a whole number"):
        batch.playouts(dealt("double-up", limit="4"), games)


def test_an_array_is_no_number_of_games() -> None:
    numpy = pytest.importorskip("numpy")
    rules = dealt("double-up", limit="4")
    assert batch.playouts(rules, numpy.int64(3)).games == 3
    with pytest.raises(ParlourError, match=r"bad games array\(\[3\]\)"):
        batch.playouts(rules, numpy.array([3]))


def test_select_finds_every_bit() -> None:
    random = Random(5)
    for _ in range(300):
        bits = sorted(random.sample(range(62), random.randint(1, 62)))
        mask = sum(1 << bit for bit in bits)
        for place, bit in enumerate(bits):
            assert select_bit(mask, place) == bit == nth_move(marked(mask), place)


def test_a_random_game_goes_from_a_position_to_its_end() -> None:
    rules = dealt("pyramid-challenge")
    for seed in range(20):
        steps = list(batch.random_game(rules, rules.start, Random(seed)))
        here = rules.start
        for position, move in steps[:-1]:
            assert position == here
            assert move is not None
            here = rules.play(here, move)
        assert steps[-1] == (here, None)
        assert rules.is_over(here)
        assert steps == list(batch.random_game(rules, rules.start, Random(seed)))
