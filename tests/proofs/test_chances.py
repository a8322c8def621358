"""The chances of graded players' moves, in more positions than tests/unit/evals/test_counting.py."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.chances import check_chances


@pytest.mark.parametrize("word", ["random", "level:3", "perfect"])
@pytest.mark.parametrize(
    ("key", "options", "line"),
    [
        ("double-up", {"limit": 40}, "2 4 8"),  # won for the player to move
        ("double-up", {"limit": 44}, "2 4 5 10 20 21"),  # lost, with more moves than are compared
        ("sequence-spot", {"grid": "1,2,3,4,5,6,7,8,9"}, "2,2 1,1"),
        ("pyramid-challenge", {"highest": 4, "copies": 2}, "1 2 1 3"),
    ],
)
def test_the_chances_are_those_of_the_player(word: str, key: str, options: dict[str, Any], line: str) -> None:
    check_chances(word, key, options, line, tries=500)
