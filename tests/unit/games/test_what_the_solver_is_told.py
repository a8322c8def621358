"""What a game tells the solver beside its rules: a closed form, and which positions have the same future."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from parlour.game import MOVER_WINS
from parlour.score import Value
from tests.support.canonical_forms import check_forms
from tests.support.naive import minimax, reachable
from tests.support.tabletop import begin


@pytest.mark.parametrize("limit", [2, 3, 4, 5, 6, 7, 11, 12, 24, 60])
def test_theory_of_double_up_says_what_the_textbook_finds(limit: int) -> None:
    rules = begin("double-up", limit=limit).rules
    truth = minimax(rules)
    assert rules.game.search.theory is not None
    for position in reachable(rules):
        result, plies, move = rules.game.search.theory(rules.packed, position)
        score = truth(position)
        assert (Value.WIN if result == MOVER_WINS else Value.LOSS, plies) == score
        assert truth(rules.play(position, move)).before_move() == score, "its move keeps the score"


def test_mirror_images_in_increasing_differences_are_one_in_a_table() -> None:
    rules = begin("increasing-differences", length=3, range=6).rules

    def mirror_image(position: Any) -> Any:
        pool, last, gap, their_last, their_gap = position
        other = sum(1 << (7 - number) for number in range(1, 7) if pool >> number & 1)
        return rules.position([other, 7 - last if last else 0, gap, 7 - their_last if their_last else 0, their_gap])

    for position in reachable(rules):
        assert rules.canonical(position) == rules.canonical(mirror_image(position))


@pytest.mark.parametrize("grid", ["1,2,3,4,5,6,7,8,9", "5,3,8,1,6,7,4,9,2"])
def test_lines_with_both_markers_do_not_matter_in_sequence_spot(grid: str) -> None:
    rules = begin("sequence-spot", grid=grid).rules
    lines = ({1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {1, 4, 7}, {2, 5, 8}, {3, 6, 9}, {1, 5, 9}, {3, 5, 7})
    random = Random(1)
    for _ in range(300):
        position = rules.start
        while not rules.is_over(position):
            mine, theirs = ({cell for cell in range(1, 10) if marks >> cell & 1} for marks in position[:2])
            dead = sum(1 << place for place, line in enumerate(lines) if line & mine and line & theirs)
            assert tuple(rules.canonical(position)) == (position[0], position[1], position[2] & ~dead)
            position = rules.play(position, random.choice(rules.legal(position)))


@pytest.mark.parametrize(("length", "highest"), [(2, 5), (3, 6), (4, 6)])
def test_canonical_forms_of_increasing_differences_are_found_by_exhaustive_search(length: int, highest: int) -> None:
    check_forms(length, highest)
