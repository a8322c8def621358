"""The one way to wait for something that sends no event."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic, sleep
from typing import TypeVar

T = TypeVar("T")
PATIENCE = 20.0  # seconds; the machine may be busy, and whoever waits goes on at once when it has happened
PAUSE = 0.01


def eventually(look: Callable[[], T], what: str = "it", seconds: float = PATIENCE) -> T:
    """Call `look` until what it returns is true, and return that; fail after so many seconds."""
    end = monotonic() + seconds
    while not (seen := look()):
        assert monotonic() < end, f"waited {seconds} seconds for {what}; last seen: {seen!r}"
        sleep(PAUSE)
    return seen


async def eventually_async(look: Callable[[], T], what: str = "it", seconds: float = PATIENCE) -> T:
    """The same on an event loop, which goes on meanwhile."""
    end = monotonic() + seconds
    while not (seen := look()):
        assert monotonic() < end, f"waited {seconds} seconds for {what}; last seen: {seen!r}"
        await asyncio.sleep(PAUSE)
    return seen
