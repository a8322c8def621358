"""Fixtures of the command-line tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.support.terminal import MemoryPerson, memory_terminals


@pytest.fixture
def terminal() -> Iterator[Callable[..., MemoryPerson]]:
    """Start `parlour` at a terminal in memory."""
    with memory_terminals() as sit_down:
        yield sit_down
