"""The one way to wait for something that sends no event."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic, sleep
from typing import TypeVar

T = TypeVar("T")
TIMEOUT = 20.0  # seconds; long, because the machine may be busy, and the wait ends as soon as the condition holds
PAUSE = 0.01


def eventually(look: Callable[[], T], what: str = "it", seconds: float = TIMEOUT) -> T:
    """Call `look` until it returns a true value, and return that value; fail after this many seconds."""
    end = monotonic() + seconds
    while not (seen := look()):
        assert monotonic() < end, f"waited {seconds} seconds for {what}; last seen: {seen!r}"
        sleep(PAUSE)
    return seen


async def eventually_async(look: Callable[[], T], what: str = "it", seconds: float = TIMEOUT) -> T:
    """Do the same without blocking the event loop."""
    end = monotonic() + seconds
    while not (seen := look()):
        assert monotonic() < end, f"waited {seconds} seconds for {what}; last seen: {seen!r}"
        await asyncio.sleep(PAUSE)
    return seen
