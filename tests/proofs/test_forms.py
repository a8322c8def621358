"""Canonical forms, tables and the search against minimax: all small games in pure Python, larger ones compiled."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from tests.support.forms import (
    check_choices,
    check_forms,
    check_scores,
    check_table,
    check_theory,
    found_out,
    look_ahead,
)
from tests.support.naive import minimax, reachable, truths
from tests.support.small import GAMES, SmallGame, each_of, small_games

LARGE = [
    SmallGame("increasing-differences", "length=7 range=8"),
    SmallGame("increasing-differences", "length=3 range=8"),
    SmallGame("increasing-differences", "length=5 range=9"),
    SmallGame("increasing-differences", "length=7 range=10"),
    SmallGame("increasing-differences", "length=3 range=12"),
    SmallGame("increasing-differences", "length=4 range=11"),
    SmallGame("increasing-differences", "length=5 range=11"),
    SmallGame("increasing-differences", "length=6 range=11"),
    SmallGame("increasing-differences", "length=8 range=11"),
    SmallGame("sequence-builder", "length=4 pool=14"),
    SmallGame("sequence-builder", "length=6 pool=13"),
    SmallGame("sequence-builder", "length=4 pool=15 increments=1,2,6"),
    SmallGame("pyramid-challenge", "base=3 highest=4 copies=2"),
    SmallGame("pyramid-challenge", "base=3 highest=5 copies=2"),
    SmallGame("pyramid-challenge", "base=3 highest=9 copies=1"),
    SmallGame("pyramid-challenge", "base=4 highest=3 copies=3"),
    SmallGame("pyramid-challenge", "base=3 highest=4"),
    SmallGame("sequence-spot", "grid=1,2,3,4,5,6,7,8,9"),
    SmallGame("sequence-spot", "grid=2,7,6,9,5,1,4,3,8"),
    SmallGame("sequence-spot", "grid=9,8,7,1,2,3,4,5,6"),
    SmallGame("double-up", "limit=200"),
]


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    """Some of these games have a million positions: don't keep them in memory for other tests."""
    yield
    minimax.cache_clear()
    reachable.cache_clear()


@each_of(LARGE)
def test_a_large_game_is_solved_and_tabulated_as_minimax_does(game: SmallGame) -> None:
    truth = truths(game.rules)
    sample = Random(1).sample(sorted(truth), min(500, len(truth)))
    check_scores(game.rules, truth, sample, runtime="wasm")
    check_table(game.rules, truth, runtime="wasm")
    check_forms(game.rules, truth)


@small_games
def test_a_small_game_is_solved_and_tabulated_as_minimax_does(game: SmallGame) -> None:
    check_scores(game.rules, game.truth, game.positions[:80], runtime="python")
    check_table(game.rules, game.truth, runtime="python")
    check_forms(game.rules, game.truth)
    check_choices(game)


@each_of([game for game in GAMES if game.rules.game.search.theory])
def test_the_search_finds_what_a_theory_says(game: SmallGame) -> None:
    check_theory(game)


def test_small_and_large_games_are_many() -> None:
    assert len({*GAMES, *LARGE}) >= 40
    assert len({game for game in (*GAMES, *LARGE) if game.key == "increasing-differences"}) >= 12


def test_a_form_that_looks_two_steps_ahead_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if nobody came back to a number after a second step the same way. The right form is among those above."""
    assert SmallGame("increasing-differences", "length=5 range=9") in LARGE
    look_ahead(monkeypatch, 2)
    assert found_out("increasing-differences", "length=5 range=9")
