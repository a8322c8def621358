"""Where Parlour keeps its files, as the XDG base directory specification says."""

from __future__ import annotations

import os


def state_folder() -> str:
    """What must not be lost: the games played at the terminal, the matches of the web."""
    return _folder("XDG_STATE_HOME", ".local", "state")


def cache_folder() -> str:
    """What can be made again."""
    return _folder("XDG_CACHE_HOME", ".cache")


def _folder(variable: str, *usual: str) -> str:
    place = os.environ.get(variable, "")
    if not os.path.isabs(place):  # then it does not count
        place = os.path.join(os.path.expanduser("~"), *usual)
    return os.path.join(place, "parlour")
