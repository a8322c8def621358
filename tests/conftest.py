"""What every test has: a state directory of its own, a plain environment, and the command."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from random import Random

import pytest

from parlour import catalog
from parlour.match import Match
from parlour.rules import read_rules
from parlour.setup import Setup
from tests.support.command import Run, run_parlour
from tests.support.postgres import postgres_server, postgres_url
from tests.support.server import client, serve, server
from tests.support.terminal import Person

__all__ = ["client", "postgres_server", "postgres_url", "serve", "server"]

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


def pytest_configure() -> None:
    os.environ["PARLOUR_COLD"] = "1"  # or every server of every test would search all games
    for name in ("SIGINT", "SIGHUP", "SIGQUIT"):  # ignored in background jobs and under nohup, and so by our children
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler if name == "SIGINT" else signal.SIG_DFL)


HOMES = count()


@pytest.fixture(autouse=True)
def state(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The saved-games folder of one test. It does not exist until something is saved."""
    home = tmp_path_factory.getbasetemp() / f"home{next(HOMES)}"
    for name in UNWANTED:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    return home / "state" / "parlour" / "games"


@pytest.fixture(scope="session")
def run() -> Callable[..., Run]:
    """Runs `parlour` with arguments and typed text, and returns what it wrote and its exit code."""
    return run_parlour


@pytest.fixture(scope="session")
def whole_game() -> Callable[..., list[str]]:
    """Makes up the inputs of a whole game, one for every choice a person has; passes are not typed."""

    def make(key: str, seed: int = 1, **texts: str) -> list[str]:
        game, random = catalog.find_game(key), Random(seed)
        match = Match(Setup(read_rules(game, texts), seed=str(seed)))
        typed = []
        while match.outcome is None:
            if match.between_rounds:
                match.next_round()
                continue
            move = random.choice(match.legal_moves)
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
        person.end()
