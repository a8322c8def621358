"""The table in docs/solved.md, as far as pure Python solves it quickly. tests/proofs/test_claims.py has the rest."""

from __future__ import annotations

from tests.support.solved import confirm_frontier, frontier


def test_the_table_of_lengths_and_ranges_begins_as_the_solver_says() -> None:
    assert {size for _, size in frontier()} >= set(range(2, 25))
    confirm_frontier(8, runtime="python")
