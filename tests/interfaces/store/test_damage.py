"""A damaged file of SQLite: what it still tells of a match is as it was written, or refused; never shorter."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import text

from parlour.errors import BadDatabase, DamagedDatabase, DamagedMatch
from parlour.store import StoredMatch, open_store
from parlour.store.database import Database
from tests.support.store import new_match

PAGE = 4096


def fill(path: Path) -> dict[str, StoredMatch]:
    """Sixty matches of up to 80 lines, in several pages of the file."""
    store = open_store(f"sqlite:///{path}")
    written = {}
    for number in range(60):
        lines = tuple(f"{ply}. {ply * 7 % 97}" for ply in range(1, 2 + number * 3 % 80))
        match = new_match(f"match{number:05}", lines=lines, offer="undo 1" if number % 2 else "")
        store.add(match)
        written[match.id] = match
    store.close()
    return written


def damaged(data: bytes, random: Random, count: int) -> Iterator[bytes]:
    """The file with a bit flipped, a byte or a few overwritten, a page emptied, or its end missing."""
    for number in range(count):
        copy = bytearray(data)
        place = random.randrange(len(copy)) if random.random() < 0.7 else random.randrange(PAGE)  # where the schema is
        page = place // PAGE * PAGE
        match number % 5:
            case 0:
                copy[place] ^= 1 << random.randrange(8)
            case 1:
                copy[place] = random.randrange(256)
            case 2:
                copy[place : place + 16] = random.randbytes(16)
            case 3:
                copy[page : page + PAGE] = bytes(PAGE)
            case 4:
                del copy[max(place, 1) :]
        yield bytes(copy[: len(data)])


@pytest.mark.parametrize("count", [25, pytest.param(600, marks=pytest.mark.slow)])
def test_whatever_is_read_of_a_damaged_file_is_right_or_refused(tmp_path: Path, count: int) -> None:
    written = fill(tmp_path / "whole.db")
    right = refused = 0
    file = tmp_path / "damaged.db"
    for data in damaged((tmp_path / "whole.db").read_bytes(), Random(count), count):
        for left in tmp_path.glob("damaged.db*"):
            left.unlink()
        file.write_bytes(data)
        try:
            store = open_store(f"sqlite:///{file}")
        except BadDatabase as error:
            assert "\n" not in str(error)
            continue
        for id, match in written.items():
            try:
                assert store.load(id) == match
                right += 1
            except DamagedMatch as error:
                assert "\n" not in str(error)
                refused += 1
        store.close()
    assert right > refused > 0  # both were seen


@pytest.mark.parametrize("state", ["XX001", "XX002"])
def test_damage_that_postgresql_finds_is_called_that(postgres_url: str, state: str) -> None:
    database = Database(postgres_url)
    with pytest.raises(DamagedDatabase, match="is damaged: invalid page in block 7"), database.reading() as connection:
        connection.execute(text(f"DO $$ BEGIN RAISE 'invalid page in block 7' USING ERRCODE = '{state}'; END $$"))
    database.close()


def test_most_of_a_damaged_file_goes_on(tmp_path: Path) -> None:
    written = fill(tmp_path / "x.db")
    data = bytearray((tmp_path / "x.db").read_bytes())
    page = data.rindex(b"35. 51") // PAGE * PAGE  # where lines are
    data[page : page + PAGE] = bytes(PAGE)
    (tmp_path / "x.db").write_bytes(data)
    store = open_store(f"sqlite:///{tmp_path}/x.db")
    lost = 0
    for id, match in written.items():
        try:
            assert store.load(id) == match
        except DamagedMatch:
            lost += 1
    assert 0 < lost < 10
    store.add(new_match("added"))
    assert store.load("added") == new_match("added")
    store.close()
