"""A copy is made while a real server is played on: it is whole, and has every move that was answered for before."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from parlour.service.examination import examine
from parlour.store import open_existing
from tests.support.command import Run
from tests.support.seats import Seat, challenge
from tests.support.server import Server

PLAYERS, COPIES = 2, 2


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_copies_while_it_is_played(
    serve: Callable[..., Server], run: Callable[..., Run], tmp_path: Path, request: pytest.FixtureRequest, kind: str
) -> None:
    database = f"sqlite:///{tmp_path}/web.db" if kind == "sqlite" else request.getfixturevalue("postgres_url")
    server = serve(database)
    answered: dict[str, int] = {}  # by match, how many moves were answered for
    ending = threading.Event()
    failures: list[BaseException] = []

    def play() -> None:
        try:
            with server.client() as client:
                while not ending.is_set():
                    made = challenge(client, "local", game="double-up", options={"limit": "none"}, first="1")
                    seat = Seat(client, made["id"], made["seat"])
                    for ply in range(40):
                        seat.post("move", move=str(ply + 2), ply=ply).raise_for_status()
                        answered[made["id"]] = ply + 1
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=play) for _ in range(PLAYERS)]
    for thread in threads:
        thread.start()
    try:
        for number in range(COPIES):
            before = dict(answered)
            told = run("backup", "--database", database, f"{number}.db", cwd=tmp_path)
            assert told.code == 0, told.err
            after = dict(answered)
            with closing(open_existing(f"sqlite:///{tmp_path}/{number}.db")) as copy:
                assert examine(copy).problems == []
                for id, moves in before.items():
                    match = copy.load(id)
                    assert match is not None
                    assert moves <= len(match.lines) <= after[id] + 1  # one may be written and not answered for yet
                    assert list(match.lines) == [f"{ply}. {ply + 1}" for ply in range(1, len(match.lines) + 1)]
    finally:
        ending.set()
        for thread in threads:
            thread.join()
    assert failures == []
    assert run("check", database).code == 0
