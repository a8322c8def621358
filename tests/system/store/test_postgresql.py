"""PostgreSQL where it differs from SQLite: servers that are away, read-only, locked or damaged."""

from __future__ import annotations

import traceback
from threading import Thread

import pytest
from sqlalchemy import make_url, text

from parlour.store import open_store
from parlour.store.database import Database
from parlour.store.errors import BadDatabase, DamagedDatabase
from parlour.store.factory import MIGRATION_LOCK
from tests.support.postgres import Server
from tests.support.store import TABLES, Opener, new_match, refused_url, tables_in, with_lines


def test_a_restarted_server_is_survived(postgres_url: str, postgres_server: Server, opened: Opener) -> None:
    store = opened(postgres_url)
    store.add(new_match())
    database = make_url(postgres_url).database
    ended = postgres_server.run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}'")
    assert ended
    assert store.load("m1") == new_match()
    assert store.replace(new_match(), with_lines(new_match(), "a"))


def test_a_database_that_is_gone_is_one_error(postgres_url: str, postgres_server: Server, opened: Opener) -> None:
    store = opened(postgres_url)
    postgres_server.run(f"DROP DATABASE {make_url(postgres_url).database} WITH (FORCE)")
    with pytest.raises(BadDatabase, match="does not exist"):
        store.load("m1")
    with pytest.raises(BadDatabase, match="does not exist"):
        store.add(new_match())
    postgres_server.run(f"CREATE DATABASE {make_url(postgres_url).database}")


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ("", "lock timeout"),
        ("&options=-c lock_timeout=0", "statement timeout"),
        ("&options=-clock_timeout=100 -c search_path=public", "lock timeout"),
    ],
)
def test_a_table_that_stays_locked_is_one_error(postgres_url: str, opened: Opener, more: str, why: str) -> None:
    store, other = opened(postgres_url + more), opened(postgres_url)
    store.add(new_match())
    told: list[str] = []

    def load() -> None:
        with pytest.raises(BadDatabase) as caught:
            store.load("m1")
        told.append(str(caught.value))

    with other.database.writing() as connection:
        connection.exec_driver_sql("LOCK TABLE matches")
        thread = Thread(target=load, daemon=True)
        thread.start()
        thread.join(30)
    assert len(told) == 1
    assert why in told[0]
    assert store.load("m1") == new_match()


@pytest.mark.parametrize("state", ["XX001", "XX002"])
def test_damage_that_postgresql_finds_is_called_that(postgres_url: str, state: str) -> None:
    database = Database(postgres_url)
    with pytest.raises(DamagedDatabase, match="is damaged: invalid page in block 7"), database.reading() as connection:
        connection.execute(text(f"DO $$ BEGIN RAISE 'invalid page in block 7' USING ERRCODE = '{state}'; END $$"))
    database.close()


def test_making_the_tables_may_take_its_time(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.store.database.TIME_LIMITS", "-c statement_timeout=300 -c lock_timeout=300")
    other = Database(postgres_url)
    with other.writing() as connection:
        other.lock(connection, MIGRATION_LOCK)
        opening = Thread(target=lambda: open_store(postgres_url).close())
        opening.start()
        opening.join(2)
        assert opening.is_alive()
    opening.join()
    other.close()
    assert tables_in(postgres_url) == TABLES


@pytest.mark.parametrize("migrated", [True, False])
def test_a_server_that_may_not_be_written(postgres_url: str, postgres_server: Server, migrated: bool) -> None:
    if migrated:
        open_store(postgres_url).close()
    name = make_url(postgres_url).database
    postgres_server.run(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    assert "read-only transaction" in refused_url(postgres_url)


def test_a_database_that_does_not_exist(postgres_server: Server) -> None:
    assert 'database "missing" does not exist' in refused_url(postgres_server.url("missing"))


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("postgresql://user:1/PASS@no-such-host.invalid/db", "no-such-host.invalid"),
        ("postgresql://user:1@PASS@no-such-host.invalid/db", "%40"),
        ("postgresql://user:PASS@127.0.0.1:1/db", "refused"),
        ("postgres://user:PASS@127.0.0.1:1/db", "refused"),
        ("postgresql://user@127.0.0.1:1/db?password=PASS", "refused"),
        ("postgresql://user:PASS@127.0.0.1:1/db?colour=PASS", "colour"),
        ("postgresql://user:PASS@127.0.0.1:1/db?connect_timeout=soon", "soon"),
        ("postgresql://user:PASS@no-such-host.invalid/db", "no-such-host.invalid"),
        ("postgresql://user:PASS@/db?host=/no/such/directory", "No such file or directory"),
    ],
)
def test_bad_urls_are_refused_clearly_and_keep_their_password(url: str, why: str) -> None:
    with pytest.raises(BadDatabase) as caught:
        open_store(url)
    message = str(caught.value)
    assert why in message
    assert "\n" not in message
    assert not message.endswith(".")
    assert "PASS" not in "".join(traceback.format_exception(caught.value))
