"""What a move costs as servers are added: processor time of servers, database, proxy and client, each apart.

Servers, PostgreSQL, nginx and the client share this machine, so the seconds on the wall say little. Time on a
processor does: it is what each of them would take of a machine of its own. Beside it stands the ratio to one server
under the same load: what another server adds to the cost of every move.

    python bench/growth.py [--matches 150] [--moves 6]

PostgreSQL and nginx have to be installed, on Linux.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import json
import os
import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import websockets

from web import Client, Table, bounded, make, move

ROOT = Path(__file__).resolve().parents[1]
TICK = os.sysconf("SC_CLK_TCK")  # of the times in /proc, a second


class Load(NamedTuple):
    """Who plays through what."""

    servers: int
    pages: int  # that listen to each match, at the server that its moves do not come to, if there is another
    proxy: bool = False


LOADS = (Load(1, 0), Load(2, 0), Load(1, 2), Load(2, 2), Load(2, 2, proxy=True))


class PatientClient(Client):
    """One that sends again what went to a connection that the server had just closed: that does no harm."""

    async def request(self, method: str, path: str, body: Any = None, seat: str = "") -> dict[str, Any]:
        while True:
            with suppress(EOFError, ConnectionError):
                return await super().request(method, path, body, seat)


class Cost(NamedTuple):
    """Seconds on a processor."""

    server: float
    database: float
    proxy: float
    client: float

    def minus(self, other: Cost) -> Cost:
        return Cost(*(mine - theirs for mine, theirs in zip(self, other, strict=True)))


def load_script(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


script = load_script(ROOT / "deploy" / "try.py")


def unlimited(port: int, servers: list[int]) -> str:
    """nginx.conf without limits: everybody here has one address."""
    return re.sub(r" *limit_(?:req|conn) .*\n", "", limited(port, servers))


limited, script.configuration = script.configuration, unlimited


def times(pid: int) -> tuple[int, list[float]]:
    """The parent of a process; and the seconds it has taken, and those of its children that have ended."""
    text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    fields = text.rpartition(")")[2].split()
    user, system, children_user, children_system = (int(field) / TICK for field in fields[11:15])
    return int(fields[1]), [user + system, children_user + children_system]


def spent(pid: int) -> float:
    """Seconds on a processor, of a process and all its children, those that have ended included."""
    total = sum(times(pid)[1])
    for path in Path("/proc").glob("[0-9]*"):
        try:
            parent, seconds = times(int(path.name))
        except OSError:  # it has just ended
            continue
        if parent == pid:
            total += sum(seconds)
    return total


@contextmanager
def started(load: Load, database: str, folder: Path) -> Iterator[tuple[list[str], list[int], int | None]]:
    """The addresses that clients come to, the processes of the servers, and that of the proxy."""
    with ExitStack() as stack:
        servers = [stack.enter_context(script.server(database, "--unlimited")) for _ in range(load.servers)]
        ports, processes = [port for port, _ in servers], [pid for _, pid in servers]
        if not load.proxy:
            yield [f"http://127.0.0.1:{port}" for port in ports], processes, None
            return
        port = script.free_port()
        proxy = stack.enter_context(script.nginx(folder, port, ports))
        yield [f"http://127.0.0.1:{port}"], processes, proxy


async def listen(url: str, table: Table, player: int, ready: asyncio.Event) -> None:
    address = f"{url.replace('http', 'ws')}/api/matches/{table.id}/socket"
    async with websockets.connect(address, compression=None) as page:
        await page.send(json.dumps({"seat": table.seats[player]}))
        async for _ in page:
            ready.set()


async def play(urls: list[str], load: Load, matches: int, moves: int, cost: Any) -> tuple[Cost, int, float]:
    """What the moves cost, how many there were, and how long it took."""
    clients = [PatientClient(url) for url in urls]
    by_client: list[list[Table]] = [[] for _ in clients]
    for client, tables in zip(clients, by_client, strict=True):
        await bounded([partial(make, client, tables)] * (matches // len(clients)))
    pages = []
    for number, tables in enumerate(by_client):
        for table in tables:
            for page in range(load.pages):
                ready = asyncio.Event()
                far = urls[(number + 1) % len(urls)]
                pages.append(asyncio.create_task(listen(far, table, page % 2 + 1, ready)))
                await asyncio.wait_for(ready.wait(), 60)
    await asyncio.sleep(1)  # until all have heard of all who came
    replies: list[float] = []
    before, begun = cost(), time.perf_counter()
    for _ in range(moves):
        await bounded(
            [
                partial(move, client, table, replies)
                for pair in zip(*by_client, strict=True)
                for client, table in zip(clients, pair, strict=True)
            ]
        )
    seconds = time.perf_counter() - begun
    await asyncio.sleep(1)  # what the pages have to hear yet belongs to it
    after = cost()
    for page in pages:
        page.cancel()
    await asyncio.gather(*pages, return_exceptions=True)
    for client in clients:
        client.close()
    return after.minus(before), len(replies), seconds


def measure(load: Load, matches: int, moves: int, database: str, postgres: int) -> tuple[Cost, float]:
    """What one move costs, in milliseconds; and how many were played a second."""
    with (
        tempfile.TemporaryDirectory(prefix="parlour-growth-") as folder,
        started(load, database, Path(folder)) as (urls, servers, proxy),
    ):

        def cost() -> Cost:
            return Cost(
                sum(spent(pid) for pid in servers),
                spent(postgres),
                spent(proxy) if proxy is not None else 0.0,
                time.process_time(),
            )

        total, played, seconds = asyncio.run(play(urls, load, matches, moves, cost))
    return Cost(*(1000 * each / played for each in total)), played / seconds


def main() -> None:
    parser = argparse.ArgumentParser(description="What a move costs as servers are added.")
    parser.add_argument("--matches", type=int, default=150)
    parser.add_argument("--moves", type=int, default=6, help="in each match")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="parlour-growth-") as folder:
        Path(folder).chmod(0o711)  # PostgreSQL's user has to pass
        place = Path(folder, "postgresql")
        place.mkdir()
        with script.postgresql(place) as (database, process):
            print_table(asked.matches, asked.moves, database, process)


def print_table(matches: int, moves: int, database: str, process: int) -> None:
    print("milliseconds of processor time for one move")
    print("| servers | pages at a match | server | ratio | database | ratio | proxy | client | moves a second here |")
    print("|---|---|---|---|---|---|---|---|---|")
    alone: dict[int, Cost] = {}
    for load in LOADS:
        cost, rate = measure(load, matches, moves, database, process)
        one = alone.setdefault(load.pages, cost)
        name = f"{load.servers}, behind nginx" if load.proxy else str(load.servers)
        print(f"| {name} | {load.pages} | {cost.server:.2f} | {cost.server / one.server:.2f} ", end="")
        print(f"| {cost.database:.2f} | {cost.database / one.database:.2f} ", end="")
        print(f"| {f'{cost.proxy:.2f}' if load.proxy else ''} | {cost.client:.2f} | {rate:.0f} |", flush=True)


if __name__ == "__main__":
    main()
