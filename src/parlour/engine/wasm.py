"""Engines in WebAssembly, run by wasmtime."""

from __future__ import annotations

import atexit
import ctypes
import logging
import mmap
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

from parlour.engine import artefacts
from parlour.engine.artefacts import NoEngine
from parlour.engine.instances import Instance
from parlour.game import Game

log = logging.getLogger(__name__)

RESERVED = 1 << 32  # bytes of address space that wasmtime reserves for a memory
STACK = 3 << 19  # bytes for calls, enough for DEEPEST plies; wasmtime aborts at more than 2 MB


@cache
def _wasmtime() -> Any:
    """Return the wasmtime package and an engine; NoEngine where it cannot start, for whatever reason."""
    try:
        import wasmtime

        config = wasmtime.Config()
        config.max_wasm_stack = STACK
        config.parallel_compilation = False  # its threads would be missing after a fork, and it would wait for them
        found = wasmtime, wasmtime.Engine(config)
    except Exception as error:  # on unusual platforms the wheel has no library and raises RuntimeError or OSError
        return _without(NoEngine(f"wasmtime cannot start ({type(error).__name__}: {error})"))
    atexit.register(leave_to_the_system, wasmtime.Store)
    return found


def _without(error: NoEngine) -> NoEngine:
    """Log why pure Python has to do; each reason is logged once, because results are cached."""
    line = " ".join(str(error).split())
    level = logging.INFO if error.is_normal else logging.WARNING
    log.log(level, "parlour: searches run in pure Python, which takes longer: %s", line)
    return NoEngine(line)


def leave_to_the_system(store: type) -> None:
    """Free nothing at exit: another thread may still search, and wasmtime's functions are gone before its objects."""
    managed: Any = next(each for each in store.__mro__ if "__del__" in vars(each))
    managed.__del__ = lambda self: None


@cache
def _module(game: Game[Any, Any]) -> Any:
    """Return the compiled module of a game; NoEngine where there is none."""
    found = _wasmtime()
    if isinstance(found, NoEngine):
        return found
    wasmtime, engine = found
    try:
        return wasmtime.Module(engine, artefacts.load(game))
    except Exception as error:  # wasmtime raises more than its own errors
        return _without(error if isinstance(error, NoEngine) else NoEngine(f"{game.title}: {error}"))


def has_engine(game: Game[Any, Any]) -> bool:
    """Whether the game can run in WebAssembly here."""
    return not isinstance(_module(game), NoEngine)


class WasmInstance(Instance):
    """The module of a game with a memory of its own."""

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
        with suppress(AttributeError):  # Linux has it; a large table takes a tenth less time
            ctypes.CDLL(None).madvise(ctypes.c_void_p(self.base), ctypes.c_size_t(RESERVED), mmap.MADV_HUGEPAGE)

    def _look(self) -> None:
        """Find the memory again: it may have grown, and then it may lie elsewhere."""
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
