"""The opening of stores: creates the database if necessary, and migrates its tables."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from sqlalchemy import Connection, column, inspect, select, table

from parlour.store.database import Database
from parlour.store.errors import BadDatabase
from parlour.store.store import LOAD, Store
from parlour.store.tables import NEWEST_MIGRATION, VERSION_TABLE

MIGRATIONS = os.path.join(os.path.dirname(__file__), "migrations")
MIGRATION_LOCK = 0x7061726C6F7572  # "parlour"; a number that other programs in the database are unlikely to use


def open_store(url: str, *, clock: Callable[[], float] = time.time) -> Store:
    """Open the store at a URL: ``sqlite:///path``, ``sqlite://`` for one in memory, or ``postgresql://...``.

    The directory of a SQLite file and the tables are created if they are missing. Several processes may do this at the
    same time. The presence of players depends on the ``clock``, so processes that share a store need clocks that agree
    within a few seconds.

    Raises:
        BadDatabase: the database cannot be reached, read or written, or belongs to a newer version of Parlour.
    """
    database = Database(url)
    try:
        try:
            database.prepare_file()
            with database.reading() as connection:
                version = _version(connection)
        except OSError as error:  # the directory cannot be created
            raise database.refusal(error) from error
        if version != NEWEST_MIGRATION:
            _migrate(database)
        store = Store(database, clock)
        with database.reading() as connection:  # detects a damaged schema early
            connection.execute(LOAD.limit(0), {"wanted": ""})
        store.refresh_visits()  # detects a read-only database early
    except BaseException:
        database.close()
        raise
    return store


def open_existing(url: str) -> Store:
    """Open the store at a URL. Raises BadDatabase if its SQLite file does not exist."""
    database = Database(url)
    database.check_file()
    database.close()
    return open_store(url)


def _version(connection: Connection) -> str | None:
    """Return the newest migration that was applied to the database."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    return connection.scalar(select(column("version_num")).select_from(table(VERSION_TABLE)))


def _migrate(database: Database) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", MIGRATIONS.replace("%", "%%"))
    known = {step.revision for step in ScriptDirectory.from_config(config).walk_revisions()}
    with database.writing() as connection:
        database.lock(connection, MIGRATION_LOCK)
        version = _version(connection)  # again: another process may have been faster
        if version is not None and version not in known:
            raise BadDatabase(
                f"the database {database.url.database} belongs to a newer Parlour: its tables are at {version}, "
                f"this version knows them up to {NEWEST_MIGRATION}"
            )
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
