"""Opening a store: the database is found or made, and its tables brought up to what this version knows."""

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
MIGRATION_LOCK = 0x7061726C6F7572  # "parlour"; any number that other programs in the same database do not use


def open_store(url: str, *, clock: Callable[[], float] = time.time) -> Store:
    """The store in the database at this URL, ``sqlite:///path``, ``sqlite://`` for one in memory or ``postgresql://...``.

    The directory of a SQLite file and the tables are made if they are not there yet; several processes may do this at
    once. BadDatabase if the database cannot be reached, read and written, or is of a newer Parlour.

    By the clock we know who is present. Processes that share a store need clocks that agree within a few seconds.
    """
    database = Database(url)
    try:
        try:
            database.prepare_file()
            with database.reading() as connection:
                version = _version(connection)
        except OSError as error:  # no such directory can be made
            raise database.refusal(error) from error
        if version != NEWEST_MIGRATION:
            _migrate(database)
        store = Store(database, clock)
        with database.reading() as connection:  # tables that a damaged schema describes otherwise are refused now
            connection.execute(LOAD.limit(0), {"wanted": ""})
        store.refresh_visits()  # the first write, so that a database that refuses them is refused now
    except BaseException:
        database.close()
        raise
    return store


def open_existing(url: str) -> Store:
    """The same, but a file that is not there is not made: BadDatabase."""
    database = Database(url)
    database.check_file()
    database.close()
    return open_store(url)


def _version(connection: Connection) -> str | None:
    """The last migration that this database has seen."""
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
                f"the database {database.url.database} is of a newer Parlour: its tables are at {version}, "
                f"known here are those up to {NEWEST_MIGRATION}"
            )
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
