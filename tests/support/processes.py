"""Processes of this machine, as Linux lists them."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path


def children(process: int) -> list[int]:
    """The processes that one has started, and that still run."""
    found = []
    with suppress(OSError):
        for thread in Path(f"/proc/{process}/task").iterdir():
            with suppress(OSError):
                found += [int(child) for child in (thread / "children").read_text().split()]
    return found
