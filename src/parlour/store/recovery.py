"""Detection of damage in a database, and the readable parts of damaged matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from sqlalchemy import Select, func, select, type_coerce
from sqlalchemy.types import NullType

from parlour.store.errors import DamagedDatabase
from parlour.store.seal import SEALED_COLUMNS, Lines, read_lines
from parlour.store.store import Store
from parlour.store.tables import lines, matches

ROWS_AT_ONCE = 1000  # rows in memory while a table is read
MAX_FILE_PROBLEMS = 20  # reported problems of a file


class Remains(NamedTuple):
    """The readable parts of a match."""

    columns: Mapping[str, object]  # columns with values of the right type
    lines: Lines


def find_file_damage(store: Store) -> list[str]:
    """Return SQLite's findings about its file, one per line. PostgreSQL checks its files when it reads them."""
    if not store.database.is_sqlite:
        return []
    try:
        with store.database.snapshot() as connection:
            texts = connection.exec_driver_sql(f"PRAGMA integrity_check({MAX_FILE_PROBLEMS})").scalars().all()
    except DamagedDatabase as error:
        return [str(error)]
    found = [line for text in texts for line in str(text).splitlines() if not line.startswith("*** in database")]
    return [] if found == ["ok"] else found


def count_unsealed(store: Store) -> int:
    """Return the number of matches without a seal, which an earlier version wrote; 0 if it cannot be read."""
    with suppress(DamagedDatabase), store.database.snapshot() as connection:
        return connection.scalar(select(func.count()).where(matches.c.seal.is_(None))) or 0
    return 0


def find_ids(store: Store) -> list[str]:
    """Return all readable ids of matches, including those with lines only."""
    found: dict[str, None] = {}
    for column in (matches.c.id, lines.c.match):
        with suppress(DamagedDatabase):
            _collect(store, select(column).distinct().order_by(column), found)
            continue
        with suppress(DamagedDatabase):  # backwards from the end to the damage
            _collect(store, select(column).distinct().order_by(column.desc()), found)
    return list(found)


def _collect(store: Store, query: Select[Any], found: dict[str, None]) -> None:
    with store.database.snapshot() as connection:
        for id in connection.scalars(query, execution_options={"yield_per": ROWS_AT_ONCE}):
            if isinstance(id, str):
                found[id] = None


def read_remains(store: Store, id: str) -> Remains:
    """Return the readable parts of a match."""
    columns: Mapping[str, object] = {}
    for wanted in (matches.c.id == id, matches.c.id + "" == id):  # the second condition bypasses a damaged index
        query = select(*_untyped(matches.c)).where(wanted)
        with suppress(DamagedDatabase), store.database.snapshot() as connection:
            columns = columns or dict(connection.execute(query).mappings().first() or {})
    if "over" in columns:
        columns = {**columns, "over": bool(columns["over"])}
    intact = {
        name: columns[name]
        for name in SEALED_COLUMNS.keys() & columns.keys()
        if type(columns[name]) in SEALED_COLUMNS[name]
    }
    read: list[tuple[Any, Any, Any]] = []
    query = select(*_untyped((lines.c.number, lines.c.text, lines.c.digest))).where(lines.c.match == id)
    with suppress(DamagedDatabase), store.database.snapshot() as connection:
        for row in connection.execute(query.order_by(lines.c.number)):  # up to the damage
            read.append((row.number, row.text, row.digest))
    return Remains(intact, read_lines(read))


def _untyped(columns: Sequence[Any] | Any) -> list[Any]:
    """Return columns without type conversion, because a damaged file may hold values of any type."""
    return [type_coerce(column, NullType()).label(column.name) for column in columns]
