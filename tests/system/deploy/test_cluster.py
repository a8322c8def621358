"""Two servers behind a proxy are one server that is always there."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from random import Random
from secrets import token_urlsafe
from typing import Any

import httpx
import pytest
import websockets

from parlour import record
from tests.support.deploy import Cluster
from tests.support.seats import Seat, challenge, refused, sit_down
from tests.support.server import Server
from tests.system.web.test_operations import metrics, number
from tests.system.web.test_trust import until

pytestmark = pytest.mark.slow


def socket_url(url: str, id: str) -> str:
    return f"{url.replace('http', 'ws')}/api/matches/{id}/socket"


@asynccontextmanager
async def stream(url: str, id: str) -> AsyncIterator[AsyncIterator[dict[str, Any]]]:
    """A match as a program follows it."""
    async with (
        httpx.AsyncClient(base_url=url, timeout=30) as client,
        client.stream("GET", f"/api/matches/{id}/stream") as answer,
    ):

        async def events() -> AsyncIterator[dict[str, Any]]:
            async for line in answer.aiter_lines():
                if line:
                    yield json.loads(line)

        yield events()


async def line_until(events: AsyncIterator[dict[str, Any]], ply: int) -> dict[str, Any]:
    async with asyncio.timeout(20):
        async for event in events:
            if event["state"]["ply"] == ply:
                return event
    raise AssertionError("the stream ended")


def at(address: str) -> httpx.AsyncHTTPTransport:
    """Somebody at another address of this machine, with limits of his own."""
    return httpx.AsyncHTTPTransport(local_address=address)


def both_work(cluster: Cluster) -> bool:
    """Whether each of the servers has answered moves."""
    move = {"method": "POST", "route": "/api/matches/{id}/move", "status": "200"}
    return all(number(metrics(server), "parlour_requests_total", **move) for server in cluster.servers)


def test_players_at_different_servers_play_one_game(cluster: Cluster) -> None:
    here, there = cluster.servers

    async def scenario(client: httpx.Client) -> None:
        first, second = sit_down(client, game="increasing-differences")
        far = Seat(there.client(), second.id, second.secret)
        with far.client:
            async with (
                websockets.connect(socket_url(cluster.url, first.id)) as page,
                websockets.connect(socket_url(here.url, first.id)) as page_here,
                websockets.connect(socket_url(there.url, first.id)) as page_there,
                stream(cluster.url, first.id) as events,
            ):
                for each in (page, page_here, page_there):
                    await each.send(json.dumps({"seat": None}))
                for ply, (seat, move) in enumerate([(first, "5"), (far, "7"), (first, "8"), (far, "9")]):
                    answer = await asyncio.to_thread(seat.move, move, ply)
                    assert answer.status_code == 200, answer.text
                    for each in (page, page_here, page_there):
                        state = await until(each, lambda state, wanted=ply + 1: state["ply"] == wanted)
                        assert state["table"]["moves"][-1] == move
                    assert (await line_until(events, ply + 1))["state"]["table"]["moves"][-1] == move

    with httpx.Client(base_url=cluster.url, timeout=30) as client:
        asyncio.run(scenario(client))
        for _ in range(10):  # and the proxy lets both of them work
            made = challenge(client, "local", game="double-up", first="1")
            assert Seat(client, made["id"], made["seat"]).move("2", 0).status_code == 200
    assert both_work(cluster)


class Player:
    """Plays match after match through the proxy, sends again what was not answered, and notes what was."""

    def __init__(self, url: str, number: int) -> None:
        self.url = url
        self.random = Random(number)
        self.address = f"127.0.0.{10 + number}"
        self.acknowledged: dict[str, list[str]] = {}  # moves by match
        self.sent_again = 0
        self.stopping = False

    async def send(self, client: httpx.AsyncClient, path: str, body: dict[str, Any], seat: str = "") -> dict[str, Any]:
        """What was answered in the end. Nothing but "unknown" is ever said instead."""
        for _ in range(40):
            with suppress(httpx.TransportError):
                answer = await client.post(path, json=body, headers={"Authorization": f"Bearer {seat}"} if seat else {})
                if answer.status_code in (200, 201):
                    document: dict[str, Any] = answer.json()
                    return document
                assert (answer.status_code, answer.json()["code"]) == (504, "server/unknown"), answer.text
            self.sent_again += 1
            await asyncio.sleep(0.25)  # as a page would wait
        raise AssertionError("nobody answers")

    async def play(self) -> None:
        async with httpx.AsyncClient(base_url=self.url, timeout=30, transport=at(self.address)) as client:
            while not self.stopping:
                wanted = {"game": "double-up", "first": "1", "key": token_urlsafe(20)}
                made = await self.send(client, "/api/challenge/local", wanted)
                moves = self.acknowledged.setdefault(made["id"], [])
                state = made["state"]
                while state["status"] == "playing" and not self.stopping:
                    await asyncio.sleep(0.06)  # nobody may play faster than that for long
                    legal = state["table"]["legal"][:4]  # a game of some forty moves
                    body = {"move": self.random.choice(legal), "ply": state["ply"]}
                    state = await self.send(client, f"/api/matches/{made['id']}/move", body, made["seat"])
                    now = state["table"]["moves"]
                    assert now[: len(moves) + 1] == [*moves, body["move"]]
                    moves[:] = now  # with a pass after it, if that is all that is left


class Page:
    """A page that is sent away comes back at once."""

    def __init__(self, url: str, id: str) -> None:
        self.url, self.id = url, id
        self.came = 0  # times that it was told the state
        self.failed = 0  # times that it came and was not

    async def stay(self) -> None:
        while True:
            told = False
            with suppress(websockets.ConnectionClosed, websockets.InvalidStatus, OSError):
                async with websockets.connect(socket_url(self.url, self.id)) as page:
                    await page.send(json.dumps({"seat": None}))
                    async for _ in page:
                        self.came += not told
                        told = True
            self.failed += not told


async def wait_for(condition: Any) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.05)


async def under_load(cluster: Cluster, disturb: Any) -> tuple[list[Player], list[Page]]:
    """Let people play and watch while something is done to the servers."""
    with httpx.Client(base_url=cluster.url, timeout=30) as client:
        watched = challenge(client, "local", game="double-up", first="1")["id"]
    players = [Player(cluster.url, number) for number in range(4)]
    pages = [Page(cluster.url, watched) for _ in range(6)]
    playing = [asyncio.create_task(player.play()) for player in players]
    staying = [asyncio.create_task(page.stay()) for page in pages]

    async def everybody_plays() -> None:
        """For a while, everybody."""
        goal = [sum(map(len, player.acknowledged.values())) + 10 for player in players]
        await wait_for(
            lambda: all(
                task.done() or sum(map(len, player.acknowledged.values())) >= enough
                for player, task, enough in zip(players, playing, goal, strict=True)
            )
        )
        await wait_for(lambda: all(page.came for page in pages))

    try:
        await everybody_plays()
        await disturb(everybody_plays)
        await everybody_plays()
    finally:
        for player in players:
            player.stopping = True
        await asyncio.gather(*playing)
        for task in staying:
            task.cancel()
        await asyncio.gather(*staying, return_exceptions=True)
    return players, pages


def nothing_is_lost(url: str, players: list[Player]) -> int:
    """Every move that was answered for is in the record, in its place; how many."""
    with httpx.Client(base_url=url, timeout=30) as client:
        for player in players:
            for id, moves in player.acknowledged.items():
                match = record.read_record(client.get(f"/api/matches/{id}/record").text)
                assert match.rules.names(match.round.moves) == moves
    return sum(len(moves) for player in players for moves in player.acknowledged.values())


def test_one_server_is_killed_and_the_games_go_on(cluster: Cluster) -> None:
    victim = cluster.servers[0]

    async def disturb(everybody_plays: Any) -> None:
        nonlocal victim
        victim = max(cluster.servers, key=lambda server: number(metrics(server), "parlour_listeners"))
        await asyncio.to_thread(victim.kill)
        await everybody_plays()
        await asyncio.to_thread(victim.restart)

    players, pages = asyncio.run(under_load(cluster, disturb))
    assert nothing_is_lost(cluster.url, players) >= 120
    assert sum(page.came for page in pages) > len(pages), "some were at the server that was killed"
    assert sum(page.failed for page in pages) == 0, "and the other was there at once"


def test_a_new_version_is_rolled_out_and_nobody_waits(cluster: Cluster) -> None:
    """One server after the other is stopped and started; who was sent away finds the other at the first try."""

    def replace(server: Server) -> None:
        assert server.stop(signal.SIGTERM) in (0, -signal.SIGTERM)
        assert "Traceback" not in server.errors, server.errors
        server.restart()

    async def disturb(everybody_plays: Any) -> None:
        for server in cluster.servers:
            await asyncio.to_thread(replace, server)
            await everybody_plays()
            await asyncio.sleep(4)  # until the proxy sends requests there again
        await wait_for(lambda: both_work(cluster))

    players, pages = asyncio.run(under_load(cluster, disturb))
    assert nothing_is_lost(cluster.url, players) >= 160
    assert sum(page.came for page in pages) >= 2 * len(pages), "everybody was sent away once at least"
    assert sum(page.failed for page in pages) == 0
    for player in players:  # a request on its way into a connection that closes is unknown, and is sent once more
        assert player.sent_again <= len(cluster.servers)


def test_limits_are_those_of_the_real_address(cluster: Cluster) -> None:
    """And whoever says that he is somebody else is not believed."""

    def client_at(address: str, **headers: str) -> httpx.Client:
        transport = httpx.HTTPTransport(local_address=address)
        return httpx.Client(base_url=cluster.url, timeout=30, transport=transport, headers=headers)

    with client_at("127.0.0.2") as greedy, client_at("127.0.0.3") as modest:
        for number in range(200):
            claimed = {"X-Forwarded-For": f"192.0.2.{number}"}
            answer = greedy.post("/api/challenge/local", json={"game": "double-up"}, headers=claimed)
            if answer.status_code == 429:
                break
        refused(answer, 429, "rate/limited")
        assert modest.post("/api/challenge/local", json={"game": "double-up"}).status_code == 201


def send_raw(url: str, request: bytes) -> bytes:
    """The answer to bytes that no client would send."""
    host, port = url.removeprefix("http://").split(":")
    answer = b""
    with socket.create_connection((host, int(port)), timeout=60) as connection, suppress(ConnectionResetError):
        connection.sendall(request)
        while part := connection.recv(1 << 16):
            answer += part
    return answer


@pytest.mark.parametrize(
    "path", ["/metrics", "//metrics", "/./metrics", "/%6detrics", "/metrics/", "/metrics?x", "/ready"]
)
def test_what_is_for_the_machine_does_not_pass_the_proxy(cluster: Cluster, path: str) -> None:
    host = cluster.url.removeprefix("http://")
    answer = send_raw(cluster.url, f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
    assert answer.split()[1] == b"404", answer
    assert b"parlour_requests" not in answer


def test_what_is_too_large_or_too_slow_is_turned_away_by_the_proxy(cluster: Cluster) -> None:
    with httpx.Client(base_url=cluster.url) as client:
        body = json.dumps({"record": "x" * 140_000})
        answer = client.post("/api/import", content=body, headers={"Content-Type": "application/json"})
        # Caddy may find that the server has closed the line before it finds the answer.
        assert answer.status_code in ((413,) if cluster.proxy == "nginx" else (413, 504)), answer.text
    answer = send_raw(cluster.url, b"GET / HTTP/1.1\r\nHost: parlour.example\r\nX-Slow: ")
    assert not answer.startswith(b"HTTP/1.1 200"), "it is let go"
