"""Nobody is starved: routes say what they cost, addresses take turns, and what was replayed is not replayed again."""

from __future__ import annotations

import asyncio
import re
import shlex
import socket
import sys
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import sleep, thread_time

import httpx
import pytest
from starlette.routing import BaseRoute, Match

from bench import rude
from parlour import record
from parlour.errors import Busy, TooManyRequests
from parlour.service.commands import Play, Rename, TakeBack
from parlour.service.creating import MatchRequest, match_on_one_device
from parlour.service.matches import MatchService
from parlour.service.replays import Replays
from parlour.store import Stamp, open_store
from parlour.web.app import all_routes, make_app
from parlour.web.connections import MOST_CONNECTIONS_EACH, MOST_PIECES, MOST_SAID, MOST_UNWANTED, REQUEST_SECONDS
from parlour.web.costs import FINE, Budgets, Rate, Rates, declared_cost
from parlour.web.limits import MOST_HEADERS
from parlour.web.pages import files_path, served_files
from parlour.web.turns import MOST_WAITING, Turns
from tests.support import ROOT
from tests.support.server import Server

LONG = 30.0  # seconds that are enough for anything, however busy the machine
MADE = {  # for the attacks: matches, and where the files are
    **{name: {"id": "2" * 10, "seat": "s" * 22} for name in ("long", "small", "friends", "over")},
    "files": f"{files_path()}/",
}
linux = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is one loopback address")


def test_every_route_says_what_it_costs() -> None:
    store = open_store("sqlite://")
    routes = all_routes(make_app(store))
    assert len(routes) > 40
    assert [route for route in routes if declared_cost(route) is None] == []
    store.close()


def test_the_bench_attacks_every_route() -> None:
    store = open_store("sqlite://")
    routes = all_routes(make_app(store))
    asked = [attack.ask() for attack in rude.all_attacks(MADE).values() for _ in range(20)]
    scopes = [
        {"type": "websocket" if one.upgrade else "http", "method": one.method, "path": one.path.partition("?")[0]}
        for one in asked
    ]
    attacked = {
        next((endpoint(route) for route in routes if route.matches({**scope, "headers": []})[0] is Match.FULL), None)
        for scope in scopes
    }
    assert [route for route in routes if endpoint(route) not in attacked] == []
    store.close()


def endpoint(route: BaseRoute) -> object:
    """What answers at a route; of some there are many, and one answers at all of them."""
    return getattr(route, "endpoint", route)


def test_attacks_at_once_are_of_attacks_that_there_are() -> None:
    named = {name for parts in rude.TOGETHER.values() for name in parts if name}
    assert named <= rude.all_attacks(MADE).keys()


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


# Turns.


def test_owners_take_turns_and_have_only_so_many_threads() -> None:
    begun: list[str] = []
    running: dict[str, int] = {"many": 0, "few": 0}
    most: dict[str, int] = {"many": 0, "few": 0}
    lock = threading.Lock()

    def work(owner: str) -> None:
        with lock:
            begun.append(owner)
            running[owner] += 1
            most[owner] = max(most[owner], running[owner])
        sleep(0.02)
        with lock:
            running[owner] -= 1

    async def scenario() -> None:
        turns = Turns(threads=2, each=2)
        many = [asyncio.create_task(turns.run("many", lambda: work("many"))) for _ in range(20)]
        await asyncio.sleep(0)
        await turns.run("few", lambda: work("few"))
        assert begun.count("many") <= 6, "whoever comes later does not wait for all that was there before"
        await asyncio.gather(*many)
        turns.close()

    asyncio.run(scenario())
    assert most["many"] <= 2


def test_what_an_owner_has_waiting_is_bounded_and_what_others_have_is_not() -> None:
    free = threading.Event()

    async def scenario() -> None:
        turns = Turns(threads=4, each=1)
        waiting = [asyncio.create_task(turns.run("many", free.wait)) for _ in range(MOST_WAITING + 1)]
        await asyncio.sleep(0)
        with pytest.raises(Busy, match="from your address are waiting"):
            await turns.run("many", free.wait)
        assert await turns.run("few", lambda: 7) == 7
        free.set()
        await asyncio.gather(*waiting)
        turns.close()

    asyncio.run(scenario())


def test_an_error_is_told_and_what_is_given_up_is_not_begun() -> None:
    done: list[int] = []
    free = threading.Event()

    def fail() -> None:
        raise KeyError("no")

    async def scenario() -> None:
        turns = Turns(threads=1)
        with pytest.raises(KeyError):
            await turns.run("", fail)
        first = asyncio.create_task(turns.run("one", free.wait))
        given_up = asyncio.create_task(turns.run("one", lambda: done.append(1)))
        await asyncio.sleep(0)
        given_up.cancel()
        free.set()
        await first
        assert await turns.run("two", lambda: 2) == 2
        turns.close()

    asyncio.run(scenario())
    assert done == []


def test_the_processor_s_time_is_charged_to_its_owner() -> None:
    charged: list[tuple[str, float]] = []

    def burn() -> None:
        end = thread_time() + 0.05
        while thread_time() < end:
            pass

    async def scenario() -> None:
        turns = Turns(lambda owner, seconds: charged.append((owner, seconds)))
        await turns.run("one", burn)
        await turns.run("two", lambda: sleep(0.05))
        turns.close()

    asyncio.run(scenario())
    (one, burnt), (two, slept) = charged
    assert (one, two) == ("one", "two")
    assert slept < 0.05 <= burnt


# Budgets.


def test_a_few_costly_requests_count_like_many_cheap_ones() -> None:
    budgets = Budgets(Rates(processor=Rate(1, 0.5)))
    budgets.spend("one", "look")
    budgets.charge("one", 3)
    with pytest.raises(TooManyRequests) as refused:
        budgets.spend("one", "look")
    assert refused.value.wait == 4, "two seconds too many, of which half a one comes back each second"
    budgets.spend("two", "look")


def test_without_limits_nobody_is_refused() -> None:
    budgets = Budgets(None)
    budgets.charge("one", 1000)
    for _ in range(1000):
        budgets.spend("one", "create")


def test_a_refusal_costs_connections_but_never_more_than_there_are() -> None:
    budgets = Budgets(Rates(connect=Rate(FINE + 1, 1)))
    budgets.fine("one")
    budgets.spend("one", "connect")
    for _ in range(3):
        budgets.fine("one")
    with pytest.raises(TooManyRequests) as refused:
        budgets.spend("one", "connect")
    assert refused.value.wait == 1
    budgets.spend("two", "connect")


# Connections.


def all_of(line: socket.socket) -> bytes:
    """What the server says until it hangs up."""
    said = b""
    with suppress(ConnectionError):
        while part := line.recv(1 << 16):
            said += part
    return said


@linux
@pytest.mark.slow
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
@pytest.mark.slow
@pytest.mark.parametrize("sent", [b"", b"GET /api/games HTTP/1.1\r\nHost: he"], ids=["silent", "half a head"])
def test_connections_that_say_nothing_lock_nobody_out_and_end_by_themselves(
    serve: Callable[..., Server], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nulimit -n 600\nexec {shlex.quote(sys.executable)} "$@"\n')
    python.chmod(0o700)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", str(python))
        server = serve(None, "--log", "plain")
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
@pytest.mark.slow
def test_pages_and_slow_but_whole_requests_are_not_cut(serve: Callable[..., Server]) -> None:
    server = serve(None, "--log", "plain")
    with socket.create_connection(("127.0.0.1", server.port), timeout=LONG, source_address=("127.0.0.2", 0)) as line:
        for part in (b"GET /api/health HTTP/1.1\r\n", b"Host: here\r\n", b"\r\n"):
            sleep(1)
            line.sendall(part)
        said = b""
        while not said.endswith(b"}"):
            said += line.recv(1000)
        assert b"200 OK" in said
        line.sendall(b"GET /api/health HTTP/1.1\r\nHost: here\r\n\r\n")  # on the same connection
        assert b"200 OK" in line.recv(1000)


# What was replayed.


@pytest.fixture
def service(tmp_path: Path) -> MatchService:
    return MatchService(open_store(f"sqlite:///{tmp_path}/web.sqlite3"))


def test_what_was_replayed_is_what_a_replay_from_the_start_gives(
    service: MatchService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = service.add(match_on_one_device(MatchRequest("sequence-spot", {}), ("Ann", "Ben"), "1"))
    id, seat = made.loaded.id, made.seat
    elsewhere = MatchService(open_store(f"sqlite:///{tmp_path}/web.sqlite3"))  # as another process
    from_the_start: list[str] = []
    original = record.read_record
    monkeypatch.setattr(record, "read_record", lambda text: from_the_start.append(text) or original(text))

    def check() -> None:
        loaded = service.load(id)
        truth = original("\n".join((loaded.stored.head, *loaded.stored.lines)))
        assert (loaded.match.log, loaded.match.rounds) == (truth.log, truth.rounds)
        assert loaded.match.setup == truth.setup

    for number in range(6):
        place = elsewhere if number % 2 else service
        loaded = place.load(id)
        place.apply(id, seat, Play(loaded.match.legal_names[0], loaded.ply))
        check()
    ply = service.load(id).ply
    elsewhere.apply(id, seat, TakeBack(ply))
    check()
    assert len(from_the_start) == 2, "each process replayed it once, and then only what was new"
    elsewhere.apply(id, seat, Rename("Anna", 0))
    check()
    assert service.load(id).match.names[0] == "Anna"
    for place in (service, elsewhere):
        place.store.close()


def test_only_so_much_is_remembered(service: MatchService) -> None:
    replays = Replays(most_lines=50)
    stored = [
        service.add(match_on_one_device(MatchRequest("double-up", {}), ("Ann", "Ben"), "1")).loaded.stored
        for _ in range(5)
    ]
    for one in stored:
        replays.replay(one)
    known = [replays.find(one.id, Stamp(one.seq, one.changed_at, 0)) is not None for one in stored]
    assert known == [False, False, False, True, True]
    assert replays.find(stored[-1].id, Stamp(2, stored[-1].changed_at, 0)) is None, "another state"
    service.store.close()


# What the documents say.


def test_every_promise_names_tests_that_there_are() -> None:
    tests = ROOT
    page = (tests.parent / "docs" / "trust.md").read_text("utf-8")
    named = set(re.findall(r"`([a-z/]*test_\w+\.py)`", page))
    assert len(named) > 20
    assert [name for name in named if not (tests / name).is_file()] == []
