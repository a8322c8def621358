"""What a rude neighbour can do: attacks from one address, and how another's moves fare meanwhile.

    python bench/rude.py [--seconds N] [--only WORD] [--short]

One server on SQLite with its usual limits. The attacker has the address 127.0.0.2, the victim 127.0.0.3 (on Linux every
address of 127.0.0.0/8 is this machine). Each attack sends one kind of request as fast as the limits let it; the victim
plays moves all the while, one after the other. Told is how long a move takes compared with the same without an attack,
in the median and at the 99th percentile, and how many moves were refused. The clients share the machine's processors
with the server, which makes the ratios worse than they would be between machines.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from parlour import new_match, record

ATTACKER, VICTIM = "127.0.0.2", "127.0.0.3"
AT_ONCE = 16  # requests of the attacker under way at any time
PAUSE = 0.02  # seconds of the victim between two moves, and of the attacker after a refusal
SILENT = 280  # connections that say nothing


class Bounds(NamedTuple):
    """How much longer a move may take than when it is quiet."""

    median: float
    late: float  # at the 99th percentile


PROMISED = Bounds(3, 15)
SHORT = Bounds(10, float("inf"))  # what even a busy machine keeps, in a second and a half


class Answer(NamedTuple):
    """What came back."""

    status: int
    body: bytes

    @property
    def document(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found


class Line:
    """One connection from an address, opened anew when the server has closed it."""

    def __init__(self, port: int, address: str) -> None:
        self._port, self._address = port, address
        self._ends: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: Any = None, seat: str = "") -> Answer:
        """The answer; the request is not sent again whatever happens."""
        if self._ends is None:
            self._ends = await asyncio.open_connection("127.0.0.1", self._port, local_addr=(self._address, 0))
        reader, writer = self._ends
        sent = json.dumps(body).encode() if body is not None else b""
        head = f"{method} {path} HTTP/1.1\r\nHost: here\r\nContent-Length: {len(sent)}\r\n"
        head += "Content-Type: application/json\r\n" + (f"Authorization: Bearer {seat}\r\n" if seat else "")
        try:
            writer.write(f"{head}\r\n".encode() + sent)
            told = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            length = re.search(r"content-length: *(\d+)", told)
            data = await reader.readexactly(int(length[1])) if length else b""
        except (OSError, asyncio.IncompleteReadError):
            self.close()
            raise ConnectionError("the server closed the connection") from None
        if "connection: close" in told:
            self.close()
        return Answer(int(told.split()[1]), data)

    def close(self) -> None:
        if self._ends is not None:
            self._ends[1].close()
            self._ends = None


class Request(NamedTuple):
    """Something an attacker asks."""

    method: str
    path: str
    body: Any = None
    seat: str = ""


Attack = Callable[[], Request]  # the next request


def longest_record() -> str:
    """A record with as much in it as a match can hold: moves and take-backs."""
    match = new_match("pyramid-challenge", names=("Ann", "Ben"), seed=1)
    while len(match.log) < 990:
        if len(match.round.moves) < 6:
            match.play(match.legal[len(match.log) % len(match.legal)])
        else:
            match.undo()
    return record.write_record(match)


class Attacks:
    """Every attack by its name, on what the attacker has prepared."""

    def __init__(self, long: dict[str, Any], small: dict[str, Any]) -> None:
        self._long, self._small = long, small
        self._numbers = count()

    def all(self) -> dict[str, Attack]:
        long, small = self._long["id"], self._small["id"]
        line = ".".join(str(number) for number in range(2, 1002))
        text = longest_record()

        def name_in(match: dict[str, Any]) -> Request:
            name = {"name": f"N{next(self._numbers)}", "player": 1}
            return Request("POST", f"/api/matches/{match['id']}/name", name, match["seat"])

        return {
            "QR codes": lambda: Request("POST", "/api/qr", {"text": f"{next(self._numbers):0300}"}),
            "longest lines": lambda: Request(
                "GET", f"/api/games/double-up/position?limit=none&moves={line}&p1={next(self._numbers)}"
            ),
            "longest lines solved": lambda: Request(
                "GET", f"/api/games/double-up/hint?limit=none&moves={line}&p1={next(self._numbers)}"
            ),
            "looks at the largest match": lambda: Request("GET", f"/api/matches/{long}"),
            "its record": lambda: Request("GET", f"/api/matches/{long}/record"),
            "its replay": lambda: Request("GET", f"/api/matches/{long}/replay"),
            "its report": lambda: Request("GET", f"/api/matches/{long}/report"),
            "names in it": lambda: name_in(self._long),
            "imports": lambda: Request("POST", "/api/import", {"record": text}),
            "imports that are too long": lambda: Request("POST", "/api/import", {"record": text + "1. 1\n" * 18_000}),
            "imports of rubbish": lambda: Request("POST", "/api/import", {"record": "[Game " * 16_000}),
            "new matches": lambda: Request("POST", "/api/challenge/open", {"game": "pyramid-challenge"}),
            "matches with computers": lambda: Request(
                "POST", "/api/challenge/computer", {"game": "pyramid-challenge", "level": "perfect", "first": "you"}
            ),
            "solving": lambda: Request(
                "GET",
                f"/api/games/increasing-differences/solve?length=12&range=39&moves={1 + next(self._numbers) % 39}",
            ),
            "looks at a small match": lambda: Request("GET", f"/api/matches/{small}"),
            "names": lambda: name_in(self._small),
            "what does not exist": lambda: Request("GET", f"/api/matches/{next(self._numbers):010}"),
            "wrong seats": lambda: Request("POST", f"/api/matches/{small}/undo", {"ply": 0}, "x" * 22),
            "the list of games": lambda: Request("GET", "/api/games"),
            "the description": lambda: Request("GET", "/api/openapi.json"),
            "the page": lambda: Request("GET", "/"),
        }


async def keep_asking(port: int, attack: Attack, stop: asyncio.Event, statuses: list[int]) -> None:
    """One of the attacker's connections: request after request."""
    line = Line(port, ATTACKER)
    while not stop.is_set():
        status = 0
        with suppress(OSError):
            request = attack()
            status = (await line.ask(request.method, request.path, request.body, request.seat)).status
        statuses.append(status)
        if status not in (200, 201):
            await asyncio.sleep(PAUSE)
    line.close()


async def keep_listening(port: int, id: str, stop: asyncio.Event, statuses: list[int]) -> None:
    """A stream that is opened and never read again."""
    with suppress(OSError):
        _, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(ATTACKER, 0))
        writer.write(f"GET /api/matches/{id}/stream HTTP/1.1\r\nHost: here\r\n\r\n".encode())
        statuses.append(200)
        await stop.wait()
        writer.close()


async def keep_silent(port: int, said: bytes, stop: asyncio.Event, statuses: list[int]) -> None:
    """A connection that says nothing, or only a part of something, and is opened again when it is closed."""
    while not stop.is_set():
        with suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(ATTACKER, 0))
            writer.write(said)
            ended, stopped = asyncio.ensure_future(reader.read(1000)), asyncio.ensure_future(stop.wait())
            await asyncio.wait((ended, stopped), return_when=asyncio.FIRST_COMPLETED)
            statuses.append(200 if not ended.done() else 0)
            for waiting in (ended, stopped):
                waiting.cancel()
            await asyncio.gather(ended, stopped, return_exceptions=True)
            writer.close()
        await asyncio.sleep(PAUSE)


class Fared(NamedTuple):
    """How the victim's moves went."""

    seconds: list[float]
    refused: int

    @property
    def median(self) -> float:
        return statistics.median(self.seconds) if self.seconds else float("inf")

    @property
    def late(self) -> float:
        return statistics.quantiles(self.seconds, n=100)[98] if len(self.seconds) > 1 else float("inf")


async def play(port: int, seconds: float) -> Fared:
    """Play and take back, one after the other, for so long."""
    line = Line(port, VICTIM)
    taken, refused = [], 0
    answer = await line.ask("POST", "/api/challenge/local", {"game": "double-up", "first": "1"})
    new, ply = answer.document, 0
    path, end = f"/api/matches/{new['id']}", perf_counter() + seconds
    while perf_counter() < end:
        what, body = ("undo", {"ply": ply}) if ply % 2 else ("move", {"move": "2", "ply": ply})
        begun = perf_counter()
        try:
            answer = await line.ask("POST", f"{path}/{what}", body, new["seat"])
        except OSError:
            answer = Answer(0, b"")
        if answer.status == 200:
            taken.append(perf_counter() - begun)
            ply = answer.document["ply"]
        else:
            refused += 1
        await asyncio.sleep(PAUSE * 2)
    line.close()
    return Fared(taken, refused)


async def attack_until_told(attackers: list[Callable[..., Any]]) -> None:
    """Let these go on until the standard input ends, and print what they were answered."""
    stop, statuses = asyncio.Event(), list[int]()
    tasks = [asyncio.create_task(attacker(stop, statuses)) for attacker in attackers]
    await asyncio.to_thread(sys.stdin.read)
    stop.set()
    await asyncio.gather(*tasks, return_exceptions=True)
    print(json.dumps(statuses))


async def under(port: int, made: dict[str, Any], name: str, seconds: float) -> tuple[Fared, list[int]]:
    """How the victim fares while an attack goes on, and what the attacker was answered.

    The attacker is a process of its own: in one with the victim he would keep him waiting by himself.
    """
    command = [sys.executable, __file__, "--attack", name, "--port", str(port), "--made", json.dumps(made)]
    pipe = asyncio.subprocess.PIPE
    attacker = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
    await asyncio.sleep(1)
    fared = await play(port, seconds)
    told, _ = await attacker.communicate(b"")
    return fared, json.loads(told)


def attackers_of(port: int, made: dict[str, Any]) -> dict[str, list[Callable[..., Any]]]:
    """Each attack by its name, and those who carry it out."""
    attacks, long = Attacks(made["long"], made["small"]).all(), made["long"]["id"]

    def asking(attack: Attack, number: int) -> list[Callable[..., Any]]:
        return [lambda stop, told: keep_asking(port, attack, stop, told)] * number

    def silent(said: bytes) -> list[Callable[..., Any]]:
        return [lambda stop, told: keep_silent(port, said, stop, told)] * SILENT

    listening = [lambda stop, told: keep_listening(port, long, stop, told)] * 150
    return {
        **{name: asking(attack, AT_ONCE) for name, attack in attacks.items()},
        "streams of the largest match": [*listening, *asking(attacks["names in it"], 4)],
        "silent connections": silent(b""),
        "half a head": silent(b"GET /api/games HTTP/1.1\r\nHost: he"),
        "half a body": silent(b"POST /api/import HTTP/1.1\r\nHost: here\r\nContent-Length: 100000\r\n\r\n{"),
        "all of them at once": [one for attack in attacks.values() for one in asking(attack, 2)] + listening[:50],
    }


async def measure(port: int, seconds: float, only: str, bounds: Bounds) -> bool:
    """Print a row for every attack; whether all is within these bounds."""
    line = Line(port, "127.0.0.4")
    made = {
        "long": (await line.ask("POST", "/api/import", {"record": longest_record()})).document,
        "small": (await line.ask("POST", "/api/challenge/local", {"game": "double-up"})).document,
    }
    await play(port, min(seconds, 2))
    quiet = await play(port, seconds)
    print(f"quiet: a move takes {1000 * quiet.median:.1f} ms, 99 of 100 less than {1000 * quiet.late:.1f} ms")
    print(f"{'':32}{'median':>9}{'p99':>9}{'refused':>9}{'moves':>7}   the attacker was answered")
    good = True
    for name in attackers_of(port, made):
        if only not in name:
            continue
        fared, statuses = await under(port, made, name, seconds)
        median, late = fared.median / quiet.median, fared.late / quiet.median
        kept = median <= bounds.median and late <= bounds.late and not fared.refused
        good = good and kept
        told = ", ".join(f"{statuses.count(status)}x{status}" for status in sorted(set(statuses)))
        row = f"{name:32}{median:8.1f}x{late:8.1f}x{fared.refused:9}{len(fared.seconds):7}   {told}"
        print(row if kept else f"{row}   more than promised")
        await asyncio.sleep(min(2, seconds / 2))
    line.close()
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=15, help="for each attack")
    parser.add_argument("--only", default="", help="attacks with this in their names")
    parser.add_argument("--short", action="store_true", help="1.5 seconds each, and ten times as long is good enough")
    parser.add_argument("--attack", help=argparse.SUPPRESS)  # with the two that follow: be the attacker
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--made", type=json.loads, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.attack:
        asyncio.run(attack_until_told(attackers_of(chosen.port, chosen.made)[chosen.attack]))
        return 0
    seconds, bounds = (1.5, SHORT) if chosen.short else (chosen.seconds, PROMISED)
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-m",
            "parlour",
            "serve",
            "--port",
            "0",
            "--database",
            f"sqlite:///{folder}/rude.sqlite3",
        ]
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        with (
            Path(folder, "log").open("wb") as log,
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment) as server,
        ):
            try:
                assert server.stdout is not None
                found = re.search(r":(\d+)/", server.stdout.readline())
                assert found is not None, "the server did not start"
                good = asyncio.run(measure(int(found[1]), seconds, chosen.only, bounds))
            finally:
                server.terminate()
        said = Path(folder, "log").read_text("utf-8")
        print(f"the log of the server has {len(said.splitlines())} lines{', with tracebacks' * ('Traceback' in said)}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
