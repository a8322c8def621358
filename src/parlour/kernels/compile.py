"""Compiles the searches for a game. This file and ``kept``, which keeps what was compiled, alone import numba."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import FunctionType
from typing import Any, Generic

import numpy as np
from numba.core import cgutils, types
from numba.core.registry import cpu_target
from numba.extending import intrinsic, register_jitable

from parlour import game as parlour_game
from parlour.game import Game, P
from parlour.kernels import moves, packing, playouts, search, tree
from parlour.kernels.kept import has_implementation, implements, kept_jit
from parlour.kernels.playouts import make_playouts
from parlour.kernels.search import (
    ENTRY_BITS,
    FLAGS,
    STOPPED,
    TOP,
    RuleFunctions,
    TableAccess,
    make_at_least,
    make_fill,
    rule_functions,
)
from parlour.kernels.tree import TreeBuild, make_simulate
from parlour.options import O
from parlour.rules import Rules

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


def _emit_deposit(builder: Any, bits: Any, mask: Any) -> Any:
    kind = cgutils.ir.FunctionType(mask.type, [bits.type, mask.type])  # type: ignore[attr-defined]  # llvmlite's
    return builder.call(builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", fnty=kind), [bits, mask])


_deposit = _instruction(_emit_deposit)  # the n-th bit to the place of the n-th bit that is set in a mask

SLOW_DEPOSIT = ("bdver4", "znver1", "znver2")  # processors that take hundreds of cycles for it


def _can_deposit() -> bool:
    """Whether the processor that is compiled for has this instruction, and a fast one."""
    machine, processor, features = cpu_target.target_context.codegen().magic_tuple()
    return machine.startswith("x86_64") and "+bmi2" in features.split(",") and processor not in SLOW_DEPOSIT


CAN_DEPOSIT = _can_deposit()


@implements(parlour_game.popcount)
def _overload_popcount(mask: Any) -> Any:
    def popcount(mask: Any) -> Any:
        return _popcount(np.int64(mask), 0)

    return popcount


@implements(moves.lowest_bit)
def _overload_lowest_bit(mask: Any) -> Any:
    def lowest_bit(mask: Any) -> Any:
        return _lowest(np.int64(mask), 0)

    return lowest_bit


@implements(parlour_game.mirrored)
def _overload_mirrored(mask: Any, width: Any) -> Any:
    def mirrored(mask: Any, width: Any) -> Any:
        return _shifted(_reversed(np.int64(mask), 0), np.int64(64 - width))

    return mirrored


@implements(search.sort_range)
def _overload_sort_range(numbers: Any, begin: Any, end: Any) -> Any:
    def sort_range(numbers: Any, begin: Any, end: Any) -> Any:
        for sorted_end in range(begin + 1, end):
            number, place = numbers[sorted_end], sorted_end
            while place > begin and numbers[place - 1] > number:
                numbers[place] = numbers[place - 1]
                place -= 1
            numbers[place] = number

    return sort_range


@implements(playouts.next_state)
def _overload_next_state(state: Any) -> Any:
    def next_state(state: Any) -> Any:
        state ^= state << np.uint64(13)
        state ^= state >> np.uint64(7)
        return state ^ (state << np.uint64(17))

    return next_state


@implements(playouts.draw_below)
def _overload_draw_below(state: Any, bound: Any) -> Any:
    def draw_below(state: Any, bound: Any) -> Any:
        return np.int64(state >> np.uint64(33)) * bound >> 31

    return draw_below


@implements(moves.select_bit)
def _overload_select_bit(mask: Any, place: Any) -> Any:
    def deposit(mask: Any, place: Any) -> Any:
        return _lowest(_deposit(1 << place, mask), 0)

    def halve(mask: Any, place: Any) -> Any:
        found: Any = 0
        # Halve the word again and again: is the bit in the lower half? No branch, whatever the mask.
        for width in (32, 16, 8, 4, 2, 1):
            lower = _popcount(mask & ((1 << width) - 1), 0)
            step = -np.int64(lower <= place)  # all ones if the bit is higher up
            place -= lower & step
            found += width & step
            mask = _shifted(mask, width & step)
        return found

    return deposit if CAN_DEPOSIT else halve


_learned: set[Callable[..., Any]] = set()


def learn(function: Any) -> None:
    """Let Numba compile a plain function, and the functions of ours it calls, wherever compiled code uses them."""
    if function in _learned or has_implementation(function) or not isinstance(function, FunctionType):
        return
    _learned.add(function)
    register_jitable(forceinline=True)(function)  # so that `moves` need not find again what `result` has just found
    for name in function.__code__.co_names:
        used = function.__globals__.get(name)
        if isinstance(used, FunctionType) and (
            used.__module__ == function.__module__ or used.__module__.startswith("parlour.")
        ):
            learn(used)


for _function in (
    moves.first_move,
    moves.next_move,
    moves.nth_move,
    search.finished_score,
    search.from_child,
    search.sign,
    search.child_target,
    tree.best_child,
    tree.move_children,
    tree.count_points,
):
    learn(_function)
learn(parlour_game.count_moves)


def compilable(game: Game[O, P]) -> RuleFunctions:
    """The rules of a game, ready to be used in compiled code."""
    functions = rule_functions(game)
    for function in functions:
        learn(function)
    return functions


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


BUCKET = 4  # slots that are looked at for a key before one of them is given up


@register_jitable
def lookup_bounds(table: Any, position: Any) -> Any:
    keys, bounds, radix, _ = table
    key = pack(position, radix) + 1
    slot = slot_of(key, len(keys) - BUCKET)
    for place in range(slot, slot + BUCKET):
        if keys[place] == key:
            return np.int64(bounds[place, 0]), np.int64(bounds[place, 1])
    return -TOP, TOP


@register_jitable
def store_bounds(table: Any, position: Any, low: Any, high: Any) -> Any:
    """Where a bucket is full somebody has to go: the table forgets, and the search finds it again."""
    keys, bounds, radix, counts = table
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
def lookup_entry(table: Any, position: Any) -> Any:
    entries, radix, _ = table
    key = pack(position, radix) + 1
    mask = len(entries) - 1
    slot = slot_of(key, mask)
    while entries[slot] != 0:
        if entries[slot] >> ENTRY_BITS == key:
            return (entries[slot] & ((1 << ENTRY_BITS) - 1)) - (TOP << FLAGS)
        slot = (slot + 1) & mask
    return STOPPED


@register_jitable
def store_entry(table: Any, position: Any, entry: Any) -> Any:
    entries, radix, counts = table
    key = pack(position, radix) + 1
    mask = len(entries) - 1
    slot = slot_of(key, mask)
    while entries[slot] != 0:
        slot = (slot + 1) & mask
    entries[slot] = key << ENTRY_BITS | (entry + (TOP << FLAGS))
    counts[0] += 1


@kept_jit
def _copy_bounds(keys: Any, bounds: Any, new_keys: Any, new_bounds: Any) -> Any:
    for place in range(len(keys)):
        if keys[place] != 0:
            slot = slot_of(keys[place], len(new_keys) - BUCKET)
            for free in range(slot, slot + BUCKET):
                if new_keys[free] == 0:
                    new_keys[free] = keys[place]
                    new_bounds[free, 0] = bounds[place, 0]
                    new_bounds[free, 1] = bounds[place, 1]
                    break


@kept_jit
def _copy_entries(entries: Any, new_entries: Any) -> Any:
    mask = len(new_entries) - 1
    for entry in entries:
        if entry != 0:
            slot = slot_of(entry >> ENTRY_BITS, mask)
            while new_entries[slot] != 0:
                slot = (slot + 1) & mask
            new_entries[slot] = entry


FIRST_SLOTS = 1 << 18  # of a new table, which grows
SEARCH_SLOT = 12  # bytes
ENTRY_SLOT = 8  # bytes


# One kernel serves a game under all its options.


@cache
def _search_kernel(game: Game[O, P]) -> Any:
    return make_at_least(compilable(game), TableAccess(lookup_bounds, store_bounds), kept_jit)


@cache
def _fill_kernel(game: Game[O, P]) -> Any:
    return make_fill(compilable(game), TableAccess(lookup_entry, store_entry), kept_jit)


class CompiledSearch(Generic[O, P]):
    """Answers by compiled search with a table that grows up to a share of memory, and then forgets."""

    chunk = 1 << 20  # nodes between two looks at the clock
    needed_memory = 0  # it makes do with what it may have

    def __init__(self, rules: Rules[O, P]) -> None:
        bounds = rules.bounds
        assert bounds is not None  # the caller has made sure that positions can be packed
        self._options = rules.options
        self._radix = bounds.position
        self._scratch = np.zeros(bounds.moves * (bounds.plies + 1), np.int64)
        self._counts = np.zeros(1, np.int64)
        self._make(FIRST_SLOTS)
        self._at_least = _search_kernel(rules.game)

    def _make(self, slots: int) -> None:
        self._slots = slots
        self._keys = np.zeros(slots + BUCKET - 1, np.int64)
        self._bounds = np.zeros((slots + BUCKET - 1, 2), np.int16)

    def at_least(self, position: P, target: int, nodes: int, memory: int) -> tuple[int, int]:
        """1, 0, STOPPED or IMPOSSIBLE, and how many nodes it took of those allowed."""
        if self._counts[0] > self._slots // 2 and 3 * self._slots * SEARCH_SLOT <= memory:
            keys, bounds = self._keys, self._bounds
            self._make(2 * self._slots)
            _copy_bounds(keys, bounds, self._keys, self._bounds)
        table = (self._keys, self._bounds, self._radix, self._counts)
        left = np.array([min(nodes, self._slots // 4)])
        allowed = int(left[0])
        answer = self._at_least(self._options, position, target, table, self._scratch, 0, left)
        return int(answer), allowed - int(left[0])


class CompiledFill(Generic[O, P]):
    """Entries of all positions, in a hash table that grows."""

    def __init__(self, rules: Rules[O, P], known: Mapping[P, int] | None = None) -> None:
        """``known``: entries that have been found out already, by position; fewer than half of FIRST_SLOTS."""
        assert rules.bounds is not None
        self._options = rules.options
        self._radix = rules.bounds.position
        self._counts = np.array([len(known or ())])
        self._entries = np.zeros(FIRST_SLOTS, np.int64)
        if known:
            keys = np.array([packing.pack(rules, position) for position in known]) + 1
            entries = np.fromiter(known.values(), np.int64, len(known)) + (TOP << FLAGS)
            _copy_entries(keys << ENTRY_BITS | entries, self._entries)
        self._fill = _fill_kernel(rules.game)

    def __len__(self) -> int:
        return int(self._counts[0])

    @property
    def needed_memory(self) -> int:
        """Bytes that it takes, or will take at the next step."""
        slots = len(self._entries)
        return (3 if len(self) > slots // 2 else 1) * slots * ENTRY_SLOT

    def fill(self, position: P, nodes: int) -> int:
        """The score of the position, or STOPPED when the nodes are used up or the table has to grow first."""
        slots = len(self._entries)
        if len(self) > slots // 2:
            entries, self._entries = self._entries, np.zeros(2 * slots, np.int64)
            _copy_entries(entries, self._entries)
        room = len(self._entries) * 3 // 4 - len(self)
        table = (self._entries, self._radix, self._counts)
        return int(self._fill(self._options, position, table, np.array([min(nodes, room)])))

    def entries(self) -> tuple[Array, Array]:
        """The packed positions in rising order, and their entries."""
        entries = np.sort(self._entries[self._entries != 0])
        return (entries >> ENTRY_BITS) - 1, ((entries & ((1 << ENTRY_BITS) - 1)) - (TOP << FLAGS)).astype(np.int32)


@cache
def playout_kernel(game: Game[O, P]) -> Callable[[O, P, int, int], list[int]]:
    """Random games, compiled; several threads can play at once."""
    kernel = make_playouts(compilable(game), kept_jit(nogil=True))

    def run(options: O, start: P, games: int, state: int) -> list[int]:
        tally = np.zeros(5, np.int64)
        kernel(options, start, games, np.array([state], np.uint64), tally)
        return [int(count) for count in tally]

    return run


@cache
def compiled_tree(game: Game[O, P]) -> TreeBuild:
    """Monte Carlo tree search, compiled; several threads can search at once."""
    return TreeBuild(
        make_simulate(compilable(game), kept_jit(nogil=True)),
        numbers=lambda given: np.array(given, np.int64),
        fractions=lambda given: np.array(given, np.float64),
        state=lambda given: np.array(given, np.uint64),
        grown=lambda array: np.concatenate((array, np.zeros_like(array))),
    )
