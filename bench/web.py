"""How fast the web is, and how that grows with the number of matches and of pages.

One server process and one client process on the same machine, so the numbers are a floor. A move is compared with an
empty request (GET /api/health) made by the same client in the same run: the ratio says more than the milliseconds.

    python bench/web.py [--database URL]
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from functools import partial
from time import perf_counter
from typing import Any

import httpx
import websockets

GAME = "sequence-builder"
SIZES = ((10, 2), (100, 20), (1000, 200))  # live matches, connected pages
AT_ONCE = 16  # requests under way at any time
EMPTY = 2000  # empty requests


def resident(pid: int) -> float:
    """Megabytes of memory that the server has; the processes that think are not in it, nobody asks them here."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        found = re.search(r"VmRSS:\s+(\d+) kB", file.read())
    return int(found[1]) / 1024 if found else 0.0


def percentiles(seconds: list[float]) -> str:
    cuts = statistics.quantiles(seconds, n=100)
    return "  ".join(f"p{p} {1000 * cuts[p - 1]:6.1f} ms" for p in (50, 90, 99))


class Table:
    """A match between two programs; some have pages that listen."""

    def __init__(self, made: dict[str, Any], joined: dict[str, Any]) -> None:
        self.id: str = made["id"]
        self.seats = [made["seat"], joined["seat"]]
        self.state: dict[str, Any] = joined["state"]
        self.sent_at = 0.0
        self.waits_for = -1  # the ply of the move whose arrival is being timed


async def bounded(client: httpx.AsyncClient, jobs: list[Any]) -> None:
    """Do jobs, a few at a time."""
    queue = asyncio.Queue[Any]()
    for job in jobs:
        queue.put_nowait(job)

    async def work() -> None:
        while not queue.empty():
            await queue.get_nowait()()

    await asyncio.gather(*(work() for _ in range(AT_ONCE)))


async def make(client: httpx.AsyncClient, tables: list[Table]) -> None:
    made = (await client.post("/api/challenge/open", json={"game": GAME, "first": "me"})).json()
    joined = (await client.post(f"/api/matches/{made['id']}/join", json={"invite": made["invite"]})).json()
    tables.append(Table(made, joined))


async def listen(url: str, table: Table, arrivals: list[float], ready: asyncio.Event) -> None:
    """A page of the player who waits: when does it hear of the move?"""
    async with websockets.connect(
        f"{url.replace('http', 'ws')}/api/matches/{table.id}/socket", compression=None
    ) as page:
        await page.send(json.dumps({"seat": table.seats[1]}))
        async for message in page:
            event = json.loads(message)
            ready.set()
            if event["type"] == "state" and event["state"]["ply"] == table.waits_for:
                arrivals.append(perf_counter() - table.sent_at)
                table.waits_for = -1


async def move(client: httpx.AsyncClient, table: Table, replies: list[float]) -> None:
    state = table.state
    turn = state["table"]["turn"]
    if turn is None:
        return
    table.sent_at, table.waits_for = perf_counter(), state["ply"] + 1
    answer = await client.post(
        f"/api/matches/{table.id}/move",
        json={"move": state["table"]["legal"][len(state["table"]["legal"]) // 2], "ply": state["ply"]},
        headers={"Authorization": f"Bearer {table.seats[turn - 1]}"},
    )
    replies.append(perf_counter() - table.sent_at)
    table.state = answer.json()


async def measure(url: str, pid: int) -> None:
    limits = httpx.Limits(max_connections=AT_ONCE, max_keepalive_connections=AT_ONCE)
    async with httpx.AsyncClient(base_url=url, limits=limits, timeout=60) as client:
        begun = perf_counter()

        async def empty() -> None:
            await client.get("/api/health")

        await bounded(client, [empty] * EMPTY)
        empties = EMPTY / (perf_counter() - begun)
        print(f"empty requests: {empties:,.0f} a second; the server has {resident(pid):.0f} MB")
        tables: list[Table] = []
        pages: list[asyncio.Task[None]] = []
        arrivals: list[float] = []
        for matches, listeners in SIZES:
            replies: list[float] = []
            new = matches - len(tables)
            await bounded(client, [partial(make, client, tables)] * new)
            for table in tables[len(pages) : listeners]:
                ready = asyncio.Event()
                pages.append(asyncio.create_task(listen(url, table, arrivals, ready)))
                await asyncio.wait_for(ready.wait(), 10)
            for page in pages:
                assert not page.done()
            begun = perf_counter()
            for _ in range(3):
                await bounded(client, [partial(move, client, table, replies) for table in tables])
            each_second = len(replies) / (perf_counter() - begun)
            quiet: list[float] = []
            alone: list[float] = []
            for table in tables[:listeners]:  # and one after the other, on a quiet server
                arrivals.clear()
                await move(client, table, alone)
                await asyncio.sleep(0.02)
                quiet += arrivals[-1:]
            print(f"{matches:,} matches, {listeners} pages: {each_second:,.0f} moves a second", end="")
            print(f" (1 for {empties / each_second:.1f} empty requests), {resident(pid):.0f} MB")
            print(f"  {AT_ONCE} at once: answered after {percentiles(replies)}")
            print(f"  one by one:  answered after {percentiles(alone)}")
            print(f"               on the other page after {percentiles(quiet)}")
        for page in pages:
            page.cancel()
        await asyncio.gather(*pages, return_exceptions=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        database = sys.argv[2] if sys.argv[1:2] == ["--database"] else f"sqlite:///{home}/web.sqlite3"
        command = [sys.executable, "-m", "parlour", "serve", "--port", "0", "--unlimited", "--database", database]
        server = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
        )
        assert server.stdout is not None
        try:
            said = server.stdout.readline()
            url = re.search(r"http://[^/\s]+", said)
            assert url is not None, said
            asyncio.run(measure(url[0], server.pid))
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
