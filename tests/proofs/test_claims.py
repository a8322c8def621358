"""The claims of docs/solved.md beyond what its commands print; tests/proofs/test_offers.py has those of the games."""

from __future__ import annotations

import pytest

from parlour import catalog
from parlour.rules import read_rules
from parlour.score import Value
from parlour.solver import Solver
from tests.support.solved import confirm_frontier


def test_the_second_player_wins_increasing_differences_12_24() -> None:
    rules = read_rules(catalog.find_game("increasing-differences"), {"length": "12", "range": "24"})
    assert Solver(rules, runtime="wasm").value(rules.start) is Value.LOSS


@pytest.mark.parametrize("most", range(9, 19))
def test_the_table_of_lengths_and_ranges_is_what_the_solver_says(most: int) -> None:
    confirm_frontier(most, runtime="wasm", least=most)
