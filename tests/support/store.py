"""Stores for tests. Their database is SQLite, or PostgreSQL where PARLOUR_TEST_DATABASE is "postgresql"."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from sqlalchemy import inspect, make_url, text

from parlour.store import Store, StoredMatch, open_store
from parlour.store.database import Database
from parlour.store.errors import BadDatabase
from parlour.store.tables import VERSION_TABLE
from parlour.view import PlayerNumber

DATABASE = os.environ.get("PARLOUR_TEST_DATABASE", "sqlite")


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def new_match(id: str = "m1", **more: Any) -> StoredMatch:
    match = StoredMatch(
        id=id,
        seq=0,
        kind="friend",
        head='[Game "x"]\n[Zweiter "Zoë"]\n',
        lines=(),
        seat_hashes=(bytes(range(32)), None),
        invitation_hash=None,
        offer="",
        rematch="",
        over=False,
        created_at=1_000_000.25,
        changed_at=1_000_000.5,
    )
    return replace(match, **more)


def with_lines(match: StoredMatch, *lines: str, **more: Any) -> StoredMatch:
    """The next state of a match, after these lines."""
    after = replace(match, seq=match.seq + 1, lines=(*match.lines, *lines), changed_at=match.changed_at + 1)
    return replace(after, **more)


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/new/directory/parlour.db"


@pytest.fixture(scope="session")
def database_kind() -> str:
    """The kind of database that tests of every kind run with: they run once with each."""
    return DATABASE


@pytest.fixture
def url(request: pytest.FixtureRequest, database_kind: str) -> str:
    """An empty database."""
    text = request.getfixturevalue("sqlite_url" if database_kind == "sqlite" else "postgres_url")
    assert isinstance(text, str)
    return text


@pytest.fixture
def clock() -> Clock:
    return Clock()


Opener = Callable[[str], Store]


@pytest.fixture
def opened(clock: Clock) -> Iterator[Opener]:
    """Opens stores that are closed after the test; each stands for a process of its own."""
    stores = []

    def opener(url: str) -> Store:
        stores.append(open_store(url, clock=clock))
        return stores[-1]

    yield opener
    for store in stores:
        store.close()


@cache
def _up_to_date() -> bytes:
    """A SQLite file with the tables of now, and nothing in them."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "parlour.db")
        open_store(f"sqlite:///{file}").close()
        return file.read_bytes()


def write_tables(url: str) -> str:
    """Let there be a database whose tables are made already; return its URL. Only SQLite's are."""
    file = make_url(url).database
    if make_url(url).get_backend_name() == "sqlite" and file and not Path(file).exists():
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        Path(file).write_bytes(_up_to_date())
    return url


@pytest.fixture
def store(url: str, opened: Opener) -> Store:
    """A store without matches. Those of tests/interfaces/store/test_factory.py begin with less."""
    return opened(write_tables(url))


WORKER = Path(__file__).with_name("store_worker.py")
Starter = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def started() -> Iterator[Starter]:
    """Starts processes, with a task for worker.py, that do not outlive the test."""
    processes = []

    def starter(*arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, str(WORKER), *arguments]
        pipe = subprocess.PIPE
        processes.append(subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True))
        return processes[-1]

    yield starter
    for process in processes:
        process.kill()
        process.communicate()


def let_go(processes: list[subprocess.Popen[str]]) -> None:
    """Wait until all are ready, and let them go at once."""
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()


TABLES = {"matches", "lines", "visits", VERSION_TABLE}


def tables_in(url: str) -> set[str]:
    database = Database(url)
    with database.reading() as connection:
        names = set(inspect(connection).get_table_names())
    database.close()
    return names


def run_on(url: str, *statements: str) -> None:
    database = Database(url)
    database.prepare_file()
    with database.writing() as connection:
        for statement in statements:
            connection.execute(text(statement))
    database.close()


def refused_url(url: str) -> str:
    """Why this database cannot be opened."""
    with pytest.raises(BadDatabase) as caught:
        open_store(url).close()
    return str(caught.value)


def seats_present(store: Store, match: str) -> frozenset[PlayerNumber]:
    """Return the players of a match with an open page, at any process."""
    standing = store.standing(match)
    return frozenset() if standing is None else standing.present


class Ear:
    """Hears, and can be waited for."""

    def __init__(self, store: Store) -> None:
        self._heard: queue.Queue[str | None] = queue.Queue()
        store.listen(self._heard.put)

    def hears(self, within: float = 20.0) -> str | None:
        return self._heard.get(timeout=within)

    def hears_all_of(self, ids: set[str]) -> None:
        while ids:
            ids.discard(self.hears() or "")

    def hears_nothing(self, for_long: float = 0.2) -> None:
        with pytest.raises(queue.Empty):
            self._heard.get(timeout=for_long)


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Closing waits until the visits have ended, however busy the machine is."""
    monkeypatch.setattr("parlour.store.store.CLOSING_SECONDS", 60.0)
