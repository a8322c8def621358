"""The file of a sweep: an SQLite database with one row for each combination of options.

The format, 1:

- ``PRAGMA application_id`` is 0x5061726C ("Parl"), ``PRAGMA user_version`` the number of the format.
- Table ``head (name TEXT PRIMARY KEY, value TEXT)``, values as JSON, for all rows: ``stamp`` (the
  game's key, its version, the solver's and a digest of the rules' text), ``settings`` (``measures``, ``error``,
  ``games`` and ``seed``), ``version`` of Parlour and ``options``, the names of the options in their order.
- Table ``rows``: a column ``option_NAME`` for each option of the game, then the fields of ``measures.Row`` under their
  names, as ``measures.columns_of`` returns them. Numeric options are integers, other options texts. Measures that were
  not requested or did not fit are NULL; ``unfinished`` has the reasons. ``options`` is the primary key.

A file belongs to one game, one set of settings and one version of Parlour. Each row is written in its own transaction:
if the process is killed, the file has exactly the finished rows. An unfinished row can be replaced by one with more
time or memory.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from typing import Any, NamedTuple

from parlour.catalog import find_game
from parlour.errors import BadSweep, ParlourError
from parlour.game import Game
from parlour.lab.measures import FIELDS, Method, Row, columns_of, digest_of, row_of
from parlour.options import Number, declared
from parlour.text import clip

APPLICATION = 0x5061726C
FORMAT = 1
ROW_BYTES = 2_000  # an upper bound of the size of a row on disk
LOCK_TIMEOUT = 0.5  # seconds
MEMORY = ":memory:"  # the path of a temporary file in memory


class SweepHead(NamedTuple):
    """The properties that all rows of a file share."""

    stamp: Mapping[str, object]  # from ``stamp_of_game``
    settings: Method
    version: str  # the version of Parlour

    @property
    def game(self) -> Game:
        return find_game(str(self.stamp["game"]))


class Results:
    """The rows of a file, in the order of their options. ``open_results`` and ``read_results`` open one."""

    def __init__(self, connection: sqlite3.Connection, head: SweepHead) -> None:
        self.head = head
        self._connection = connection
        self._kinds = declared(head.game.options)

    def __len__(self) -> int:
        return int(self._connection.execute("SELECT count(*) FROM rows").fetchone()[0])

    def __iter__(self) -> Iterator[Row]:
        order = ", ".join(_column(name) for name in self._kinds)
        names = ", ".join(FIELDS)
        for found in self._connection.execute(f"SELECT {names} FROM rows ORDER BY {order}"):
            columns = dict(zip(FIELDS, found, strict=True))
            if digest_of(columns, self.head.stamp, self.head.settings) != columns["digest"]:
                raise BadSweep(f"the row {clip(columns['options'])!r} is damaged: it does not fit its digest")
            yield row_of(columns)

    def add(self, row: Row) -> None:
        """Save a row durably; it replaces a row with the same options."""
        values = {_column(name): _stored(kind, row.options[name]) for name, kind in self._kinds.items()}
        values |= columns_of(row)
        marks = ", ".join("?" * len(values))
        with self._connection:
            self._connection.execute(
                f"INSERT OR REPLACE INTO rows ({', '.join(values)}) VALUES ({marks})", list(values.values())
            )


def _column(name: str) -> str:
    return f"option_{name}"


def _stored(kind: object, text: str) -> int | str:
    return int(text) if isinstance(kind, Number) and text.isdigit() else text


@contextmanager
def open_results(path: str, head: SweepHead) -> Iterator[Results]:
    """Open or create the file of a sweep, and lock it. A new file without rows is deleted at the end.

    Raises:
        BadSweep: it is another kind of file, is in use, or has other settings.
    """
    new = path == MEMORY or not os.path.exists(path) or os.path.getsize(path) == 0
    with _connected(path, "rwc", isolation_level="IMMEDIATE") as connection:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        with connection:
            connection.execute("BEGIN EXCLUSIVE")
            if new:
                _create(connection, head)
        if not new:
            _check_same(_read_head(connection, path), head, path)
        results = Results(connection, head)
        try:
            yield results
        except BaseException:
            if new and path != MEMORY and not len(results):
                os.unlink(path)
            raise


@contextmanager
def read_results(path: str) -> Iterator[Results]:
    """Open the file of a sweep for reading; BadSweep if it is another kind of file or damaged."""
    with _connected(path, "rw") as connection:  # only a writer can roll back the journal of a killed sweep
        yield Results(connection, _read_head(connection, path))


@contextmanager
def _connected(path: str, mode: str, **more: Any) -> Iterator[sqlite3.Connection]:
    try:
        where = path if path == MEMORY else f"{_as_uri(path)}?mode={mode}"
        connection = sqlite3.connect(where, timeout=LOCK_TIMEOUT, uri=path != MEMORY, **more)
    except sqlite3.OperationalError:
        raise BadSweep(f"cannot open {path}; is its folder there, and may you write in it?") from None
    try:
        yield connection
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise BadSweep(f"{path} is in use; another sweep is writing to it") from None
        raise BadSweep(f"{path} cannot be used: {error}") from None
    except sqlite3.DatabaseError:
        raise BadSweep(f"{path} is not the file of a sweep, or it is damaged") from None
    finally:
        connection.close()


def _as_uri(path: str) -> str:
    from pathlib import Path

    return Path(path).absolute().as_uri()


def _create(connection: sqlite3.Connection, head: SweepHead) -> None:
    options = [_column(name) for name in declared(head.game.options)]
    typed = [f"{name} {_type(name)}" for name in FIELDS]
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    connection.execute("CREATE TABLE head (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
    connection.execute(f"CREATE TABLE rows ({', '.join((*options, *typed))})")
    values = {
        "stamp": head.stamp,
        "settings": asdict(head.settings),
        "version": head.version,
        "options": list(declared(head.game.options)),
    }
    connection.executemany(
        "INSERT INTO head VALUES (?, ?)", [(name, json.dumps(value)) for name, value in values.items()]
    )


def _type(name: str) -> str:
    if name == "options":
        return "TEXT PRIMARY KEY"
    annotation = str(Row.__annotations__[name])
    return "INTEGER" if "int" in annotation else "REAL" if "float" in annotation else "TEXT"


def _read_head(connection: sqlite3.Connection, path: str) -> SweepHead:
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
        raise BadSweep(f"{path} is not the file of a sweep")
    number = connection.execute("PRAGMA user_version").fetchone()[0]
    if number != FORMAT:
        raise BadSweep(f"{path} has format {number}, and this Parlour reads {FORMAT}")
    try:
        values = {name: json.loads(value) for name, value in connection.execute("SELECT name, value FROM head")}
        settings = Method(**values["settings"])
        return SweepHead(values["stamp"], replace(settings, measures=tuple(settings.measures)), values["version"])
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, ParlourError):
            raise
        raise BadSweep(f"{path} is damaged: its head cannot be read") from None


def _check_same(found: SweepHead, wanted: SweepHead, path: str) -> None:
    """Raise BadSweep if new rows differ from those of a file in game, version or settings."""
    for name, value in wanted.stamp.items():
        if found.stamp.get(name) != value:
            what = {"game": "game", "solver": "solver"}.get(name, "version of the game")
            raise BadSweep(f"{path} holds another {what}; choose another file")
    if found.version != wanted.version:
        raise BadSweep(f"{path} was made by Parlour {found.version}, and this is {wanted.version}; choose another file")
    for name, value in asdict(wanted.settings).items():
        if getattr(found.settings, name) != value:
            new = ",".join(value) if isinstance(value, tuple) else value
            old = getattr(found.settings, name)
            old = ",".join(old) if isinstance(old, tuple) else old
            raise BadSweep(
                f"{path} was made with --{name.removesuffix('s') if name == 'measures' else name} {old}, "
                f"not {new}; choose another file"
            )
