"""Tables on disk that several processes write, or that a process leaves behind when it is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest


def start(*arguments: str, cache: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    command = [sys.executable, "-m", "parlour", "tabulate", *arguments, "--json"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def test_two_processes_can_make_the_same_table_at_once(tmp_path: Path) -> None:
    both = [start("sequence-builder", "--pool", "14", cache=tmp_path) for _ in range(2)]
    told = [process.communicate(timeout=60) for process in both]
    assert [process.returncode for process in both] == [0, 0], told
    assert told[0][0] == told[1][0]
    assert len(list((tmp_path / "parlour" / "tables").iterdir())) == 1


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_interrupted_work_leaves_nothing_half_written(tmp_path: Path, end: signal.Signals) -> None:
    process = start("increasing-differences", "--length", "5", "--range", "22", cache=tmp_path)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(timeout=2.5)
    process.send_signal(end)
    _, complaint = process.communicate(timeout=60)
    assert process.returncode == (-9 if end == signal.SIGKILL else 130)
    assert "Traceback" not in complaint
    assert not list(tmp_path.rglob("*.table"))
