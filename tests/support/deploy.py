"""Real servers on a real PostgreSQL behind a real proxy, with the configuration that is in deploy/."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from random import Random
from secrets import token_hex, token_urlsafe
from typing import Any, NamedTuple

import httpx
import pytest
import websockets

from parlour import record
from tests.support import ROOT
from tests.support.eventually import eventually
from tests.support.metrics import Numbers, number, read_metrics
from tests.support.postgres import Server as PostgresServer
from tests.support.postgres import missing
from tests.support.scripts import load_script
from tests.support.seats import challenge
from tests.support.server import Server

DEPLOY = ROOT / "deploy"


script = load_script(DEPLOY / "try.py")


def installed(name: str) -> str:
    """Where a program is; without it the test is skipped, or fails where PARLOUR_TEST_ALL is set."""
    try:
        return str(script.program(name))
    except script.Missing as lacking:
        missing(str(lacking))


class Cluster(NamedTuple):
    """Two servers and what stands before them."""

    proxy: str
    url: str
    servers: list[Server]


@contextmanager
def caddy(folder: Path, port: int, servers: list[int]) -> Iterator[int]:
    """Caddy before these servers, with deploy/Caddyfile: other ports, and no certificate."""
    text = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    for pattern, replacement in (
        (r"(?m)^\{\n", "{\n\tadmin off\n"),
        (r"(?m)^parlour\.example \{", f"http://127.0.0.1:{port} {{\n\tbind 127.0.0.1"),
        (r"127\.0\.0\.1:8001 127\.0\.0\.1:8002", " ".join(f"127.0.0.1:{each}" for each in servers)),
    ):
        text, count = re.subn(pattern, replacement, text, count=1)
        assert count == 1, pattern
    (folder / "Caddyfile").write_text(text, encoding="utf-8")
    command = [installed("caddy"), "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]
    environment = {"HOME": str(folder), "PATH": ""}
    with (
        (folder / "caddy.log").open("wb") as log,
        script.running(command, stdout=log, stderr=subprocess.STDOUT, env=environment) as process,
    ):
        eventually(lambda: script._answers(port) or process.poll() is not None, "Caddy to answer")
        assert process.poll() is None, (folder / "caddy.log").read_text()
        yield process.pid


@pytest.fixture(scope="module", params=["nginx", "caddy"])
def cluster(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    postgres_server: PostgresServer,
) -> Iterator[Cluster]:
    """One for all tests of a module: whoever ends a server starts it again."""
    with open_cluster(request.param, tmp_path_factory, postgres_server) as opened:
        yield opened


@contextmanager
def open_cluster(
    proxy: str, tmp_path_factory: pytest.TempPathFactory, postgres_server: PostgresServer
) -> Iterator[Cluster]:
    """Two servers with a database of their own, behind a proxy."""
    installed(proxy)
    start = {"nginx": script.nginx, "caddy": caddy}[proxy]
    name = f"cluster_{proxy}_{token_hex(4)}"
    postgres_server.run(f"CREATE DATABASE {name}")
    url = postgres_server.url(name)
    with ExitStack() as stack:
        servers = []
        for _ in range(2):
            servers.append(Server(url, "--metrics", "--drain", "3"))
            stack.callback(servers[-1].kill)
        port = script.free_port()
        folder = tmp_path_factory.mktemp(proxy)
        stack.enter_context(start(folder, port, [server.port for server in servers]))
        yield Cluster(proxy, f"http://127.0.0.1:{port}", servers)


def metrics(server: Server) -> Numbers:
    return read_metrics(httpx.get(f"{server.url}/metrics").raise_for_status().text)


def at(address: str) -> httpx.AsyncHTTPTransport:
    """Somebody at another address of this machine, with limits of his own."""
    return httpx.AsyncHTTPTransport(local_address=address)


def works(server: Server) -> bool:
    """Whether a server has answered moves since it was started."""
    move = {"method": "POST", "route": "/api/matches/{id}/move", "status": "200"}
    return number(metrics(server), "parlour_requests_total", **move) > 0


def both_work(cluster: Cluster) -> bool:
    """Whether both servers have answered moves since they were started."""
    return all(map(works, cluster.servers))


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


def socket_url(url: str, id: str) -> str:
    return f"{url.replace('http', 'ws')}/api/matches/{id}/socket"


def roll_out(cluster: Cluster) -> None:
    """Stop and start one server after the other; a client that was sent away finds the other at the first attempt."""

    def replace(server: Server) -> None:
        assert server.stop(signal.SIGTERM) in (0, -signal.SIGTERM)
        assert "Traceback" not in server.errors, server.errors
        server.restart()

    async def disturb(everybody_plays: Any) -> None:
        for server in cluster.servers:
            await asyncio.to_thread(replace, server)
            await everybody_plays()
            await wait_for(lambda server=server: works(server))  # the proxy sends requests there again

    players, pages = asyncio.run(under_load(cluster, disturb))
    assert nothing_is_lost(cluster.url, players) >= 160
    assert sum(page.came for page in pages) >= 2 * len(pages), "everybody was sent away once at least"
    assert sum(page.failed for page in pages) == 0
    for player in players:  # a request on its way into a connection that closes is unknown, and is sent once more
        assert player.sent_again <= len(cluster.servers)
