"""Copies of a database that is in use."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from errno import EEXIST

from sqlalchemy import insert, select

from parlour.files import make_private
from parlour.store.database import Database
from parlour.store.errors import DamagedDatabase
from parlour.store.factory import open_store
from parlour.store.recovery import ROWS_AT_ONCE
from parlour.store.tables import lines, matches


def back_up(url: str, path: str) -> int:
    """Write a consistent copy of a database to a new SQLite file, and return the number of matches.

    Other processes may use the database meanwhile, without delay. Only the owner can read the file, which appears under
    its name when it is complete.

    Raises:
        DamagedDatabase: the database is damaged.
        FileExistsError: the file exists.
        OSError: the file cannot be written.
    """
    with new_file(path) as scratch:
        database = Database(url)
        try:
            if database.is_sqlite:
                database.check_file()
                _copy_pages(database, scratch)
            else:
                _copy_rows(url, scratch)
        finally:
            database.close()
        with closing(sqlite3.connect(scratch)) as copy:
            copy.execute("PRAGMA journal_mode = DELETE")  # a single file, without a WAL
            try:
                found = [reason for (reason,) in copy.execute("PRAGMA integrity_check(1)")]
                ((count,),) = copy.execute("SELECT count(*) FROM matches")
            except (sqlite3.Error, UnicodeDecodeError) as error:
                raise database.refusal(error) from error
            if found != ["ok"]:
                raise DamagedDatabase(f"the database is damaged: {found[0]}; 'parlour salvage' recovers the rest")
        return int(count)


@contextmanager
def new_file(path: str) -> Iterator[str]:
    """Yield the name of an empty temporary file, and rename it to ``path`` unless an error occurs."""
    if os.path.lexists(path):
        raise FileExistsError(EEXIST, "there is such a file already, and it is not replaced", path)
    scratch = f"{path}.{os.getpid()}.new"
    try:
        make_private(scratch)
        yield scratch
        with open(scratch, "rb+") as file:
            os.fsync(file.fileno())
        os.link(scratch, path)  # unlike a rename, this never replaces a file
    except FileExistsError:
        raise FileExistsError(EEXIST, "there is such a file already, and it is not replaced", path) from None
    finally:
        for left in (scratch, f"{scratch}-wal", f"{scratch}-shm", f"{scratch}-journal"):
            with suppress(FileNotFoundError):
                os.unlink(left)


def _copy_pages(database: Database, path: str) -> None:
    """Copy all pages of one snapshot."""
    with closing(sqlite3.connect(path)) as copy, database.reading() as connection:
        source = connection.connection.driver_connection
        assert isinstance(source, sqlite3.Connection)
        source.backup(copy)


def _copy_rows(url: str, path: str) -> None:
    """Copy all rows, including damaged ones, in one snapshot transaction."""
    source, copy = open_store(url), open_store(f"sqlite:///{path}")
    try:
        with source.database.snapshot() as reading, copy.database.writing() as writing:
            for table in (matches, lines):
                rows = reading.execute(select(table), execution_options={"yield_per": ROWS_AT_ONCE})
                for part in rows.mappings().partitions():
                    writing.execute(insert(table), [dict(row) for row in part])
    finally:
        source.close()
        copy.close()
