"""Text as people type and read it."""

from __future__ import annotations

from difflib import get_close_matches

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.text import decimal, nearest
from tests.support.strategies import examples

WORDS = st.text("abc-", max_size=8)


@examples(200)
@given(WORDS, st.lists(WORDS.filter(bool), max_size=5))
def test_the_nearest_word_is_the_one_that_difflib_finds(typed: str, known: list[str]) -> None:
    assert nearest(typed, known) == next(iter(get_close_matches(typed, known, 1)), None)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("spto", "spot"),
        ("LIMT", "limit"),
        ("limit" * 20, None),
        ("", None),
    ],
)
def test_a_mistyped_word_has_a_nearest_one(typed: str, meant: str | None) -> None:
    assert nearest(typed, ["limit", "spot"]) == meant


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (10, "10"),
        (100.0, "100"),
        (0.5, "0.5"),
        (1.25, "1.25"),
        (2 / 3, "0.667"),
        (float("inf"), "inf"),
    ],
)
def test_a_decimal_has_no_zeros_at_its_end(number: float, text: str) -> None:
    assert decimal(number) == text
