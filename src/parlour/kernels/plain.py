"""The searches as they stand, over dictionaries: no waiting, for small work."""

from __future__ import annotations

import sys
from typing import Any, Generic

from parlour.game import P
from parlour.kernels.search import STOPPED, TOP, TableAccess, make_at_least, make_fill, rule_functions
from parlour.options import O
from parlour.rules import Rules

POSITION_BYTES = 400  # that a position takes in a dictionary, about
NOTHING_KNOWN = (-TOP, TOP)


def lookup_bounds(table: dict[Any, tuple[int, int]], position: Any) -> tuple[int, int]:
    return table.get(position, NOTHING_KNOWN)


def store_bounds(table: dict[Any, tuple[int, int]], position: Any, low: int, high: int) -> None:
    table[position] = (low, high)


def lookup_entry(table: dict[Any, int], position: Any) -> int:
    return table.get(position, STOPPED)


def store_entry(table: dict[Any, int], position: Any, entry: int) -> None:
    table[position] = entry


def as_it_stands(function: Any) -> Any:
    """The compiler that compiles nothing."""
    return function


class PlainSearch(Generic[O, P]):
    """Answers by search with a dictionary."""

    chunk = 4_000  # nodes between two looks at the clock: about a twentieth of a second

    def __init__(self, rules: Rules[O, P]) -> None:
        bounds = rules.bounds
        assert bounds is not None  # the caller has made sure that the game ends
        self._table: dict[P, tuple[int, int]] = {}
        self._options = rules.options
        self._scratch = [0] * (bounds.moves * (bounds.plies + 1))
        # Canonical forms cost more here than they save.
        functions = rule_functions(rules.game)._replace(canonical=lambda options, position: position)
        self._at_least = make_at_least(functions, TableAccess(lookup_bounds, store_bounds), as_it_stands)
        make_room(bounds.plies)

    @property
    def needed_memory(self) -> int:
        """Bytes, about."""
        return len(self._table) * POSITION_BYTES

    def at_least(self, position: P, target: int, nodes: int, memory: int) -> tuple[int, int]:
        """1, 0, STOPPED or IMPOSSIBLE, and how many nodes it took of those allowed."""
        left = [nodes]
        answer = self._at_least(self._options, position, target, self._table, self._scratch, 0, left)
        return answer, nodes - left[0]


class PlainFill(Generic[O, P]):
    """Entries of all positions, in a dictionary."""

    def __init__(self, rules: Rules[O, P]) -> None:
        assert rules.bounds is not None
        self.table: dict[P, int] = {}
        self._options = rules.options
        self._fill = make_fill(rule_functions(rules.game), TableAccess(lookup_entry, store_entry), as_it_stands)
        make_room(rules.bounds.plies)

    def __len__(self) -> int:
        return len(self.table)

    def fill(self, position: P, nodes: int) -> int:
        """The score of the position, or STOPPED when the nodes are used up."""
        score: int = self._fill(self._options, position, self.table, [nodes])
        return score


def make_room(plies: int) -> None:
    """Let a search go as deep as the game is long."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 2 * plies + 1000))
