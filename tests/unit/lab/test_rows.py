"""The numbers in a row of a sweep. ``tests/proofs/test_rows.py`` has larger games."""

from __future__ import annotations

from dataclasses import replace

import pytest

from parlour.lab.measures import DEFAULT_METHOD, MEASURES, Budget, columns_of, measure, row_of, sample_decisions
from parlour.limit import Limit
from parlour.score import Value
from tests.support.rows import intervals_are_honest, is_a_textbook_row, rules_under, task

SMALL = [
    ("double-up", {"limit": "40"}),
    ("increasing-differences", {"length": "3", "range": "7"}),
    ("pyramid-challenge", {"base": "2", "highest": "4", "copies": "1"}),
    ("sequence-builder", {"length": "4", "pool": "9", "increments": "1,3"}),
]
small = pytest.mark.parametrize(("key", "texts"), SMALL, ids=[f"{k}-{'-'.join(t.values())}" for k, t in SMALL])


@small
def test_a_row_is_what_a_textbook_says(key: str, texts: dict[str, str]) -> None:
    is_a_textbook_row(key, texts)


def test_sampled_numbers_lie_around_the_true_ones_as_often_as_they_say() -> None:
    intervals_are_honest("1/5", 16)


def test_where_all_decisions_are_alike_the_interval_does_not_pretend_to_know() -> None:
    """The rule of three: what did not happen in 60 games happens in less than one of 20, and not never."""
    rules = rules_under("sequence-spot", {"grid": "1,2,4,3,5,6,8,9,7"})  # no line of it is arithmetic
    found = sample_decisions(rules, 0.2, 60, "1", Limit(60))
    assert found.decisions == 60 * 8
    assert found.critical == 0
    assert found.critical_share is not None
    assert found.critical_share.low == 0
    assert 0.02 < found.critical_share.high < 0.1


def test_the_seed_decides_the_sample() -> None:
    rules = rules_under("sequence-builder", {})
    one, same, other = (sample_decisions(rules, 0.2, 6, seed, Limit(60)) for seed in "112")
    assert one == same != other


def test_where_not_all_positions_fit_games_are_sampled_and_the_row_says_so() -> None:
    rules = rules_under("sequence-builder", {})
    row = measure(task(rules, budget=Budget(60.0, 1_500_000)))  # 5,371 positions take more in any table
    assert row.value is Value.WIN
    assert row.positions is row.first is row.turns is row.measure is None
    assert row.decisions_from == "games"
    assert row.critical_low is not None
    assert row.critical_share is not None
    assert row.critical_high is not None
    assert row.critical_low < row.critical_share < row.critical_high
    assert row.unfinished == {"contest": "no exact answer within 1 MB of memory"}


def test_what_does_not_fit_is_no_row_of_guesses() -> None:
    row = measure(
        task(rules_under("increasing-differences", {"length": "8", "range": "24"}), budget=Budget(0.0, 1 << 30))
    )
    assert list(row.unfinished) == list(MEASURES)
    assert row.unfinished["value"] == "no exact answer within 0 seconds"
    said = [row.value, row.distance, row.first_moves, row.positions, row.decisions, row.first, row.turns]
    assert said == [None] * 7


def test_a_game_that_need_not_end_is_a_row_that_says_so() -> None:
    row = measure(task(rules_under("double-up", {"limit": "none"})))
    assert row.value is None
    assert "need not end" in row.unfinished["value"]


def test_only_what_is_asked_for_is_measured() -> None:
    row = measure(task(rules_under("sequence-builder", {}), replace(DEFAULT_METHOD, measures=("value", "first-moves"))))
    assert (row.value, row.keeping_first_moves) == (Value.WIN, 13)  # as docs/solved.md has it
    assert row.distance is row.positions is row.critical is row.first is None
    assert row.unfinished == {}


def test_the_digest_is_of_what_is_said_and_not_of_what_it_cost() -> None:
    rules = rules_under("double-up", {"limit": "20"})
    one, again = measure(task(rules)), measure(task(rules, budget=Budget(30.0, 1 << 29)))
    other = measure(task(rules, replace(DEFAULT_METHOD, error=0.3)))
    assert one.digest == again.digest != other.digest


@pytest.mark.parametrize("seconds", [0.0, 60.0])
def test_a_row_is_read_from_its_columns(seconds: float) -> None:
    row = measure(task(rules_under("sequence-spot", {"grid": "1,2,4,3,5,6,8,9,7"}), budget=Budget(seconds, 1 << 30)))
    columns = columns_of(row)
    assert {type(value) for value in columns.values()} <= {int, float, str, type(None)}
    assert row_of(columns) == row
