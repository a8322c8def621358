"""Tournaments with processes: outside engines, several workers, Ctrl-C."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import parlour
from parlour import tournament
from parlour.errors import ParlourError
from parlour.limit import Limit
from parlour.parallel import MAX_ATTEMPTS, ProcessExecutor, run
from parlour.rules import rules_of
from parlour.tournament import Pair, Played, pairs_of
from tests.support.eventually import eventually


def play_all(pairs: list[Pair], jobs: int, limit: Limit | None = None) -> list[Played]:
    with ProcessExecutor(jobs) if jobs > 1 else nullcontext() as executor:
        return tournament.play_all(pairs, executor, limit=limit)


STRANGERS = {
    "dies": "engine:false",
    "is not there": "engine:no-such-program-anywhere",
    "talks rubbish": f"engine:{sys.executable} -c \"print('hello')\"",
}


@pytest.mark.parametrize("word", STRANGERS.values(), ids=STRANGERS)
def test_an_engine_that_fails_has_lost_and_the_tournament_goes_on(word: str) -> None:
    pairs = pairs_of([rules_of("double-up")], [word, "random"], 2, 0, "1")
    played = play_all(pairs, 1)
    assert [game.points for game in played] == [0, 1, 0, 1]
    assert {game.how for game in played} == {"forfeited"}
    assert all(game.reason for game in played)


def test_an_engine_can_take_part() -> None:
    word = f"engine:{sys.executable} -m parlour engine --player perfect"
    pairs = pairs_of([rules_of("double-up")], [word, "random"], 1, 0, "1")
    assert [game.points for game in play_all(pairs, 1)] == [1, 0]


def test_forfeits_are_told(run: Callable[..., Any]) -> None:
    told = run(
        "tournament", "double", "--players", "random", "--players", "engine:false", "--games", "2", "--jobs", "1"
    )
    assert told.code == 0
    assert "engine:false forfeits double-up, opening 1: engine 'false' ended" in told.out


def test_the_number_of_processes_changes_nothing() -> None:
    games = [rules_of(key) for key in ("double-up", "sequence-builder")]
    pairs = pairs_of(games, ["random", "level:2", "mcts:20"], 4, 2, "5")
    alone = play_all(pairs, 1)
    assert alone == play_all(pairs, 2)
    assert alone == play_all(pairs, 2, Limit(seconds=600))
    assert play_all(pairs, 2, Limit(seconds=0)) == []


@pytest.mark.parametrize("send", [os.kill, os.killpg], ids=["to it alone", "to all, as a terminal does"])
@pytest.mark.parametrize("seconds", [0.0, 1.5], ids=["at the start", "while they search"])
def test_ctrl_c_ends_it_and_its_processes(send: Callable[[int, int], None], seconds: float) -> None:
    long = ("tournament", "increasing", "--players", "mcts:100000,mcts:99999", "--games", "100", "--jobs", "2")
    process = subprocess.Popen(
        [sys.executable, "-m", "parlour", *long],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    children = _children(process.pid, 3)  # two players and Python's own keeper of shared things
    eventually(lambda: max(map(_cpu_seconds, children)) >= seconds)
    send(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Traceback" not in out + err
    assert err.strip() == ""
    eventually(lambda: all(_gone(child) for child in children))


def _children(parent: int, number: int) -> list[int]:
    """Wait until a process has this many children."""
    if not Path("/proc/self/task").exists():
        pytest.skip("processes cannot be looked at here")
    found: list[str] = []

    def has_children() -> bool:
        found[:] = " ".join(file.read_text() for file in Path(f"/proc/{parent}/task").glob("*/children")).split()
        return len(found) >= number

    eventually(has_children)
    return [int(child) for child in found]


def _cpu_seconds(process: int) -> float:
    """Return the processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


def test_a_task_that_kills_its_process_twice_is_an_error_after_the_other_tasks(tmp_path: Path) -> None:
    """A system that runs out of memory kills processes."""
    tasks = [Deadly(tmp_path / str(number), MAX_ATTEMPTS if number == 1 else 0) for number in range(6)]
    with ProcessExecutor(2) as executor:
        results = run(survive, tasks, executor)
        assert sorted(next(results) for _ in range(5)) == [(number, str(number)) for number in (0, 2, 3, 4, 5)]
        with pytest.raises(ParlourError, match=r"^1 task ended every worker process that tried"):
            next(results)


def test_a_killed_process_costs_only_its_task(tmp_path: Path) -> None:
    tasks = [Deadly(tmp_path / str(number), 1 if number in (0, 3) else 0) for number in range(6)]
    with ProcessExecutor(2) as executor:
        assert dict(run(survive, tasks, executor)) == {number: str(number) for number in range(6)}
    attempts = [path.read_text() for path in sorted(tmp_path.iterdir())]
    assert attempts == ["xx", "x", "x", "xx", "x", "x"]


def test_any_executor_plays_the_same_tournament() -> None:
    alone = parlour.play_tournament("double-up", ["random", "level:2"], openings=4)
    for executor in (ThreadPoolExecutor(2), ProcessPoolExecutor(2, multiprocessing.get_context("spawn"))):
        with executor:
            found = parlour.play_tournament("double-up", ["random", "level:2"], openings=4, executor=executor)
        assert found.results == alone.results


def test_a_broken_process_pool_is_one_error() -> None:
    pairs = pairs_of([rules_of("double-up")], ["random", "level:1"], 4, 0, "1")
    with (
        ProcessPoolExecutor(2, multiprocessing.get_context("spawn"), initializer=os._exit, initargs=(1,)) as executor,
        pytest.raises(ParlourError, match="ended every worker process"),
    ):
        tournament.play_all(pairs, executor)


class Deadly(NamedTuple):
    """A task that kills its process in its first attempts."""

    path: Path
    deaths: int


def survive(task: Deadly) -> str:
    with task.path.open("a") as file:
        file.write("x")
    if len(task.path.read_text()) <= task.deaths:
        os._exit(1)
    return task.path.name
