"""Which positions exist: more games, and more positions of each, than tests/unit/games/test_impossible_positions.py."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.possible_positions import (
    LARGE,
    SMALL,
    Case,
    check_accepted_positions_are_solved_right,
    check_followers_of_canonical_forms_pass,
    check_reachable_positions_pass,
    check_unreachable_positions_are_refused,
)


@pytest.mark.parametrize("case", [*SMALL, *LARGE], ids=lambda case: case.id)
@pytest.mark.parametrize(
    "check",
    [
        check_reachable_positions_pass,
        check_followers_of_canonical_forms_pass,
        check_unreachable_positions_are_refused,
        check_accepted_positions_are_solved_right,
    ],
)
def test_possible_positions(check: Callable[[Case], None], case: Case) -> None:
    check(case)
