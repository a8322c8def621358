"""Engines in native code: built from their C by the compiler there is, cached, and loaded with ctypes."""

from __future__ import annotations

import ctypes
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from typing import Any

from parlour.engine import artefacts
from parlour.engine import cache as code_cache
from parlour.engine.artefacts import NoEngine
from parlour.engine.build import run_compiler, write_c
from parlour.engine.instances import Instance
from parlour.game import Game
from parlour.installation import install_command

FLAGS = ["-O3", "-march=native", "-ffp-contract=off", "-fno-strict-aliasing"]
FLAGS += ["-fPIC", "-shared", "-fvisibility=hidden", "-fomit-frame-pointer", "-w"]
BLOCK = 64  # numbers that an exported function takes, at most


def compiler() -> tuple[str, ...]:
    """Return the command of a C compiler.

    The variable CC names it; else clang, ziglang, or whatever cc is: gcc's batches are a sixth slower than LLVM's.

    Raises:
        NoEngine: there is none.
    """
    named = shlex.split(os.environ.get("CC", ""))
    if named:
        return tuple(named)
    if shutil.which("clang"):
        return ("clang",)
    if find_spec("ziglang"):
        return sys.executable, "-m", "ziglang", "cc"
    if shutil.which("cc"):
        return ("cc",)
    raise NoEngine(f"there is no C compiler; to install one: {install_command('compile')}")


def library(game: Game[Any, Any], *, batches: bool = False) -> ctypes.CDLL:
    """Return the searches of a game, or the kernels of batches, as native code.

    Raises:
        NoEngine: they cannot be built or loaded here. The message is one line.
    """
    found = _library(game, batches)
    if isinstance(found, NoEngine):
        raise found
    return found


@cache
def _library(game: Game[Any, Any], batches: bool) -> ctypes.CDLL | NoEngine:
    try:
        checked = not artefacts.is_shipped(game)  # the numbers of a user's game may outgrow 64 bits
        command = compiler()
        build = [*command, *FLAGS]
        if checked:
            build += ["-DCHECKED"]
        elif "ziglang" in command:
            build += ["-nostdlib"]  # it would have to build one first
        source = write_c(game, searches=not batches, batches=batches)
        # All predefined macros: they differ by compiler, version, processor and its features.
        asked = [*command, "-march=native", "-E", "-dM", "-x", "c", os.devnull]
        macros = subprocess.run(asked, capture_output=True, check=True, timeout=60).stdout
        origin = code_cache.digest(source, repr(build), macros)

        def load(folder: int) -> ctypes.CDLL | None:
            name = code_cache.find(folder, origin)
            # The path leads through the open folder. It ends in the file's own name because a path is loaded only once.
            return None if name is None else ctypes.CDLL(f"{_path(folder)}/{name}")

        with suppress(OSError), code_cache.opened() as folder:
            found = load(folder)
            if found is None:
                code_cache.store(folder, origin, run_compiler(build, source))
                found = load(folder)
            if found is not None:
                return found
        with tempfile.TemporaryDirectory() as private, code_cache.opened(os.path.join(private, "native")) as folder:
            code_cache.store(folder, origin, run_compiler(build, source))
            return load(folder) or NoEngine("the compiled code cannot be stored")
    except NoEngine as error:
        return error
    except (OSError, subprocess.SubprocessError) as error:
        return NoEngine(" ".join(f"{shlex.join(compiler())} cannot be used: {error}".split()))


def _path(folder: int) -> str:
    import fcntl

    found = getattr(fcntl, "F_GETPATH", None)  # macOS
    return (
        f"/proc/self/fd/{folder}" if found is None else os.fsdecode(fcntl.fcntl(folder, found, bytes(1024))).strip("\0")
    )


@cache
def function(library: ctypes.CDLL, name: str) -> Callable[[Any], int]:
    """Return an exported function. It takes the address of a block, and returns 0 if it trapped."""
    found = getattr(library, f"{name}_door")
    found.argtypes, found.restype = [ctypes.c_void_p], ctypes.c_int64
    return found  # type: ignore[no-any-return]


class NativeInstance(Instance):
    """The native code of a game with a list of its memory, which is freed with the instance."""

    def __init__(self, game: Game[Any, Any]) -> None:
        """Raises NoEngine if there is no native code."""
        self._library = library(game)
        numbers = (ctypes.c_int64 * (1 + BLOCK))()  # the list, and the block
        self.block = ctypes.addressof(numbers) + ctypes.sizeof(ctypes.c_int64)
        release = function(self._library, "release")
        weakref.finalize(self, lambda: release(ctypes.addressof(numbers) + 8)).atexit = False

    def run(self, name: str) -> bool:
        return bool(function(self._library, name)(self.block))
