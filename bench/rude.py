"""What a rude neighbour can do: attacks from one address, and how another's moves fare meanwhile.

    python bench/rude.py [--seconds N] [--only WORD] [--short]

One server on SQLite with its usual limits. Every attack comes from an address of its own, with all that an address is
allowed still unspent, and asks as fast as it can; a victim at another address plays moves all the while, one after the
other (on Linux every address of 127.0.0.0/8 is this machine). Told is how long a move takes compared with the same just
before and after the attack, in the median and at the 99th percentile, and how many moves were refused. The clients
share the machine's processors with the server, which makes the ratios worse than they would be between machines.

The same is told of work: how long the server's process had a processor while the victim waited. Where other programs
keep the machine busy these ratios tell more, for what the others delay is not in them. The worst of them is printed in
milliseconds: one long stall hardly shows in a percentile.

What is more than promised is tried once more before it is believed: other work on the machine looks the same.
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
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from itertools import count, cycle
from math import inf
from operator import le
from pathlib import Path
from time import clock_gettime, perf_counter
from typing import Any, NamedTuple

from parlour import new_match, record

ADDRESSES = (
    f"127.{1 + number // 250}.0.{1 + number % 250}" for number in count()
)  # a new one whenever one is asked for
AT_ONCE = 16  # requests of the attacker under way at any time
PAUSE = 0.02  # seconds of the attacker after a refusal, unless he insists
BETWEEN_MOVES = 0.04  # seconds of the victim
CONNECTIONS = 280  # of an attacker who wants as many as he can have
LISTENERS = 150
BURST_START = 1.2  # seconds until the first burst: by then all its connections are open
BURST_SECONDS = 6.0  # between two bursts: in that time the quota of CONNECTIONS requests is available again
LONGEST_SETTLING = 20.0  # seconds for the server to come to rest after an attack
SETTLING_SAMPLE = 0.25  # seconds over which the load of the server is measured meanwhile
STOP_TIMEOUT = 0.5  # seconds for the requests of an attack to end by themselves
AT_REST = 0.15  # of a processor, by the server and all its processes


class Bounds(NamedTuple):
    """How much longer a move may take than when it is quiet."""

    median: float
    late: float  # at the 99th percentile


PROMISED = Bounds(3, 15)
SHORT = Bounds(10, float("inf"))  # what even a busy machine keeps
SHORT_SECONDS = 1.2  # twice the first burst of requests, which no limit stops


# Asking.


class Request(NamedTuple):
    """Something that is asked."""

    method: str
    path: str
    body: Any = None
    seat: str = ""
    headers: str = ""  # more of them, each with its line end
    upgrade: bool = False  # to a WebSocket

    @property
    def data(self) -> bytes:
        """As it is sent."""
        body = json.dumps(self.body).encode() if self.body is not None else b""
        head = f"{self.method} {self.path} HTTP/1.1\r\nHost: here\r\n{self.headers}"
        if self.seat:
            head += f"Authorization: Bearer {self.seat}\r\n"
        if self.upgrade:
            head += "Connection: Upgrade\r\nUpgrade: websocket\r\n"
            head += "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        elif body:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        return f"{head}\r\n".encode() + body


class Answer(NamedTuple):
    """What came back."""

    status: int
    body: bytes

    @property
    def document(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found


Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def connect(port: int, address: str) -> Ends:
    return await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0), limit=1 << 20)


async def read_answer(reader: asyncio.StreamReader, method: str) -> tuple[Answer, bool]:
    """The next answer, and whether the connection ends with it; ConnectionError if there is none."""
    try:
        told = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = re.search(r"\r\ncontent-length: *(\d+)", told)
        data = await reader.readexactly(int(length[1])) if length and method != "HEAD" else b""
    except (OSError, asyncio.IncompleteReadError):
        raise ConnectionError("the server closed the connection") from None
    return Answer(int(told.split()[1]), data), "connection: close" in told


class Line:
    """One connection from an address, opened anew when the server has closed it."""

    def __init__(self, port: int, address: str) -> None:
        self._port, self._address = port, address
        self._ends: Ends | None = None

    async def open(self) -> Ends:
        """Connect, unless there is a connection already."""
        if self._ends is None:
            self._ends = await connect(self._port, self._address)
        return self._ends

    async def ask(self, request: Request) -> Answer:
        """The answer; the request is not sent again whatever happens."""
        reader, writer = await self.open()
        try:
            writer.write(request.data)
            answer, ends = await read_answer(reader, request.method)
        except OSError:
            self.close()
            raise
        if ends:
            self.close()
        return answer

    def close(self) -> None:
        if self._ends is not None:
            self._ends[1].close()
            self._ends = None


# Manners of attacking. Each is one connection after the other, until it is told to stop.

Next = Callable[[], Request]
Manner = Callable[
    [int, str, Next, asyncio.Event, list[int]], Coroutine[Any, Any, None]
]  # the last is what was answered


async def keep_asking(port: int, address: str, ask: Next, stop: asyncio.Event, statuses: list[int]) -> None:
    """Request after request, with a pause after a refusal."""
    line = Line(port, address)
    while not stop.is_set():
        status = 0
        with suppress(OSError):
            status = (await line.ask(ask())).status
        statuses.append(status)
        if status >= 400 or not status:
            await asyncio.sleep(PAUSE)
    line.close()


async def ask_in_step(port: int, address: str, ask: Next, stop: asyncio.Event, statuses: list[int]) -> None:
    """One request at the same moment as all other connections of the attack, whenever the quota allows it."""
    start = perf_counter() + BURST_START
    line = Line(port, address)
    with suppress(OSError):
        await line.open()
    while not stop.is_set():
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), max(0.0, start - perf_counter()))
        if stop.is_set():
            break
        start += BURST_SECONDS
        status = 0
        with suppress(OSError):
            status = (await line.ask(ask())).status
        statuses.append(status)
    line.close()


async def insist(port: int, address: str, ask: Next, stop: asyncio.Event, statuses: list[int]) -> None:
    """Many requests in one breath, and again without a pause whatever is answered."""
    many = 20
    while not stop.is_set():
        with suppress(OSError):
            reader, writer = await connect(port, address)
            with suppress(OSError):
                while not stop.is_set():
                    requests = [ask() for _ in range(many)]
                    writer.write(b"".join(request.data for request in requests))
                    for request in requests:
                        answer, ends = await read_answer(reader, request.method)
                        statuses.append(answer.status)
                        if ends:
                            raise ConnectionError
            writer.close()
        await asyncio.sleep(0)


async def keep_listening(port: int, address: str, ask: Next, stop: asyncio.Event, statuses: list[int]) -> None:
    """A stream that is read to its end."""
    with suppress(OSError):
        reader, writer = await connect(port, address)
        writer.write(ask().data)
        stopped = asyncio.ensure_future(stop.wait())
        while not stop.is_set():
            reading = asyncio.ensure_future(reader.read(1 << 16))
            await asyncio.wait((reading, stopped), return_when=asyncio.FIRST_COMPLETED)
            if not reading.done() or not reading.result():
                reading.cancel()
                break
            statuses.append(200)
        stopped.cancel()
        writer.close()


async def read_nothing(port: int, address: str, ask: Next, stop: asyncio.Event, statuses: list[int]) -> None:
    """A stream that is opened and never read."""
    with suppress(OSError):
        _, writer = await connect(port, address)
        writer.write(ask().data)
        statuses.append(200)
        await stop.wait()
        writer.close()


async def come_and_go(port: int, address: str, ask: Next, stop: asyncio.Event, statuses: list[int]) -> None:
    """A connection for each request, left as soon as the answer begins."""
    while not stop.is_set():
        status = 0
        with suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
            reader, writer = await connect(port, address)
            try:
                request = ask()
                writer.write(request.data)
                async with asyncio.timeout(5):
                    status = int((await reader.readuntil(b"\r\n")).split()[1])
                    if request.upgrade:  # a page says who it is
                        writer.write(b"\x81\x8d\x00\x00\x00\x00" + b'{"seat":null}')
                        await reader.readuntil(b"\r\n\r\n")
                        await reader.read(100)
            finally:
                writer.close()
        statuses.append(status)
        if not status:
            await asyncio.sleep(PAUSE)


def stall(part: float) -> Manner:
    """Only so much of a request, and then silence; again when the server has had enough of it."""

    async def keep_silent(port: int, address: str, ask: Next, stop: asyncio.Event, statuses: list[int]) -> None:
        while not stop.is_set():
            with suppress(OSError):
                reader, writer = await connect(port, address)
                data = ask().data
                writer.write(data[: int(part * len(data))])
                ended, stopped = asyncio.ensure_future(reader.read(1000)), asyncio.ensure_future(stop.wait())
                await asyncio.wait((ended, stopped), return_when=asyncio.FIRST_COMPLETED)
                statuses.append(200 if not ended.done() else 0)
                for waiting in (ended, stopped):
                    waiting.cancel()
                await asyncio.gather(ended, stopped, return_exceptions=True)
                writer.close()
            await asyncio.sleep(PAUSE)

    return keep_silent


def pour(more: bytes) -> Manner:
    """A request, and after it more and more until the server has had enough."""

    async def keep_pouring(port: int, address: str, ask: Next, stop: asyncio.Event, statuses: list[int]) -> None:
        while not stop.is_set():
            status = 0
            with suppress(OSError, asyncio.IncompleteReadError):
                reader, writer = await connect(port, address)
                writer.write(ask().data)
                status = int((await reader.readuntil(b"\r\n")).split()[1])
                while not stop.is_set() and not reader.at_eof():
                    writer.write(more)
                    await writer.drain()
                    await asyncio.sleep(0)
                writer.close()
            statuses.append(status)
            await asyncio.sleep(PAUSE)

    return keep_pouring


async def drip(port: int, address: str, ask: Next, stop: asyncio.Event, statuses: list[int]) -> None:
    """A request that comes a byte at a time."""
    while not stop.is_set():
        with suppress(OSError):
            reader, writer = await connect(port, address)
            data = ask().data
            for byte in data:
                writer.write(bytes((byte,)))
                await writer.drain()
                if stop.is_set() or reader.at_eof():
                    break
                await asyncio.sleep(PAUSE)
            statuses.append(0)
            writer.close()
        await asyncio.sleep(PAUSE)


# The attacks.


class Attack(NamedTuple):
    """What is asked, in which manner, and by how many connections."""

    ask: Next
    manner: Manner = keep_asking
    number: int = AT_ONCE


def longest_position() -> str:
    """The path of a position after as many moves as a match can have."""
    moves = ".".join(str(number) for number in range(2, 1002))
    return f"/api/games/double-up/position?limit=none&moves={moves}"


def longest_record() -> str:
    """A record with as much in it as a match can hold: moves and take-backs."""
    match = new_match("pyramid-challenge", names=("Ann", "Ben"), seed=1)
    while len(match.log) < 990:
        if len(match.round.moves) < 6:
            match.play(match.legal_moves[len(match.log) % len(match.legal_moves)])
        else:
            match.undo()
    return record.write_record(match)


async def prepare(port: int) -> dict[str, Any]:
    """The matches that attacks are about: a long one, a small one, one between friends, and one that is over."""
    line, friend = Line(port, next(ADDRESSES)), {"game": "double-up"}
    made: dict[str, Any] = {
        "long": (await line.ask(Request("POST", "/api/import", {"record": longest_record()}))).document,
        "small": (await line.ask(Request("POST", "/api/challenge/local", friend))).document,
        "friends": (await line.ask(Request("POST", "/api/challenge/open", friend))).document,
        "over": (await line.ask(Request("POST", "/api/challenge/local", friend))).document,
    }
    joining = {"invite": made["friends"]["invite"]}
    await line.ask(Request("POST", f"/api/matches/{made['friends']['id']}/join", joining))
    await line.ask(Request("POST", f"/api/matches/{made['over']['id']}/resign", {}, made["over"]["seat"]))
    files = re.search(rb"/static/[0-9a-f]+/", (await line.ask(Request("GET", "/"))).body)
    assert files is not None
    made["files"] = files[0].decode()
    await line.ask(Request("GET", longest_position()))  # from now on a remembered answer
    line.close()
    return made


def all_attacks(made: dict[str, Any]) -> dict[str, Attack]:
    """Every attack by its name, on what was prepared."""
    numbers = count()
    long, small, friends = (f"/api/matches/{made[name]['id']}" for name in ("long", "small", "friends"))
    line = ".".join(str(number) for number in range(2, 1002))
    text = longest_record()
    moves = [str(number) for number in range(2, 302)]
    secrets = ("a" * 22, "b" * 22)
    largest = "/api/games/increasing-differences/{}?length=12&range=39&moves={}"

    def get(path: str, **more: Any) -> Next:
        return lambda: Request("GET", path, **more)

    def post(path: str, body: Any, seat: str = "") -> Next:
        return lambda: Request("POST", path, body, seat)

    def on(name: str, what: str, body: Any) -> Next:
        return post(f"/api/matches/{made[name]['id']}/{what}", body, made[name]["seat"])

    def numbered(method: str, path: str, body: Any = None) -> Next:
        """With another number each time, where it says {}."""

        def ask() -> Request:
            number = str(next(numbers))
            asked = {name: value.replace("{}", number) for name, value in body.items()} if body else None
            return Request(method, path.replace("{}", number), asked)

        return ask

    def each(*asks: Next) -> Next:
        """One after the other."""
        turns = cycle(asks)

        def ask() -> Request:
            return next(turns)()

        return ask

    def name_in(name: str) -> Next:
        path, seat = f"/api/matches/{made[name]['id']}/name", made[name]["seat"]
        return lambda: Request("POST", path, {"name": f"N{next(numbers)}", "player": 1}, seat)

    asked = {
        "QR codes": Attack(numbered("POST", "/api/qr", {"text": "{}" + "0" * 290})),
        "longest lines": Attack(numbered("GET", f"/api/games/double-up/position?limit=none&moves={line}&p1={{}}")),
        "longest lines, remembered": Attack(get(longest_position()), ask_in_step, CONNECTIONS),
        "longest lines, hints": Attack(numbered("GET", f"/api/games/double-up/hint?limit=none&moves={line}&p1={{}}")),
        "largest options, solved": Attack(lambda: Request("GET", largest.format("solve", 1 + next(numbers) % 39))),
        "largest options, reasons": Attack(
            lambda: Request("GET", largest.format("why", 1 + next(numbers) % 39) + "&move=5")
        ),
        "largest match, looks": Attack(get(long)),
        "largest match, records": Attack(get(f"{long}/record")),
        "largest match, replays": Attack(get(f"{long}/replay")),
        "largest match, reports": Attack(get(f"{long}/report")),
        "largest match, names": Attack(name_in("long")),
        "imports": Attack(post("/api/import", {"record": text})),
        "imports, too long": Attack(post("/api/import", {"record": text + "1. 1\n" * 18_000})),
        "imports, rubbish": Attack(post("/api/import", {"record": "[Game " * 16_000})),
        "new matches": Attack(post("/api/challenge/open", {"game": "pyramid-challenge"})),
        "new matches, longest lines": Attack(
            post("/api/challenge/local", {"game": "double-up", "options": {"limit": "none"}, "moves": moves})
        ),
        "matches with computers": Attack(
            post("/api/challenge/computer", {"game": "pyramid-challenge", "level": "perfect", "first": "you"})
        ),
        "small match, looks": Attack(get(small)),
        "small match, moves": Attack(
            each(on("small", "move", {"move": "2", "ply": 0}), on("small", "undo", {"ply": 1}))
        ),
        "small match, names": Attack(name_in("small")),
        "small match, seats": Attack(
            each(
                on("small", "seat", {"seat": secrets[0]}),
                post(f"{small}/seat", {"seat": secrets[1]}, secrets[0]),
                post(f"{small}/seat", {"seat": made["small"]["seat"]}, secrets[1]),
            )
        ),
        "offers": Attack(
            each(
                on("friends", "offer", {"kind": "delete", "ply": 0}),
                on("friends", "offer/withdraw", {"kind": "delete", "ply": 0}),
            )
        ),
        "rematches": Attack(on("over", "rematch", {})),
        "what is not allowed": Attack(
            each(
                on("over", "move", {"move": "2", "ply": 0}),
                on("over", "next", {"ply": 0}),
                on("over", "resign", {}),
                post(f"{friends}/join", {"invite": "x"}),
                post(f"{friends}/delete", {}, made["friends"]["seat"]),
                post(f"{small}/undo", {"ply": 0}, "x" * 22),
            )
        ),
        "what does not exist": Attack(
            each(numbered("GET", "/api/matches/x{}"), numbered("GET", "/x{}"), numbered("OPTIONS", f"{small}?{{}}"))
        ),
        "puzzles": Attack(
            each(
                numbered("GET", "/api/puzzles/{}"),
                numbered("GET", "/api/puzzles?begin={}"),
                numbered("GET", "/api/daily/{}"),
                get("/api/daily?most=100"),
                get("/api/atlas/increasing-differences"),
            )
        ),
        "exams, another each time": Attack(
            each(
                lambda: Request("GET", f"/api/exams/pyramid-challenge/{1 + next(numbers) % 3}"),
                post("/api/exams/increasing-differences/4/further", {"answers": ["1"]}),
                post("/api/exams/double-up/1/diploma", {"answers": ["3"], "date": "2026-11-17"}),
                get("/api/exams"),
            )
        ),
        "practice": Attack(
            each(
                get(f"/api/matches/{made['over']['id']}/mistakes"),
                post("/api/practice", {"question": {"game": "pyramid-challenge"}}),
            )
        ),
        "pages and files": Attack(
            each(
                get("/"),
                get("/robots.txt"),
                get("/favicon.ico"),
                get(f"{made['files']}board.js"),
                get(
                    f"{made['files']}board.js", headers="Range: bytes=" + ",".join(f"{n}-" for n in range(200)) + "\r\n"
                ),
                get(f"{made['files']}board.js", headers="Accept-Encoding: gzip\r\n"),
                lambda: Request("HEAD", "/"),
            )
        ),
        "pages of matches": Attack(each(get(f"/m/{made['long']['id']}"), get(f"/m/{made['small']['id']}"))),
        "other pages": Attack(
            each(
                numbered("GET", "/play/double-up?{}"),
                get("/rules/double-up"),
                numbered("GET", "/study/double-up/2.3?limit={}"),
                get("/study/double-up"),
                get("/import"),
                get("/about"),
                get("/daily"),
                get("/puzzles"),
                get("/mistakes"),
                numbered("GET", "/mistakes/{}"),
                get("/master"),
                get("/master/double-up/1"),
                get("/atlas"),
                get("/atlas/double-up"),
                numbered("GET", "/daily/{}"),
                numbered("GET", "/puzzle/{}"),
            )
        ),
        "pictures, of the largest match": Attack(get(f"/m/{made['long']['id']}/table.png")),
        "pictures, of the longest lines": Attack(
            lambda: Request("GET", f"/study/double-up/{line}/table.png?limit=none&first={1 + next(numbers) % 2}")
        ),
        "pictures, another each time": Attack(
            lambda: Request("GET", f"/study/double-up/2.3/table.png?limit={50 + next(numbers) % 900}")
        ),
        "what is kept offline": Attack(
            each(
                get("/offline.json", headers="Accept-Encoding: gzip\r\n"),
                get("/offline.json"),
                get("/worker.js"),
                get("/manifest.json"),
            )
        ),
        "what is known": Attack(
            each(get("/api/games"), get("/api/games/double-up"), get("/api/openapi.json"), get("/api/health"))
        ),
        "health": Attack(each(get("/health"), get("/ready"), get("/metrics"))),
        "largest heads": Attack(get("/api/games", headers="".join(f"X-{n}: {'x' * 50}\r\n" for n in range(900)))),
    }
    looking, listening = get(small), get(f"{long}/stream")
    return {
        **asked,
        "pipelined": Attack(looking, insist),
        "pipelined, refused": Attack(post("/api/challenge/open", {"game": "x"}), insist, CONNECTIONS),
        "streams": Attack(listening, keep_listening, LISTENERS),
        "streams, unread": Attack(listening, read_nothing, LISTENERS),
        "streams, coming and going": Attack(listening, come_and_go),
        "sockets, coming and going": Attack(get(f"{long}/socket", upgrade=True), come_and_go),
        "sockets, talking": Attack(get(f"{long}/socket", upgrade=True), pour(b"\x89\x80\0\0\0\0" * 100)),
        "bodies without end": Attack(
            lambda: Request("POST", "/api/import", headers=f"Content-Length: {1 << 40}\r\n"),
            pour(bytes(1 << 16)),
        ),
        "connections": Attack(get("/"), come_and_go, 4 * AT_ONCE),
        "silent connections": Attack(get("/"), stall(0), CONNECTIONS),
        "half a head": Attack(get("/"), stall(0.8), CONNECTIONS),
        "half a body": Attack(post("/api/import", {"record": text}), stall(0.5), CONNECTIONS),
        "a byte at a time": Attack(post("/api/import", {"record": text}), drip, CONNECTIONS),
    }


TOGETHER = {  # attacks of several kinds at once, by a part of their names; the connections of each are divided by it
    "streams of what changes": ({"streams": 1, "largest match, names": 4}),
    "all of them": ({"": 8}),
}


def parts_of(name: str, attacks: dict[str, Attack]) -> list[Attack]:
    """What an attack consists of."""
    if name in attacks:
        return [attacks[name]]
    return [
        attack._replace(number=max(1, attack.number // divided))
        for part, divided in TOGETHER[name].items()
        for other, attack in attacks.items()
        if part in ("", other)
    ]


# The attacker: a process of his own, for in one with the victim he would keep him waiting by himself.


async def attack_as_told(port: int, made: dict[str, Any]) -> None:
    """Carry out what each line of the standard input names until the next, and print what was answered."""
    attacks = all_attacks(made)
    print("ready", flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        name, address = json.loads(line)
        stop, statuses = asyncio.Event(), list[int]()
        tasks = [
            asyncio.create_task(attack.manner(port, address, attack.ask, stop, statuses))
            for attack in parts_of(name, attacks)
            for _ in range(attack.number)
        ]
        await asyncio.to_thread(sys.stdin.readline)
        stop.set()
        _, pending = await asyncio.wait(tasks, timeout=STOP_TIMEOUT)
        for task in pending:  # that wait for an answer
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        print(json.dumps({status: statuses.count(status) for status in sorted(set(statuses))}), flush=True)


class Attacker:
    """The same process, seen from here."""

    def __init__(self, port: int, made: dict[str, Any]) -> None:
        command = [sys.executable, __file__, "--attack", str(port), "--made", json.dumps(made)]
        pipe = subprocess.PIPE
        # A session of his own, for Linux may share the processors between sessions: he is to be as another machine.
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, start_new_session=True)
        self._read()

    def _read(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def _tell(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def begin(self, name: str) -> None:
        self._tell(json.dumps([name, next(ADDRESSES)]))

    def end(self) -> dict[str, int]:
        """How often which status was answered."""
        self._tell("")
        told: dict[str, int] = json.loads(self._read())
        return told

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


# The victim.


def median(seconds: list[float]) -> float:
    return statistics.median(seconds) if seconds else float("inf")


def late(seconds: list[float]) -> float:
    """The 99th percentile."""
    return statistics.quantiles(seconds, n=100)[98] if len(seconds) > 1 else float("inf")


class Fared(NamedTuple):
    """How the victim's moves went."""

    taken: list[float]  # seconds for each that was not refused
    worked: list[float]  # of these, on a processor by the server's process
    refused: int

    def and_then(self, more: Fared) -> Fared:
        return Fared(self.taken + more.taken, self.worked + more.worked, self.refused + more.refused)


class House(NamedTuple):
    """A server, and where it listens."""

    port: int
    process: int

    def worked(self) -> float:
        """Seconds that all threads of its process have had a processor so far."""
        return clock_gettime(~self.process << 3 | 2)  # as clock_getcpuclockid of the C library says


async def play(house: House, seconds: float) -> Fared:
    """Begin a match, play and take back, one after the other, for so long."""
    line = Line(house.port, next(ADDRESSES))
    taken, worked, refused = [], [], 0
    new = (await line.ask(Request("POST", "/api/challenge/local", {"game": "double-up", "first": "1"}))).document
    ply, path, end = 0, f"/api/matches/{new['id']}", perf_counter() + seconds
    while perf_counter() < end:
        what, body = ("undo", {"ply": ply}) if ply % 2 else ("move", {"move": "2", "ply": ply})
        begun, before = perf_counter(), house.worked()
        try:
            answer = await line.ask(Request("POST", f"{path}/{what}", body, new["seat"]))
        except OSError:
            answer = Answer(0, b"")
        if answer.status == 200:
            taken.append(perf_counter() - begun)
            worked.append(house.worked() - before)
            ply = answer.document["ply"]
        else:
            refused += 1
        await asyncio.sleep(BETWEEN_MOVES)
    line.close()
    return Fared(taken, worked, refused)


# Measuring.


def used_by(server: int) -> float:
    """Seconds of the processor that a server and its processes have used so far."""
    ticks, family = 0, {server}
    for entry in sorted(Path("/proc").glob("[0-9]*"), key=lambda path: int(path.name)):
        with suppress(OSError, ProcessLookupError):
            fields = (entry / "stat").read_text().rpartition(") ")[2].split()
            if int(entry.name) in family or int(fields[1]) in family:
                family.add(int(entry.name))
                ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


async def settle(server: int) -> None:
    """Wait until a server has done what is left of an attack, such as the moves of computers."""
    end = perf_counter() + LONGEST_SETTLING
    while perf_counter() < end:
        before = used_by(server)
        await asyncio.sleep(SETTLING_SAMPLE)
        if used_by(server) - before < SETTLING_SAMPLE * AT_REST:
            return


class Row(NamedTuple):
    """What an attack did to the victim."""

    name: str
    quiet: Fared
    fared: Fared
    answered: dict[str, int]  # how often which status, to the attacker

    @property
    def ratios(self) -> Bounds:
        """How much longer a move took."""
        usual = median(self.quiet.taken)
        return Bounds(median(self.fared.taken) / usual, late(self.fared.taken) / usual)

    @property
    def work(self) -> Bounds:
        """How much more the server did while a move waited."""
        usual = median(self.quiet.worked)
        return Bounds(median(self.fared.worked) / usual, late(self.fared.worked) / usual)

    def keeps(self, bounds: Bounds) -> bool:
        return all(map(le, self.ratios, bounds)) and not self.fared.refused

    def __str__(self) -> str:
        told = ", ".join(f"{number:,} times {status}" for status, number in self.answered.items())
        ratios = " | ".join(f"{ratio:5.1f}" for ratio in (*self.ratios, *self.work))
        ratios += f" | {1000 * max(self.fared.worked, default=inf):5.0f}"
        moves = f"{len(self.fared.taken):5} | {self.fared.refused:7}"
        return f"| {self.name:26} | {ratios} | {moves} | {told.replace('times 0', 'times not at all')} |"


HEAD = """\
| attack                     | median | p99 | work: median | p99 | worst, ms | moves | refused | the attacker got |
|---|---|---|---|---|---|---|---|---|"""


async def quiet(house: House, seconds: float) -> Fared:
    """Let the victim play while nobody attacks."""
    await settle(house.process)
    return await play(house, seconds)


async def measure(house: House, attacker: Attacker, name: str, seconds: float, before: Fared) -> tuple[Row, Fared]:
    """Let the victim play under an attack and in quiet after it; what came of it, and how the quiet was."""
    attacker.begin(name)
    await asyncio.sleep(min(1, seconds / 3))
    fared = await play(house, seconds)
    answered = await asyncio.to_thread(attacker.end)
    after = await quiet(house, seconds / 3)
    return Row(name, before.and_then(after), fared, answered), after


async def measure_all(house: House, seconds: float, only: str, bounds: Bounds) -> bool:
    """Print a row for every attack; whether all are within these bounds."""
    made = await prepare(house.port)
    attacker = Attacker(house.port, made)
    await play(house, 1)
    resting = all_resting = await quiet(house, seconds / 3)
    good = True
    print(HEAD)
    attacks = all_attacks(made)
    for name in [*attacks, *TOGETHER]:
        if only not in name:
            continue
        window = max([seconds, *(BURST_START for part in parts_of(name, attacks) if part.manner is ask_in_step)])
        row, resting = await measure(house, attacker, name, window, resting)
        all_resting = all_resting.and_then(resting)
        if not row.keeps(bounds):
            print(f"{row} tried once more", flush=True)
            row, resting = await measure(house, attacker, name, window, resting)
        print(f"{row}{' more than promised' * (not row.keeps(bounds))}", flush=True)
        good = good and row.keeps(bounds)
    attacker.close()
    for what, times in (("a move takes", all_resting.taken), ("the server works for", all_resting.worked)):
        print(f"in quiet {what} {1000 * median(times):.1f} ms, in 99 of 100 less than {1000 * late(times):.1f} ms")
    return good


@contextmanager
def serving(folder: str) -> Iterator[subprocess.Popen[str]]:
    """A server, and its log in a folder."""
    command = ["serve", "--port", "0", "--database", f"sqlite:///{folder}/rude.sqlite3"]
    with (
        Path(folder, "log").open("wb") as log,
        subprocess.Popen(
            [sys.executable, "-m", "parlour", *command],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            start_new_session=True,
        ) as server,
    ):
        try:
            yield server
        finally:
            server.terminate()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=15, help="for each attack")
    parser.add_argument("--only", default="", help="attacks with this in their names")
    parser.add_argument(
        "--short", action="store_true", help=f"{SHORT_SECONDS} seconds each, and ten times as long is good enough"
    )
    parser.add_argument("--attack", type=int, metavar="PORT", help=argparse.SUPPRESS)  # be the attacker
    parser.add_argument("--made", type=json.loads, help=argparse.SUPPRESS)  # on what was prepared
    chosen = parser.parse_args()
    if chosen.attack:
        asyncio.run(attack_as_told(chosen.attack, chosen.made))
        return 0
    seconds, bounds = (SHORT_SECONDS, SHORT) if chosen.short else (chosen.seconds, PROMISED)
    with tempfile.TemporaryDirectory() as folder:
        with serving(folder) as server:
            assert server.stdout is not None
            found = re.search(r":(\d+)/", server.stdout.readline())
            assert found is not None, "the server did not start"
            house = House(int(found[1]), server.pid)
            good = asyncio.run(measure_all(house, seconds, chosen.only, bounds))
        said = Path(folder, "log").read_text("utf-8")
    print(f"the log of the server has {len(said.splitlines())} lines{', with tracebacks' * ('Traceback' in said)}")
    return 0 if good and "Traceback" not in said else 1


if __name__ == "__main__":
    sys.exit(main())
