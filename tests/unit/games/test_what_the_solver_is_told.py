"""What a game tells the solver beside its rules: a closed form, and which positions have the same future."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import pytest

from parlour.game import MOVER_WINS
from parlour.score import Value
from tests.support.naive import minimax, reachable
from tests.support.tabletop import begin


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


# The form of a position in Increasing Differences, found by trying everything.


class Side(NamedTuple):
    """One player: their last number and difference, 0 where there is none yet, and how many numbers they need."""

    last: int
    gap: int
    needed: int


def reach(numbers: frozenset[int], side: Side, highest: int) -> set[int]:
    """Every place that one player could come to if only they took numbers, the last of them there or not."""
    if not side.needed:
        return set()
    found = {n for n in range(1, highest + 1) if not side.last or abs(n - side.last) > side.gap}
    for number in found & numbers:
        gap = abs(number - side.last) if side.last else 0
        found = found | reach(numbers - {number}, Side(number, gap, side.needed - 1), highest)
    return found


def widest(numbers: frozenset[int], last: int, gap: int, highest: int) -> int:
    """The largest last difference that bars the same numbers."""

    def barred(gap: int) -> set[int]:
        return {number for number in numbers if abs(number - last) <= gap}

    return max(wide for wide in range(gap, highest + 1) if barred(wide) == barred(gap)) if last else 0


def form(numbers: frozenset[int], mine: Side, theirs: Side, highest: int) -> tuple[int, ...]:
    """The position that stands for this one and for all that differ from it only in what does not matter."""
    mine = mine._replace(gap=widest(numbers, mine.last, mine.gap, highest))
    theirs = theirs._replace(gap=widest(numbers, theirs.last, theirs.gap, highest))
    places = reach(numbers, mine, highest) | reach(numbers, theirs, highest)
    images = []
    for turned in (False, True):

        def seen(number: int, turned: bool = turned) -> int:
            return highest + 1 - number if turned and number else number

        lasts = seen(mine.last), seen(theirs.last)
        spare = {*range(1, highest + 1)} - {seen(place) for place in places} - {*lasts}
        useful = sum(1 << seen(number) for number in numbers & places)
        useless = sum(1 << number for number in sorted(spare)[: len(numbers - places)])
        images.append(((useful, *lasts), (useful | useless, lasts[0], mine.gap, lasts[1], theirs.gap)))
    return min(images)[1]


@pytest.mark.parametrize(("length", "highest"), [(2, 5), (3, 6), (4, 7), (5, 8), (8, 8), (3, 9)])
def test_the_form_in_increasing_differences_is_found_by_trying_everything(length: int, highest: int) -> None:
    rules = begin("increasing-differences", length=length, range=highest).rules
    for position in reachable(rules):
        if not rules.is_over(position):
            pool, last, gap, their_last, their_gap = position
            numbers = frozenset(number for number in range(1, highest + 1) if pool >> number & 1)
            taken = highest - len(numbers)
            mine = Side(last, gap, length - taken // 2)
            theirs = Side(their_last, their_gap, length - (taken + 1) // 2)
            assert tuple(rules.canonical(position)) == form(numbers, mine, theirs, highest), position
