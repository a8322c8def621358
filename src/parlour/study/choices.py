"""What follows from what each move of a position is worth."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.score import Score
from parlour.solver import Choice


def best_score(choices: Sequence[Choice]) -> Score:
    """What the position is worth in which these are the moves."""
    return max(choice.score for choice in choices)


def keeping_moves(choices: Sequence[Choice]) -> list[int]:
    """The moves that keep the value of the position, however soon they end the game."""
    value = best_score(choices).value
    return [choice.move for choice in choices if choice.value == value]


def best_moves(choices: Sequence[Choice]) -> list[int]:
    """The quickest wins, all draws, or the slowest losses; where distances are not known, all that keep the value."""
    best = best_score(choices)
    return [choice.move for choice in choices if choice.score == best]
