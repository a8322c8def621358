"""The kernels of a batch, the memory of their arrays, and the choice of their runtime."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Protocol, get_type_hints

from parlour.batch.arrays import check_output
from parlour.engine import Runtime
from parlour.engine.artefacts import NoEngine
from parlour.engine.lockstep import Lockstep, make_lockstep, plain_rows
from parlour.engine.search import rule_functions
from parlour.errors import ParlourError
from parlour.game import Game

try:
    import numpy as np
except ImportError:  # then a batch raises MissingExtra before it uses any kernel
    np = None  # type: ignore[assignment]

log = logging.getLogger(__name__)

PYTHON_STEPS = 1000  # game steps in pure Python before WebAssembly is started: about 20 ms
WASM_STEPS = 10_000_000  # game steps before native code is built, which takes some seconds once
MIN_SHARE = 4096  # minimum number of games for a thread
MAX_SHARED = 1 << 22  # largest batch in WebAssembly, which has a memory of 4 GiB for all batches of a game


class Kernels(Protocol):
    """The kernels of a game in one runtime."""

    def holds(self, array: Any) -> bool: ...

    def bind(self, name: str, arguments: tuple[Any, ...], records: dict[int, Any]) -> Callable[[int, int], int]: ...


class Memory(Kernels, Protocol):
    """Kernels with a memory in which they can use every array."""

    def zeros(self, shape: Any, dtype: Any) -> Any: ...


class KernelRunner:
    """The runtime, the threads and the named buffers of one batch."""

    def __init__(self, game: Game[Any, Any], size: int, threads: int, runtime: Runtime | None) -> None:
        """Choose the runtimes and the memory. Kernels in WebAssembly need all arrays in their own memory."""
        self._memory: Memory = _python_kernels(game)  # the memory of all arrays except the caller's
        self.kernels: Kernels = self._memory  # the kernels of the current runtime
        self._arguments = game, size, threads, runtime
        self._game, self._size, self._threads = game, size, threads
        self._work = _Work()
        self._later: list[tuple[int, Callable[[Game[Any, Any]], Kernels | None]]] = []  # work before each next runtime
        if runtime != "python":
            shared = None if runtime == "native" or size > MAX_SHARED else _load_shared(game)
            if shared is not None:
                self._memory = shared
                self._later.append((0 if runtime else PYTHON_STEPS, lambda _: shared))
            if runtime != "wasm":
                load = _load_native if runtime is None else _require_native
                self._later.append((0 if runtime else WASM_STEPS, load))
        self._clear()

    def _clear(self) -> None:
        """Create the state that copies don't share."""
        self._pool: ThreadPoolExecutor | None = None
        self._buffers: dict[str, Any] = {}
        self._records: dict[int, Any] = {}  # the runtime's cache of flattened tuples

    def __reduce__(self) -> tuple[Any, ...]:
        return KernelRunner, self._arguments

    def copy(self) -> KernelRunner:
        """Return a runner for a copy of the batch. Both share the count of work."""
        twin: KernelRunner = object.__new__(KernelRunner)
        twin.__dict__.update(self.__dict__)
        twin._clear()
        return twin

    def zeros(self, shape: Any, dtype: Any) -> Any:
        """Return a new array of zeros in the memory of the kernels."""
        return self._memory.zeros(shape, dtype)

    def to_memory(self, given: Any) -> Any:
        """Return a copy of an array in the memory of the kernels; numbers are returned unchanged."""
        if isinstance(given, int):
            return given
        held = self._memory.zeros(given.shape, given.dtype)
        held[...] = given
        return held

    def to_input(self, name: str, array: Any) -> Any:
        """Return an array that kernels can read: this one, or a copy in the buffer of this name."""
        if self._can_use(array):
            return array
        held = self.buffer(name, array.shape, array.dtype)
        held[...] = array
        return held

    def to_output(self, name: str, out: Any, shape: tuple[int, ...], dtype: Any) -> Any:
        """Return an array that kernels can write to: ``out``, or the buffer of this name."""
        if out is not None:
            check_output(out, shape, dtype)
            if self._can_use(out):
                return out
        return self.buffer(name, shape, dtype)

    def buffer(self, name: str, shape: tuple[int, ...], dtype: Any) -> Any:
        """Return the buffer of this name, which is always used with the same shape and type."""
        if name not in self._buffers:
            self._buffers[name] = self._memory.zeros(shape, dtype)
        return self._buffers[name]

    def _can_use(self, array: Any) -> bool:
        """Return whether kernels can use an array in place, even if the next call changes the runtime."""
        return bool((not self._later and self.kernels.holds(array)) or self._memory.holds(array))

    def run(self, name: str, *arguments: Any) -> int:
        """Run a kernel over all games, distributed among the threads. Return the lowest answer except -1, or -1."""
        while self._later and self._work.steps >= self._later[0][0]:
            (_, load), *self._later = self._later  # a new list, because copies share the old one
            self.kernels = load(self._game) or self.kernels
            self._records = {}
        if self._later:
            self._work.steps += self._size
        run = self.kernels.bind(name, arguments, self._records)
        parts = 1
        if not isinstance(self.kernels, _PythonKernels):
            parts = max(1, min(self._threads, self._size // MIN_SHARE))
        if parts == 1:
            return int(run(0, self._size))
        cuts = [self._size * part // parts // 64 * 64 for part in range(parts)] + [self._size]
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._threads - 1, "parlour-batch")
        others = [self._pool.submit(run, cuts[part], cuts[part + 1]) for part in range(1, parts)]
        answers = [run(0, cuts[1]), *(other.result() for other in others)]
        return min((answer for answer in answers if answer >= 0), default=-1)


@dataclass
class _Work:
    """The work of a batch and its copies."""

    steps: int = 0  # game steps so far


# Runtimes.


class _PythonKernels:
    """The kernels in pure Python."""

    def __init__(self, game: Game[Any, Any]) -> None:
        rows = plain_rows(game.options, get_type_hints(game.rules.play)["return"])
        self._kernels: Lockstep = make_lockstep(rule_functions(game), rows)

    def zeros(self, shape: Any, dtype: Any) -> Any:
        return np.zeros(shape, dtype)

    def holds(self, array: Any) -> bool:
        return True

    def bind(self, name: str, arguments: tuple[Any, ...], records: dict[int, Any]) -> Callable[[int, int], int]:
        return partial(getattr(self._kernels, name), *arguments)


@cache
def _python_kernels(game: Game[Any, Any]) -> _PythonKernels:
    return _PythonKernels(game)


def _load_shared(game: Game[Any, Any]) -> Memory | None:
    """Return the kernels in WebAssembly; None if there are none, or wasmtime does not work here."""
    try:
        from parlour.engine.shared import shared_kernels

        return shared_kernels(game)
    except Exception as error:  # on unusual platforms the wheel has no library and raises other errors
        level = logging.INFO if isinstance(error, NoEngine) and error.is_normal else logging.WARNING
        reason = " ".join(str(error).split())
        log.log(level, "parlour: batches run without WebAssembly, which takes longer: %s", reason)
        return None


def _load_native(game: Game[Any, Any]) -> Kernels | None:
    """Return the kernels as native code; None if there is no compiler."""
    with suppress(ParlourError):
        return _require_native(game)
    return None


def _require_native(game: Game[Any, Any]) -> Kernels:
    """Return the kernels as native code. Raises ParlourError if there is no compiler."""
    from parlour.engine.native_batches import NativeKernels

    try:
        return NativeKernels(game)
    except NoEngine as error:
        raise ParlourError(f"no native code: {error}") from None
