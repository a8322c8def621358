"""What is too much, too slow or too late is refused; the server goes on, and ends when it is told to."""

from __future__ import annotations

import asyncio
import json
import shlex
import signal
import socket
import sqlite3
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from pathlib import Path
from time import monotonic, sleep

import httpx
import pytest
import websockets
from sqlalchemy import make_url

from parlour.web.connections import MOST_CONNECTIONS_EACH
from parlour.web.limits import MOST_BODY_BYTES
from tests.support.eventually import eventually
from tests.support.postgres import Server as Postgres
from tests.support.postgres import postgresql_is_frozen
from tests.support.seats import Seat, challenge, refused, sit_down
from tests.support.server import Server

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
    return url, lambda _: postgresql_is_frozen(server)


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


@pytest.mark.parametrize(
    ("stalled", "by"),
    [
        ("sqlite is locked", signal.SIGINT),
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


def test_requests_are_refused_while_the_database_does_not_answer(serve: Serve, stalled: Stalled) -> None:
    database, stall = stalled
    server = serve(database, "--unlimited", constants={"parlour.web.limits.ANSWER_SECONDS": 1.5})
    answers: list[int] = []
    with httpx.Client(base_url=server.url, timeout=2 * LONG) as client:
        made = [challenge(client, "local", game="double-up", first="1") for _ in range(8)]
        seats = [Seat(client, match["id"], match["seat"]) for match in made]
        with stall(server.database):
            for thread in move_meanwhile(seats, answers):
                thread.join()
            assert answers == [503] * 8
            assert client.get("/").status_code == 200
        eventually(lambda: seats[0].post("move", move="2", ply=0).status_code == 200, "the database to be back")
    server.stop()
    assert "Traceback" not in server.errors, server.errors


# Who asks too often, or too much at once.


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


def test_a_request_with_two_lengths_is_refused_and_its_connection_closed(
    server: Server,
) -> None:
    """One length may be what a proxy believes, the other what we do: RFC 9112, section 6.1."""
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


def test_a_stream_asked_for_with_a_long_body_leaves_no_traceback(server: Server, client: httpx.Client) -> None:
    """The shared server is checked for tracebacks at its end."""
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


def test_a_page_may_say_so_much(server: Server, client: httpx.Client) -> None:
    first, _ = sit_down(client, game="double-up")

    async def scenario(hello: str) -> int | None:
        async with websockets.connect(server.socket_url(first.id)) as page:
            await page.send(hello)
            with pytest.raises(websockets.ConnectionClosed):
                await asyncio.wait_for(page.recv(), LONG)
            return page.close_code

    assert asyncio.run(scenario(json.dumps({"seat": "x" * 4000}))) == 4403
    assert asyncio.run(scenario(json.dumps({"seat": "x" * 4100}))) == 1009


# Who takes too long, and whom there is no room for.


# What every answer says to a browser.


# Which proxies are believed.


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is one loopback address")
def test_a_proxy_of_a_trusted_network_may_have_more_connections_than_a_visitor(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "127.0.0.0/8")
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
