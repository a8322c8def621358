"""Searches, tables, random games and trees in compiled code, for WebAssembly and native code."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable, Iterable
from typing import Any, Generic

from parlour.engine import Compiled
from parlour.engine.artefacts import NoEngine
from parlour.engine.search import COUNTS, NOTHING_KNOWN
from parlour.engine.tree import TreeBuild
from parlour.engine.wasm import Instance, Numbers
from parlour.errors import ParlourError, TooBig
from parlour.game import Game, P
from parlour.options import O
from parlour.rules import Rules

FIRST_SLOTS = 1 << 15  # initial size of a hash table
PROBES = 4  # slots examined for a position before another one is evicted
TABLE_HEAD = struct.Struct("=2q")  # slots and count at the beginning of a Table in runtime.c
RADIX = 32  # bytes before the radix of a Table


def has_engine(game: Game[Any, Any], runtime: Compiled = "wasm") -> bool:
    """Return whether the game can run in this runtime here.

    Raises:
        ParlourError: native code is requested, and there is none.
    """
    if runtime == "native":
        new_instance(game, runtime)
        return True
    from parlour.engine import wasm

    return wasm.has_engine(game)


def new_instance(game: Game[Any, Any], runtime: Compiled) -> Instance:
    """Return a new instance of a game's engine."""
    if runtime == "wasm":
        from parlour.engine.wasm import WasmInstance

        return WasmInstance(game)
    from parlour.engine.native import NativeInstance

    try:
        return NativeInstance(game)
    except NoEngine as error:
        raise ParlourError(f"no native code: {error}") from None


class _Session(Generic[O, P]):
    """An instance with a hash table of positions and a budget of nodes."""

    chunk = 1 << 20  # nodes between checks of the clock

    def __init__(self, rules: Rules[O, P], runtime: Compiled, value_bytes: int, probes: int = 0) -> None:
        assert rules.bounds is not None  # the caller checks that positions can be packed
        self.instance = new_instance(rules.game, runtime)
        self._options = tuple(rules.packed)
        self._left = Numbers(self.instance, "q", [0])
        self._slot_bytes = 8 + value_bytes
        self._table = self.instance.call("table_new", FIRST_SLOTS, probes, value_bytes)
        self.instance.write(self._table + RADIX, array("q", rules.bounds.position).tobytes())

    def __len__(self) -> int:
        return self._head()[1]

    @property
    def slots(self) -> int:
        return self._head()[0]

    def _head(self) -> tuple[int, int]:
        slots, count = TABLE_HEAD.unpack(self.instance.read(self._table, TABLE_HEAD.size))
        return slots, count

    @property
    def needed_memory(self) -> int:
        """Bytes in use, or needed by the next step."""
        slots, count = self._head()
        return (3 if count > slots // 2 else 1) * slots * self._slot_bytes

    def _grow(self) -> bool:
        """Double the table; return False if there is not enough memory."""
        return bool(self.instance.call("table_grow", self._table))

    def _make_room(self) -> None:
        """Double a table that is half full."""
        slots, count = self._head()
        if count > slots // 2 and not self._grow():
            raise TooBig("no exact answer within the memory that there is; choose smaller options")

    def _allow(self, nodes: int) -> int:
        """Set the node budget, at most the room in the table, and return it."""
        slots, count = self._head()
        self._left[0] = allowed = min(nodes, slots * 3 // 4 - count)
        return allowed


class CompiledSearch(_Session[O, P]):
    """A search with a transposition table that grows up to the memory limit, and then evicts."""

    kernel = "at_least"

    def __init__(self, rules: Rules[O, P], runtime: Compiled = "wasm", probes: int = PROBES) -> None:
        super().__init__(rules, runtime, value_bytes=4, probes=probes)
        assert rules.bounds is not None
        self._span = rules.bounds.moves * (rules.bounds.plies + 1)
        self._scratch = self.instance.allocate(16 * self._span)

    @property
    def needed_memory(self) -> int:
        """Always 0: the table stays within its limit."""
        return 0

    def at_least(self, position: P, target: int, nodes: int, memory: int) -> tuple[int, int]:
        """Return 1, 0, STOPPED or IMPOSSIBLE, and the number of searched nodes."""
        slots, count = self._head()
        if count > slots // 2 and 3 * slots * self._slot_bytes <= memory:
            self._grow()
        return self._ask(position, target, min(nodes, self.slots // 2))

    def _ask(self, position: P, target: int, nodes: int) -> tuple[int, int]:
        self._left[0] = nodes
        left = self._left.address
        state = target, self._table, self._scratch, self._span, 0, left
        answer = self.instance.call(self.kernel, *self._options, *position, *state)
        return answer, nodes - self._left[0]


class ExactSearch(CompiledSearch[O, P]):
    """A search with exactly the nodes of ``PlainSearch``, for reproducible results."""

    kernel = "at_least_exactly"
    chunk = 4_000  # as in PlainSearch, because a resumed search visits nodes again

    def __init__(self, rules: Rules[O, P], runtime: Compiled = "wasm") -> None:
        super().__init__(rules, runtime, probes=0)
        assert rules.bounds is not None
        self.chunk = max(self.chunk, 4 * rules.bounds.plies)  # as in PlainSearch

    @property
    def needed_memory(self) -> int:
        """Bytes in use, or needed by the next step."""
        return _Session.needed_memory.fget(self)  # type: ignore[attr-defined, no-any-return]

    def at_least(self, position: P, target: int, nodes: int, memory: int) -> tuple[int, int]:
        while len(self) + nodes > self.slots * 3 // 4:
            if not self._grow():
                raise TooBig("no exact answer within the memory that there is; ask later in the game")
        return self._ask(position, target, nodes)


class CompiledFill(_Session[O, P]):
    """A table of all positions."""

    def __init__(self, rules: Rules[O, P], runtime: Compiled = "wasm") -> None:
        super().__init__(rules, runtime, value_bytes=4)

    def fill(self, position: P, nodes: int) -> int:
        """Return the score of the position, or STOPPED if the nodes are used up or the table has to grow first."""
        self._make_room()
        self._allow(nodes)
        score: int = self.instance.call("fill", *self._options, *position, self._table, self._left.address)
        return score

    def entries(self) -> tuple[array[int], array[int]]:
        """Return the packed positions in ascending order, and their entries. This invalidates the table."""
        count = len(self)
        done, keys, values = self.instance.call("table_sort", self._table, results="qqq")
        if not done:
            raise TooBig("no exact answer within the memory that there is; choose smaller options")
        return array("q", self.instance.read(keys, 8 * count)), array("i", self.instance.read(values, 4 * count))


class CompiledChildren(_Session[O, P]):
    """The children of a table's positions, in the format of ``make_children``."""

    room = 1 << 22  # children between checks of the clock

    def __init__(self, rules: Rules[O, P], keys: array[int], runtime: Compiled = "wasm") -> None:
        super().__init__(rules, runtime, value_bytes=4)
        self._count = len(keys)
        self._keys = Numbers(self.instance, "q", keys)
        self._first = Numbers(self.instance, "q", (), self._count + 1)
        self._out = Numbers(self.instance, "q", (), self.room)

    def children(self, place: int) -> tuple[int, array[int], array[int]]:
        """Return the first place without room, the index of each position's first child, and the children."""
        arrays = self._keys.address, self._count, place, self._first.address, self._out.address, self.room
        done: int = self.instance.call("children", *self._options, self._table, *arrays)
        first = array("q", self.instance.read(self._first.address + 8 * place, 8 * (done - place + 1)))
        return done, first, array("q", self.instance.read(self._out.address, 8 * first[-1]))


class CompiledExpectation(_Session[O, P]):
    """A table of expectations."""

    def __init__(self, rules: Rules[O, P], runtime: Compiled = "wasm") -> None:
        super().__init__(rules, runtime, value_bytes=8 * len(NOTHING_KNOWN))
        self._counts = Numbers(self.instance, "q", [0] * COUNTS)

    @property
    def counts(self) -> list[int]:
        """The counts of ``search``, such as DECISIONS."""
        return list(self._counts.all())

    def expected(self, position: P, error: float, nodes: int) -> tuple[tuple[float, ...], int]:
        """Return the result of ``make_expected``, or NOTHING_KNOWN if the table has to grow first, and the nodes."""
        self._make_room()
        allowed = self._allow(nodes)
        state = error, self._table, self._left.address, self._counts.address
        formats = "d" * len(NOTHING_KNOWN)
        found = self.instance.call("expected", *self._options, *position, *state, results=formats)
        return found, allowed - self._left[0]


def playout_kernel(game: Game[O, P], runtime: Compiled = "wasm") -> Callable[[O, P, Iterable[int], int], list[int]]:
    """Return a thread-safe function that plays random games, with one call of the engine for each slice."""

    def run(options: O, start: P, slices: Iterable[int], state: int) -> list[int]:
        instance = new_instance(game, runtime)
        states, tally = Numbers(instance, "Q", [state]), Numbers(instance, "q", [0] * 5)
        for games in slices:
            instance.call("playouts", *options, *start, games, states.address, tally.address)
        return list(tally.all())

    return run


def compiled_tree(game: Game[O, P], runtime: Compiled = "wasm") -> TreeBuild:
    """Return the functions for a tree search in compiled code; each tree needs a new one."""
    instance = new_instance(game, runtime)

    def simulate(options: O, root: P, simulations: int, nodes: int, *rest: Any) -> tuple[int, int]:
        arrays = [each.address if isinstance(each, Numbers) else each for each in rest]
        done, passed = instance.call("simulate", *options, *root, simulations, nodes, *arrays, results="qq")
        return done, passed

    return TreeBuild(
        simulate,
        numbers=lambda values: Numbers(instance, "q", values),
        fractions=lambda values: Numbers(instance, "d", values),
        state=lambda values: Numbers(instance, "Q", values),
        grown=lambda numbers: numbers.grown(),
    )
