"""The history of the prompt is a private file."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

from tests.support.terminal import Person


def test_the_history_is_private(state: Path, terminal: Callable[..., Person]) -> None:
    person = terminal("play", "double-up")
    person.asked()
    person.types("2")
    person.asked()
    person.leaves("\x04")
    for name, mode in (("", 0o700), ("history", 0o600), ("games/1.parlour", 0o600)):
        assert stat.S_IMODE((state.parent / name).stat().st_mode) == mode, name
