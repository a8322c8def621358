"""Searches in pure Python over dictionaries. For small work they are faster than loading compiled code."""

from __future__ import annotations

import sys
from array import array
from typing import Generic, TypeVar

from parlour.engine.search import COUNTS, make_at_least, make_expected, make_fill, pack, rule_functions
from parlour.game import P, as_it_is
from parlour.options import O
from parlour.rules import Rules

PLAIN_POSITIONS = 1_500  # positions before WebAssembly is loaded, and between checks of the clock
POSITION_BYTES = 400  # estimated memory of a position in a dictionary
V = TypeVar("V")  # the results for a position


class _Dictionary(Generic[V, P]):
    """A position table in pure Python."""

    def __init__(self) -> None:
        self.table: dict[P, V] = {}

    def __len__(self) -> int:
        return len(self.table)

    @property
    def needed_memory(self) -> int:
        """Estimated memory in bytes."""
        return len(self.table) * POSITION_BYTES


class PlainSearch(_Dictionary[tuple[int, int], P], Generic[O, P]):
    """A search with a dictionary as its transposition table."""

    chunk = 4_000  # nodes between checks of the clock: about a twentieth of a second

    def __init__(self, rules: Rules[O, P]) -> None:
        bounds = rules.bounds
        assert bounds is not None  # the caller checks that the game ends
        self.chunk = max(self.chunk, 4 * bounds.plies)  # enough to reach the end of a long game
        super().__init__()
        self._options = rules.packed
        self._span = bounds.moves * (bounds.plies + 1)
        self._scratch = [0] * (2 * self._span)
        # In Python canonical forms cost more than they save.
        functions = rule_functions(rules.game)._replace(canonical=as_it_is)
        self._at_least = make_at_least(functions)
        make_room(bounds.plies)

    def at_least(self, position: P, target: int, nodes: int, memory: int) -> tuple[int, int]:
        """Return 1, 0, STOPPED or IMPOSSIBLE, and the number of searched nodes."""
        left = [nodes]
        answer = self._at_least(self._options, position, target, self.table, self._scratch, self._span, 0, left)
        return answer, nodes - left[0]


class PlainFill(_Dictionary[int, P], Generic[O, P]):
    """A table of all positions in a dictionary."""

    chunk = PLAIN_POSITIONS

    def __init__(self, rules: Rules[O, P], *, merged: bool = True) -> None:
        """``merged``: whether positions with the same canonical form share an entry."""
        assert rules.bounds is not None
        self.chunk = max(self.chunk, rules.bounds.plies + 1)  # enough to reach the end of the longest game
        super().__init__()
        self._rules = rules
        functions = rule_functions(rules.game)
        functions = functions if merged else functions._replace(canonical=as_it_is)
        self._fill = make_fill(functions)
        make_room(rules.bounds.plies)

    def fill(self, position: P, nodes: int) -> int:
        """Return the score of the position, or STOPPED if the nodes are used up."""
        score: int = self._fill(self._rules.packed, position, self.table, [nodes])
        return score

    def entries(self) -> tuple[array[int], array[int]]:
        """Return the packed positions in ascending order, and their entries."""
        packed = sorted((pack(self._rules, position), entry) for position, entry in self.table.items())
        return array("q", [key for key, _ in packed]), array("i", [entry for _, entry in packed])


class PlainExpectation(_Dictionary[tuple[float, ...], P], Generic[O, P]):
    """A table of expectations in a dictionary."""

    chunk = PLAIN_POSITIONS

    def __init__(self, rules: Rules[O, P]) -> None:
        assert rules.bounds is not None
        self.chunk = max(self.chunk, rules.bounds.plies + 1)  # as in PlainFill
        self.counts = [0] * COUNTS  # as in search.py
        super().__init__()
        self._options = rules.packed
        self._expected = make_expected(rule_functions(rules.game))
        make_room(rules.bounds.plies)

    def expected(self, position: P, error: float, nodes: int) -> tuple[tuple[float, ...], int]:
        """Return the result of ``make_expected``, or NOTHING_KNOWN if the nodes are used up, and the used nodes."""
        left = [nodes]
        found = self._expected(self._options, position, error, self.table, left, self.counts)
        return found, nodes - left[0]


def make_room(plies: int) -> None:
    """Raise Python's recursion limit to the length of the game."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 2 * plies + 1000))
