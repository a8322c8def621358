"""Sweeps in processes: how far they are, and the rows in their files."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from parlour.lab.measures import Row
from parlour.lab.results import read_results
from tests.support.eventually import eventually


def rows_in(path: Path) -> dict[str, Row]:
    with read_results(str(path)) as results:
        return {row.words: row for row in results}


def wait_for_writes(path: Path, number: int, running: subprocess.Popen[Any]) -> None:
    """Wait until a running sweep has changed its file this many times, or has ended; its rows are locked meanwhile."""
    times = {path.stat().st_mtime_ns} if path.exists() else set[int]()

    def changed() -> bool:
        if path.exists():
            times.add(path.stat().st_mtime_ns)
        return len(times) > number or running.poll() is not None

    eventually(changed, f"{number} changes of {path}", seconds=60)
