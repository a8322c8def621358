"""Statements that go past Parlour, to damage a database."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path


def execute(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement, values)
        connection.commit()
