"""Files and folders: atomic writes, permissions, and the folders of the XDG base directory specification."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from threading import get_ident


def write_whole(path: str, data: bytes, *, private: bool = False) -> None:
    """Write a file atomically: after a crash it has either its old content or the new one.

    The target of a symbolic link is replaced, not the link. ``private`` lets only the owner read the file.
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


def write_synced(path: str, data: bytes, *, private: bool) -> None:
    """Write a file and wait until its content is on the disk. ``private`` lets only the owner read it."""
    mode = 0o600 if private else 0o666
    with open(path, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(path: str) -> None:
    """Wait until new and renamed files of a folder are on the disk; does nothing where folders cannot be opened."""
    try:
        folder = os.open(path, os.O_RDONLY)
    except PermissionError:  # on Windows
        return
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def state_folder(*below: str) -> str:
    """Return the private folder of saved games and matches, or a folder below it; create it if it is missing.

    Raises:
        OSError: it cannot be created.
    """
    path = _folder("XDG_STATE_HOME", ".local", "state")
    for name in ("", *below):
        path = os.path.join(path, name) if name else path
        os.makedirs(path, mode=0o700, exist_ok=True)
        _narrow(path, 0o700)
    return path


def config_file() -> str:
    """Return the path of the file of preferences, which may be missing."""
    return os.path.join(_folder("XDG_CONFIG_HOME", ".config"), "config.toml")


def cache_folder() -> str:
    """Return the path of the folder for caches, which may be missing."""
    return _folder("XDG_CACHE_HOME", ".cache")


def make_private(path: str) -> None:
    """Create a file if it is missing, and let only its owner read it.

    Raises:
        OSError: it cannot be created.
    """
    os.close(os.open(path, os.O_CREAT | os.O_RDONLY | getattr(os, "O_CLOEXEC", 0), 0o600))
    _narrow(path, 0o600)


def _narrow(path: str, mode: int) -> None:
    """Remove the permissions of other users, unless the file or folder belongs to one of them."""
    with suppress(PermissionError):
        if (now := stat.S_IMODE(os.stat(path).st_mode)) & ~mode:
            os.chmod(path, now & mode)


def _folder(variable: str, *usual: str) -> str:
    place = os.environ.get(variable, "")
    if not os.path.isabs(place):  # the specification ignores relative paths
        place = os.path.join(os.path.expanduser("~"), *usual)
    return os.path.join(place, "parlour")
