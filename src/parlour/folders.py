"""Parlour's private files and folders, in the places of the XDG base directory specification."""

from __future__ import annotations

import os
import stat
from contextlib import suppress


def state_folder(*below: str) -> str:
    """Create and return the folder of saved games and matches, or a folder below it; only its owner can read it.

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
    """Return the path of the preferences; the file may be missing."""
    return os.path.join(_folder("XDG_CONFIG_HOME", ".config"), "config.toml")


def cache_folder() -> str:
    """Return the path of the cache."""
    return _folder("XDG_CACHE_HOME", ".cache")


def make_private(path: str) -> None:
    """Create a file if it is missing, and make it readable by its owner only.

    Raises:
        OSError: it cannot be created.
    """
    os.close(os.open(path, os.O_CREAT | os.O_RDONLY | getattr(os, "O_CLOEXEC", 0), 0o600))
    _narrow(path, 0o600)


def _narrow(path: str, mode: int) -> None:
    """Remove other users' permissions from a file or folder, if it is our own."""
    with suppress(PermissionError):
        if (now := stat.S_IMODE(os.stat(path).st_mode)) & ~mode:
            os.chmod(path, now & mode)


def _folder(variable: str, *usual: str) -> str:
    place = os.environ.get(variable, "")
    if not os.path.isabs(place):  # the specification ignores relative paths
        place = os.path.join(os.path.expanduser("~"), *usual)
    return os.path.join(place, "parlour")
