"""The data of earlier versions of Parlour, for the tests that read it: the README.md beside it says how it was made."""

from __future__ import annotations

import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.support import ROOT

if TYPE_CHECKING:
    import pytest

    from tests.support import postgres

FIXTURES = ROOT / "tests" / "fixtures" / "0.1.0"
RECORDS = FIXTURES / "records"
STATE = FIXTURES / "state"
WEB = FIXTURES / "web"
DEV = ROOT / "tests" / "fixtures" / "0.2-dev"

# 0.1.0 wrote names with joiners into records that it then refused to read.
WOMAN_TECHNOLOGIST = "\U0001f469\u200d\U0001f4bb"  # with a zero-width joiner
MIKHAHAM = "می\u200cخواهم"  # with a zero-width non-joiner

# Matches that nobody has touched for long are forgotten: as if the server had been stopped just now.
JUST_NOW = "UPDATE matches SET created = created + {past}, touched = touched + {past}"
NEWEST = "SELECT max(touched) FROM matches"


class Secrets(NamedTuple):
    """What is needed to act in a match of 0.1.0."""

    id: str
    seats: tuple[str | None, str | None]
    invite: str | None


def secrets_of(kind: str, web: Path = WEB) -> dict[str, Secrets]:
    """Of every match in the database of this kind, by the name it has in the tests."""
    kept = json.loads((web / f"{kind}.json").read_text())
    return {name: Secrets(each["id"], tuple(each["seats"]), each["invite"]) for name, each in kept.items()}


def fill_sqlite(path: Path) -> str:
    """The URL of a new file with the database of 0.1.0."""
    with closing(sqlite3.connect(path)) as database:
        database.executescript((WEB / "sqlite.sql").read_text())
        ((newest,),) = database.execute(NEWEST)
        database.execute(JUST_NOW.format(past=time.time() - newest))
        database.commit()
    return f"sqlite:///{path}"


def fill_sealed(path: Path) -> str:
    """Return the URL of a new file with the database of 0.2-dev, whose seals cover its times: they stay as they are."""
    with closing(sqlite3.connect(path)) as database:
        database.executescript((DEV / "web" / "sqlite.sql").read_text())
    return f"sqlite:///{path}"


def fill_postgresql(server: postgres.Server, name: str) -> str:
    """The URL of a new database of that name, with what was in the one of 0.1.0."""
    server.run(f"CREATE DATABASE {name}")
    server.run((WEB / "postgresql.sql").read_text(), name)
    ((newest,),) = server.run(NEWEST, name)
    server.run(JUST_NOW.format(past=time.time() - newest), name)
    return server.url(name)


def old_database(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """The URL of a database of 0.1.0."""
    if kind == "sqlite":
        return fill_sqlite(tmp_path / "old.sqlite3")
    server: postgres.Server = request.getfixturevalue("postgres_server")
    return fill_postgresql(server, f"old_{tmp_path.name.lower().replace('-', '_')[:40]}")
