"""Functions compiled to one WebAssembly module, called with numbers."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from typing import Any, get_type_hints

import pytest

from parlour.engine import wasm
from parlour.engine.primitives import Floats, Ints, Words

TRAP = "trap"
FORMATS: dict[Any, str] = {Ints: "q", Words: "Q", Floats: "d"}


class Compiled:
    """Exported functions, in a memory with room for one array."""

    def __init__(self, functions: Iterable[Callable[..., Any]], *, checked: bool) -> None:
        pytest.importorskip("ziglang", reason="compiling needs ziglang: the extra compile")
        wasmtime = pytest.importorskip("wasmtime")
        from parlour.engine.build import PRIMITIVES, RUNTIME, compile_wasm
        from parlour.engine.compiler import Unit

        unit = Unit(PRIMITIVES)
        for function in functions:
            unit.export(function.__name__, function)  # type: ignore[arg-type]
        engine = wasmtime.Engine()
        module = wasmtime.Module(engine, compile_wasm(f"{RUNTIME}\n{unit.text()}", checked=checked))
        self.trap, self.store = wasmtime.Trap, wasmtime.Store(engine)
        self.exports = wasmtime.Instance(self.store, module, []).exports(self.store)
        self.memory, self.block = self.exports["memory"], self.exports["block"](self.store)
        self.write(self.block, "q", [1 << 16])
        self.exports["allocate"](self.store)
        (self.array,) = self.read(self.block, "q", 1)

    def write(self, address: int, kind: str, values: Any) -> None:
        self.memory.write(self.store, struct.pack(f"<{len(values)}{kind}", *values), address)

    def read(self, address: int, kind: str, count: int) -> Any:
        return struct.unpack(f"<{count}{kind}", self.memory.read(self.store, address, address + 8 * count))

    def __call__(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Its result; a list among the arguments is replaced by what the function leaves in it."""
        hints = list(get_type_hints(function).values())
        written = []
        for place, (value, hint) in enumerate(zip(arguments, hints, strict=False)):
            if isinstance(value, list):
                self.write(self.array, FORMATS[hint], value)
                written.append((value, FORMATS[hint]))
            number = self.array if isinstance(value, list) else value
            kind = "d" if hint is float else "Q" if number > 1 << 62 else "q"
            self.write(self.block + 8 * place, kind, [number])
        try:
            self.exports[function.__name__](self.store)
        except self.trap:
            return TRAP
        for value, kind in written:
            value[:] = self.read(self.array, kind, len(value))
        kind = "d" if hints[-1] is float else "Q" if "Word" in str(hints[-1]) else "q"
        return None if hints[-1] is type(None) else self.read(self.block, kind, 1)[0]


def forget_engines() -> None:
    """Forget which engines were loaded, and which could not be, as in a new process."""
    wasm._wasmtime.cache_clear()
    wasm._module.cache_clear()
