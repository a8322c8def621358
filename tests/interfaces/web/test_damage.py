"""A server with a damaged database: one line at its start, one refusal while it serves, and other matches go on."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.asgi import StartApp
from tests.support.command import Run
from tests.support.seats import Seat, challenge


def execute(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement, values)
        connection.commit()


@pytest.mark.parametrize("kind", ["shortened", "not text"])
def test_a_damaged_match_is_refused_and_the_others_go_on(
    start_app: StartApp, tmp_path: Path, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    app = start_app()
    with app.client() as client:
        bad, good = (challenge(client, "local", game="double-up", first="1") for _ in range(2))
        for made in (bad, good):
            assert Seat(client, made["id"], made["seat"]).post("move", move="2", ply=0).status_code == 200
    if kind == "shortened":
        execute(tmp_path / "web.sqlite3", "DELETE FROM lines WHERE match = ?", bad["id"])
        reason = "lines written: 1, lines left: 0"
    else:  # a server that still knows what it read before would answer rightly: ask another
        app.stop()
        execute(tmp_path / "web.sqlite3", "UPDATE lines SET text = CAST(x'FF' AS TEXT) WHERE match = ?", bad["id"])
        reason = "the database cannot read it"
        app = start_app()
    with app.client() as client:
        seat = Seat(client, bad["id"], bad["seat"])
        answers = [
            client.get(f"/api/matches/{bad['id']}"),
            client.get(f"/api/matches/{bad['id']}/record"),
            client.get(f"/api/matches/{bad['id']}/stream"),
            seat.post("move", move="3", ply=1),
            seat.post("resign", player=1),
        ]
        for answer in answers:
            assert answer.status_code == 500
            assert answer.json()["code"] == "match/damaged"
            assert answer.json()["error"].startswith(f"match {bad['id']} is damaged: {reason}; ")
            assert str(tmp_path) not in answer.text
        with app.page(bad["id"]) as page:
            assert page.closed() == 4500
        played = Seat(client, good["id"], good["seat"]).post("move", move="3", ply=1)
        assert played.status_code == 200
        assert played.json()["table"]["moves"] == ["2", "3"]
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == len(answers)
    assert all(bad["id"] in line and reason in line for line in told)


@pytest.mark.parametrize("damage", ["schema", "header", "end", "text"])
def test_a_damaged_file_at_start_is_one_line(run: Callable[..., Run], tmp_path: Path, damage: str) -> None:
    from parlour.store import open_store

    path = tmp_path / "web.sqlite3"
    open_store(f"sqlite:///{path}").close()
    data = bytearray(path.read_bytes())
    if damage == "schema":
        place = data.index(b"CREATE TABLE matches")
        data[place : place + 20] = b"\xb5\xff" * 10
    elif damage == "header":
        data[:100] = bytes(100)
    elif damage == "end":
        del data[5000:]
    else:
        data = bytearray(b"Dear diary, " * 1000)
    path.write_bytes(data)
    told = run("serve", "--port", "0", "--database", f"sqlite:///{path}")
    assert told.code == 1
    assert told.out == ""
    assert told.err.startswith(f"parlour: the database {path} ")
    assert told.err.count("\n") == 1
    assert path.read_bytes() == data  # and nothing was done to it
