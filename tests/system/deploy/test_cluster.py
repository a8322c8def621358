"""Two servers behind a proxy are one server that is always there."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import httpx
import pytest
import websockets

from tests.support.deploy import (
    Cluster,
    both_work,
    metrics,
    nothing_is_lost,
    roll_out,
    socket_url,
    under_load,
    wait_for,
    works,
)
from tests.support.metrics import number
from tests.support.seats import Seat, challenge, refused, sit_down
from tests.support.server import page_state

nginx_alone = pytest.mark.parametrize("cluster", ["nginx"], indirect=True)  # with Caddy: tests/proofs/test_caddy.py


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


@nginx_alone
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
                        state = await page_state(each, lambda state, wanted=ply + 1: state["ply"] == wanted)
                        assert state["table"]["moves"][-1] == move
                    assert (await line_until(events, ply + 1))["state"]["table"]["moves"][-1] == move

    with httpx.Client(base_url=cluster.url, timeout=30) as client:
        asyncio.run(scenario(client))
        for _ in range(10):  # and the proxy lets both of them work
            made = challenge(client, "local", game="double-up", first="1")
            assert Seat(client, made["id"], made["seat"]).move("2", 0).status_code == 200
    assert both_work(cluster)


def test_one_server_is_killed_and_the_games_go_on(cluster: Cluster) -> None:
    victim = cluster.servers[0]

    async def disturb(everybody_plays: Any) -> None:
        nonlocal victim
        victim = max(cluster.servers, key=lambda server: number(metrics(server), "parlour_listeners"))
        await asyncio.to_thread(victim.kill)
        await everybody_plays()
        await asyncio.to_thread(victim.restart)
        await wait_for(lambda: works(victim))  # the proxy sends requests there again

    players, pages = asyncio.run(under_load(cluster, disturb))
    assert nothing_is_lost(cluster.url, players) >= 120
    assert sum(page.came for page in pages) > len(pages), "some were at the server that was killed"
    assert sum(page.failed for page in pages) == 0, "and the other was there at once"


@nginx_alone
def test_a_new_version_is_rolled_out_and_nobody_waits(cluster: Cluster) -> None:
    roll_out(cluster)


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


def test_what_is_for_the_machine_does_not_pass_the_proxy(cluster: Cluster) -> None:
    host = cluster.url.removeprefix("http://")
    for path in ("/metrics", "//metrics", "/./metrics", "/%6detrics", "/metrics/", "/metrics?x", "/ready"):
        answer = send_raw(cluster.url, f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        assert answer.split()[1] == b"404", (path, answer)
        assert b"parlour_requests" not in answer, path


def test_what_is_too_large_or_too_slow_is_turned_away_by_the_proxy(cluster: Cluster) -> None:
    with httpx.Client(base_url=cluster.url) as client:
        body = json.dumps({"record": "x" * 140_000})
        headers = {"Content-Type": "application/json"}
        # Caddy may find that the server has closed the line before it finds the answer, or all of it.
        with client.stream("POST", "/api/import", content=body, headers=headers) as refused_body:
            assert refused_body.status_code in ((413,) if cluster.proxy == "nginx" else (413, 504))
    answer = send_raw(cluster.url, b"GET / HTTP/1.1\r\nHost: parlour.example\r\nX-Slow: ")
    assert not answer.startswith(b"HTTP/1.1 200"), "it is let go"
