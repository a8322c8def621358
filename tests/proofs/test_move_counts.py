"""Move counts of larger games against the enumerators; small games are in tests/unit/games/test_move_counts.py."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.move_counts import END, check_counts


def case(key: str, depth: int, /, begun: tuple[int, ...] = (), **options: Any) -> Any:
    words = [key, *(f"{name}={value}" for name, value in options.items())]
    words += [f"depth={depth}"] if depth != END else []
    words += [f"begun={begun}"] if begun else []
    return pytest.param(key, options, depth, begun, id=" ".join(words).replace(", ", ","))


ID, SPOT, PYRAMID, DOUBLE, BUILDER = (
    *("increasing-differences", "sequence-spot", "pyramid-challenge", "double-up", "sequence-builder"),
)
CASES = [
    case(ID, 3, length=4, range=20),
    case(ID, 5, length=4, range=11),
    case(ID, 2, length=30, range=60),
    case(ID, END, length=2, range=30),
    case(ID, END, length=4, range=7),
    case(ID, END, length=5, range=8),
    case(ID, END, length=8, range=8),
    case(SPOT, END, rows=((2, 7, 6), (9, 5, 1), (4, 3, 8))),  # the book's second grid: four lines
    case(SPOT, END, rows=((1, 2, 3), (4, 5, 6), (7, 8, 9))),  # all eight lines
    case(SPOT, END, rows=((5, 3, 8), (1, 6, 7), (4, 9, 2))),  # the book's first grid: two lines
    case(SPOT, END, rows=((1, 2, 4), (3, 5, 6), (8, 9, 7))),  # no line
    case(SPOT, END, rows=((1, 2, 3), (5, 4, 9), (7, 8, 6))),  # one row
    case(SPOT, END, rows=((1, 9, 8), (4, 2, 5), (6, 7, 3))),  # one diagonal
    case(PYRAMID, 4, base=3, highest=9, copies=None),
    case(PYRAMID, 2, base=10, highest=60, copies=None),
    case(PYRAMID, 4, base=3, highest=9, copies=1),
    case(PYRAMID, 4, base=3, highest=9, copies=60),
    case(PYRAMID, END, base=2, highest=9, copies=None),
    case(PYRAMID, END, base=3, highest=3, copies=None),
    case(PYRAMID, END, base=3, highest=4, copies=None),
    case(PYRAMID, 11, base=4, highest=3, copies=None),
    case(PYRAMID, END, base=2, highest=7, copies=2),
    case(PYRAMID, END, base=3, highest=4, copies=2),
    case(PYRAMID, END, base=3, highest=4, copies=3),
    case(DOUBLE, 6, limit=100),
    case(DOUBLE, 6, limit=None),
    case(DOUBLE, 6, limit=40),
    case(DOUBLE, END, limit=16),
    case(DOUBLE, END, limit=17),
    case(BUILDER, END, length=4, pool=20, increments=(1, 2, 3)),
    case(BUILDER, END, length=4, pool=15, increments=(1, 2, 3)),
    case(BUILDER, END, length=5, pool=12, increments=(1, 2, 3)),
    case(BUILDER, END, length=4, pool=20, increments=(2, 3)),
    case(BUILDER, END, length=2, pool=60, increments=(1, 20)),
    case(BUILDER, END, length=12, pool=12, increments=(1, 3)),
    case(BUILDER, 3, length=30, pool=60, increments=(1, 2, 3)),
    # The books' own sizes, from some beginnings to the very end.
    case(ID, END, (5, 7, 8), length=4, range=20),
    case(ID, END, (20, 1, 19, 2), length=4, range=20),
    case(ID, END, (1, 20, 11, 10), length=4, range=20),
    case(PYRAMID, END, (1, 2, 3), base=3, highest=9, copies=None),
    case(PYRAMID, END, (1, 2, 3), base=3, highest=9, copies=2),
    case(PYRAMID, END, (5, 6, 5, 8), base=3, highest=9, copies=None),
    case(PYRAMID, END, (5, 6, 5, 8), base=3, highest=9, copies=2),
    case(PYRAMID, END, (2, 4, 3, 6), base=3, highest=9, copies=3),
    case(DOUBLE, END, (2, 3, 5, 6, 9, 10, 19, 38, 76, 88), limit=100),
]


@pytest.mark.parametrize(("key", "options", "depth", "begun"), CASES)
def test_move_counts(key: str, options: dict[str, Any], depth: int, begun: tuple[int, ...]) -> None:
    counted = check_counts(key, options, depth, begun)
    if key in (ID, DOUBLE):
        assert all(draws == 0 for _, _, _, draws in counted)
