"""Files that survive a crash."""

from __future__ import annotations

import os
from contextlib import suppress
from threading import get_ident


def write_whole(path: str, data: bytes, *, private: bool = False) -> None:
    """Write a file atomically: after a crash it has its old content or the new one.

    A symbolic link stays; the file it leads to is replaced. With ``private`` only the owner may read the file.
    """
    path = os.path.realpath(path)
    scratch = f"{path}.{os.getpid()}-{get_ident()}.new"
    try:
        write_synced(scratch, data, private=private)
        os.replace(scratch, path)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(scratch)
    sync_folder(os.path.dirname(path))


def write_synced(path: str, data: bytes, *, private: bool = False) -> None:
    """Write a file, and return when its content is on the disk."""
    mode = 0o600 if private else 0o666
    with open(path, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(path: str) -> None:
    """Make new and renamed files of a folder survive a crash (POSIX only)."""
    if os.name == "nt":  # a folder can't be opened there
        return
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
