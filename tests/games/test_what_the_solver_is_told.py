"""What a game tells the solver beside its rules: a closed form, and which positions have the same future."""

from __future__ import annotations

from typing import Any

import pytest

from parlour.game import MOVER_WINS
from parlour.score import Value
from tests.games.tabletop import begin
from tests.naive import minimax, reachable


@pytest.mark.parametrize("limit", [2, 3, 4, 5, 6, 7, 11, 12, 24, 60])
def test_theory_of_double_up_says_what_the_textbook_finds(limit: int) -> None:
    rules = begin("double-up", limit=limit).rules
    truth = minimax(rules)
    assert rules.game.theory is not None
    for position in reachable(rules):
        result, plies, move = rules.game.theory(rules.options, position)
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
