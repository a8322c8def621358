"""Engines in native code: compiled from C on this machine, cached, and loaded with ctypes."""

from __future__ import annotations

import ctypes
import hashlib
import os
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from threading import get_ident
from typing import Any

from parlour.engine import artefacts
from parlour.engine.artefacts import NoEngine
from parlour.engine.build import run_compiler, write_c
from parlour.engine.wasm import Instance
from parlour.files import cache_folder
from parlour.game import Game
from parlour.installation import install_command

FLAGS = ["-O3", "-march=native", "-ffp-contract=off", "-fno-strict-aliasing"]
FLAGS += ["-fPIC", "-shared", "-fvisibility=hidden", "-fomit-frame-pointer", "-w"]
BLOCK = 64  # maximum number of arguments of an exported function
MAX_FILES = 64  # cached files; the least recently used ones are evicted


def compiler() -> tuple[str, ...]:
    """Return the command of a C compiler: CC from the environment, clang, ziglang or cc, in this order.

    The code of gcc runs batches a sixth slower than that of LLVM.

    Raises:
        NoEngine: there is no compiler.
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
    """Return the searches of a game, or its kernels of batches, as native code.

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
        checked = not artefacts.is_shipped(game)  # a user's game may need more than 64 bits
        command = compiler()
        build = [*command, *FLAGS]
        if checked:
            build += ["-DCHECKED"]
        elif "ziglang" in command:
            build += ["-nostdlib"]  # otherwise ziglang first builds a standard library
        source = write_c(game, searches=not batches, batches=batches)
        # The predefined macros identify the compiler, its version, the processor and its features.
        asked = [*command, "-march=native", "-E", "-dM", "-x", "c", os.devnull]
        macros = subprocess.run(asked, capture_output=True, check=True, timeout=60).stdout
        origin = digest(source, repr(build), macros)

        def load(folder: int) -> ctypes.CDLL | None:
            name = find_cached(folder, origin)
            # The path uses the open folder, and the name of the file, because the loader loads each path only once.
            return None if name is None else ctypes.CDLL(f"{_path(folder)}/{name}")

        with suppress(OSError), open_cache() as folder:
            found = load(folder)
            if found is None:
                store_cached(folder, origin, run_compiler(build, source))
                found = load(folder)
            if found is not None:
                return found
        with tempfile.TemporaryDirectory() as private, open_cache(os.path.join(private, "native")) as folder:
            store_cached(folder, origin, run_compiler(build, source))
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
    """Return an exported function, which takes the address of a block and returns 0 if it trapped."""
    found = getattr(library, f"{name}_door")
    found.argtypes, found.restype = [ctypes.c_void_p], ctypes.c_int64
    return found  # type: ignore[no-any-return]


class NativeInstance(Instance):
    """The native code of a game. Its memory is freed with the instance."""

    def __init__(self, game: Game[Any, Any]) -> None:
        """Raises NoEngine if there is no native code."""
        self._library = library(game)
        numbers = (ctypes.c_int64 * (1 + BLOCK))()  # the list of allocations, and the block
        self.block = ctypes.addressof(numbers) + ctypes.sizeof(ctypes.c_int64)
        release = function(self._library, "release")
        weakref.finalize(self, lambda: release(ctypes.addressof(numbers) + 8)).atexit = False

    def run(self, name: str) -> bool:
        return bool(function(self._library, name)(self.block))


# The cache of compiled code. Loading a file runs it, so the folder and the file must belong to the user, without
# permissions for others. The folder is opened once, and files are opened relative to it, so that it cannot be exchanged
# meanwhile. A file name has the digests of origin and content, so stale and damaged files are never loaded.


class Untrusted(OSError):
    """A folder or file that other users may have written to."""


def digest(*parts: str | bytes) -> str:
    """Return a file name for these parts."""
    whole = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        whole.update(len(data).to_bytes(8, "little") + data)
    return whole.hexdigest()[:32]


@contextmanager
def open_cache(path: str | None = None) -> Iterator[int]:
    """Open the folder of the cache, and create it if necessary. Raises OSError or Untrusted."""
    path = os.path.join(cache_folder(), "native") if path is None else path
    if not hasattr(os, "geteuid"):  # no owner to check
        raise Untrusted(path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with suppress(FileExistsError):
        os.mkdir(path, 0o700)
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        _check_owner(folder)
        yield folder
    finally:
        os.close(folder)


def _check_owner(file: int) -> None:
    found = os.fstat(file)
    if found.st_uid != os.geteuid() or stat.S_IMODE(found.st_mode) & 0o077:
        raise Untrusted(file)


def find_cached(folder: int, origin: str) -> str | None:
    """Return the name of a verified file of this origin; None if there is none."""
    for name in os.listdir(folder):
        if name.startswith(f"{origin}-"):
            with suppress(OSError):
                flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
                with open(os.open(name, flags, dir_fd=folder), "rb") as file:
                    _check_owner(file.fileno())
                    if stat.S_ISREG(os.fstat(file.fileno()).st_mode) and name == f"{origin}-{digest(file.read())}":
                        os.utime(name, dir_fd=folder)
                        return name
    return None


def store_cached(folder: int, origin: str, content: bytes) -> None:
    """Write a file atomically, and evict old ones."""
    names = {name: os.stat(name, dir_fd=folder, follow_symlinks=False).st_mtime for name in os.listdir(folder)}
    for name in sorted(names, key=lambda name: names[name])[: max(0, len(names) - MAX_FILES + 1)]:
        with suppress(OSError):
            os.unlink(name, dir_fd=folder)
    scratch = f"{os.getpid()}-{get_ident()}.new"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    with open(os.open(scratch, flags, 0o600, dir_fd=folder), "wb") as file:
        file.write(content)
    os.replace(scratch, f"{origin}-{digest(content)}", src_dir_fd=folder, dst_dir_fd=folder)
