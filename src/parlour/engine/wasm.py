"""Instances of compiled engines, and those in WebAssembly, which wasmtime runs."""

from __future__ import annotations

import atexit
import ctypes
import logging
import mmap
import struct
from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from typing import Any

from parlour.engine import artefacts
from parlour.engine.artefacts import NoEngine
from parlour.errors import TooBig
from parlour.game import Game

log = logging.getLogger(__name__)

RESERVED = 1 << 32  # bytes of address space that wasmtime reserves for a memory
STACK = 3 << 19  # bytes of the stack, enough for DEEPEST plies; wasmtime aborts above 2 MB


class Instance(ABC):
    """The compiled engine of a game with its own memory. Only one thread may use it; calls release the GIL."""

    base = 0  # machine address of the engine's address 0
    block: int  # address of the block with the arguments and results of exported functions

    @abstractmethod
    def run(self, name: str) -> bool:
        """Run an exported function; return False if it trapped."""

    def call(self, name: str, *arguments: float, results: str = "q") -> Any:
        """Call an exported function; ``results`` are the formats of its results.

        Raises:
            TooBig: it trapped.
        """
        formats = "".join("d" if isinstance(each, float) else "q" for each in arguments)
        self.write(self.block, struct.pack(f"={formats}", *arguments))
        if not self.run(name):
            raise TooBig("no exact answer within 64 bits and the depth of the engine; choose smaller options")
        found = struct.unpack(f"={results}", self.read(self.block, 8 * len(results)))
        return found[0] if len(found) == 1 else found

    def allocate(self, size: int) -> int:
        """Return the address of this many bytes, all 0.

        Raises:
            TooBig: the memory cannot grow.
        """
        address: int = self.call("allocate", size)
        if not address:
            raise TooBig("no exact answer within the memory that there is; ask later in the game")
        return address

    def read(self, address: int, size: int) -> bytes:
        """Return a part of the memory."""
        return ctypes.string_at(self.base + address, size)

    def write(self, address: int, data: bytes) -> None:
        """Write to the memory."""
        ctypes.memmove(self.base + address, data, len(data))


class Numbers:
    """An array in the memory of an instance."""

    def __init__(self, instance: Instance, typecode: str, values: Iterable[float], room: int = 0) -> None:
        """``typecode`` is that of an ``array``: q, d or Q. ``room`` is the minimum length."""
        given = array(typecode, values)
        self._instance, self._typecode, self._length = instance, typecode, max(len(given), room)
        self.address = instance.allocate(8 * self._length)
        instance.write(self.address, given.tobytes())

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, place: int) -> Any:
        if not 0 <= place < self._length:
            raise IndexError(place)
        return struct.unpack(f"={self._typecode}", self._instance.read(self.address + 8 * place, 8))[0]

    def __setitem__(self, place: int, value: float) -> None:
        self._instance.write(self.address + 8 * place, struct.pack(f"={self._typecode}", value))

    def all(self) -> array[Any]:
        """Return a copy as an array."""
        return array(self._typecode, self._instance.read(self.address, 8 * self._length))

    def grown(self) -> Numbers:
        """Return a copy of twice the length."""
        longer = Numbers(self._instance, self._typecode, (), 2 * self._length)
        self._instance.write(longer.address, self._instance.read(self.address, 8 * self._length))
        return longer


@cache
def _wasmtime() -> Any:
    """Return the wasmtime package and an engine; NoEngine if it cannot start for any reason."""
    try:
        import wasmtime

        config = wasmtime.Config()
        config.max_wasm_stack = STACK
        config.parallel_compilation = False  # it would deadlock after a fork, which leaves its threads behind
        found = wasmtime, wasmtime.Engine(config)
    except Exception as error:  # on unusual platforms the wheel has no library, and raises RuntimeError or OSError
        return _without(NoEngine(f"wasmtime cannot start ({type(error).__name__}: {error})"))
    atexit.register(leave_to_the_system, wasmtime.Store)
    return found


def _without(error: NoEngine) -> NoEngine:
    """Log why searches run in pure Python. Results are cached, so each reason is logged once."""
    line = " ".join(str(error).split())
    level = logging.INFO if error.is_normal else logging.WARNING
    log.log(level, "parlour: searches run in pure Python, which takes longer: %s", line)
    return NoEngine(line)


def leave_to_the_system(store: type) -> None:
    """Disable the destructor of stores, because at exit wasmtime is unloaded first and threads may still search."""
    managed: Any = next(each for each in store.__mro__ if "__del__" in vars(each))
    managed.__del__ = lambda self: None


@cache
def _module(game: Game[Any, Any]) -> Any:
    """Return the compiled module of a game, or NoEngine."""
    found = _wasmtime()
    if isinstance(found, NoEngine):
        return found
    wasmtime, engine = found
    try:
        return wasmtime.Module(engine, artefacts.load(game))
    except Exception as error:  # wasmtime raises more than its own errors
        return _without(error if isinstance(error, NoEngine) else NoEngine(f"{game.title}: {error}"))


def has_engine(game: Game[Any, Any]) -> bool:
    """Return whether the game can run in WebAssembly here."""
    return not isinstance(_module(game), NoEngine)


class WasmInstance(Instance):
    """The WebAssembly module of a game with its own memory."""

    def __init__(self, game: Game[Any, Any]) -> None:
        """Raises NoEngine if the game cannot run in WebAssembly here."""
        module = _module(game)
        if isinstance(module, NoEngine):
            raise module
        wasmtime, engine = _wasmtime()
        self._trap = wasmtime.Trap
        self._store = wasmtime.Store(engine)
        self._exports = wasmtime.Instance(self._store, module, []).exports(self._store)
        self._memory = self._exports["memory"]
        self._functions: dict[str, Callable[..., None]] = {}
        self.block = self._exports["block"](self._store)
        self._look()
        with suppress(AttributeError):  # only Linux; large tables are a tenth faster with huge pages
            ctypes.CDLL(None).madvise(ctypes.c_void_p(self.base), ctypes.c_size_t(RESERVED), mmap.MADV_HUGEPAGE)

    def _look(self) -> None:
        """Update size and address of the memory, which may move when it grows."""
        self._size = self._memory.data_len(self._store)
        self.base = ctypes.addressof(self._memory.data_ptr(self._store).contents)

    def run(self, name: str) -> bool:
        function = self._functions.get(name)
        if function is None:
            function = self._functions[name] = self._exports[name]
        try:
            function(self._store)
        except self._trap:
            return False
        if self._memory.data_len(self._store) != self._size:
            self._look()
        return True
