"""Connections: endless, silent or half-open ones lock nobody out, and slow but whole requests are answered."""

from __future__ import annotations

import asyncio
import re
import shlex
import socket
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import sleep

import httpx
import pytest

from parlour.web.connections import MOST_CONNECTIONS_EACH, MOST_PIECES, MOST_SAID, MOST_UNWANTED
from parlour.web.limits import MOST_HEADERS
from parlour.web.pages import files_path, served_files
from tests.support.server import Server

REQUEST_SECONDS = 3.0  # for a request to come, instead of 15
LONG = 30.0  # seconds that are enough for anything, however busy the machine
linux = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is one loopback address")


# A classroom.


def page_paths() -> list[str]:
    """The requests of a browser that opens a match page for the first time."""
    kinds = (".js", ".css", ".woff2")
    files = [f"{files_path()}/{name}" for name in served_files() if name.endswith(kinds)]
    return ["/", *files, "/manifest.json", "/worker.js", "/offline.json", "/api/games"]


@linux
def test_thirty_visitors_behind_one_address_all_get_their_page(serve: Callable[..., Server]) -> None:
    server = serve(None, "--matches", "100")  # with limits
    paths = page_paths()
    assert len(paths) > 45

    async def fetch(waiting: list[str], statuses: Counter[int]) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port, local_addr=("127.0.0.9", 0))
        while waiting:
            writer.write(f"GET {waiting.pop()} HTTP/1.1\r\nHost: h\r\nAccept-Encoding: gzip\r\n\r\n".encode())
            head = await reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
            assert length is not None
            await reader.readexactly(int(length[1]))
            statuses[int(head.split()[1])] += 1
        writer.close()

    async def visit() -> Counter[int]:
        """Fetch all files over six connections, as browsers do."""
        waiting, statuses = paths.copy(), Counter[int]()
        await asyncio.gather(*(fetch(waiting, statuses) for _ in range(6)))
        return statuses

    async def scenario() -> list[Counter[int]]:
        return await asyncio.gather(*(visit() for _ in range(30)))

    assert asyncio.run(scenario()) == [Counter({200: len(paths)})] * 30


# Connections.


def all_of(line: socket.socket) -> bytes:
    """What the server says until it hangs up."""
    said = b""
    with suppress(ConnectionError):
        while part := line.recv(1 << 16):
            said += part
    return said


@linux
def test_whoever_does_not_stop_is_hung_up_on(serve: Callable[..., Server]) -> None:
    """By what they say, without a word in the log; and nobody else notices."""
    server = serve(None, "--log", "plain")

    def connect(address: str) -> socket.socket:
        return socket.create_connection(("127.0.0.1", server.port), timeout=LONG, source_address=(address, 0))

    def says(data: bytes, *more: bytes) -> bytes:
        with connect("127.0.0.2") as line:
            line.sendall(data)
            with suppress(ConnectionError):
                for part in more:
                    line.sendall(part)
            return all_of(line)

    with connect("127.0.0.4") as line:
        line.sendall(b"POST /api/import HTTP/1.1\r\nHost: here\r\nContent-Length: 1000000000\r\n\r\n")
        assert b"413 " in line.recv(1000)
        with pytest.raises(ConnectionError):
            line.sendall(bytes(30 * MOST_UNWANTED))

    with connect("127.0.0.5") as line, suppress(ConnectionError):
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        slow = b"X-Slow: " + b"x" * 60 * MOST_PIECES + b"\r\n"  # some of it may come together
        for byte in b"GET /api/games HTTP/1.1\r\nHost: here\r\nConnection: close\r\n" + slow + b"\r\n":
            line.sendall(bytes((byte,)))
            sleep(0.002)
        assert not all_of(line), "a byte at a time is not heard to its end"

    head = f"GET /api/matches/{'2' * 10}/socket HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    head += "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    ping = b"\x89\x80\x00\x00\x00\x00"
    pongs = says(head.encode(), *[ping] * (2 * MOST_SAID // len(ping))).partition(b"\r\n\r\n")[2]
    assert len(pongs) <= MOST_SAID / len(ping) * 2, "two bytes each, for no more pings than may be said"

    many = b"".join(b"X-%d: x\r\n" % number for number in range(MOST_HEADERS))
    assert b"more than 100 headers" in says(b"GET /api/games HTTP/1.1\r\nHost: here\r\n" + many + b"\r\n")
    assert b"400 Bad Request" in says(b"rubbish\r\n\r\n")
    assert b"200 OK" in says(
        b"GET /api/games HTTP/1.1\r\nHost: here\r\nUpgrade: tea\r\nConnection: upgrade, close\r\n\r\n"
    )

    new = b"POST /api/import HTTP/1.1\r\nHost: here\r\nContent-Length: 2\r\n\r\n{}"
    answered = says(new * 50)
    assert answered.count(b"HTTP/1.1 400") == 8, "as many imports as an address may make"
    assert answered.count(b"HTTP/1.1 429") == 1, "and the others are not even read"
    assert is_served(server, "127.0.0.3")
    server.stop()
    assert server.errors.strip() == ""


def silent(server: Server, address: str, number: int, sent: bytes = b"") -> list[socket.socket]:
    """So many connections from an address that say nothing, or not enough."""
    lines = []
    for _ in range(number):
        line = socket.create_connection(("127.0.0.1", server.port), timeout=LONG, source_address=(address, 0))
        line.sendall(sent)
        lines.append(line)
    return lines


def is_served(server: Server, address: str) -> bool:
    transport = httpx.HTTPTransport(local_address=address)
    with httpx.Client(base_url=server.url, transport=transport, timeout=LONG) as client:
        return client.get("/api/games").status_code == 200


@linux
@pytest.mark.parametrize("sent", [b"", b"GET /api/games HTTP/1.1\r\nHost: he"], ids=["silent", "half a head"])
def test_connections_that_say_nothing_lock_nobody_out_and_end_by_themselves(
    serve: Callable[..., Server], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nulimit -n 600\nexec {shlex.quote(sys.executable)} "$@"\n')
    python.chmod(0o700)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", str(python))
        constants = {"parlour.web.connections.REQUEST_SECONDS": REQUEST_SECONDS}
        server = serve(None, "--log", "plain", constants=constants)
    lines = silent(server, "127.0.0.2", MOST_CONNECTIONS_EACH, sent)
    try:
        (refused,) = silent(server, "127.0.0.2", 1)
        with refused:
            assert b"HTTP/1.1 503" in refused.recv(1000)
        assert is_served(server, "127.0.0.3")
        for address in ("127.0.0.4", "127.0.0.5"):  # more than there are descriptors for
            lines += silent(server, address, MOST_CONNECTIONS_EACH, sent)
        assert is_served(server, "127.0.0.3")
        for line in lines[-50:]:
            line.settimeout(REQUEST_SECONDS + LONG)
            with suppress(ConnectionError):
                while line.recv(1000):  # until it is closed; some were told that there is no room
                    pass
        assert is_served(server, "127.0.0.2"), "and so there is room again"
    finally:
        for line in lines:
            line.close()
    server.stop()
    assert server.errors.strip() == ""


@linux
def test_pages_and_slow_but_whole_requests_are_not_cut(serve: Callable[..., Server]) -> None:
    server = serve(None, "--log", "plain")
    with socket.create_connection(("127.0.0.1", server.port), timeout=LONG, source_address=("127.0.0.2", 0)) as line:
        for part in (b"GET /api/health HTTP/1.1\r\n", b"Host: here\r\n", b"\r\n"):
            sleep(0.3)
            line.sendall(part)
        said = b""
        while not said.endswith(b"}"):
            said += line.recv(1000)
        assert b"200 OK" in said
        line.sendall(b"GET /api/health HTTP/1.1\r\nHost: here\r\n\r\n")  # on the same connection
        assert b"200 OK" in line.recv(1000)
