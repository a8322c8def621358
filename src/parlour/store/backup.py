"""Copies of a database that is in use."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from errno import EEXIST

from sqlalchemy import insert, select

from parlour.folders import make_private
from parlour.store.database import Database
from parlour.store.errors import DamagedDatabase
from parlour.store.factory import open_store
from parlour.store.recovery import ROWS_AT_ONCE
from parlour.store.tables import lines, matches


def back_up(url: str, path: str) -> int:
    """Write the matches of a database as they are at one moment into a new file of SQLite; how many there are.

    The database may be in use meanwhile, and nobody waits. The file is for its owner alone; it has its name when it is
    whole, and never replaces another. What is damaged is not taken for a copy: DamagedDatabase. OSError if the file
    cannot be written, FileExistsError if it is there already.
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
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, and nothing beside it
            try:
                found = [reason for (reason,) in copy.execute("PRAGMA integrity_check(1)")]
                ((count,),) = copy.execute("SELECT count(*) FROM matches")
            except (sqlite3.Error, UnicodeDecodeError) as error:
                raise database.refusal(error) from error
            if found != ["ok"]:
                raise DamagedDatabase(f"the database is damaged: {found[0]}; 'parlour salvage' keeps the rest")
        return int(count)


@contextmanager
def new_file(path: str) -> Iterator[str]:
    """The name of an empty file to be filled, which is called ``path`` afterwards if nothing was raised."""
    if os.path.lexists(path):
        raise FileExistsError(EEXIST, "there is such a file already, and it is not replaced", path)
    scratch = f"{path}.{os.getpid()}.new"
    try:
        make_private(scratch)
        yield scratch
        with open(scratch, "rb+") as file:
            os.fsync(file.fileno())
        os.link(scratch, path)  # unlike a renaming, this replaces nothing
    except FileExistsError:
        raise FileExistsError(EEXIST, "there is such a file already, and it is not replaced", path) from None
    finally:
        for left in (scratch, f"{scratch}-wal", f"{scratch}-shm", f"{scratch}-journal"):
            with suppress(FileNotFoundError):
                os.unlink(left)


def _copy_pages(database: Database, path: str) -> None:
    """All pages in one go, as they are at the moment it begins."""
    with closing(sqlite3.connect(path)) as copy, database.reading() as connection:
        source = connection.connection.driver_connection
        assert isinstance(source, sqlite3.Connection)
        source.backup(copy)


def _copy_rows(url: str, path: str) -> None:
    """All rows, damaged ones included, in one transaction that sees one moment."""
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
