"""How fast the web is, and how that grows with the number of matches and of pages.

One server process and one client process on the same machine, so the numbers are a floor. A move is compared with an
empty request (GET /api/health) made by the same client in the same run: the ratio says more than the milliseconds.
First comes what both cost the server's process in time on a processor, whoever else is at work on the machine.

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
from collections.abc import Awaitable, Callable
from functools import partial
from time import perf_counter
from typing import Any

import websockets

GAME = "sequence-builder"
SIZES = ((10, 2), (100, 20), (1000, 200))  # live matches, connected pages
AT_ONCE = 16  # requests under way at any time
EMPTY = 2000  # empty requests
TURNS = 3  # in which the processor's time is taken, each with new matches; the least counts
COSTED = 120  # matches in each of them
MOVES = 5  # in each of those matches


def resident(pid: int) -> float:
    """Megabytes of memory that the server has; the processes that think are not in it, nobody asks them here."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        found = re.search(r"VmRSS:\s+(\d+) kB", file.read())
    return int(found[1]) / 1024 if found else 0.0


def on_processor(pid: int) -> float:
    """Seconds that the server's process has had on a processor, in all its threads."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def percentiles(seconds: list[float]) -> str:
    cuts = statistics.quantiles(seconds, n=100)
    return "  ".join(f"p{p} {1000 * cuts[p - 1]:6.1f} ms" for p in (50, 90, 99))


class Client:
    """A few connections that are kept open, and no more than HTTP needs: what is measured is to be the server."""

    def __init__(self, url: str) -> None:
        self._host, _, self._port = url.removeprefix("http://").partition(":")
        self._idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def request(self, method: str, path: str, body: Any = None, seat: str = "") -> dict[str, Any]:
        reader, writer = self._idle.pop() if self._idle else await asyncio.open_connection(self._host, int(self._port))
        sent = json.dumps(body).encode() if body is not None else b""
        head = f"{method} {path} HTTP/1.1\r\nHost: {self._host}\r\nContent-Length: {len(sent)}\r\n"
        head += "Content-Type: application/json\r\n" + (f"Authorization: Bearer {seat}\r\n" if seat else "")
        writer.write(f"{head}\r\n".encode() + sent)
        status, *headers = (await reader.readuntil(b"\r\n\r\n")).decode().splitlines()
        length = next(int(line.split(":")[1]) for line in headers if line.lower().startswith("content-length:"))
        answer: dict[str, Any] = json.loads(await reader.readexactly(length))
        self._idle.append((reader, writer))
        assert status.split()[1].startswith("2"), answer
        return answer

    def close(self) -> None:
        for _, writer in self._idle:
            writer.close()


class Table:
    """A match between two programs; some have pages that listen."""

    def __init__(self, made: dict[str, Any], joined: dict[str, Any]) -> None:
        self.id: str = made["id"]
        self.seats = {1: made["seat"], 2: joined["seat"]}
        self.state: dict[str, Any] = joined["state"]
        self.sent_at = 0.0
        self.waits_for = -1  # the ply of the move whose arrival is being timed


async def bounded(jobs: list[Any]) -> None:
    """Do jobs, a few at a time."""
    queue = asyncio.Queue[Any]()
    for job in jobs:
        queue.put_nowait(job)

    async def work() -> None:
        while not queue.empty():
            await queue.get_nowait()()

    await asyncio.gather(*(work() for _ in range(AT_ONCE)))


async def make(client: Client, tables: list[Table]) -> None:
    made = await client.request("POST", "/api/challenge/open", {"game": GAME, "first": "me"})
    joined = await client.request("POST", f"/api/matches/{made['id']}/join", {"invite": made["invite"]})
    tables.append(Table(made, joined))


async def listen(url: str, table: Table, arrivals: list[float], ready: asyncio.Event) -> None:
    """A page of the player who waits: when does it hear of the move?"""
    async with websockets.connect(
        f"{url.replace('http', 'ws')}/api/matches/{table.id}/socket", compression=None
    ) as page:
        await page.send(json.dumps({"seat": table.seats[2]}))
        async for message in page:
            event = json.loads(message)
            ready.set()
            if event["type"] == "state" and event["state"]["ply"] == table.waits_for:
                arrivals.append(perf_counter() - table.sent_at)
                table.waits_for = -1


async def move(client: Client, table: Table, replies: list[float]) -> None:
    state = table.state
    turn = state["table"]["turn"]
    if turn is None:
        return
    table.sent_at, table.waits_for = perf_counter(), state["ply"] + 1
    chosen = {"move": state["table"]["legal"][len(state["table"]["legal"]) // 2], "ply": state["ply"]}
    table.state = await client.request("POST", f"/api/matches/{table.id}/move", chosen, table.seats[turn])
    replies.append(perf_counter() - table.sent_at)


async def cost(client: Client, pid: int, empty: Callable[[], Awaitable[None]]) -> None:
    """Print what the server's process needs of a processor for an empty request, and for a move."""
    empties, moves = [], []
    for _ in range(TURNS):
        before = on_processor(pid)
        await bounded([empty] * EMPTY)
        empties.append(1000 * (on_processor(pid) - before) / EMPTY)
        tables: list[Table] = []
        replies: list[float] = []
        await bounded([partial(make, client, tables)] * COSTED)
        before = on_processor(pid)
        for _ in range(MOVES):
            await bounded([partial(move, client, table, replies) for table in tables])
        moves.append(1000 * (on_processor(pid) - before) / len(replies))
    print(f"on a processor, {AT_ONCE} at once: {min(moves):.2f} ms for a stored move, ", end="")
    print(f"{min(empties):.2f} ms for an empty request; ratio {min(moves) / min(empties):.1f}", flush=True)


async def measure(url: str, pid: int) -> None:
    client = Client(url)
    try:

        async def empty() -> None:
            await client.request("GET", "/api/health")

        await bounded([empty] * (EMPTY // 4))  # until everything has been used once
        await cost(client, pid, empty)
        begun = perf_counter()
        await bounded([empty] * EMPTY)
        empties = EMPTY / (perf_counter() - begun)
        print(f"empty requests: {empties:,.0f} a second; the server has {resident(pid):.0f} MB")
        tables: list[Table] = []
        pages: list[asyncio.Task[None]] = []
        arrivals: list[float] = []
        for matches, listeners in SIZES:
            replies: list[float] = []
            new = matches - len(tables)
            await bounded([partial(make, client, tables)] * new)
            for table in tables[len(pages) : listeners]:
                ready = asyncio.Event()
                pages.append(asyncio.create_task(listen(url, table, arrivals, ready)))
                await asyncio.wait_for(ready.wait(), 10)
            for page in pages:
                assert not page.done()
            begun = perf_counter()
            for _ in range(3):
                await bounded([partial(move, client, table, replies) for table in tables])
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
    finally:
        client.close()


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
