"""What players have to be able to trust: nothing is lost, nothing secret is told, nothing lasts for ever."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any, NamedTuple

import httpx
import pytest
import websockets

from parlour import catalog, record
from parlour.match import Match
from tests.support.seats import Seat, challenge, refused, sit_down, wait_until
from tests.support.server import Server

Serve = Callable[..., Server]


def socket_url(server: Server, id: str) -> str:
    return f"{server.url.replace('http', 'ws')}/api/matches/{id}/socket"


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


@pytest.mark.slow
@pytest.mark.parametrize("answers", [30, 80, 160])
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
    end = monotonic() + 60
    while sum(len(match) for told, _ in noted for match in told) < answers:
        assert monotonic() < end, "nothing is played"
        sleep(0.01)
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


@pytest.mark.slow
def test_after_a_restart_the_game_goes_on_and_so_does_the_computer(serve: Serve) -> None:
    server = serve()
    with server.client() as client:
        made = challenge(client, "computer", game="sequence-builder", first="me", level="level:2")
        seat = Seat(client, made["id"], made["seat"])
        state = seat.move("5", 0).json()
    server.kill()  # perhaps before the computer has answered
    server.restart()
    with server.client() as client:
        seat = Seat(client, made["id"], made["seat"])
        end = monotonic() + 20
        while monotonic() < end and (state := seat.state())["thinking"]:
            sleep(0.1)
        assert state["table"]["moves"][0] == "5"
        assert state["table"]["turn"] == 1


# The server ends when it is told to.


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.slow
def test_it_closes_within_two_seconds_with_clients_connected(serve: Serve, by: int) -> None:
    async def scenario(server: Server) -> tuple[float, int | None, bool]:
        async with httpx.AsyncClient(base_url=server.url, timeout=30) as client:
            made = (await client.post("/api/challenge/local", json={"game": "double-up"})).json()
            url = socket_url(server, made["id"])
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
            await asyncio.sleep(1)
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
        server = serve()
        took, code, ended = asyncio.run(scenario(server))
        assert code in (1001, 1012)
        assert ended
        assert "Traceback" not in server.errors, server.errors
        if took < 2:
            return
    raise AssertionError(f"it took {took:.1f} seconds, and so it did before")


# Secrets stay secret.


@pytest.mark.slow
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


def test_every_page_and_answer_has_the_strict_headers(client: httpx.Client) -> None:
    paths = ["/", "/play/double-up", "/m/abcdefghjk", "/study/double-up/start", "/rules/double-up", "/import", "/about"]
    style = re.findall(r'href="(/static/\w+/style\.css)"', client.get("/").text)
    for path in [*paths, *style, "/static/style.css", "/api/games", "/nothing"]:
        answer = client.get(path, headers={"Accept": "text/html"})
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "Set-Cookie" not in answer.headers
        if path in paths:
            assert answer.status_code == 200
            assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", answer.text), "inline"
            assert not re.search(r"(?:src|href)=\"(?:https?:)?//", answer.text), "another host"


# Nobody can ask for too much.


@pytest.mark.slow
def test_whoever_asks_too_often_is_told_when_to_come_back(serve: Serve) -> None:
    server = serve(None, "--port", "0")
    with server.client() as client:
        answers = [client.post("/api/challenge/local", json={"game": "double-up"}) for _ in range(60)]
        late = [answer for answer in answers if answer.status_code != 201]
        assert late, "no limit"
        refused(late[0], 429, "rate/limited")
        assert int(late[0].headers["Retry-After"]) >= 1
        assert client.get("/").status_code == 200, "a page is still to be had"


def test_a_match_holds_so_much_and_says_so(client: httpx.Client) -> None:
    # The longest that can be given at once, and then one by one: each number the least that may follow.
    given = [str(number) for number in range(2, 290)]
    made = challenge(client, "local", game="double-up", options={"limit": "none"}, first="1", moves=given)
    seat = Seat(client, made["id"], made["seat"])
    state, answer = made["state"], None
    for _ in range(30):
        answer = seat.move(state["table"]["legal"][0], state["ply"])
        if answer.status_code != 200:
            break
        state = answer.json()
    assert answer is not None
    refused(answer, 409, "match/full")
    assert seat.state()["can"] == ["rename", "resign", "renew", "delete"]
    assert seat.post("resign").status_code == 200, "but it can be ended"


# Everybody hears of it.


def test_a_program_follows_a_match_line_by_line(client: httpx.Client) -> None:
    first, second = sit_down(client, game="double-up", options={"limit": "4"})
    events: list[dict[str, Any]] = []
    with client.stream("GET", f"/api/matches/{first.id}/stream") as stream:
        assert stream.headers["content-type"].startswith("application/x-ndjson")
        for line in stream.iter_lines():
            if not line:
                continue
            events.append(json.loads(line))
            if len(events) == 1:
                with httpx.Client(base_url=client.base_url) as other:
                    Seat(other, first.id, first.secret).move("2")
                    Seat(other, first.id, second.secret).move("4")
    assert events[0]["type"] == "full"
    assert {event["type"] for event in events[1:]} == {"state"}
    numbers = [event["seq"] for event in events]
    assert numbers == sorted(numbers)
    assert events[-1]["state"]["outcome"]["winner"] == 2
    assert events[-1]["state"]["table"]["moves"] == ["2", "4"]


def test_presence_is_part_of_the_state(server: Server, client: httpx.Client) -> None:
    first, second = sit_down(client, game="double-up")

    async def scenario() -> None:
        async with websockets.connect(socket_url(server, first.id)) as one:
            await one.send(json.dumps({"seat": first.secret}))
            assert await until(one, lambda state: [p["present"] for p in state["players"]] == [True, False])
            async with websockets.connect(socket_url(server, first.id)) as two:
                await two.send(json.dumps({"seat": second.secret}))
                assert await until(one, lambda state: state["players"][1]["present"])
            assert await until(one, lambda state: not state["players"][1]["present"])

    asyncio.run(scenario())
    wait_until(first, lambda state: [player["present"] for player in state["players"]] == [False, False])


async def until(page: Any, condition: Callable[[dict[str, Any]], bool], seconds: float = 10) -> dict[str, Any]:
    """The first state on a socket for which this holds."""
    async with asyncio.timeout(seconds):
        while True:
            event = json.loads(await page.recv())
            if event["type"] == "state" and condition(event["state"]):
                state: dict[str, Any] = event["state"]
                return state


def test_a_renewed_seat_sends_away_whoever_listens_with_the_old_one(server: Server, client: httpx.Client) -> None:
    first, second = sit_down(client, game="double-up")
    old, new = first.secret, "new-secret-of-22-letters"

    async def scenario() -> int | None:
        page, other, watcher = [await websockets.connect(socket_url(server, first.id)) for _ in range(3)]
        for each, secret in ((page, old), (other, second.secret), (watcher, None)):
            await each.send(json.dumps({"seat": secret}))
            await until(each, lambda state: True)
        with httpx.stream("GET", f"{server.url}/api/matches/{first.id}/stream", headers=first.headers) as stream:
            lines = stream.iter_lines()
            assert json.loads(next(lines))["state"]["you"] == [1]
            answer = await asyncio.to_thread(first.post, "seat", seat=new)
            assert (answer.status_code, answer.json()["seat"]) == (200, new)
            await asyncio.wait_for(page.wait_closed(), 10)
            left = await asyncio.to_thread(list, lines)
            assert all(not line or json.loads(line)["seq"] < answer.json()["state"]["seq"] for line in left)
        for each in (other, watcher):
            assert await until(each, lambda state: state["seq"] == answer.json()["state"]["seq"])
            await each.close()
        return page.close_code

    assert asyncio.run(scenario()) == 1012
    refused(first.move("2", 0), 403, "seat/wrong")
    assert Seat(client, first.id, new).move("2", 0).status_code == 200
    assert first.post("seat", seat=new).json()["state"]["you"] == [1], "sent again, it is told again"
    refused(first.post("seat", seat="short"), 400, "request/bad")
    refused(Seat(client, first.id, None).post("seat", seat=new + "2"), 401, "seat/needed")
    secrets = [client.get(f"/api/matches/{first.id}").text, client.get(f"/api/matches/{first.id}/record").text]
    assert new not in "".join(secrets)


def test_a_deleted_match_is_told_once_and_then_unknown(server: Server, client: httpx.Client) -> None:
    first, second = sit_down(client, game="double-up")
    refused(first.post("delete"), 409, "offer/impossible")
    first.move("2", 0)

    async def scenario() -> int | None:
        async with websockets.connect(socket_url(server, first.id)) as page:
            await page.send(json.dumps({"seat": first.secret}))
            await until(page, lambda state: state["ply"] == 1)
            second.post("offer", kind="delete", ply=1)
            asked = await until(page, lambda state: state["offer"] is not None)
            assert asked["offer"] == {"kind": "delete", "by": 2}
            last = await asyncio.to_thread(first.post, "offer/accept", kind="delete", ply=1)
            assert (last.json()["deleted"], last.json()["can"]) == (True, [])
            await asyncio.wait_for(page.wait_closed(), 10)
            return page.close_code

    assert asyncio.run(scenario()) == 1012
    for what in ("delete", "rematch"):
        refused(first.post(what), 404, "match/unknown")
    refused(client.get(f"/api/matches/{first.id}/record"), 404, "match/unknown")
    for kind in ("computer", "local"):
        made = challenge(client, kind, game="double-up")
        alone = Seat(client, made["id"], made["seat"])
        refused(Seat(client, made["id"], None).post("delete"), 401, "seat/needed")
        assert alone.post("delete").json()["deleted"] is True
        refused(alone.post("delete"), 404, "match/unknown")


@pytest.mark.slow
def test_a_full_server_says_so(serve: Serve) -> None:
    server = serve(None, "--unlimited", "--matches", "2")
    with server.client() as client:
        made = [challenge(client, "local", game="double-up") for _ in range(2)]
        for answer in (
            client.post("/api/challenge/open", json={"game": "double-up"}),
            client.post("/api/import", json={"record": client.get(f"/api/matches/{made[0]['id']}/record").text}),
        ):
            refused(answer, 503, "server/full")
            assert "keeps no more than 2 matches" in answer.json()["error"]
        assert Seat(client, made[0]["id"], made[0]["seat"]).post("delete").status_code == 200
        challenge(client, game="double-up")


def test_a_socket_for_nothing_or_with_a_wrong_seat_is_closed(server: Server, client: httpx.Client) -> None:
    first, _ = sit_down(client, game="double-up")

    async def closed_with(id: str, hello: str) -> int | None:
        async with websockets.connect(socket_url(server, id)) as page:
            await page.send(hello)
            with pytest.raises(websockets.ConnectionClosed):
                await asyncio.wait_for(page.recv(), 5)
            return page.close_code

    assert asyncio.run(closed_with("abcdefghjk", '{"seat": null}')) == 4404
    assert asyncio.run(closed_with(first.id, '{"seat": "wrong"}')) == 4403
    assert asyncio.run(closed_with(first.id, "rubbish")) == 1008


@pytest.mark.slow
def test_what_is_no_text_ends_a_socket_and_leaves_no_trace_in_the_log(serve: Serve) -> None:
    server = serve()
    with server.client() as client:
        first, _ = sit_down(client, game="double-up")

    async def closed_with(*messages: str | bytes) -> int | None:
        async with websockets.connect(socket_url(server, first.id)) as page:
            for message in messages:
                await page.send(message, text=True)
            await asyncio.wait_for(page.wait_closed(), 5)
            return page.close_code

    assert asyncio.run(closed_with(b"\xff\xfe{")) == 1007
    assert asyncio.run(closed_with('{"seat": null}', b"{\xc3\x28}")) == 1007
    assert asyncio.run(closed_with('{"seat": "\\ud800"}')) == 1008, "half a character"
    server.stop()
    assert server.errors.strip() == ""


@pytest.mark.parametrize("header", ["Bearer", "Bearer ", "bearer   ", "BEARER", "Bearer\t"])
def test_a_bearer_of_nothing_is_refused(server: Server, client: httpx.Client, header: str) -> None:
    first, _ = sit_down(client, game="double-up")
    headers = {"Authorization": header, "Content-Type": "application/json"}
    for method, path in (("GET", ""), ("GET", "/stream"), ("POST", "/move")):
        # Not by httpx, which would not send spaces at the end of a line.
        with closing(HTTPConnection("127.0.0.1", server.port, timeout=10)) as plain:
            plain.request(method, f"/api/matches/{first.id}{path}", '{"move": "2", "ply": 0}', headers)
            answer = plain.getresponse()
            assert answer.status == 401
            assert json.load(answer) == {
                "code": "seat/needed",
                "error": "no secret follows the word Bearer; send the secret of your seat, or no such header to watch",
            }
    assert first.state()["ply"] == 0


@pytest.mark.parametrize("header", ["Basic QW5uOnNlY3JldA==", "Digest", ""])
def test_a_password_for_somebody_else_is_not_ours_to_refuse(client: httpx.Client, header: str) -> None:
    """A proxy before the server may want one."""
    first, _ = sit_down(client, game="double-up")
    assert client.get(f"/api/matches/{first.id}", headers={"Authorization": header}).json()["you"] == []


@pytest.mark.slow
def test_two_servers_on_one_postgresql_are_one(serve: Serve, postgres_url: str) -> None:
    """A move made through one is pushed to a page that is connected to the other, and races have one winner."""
    here, there = serve(postgres_url), serve(postgres_url)
    with here.client() as client, there.client() as other:
        first, second = sit_down(client, game="sequence-builder")
        far = Seat(other, second.id, second.secret)

        async def scenario() -> float:
            async with websockets.connect(socket_url(there, first.id)) as page:
                await page.send(json.dumps({"seat": second.secret}))
                await until(page, lambda state: state["ply"] == 0)
                begun = monotonic()
                await asyncio.to_thread(first.move, "5", 0)
                state = await until(page, lambda state: state["ply"] == 1)
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
