"""Opening a store: databases that are new, old, newer, foreign, closed to us, or none at all."""

from __future__ import annotations

import os
import sqlite3
import stat
import sys
import traceback
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, make_url

from parlour.store import Store, open_store
from parlour.store.errors import BadDatabase
from parlour.store.factory import MIGRATIONS
from parlour.store.tables import NEWEST_MIGRATION, VERSION_TABLE, metadata
from tests.support.store import TABLES, Opener, new_match, refused_url, run_on, tables_in


def test_an_empty_database_gets_its_tables_once(url: str, opened: Opener) -> None:
    opened(url).add(new_match())
    assert tables_in(url) == TABLES
    assert opened(url).load("m1") == new_match()


def test_the_migrations_lead_to_the_tables(store: Store, url: str) -> None:
    with store.database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
        assert context.get_current_heads() == (NEWEST_MIGRATION,)
        assert compare_metadata(context, metadata) == []
        inspector = inspect(connection)
        for table in metadata.tables.values():  # names and deletions too, which Alembic does not compare
            assert inspector.get_pk_constraint(table.name)["name"] == f"pk_{table.name}"
            for key in inspector.get_foreign_keys(table.name):
                assert key["name"] == f"fk_{table.name}_match"
                assert key["options"] == {"ondelete": "CASCADE"}


def test_the_newest_migration_is_the_one_that_is_looked_for() -> None:
    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    assert ScriptDirectory.from_config(config).get_heads() == [NEWEST_MIGRATION]


def test_threads_that_open_a_new_database_at_once_do_not_collide(url: str) -> None:
    failures: list[Exception] = []

    def open_and_close() -> None:
        try:
            open_store(url).close()
        except Exception as error:
            failures.append(error)

    threads = [Thread(target=open_and_close) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_a_newer_database_is_left_alone(url: str) -> None:
    open_store(url).close()
    run_on(url, f"UPDATE {VERSION_TABLE} SET version_num = '9999'", "ALTER TABLE matches ADD COLUMN new INTEGER")
    assert "newer Parlour" in refused_url(url)
    assert "9999" in refused_url(url)


def test_a_database_with_tables_of_others_is_left_as_it_is(url: str) -> None:
    run_on(url, "CREATE TABLE visits (of_doctors INTEGER)")
    assert "already exists" in refused_url(url)
    assert tables_in(url) == {"visits"}  # nothing of ours: all steps are one transaction


def test_the_directory_of_a_file_is_made_for_us_alone(sqlite_url: str) -> None:
    open_store(sqlite_url).close()
    directory = Path(make_url(sqlite_url).database or "").parent
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700


def test_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    open_store("sqlite:///here.db").close()
    open_store("sqlite:///sub/there 100%.db").close()
    assert {"here.db", "sub"} <= set(os.listdir())
    assert os.listdir("sub") == ["there 100%.db"]


@pytest.mark.parametrize("migrated", [True, False])
def test_a_file_that_may_not_be_written(tmp_path: Path, migrated: bool) -> None:
    path = tmp_path / "x.db"
    if migrated:
        open_store(f"sqlite:///{path}").close()
    else:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TABLE something (x)")
    assert "cannot be used: attempt to write a readonly database" in refused_url(
        f"sqlite:///file:{path}?mode=ro&uri=true"
    )


def test_things_that_are_no_database(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("This is a text, and a long one, and no database. " * 100)
    assert "file is not a database" in refused_url(f"sqlite:///{tmp_path}/text")
    assert "unable to open database file" in refused_url(f"sqlite:///{tmp_path}")
    assert "cannot be used" in refused_url(f"sqlite:///{tmp_path}/text/x.db")
    assert "Not a directory" in refused_url(f"sqlite:///{tmp_path}/text/below/x.db")
    assert "backwards" in refused_url(f"sqlite:///file:{tmp_path}/x.db?mode=backwards&uri=true")


def test_postgresql_without_its_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert "[postgres]'" in refused_url("postgresql://host/db")


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("", "is invalid"),
        ("parlour.db", "is invalid"),
        ("/var/lib/parlour.db", "is invalid"),
        ("postgresql://user:PASS@host:PASS/db", "is invalid"),
        ("sqlite:///x.db?timeout=PASS", "is invalid"),
        ("mysql://user:PASS@host/db", "'mysql' is not supported; write sqlite:///"),
        ("sqlite://home/user/x.db", "sqlite:////absolute/path"),
        ("sqlite+aiosqlite:///x.db", "'aiosqlite'"),
        ("postgresql+psycopg2://user:PASS@host/db", "'psycopg2'"),
        ("postgresql+asyncpg://user:PASS@host/db", "'asyncpg'"),
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
