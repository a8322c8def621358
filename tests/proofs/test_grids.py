"""All 362,880 grids of Sequence Spot, by an enumerator of its own."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from parlour import catalog
from parlour.lab.sweep import combine


def arithmetic_lines(grid: Sequence[int]) -> frozenset[tuple[int, ...]]:
    """Which lines of a grid of Sequence Spot can win."""
    lines = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
    return frozenset(line for line in lines if grid[line[0]] + grid[line[2]] == 2 * grid[line[1]])


def test_a_grid_is_swept_by_its_patterns_of_lines() -> None:
    """One grid for each pattern that an enumerator of its own finds, and all 362,880 are counted."""
    game = catalog.find_game("sequence-spot")
    found = combine(game, {})
    grids = [[int(number) for number in rules.option_texts["grid"].split(",")] for rules in found.rules]
    assert {arithmetic_lines(grid) for grid in grids} == {arithmetic_lines(grid) for grid in permutations(range(1, 10))}
    assert len(grids) == 153
    assert sum(found.alike) == 362_880
