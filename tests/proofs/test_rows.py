"""Rows of larger games, and the intervals of many samples."""

from __future__ import annotations

import pytest

from tests.support.rows import intervals_are_honest, is_a_textbook_row


@pytest.mark.parametrize(
    ("key", "texts"),
    [
        ("increasing-differences", {"length": "4", "range": "7"}),
        ("increasing-differences", {"length": "5", "range": "8"}),
        ("sequence-spot", {"grid": "1,2,3,4,5,6,7,8,9"}),
    ],
    ids=["increasing-differences-4-7", "increasing-differences-5-8", "sequence-spot"],
)
def test_a_row_of_a_larger_game_is_what_a_textbook_says(key: str, texts: dict[str, str]) -> None:
    is_a_textbook_row(key, texts)


@pytest.mark.parametrize("error", ["1/5", "1"])
def test_sampled_numbers_are_honest(error: str) -> None:
    intervals_are_honest(error)
