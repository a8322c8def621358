"""``parlour sweep`` as processes: the next run continues after any kill; interruptions; the progress bar."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random

from parlour.lab.measures import Row
from tests.support.command import Run, command
from tests.support.eventually import eventually
from tests.support.sweeps import rows_in, wait_for_writes
from tests.support.terminal import Person

LONGER = ("sweep", "increasing-differences", "--length", "3-5", "--range", "6-11", "--measure", "value,decisions")


def children_of(process: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text()
        except OSError:  # it has just ended
            continue
        if int(text.rpartition(")")[2].split()[1]) == process:
            found.append(int(stat.parent.name))
    return found


def wait_until_gone(processes: list[int]) -> None:
    eventually(
        lambda: not any(Path(f"/proc/{process}").exists() for process in processes), "the end of the worker processes"
    )


def test_a_killed_sweep_is_continued_and_nothing_is_measured_twice(tmp_path: Path, run: Callable[..., Run]) -> None:
    path, random = tmp_path / "rows.sqlite", Random(3)
    kept: dict[str, Row] = {}
    kills = 0
    while True:
        running = subprocess.Popen(
            command(*LONGER, "--jobs", "2", "-o", str(path)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        wait_for_writes(path, random.randint(4, 8), running)
        workers = children_of(running.pid)
        done = running.poll() is not None
        running.send_signal(signal.SIGKILL)
        running.wait()
        wait_until_gone(workers)
        found = rows_in(path)
        assert found.items() >= kept.items(), "a row was lost, or measured again"
        kept = found
        if done:
            break
        kills += 1
    assert kills > 0
    assert len(kept) == 18
    whole = tmp_path / "whole.sqlite"
    assert run(*LONGER, "--jobs", "1", "-o", str(whole)).code == 0
    assert {row.digest for row in rows_in(whole).values()} == {row.digest for row in kept.values()}


def test_ctrl_c_says_that_finished_rows_are_saved(tmp_path: Path) -> None:
    path = tmp_path / "rows.sqlite"
    call = ("sweep", "increasing-differences", "--length", "3-8", "--range", "8-24", "--jobs", "2", "-o", str(path))
    running = subprocess.Popen(
        command(*call), stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, text=True
    )
    workers = eventually(lambda: children if len(children := children_of(running.pid)) >= 2 else [], "two workers")
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=30)
    assert running.returncode == 130
    assert f"every finished row is in {path}; the same command resumes" in said
    assert "Traceback" not in said
    wait_until_gone(workers)


def test_at_a_terminal_a_bar_shows_how_far_it_is_and_how_long_it_will_take(terminal: Callable[..., Person]) -> None:
    person = terminal("sweep", "increasing-differences", "--length", "4-5", "--range", "8-11", "--jobs", "1")
    assert re.search(r"about \d+ s left", person.sees("left"))
    said, code = person.leaves()
    assert "8 rows" in said
    assert code == 0
