"""Searches, random games and games in lock-step, written once over any game's rules: as they stand, or compiled."""

from importlib.util import find_spec


def can_compile() -> bool:
    """Whether Numba is installed (it comes with the extra ``fast``)."""
    return find_spec("numba") is not None
