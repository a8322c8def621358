"""What every test stands on: a state directory of its own, a plain environment, and the command as a real process."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from parlour import catalog
from parlour.match import Match, Setup
from parlour.rules import read_rules

# What a terminal, a shell or a test machine may have set, and no test is to depend on.
UNWANTED = (
    "PARLOUR_PLAIN",
    "NO_COLOR",
    "FORCE_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "LINES",
    "PYTHONUNBUFFERED",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONIOENCODING",
    "INPUTRC",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the long proofs too")


def pytest_configure() -> None:
    os.environ["PARLOUR_COLD"] = "1"  # or every server of every test would search all games


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--slow"):
        for item in items:
            if "slow" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="a long proof: --slow runs it"))


class Run(NamedTuple):
    """What one process left behind."""

    out: str
    err: str
    code: int


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "parlour", *arguments]


def run_parlour(
    *arguments: str, stdin: str | bytes = "", env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> Run:
    """One `parlour` process from beginning to end. Whatever it is asked, it shows no traceback."""
    done = subprocess.run(
        command(*arguments),
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        env={**os.environ, **(env or {})},
        cwd=cwd,
        timeout=60,
        check=False,
    )
    out, err = done.stdout.decode(), done.stderr.decode()
    assert "Traceback" not in out + err, out + err
    return Run(out, err, done.returncode)


ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Person:
    """Somebody who types at a terminal and reads what it shows."""

    def __init__(self, arguments: tuple[str, ...], environment: dict[str, str], columns: int, rows: int) -> None:
        import pexpect

        program, *rest = command(*arguments)
        self.seen = io.StringIO()
        self.child = pexpect.spawn(
            program,
            rest,
            env=environment,
            encoding="utf-8",
            codec_errors="replace",
            timeout=30,
            dimensions=(rows, columns),
        )
        self.child.delaybeforesend = None
        self.child.ptyproc.delayafterclose = self.child.ptyproc.delayafterterminate = 0.01
        self.child.logfile_read = self.seen
        self._size = columns, rows
        self._emulator: Any = None

    def sees(self, *texts: str) -> str:
        """Wait until all these texts have appeared, in this order; everything that came with them."""
        told = ""
        for text in texts:
            characters = ("\r\n" if character == "\n" else re.escape(character) for character in text)
            self.child.expect(f"(?:{ESCAPE.pattern})*".join(characters))
            told += self.child.before + self.child.after
        return plain(told)

    def asked(self) -> None:
        """Wait for the next question for a move."""
        self.sees("turn:")
        self.sees_prompt()

    def sees_prompt(self) -> None:
        """Wait until something can be typed at the table."""
        self.child.expect(f"\\r\\n(?:{ESCAPE.pattern})*(?:\\(Enter, or undo\\) )?> ")

    def types(self, line: str) -> None:
        self.child.send(line + "\r")

    def presses(self, keys: str) -> None:
        self.child.send(keys)

    def leaves(self, keys: str = "") -> tuple[str, int | None]:
        """Press these keys and wait until the process has ended: what it wrote last, and its exit code.

        They are pressed again if nothing happens: readline overlooks a Ctrl-C in the instant before it listens.
        """
        import pexpect

        for _ in range(3):
            self.presses(keys)
            if self.child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=4 if keys else 10) == 0:
                break
        else:
            raise AssertionError(f"it does not end: {self.child.before!r}")
        self.child.close()
        assert "Traceback" not in self.seen.getvalue()
        return plain(self.child.before), self.child.exitstatus

    def resizes(self, columns: int, rows: int) -> None:
        """Drag the window to another size."""
        self.display()  # what was written before is what the window had then
        self._emulator[0].resize(rows, columns)
        self.child.setwinsize(rows, columns)

    def display(self) -> list[str]:
        """What stands on the screen now, by a terminal's own reading of all that was sent to it."""
        import pyte

        if self._emulator is None:
            screen = pyte.HistoryScreen(*self._size, history=5000)
            self._emulator = screen, pyte.Stream(screen), [0]
        screen, stream, fed = self._emulator
        text = self.seen.getvalue()
        stream.feed(text[fed[0] :])
        fed[0] = len(text)
        lines = [line.rstrip() for line in screen.display]
        while lines and not lines[-1]:
            lines.pop()
        return lines

    def scrollback(self) -> list[str]:
        """What has left the screen at the top, and what stands there."""
        lines = self.display()
        history = self._emulator[0].history.top
        columns = self._emulator[0].columns
        return ["".join(line[x].data for x in range(columns)).rstrip() for line in history] + lines

    @property
    def raw(self) -> str:
        """All that the terminal was sent, colours included."""
        return self.seen.getvalue()


def plain(text: str) -> str:
    """What a terminal shows of a text: no colours, plain line ends."""
    return ESCAPE.sub("", text).replace("\r\n", "\n")


@pytest.fixture(scope="session")
def kernels(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where all processes, of later runs too, keep what they have compiled: it depends on nothing but what is in it."""
    kept = getattr(request.config, "cache", None)  # none, where pytest is told to keep nothing
    return str((kept.mkdir("parlour") if kept else tmp_path_factory.mktemp("parlour")) / "kernels")


@pytest.fixture(autouse=True)
def state(tmp_path: Path, kernels: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state directory for this test alone; here is where its games will be kept."""
    for name in UNWANTED:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PARLOUR_KERNELS", kernels)
    return tmp_path / "state" / "parlour" / "games"


@pytest.fixture(scope="session")
def run() -> Callable[..., Run]:
    """Runs `parlour` with arguments and typed text, and returns what it wrote and its exit code."""
    return run_parlour


@pytest.fixture(scope="session")
def whole_game() -> Callable[..., list[str]]:
    """Makes up the inputs of a whole game, one for every choice a person has; passes are not typed."""

    def make(key: str, seed: int = 1, **texts: str) -> list[str]:
        game, random = catalog.find_game(key), Random(seed)
        match = Match(Setup(game, read_rules(game, texts).options, seed=str(seed)))
        typed = []
        while match.outcome is None:
            if match.between_rounds:
                match.next_round()
                continue
            move = random.choice(match.legal)
            if move:
                typed.append(match.rules.name(move))
            match.play(move)
        return typed

    return make


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Callable[..., Person]]:
    """Starts `parlour` at a terminal of 80 columns and 24 rows."""
    pytest.importorskip("pexpect")
    inputrc = tmp_path / "inputrc"
    inputrc.write_text("set enable-bracketed-paste off\nset bell-style none\n")
    people: list[Person] = []

    def sit_down(*arguments: str, columns: int = 80, rows: int = 24, **environment: str) -> Person:
        person = Person(arguments, {**os.environ, "INPUTRC": str(inputrc), **environment}, columns, rows)
        people.append(person)
        return person

    yield sit_down
    for person in people:
        person.child.close(force=True)
