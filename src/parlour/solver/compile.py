"""Compiles the searches for a game. The only file that imports numba.

Nothing compiled is kept on disk: compiling takes a second or two, searching that is worth it takes longer, and a cached
kernel would not notice when a rule in another file changes. What is kept is answers, see ``tables``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any

import numba
import numpy as np
from numba.core import cgutils, types
from numba.extending import intrinsic, overload, register_jitable

from parlour import game as parlour_game
from parlour.errors import TooBig
from parlour.game import AnyGame
from parlour.solver import kernels
from parlour.solver.kernels import FLAGS, MARK_BITS, STOPPED, TOP, Rules, Table, make_at_least, make_fill, make_playouts
from parlour.solver.plain import rules_of

Array = np.ndarray[Any, np.dtype[Any]]


# The few primitives whose plain bodies Numba does not know: one instruction each.


def _instruction(emit: Callable[..., Any]) -> Any:
    """A function of int64 values that is one instruction of the machine."""

    @intrinsic
    def call(typing_context: Any, first: Any, second: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return emit(builder, *arguments)

        return types.int64(types.int64, types.int64), generate

    return call


_popcount = _instruction(lambda builder, word, _: builder.ctpop(word))
_lowest = _instruction(lambda builder, word, _: builder.cttz(word, cgutils.true_bit))
_reversed = _instruction(lambda builder, word, _: builder.bitreverse(word))
_shifted = _instruction(
    lambda builder, word, distance: builder.lshr(word, distance)
)  # brings in zeros, whatever the sign


@overload(parlour_game.popcount)
def _overload_popcount(mask: Any) -> Any:
    def popcount(mask: Any) -> Any:
        return _popcount(np.int64(mask), 0)

    return popcount


@overload(kernels.lowest)
def _overload_lowest(mask: Any) -> Any:
    def lowest(mask: Any) -> Any:
        return _lowest(np.int64(mask), 0)

    return lowest


@overload(parlour_game.mirrored)
def _overload_mirrored(mask: Any, width: Any) -> Any:
    def mirrored(mask: Any, width: Any) -> Any:
        return _shifted(_reversed(np.int64(mask), 0), np.int64(64 - width))

    return mirrored


@overload(kernels.arrange)
def _overload_arrange(numbers: Any, begin: Any, end: Any) -> Any:
    def arrange(numbers: Any, begin: Any, end: Any) -> Any:
        for sorted_end in range(begin + 1, end):
            number, place = numbers[sorted_end], sorted_end
            while place > begin and numbers[place - 1] > number:
                numbers[place] = numbers[place - 1]
                place -= 1
            numbers[place] = number

    return arrange


@overload(kernels.shuffled)
def _overload_shuffled(state: Any) -> Any:
    def shuffled(state: Any) -> Any:
        state ^= state << np.uint64(13)
        state ^= state >> np.uint64(7)
        return state ^ (state << np.uint64(17))

    return shuffled


@overload(kernels.below)
def _overload_below(state: Any, limit: Any) -> Any:
    def below(state: Any, limit: Any) -> Any:
        return np.int64(state >> np.uint64(33)) * limit >> 31

    return below


@overload(kernels.select)
def _overload_select(mask: Any, place: Any) -> Any:
    def select(mask: Any, place: Any) -> Any:
        found: Any = 0
        # Halve the word again and again: is the bit in the lower half? No branch, whatever the mask.
        for width in (32, 16, 8, 4, 2, 1):
            lower = _popcount(mask & ((1 << width) - 1), 0)
            step = -np.int64(lower <= place)  # all ones if the bit is higher up
            place -= lower & step
            found += width & step
            mask = _shifted(mask, width & step)
        return found

    return select


_OVERLOADED = {
    parlour_game.popcount,
    parlour_game.mirrored,
    kernels.lowest,
    kernels.arrange,
    kernels.shuffled,
    kernels.below,
    kernels.select,
}
_known: set[Callable[..., Any]] = set()


def learn(function: Any) -> None:
    """Let Numba compile a plain function, and the functions of ours it calls, wherever compiled code uses them."""
    if function in _known or function in _OVERLOADED or not isinstance(function, FunctionType):
        return
    _known.add(function)
    register_jitable(function)
    for name in function.__code__.co_names:
        used = function.__globals__.get(name)
        if isinstance(used, FunctionType) and used.__module__.startswith("parlour."):
            learn(used)


for _function in (
    kernels.first,
    kernels.after,
    kernels.nth,
    kernels.finished,
    kernels.back,
    kernels.sign,
    kernels.reply,
):
    learn(_function)
learn(parlour_game.count)


def compiled(game: AnyGame) -> Rules:
    """The rules of a game, ready to be used in compiled code."""
    rules = rules_of(game)
    for rule in rules:
        learn(rule)
    return rules


# Tables: positions packed into one int64 in mixed radix, hashed, with open addressing.


@register_jitable
def pack(position: Any, radix: Any) -> Any:
    key = 0
    for place in range(len(radix)):
        key = key * radix[place] + position[place]
    return key


@register_jitable
def slot_of(key: Any, mask: Any) -> Any:
    mixed = key * -7046029254386353131  # 2**64 / golden ratio, odd
    return (mixed ^ (mixed >> 29)) & mask


BUCKET = 4


@register_jitable
def look_bounds(known: Any, position: Any) -> Any:
    keys, bounds, radix, _ = known
    key = pack(position, radix) + 1
    slot = slot_of(key, len(keys) - BUCKET)
    for place in range(slot, slot + BUCKET):
        if keys[place] == key:
            return np.int64(bounds[place, 0]), np.int64(bounds[place, 1])
    return -TOP, TOP


@register_jitable
def keep_bounds(known: Any, position: Any, low: Any, high: Any) -> Any:
    """Where a bucket is full somebody has to go: the table forgets, and the search finds it again."""
    keys, bounds, radix, counts = known
    key = pack(position, radix) + 1
    slot = slot_of(key, len(keys) - BUCKET)
    place = slot
    while place < slot + BUCKET and keys[place] not in (0, key):
        place += 1
    if place == slot + BUCKET:
        place = slot + (key >> 3 ^ counts[0]) % BUCKET
    elif keys[place] == 0:
        counts[0] += 1
    keys[place] = key
    bounds[place, 0] = low
    bounds[place, 1] = high


@register_jitable
def look_mark(known: Any, position: Any) -> Any:
    entries, radix, _ = known
    key = pack(position, radix) + 1
    mask = len(entries) - 1
    slot = slot_of(key, mask)
    while entries[slot] != 0:
        if entries[slot] >> MARK_BITS == key:
            return (entries[slot] & ((1 << MARK_BITS) - 1)) - (TOP << FLAGS)
        slot = (slot + 1) & mask
    return STOPPED


@register_jitable
def keep_mark(known: Any, position: Any, mark: Any) -> Any:
    entries, radix, counts = known
    key = pack(position, radix) + 1
    mask = len(entries) - 1
    slot = slot_of(key, mask)
    while entries[slot] != 0:
        slot = (slot + 1) & mask
    entries[slot] = key << MARK_BITS | (mark + (TOP << FLAGS))
    counts[0] += 1


@numba.njit
def _copy_bounds(keys: Any, bounds: Any, new_keys: Any, new_bounds: Any) -> Any:
    for place in range(len(keys)):
        if keys[place] != 0:
            slot = slot_of(keys[place], len(new_keys) - BUCKET)
            for free in range(slot, slot + BUCKET):
                if new_keys[free] == 0:
                    new_keys[free] = keys[place]
                    new_bounds[free] = bounds[place]
                    break


@numba.njit
def _copy_marks(entries: Any, new_entries: Any) -> Any:
    mask = len(new_entries) - 1
    for entry in entries:
        if entry != 0:
            slot = slot_of(entry >> MARK_BITS, mask)
            while new_entries[slot] != 0:
                slot = (slot + 1) & mask
            new_entries[slot] = entry


SMALLEST = 1 << 18  # slots of a new table
SEARCH_SLOT = 12  # bytes
MARK_SLOT = 8  # bytes


# One kernel serves a game under all its options.


@cache
def _search_kernel(game: AnyGame) -> Any:
    return make_at_least(compiled(game), Table(look_bounds, keep_bounds), numba.njit)


@cache
def _fill_kernel(game: AnyGame) -> Any:
    return make_fill(compiled(game), Table(look_mark, keep_mark), numba.njit)


class CompiledSearch:
    """Answers by compiled search with a table that grows up to a share of memory, and then forgets."""

    def __init__(self, game: AnyGame, options: Any, memory: int) -> None:
        bounds = game.bounds(options)
        assert bounds is not None
        self._options = options
        self._memory = memory
        self._radix = bounds.position
        self._notes = np.zeros(bounds.moves * (bounds.plies + 1), np.int64)
        self._counts = np.zeros(1, np.int64)
        self._make(SMALLEST)
        self._at_least = _search_kernel(game)

    def _make(self, slots: int) -> None:
        self._slots = slots
        self._keys = np.zeros(slots + BUCKET - 1, np.int64)
        self._bounds = np.zeros((slots + BUCKET - 1, 2), np.int16)

    def at_least(self, position: Any, target: int, nodes: int) -> tuple[int, int]:
        """1, 0 or STOPPED, and how many nodes it took of those allowed."""
        if self._counts[0] > self._slots // 2 and 3 * self._slots * SEARCH_SLOT <= self._memory:
            keys, bounds = self._keys, self._bounds
            self._make(2 * self._slots)
            _copy_bounds(keys, bounds, self._keys, self._bounds)
        known = (self._keys, self._bounds, self._radix, self._counts)
        work = np.array([min(nodes, self._slots // 4)])
        allowed = int(work[0])
        answer = self._at_least(self._options, position, target, known, self._notes, 0, work)
        return int(answer), allowed - int(work[0])


class CompiledFill:
    """Marks of all positions, in a hash table that grows."""

    def __init__(self, game: AnyGame, options: Any, memory: int) -> None:
        bounds = game.bounds(options)
        assert bounds is not None
        self._options = options
        self._memory = memory
        self._radix = bounds.position
        self._counts = np.zeros(1, np.int64)
        self._entries = np.zeros(SMALLEST, np.int64)
        self._fill = _fill_kernel(game)

    def __len__(self) -> int:
        return int(self._counts[0])

    def fill(self, position: Any, nodes: int) -> int:
        """The score of the position, or STOPPED when the nodes are used up."""
        slots = len(self._entries)
        if len(self) > slots // 2:
            if 3 * slots * MARK_SLOT > self._memory:
                raise TooBig(f"more than {len(self):,} positions; {self._memory >> 20} MB of memory are allowed")
            entries, self._entries = self._entries, np.zeros(2 * slots, np.int64)
            _copy_marks(entries, self._entries)
        room = len(self._entries) * 3 // 4 - len(self)
        known = (self._entries, self._radix, self._counts)
        return int(self._fill(self._options, position, known, np.array([min(nodes, room)])))

    def marks(self) -> tuple[Array, Array]:
        """The packed positions in rising order, and their marks."""
        entries = np.sort(self._entries[self._entries != 0])
        return (entries >> MARK_BITS) - 1, ((entries & ((1 << MARK_BITS) - 1)) - (TOP << FLAGS)).astype(np.int32)


def playout_kernel(game: AnyGame) -> Callable[[Any, Any, int, int], list[int]]:
    """Random games, compiled; several threads can play at once."""
    kernel = make_playouts(compiled(game), numba.njit(nogil=True))

    def run(options: Any, start: Any, games: int, state: int) -> list[int]:
        tally = np.zeros(5, np.int64)
        kernel(options, start, games, np.array([state], np.uint64), tally)
        return [int(count) for count in tally]

    return run
