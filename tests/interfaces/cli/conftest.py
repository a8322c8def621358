"""Fixtures of the command-line tests."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest

from tests.support.terminal import MemoryPerson, memory_terminals


@pytest.fixture(autouse=True)
def unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave saved games to the operating system's write cache: no test here cuts the power."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


@pytest.fixture
def terminal() -> Iterator[Callable[..., MemoryPerson]]:
    """Start `parlour` at a terminal in memory."""
    with memory_terminals() as sit_down:
        yield sit_down
