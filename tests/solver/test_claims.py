"""What docs/solved.md claims beyond what its commands print."""

from __future__ import annotations

from itertools import permutations

import pytest

from parlour import catalog
from parlour.rules import read_rules
from parlour.score import Value
from parlour.solver import Solver


@pytest.mark.slow
def test_increasing_differences_is_won_after_every_opening_and_every_answer() -> None:
    rules = read_rules(catalog.find_game("increasing-differences"), {})
    solver = Solver(rules, compiled=True)
    after_two = [
        rules.play(rules.play(rules.start, first), second)
        for first in range(1, 21)
        for second in range(1, 21)
        if first != second
    ]
    assert len(after_two) == 380
    assert all(solver.value(position) is Value.WIN for position in after_two)


ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@pytest.mark.slow
def test_every_grid_of_sequence_spot_is_a_draw() -> None:
    game = catalog.find_game("sequence-spot")
    grids: dict[tuple[bool, ...], tuple[int, ...]] = {}
    counts: dict[tuple[bool, ...], int] = {}
    for grid in permutations(range(1, 10)):
        pattern = tuple(grid[a] + grid[c] == 2 * grid[b] for a, b, c in ROWS)
        grids.setdefault(pattern, grid)
        counts[pattern] = counts.get(pattern, 0) + 1
    assert len(grids) == 153
    assert counts[(False,) * 8] / 362_880 == pytest.approx(0.599, abs=0.0005)
    for grid in grids.values():
        rules = read_rules(game, {"grid": ",".join(map(str, grid))})
        assert Solver(rules).value(rules.start) is Value.DRAW, grid


def test_pyramid_challenge_is_won_with_every_first_number() -> None:
    rules = read_rules(catalog.find_game("pyramid-challenge"), {})
    choices = Solver(rules).choices(rules.start)
    assert {choice.score for choice in choices} == {(Value.WIN, 11)}
    assert len(choices) == 9


@pytest.mark.slow
def test_the_second_player_wins_increasing_differences_12_24() -> None:
    rules = read_rules(catalog.find_game("increasing-differences"), {"length": "12", "range": "24"})
    assert Solver(rules, compiled=True).value(rules.start) is Value.LOSS
