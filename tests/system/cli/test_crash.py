"""A kill at any instant loses nothing that was told: real processes, real signals, torn files, two at one game."""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from parlour import saves
from parlour.game import PASS
from parlour.match import MOVE, Match
from tests.support.command import Run, command

Runner = Callable[..., Run]
Process = subprocess.Popen[bytes]

SELECTION = b"Enter your selection: "
CHOICE = re.compile(rb"^> (\d+)\n", re.MULTILINE)


@contextmanager
def started(*arguments: str, **options: Any) -> Iterator[Process]:
    """A process that writes every word at once, so that nothing told is still on its way when it is killed."""
    child = subprocess.Popen(
        command(*arguments),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        **options,
    )
    try:
        yield child
    finally:
        child.kill()
        child.communicate()


def write(child: Process, *lines: str) -> None:
    assert child.stdin
    child.stdin.write("".join(f"{line}\n" for line in lines).encode())


def read_bytes(child: Process, least: int) -> bytes:
    """At least so much of what the process tells."""
    assert child.stdout
    told = b""
    while len(told) < least:
        more = os.read(child.stdout.fileno(), 4096)
        assert more, f"it ended after {told!r}"
        told += more
    return told


def read_until(child: Process, text: bytes) -> None:
    """Wait until the process has told this."""
    told = b""
    while text not in told:
        told += read_bytes(child, 1)


def killed(child: Process) -> bytes:
    """Kill it; what it told up to then that was not read yet."""
    child.kill()
    assert child.stdout
    rest = child.stdout.read()
    assert child.wait() in (-signal.SIGKILL, 0)  # it may have been quicker
    return rest or b""


def played(match: Match) -> list[int]:
    return [action.move for action in match.log if action.kind == MOVE]


# Kills.


@pytest.mark.parametrize("count", [0, 1, 2, 7])
def test_killed_right_after_a_move_was_told(run: Runner, count: int) -> None:
    moves = ["2", "4", "8", "16", "17", "34", "50"][:count]
    with started("play", "double-up") as child:
        read_until(child, SELECTION)
        for at, move in enumerate(moves, 1):
            write(child, move)
            read_until(child, f"Sequence Updated: [1, {', '.join(moves[:at])}]".encode())
        killed(child)
    assert played(saves.load(1)) == [int(move) for move in moves]
    resumed = run("resume", "1")
    assert resumed.code == 1
    assert f"Last Number (N): {moves[-1] if moves else 1}\n" in resumed.out


@pytest.mark.parametrize("seed", range(5))
def test_killed_while_moves_come_quickly(run: Runner, seed: int) -> None:
    """A whole game is typed at once; the process dies after a random number of told bytes."""
    random = Random(seed)
    typed = [str(number) for number in range(2, 201)]
    with started("play", "double-up", "--limit", "300", "--json") as child:
        write(child, *typed)
        told = read_bytes(child, random.randrange(300, 25_000)) + killed(child)
    events = [json.loads(line) for line in told.split(b"\n")[:-1]]
    announced = [event["move"] for event in events if event["event"] == "move"]
    kept = [str(move) for move in played(saves.load(1))]
    assert kept[: len(announced)] == announced, "a move was told and is lost"
    assert kept == typed[: len(kept)]
    assert 0 < len(announced) <= len(kept) < len(typed), "the kill came too late or too early to prove anything"
    resumed = run("resume", "1", "--json", stdin="".join(f"{move}\n" for move in typed[len(kept) :]))
    assert resumed.code == 1
    assert [str(move) for move in played(saves.load(1))] == typed


@pytest.mark.parametrize("seed", range(3))
def test_killed_while_moves_are_taken_back(seed: int) -> None:
    random = Random(seed)
    typed = [line for number in range(2, 80) for line in (str(number), "undo", str(number))]
    with started("play", "double-up", "--json") as child:
        write(child, *typed)
        told = read_bytes(child, random.randrange(500, 15_000)) + killed(child)
    events = [json.loads(line) for line in told.split(b"\n")[:-1]]
    announced = [event.get("move", "undo") for event in events if event["event"] in ("move", "undo")]
    kept = [str(action.move) if action.kind == MOVE else "undo" for action in saves.load(1).log]
    assert announced
    assert kept[: len(announced)] == announced
    assert kept == typed[: len(kept)]


@pytest.mark.parametrize("choices", [1, 2, 3, 5, 8, 13, 19])
def test_killed_while_computers_play(choices: int) -> None:
    """The process dies when it has shown so many choices."""
    call = ("play", "pyramid", "--base", "10", "--p1", "random", "--p2", "random", "--seed", str(choices))
    with started(*call) as child:
        told = b""
        while len(CHOICE.findall(told)) < choices:
            told += read_bytes(child, 1)
        told += killed(child)
    shown = [int(choice) for choice in CHOICE.findall(told)]
    kept = [move for move in played(saves.load(1)) if move != PASS]
    assert kept[: len(shown)] == shown, "a choice was shown and is lost"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_other_ends_keep_the_game_too(run: Runner, number: int) -> None:
    with started("play", "double-up") as child:
        write(child, "2", "3")
        read_until(child, b"Sequence Updated: [1, 2, 3]")
        child.send_signal(number)
        child.wait(10)
    assert played(saves.load(1)) == [2, 3]
    assert "Last Number (N): 3" in run("resume").out


def test_an_interrupt_on_a_pipe() -> None:
    with started("play", "double-up") as child:
        write(child, "2")
        read_until(child, b"Last Number (N): 2")
        child.send_signal(signal.SIGINT)
        _, err = child.communicate(timeout=10)
    assert child.returncode == 130
    assert err.decode() == "Game 1 is saved. Resume it with: parlour resume 1\n"


def test_a_kill_at_the_very_end_leaves_a_whole_game(run: Runner) -> None:
    for number in range(1, 7):
        with started("play", "double-up", "--limit", "3", "--json") as child:
            write(child, "2", "3")
            read_until(child, [b'"ply": 1', b'"move": "3"', b'"result"'][number % 3])
            child.kill()
    for game in json.loads(run("games", "--json").out):
        assert "damaged" not in game
        assert (game["moves"], game["result"]) in ((1, "*"), (2, "0-1"))


# Torn files.


# Two at one game.


def test_the_second_to_resume_a_game_is_refused(run: Runner) -> None:
    run("play", "double-up", stdin="2\n")
    with started("resume", "1") as first:
        read_until(first, SELECTION)
        second = run("resume", "1", stdin="3\n")
        assert second.code == 1
        assert second.out == ""
        assert second.err == "parlour: game 1 is open at another terminal\n"
        assert run("export", "1").code == run("games").code == run("replay", "1").code == 0
        write(first, "4")
        read_until(first, b"Sequence Updated: [1, 2, 4]")
        killed(first)
    assert "Last Number (N): 4" in run("resume", "1").out


def test_a_new_game_is_locked_as_well(run: Runner) -> None:
    with started("play", "double-up") as first:
        read_until(first, SELECTION)
        assert run("resume", "1").err == "parlour: game 1 is open at another terminal\n"


def test_games_begun_at_once_get_numbers_of_their_own(run: Runner) -> None:
    children = [
        subprocess.Popen(
            command("play", "double-up", "--json"),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(os.environ),
        )
        for _ in range(10)
    ]
    numbers = [json.loads(child.communicate()[0].splitlines()[0])["id"] for child in children]
    assert sorted(numbers) == list(range(1, 11))
    assert len(json.loads(run("games", "--json").out)) == 10


# Nowhere to keep a game.


def with_little_room(size: int, *arguments: str, stdin: str = "") -> Run:
    """Run it where no file can grow beyond this size, as on a full disk."""
    done = subprocess.run(
        command(*arguments),
        input=stdin,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr
    return Run(done.stdout, done.stderr, done.returncode)


def test_a_disk_that_fills_up_in_mid_game(run: Runner, state: Path) -> None:
    run("play", "double-up", stdin="2\n4\n")
    size = (state / "1.parlour").stat().st_size
    told = with_little_room(size + 8, "resume", "1", stdin="8\n16\n32\n64\n")  # enough for one move
    assert told.err.startswith("parlour: ")
    assert told.err.count("\n") <= 2
    # What was told before the trouble is there, and the game can be gone on with.
    assert played(saves.load(1))[:3] == [2, 4, 8]
    assert "Sequence Updated: [1, 2, 4, 8]" in told.out
    assert run("resume", "1", stdin="16\n").code == 1
    assert 16 in played(saves.load(1))


@pytest.mark.parametrize("room", range(3))
def test_what_a_computer_chooses_is_shown_only_when_it_is_kept(run: Runner, state: Path, room: int) -> None:
    """The disk has room for the head of the record and so many moves."""
    call = ("play", "double-up", "--p1", "random", "--p2", "random", "--seed", "1")
    run(*call)
    head, actions = (state / "1.parlour").read_text().replace('"1-0"', '"*"').replace('"0-1"', '"*"').split("\n\n")
    size = len(f"{head}\n\n") + sum(len(f"{line}\n") for line in actions.splitlines()[:room])
    told = with_little_room(size, *call)
    shown = [int(choice) for choice in re.findall(r"Enter your selection: (\d+)", told.out)]
    assert shown == played(saves.load(2))
    assert len(shown) == room
