"""A cache of compiled code. To load such a file is to run it, so only the user may have written it.

The folder and the file must belong to the user and be closed to everyone else. The folder is opened once and its files
are reached through it, so it cannot be exchanged in between. A file is named by the digest of its origin and by that of
its content: it can be missing, but never stale or damaged.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import get_ident

from parlour.folders import cache_folder

MAX_FILES = 64  # the files that were used longest ago are removed first


class Untrusted(OSError):
    """A folder or file that others could have written to."""


def digest(*parts: str | bytes) -> str:
    """Return a name for what was made from these parts."""
    whole = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        whole.update(len(data).to_bytes(8, "little") + data)
    return whole.hexdigest()[:32]


@contextmanager
def opened(path: str | None = None) -> Iterator[int]:
    """Open the folder, which is made if it does not exist. OSError or Untrusted if it cannot be used."""
    path = os.path.join(cache_folder(), "native") if path is None else path
    if not hasattr(os, "geteuid"):  # files have no owner that could be checked
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


def find(folder: int, origin: str) -> str | None:
    """Return the name of a file made from this origin, checked; None if there is none."""
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


def store(folder: int, origin: str, content: bytes) -> None:
    """Write a file under a temporary name and rename it, so that it is there as a whole or not at all."""
    names = {name: os.stat(name, dir_fd=folder, follow_symlinks=False).st_mtime for name in os.listdir(folder)}
    for name in sorted(names, key=lambda name: names[name])[: max(0, len(names) - MAX_FILES + 1)]:
        with suppress(OSError):
            os.unlink(name, dir_fd=folder)
    scratch = f"{os.getpid()}-{get_ident()}.new"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    with open(os.open(scratch, flags, 0o600, dir_fd=folder), "wb") as file:
        file.write(content)
    os.replace(scratch, f"{origin}-{digest(content)}", src_dir_fd=folder, dst_dir_fd=folder)
