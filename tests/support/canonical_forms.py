"""The canonical form of a position in Increasing Differences, found by exhaustive search."""

from __future__ import annotations

from typing import NamedTuple

from tests.support.naive import reachable
from tests.support.tabletop import begin


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


def check_forms(length: int, highest: int) -> None:
    """Compare the canonical form of every reachable position with the one found by exhaustive search."""
    rules = begin("increasing-differences", length=length, range=highest).rules
    for position in reachable(rules):
        if not rules.is_over(position):
            pool, last, gap, their_last, their_gap = position
            numbers = frozenset(number for number in range(1, highest + 1) if pool >> number & 1)
            taken = highest - len(numbers)
            mine = Side(last, gap, length - taken // 2)
            theirs = Side(their_last, their_gap, length - (taken + 1) // 2)
            assert tuple(rules.canonical(position)) == form(numbers, mine, theirs, highest), position
