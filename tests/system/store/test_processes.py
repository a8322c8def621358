"""Several processes with one database: they do not collide, and a killed one loses nothing it has stored."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import make_url

from parlour.store import VISIT_SECONDS, Lifetimes, Store, open_store
from tests.support.old_data import old_database, secrets_of
from tests.support.store import TABLES, Opener, Starter, let_go, new_match, seats_present, tables_in, with_lines


@pytest.fixture(params=["sqlite", "postgresql"])
def database_kind(request: pytest.FixtureRequest) -> str:
    kind: str = request.param
    return kind


def test_of_two_processes_one_wins_each_ply(store: Store, url: str, started: Starter) -> None:
    store.add(new_match())
    racers = [started("race", url, "m1", "60") for _ in range(2)]
    let_go(racers)
    wins = [line for racer in racers for line in racer.communicate(timeout=30)[0].splitlines()]
    assert [racer.returncode for racer in racers] == [0, 0]
    after = store.load("m1")
    assert after is not None
    assert after.seq == len(after.lines) == 60
    assert [int(line.split()[1]) for line in after.lines] == list(range(60))
    assert sorted(wins) == sorted(after.lines)


def test_what_a_killed_process_said_it_stored_is_there(store: Store, url: str, started: Starter) -> None:
    for attempt in range(3):
        id = f"m{attempt}"
        store.add(new_match(id))
        writer = started("write", url, id)
        assert writer.stdout is not None
        said = [int(writer.stdout.readline()) for _ in range(40 + attempt)]
        writer.kill()
        rest = writer.stdout.read()  # communicate() would pass over what readline() has in its buffer already
        writer.wait()
        said += [int(line) for line in rest.splitlines(keepends=True) if line.endswith("\n")]
        match = store.load(id)
        assert match is not None
        assert match.seq in {said[-1], said[-1] + 1}  # the last may have been stored and not said
        assert match.lines == tuple(f"{half}{seq}" for seq in range(match.seq) for half in "ab")
        assert store.replace(match, with_lines(match, "and it goes on"))
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(make_url(url).database or "")) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


def test_processes_that_open_a_new_database_at_once_do_not_collide(url: str, started: Starter) -> None:
    processes = [started("open", url) for _ in range(3)]
    let_go(processes)
    for process in processes:
        process.communicate(timeout=30)
    assert [process.returncode for process in processes] == [0] * 3
    assert tables_in(url) == TABLES


def test_processes_that_open_an_old_database_at_once_do_not_collide(
    database_kind: str, tmp_path: Path, request: pytest.FixtureRequest, started: Starter, opened: Opener
) -> None:
    url = old_database(database_kind, tmp_path, request)
    processes = [started("open", url) for _ in range(4)]
    let_go(processes)
    for process in processes:
        process.communicate(timeout=60)
    assert [process.returncode for process in processes] == [0] * 4
    store = opened(url)
    assert all(store.load(secrets.id) for secrets in secrets_of(database_kind).values())


def test_a_killed_process_leaves_its_visits_to_time(url: str, started: Starter) -> None:
    store = open_store(url)
    store.add(new_match())
    process = started("visit", url, "m1")
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    assert seats_present(store, "m1") == {1, 2}
    process.kill()
    process.wait()
    assert seats_present(store, "m1") == {1, 2}
    assert store.remove_expired(time.time() + VISIT_SECONDS + 1, Lifetimes(playing=float("inf"))) == 0
    assert seats_present(store, "m1") == frozenset()
    store.close()


def test_a_database_that_is_up_to_date_is_opened_without_alembic(sqlite_url: str) -> None:
    open_store(sqlite_url).close()
    script = "import sys; from parlour.store import open_store; open_store(sys.argv[1]).close(); print(*sys.modules)"
    command = [sys.executable, "-c", script, sqlite_url]
    modules = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert "sqlalchemy" in modules
    assert not {"alembic", "psycopg", "mako"} & set(modules)
