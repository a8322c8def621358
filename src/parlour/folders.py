"""Where Parlour keeps its files, as the XDG base directory specification says, and that nobody else reads them."""

from __future__ import annotations

import os
import stat
from contextlib import suppress


def state_folder(*below: str) -> str:
    """What must not be lost: the games played at the terminal, the matches of the web; or a folder below that.

    It is made if it is not there yet, and is for its owner alone, whatever it was before. OSError if it cannot be made.
    """
    path = _folder("XDG_STATE_HOME", ".local", "state")
    for name in ("", *below):
        path = os.path.join(path, name) if name else path
        os.makedirs(path, mode=0o700, exist_ok=True)
        _narrow(path, 0o700)
    return path


def config_file() -> str:
    """What somebody has set up for all their games; it need not be there."""
    return os.path.join(_folder("XDG_CONFIG_HOME", ".config"), "config.toml")


def cache_folder() -> str:
    """What can be made again."""
    return _folder("XDG_CACHE_HOME", ".cache")


def make_private(path: str) -> None:
    """Let a file be for its owner alone; it is made if it is not there yet. OSError if that cannot be done."""
    os.close(os.open(path, os.O_CREAT | os.O_RDONLY | getattr(os, "O_CLOEXEC", 0), 0o600))
    _narrow(path, 0o600)


def _narrow(path: str, mode: int) -> None:
    """Take away what others may do with a file or folder. One that belongs to somebody else stays as it is."""
    with suppress(PermissionError):
        if (now := stat.S_IMODE(os.stat(path).st_mode)) & ~mode:
            os.chmod(path, now & mode)


def _folder(variable: str, *usual: str) -> str:
    place = os.environ.get(variable, "")
    if not os.path.isabs(place):  # then it does not count
        place = os.path.join(os.path.expanduser("~"), *usual)
    return os.path.join(place, "parlour")
