"""Compiles what ``contest`` finds out, with a table that grows."""

from __future__ import annotations

from functools import cache
from typing import Any, Generic

import numpy as np
from numba.extending import register_jitable

from parlour.game import Game, P
from parlour.kernels.compile import compilable, pack, slot_of
from parlour.kernels.contest import COUNTS, NOTHING_KNOWN, make_expected
from parlour.kernels.kept import kept_jit
from parlour.kernels.search import TableAccess
from parlour.options import O
from parlour.rules import Rules

FIRST_SLOTS = 1 << 16
NUMBERS = len(NOTHING_KNOWN)
SLOT_BYTES = 8 * (NUMBERS + 1)


@register_jitable
def lookup_expected(table: Any, position: Any) -> Any:
    keys, numbers, radix, _ = table
    key = pack(position, radix) + 1
    mask = len(keys) - 1
    slot = slot_of(key, mask)
    while keys[slot] != 0:
        if keys[slot] == key:
            return numbers[slot, 0], numbers[slot, 1], numbers[slot, 2], numbers[slot, 3], numbers[slot, 4]
        slot = (slot + 1) & mask
    return NOTHING_KNOWN


@register_jitable
def store_expected(table: Any, position: Any, found: Any) -> Any:
    keys, numbers, radix, used = table
    key = pack(position, radix) + 1
    mask = len(keys) - 1
    slot = slot_of(key, mask)
    while keys[slot] != 0:
        slot = (slot + 1) & mask
    keys[slot] = key
    for place in range(NUMBERS):
        numbers[slot, place] = found[place]
    used[0] += 1


@kept_jit
def _copy(keys: Any, numbers: Any, new_keys: Any, new_numbers: Any) -> Any:
    mask = len(new_keys) - 1
    for place in range(len(keys)):
        if keys[place] != 0:
            slot = slot_of(keys[place], mask)
            while new_keys[slot] != 0:
                slot = (slot + 1) & mask
            new_keys[slot] = keys[place]
            for number in range(NUMBERS):
                new_numbers[slot, number] = numbers[place, number]


@cache
def _kernel(game: Game[O, P]) -> Any:
    return make_expected(compilable(game), TableAccess(lookup_expected, store_expected), kept_jit)


class CompiledExpectation(Generic[O, P]):
    """What to expect from every position on, in a hash table that grows."""

    chunk = 1 << 20  # nodes between two looks at the clock

    def __init__(self, rules: Rules[O, P]) -> None:
        assert rules.bounds is not None  # the caller has made sure that positions can be packed
        self._options = rules.options
        self._radix = rules.bounds.position
        self._used = np.zeros(1, np.int64)
        self.counts = np.zeros(COUNTS, np.int64)  # as ``contest`` has them
        self._make(FIRST_SLOTS)
        self._expected = _kernel(rules.game)

    def _make(self, slots: int) -> None:
        self._keys = np.zeros(slots, np.int64)
        self._numbers = np.zeros((slots, NUMBERS))

    def __len__(self) -> int:
        return int(self._used[0])

    @property
    def needed_memory(self) -> int:
        """Bytes that it takes, or will take at the next step."""
        slots = len(self._keys)
        return (3 if len(self) > slots // 2 else 1) * slots * SLOT_BYTES

    def expected(self, position: P, error: float, nodes: int) -> tuple[tuple[float, ...], int]:
        """As ``make_expected`` has it, NOTHING_KNOWN also when the table has to grow first; and the nodes it took."""
        slots = len(self._keys)
        if len(self) > slots // 2:
            keys, numbers = self._keys, self._numbers
            self._make(2 * slots)
            _copy(keys, numbers, self._keys, self._numbers)
        room = len(self._keys) * 3 // 4 - len(self)
        table = (self._keys, self._numbers, self._radix, self._used)
        left = np.array([min(nodes, room)])
        allowed = int(left[0])
        found = self._expected(self._options, position, error, table, left, self.counts)
        return tuple(float(number) for number in found), allowed - int(left[0])
