"""What is too much, too slow or too late is refused; the server goes on, and ends when it is told to."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import signal
import socket
import sqlite3
import sys
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager, closing, contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx
import pytest
import websockets
from fastapi import FastAPI
from sqlalchemy import make_url
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.middleware import proxy_headers

from parlour.store import Lifetimes, open_store
from parlour.web import games, matches, streams
from parlour.web.app import ServerSettings, make_app
from parlour.web.connections import MOST_CONNECTIONS_EACH, TrustedHosts
from parlour.web.costs import Budgets, Rate, Rates, cost_of
from parlour.web.limits import MOST_BODY_BYTES, MOST_REQUESTS_AT_ONCE, RequestLimits, client_network
from tests.support.postgres import Server as Postgres
from tests.support.seats import Seat, challenge, refused, sit_down
from tests.support.server import Server
from tests.system.web.test_trust import socket_url

Serve = Callable[..., Server]
LONG = 30.0  # seconds that are enough for anything, however busy the machine


# A database that does not answer.


@contextmanager
def sqlite_is_locked(url: str) -> Iterator[None]:
    with closing(sqlite3.connect(make_url(url).database or "", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def a_table_is_locked(url: str) -> Iterator[None]:
    import psycopg

    with psycopg.connect(url) as other:
        other.execute("LOCK TABLE matches")
        yield
        other.rollback()


@contextmanager
def postgresql_is_frozen(url: str, server: Postgres) -> Iterator[None]:
    """The processes that serve this database, and the one that would start others."""
    found = server.run(f"SELECT pid FROM pg_stat_activity WHERE datname = '{make_url(url).database}'")
    assert found
    numbers = [server.pid, *(number for (number,) in found)]
    for number in numbers:
        os.kill(number, signal.SIGSTOP)
    try:
        yield
    finally:
        for number in numbers:
            os.kill(number, signal.SIGCONT)


Stalled = tuple[str | None, Callable[[str], AbstractContextManager[None]]]


@pytest.fixture(params=["sqlite is locked", "a table is locked", "postgresql is frozen"])
def stalled(request: pytest.FixtureRequest) -> Stalled:
    """A database, and what makes it stop answering."""
    if request.param == "sqlite is locked":
        return None, sqlite_is_locked
    url: str = request.getfixturevalue("postgres_url")
    if request.param == "a table is locked":
        return url, a_table_is_locked
    server: Postgres = request.getfixturevalue("postgres_server")
    return url, lambda url: postgresql_is_frozen(url, server)


def move_meanwhile(seats: list[Seat], answers: list[int]) -> list[threading.Thread]:
    """Let each of them move; a connection that is closed counts as 503."""

    def move(seat: Seat) -> None:
        try:
            answers.append(seat.post("move", move="2", ply=0).status_code)
        except httpx.TransportError:
            answers.append(503)

    threads = [threading.Thread(target=move, args=(seat,)) for seat in seats]
    for thread in threads:
        thread.start()
    return threads


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stalled", "by"),
    [
        ("sqlite is locked", signal.SIGINT),
        ("sqlite is locked", signal.SIGTERM),
        ("a table is locked", signal.SIGTERM),
        ("postgresql is frozen", signal.SIGINT),
    ],
    indirect=["stalled"],
)
def test_it_closes_within_two_seconds_whatever_the_database_does(serve: Serve, stalled: Stalled, by: int) -> None:
    database, stall = stalled
    for _ in range(3):  # the machine may be busy
        server = serve(database)
        answers: list[int] = []
        with server.client() as client, httpx.Client(base_url=server.url, timeout=LONG) as other:
            made = [challenge(client, "local", game="double-up", first="1") for _ in range(8)]
            seats = [Seat(other, match["id"], match["seat"]) for match in made]
            # A page of a player, whose visit is to be ended.
            page = client.stream("GET", f"/api/matches/{seats[0].id}/stream", headers=seats[0].headers)
            with page as events:
                next(events.iter_lines())
                with stall(server.database):
                    threads = move_meanwhile(seats, answers)
                    sleep(0.5)
                    begun = monotonic()
                    server.stop(by)
                    took = monotonic() - begun
                    for thread in threads:
                        thread.join()
        assert "Traceback" not in server.errors, server.errors
        assert answers == [503] * 8
        if took < 2:
            return
    raise AssertionError(f"it took {took:.1f} seconds, and so it did before")


@pytest.mark.slow
def test_requests_are_refused_while_the_database_does_not_answer(serve: Serve, stalled: Stalled) -> None:
    database, stall = stalled
    server = serve(database)
    answers: list[int] = []
    with httpx.Client(base_url=server.url, timeout=2 * LONG) as client:
        made = [challenge(client, "local", game="double-up", first="1") for _ in range(8)]
        seats = [Seat(client, match["id"], match["seat"]) for match in made]
        with stall(server.database):
            for thread in move_meanwhile(seats, answers):
                thread.join()
            assert answers == [503] * 8
            assert client.get("/").status_code == 200
        end = monotonic() + LONG
        while (answer := seats[0].post("move", move="2", ply=0)).status_code == 503 and monotonic() < end:
            sleep(0.2)
        assert answer.status_code == 200, "it goes on when the database does"
    server.stop()
    assert "Traceback" not in server.errors, server.errors


# An application in this process, asked as a server would.


async def ask(app: ASGIApp, path: str, *body: bytes, client: str = "192.0.2.1", **more: Any) -> httpx.Response:
    """The answer to a request whose body comes in these pieces."""
    pieces = list(body)
    sent: list[Message] = []

    async def receive() -> Message:
        if pieces:
            return {"type": "http.request", "body": pieces.pop(0), "more_body": bool(pieces)}
        await asyncio.sleep(LONG)
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": b"",
        "headers": [],
        "client": (client, 1),
        **more,
    }
    async with asyncio.timeout(LONG) as limit:
        await app(scope, receive, send)
    assert not limit.expired()
    start, *rest = sent
    content = b"".join(message.get("body", b"") for message in rest)
    return httpx.Response(start["status"], headers=start["headers"], content=content)


async def closed_with(app: ASGIApp, path: str, *texts: str) -> int:
    """The code with which a socket is closed after these were said."""
    said: list[Message] = [{"type": "websocket.receive", "text": text} for text in texts]
    said.insert(0, {"type": "websocket.connect"})
    codes: list[int] = []

    async def receive() -> Message:
        if said:
            return said.pop(0)
        await asyncio.sleep(LONG)
        return {"type": "websocket.disconnect", "code": 1006}

    async def send(message: Message) -> None:
        if message["type"] == "websocket.close":
            codes.append(message["code"])

    scope = {"type": "websocket", "path": path, "query_string": b"", "headers": [], "client": ("192.0.2.1", 1)}
    async with asyncio.timeout(LONG) as limit:
        await app({**scope, "subprotocols": []}, receive, send)
    assert not limit.expired()
    (code,) = codes
    return code


class Waiting:
    """An application that answers when it is let."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.asked = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.asked += 1
        await self.go.wait()
        await PlainTextResponse("done")(scope, receive, send)


async def are_asked(app: Waiting, count: int) -> None:
    async with asyncio.timeout(LONG):
        while app.asked < count:
            await asyncio.sleep(0.01)


@asynccontextmanager
async def opened(
    path: Path, settings: ServerSettings | None = None
) -> AsyncIterator[tuple[FastAPI, httpx.AsyncClient]]:
    app = make_app(open_store(f"sqlite:///{path}/web.sqlite3"), settings)
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://here", timeout=LONG) as client,
    ):
        yield app, client


# Who asks too often, or too much at once.

ROUTES = [*games.router.routes, *matches.router.routes, *streams.router.routes]


def limited(inner: ASGIApp, rates: Rates) -> RequestLimits:
    return RequestLimits(inner, Budgets(rates), lambda scope: cost_of(ROUTES, scope))


@pytest.mark.parametrize(
    ("path", "most"), [("/api/games/x/solve", 6), ("/api/matches/x/report", 6), ("/api/matches/x/stream", 200)]
)
def test_an_address_may_have_so_much_open_at_once(path: str, most: int) -> None:
    async def scenario() -> None:
        inner = Waiting()
        app = limited(inner, Rates())
        tasks = [asyncio.create_task(ask(app, path)) for _ in range(most)]
        await are_asked(inner, most)
        refused(await ask(app, path), 503, "server/busy")
        tasks.append(asyncio.create_task(ask(app, path, client="192.0.2.2")))
        tasks.append(asyncio.create_task(ask(app, "/api/games")))
        await are_asked(inner, most + 2)
        inner.go.set()
        assert {answer.status_code for answer in await asyncio.gather(*tasks)} == {200}
        assert (await ask(app, path)).status_code == 200

    asyncio.run(scenario())


def test_sockets_are_counted_like_streams() -> None:
    async def scenario() -> None:
        inner = Waiting()
        app = limited(inner, Rates(listening=1))
        task = asyncio.create_task(ask(app, "/api/matches/x/stream"))
        await are_asked(inner, 1)
        assert await closed_with(app, "/api/matches/x/socket") == 1013
        inner.go.set()
        await task

    asyncio.run(scenario())


def test_all_together_are_told_that_it_is_too_much() -> None:
    async def scenario() -> None:
        inner = Waiting()
        app = RequestLimits(inner, Budgets(None), most_open=3)
        tasks = [asyncio.create_task(ask(app, "/", client=f"192.0.2.{number}")) for number in range(3)]
        await are_asked(inner, 3)
        refused(await ask(app, "/"), 503, "server/busy")
        inner.go.set()
        await asyncio.gather(*tasks)
        assert (await ask(app, "/")).status_code == 200

    asyncio.run(scenario())


@pytest.mark.slow
def test_the_server_says_so_before_uvicorn_does(serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nulimit -n 300\nexec {shlex.quote(sys.executable)} "$@"\n')  # so many files at once
    python.chmod(0o700)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", str(python))
        server = serve()
    with server.client() as client, ExitStack() as lines:
        made = challenge(client, "local", game="double-up")
        request = f"GET /api/matches/{made['id']}/stream HTTP/1.1\r\nHost: here\r\n\r\n".encode()
        for _ in range(200):
            line = lines.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=LONG))
            line.sendall(request)
            if b"200 OK" not in line.recv(1000):
                break
        answer = client.get("/")
        refused(answer, 503, "server/busy")
        assert answer.headers["Cache-Control"] == "no-store"
    server.stop()
    assert "concurrency" not in server.errors


@pytest.mark.parametrize(
    ("client", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:0:1::1", "2001:db8:0:1::"),
        ("2001:DB8:0:1:ffff:ffff:ffff:ffff", "2001:db8:0:1::"),
        ("2001:db8:0:2::1", "2001:db8:0:2::"),
        ("fe80::1%eth0", "fe80::"),
        ("::1", "::"),
        ("somebody", "somebody"),
    ],
)
def test_who_is_counted_as_one(client: str, counted: str) -> None:
    assert client_network(client) == counted


@pytest.mark.slow
def test_a_network_has_one_allowance() -> None:
    async def scenario() -> None:
        inner = Waiting()
        inner.go.set()
        app = limited(inner, Rates(look=Rate(3, 0.001)))
        for number in range(3):
            assert (await ask(app, "/api/games", client=f"2001:db8::{number}")).status_code == 200
        late = await ask(app, "/api/games", client="2001:db8::9")
        refused(late, 429, "rate/limited")
        assert int(late.headers["Retry-After"]) > 1
        assert (await ask(app, "/api/games", client="2001:db8:0:1::1")).status_code == 200

    asyncio.run(scenario())


@pytest.mark.slow
def test_a_proxy_on_this_machine_is_believed_where_ipv6_is_listened_to(serve: Serve) -> None:
    if not socket.has_dualstack_ipv6():
        pytest.skip("NOT TESTED: there is no IPv6 here")
    server = serve(None, "--host", "::")

    def made_by(address: str) -> int:
        answer = httpx.post(
            f"http://127.0.0.1:{server.port}/api/challenge/local",
            json={"game": "double-up"},
            headers={"X-Forwarded-For": address},
            timeout=LONG,
        )
        return answer.status_code

    assert 429 in {made_by("192.0.2.1") for _ in range(60)}
    assert made_by("192.0.2.2") == 201


# Who sends too much.


TOO_LARGE = (b"x" * (MOST_BODY_BYTES // 2 + 1),) * 2


@pytest.mark.parametrize("encoding", ["br", "deflate", "zstd", "gzip", "GZIP, identity"])
def test_a_body_that_is_encoded_is_refused(client: httpx.Client, encoding: str) -> None:
    body = {"game": "double-up"}
    refused(client.post("/api/challenge/local", json=body, headers={"Content-Encoding": encoding}), 415, "body/encoded")
    assert client.post("/api/challenge/local", json=body, headers={"Content-Encoding": "identity"}).status_code == 201


@pytest.mark.parametrize("options", [(), ("--unlimited",)])
def test_a_request_with_two_lengths_is_refused_and_its_connection_closed(
    serve: Serve, options: tuple[str, ...]
) -> None:
    """One length may be what a proxy believes, the other what we do: RFC 9112, section 6.1."""
    server = serve(None, "--matches", "10", *options)
    head = "POST /api/challenge/local HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
    body = b"14\r\n" + b'{"game":"double-up"}' + b"\r\n0\r\n\r\n"
    lengths = f"Content-Length: {len(body)}\r\nTransfer-Encoding: chunked\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=LONG) as connection:
        connection.sendall(f"{head}{lengths}".encode() + body)
        answer = b""
        while piece := connection.recv(65536):  # until it is closed
            answer += piece
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.count(b"HTTP/1.1") == 1
    assert b"both Content-Length and Transfer-Encoding" in answer


def test_a_body_is_refused_by_the_length_that_it_is_said_to_have() -> None:
    async def scenario() -> None:
        inner = Waiting()
        headers = [(b"content-length", b"%d" % (MOST_BODY_BYTES + 1))]
        refused(await ask(RequestLimits(inner, Budgets(None)), "/", headers=headers), 413, "body/too-large")
        assert inner.asked == 0

    asyncio.run(scenario())


@pytest.mark.parametrize("body", [TOO_LARGE, (b"".join(TOO_LARGE),)])
@pytest.mark.slow
def test_a_body_that_grows_too_large_is_refused_by_every_route(tmp_path: Path, body: tuple[bytes, ...]) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as (app, client):
            made = (await client.post("/api/challenge/local", json={"game": "double-up"})).json()
            stream = f"/api/matches/{made['id']}/stream"
            refused(await ask(app, stream, *body), 413, "body/too-large")
            kind = [(b"content-type", b"application/json")]
            answer = await ask(app, "/api/import", *body, method="POST", headers=kind)
            refused(answer, 413, "body/too-large")

    asyncio.run(scenario())


def test_an_answer_that_has_begun_breaks_off_when_the_body_grows_too_large() -> None:
    async def scenario() -> None:
        begun = asyncio.Event()

        async def endless() -> AsyncIterator[bytes]:
            yield b"begun"
            begun.set()
            await asyncio.sleep(2 * LONG)

        async def inner(scope: Scope, receive: Receive, send: Send) -> None:
            async def later() -> Message:
                await begun.wait()
                return await receive()

            await StreamingResponse(endless())(scope, later, send)

        answer = await ask(RequestLimits(inner, Budgets(None)), "/", *TOO_LARGE)
        assert (answer.status_code, answer.content) == (200, b"begun")

    asyncio.run(scenario())


@pytest.mark.slow
def test_a_stream_asked_for_with_a_long_body_leaves_no_traceback(serve: Serve) -> None:
    server = serve()
    with server.client() as client:
        made = challenge(client, "local", game="double-up")
        path = f"/api/matches/{made['id']}/stream"
        refused(client.request("GET", path, content=b"".join(TOO_LARGE)), 413, "body/too-large")
        with socket.create_connection(("127.0.0.1", server.port), timeout=LONG) as line:
            line.sendall(f"GET {path} HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
            assert b"200 OK" in line.recv(1000)  # it has begun
            for piece in TOO_LARGE:
                line.sendall(b"%x\r\n%b\r\n" % (len(piece), piece))
            while line.recv(100_000):  # until it ends
                pass
    server.stop()
    assert "Traceback" not in server.errors, server.errors


def test_a_page_may_say_so_much(server: Server, client: httpx.Client) -> None:
    first, _ = sit_down(client, game="double-up")

    async def scenario(hello: str) -> int | None:
        async with websockets.connect(socket_url(server, first.id)) as page:
            await page.send(hello)
            with pytest.raises(websockets.ConnectionClosed):
                await asyncio.wait_for(page.recv(), LONG)
            return page.close_code

    assert asyncio.run(scenario(json.dumps({"seat": "x" * 4000}))) == 4403
    assert asyncio.run(scenario(json.dumps({"seat": "x" * 4100}))) == 1009


# Who takes too long, and whom there is no room for.


def test_who_waits_for_his_own_requests_in_vain_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without having been begun; and it matters to nobody else."""
    monkeypatch.setattr("parlour.web.limits.ANSWER_SECONDS", 0.5)

    async def scenario() -> None:
        inner = Waiting()
        app = limited(inner, Rates())
        answers = await asyncio.gather(*(ask(app, "/api/games") for _ in range(10 * MOST_REQUESTS_AT_ONCE)))
        for answer in answers:
            refused(answer, 503, "server/busy")
        assert MOST_REQUESTS_AT_ONCE <= inner.asked <= 3 * MOST_REQUESTS_AT_ONCE, (
            "no more than had a place before the time was up"
        )
        inner.go.set()
        assert (await ask(app, "/api/games")).status_code == 200
        assert app.idle

    asyncio.run(scenario())


@pytest.mark.parametrize("look", [Rate(400, 50), Rate(1, 0.001)], ids=["answered", "refused"])
def test_an_address_has_only_a_few_requests_answered_in_one_turn_of_the_event_loop(look: Rate) -> None:
    """Also if they never wait: 280 connections must not keep the moves of others waiting."""
    turn = 0
    ended: Counter[int] = Counter()

    async def one(app: RequestLimits) -> None:
        await ask(app, "/api/games", b"")
        ended[turn] += 1

    async def scenario() -> None:
        nonlocal turn
        app = limited(PlainTextResponse("done"), Rates(look=look))
        asking = asyncio.gather(*(one(app) for _ in range(280)))
        while not asking.done():
            turn += 1
            await asyncio.sleep(0)

    asyncio.run(scenario())
    assert ended.total() == 280
    assert max(ended.values()) <= MOST_REQUESTS_AT_ONCE


@pytest.mark.slow
def test_a_request_that_is_not_answered_in_time_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.web.limits.ANSWER_SECONDS", 0.1)

    async def scenario() -> None:
        inner = Waiting()
        app = limited(inner, Rates())
        refused(await ask(app, "/api/games"), 503, "server/busy")
        question = asyncio.create_task(ask(app, "/api/games/x/solve"))
        await asyncio.sleep(0.5)
        inner.go.set()
        assert (await question).status_code == 200, "questions may take their time"

        async def slow() -> AsyncIterator[bytes]:
            yield b"begun"
            await asyncio.sleep(0.5)
            yield b" and ended"

        assert (await ask(RequestLimits(StreamingResponse(slow()), Budgets(None)), "/")).text == "begun and ended"

    asyncio.run(scenario())


@pytest.mark.slow
def test_a_page_that_does_not_say_who_it_is_is_sent_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.web.streams.HELLO_SECONDS", 0.1)

    async def scenario() -> None:
        async with opened(tmp_path) as (app, client):
            made = (await client.post("/api/challenge/local", json={"game": "double-up"})).json()
            assert await closed_with(app, f"/api/matches/{made['id']}/socket") == 1008

    asyncio.run(scenario())


@pytest.mark.slow
def test_a_process_has_room_for_so_many_listeners(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.web.hub.MOST_LISTENERS", 1)

    async def scenario() -> None:
        async with opened(tmp_path) as (app, client):
            made = (await client.post("/api/challenge/local", json={"game": "double-up"})).json()
            path = f"/api/matches/{made['id']}"
            hello = '{"seat": null}'
            first = asyncio.create_task(closed_with(app, f"{path}/socket", hello))
            async with asyncio.timeout(LONG):
                while not app.state.hub.listeners:
                    await asyncio.sleep(0.01)
            refused(await ask(app, f"{path}/stream", b""), 503, "server/busy")
            assert await closed_with(app, f"{path}/socket", hello) == 1013
            await app.state.hub.close()
            assert await first == 1012

    asyncio.run(scenario())


@pytest.mark.slow
def test_a_match_that_has_expired_is_removed_by_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.web.app.SECONDS_BETWEEN_SWEEPS", 0.05)

    async def scenario() -> None:
        lifetimes = Lifetimes(waiting=0.1, playing=1e9, over=1e9)
        async with opened(tmp_path, ServerSettings(lifetimes=lifetimes)) as (_, client):
            kept = (await client.post("/api/challenge/local", json={"game": "double-up"})).json()
            gone = (await client.post("/api/challenge/open", json={"game": "double-up"})).json()
            end = monotonic() + LONG
            while (answer := await client.get(f"/api/matches/{gone['id']}")).status_code == 200 and monotonic() < end:
                await asyncio.sleep(0.05)
            refused(answer, 404, "match/unknown")
            assert (await client.get(f"/api/matches/{kept['id']}")).status_code == 200

    asyncio.run(scenario())


# What every answer says to a browser.


def test_answers_of_the_api_are_kept_nowhere(client: httpx.Client) -> None:
    first, _ = sit_down(client, game="double-up")
    answers = [
        client.get(f"/api/matches/{first.id}"),
        client.get(f"/api/matches/{first.id}/record"),
        client.get("/api/games/double-up/position"),
        client.get("/api/matches/abcdefghjk"),
        client.get("/api/nothing"),
        first.move("2", 0),
    ]
    assert {answer.headers["Cache-Control"] for answer in answers} == {"no-store"}


@pytest.mark.slow
def test_a_mistake_of_ours_has_the_strict_headers_too(tmp_path: Path) -> None:
    async def scenario() -> httpx.Response:
        async with opened(tmp_path) as (app, client):
            app.state.matches.load = lambda *_: 1 // 0
            return await client.get("/api/matches/abcdefghjk")

    answer = asyncio.run(scenario())
    refused(answer, 500, "server/failed")
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "no-store"


# Which proxies are believed.


@pytest.mark.parametrize(
    "trusted",
    [
        ["*"],
        ["*", "127.0.0.1"],
        ["10.0.0.0/8"],
        ["10.0.0.1/8"],
        ["::ffff:10.0.0.0/104"],
        ["2001:db8::/32", "::1"],
        [""],
    ],
)
def test_trusted_is_who_uvicorn_trusts(trusted: list[str]) -> None:
    hosts = ["10.1.2.3", "11.1.2.3", "127.0.0.1", "::1", "::ffff:10.1.2.3", "2001:db8:1::7", "", "*", "proxy"]
    theirs, ours = proxy_headers._TrustedHosts(trusted), TrustedHosts(trusted)
    assert [host in ours for host in hosts] == [host in theirs for host in hosts]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is one loopback address")
@pytest.mark.parametrize("trusted", ["127.0.0.0/8", "*"])
def test_a_proxy_of_a_trusted_network_may_have_more_connections_than_a_visitor(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, trusted: str
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", trusted)
    server = serve(None, "--matches", "10")
    request = b"GET /health HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: 203.0.113.%d\r\n\r\n"
    with ExitStack() as open_ones:
        statuses = Counter[bytes]()
        for number in range(MOST_CONNECTIONS_EACH + 5):
            address = ("127.0.0.1", server.port)
            connection = socket.create_connection(address, timeout=LONG, source_address=("127.0.0.7", 0))
            open_ones.enter_context(connection)
            connection.sendall(request % (number % 200))
            statuses[connection.recv(65536).split()[1]] += 1
    assert statuses == {b"200": MOST_CONNECTIONS_EACH + 5}
