"""What docs/solved.md claims beyond what its commands print."""

from __future__ import annotations

from itertools import permutations

import pytest

from parlour import catalog
from parlour.game import listed
from parlour.solver import Solver


def test_increasing_differences_is_won_after_every_opening_and_every_answer() -> None:
    game = catalog.load("increasing-differences")
    options = game.defaults
    solver = Solver(game, options, compiled=True)
    start = game.start(options)
    after_two = [
        game.play(options, game.play(options, start, first), second)
        for first in range(1, 21)
        for second in range(1, 21)
        if first != second
    ]
    assert len(after_two) == 380
    assert all(solver.value(position) == 1 for position in after_two)


ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def test_every_grid_of_sequence_spot_is_a_draw() -> None:
    game = catalog.load("sequence-spot")
    grids: dict[tuple[bool, ...], tuple[int, ...]] = {}
    counts: dict[tuple[bool, ...], int] = {}
    for grid in permutations(range(1, 10)):
        pattern = tuple(grid[a] + grid[c] == 2 * grid[b] for a, b, c in ROWS)
        grids.setdefault(pattern, grid)
        counts[pattern] = counts.get(pattern, 0) + 1
    assert len(grids) == 153
    assert counts[(False,) * 8] / 362_880 == pytest.approx(0.599, abs=0.0005)
    for grid in grids.values():
        options = game.options(grid=int("".join(map(str, grid))))
        assert Solver(game, options).value(game.start(options)) == 0, grid


def test_pyramid_challenge_is_won_with_every_first_number() -> None:
    game = catalog.load("pyramid-challenge")
    options = game.defaults
    solver = Solver(game, options)
    start = game.start(options)
    assert {(c.value, c.plies) for c in solver.choices(start)} == {("win", 11)}
    assert len(listed(game.moves(options, start))) == 9


def test_the_second_player_wins_increasing_differences_12_24() -> None:
    game = catalog.load("increasing-differences")
    options = game.options(length=12, range=24)
    assert Solver(game, options, compiled=True).value(game.start(options)) == -1
