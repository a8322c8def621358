"""How large a game can get: no tighter than its rules allow, and no looser, since tables and packing go by it."""

from __future__ import annotations

import pytest

from parlour import catalog
from parlour.game import Bounds
from parlour.rules import read_rules


@pytest.mark.parametrize(
    ("key", "options", "bounds"),
    [
        # From 1 each number is at least one more than the last: 2, 3, ... up to the limit.
        ("double-up", {"limit": "30"}, Bounds(31, 29, (31,))),
        # Of 2 N - 1 numbers one player has taken N; a pool of numbers up to M has the bits 1 to M.
        ("increasing-differences", {}, Bounds(21, 7, (2**21, 21, 21, 21, 21))),
        ("increasing-differences", {"range": "5"}, Bounds(6, 5, (2**6, 6, 6, 6, 6))),
        # Twelve placements end a game of two pyramids of six numbers at the latest, less the one that is not needed,
        # and each of the eleven may follow a pass; three numbers from 0 to 9 are open.
        ("pyramid-challenge", {}, Bounds(10, 22, (6, 10**3, 7, 10**3, 1))),
        ("pyramid-challenge", {"base": "2", "highest": "4", "copies": "2"}, Bounds(5, 10, (3, 5**2, 4, 5**2, 3**4))),
        # As in Increasing Differences, but a skip may stand before each number; the mover's sequence is not full yet.
        ("sequence-builder", {}, Bounds(21, 14, (2**21, 21, 4, 21, 5))),
        ("sequence-builder", {"pool": "5"}, Bounds(6, 10, (2**6, 6, 4, 6, 5))),
        # Nine cells, marked or not, with the bits 1 to 9; eight lines.
        ("sequence-spot", {"grid": "1,2,3,4,5,6,7,8,9"}, Bounds(10, 9, (2**10, 2**10, 2**8))),
    ],
)
def test_bounds(key: str, options: dict[str, str], bounds: Bounds) -> None:
    assert read_rules(catalog.find_game(key), options).bounds == bounds
