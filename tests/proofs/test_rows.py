"""Rows of larger games, and samples of players who only err."""

from __future__ import annotations

import pytest

from tests.support.rows import intervals_are_honest, is_a_textbook_row


@pytest.mark.parametrize(
    ("key", "texts"),
    [
        ("increasing-differences", {"length": "5", "range": "8"}),
        ("sequence-spot", {"grid": "1,2,3,4,5,6,7,8,9"}),
    ],
    ids=["increasing-differences", "sequence-spot"],
)
def test_a_row_of_a_larger_game_is_what_a_textbook_says(key: str, texts: dict[str, str]) -> None:
    is_a_textbook_row(key, texts)


def test_sampled_numbers_of_players_who_always_err_are_honest() -> None:
    intervals_are_honest("1")
