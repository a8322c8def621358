"""The terminal in memory and the command in process: they leave nothing behind, and fail where they should."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from parlour import cli
from tests.support.command import Run, run_parlour
from tests.support.terminal import MemoryPerson

Terminal = Callable[..., MemoryPerson]
Runner = Callable[..., Run]


def world() -> tuple[object, ...]:
    """What belongs to the whole process."""
    handlers = tuple(signal.getsignal(number) for number in signal.valid_signals())
    streams = sys.stdin, sys.stdout, sys.stderr, sys.__stdout__, sys.argv, sys.modules.get("readline")
    return *handlers, *streams, os.getcwd(), dict(os.environ), signal.signal, os.get_terminal_size


def test_a_terminal_in_memory_leaves_the_process_as_it_was(terminal: Terminal, run: Runner) -> None:
    before = world()
    ann = terminal("play", "double-up", "--p2", "random", "--seed", "1", NO_COLOR="1")
    assert world() == before
    ben = terminal("play", "spot", columns=120)
    ann.asked()
    ann.types("2")
    assert run("games", "--json").code == 0, "while two commands wait at their terminals"
    ben.asked()
    assert ben.leaves("\x03")[1] == 130
    ann.asked()
    assert ann.leaves("quit\r")[1] == 0
    assert world() == before


def test_a_command_that_is_left_at_its_prompt_is_ended(terminal: Terminal) -> None:
    before = set(threading.enumerate())
    person = terminal("play", "double-up")
    (thread,) = set(threading.enumerate()) - before
    person.close()
    assert not thread.is_alive()


def test_an_unexpected_exception_reaches_the_test(
    terminal: Terminal, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**options: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(cli.parlour, "main", fail)
    with pytest.raises(ZeroDivisionError):
        terminal("list")
    with pytest.raises(ZeroDivisionError):
        run("list")


def test_a_text_that_does_not_appear_fails_at_once(terminal: Terminal) -> None:
    person = terminal("play", "double-up")
    with pytest.raises(AssertionError, match="'chess' is not in"):
        person.sees("chess")
    with pytest.raises(AssertionError, match="it does not end"):
        person.leaves("help\r")


def test_the_command_in_process_leaves_the_process_as_it_was(run: Runner, tmp_path: Path) -> None:
    before = world()
    assert run("play", "double-up", stdin="2\n", env={"COLUMNS": "40"}, cwd=tmp_path).code == 1
    assert run("nonsense").code == 2
    assert world() == before


def test_the_command_in_process_is_for_the_main_thread() -> None:
    with ThreadPoolExecutor(1) as pool, pytest.raises(AssertionError, match="main thread"):
        pool.submit(run_parlour, "list").result()
