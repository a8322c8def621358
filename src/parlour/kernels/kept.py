"""Compiled kernels that outlast the process: what one has compiled, the next one loads.

A kept kernel can be missing, but never stale, wrong or harmful:

- Its file is named by a digest of everything that goes into it: the byte code of the function and of all functions that
  it reaches, for that is what Numba compiles; their constants and types; the types it is called with; the versions of
  Python, Numba, llvmlite, NumPy and Parlour; the processor and its features; Numba's settings. Whatever cannot be
  described is not kept.
- A kernel is called by that digest in machine code too, and has no other name there that anybody sees. So two kernels
  that were made from one source for two games, in two processes that numbered them alike, are never mixed up.
- To load a kernel is to run what is in its file. So the folder and the file must belong to the user, and be closed to
  everybody else. A checksum tells when a file is not what was written.
- Whatever goes wrong on the way, the kernel is compiled as if nothing had been kept, and nobody hears of it.

Numba has no public way to do this for functions that call themselves. What is used of its inside is used here alone,
and under a guard: with a Numba that is made otherwise, nothing is kept.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import platform
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dis import get_instructions
from functools import cache
from itertools import chain
from threading import get_ident
from time import time
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numba
import numpy as np

from parlour.folders import cache_folder
from parlour.version import __version__

try:  # the inside of Numba
    from numba.core import serialize, types
    from numba.core.caching import NullCache
    from numba.core.compiler import CompileResult
    from numba.core.dispatcher import Dispatcher
    from numba.core.extending import _Intrinsic
    from numba.core.runtime.nrt import rtsys

    llvm: Any = sys.modules["llvmlite.binding"]
    KEEPS = True
except (ImportError, KeyError):
    KEEPS = False

FOLDER = "PARLOUR_KERNELS"  # the variable that names another folder for them; empty: none are kept
MAGIC = b"parlour kernel 1\n"
MOST_BYTES = 64 << 20  # that all files may take together; the ones that were used longest ago go first
LEFT_OVER_SECONDS = 600.0  # after which a half-written file is one that nobody will complete


class _CannotKeep(Exception):
    """It cannot be said completely what a kernel is made of, or it is not made as we know it."""


def kept_jit(function: Any = None, /, **flags: Any) -> Any:
    """Compile a function like ``numba.njit``, and keep what was compiled for later processes.

    It is used like ``njit``, with the same flags: as a decorator, with or without them, or as the ``jit`` of a
    ``make_`` function. ::

        kernel = make_playouts(compilable(game), kept_jit(nogil=True))

    Nothing has to be said about what the function depends on: all that it reaches by its names and its closure is
    looked at. Only an ``overload`` cannot be seen from the function that it stands for: declare it by ``implements``.
    """
    if function is None:
        return lambda function: kept_jit(function, **flags)
    if not KEEPS:
        return numba.njit(**flags)(function)
    try:
        made_of = _Description(function, flags).digest()
        function.__qualname__ = f"{function.__qualname__}_{made_of}"  # its name in machine code follows from this
        dispatcher = numba.njit(**flags)(function)
        _make_sure(isinstance(dispatcher, Dispatcher))  # not where Numba is told to compile nothing
        dispatcher._cache = _KeptKernels(made_of)
    except Exception:
        return numba.njit(**flags)(function)
    return dispatcher


# What a kernel is made of.

_implementations: dict[Callable[..., Any], Callable[..., Any]] = {}


def implements(plain: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare the compiled counterpart of a plain function, in the form that ``numba.extending.overload`` takes."""

    def declare(implementation: Callable[..., Any]) -> Callable[..., Any]:
        _implementations[plain] = implementation
        numba.extending.overload(plain)(implementation)
        return implementation

    return declare


def has_implementation(plain: object) -> bool:
    """Whether a plain function has a compiled counterpart of its own."""
    return plain in _implementations


class _Description:
    """All that compiled code follows from, as text; _CannotKeep if there is something that has no description."""

    def __init__(self, *things: object) -> None:
        self._seen: dict[int, int] = {}  # by id: what was described already, and as the how-manieth
        self._held: list[object] = []  # so that no id is used again
        self._text: list[str] = []
        for thing in things:
            self._describe(thing)

    def digest(self) -> str:
        return hashlib.sha256("\n".join(self._text).encode("utf-8", "backslashreplace")).hexdigest()[:32]

    def _say(self, *words: object) -> None:
        self._text.append(" ".join(map(repr, words)))

    def _describe(self, thing: Any) -> None:
        if thing is None or thing is Ellipsis or isinstance(thing, bool | int | float | complex | str | bytes):
            self._say(type(thing).__name__, thing)
            return
        if id(thing) in self._seen:
            self._say("again", self._seen[id(thing)])
            return
        self._seen[id(thing)] = len(self._seen)
        self._held.append(thing)
        if isinstance(thing, tuple | list):
            self._say(type(thing).__name__, type(thing).__module__, type(thing).__qualname__, len(thing))
            self._all(thing)
        elif isinstance(thing, dict):
            self._say("dict", len(thing))
            self._all(part for item in sorted(thing.items(), key=lambda item: str(item[0])) for part in item)
        elif isinstance(thing, set | frozenset):
            self._say("set", *sorted(map(repr, thing)))
        elif isinstance(thing, FunctionType):
            self._describe_function(thing)
        elif isinstance(thing, CodeType):
            self._say("code", thing.co_name, thing.co_code, thing.co_names, thing.co_varnames, thing.co_freevars)
            self._say(thing.co_cellvars, thing.co_argcount, thing.co_kwonlyargcount, thing.co_flags)
            self._say(getattr(thing, "co_exceptiontable", b""))
            self._all(thing.co_consts)
        elif isinstance(thing, Dispatcher):
            self._say("compiled", sorted(thing.targetoptions.items()))
            self._describe(thing.py_func)
        elif isinstance(thing, _Intrinsic):
            self._say("intrinsic")
            self._describe(thing._defn)
        elif isinstance(thing, BuiltinFunctionType | np.ufunc):
            self._say("builtin", getattr(thing, "__module__", ""), thing.__name__)
        elif isinstance(thing, type):
            self._describe_class(thing)
        elif isinstance(thing, types.Type):
            self._describe_type(thing)
        elif isinstance(thing, ModuleType):
            self._describe_module(thing.__name__)
        elif isinstance(thing, np.generic):
            self._say("number", thing.dtype.str, thing.tobytes())
        else:
            raise _CannotKeep(thing)

    def _all(self, things: Any) -> None:
        for thing in things:
            self._describe(thing)

    def _describe_function(self, function: FunctionType) -> None:
        if function in _implementations:
            self._say("implemented", function.__module__, function.__qualname__)
            self._describe(_implementations[function])
            return
        self._say("function", function.__module__, function.__name__)
        if _is_foreign(function.__module__):
            return
        self._describe(function.__code__)
        self._all((function.__defaults__, function.__kwdefaults__))
        for cell in function.__closure__ or ():
            self._describe(cell.cell_contents)
        for name in sorted(_global_names(function.__code__)):
            if name in function.__globals__:
                self._say("global", name)
                self._describe(function.__globals__[name])

    def _describe_class(self, kind: type) -> None:
        self._say("class", kind.__module__, kind.__qualname__)
        if _is_foreign(kind.__module__):
            return
        if not issubclass(kind, tuple) or not hasattr(kind, "_fields"):
            raise _CannotKeep(kind)  # nothing else of ours is used in a kernel
        self._all((kind._fields, getattr(kind, "_field_defaults", {})))

    def _describe_type(self, kind: Any) -> None:
        """Of a value that a kernel is called with."""
        self._say("type", type(kind).__name__)
        if isinstance(kind, types.NamedTuple | types.NamedUniTuple):
            self._describe(kind.instance_class)
        if isinstance(kind, types.BaseTuple):
            parts: Any = kind
            self._all(tuple(parts))
        elif isinstance(kind, types.Number | types.Boolean | types.NoneType | types.Array | types.Omitted):
            self._say(str(kind))
        else:
            raise _CannotKeep(kind)

    def _describe_module(self, name: str) -> None:
        if not _is_foreign(name):
            raise _CannotKeep(name)  # what is used of it would have to be found out: import the names instead
        self._say("module", name)


def _global_names(code: CodeType) -> set[str]:
    """The names that code, and the code within it, uses of its module."""
    names = {step.argval for step in get_instructions(code) if step.opname == "LOAD_GLOBAL"}
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _global_names(constant)
    return names


def _is_foreign(module: str) -> bool:
    """Whether a module changes only with the version of Python, Numba, llvmlite or NumPy."""
    top = module.partition(".")[0]
    return (top in sys.stdlib_module_names and top != "__main__") or top in ("numba", "llvmlite", "numpy")


@cache
def _surroundings() -> str:
    """All that is the same for every kernel of a process."""
    settings = {name: value for name, value in vars(numba.config).items() if name.isupper()}
    return repr(
        (
            MAGIC,
            __version__,
            sys.version,
            sys.implementation.cache_tag,
            sys.platform,
            platform.machine(),
            numba.__version__,
            sys.modules["llvmlite"].__version__,
            np.__version__,
            sorted((name, repr(value)) for name, value in settings.items()),
        )
    )


# Where they are kept.


def kernel_folder() -> str | None:
    """The folder that kernels are kept in; None: nowhere."""
    named = os.environ.get(FOLDER)
    if named is not None:
        return named or None
    return os.path.join(cache_folder(), "kernels")


@contextmanager
def _opened_folder(make: bool) -> Iterator[int]:
    """The folder, to reach its files by: nobody can put another in its place. _CannotKeep if others could get at it."""
    path = kernel_folder()
    if path is None or not hasattr(os, "geteuid"):  # without owners nobody knows whose a file is
        raise _CannotKeep(path)
    if make:
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
        raise _CannotKeep("others can get at it")


def _read(name: str) -> bytes:
    with _opened_folder(make=False) as folder:
        file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK, dir_fd=folder)
        with open(file, "rb") as opened:
            _check_owner(file)
            if not stat.S_ISREG(os.fstat(file).st_mode):
                raise _CannotKeep(name)
            content = opened.read()
        with suppress(OSError):
            os.utime(name, dir_fd=folder)  # it was used
    return content


def _write(name: str, content: bytes) -> None:
    """Write a file beside its place and move it there: whoever looks finds all of it, or nothing."""
    scratch = f"{name}.{os.getpid()}-{get_ident()}.new"
    with _opened_folder(make=True) as folder:
        _make_room(folder, len(content))
        try:
            file = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600, dir_fd=folder)
            with open(file, "wb") as opened:
                opened.write(content)
            os.replace(scratch, name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            with suppress(OSError):
                os.unlink(scratch, dir_fd=folder)
            raise


def _make_room(folder: int, needed: int) -> None:
    """Remove what was used longest ago, until there is room; and what others have left half-written."""
    files = []
    for name in os.listdir(folder):
        with suppress(OSError):  # somebody else has removed it
            found = os.stat(name, dir_fd=folder, follow_symlinks=False)
            files.append((found.st_mtime, found.st_size, name))
    left = sum(size for _, size, _ in files) + needed
    for used, size, name in sorted(files):
        if left > MOST_BYTES or (name.endswith(".new") and time() - used > LEFT_OVER_SECONDS):
            with suppress(OSError):
                os.unlink(name, dir_fd=folder)
            left -= size


# How Numba is made to use them.

if KEEPS:

    class _KeptKernels(NullCache):
        """What a dispatcher asks for compiled code before it compiles, and gives it to afterwards."""

        def __init__(self, made_of: str) -> None:
            self._made_of = made_of

        @property
        def cache_path(self) -> str | None:
            return kernel_folder()

        def load_overload(self, signature: Any, target_context: Any) -> Any:
            """The compiled code, or None."""
            try:
                name = self._name(signature, target_context)
                needed, *parts = _unpack(name, _read(name))
                _make_known(needed, target_context)
                rebuild: Any = CompileResult._rebuild
                result = rebuild(target_context, *parts)
                _make_sure(tuple(result.signature.args) == _arguments(signature))
            except Exception:  # whatever it is: then it is compiled
                return None
            return result

        def save_overload(self, signature: Any, result: Any) -> None:
            with suppress(Exception):  # whatever it is: then it is compiled again the next time
                name = self._name(signature, result.target_context)
                _write(name, _pack(name, _alone(result)))

        def _name(self, signature: Any, target_context: Any) -> str:
            processor = target_context.codegen().magic_tuple()
            called_with = _Description(_arguments(signature)).digest()
            return hashlib.sha256(repr((self._made_of, called_with, processor, _surroundings())).encode()).hexdigest()


def _arguments(signature: Any) -> tuple[Any, ...]:
    return tuple(signature.args) if hasattr(signature, "args") else tuple(signature)


def _make_sure(fact: bool) -> None:
    if not fact:
        raise _CannotKeep


def _alone(result: Any) -> tuple[Any, ...]:
    """The names that compiled code needs, and the code as ``CompileResult._rebuild`` takes it, but with no other names.

    Numba numbers the functions that a kernel calls, process by process. If they kept these names, a process that loads
    two kernels could take a function of the one for a function of the other. So only the kernel itself is left visible.
    """
    _make_sure(not result.objectmode and not result.lifted and not result.library.has_dynamic_globals)
    library, description, environment, *rest = result._reduce()
    referenced = rest[-1]
    # The environments have names as well; but one without constants is as good as another.
    _make_sure(all(not other.consts for other in referenced if other is not environment))
    name, _, _ = library
    module = llvm.parse_bitcode(result.library._final_module.as_bitcode())
    own = {description.llvm_func_name, description.llvm_cpython_wrapper_name, description.llvm_cfunc_wrapper_name}
    for function in module.functions:
        if not function.is_declaration and function.name not in own:
            function.linkage = "internal"
    module.verify()
    machine_code = result.codegen._tm.emit_object(module)
    needed = [
        name
        for name in (thing.name for thing in chain(module.functions, module.global_variables) if thing.is_declaration)
        if not name.startswith("llvm.")
    ]
    return (needed, (name, "object", (machine_code, module.as_bitcode())), description, environment, *rest)


def _make_known(needed: list[str], target_context: Any) -> None:
    """Make sure that all names that machine code uses are there: LLVM ends the process over one that is not.

    Most are there once Numba's own memory management is. To load all that compiling needs takes a fifth of a second.
    """
    for prepare in (rtsys.initialize, lambda context: context.refresh()):
        prepare(target_context)
        if all(llvm.address_of_symbol(name) is not None for name in needed):
            return
    raise _CannotKeep(needed)


def _pack(name: str, parts: tuple[Any, ...]) -> bytes:
    pickled: Any = serialize.dumps
    body: bytes = name.encode() + b"\n" + pickled(parts)
    return MAGIC + hashlib.sha256(body).hexdigest().encode() + b"\n" + body


def _unpack(name: str, content: bytes) -> Any:
    """The parts of a compiled kernel; _CannotKeep if this is not what was written, or another kernel."""
    magic, checksum, rest = content[: len(MAGIC)], content[len(MAGIC) : len(MAGIC) + 65], content[len(MAGIC) + 65 :]
    _make_sure(magic == MAGIC and checksum == hashlib.sha256(rest).hexdigest().encode() + b"\n")
    written_for, _, parts = rest.partition(b"\n")
    _make_sure(written_for == name.encode())
    return pickle.loads(parts)
