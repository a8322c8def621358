"""Kernels of batches in WebAssembly. All threads share one memory, and NumPy's arrays are views of it.

The memory of a game never moves and is never freed, but new arrays reuse the blocks of deleted ones. Each thread has an
instance with its own stack.
"""

from __future__ import annotations

import atexit
import ctypes
import math
import threading
import weakref
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import wasmtime
from wasmtime import _ffi as ffi

from parlour.engine import artefacts
from parlour.engine.native_batches import address, flat
from parlour.engine.wasm import leave_to_the_system
from parlour.errors import TooBig
from parlour.game import Game

PAGE = 1 << 16
FIRST = 1 << 20  # address of the first array, above constants and the first stack
STACK = 1 << 16  # bytes of a thread's stack
MAX_PAGES = 65_535  # 4 GiB
BLOCK = 64  # maximum number of arguments of a kernel


class _SharedMemory(wasmtime.SharedMemory):
    def _as_extern(self) -> Any:  # works around an extra pointer in wasmtime 50
        union = ffi.wasmtime_extern_union(sharedmemory=self.ptr())
        return ffi.wasmtime_extern_t(ffi.WASMTIME_EXTERN_SHAREDMEMORY, union)


@cache
def _engine() -> wasmtime.Engine:
    atexit.register(leave_to_the_system, wasmtime.Store)
    config = wasmtime.Config()
    config.wasm_threads = config.shared_memory = True
    config.parallel_compilation = False  # as in wasm.py
    return wasmtime.Engine(config)


class _Block:
    """A block of the memory with NumPy's array interface."""

    def __init__(self, address: int, shape: Any, dtype: Any) -> None:
        code = np.dtype(dtype).str
        self.__array_interface__ = {"version": 3, "shape": shape, "typestr": code, "data": (address, False)}


class SharedKernels:
    """The kernels of a game, and the memory of their arrays. Several threads can run them at the same time."""

    def __init__(self, game: Game[Any, Any]) -> None:
        """Raises NoEngine if the game cannot be compiled here."""
        self._code = artefacts.load(game, batches=True)
        limits = wasmtime.Limits(FIRST // PAGE, MAX_PAGES)
        self._memory = _SharedMemory(_engine(), wasmtime.MemoryType(limits, shared=True))
        self._base: int = ctypes.addressof(self._memory.data_ptr().contents)
        self._end = FIRST
        self._free: defaultdict[int, list[int]] = defaultdict(list)  # addresses of unused blocks; key: size
        self._lock = threading.Lock()
        self._local = threading.local()
        self._module: Any = None

    def zeros(self, shape: Any, dtype: Any) -> Any:
        """Return an array of zeros in the memory. Raises TooBig if it is full."""
        shape = (shape,) if isinstance(shape, int) else tuple(shape)
        size = math.prod(shape) * np.dtype(dtype).itemsize
        address, size = self._take(size)
        block = _Block(self._base + address, shape, dtype)
        array = np.asarray(block)
        array[...] = 0
        weakref.finalize(block, self._free[size].append, address).atexit = False
        return array

    def _take(self, size: int) -> tuple[int, int]:
        """Return the address and size of a block: an odd number of cache lines, to avoid cache conflicts."""
        lines = size // 64 + 1
        shift = max(0, lines.bit_length() - 4)
        size = 64 * ((lines >> shift) + 1 << shift | 1)
        try:
            return self._free[size].pop(), size
        except IndexError:
            pass
        with self._lock:
            address, self._end = self._end, self._end + size
            missing = -(-self._end // PAGE) - self._memory.data_len() // PAGE
            if missing > 0:
                try:
                    self._memory.grow(missing)
                except wasmtime.WasmtimeError:
                    self._end = address
                    raise TooBig("too many games for the memory that a batch can have; make it smaller") from None
        return address, size

    def holds(self, array: Any) -> bool:
        """Return whether kernels can use an array in place."""
        return 0 <= address(array) - self._base < MAX_PAGES * PAGE

    def bind(self, name: str, arguments: tuple[Any, ...], records: dict[int, Any]) -> Callable[[int, int], int]:
        """Return a kernel with all arguments but the share. ``records`` caches tuples of arrays between calls."""
        given = flat(arguments, self._address, records)
        return lambda begin, end: self._call(name, given, begin, end)

    def _address(self, argument: Any) -> int:
        if not isinstance(argument, np.ndarray):
            return int(argument)
        place = address(argument) - self._base
        assert 0 <= place < MAX_PAGES * PAGE
        return place

    def _call(self, name: str, given: Any, begin: int, end: int) -> int:
        local = self._local
        if not hasattr(local, "block"):
            local.store, local.exports = self._start()
            local.block = self.zeros(BLOCK, np.int64)
            local.address = self._address(local.block)
        local.block[: len(given)] = given
        local.block[len(given) : len(given) + 2] = begin, end
        try:
            local.exports[name](local.store, local.address)
        except wasmtime.Trap:
            raise TooBig("the rules of this game need more than 64 bits; choose smaller options") from None
        return int(local.block[0])

    def _start(self) -> tuple[Any, Any]:
        """Return a store and the exports of an instance for this thread."""
        with self._lock:
            if self._module is None:
                self._module = wasmtime.Module(_engine(), self._code)
        store = wasmtime.Store(_engine())
        exports: Any = wasmtime.Instance(store, self._module, [self._memory]).exports(store)
        self._local.stack = self.zeros(STACK, np.uint8)
        exports["__stack_pointer"].set_value(store, self._address(self._local.stack) + STACK)
        return store, exports


@cache
def shared_kernels(game: Game[Any, Any]) -> SharedKernels:
    """Return the kernels of a game."""
    return SharedKernels(game)
