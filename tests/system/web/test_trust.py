"""What players have to be able to trust: nothing is lost, nothing secret is told, nothing lasts for ever."""

from __future__ import annotations

import asyncio
import json
import signal
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from time import monotonic
from typing import NamedTuple

import httpx
import pytest
import websockets

from parlour import catalog, record
from parlour.match import Match
from tests.support.eventually import eventually
from tests.support.seats import Seat, challenge, sit_down, wait_until
from tests.support.server import Server, page_state

Serve = Callable[..., Server]


# Nothing acknowledged is lost.


class Told(NamedTuple):
    """What the server has answered for."""

    ply: int
    round: int
    moves: list[str]


def play_until_it_dies(server: Server, game: str, told: list[list[Told]], ids: list[str], seed: int) -> None:
    """Play matches one after the other, noting every line the server has answered for."""
    random = Random(f"{game} {seed}")
    try:
        with server.client() as client:
            while True:
                made = challenge(client, "local", game=game, first="1")
                seat = Seat(client, made["id"], made["seat"])
                ids.append(made["id"])
                told.append([])
                state = made["state"]
                while state["status"] != "over":
                    if state["status"] == "between":
                        answer = seat.post("next", ply=state["ply"])
                    elif state["table"]["moves"] and random.random() < 0.1:
                        answer = seat.post("undo", ply=state["ply"])
                    else:
                        answer = seat.move(random.choice(state["table"]["legal"]), state["ply"])
                    state = answer.json()
                    told[-1].append(Told(state["ply"], state["round"], state["table"]["moves"]))
    except (httpx.TransportError, AssertionError, json.JSONDecodeError):
        return


@pytest.mark.parametrize("answers", [30, 120])
def test_killed_at_any_moment_the_server_loses_no_move_it_has_answered_for(serve: Serve, answers: int) -> None:
    server = serve()
    noted: list[tuple[list[list[Told]], list[str]]] = []
    threads = []
    for number, game in enumerate(catalog.keys()):
        told: list[list[Told]] = []
        ids: list[str] = []
        noted.append((told, ids))
        threads.append(threading.Thread(target=play_until_it_dies, args=(server, game, told, ids, number)))
    for thread in threads:
        thread.start()
    eventually(lambda: sum(len(match) for told, _ in noted for match in told) >= answers, "moves", 60)
    server.kill()
    for thread in threads:
        thread.join(30)
    path = server.database.removeprefix("sqlite:///")
    with sqlite3.connect(path) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()
    server.restart()
    with server.client() as client:
        for matches, ids in noted:
            for told, id in zip(matches, ids, strict=False):
                # The referee replays the store: every line of it has to be a legal one.
                match = record.read_record(client.get(f"/api/matches/{id}/record").text)
                head = record.head(Match(match.setup, match.rounds[0].options))
                for answer in told:
                    assert len(match.log) >= answer.ply, "an answer was given for what is not there"
                    then = record.read_record("\n".join([head, *record.lines(match)[: answer.ply]]))
                    moves = then.rules.names(then.round.moves)
                    assert (len(then.rounds), moves) == (answer.round, answer.moves)


def test_after_a_restart_the_game_goes_on_and_so_does_the_computer(serve: Serve) -> None:
    server = serve()
    with server.client() as client:
        made = challenge(client, "computer", game="sequence-builder", first="me", level="level:2")
        seat = Seat(client, made["id"], made["seat"])
        seat.move("5", 0)
    server.kill()  # perhaps before the computer has answered
    server.restart()
    with server.client() as client:
        seat = Seat(client, made["id"], made["seat"])
        state = wait_until(seat, lambda state: not state["thinking"])
        assert state["table"]["moves"][0] == "5"
        assert state["table"]["turn"] == 1


# The server ends when it is told to.


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_it_closes_within_two_seconds_with_clients_connected(serve: Serve, by: int) -> None:
    async def scenario(server: Server) -> tuple[float, int | None, bool]:
        async with httpx.AsyncClient(base_url=server.url, timeout=30) as client:
            made = (await client.post("/api/challenge/local", json={"game": "double-up"})).json()
            url = server.socket_url(made["id"])
            pages = [await websockets.connect(url) for _ in range(5)]
            for page in pages:
                await page.send('{"seat": null}')
                await page.recv()
            ended = asyncio.Event()

            async def stream() -> None:
                async with client.stream("GET", f"/api/matches/{made['id']}/stream") as events:
                    async for _ in events.aiter_lines():
                        pass
                ended.set()

            streaming = asyncio.create_task(stream())
            thinking = asyncio.create_task(
                client.get("/api/games/increasing-differences/solve", params={"length": "12", "range": "39"})
            )
            with server.client() as observer:
                busy = "\nparlour_workers_busy 1\n"
                await asyncio.to_thread(eventually, lambda: busy in observer.get("/metrics").text, "the search")
            begun = monotonic()
            await asyncio.to_thread(server.stop, by)
            took = monotonic() - begun
            await asyncio.wait([streaming, thinking], timeout=3)
            for page in pages:
                await page.close()
            for task in (streaming, thinking):
                task.cancel()
            await asyncio.gather(streaming, thinking, return_exceptions=True)
            return took, pages[0].close_code, ended.is_set()

    for _ in range(3):  # the machine may be busy
        server = serve(None, "--metrics")
        took, code, ended = asyncio.run(scenario(server))
        assert code in (1001, 1012)
        assert ended
        assert "Traceback" not in server.errors, server.errors
        if took < 2:
            return
    raise AssertionError(f"it took {took:.1f} seconds, and so it did before")


# Secrets stay secret.


def test_no_secret_is_in_a_log_line_or_the_database_or_what_watchers_see(serve: Serve, tmp_path: Path) -> None:
    server = serve()
    with server.client() as client:
        first, second = sit_down(client, game="double-up")
        made = challenge(client, game="double-up")
        secrets = [first.secret, second.secret, made["seat"], made["invite"]]
        first.move("2")
        Seat(client, first.id, "y" * 22).move("3", 1)
        seen = client.get(f"/api/matches/{first.id}").text + client.get(f"/api/matches/{made['id']}").text
        seen += client.get(f"/api/matches/{first.id}/record").text
    server.stop()
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("web.sqlite3*"))
    for secret in secrets:
        assert secret is not None
        assert secret not in seen
        assert secret not in server.output + server.errors
        assert secret.encode() not in kept


def test_what_is_no_text_ends_a_socket_and_leaves_no_trace_in_the_log(serve: Serve) -> None:
    server = serve()
    with server.client() as client:
        first, _ = sit_down(client, game="double-up")

    async def closed_with(*messages: str | bytes) -> int | None:
        async with websockets.connect(server.socket_url(first.id)) as page:
            for message in messages:
                await page.send(message, text=True)
            await asyncio.wait_for(page.wait_closed(), 5)
            return page.close_code

    assert asyncio.run(closed_with(b"\xff\xfe{")) == 1007
    assert asyncio.run(closed_with('{"seat": null}', b"{\xc3\x28}")) == 1007
    assert asyncio.run(closed_with('{"seat": "\\ud800"}')) == 1008, "half a character"
    server.stop()
    assert server.errors.strip() == ""


def test_two_servers_on_one_postgresql_are_one(serve: Serve, postgres_url: str) -> None:
    """A move made through one is pushed to a page that is connected to the other, and races have one winner."""
    here, there = serve(postgres_url), serve(postgres_url)
    with here.client() as client, there.client() as other:
        first, second = sit_down(client, game="sequence-builder")
        far = Seat(other, second.id, second.secret)

        async def scenario() -> float:
            async with websockets.connect(there.socket_url(first.id)) as page:
                await page.send(json.dumps({"seat": second.secret}))
                await page_state(page, lambda state: state["ply"] == 0)
                begun = monotonic()
                await asyncio.to_thread(first.move, "5", 0)
                state = await page_state(page, lambda state: state["ply"] == 1)
                assert state["can"].count("move") == 1
                return monotonic() - begun

        assert asyncio.run(scenario()) < 10, "it is told, not found by chance at the next refreshing"
        wait_until(first, lambda state: not state["players"][1]["present"])
        assert far.move("7").status_code == 200
        assert first.state()["table"]["moves"] == ["5", "7"]
        made = challenge(client, "local", game="sequence-builder", first="1")
        seats = [Seat(each, made["id"], made["seat"]) for each in (client, other)]
        codes: list[int] = []
        threads = [
            threading.Thread(target=lambda seat=seat, move=move: codes.append(seat.move(move, 0).status_code))
            for seat, move in zip(seats, ("1", "2"), strict=True)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(codes) == [200, 409]


def test_a_bearer_of_nothing_is_refused_on_the_wire(server: Server, client: httpx.Client) -> None:
    """Not sent by httpx, which sends no spaces at the end of a line."""
    first, _ = sit_down(client, game="double-up")
    for header in ("Bearer", "Bearer ", "bearer   ", "BEARER", "Bearer\t"):
        with closing(HTTPConnection("127.0.0.1", server.port, timeout=10)) as plain:
            headers = {"Authorization": header, "Content-Type": "application/json"}
            plain.request("POST", f"/api/matches/{first.id}/move", '{"move": "2", "ply": 0}', headers)
            answer = plain.getresponse()
            assert (answer.status, json.load(answer)["code"]) == (401, "seat/needed")
    assert first.state()["ply"] == 0
