"""Files of compiled engines: shipped ones, and cached ones of users' games.

The last section of a module, "parlour", has the version and a digest of the sources and of the code before it.
"""

from __future__ import annotations

import logging
import os
import sys
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from shutil import rmtree
from tempfile import NamedTemporaryFile
from typing import Any

from parlour import catalog
from parlour.files import cache_folder
from parlour.game import Game
from parlour.installation import install_command, make_command
from parlour.version import __version__

log = logging.getLogger(__name__)

PACKAGE = Path(__file__).parent.parent
FOLDER = PACKAGE / "engine" / "games"
SOURCES = (  # sources of every engine, besides the file of its game
    "game.py",
    "engine/build.py",
    "engine/compiler.py",
    "engine/expressions.py",
    "engine/kinds.py",
    "engine/lockstep.py",
    "engine/primitives.py",
    "engine/runtime.c",
    "engine/search.py",
    "engine/tree.py",
)
MARK = b"\x07parlour"  # the name of the section, after its length


class NoEngine(Exception):
    """A game has no compiled engine here. The message is one line."""

    is_normal = False  # True for a user's game if there is no compiler; then it is not logged as a warning


class NotCompilable(NoEngine):
    """A function is outside the subset of Python that can be compiled. The message has file, line and remedy."""


def source_files(game: Game[Any, Any]) -> list[str]:
    """Return the paths of all sources of an engine."""
    own = sys.modules[game.rules.play.__module__].__file__ or ""
    return [*(str(PACKAGE / name) for name in SOURCES), own]


@cache
def retire_kernels() -> None:
    """Remove kernels that versions before 0.2 cached, once per process. Remove this function in 0.3."""
    if "PARLOUR_KERNELS" in os.environ:
        log.warning("parlour: PARLOUR_KERNELS no longer has an effect; engines are part of Parlour")
    rmtree(Path(cache_folder(), "kernels"), ignore_errors=True)


def stamp(game: Game[Any, Any], code: bytes) -> bytes:
    """Return the module with its version and digest at the end."""
    payload = f"{__version__} {_digest(game, code)}".encode()
    assert len(payload) < 100  # a length in one byte
    return code + bytes([0, len(MARK) + len(payload)]) + MARK + payload


def read(game: Game[Any, Any], path: Path) -> bytes:
    """Return a module after a check of its digest and version. Without sources the digest is not checked.

    Raises:
        NoEngine: the module is damaged, outdated or not readable.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise NoEngine(f"{path}: {error.strerror}") from None
    code, mark, payload = content.rpartition(MARK)
    version, _, digest = payload.decode("ascii", "replace").partition(" ")
    if not mark or len(digest) != sha256().digest_size * 2:
        raise NoEngine(f"{path} is damaged")
    if version != __version__:
        raise NoEngine(f"{path} belongs to version {version}, not {__version__}")
    with suppress(OSError):  # no sources
        if _digest(game, code[:-2]) != digest:
            raise NoEngine(f"{path} is damaged or older than its sources")
    return content


def load(game: Game[Any, Any], *, batches: bool = False) -> bytes:
    """Return the engine of a game: shipped, cached, or compiled now if ziglang is installed.

    ``batches`` selects the kernels of batches instead of the searches.

    Raises:
        NoEngine: there is no engine, and none can be compiled. The message has a remedy.
    """
    retire_kernels()
    part = ".batch" if batches else ""
    problem = f"{game.title} is not compiled"
    shipped = is_shipped(game)
    if shipped:
        try:
            return read(game, FOLDER / f"{game.key}{part}.wasm")
        except NoEngine as error:
            problem = str(error)
    try:
        cached = Path(cache_folder(), "engine", f"{game.key}-{_digest(game, b'')[:16]}{part}.wasm")
        with suppress(NoEngine):
            return read(game, cached)
    except OSError:
        raise NoEngine(f"{problem}; install Parlour again") from None
    if find_spec("ziglang") is None:
        remedy = (make_command("engine") if shipped else None) or install_command("compile")
        missing = NoEngine(f"{problem}; to compile it: {remedy}")
        missing.is_normal = not shipped
        raise missing
    if shipped:
        log.warning("parlour: %s; %s is compiled again, with slower code", problem, game.title)
    from parlour.engine.build import compile_part

    content = stamp(game, compile_part(game, batches=batches, checked=True))
    with suppress(OSError):  # compiled again next time
        write(cached, content)
    return content


def is_shipped(game: Game[Any, Any]) -> bool:
    """Return whether a game has the unmodified rules of a built-in game."""
    is_known = (FOLDER / f"{game.key}.wasm").exists() or not any(FOLDER.glob("*.wasm"))
    return is_known and game.key in catalog.keys() and _rules(game) == _rules(catalog.find_game(game.key))


def _rules(game: Game[Any, Any]) -> tuple[Any, ...]:
    """Return the parts of a game that its engine contains."""
    rules, search = game.rules, game.search
    return game.options, rules.moves, rules.play, rules.result, search.canonical, rules.settled, search.outlook


def write(path: Path, content: bytes) -> None:
    """Write a file atomically."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False) as file:
        try:
            file.write(content)
            file.close()
            os.chmod(file.name, 0o644)
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise


def _digest(game: Game[Any, Any], code: bytes) -> str:
    """Return the digest of version, functions, sources and code. Raises OSError if a source is missing."""
    functions = [(each.__module__, each.__qualname__) for each in _rules(game) if each]
    parts = [
        f"{__version__} {functions}".encode(),
        *(Path(each).read_bytes().replace(b"\r\n", b"\n") for each in source_files(game)),
        code,
    ]
    return sha256(b"".join(sha256(part).digest() for part in parts)).hexdigest()
