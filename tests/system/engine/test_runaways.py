"""Nothing of an engine's process group outlives it. All of them are real processes."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from parlour import players
from parlour.errors import EngineFailed
from parlour.match import new_match
from parlour.players.engine import EnginePlayer
from tests.support.command import command as parlour_command
from tests.support.command import run_parlour
from tests.support.engines import RUNAWAY
from tests.support.eventually import eventually

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process group is all that can be ended")


def command(mode: str, log: Path) -> str:
    log.touch()
    return shlex.join([sys.executable, "-IS", str(RUNAWAY), mode, str(log)])


def left_behind(log: Path) -> list[int]:
    """The processes with this log in their command line that still run, whoever is their parent."""
    found = []
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = line.read_bytes().split(b"\0")
            state = line.with_name("stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if os.fsencode(log) in words and state != "Z":
            found.append(int(line.parent.name))
    return found


def nothing_is_left(log: Path) -> bool:
    """Wait until none of them is left; kill those that stay."""
    try:
        return eventually(lambda: not left_behind(log), "the end of all processes", 5)
    finally:
        for process in left_behind(log):
            os.kill(process, signal.SIGKILL)


@pytest.mark.parametrize("mode", ["plain child", "daemon", "deaf to signals"])
def test_what_an_engine_has_started_ends_with_it(mode: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    player = EnginePlayer(command(mode, log))
    assert player.choose(new_match("double-up"), Random(1)) == 2
    assert len(left_behind(log)) >= 2, "the child runs"
    player.close()
    assert nothing_is_left(log)


@pytest.mark.parametrize("mode", ["ends itself", "holds the output"])
def test_and_if_it_fails(mode: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    player = EnginePlayer(command(mode, log))
    with pytest.raises(EngineFailed, match=r"ended with exit code 3$"):
        player.choose(new_match("double-up"), Random(1))
    assert log.read_text(), "the child has run"
    assert nothing_is_left(log)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_nothing_is_left_when_a_signal_ends_parlour(number: signal.Signals, tmp_path: Path) -> None:
    log = tmp_path / "log"
    words = ("play", "double-up", "--p1", f"engine:{command('deaf to signals', log)}", "--p2", "human", "--json")
    pipe = subprocess.PIPE
    with subprocess.Popen(parlour_command(*words), stdin=pipe, stdout=pipe, stderr=pipe, text=True) as playing:
        assert playing.stdout is not None
        assert any('"event": "move"' in line for line in iter(playing.stdout.readline, ""))
        assert len(left_behind(log)) == 2
        playing.send_signal(number)
        assert playing.wait(20) == (130 if number == signal.SIGINT else -number)
    assert nothing_is_left(log)


def test_handlers_of_signals_are_called_and_restored(tmp_path: Path) -> None:
    received: list[int] = []

    def receive(signum: int, frame: object) -> None:
        received.append(signum)

    before = signal.signal(signal.SIGTERM, receive)
    try:
        logs = [tmp_path / "first", tmp_path / "second"]
        engines = [EnginePlayer(command("deaf to signals", log)) for log in logs]
        for player in engines:
            player.choose(new_match("double-up"), Random(1))
        signal.raise_signal(signal.SIGTERM)
        assert received == [signal.SIGTERM]
        assert all(nothing_is_left(log) for log in logs)
        for player in engines:
            player.close()
        assert signal.getsignal(signal.SIGTERM) is receive
    finally:
        signal.signal(signal.SIGTERM, before)


# Before the game.


@pytest.fixture
def unstartable(tmp_path: Path) -> dict[str, tuple[str, str]]:
    """Commands that cannot be started, and why."""
    plain, foreign, orphan = tmp_path / "plain", tmp_path / "foreign", tmp_path / "orphan"
    plain.write_text("#!/bin/sh\n")
    foreign.write_bytes(b"\x7fELF\x00\x00 of another machine")
    orphan.write_text("#!/no/such/interpreter\n")
    foreign.chmod(0o755)
    orphan.chmod(0o755)
    return {
        "missing": ("no-such-program", "No such file or directory"),
        "not executable": (str(plain), "Permission denied"),
        "a directory": ("/", "Permission denied"),
        "another machine's": (str(foreign), "Exec format error"),
        "no interpreter": (str(orphan), "No such file or directory"),
    }


@pytest.mark.parametrize("kind", ["missing", "not executable", "a directory", "another machine's", "no interpreter"])
def test_what_cannot_be_started_is_known_before(kind: str, unstartable: dict[str, tuple[str, str]]) -> None:
    word, reason = unstartable[kind]
    with pytest.raises(EngineFailed, match=f"cannot be started: {reason}$"):
        players.check_start(f"engine:{word}")


def test_no_game_is_begun_with_it() -> None:
    told = run_parlour("play", "double-up", "--p1", "random", "--p2", "engine:no-such-program")
    assert (told.out, told.code) == ("", 1)
    assert told.err == "parlour: engine 'no-such-program' cannot be started: No such file or directory\n"
    assert "No games yet" in run_parlour("games").out
    told = run_parlour("tournament", "double-up", "--players", "random", "--players", "engine:no-such-program")
    assert (told.out, told.code) == ("", 1)
    assert told.err == "parlour: engine 'no-such-program' cannot be started: No such file or directory\n"


def test_a_game_that_goes_on_is_left_as_it_is(tmp_path: Path) -> None:
    engine = tmp_path / "engine"
    engine.write_text(f"#!/bin/sh\nexec {command('plain child', tmp_path / 'log')}\n")
    engine.chmod(0o755)
    run_parlour("play", "double-up", "--p1", f"engine:{engine}", stdin="")
    before = run_parlour("export", "1").out
    engine.unlink()
    told = run_parlour("resume", "1")
    assert (told.out, told.code) == ("", 1)
    assert "cannot be started: No such file or directory" in told.err
    assert run_parlour("export", "1").out == before, "nobody has forfeited it"


def test_a_program_that_can_be_started_is_asked_nothing_before_the_game(tmp_path: Path) -> None:
    log = tmp_path / "log"
    players.check_start(f"engine:{command('plain child', log)}")
    assert log.read_text() == ""
    assert nothing_is_left(log)
    players.check_start("random")
    players.check_start("human")
