"""Damage to a match is noticed: whatever is altered, added or missing, it is refused with the reason."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, insert, select, text, update

from parlour.store import Store, StoredMatch
from parlour.store.errors import DamagedMatch
from parlour.store.tables import VERSION_TABLE, lines, matches
from tests.support.old_data import old_database, secrets_of
from tests.support.store import Opener, new_match, run_on, with_lines, write_tables

TEXTS = ("1. 2", "2. 3", "3. 6", "resign 2")
FULL = new_match(
    seq=4, lines=TEXTS, seat_hashes=(b"a" * 32, b"b" * 32), invitation_hash=b"c" * 32, offer="undo 1", rematch="m0"
)


def why(store: Store, id: str = "m1") -> str:
    """Why a match is refused."""
    with pytest.raises(DamagedMatch) as caught:
        store.load(id)
    message = str(caught.value)
    assert message.startswith(f"match {id} is damaged: ")
    assert "\n" not in message
    return message


def execute(store: Store, statement: Any) -> None:
    with store.database.writing() as connection:
        connection.execute(statement)


def seal_of(store: Store, id: str = "m1") -> str | None:
    with store.database.reading() as connection:
        return connection.scalar(select(matches.c.seal).where(matches.c.id == id))


def expected_seal(match: StoredMatch) -> str:
    """Worked out anew from what a seal is said to be."""
    digest = bytes(16)
    for line in match.lines:
        digest = hashlib.blake2b(digest + line.encode(), digest_size=16).digest()
    seats = [seat and seat.hex() for seat in (*match.seat_hashes, match.invitation_hash)]
    columns = [match.id, match.seq, match.kind, match.head, *seats, match.offer, match.rematch, match.over]
    told = json.dumps([*columns, match.created_at, match.changed_at])
    whole = hashlib.blake2b(told.encode() + digest, digest_size=16).hexdigest()
    return f"1 {match.seq} {len(match.lines)} {whole}"


def test_a_match_is_sealed_whenever_it_is_written(store: Store) -> None:
    store.add(FULL)
    assert seal_of(store) == expected_seal(FULL)
    later = with_lines(FULL, "5. 7", "", over=True)
    follower = new_match("m2")
    assert store.replace(FULL, later, follower)
    assert seal_of(store) == expected_seal(later)
    assert seal_of(store, "m2") == expected_seal(follower)
    assert store.load("m1") == later


ALTERED: dict[str, Any] = {
    "seq": 5,
    "kind": "local",
    "head": FULL.head.replace("Z", "S"),
    "seat_0": b"x" * 32,
    "seat_1": None,
    "invite": b"",
    "offer": "",
    "rematch": "m3",
    "over": True,
    "created": 1_000_000.0,
    "touched": 1_000_001.5,
    "seal": "1 4 4 " + "0" * 32,
}


def test_every_column_is_tried() -> None:
    assert set(ALTERED) == {column.name for column in matches.c} - {"id"}


@pytest.mark.parametrize("name", ALTERED)
def test_an_altered_column_is_noticed(store: Store, name: str) -> None:
    store.add(FULL)
    store.add(new_match("m2"))
    execute(store, update(matches).where(matches.c.id == "m1").values({name: ALTERED[name]}))
    assert "not what was written" in why(store)
    assert store.load("m2") == new_match("m2")  # the others go on


def test_an_earlier_seq_is_noticed(store: Store) -> None:
    store.add(FULL)
    execute(store, update(matches).values(seq=3))
    assert "its seq is not what was written" in why(store)


def test_a_seal_that_is_none_is_noticed(store: Store) -> None:
    store.add(FULL)
    for seal in ("", "x", "1", "1 4 4", "1 4 x " + "0" * 32, "1 4 4 " + "0" * 32 + " 5", " "):
        execute(store, update(matches).values(seal=seal))
        assert "its seal cannot be read" in why(store), seal


def test_a_seal_of_a_later_format_says_nothing(store: Store) -> None:
    store.add(FULL)
    execute(store, update(matches).values(seal="2 whatever"))
    assert store.load("m1") == FULL


@pytest.mark.parametrize("number", range(4))
def test_an_altered_line_is_noticed(store: Store, number: int) -> None:
    store.add(FULL)
    execute(store, update(lines).where(lines.c.number == number).values(text=lines.c.text + "0"))
    assert f"line {number + 1} is not what was written" in why(store)


@pytest.mark.parametrize("left", range(4))
def test_a_shortened_match_is_noticed(store: Store, left: int) -> None:
    store.add(FULL)
    execute(store, delete(lines).where(lines.c.number >= left))
    assert f"lines written: 4, lines left: {left}" in why(store)


@pytest.mark.parametrize("number", range(3))
def test_a_line_that_is_missing_in_between_is_noticed(store: Store, number: int) -> None:
    store.add(FULL)
    execute(store, delete(lines).where(lines.c.number == number))
    assert f"line {number + 1} is missing" in why(store)


def test_a_line_too_many_is_noticed(store: Store) -> None:
    store.add(FULL)
    execute(store, insert(lines).values(match="m1", number=4, text="undo"))
    assert "lines are not what was written" in why(store)


def test_lines_that_changed_places_are_noticed(store: Store) -> None:
    store.add(FULL)
    for old, new in ((1, 9), (2, 1), (9, 2)):
        execute(store, update(lines).where(lines.c.number == old).values(number=new))
    assert "line 2 is not what was written" in why(store)


def test_a_match_of_which_only_lines_are_left_is_noticed(sqlite_url: str, opened: Opener) -> None:
    store = opened(write_tables(sqlite_url))
    store.add(FULL)
    with store.database.engine.connect() as connection:
        connection.exec_driver_sql("ROLLBACK")
        connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
        connection.exec_driver_sql("DELETE FROM matches")
        connection.exec_driver_sql("BEGIN")
    assert "only its lines" in why(store)
    assert store.load("m2") is None


def test_sqlite_may_hold_anything(sqlite_url: str, opened: Opener) -> None:
    columns = ("seq", "kind", "head", "seat_0", "invite", "over", "created", "seal")
    held = {
        f"{column} {value}": (column, value) for column in columns for value in ("5", "'5'", "x'00'", "1e99", "9" * 10)
    }
    store = opened(write_tables(sqlite_url))
    for id in held:
        store.add(replace(FULL, id=id))
    with store.database.writing() as connection:
        connection.exec_driver_sql("PRAGMA ignore_check_constraints = ON")
        for id, (column, value) in held.items():
            connection.exec_driver_sql(f"UPDATE matches SET {column} = {value} WHERE id = ?", (id,))
    for id in held:
        why(store, id)


def test_so_may_its_lines(sqlite_url: str, opened: Opener) -> None:
    held = [(column, value) for column in ("text", "digest") for value in ("5", "x'00'", "1e99")]
    store = opened(write_tables(sqlite_url))
    for number, (column, value) in enumerate(held):
        store.add(replace(FULL, id=f"m{number}"))
        with store.database.writing() as connection:
            connection.exec_driver_sql(
                f"UPDATE lines SET {column} = {value} WHERE number = 2 AND match = ?", (f"m{number}",)
            )
        assert "line 3 " in why(store, f"m{number}"), (column, value)


def test_a_text_that_is_no_text(sqlite_url: str, opened: Opener) -> None:
    store = opened(write_tables(sqlite_url))
    store.add(FULL)
    with store.database.writing() as connection:
        connection.exec_driver_sql("UPDATE lines SET text = CAST(x'FFFE' AS TEXT) WHERE number = 2")
    assert "the database cannot read it" in why(store)


# What earlier versions wrote


def write_as_before(url: str, *statements: str) -> None:
    """As a server of 0.1.0 does, which knows of no seals."""
    run_on(url, *statements)


def test_a_server_of_the_version_before_may_go_on_writing(store: Store, url: str) -> None:
    store.add(FULL)
    write_as_before(
        url,
        "UPDATE matches SET seq = 5, offer = '', touched = 2000000.0 WHERE id = 'm1'",
        "INSERT INTO lines (match, number, text) VALUES ('m1', 4, 'undo')",
    )
    write_as_before(
        url,
        "INSERT INTO matches (id, seq, kind, head, offer, rematch, over, created, touched) "
        "VALUES ('m2', 1, 'local', 'h', '', '', false, 1.5, 2.5)",
        "INSERT INTO lines (match, number, text) VALUES ('m2', 0, '1. 5')",
    )
    theirs = replace(FULL, seq=5, offer="", changed_at=2_000_000.0, lines=(*TEXTS, "undo"))
    assert store.load("m1") == theirs
    other = store.load("m2")
    assert other is not None
    assert other.lines == ("1. 5",)
    for before in (theirs, other):  # and the next change seals them
        after = with_lines(before, "2. 9")
        assert store.replace(before, after)
        assert store.load(before.id) == after
        assert seal_of(store, before.id) == expected_seal(after)
    execute(store, update(lines).where(lines.c.text == "undo").values(text="1. 1"))
    why(store)


def test_even_then_what_was_sealed_is_not_shortened_unnoticed(store: Store, url: str) -> None:
    store.add(FULL)
    write_as_before(url, "UPDATE matches SET seq = 5, touched = 2000000.0 WHERE id = 'm1'")
    execute(store, delete(lines).where(lines.c.number == 3))
    assert "lines written: 4, lines left: 3" in why(store)


def test_databases_of_0_1_0_are_brought_up_to_date(
    database_kind: str, tmp_path: Path, request: pytest.FixtureRequest, opened: Opener
) -> None:
    store = opened(old_database(database_kind, tmp_path, request))
    with store.database.reading() as connection:
        assert connection.scalar(text(f"SELECT version_num FROM {VERSION_TABLE}")) == "0002"
    for secrets in secrets_of(database_kind).values():
        before = store.load(secrets.id)
        assert before is not None
        assert seal_of(store, before.id) is None
        after = replace(before, seq=before.seq + 1)
        assert store.replace(before, after)
        assert seal_of(store, before.id) == expected_seal(after)
        assert store.load(before.id) == after
        if after.lines:
            execute(store, delete(lines).where(lines.c.match == after.id, lines.c.number == len(after.lines) - 1))
            assert f"lines written: {len(after.lines)}, " in why(store, after.id)
