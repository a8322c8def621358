"""Runtimes: rules, searches and random games, written once, run as Python, WebAssembly or native code.

Kernels are plain Python functions over integers: ``search``, ``tree``, ``lockstep`` and their ``primitives``. ``plain``
runs them as Python. ``compiler`` translates them to C, and ``build`` makes one WebAssembly module per game. ``wasm``
and ``native`` load compiled code, and ``sessions`` runs it.
"""

import warnings
from typing import Literal, get_args

from parlour.arguments import check_choice

Compiled = Literal["wasm", "native"]
Runtime = Literal["python", "wasm", "native"]


def chosen_runtime(runtime: Runtime | None, compiled: bool | None) -> Runtime | None:
    """Return the requested runtime; ``compiled`` is the deprecated form of the request, accepted until 0.3."""
    if compiled is None:
        return runtime
    wanted: Runtime = "wasm" if compiled else "python"
    warnings.warn(f"compiled= is deprecated; use runtime={wanted!r}", DeprecationWarning, stacklevel=3)
    return wanted


def compiled_runtime(runtime: Runtime | None, large: bool) -> Compiled | None:
    """Return the compiled runtime to use; None: pure Python. Without a request only ``large`` work is compiled.

    Raises:
        BadArgument: there is no such runtime.
    """
    if runtime is None:
        return "wasm" if large else None
    check_choice("runtime", runtime, get_args(Runtime))
    return None if runtime == "python" else runtime
