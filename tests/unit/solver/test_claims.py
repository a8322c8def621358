"""What docs/solved.md claims beyond what its commands print."""

from __future__ import annotations

import re
from itertools import permutations

import pytest

from parlour import catalog
from parlour.rules import read_rules
from parlour.score import Value
from parlour.solver import Solver
from tests.support import ROOT


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


def frontier() -> dict[tuple[int, int], str]:
    """The table of lengths and ranges in docs/solved.md, cell by cell."""
    page = (ROOT / "docs" / "solved.md").read_text(encoding="utf-8")
    head, *lines = re.findall(r"^\| (.*) \|$", page[page.index("| range |") :].partition("\n\n")[0], re.MULTILINE)
    lengths = head.split(" | ")[1:]
    found = {}
    for line in lines:
        size, *cells = (cell.strip() for cell in line.split("|"))
        found |= {(int(n), int(size)): cell for n, cell in zip(lengths, cells, strict=True) if cell}
    return found


def confirm_frontier(most: int, compiled: bool) -> None:
    game = catalog.find_game("increasing-differences")
    for (length, size), cell in frontier().items():
        if size <= most:
            rules = read_rules(game, {"length": str(length), "range": str(size)})
            solver = Solver(rules, compiled=compiled)
            best = sum(choice.value is Value.WIN for choice in solver.values(rules.start))
            assert cell == ("-" if not best else "all" if best == size else str(best)), (length, size)


def test_the_table_of_lengths_and_ranges_begins_as_the_solver_says() -> None:
    assert {size for _, size in frontier()} >= set(range(2, 25))
    confirm_frontier(9, compiled=False)


@pytest.mark.slow
def test_the_table_of_lengths_and_ranges_is_what_the_solver_says() -> None:
    confirm_frontier(18, compiled=True)
