"""Databases are examined, copied and salvaged: what is wrong is found, and what is right is kept."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from parlour.service.examination import examine, salvage
from parlour.store import back_up, open_existing, open_store
from parlour.store.errors import BadDatabase, DamagedDatabase
from tests.support.examination import MOVES, CopyTests, ExaminationTests, play
from tests.support.store import Opener


class TestExaminationOfSqlite(ExaminationTests):
    """In memory."""


class TestCopyOfSqlite(CopyTests):
    """A file, which can be opened twice."""

    @pytest.fixture
    def url(self, tmp_path: Path) -> str:
        return f"sqlite:///{tmp_path}/parlour.db"


def test_a_damaged_file_is_told_and_salvaged(tmp_path: Path, opened: Opener) -> None:
    path = tmp_path / "x.db"
    store = open_store(f"sqlite:///{path}")
    written = {match.id: match for match in (play(store, *MOVES) for _ in range(10))}
    store.close()
    whole = path.read_bytes()
    pages = len(whole) // 4096
    seen = 0
    random = Random(5)
    for number in range(3):
        page = random.randrange(2, pages)  # the first two are the schema
        data = bytearray(whole)
        data[page * 4096 : (page + 1) * 4096] = bytes(4096) if number % 2 else random.randbytes(4096)
        for left in tmp_path.glob("x.db*"):
            left.unlink()
        path.write_bytes(data)
        try:
            store = opened(f"sqlite:///{path}")
        except BadDatabase:
            continue
        found = examine(store)
        if not found.problems:
            continue
        seen += 1
        assert all("\n" not in problem.what for problem in found.problems)
        assert any(problem.where == "the file" for problem in found.problems)
        copy = opened(f"sqlite:///{tmp_path}/copy{number}.db")
        for id, _, damage in salvage(store, copy):
            kept = copy.load(id)
            if damage is None:
                assert kept == written[id]
            elif kept is not None:
                assert kept.lines == written[id].lines[: len(kept.lines)]
        assert examine(copy).problems == []
        with pytest.raises(DamagedDatabase):
            back_up(f"sqlite:///{path}", str(tmp_path / f"backup{number}.db"))
        assert not (tmp_path / f"backup{number}.db").exists()
    assert seen > 1


def test_what_is_no_database_is_not_made_one(tmp_path: Path) -> None:
    missing = f"sqlite:///{tmp_path}/missing.db"
    with pytest.raises(BadDatabase, match="there is no database"):
        open_existing(missing)
    with pytest.raises(BadDatabase, match="there is no database"):
        back_up(missing, str(tmp_path / "copy.db"))
    with closing(sqlite3.connect(tmp_path / "foreign.db")) as connection:
        connection.execute("CREATE TABLE something (x)")
    with pytest.raises(BadDatabase, match="no such table"):
        back_up(f"sqlite:///{tmp_path}/foreign.db", str(tmp_path / "copy.db"))
    assert os.listdir(tmp_path) == ["foreign.db"]
