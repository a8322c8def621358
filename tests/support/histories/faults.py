"""Servers and databases that can be broken for real, and the faults that break them.

A killed process is started again at the same address. A frozen one (SIGSTOP) goes on after a while as if nothing had
happened. A disk is full, or slow, for those processes that the library of ``disk.c`` is loaded into: that takes a C
compiler, and no privileges.
"""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random

from tests.support.postgres import OWNER, other_user, program
from tests.support.processes import children

SOURCE = Path(__file__).with_name("disk.c")
SERVE = (sys.executable, "-m", "parlour", "serve", "--unlimited")
# What is acknowledged is written before: the tests' own settings, in tests/support/postgres.py, are not as careful.
POSTGRES = ("shared_buffers=16MB", "max_connections=60", "listen_addresses=", "restart_after_crash=on")


class Disk:
    """A disk that can be full, or slow."""

    def __init__(self, directory: Path) -> None:
        self.environment: dict[str, str] = {}
        compiler = shutil.which("cc")
        if compiler is None:
            return
        library, self._numbers = directory / "disk.so", directory / "disk"
        subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-o", library, SOURCE, "-ldl"], check=True)
        library.chmod(0o755)
        self._numbers.write_bytes(bytes(8))
        self._numbers.chmod(0o644)
        self.environment = {"LD_PRELOAD": str(library), "PARLOUR_DISK": str(self._numbers)}

    @property
    def is_there(self) -> bool:
        """Whether there is a compiler to make one."""
        return bool(self.environment)

    def be(self, *, full: bool = False, delay: float = 0) -> None:
        """``delay``: of every fsync, in seconds."""
        with self._numbers.open("r+b") as file:
            file.write(struct.pack("=II", full, round(delay * 1000)))


class Postgres:
    """A PostgreSQL of our own, which nobody else can reach."""

    def __init__(self, directory: Path, environment: dict[str, str]) -> None:
        self.directory = directory
        self.user = other_user()
        self.environment = {**os.environ, **environment}
        self.data = directory / "data"
        self.data.mkdir(mode=0o700)
        if self.user:
            for path in (directory, self.data):
                os.chown(path, self.user["user"], self.user["group"])
        self.log = (directory / "postgres.log").open("wb")
        make = [program("initdb"), "--pgdata", str(self.data), "--username", OWNER, "--auth", "trust", "--no-sync"]
        self._run([*make, "--encoding", "UTF8", "--locale", "C"]).wait()
        self.url = f"postgresql://{OWNER}@/postgres?host={directory}"
        self.start()

    def _run(self, command: list[str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=self.log,
            cwd=self.directory,
            env=self.environment,
            start_new_session=True,
            **self.user,
        )

    def start(self) -> None:
        """Start it, and wait until it answers."""
        settings = [part for setting in POSTGRES for part in ("-c", setting)]
        self.process = self._run([program("postgres"), "-D", str(self.data), "-k", str(self.directory), *settings])
        self.ensure_it_answers()

    def ensure_it_answers(self) -> None:
        """Wait until it answers; if it has given up meanwhile, start it again."""
        import psycopg

        end = time.monotonic() + 60
        while True:
            try:
                psycopg.connect(host=str(self.directory), user=OWNER, dbname="postgres", connect_timeout=5).close()
                return
            except psycopg.OperationalError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)
            if self.process.poll() is not None:
                self.start()
                return

    def stop_immediately(self) -> None:
        """As ``pg_ctl stop -m immediate``: nobody is waited for, nothing is tidied up."""
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(30)

    def signal_all(self, number: int) -> None:
        """Send a signal to the server and to everything that it has started."""
        for _ in range(3):  # between a look and a signal something may have been started
            for process in (self.process.pid, *children(self.process.pid)):
                with suppress(ProcessLookupError):
                    os.kill(process, number)

    def close(self) -> None:
        self.signal_all(signal.SIGCONT)
        if self.process.poll() is None:
            self.stop_immediately()
        self.log.close()


class Server:
    """``parlour serve``, at the same port each time it is started."""

    def __init__(self, database: str, directory: Path, number: int, environment: dict[str, str]) -> None:
        self.database = database
        self.environment = {**os.environ, **environment, "PYTHONUNBUFFERED": "1"}
        self.log = (directory / f"server{number}.log").open("ab")
        self.port = free_port()
        self.start()

    def start(self) -> None:
        """Start it, and wait until it listens."""
        end = time.monotonic() + 60
        while True:
            self.process = subprocess.Popen(
                [*SERVE, "--port", str(self.port), "--database", self.database],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=self.log,
                env=self.environment,
                start_new_session=True,
            )
            assert self.process.stdout is not None
            said = self.process.stdout.readline().decode()
            found = re.search(r"http://\S+/", said)
            if found is not None:
                self.url = found[0].rstrip("/")
                return
            self.kill()
            if time.monotonic() > end:
                raise AssertionError(f"the server does not start: {Path(self.log.name).read_text()[-2000:]}")
            time.sleep(0.2)

    def kill(self) -> None:
        """As the power switch would."""
        self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()

    def workers(self) -> list[int]:
        return children(self.process.pid)

    def close(self) -> None:
        """End it as Ctrl-C does, and wait for it."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.kill()
        if self.process.stdout is not None:
            self.process.stdout.close()


def free_port() -> int:
    """A port below those that are given to clients: one of them would take it while the server is away."""
    while True:
        port = secrets.randbelow(10_000) + 20_000
        with socket.socket() as trial, suppress(OSError):
            trial.bind(("127.0.0.1", port))
            return port


class House:
    """One or more servers with their database, in a directory of their own that goes when they close."""

    def __init__(self, kind: str, servers: int, *, with_disk: bool) -> None:
        """``kind``: sqlite or postgresql. ``with_disk``: on one that can be full, or slow, if a compiler is there."""
        self.directory = Path(tempfile.mkdtemp(prefix="parlour-histories-"))
        self.directory.chmod(0o755)
        self.servers: list[Server] = []
        self.postgres: Postgres | None = None
        try:
            self.disk = Disk(self.directory) if with_disk else None
            environment = self.disk.environment if self.disk else {}
            if kind == "postgresql":
                home = self.directory / "postgres"
                home.mkdir(mode=0o755)
                self.postgres = Postgres(home, environment)
                database = self.postgres.url
            else:
                database = f"sqlite:///{self.directory}/web.sqlite3"
            of_server = {} if self.postgres else environment
            for number in range(servers):
                self.servers.append(Server(database, self.directory, number, of_server))
        except BaseException:
            self.close()
            raise

    @property
    def urls(self) -> list[str]:
        return [server.url for server in self.servers]

    def logs(self) -> Iterator[str]:
        """What the servers have complained about."""
        for path in sorted(self.directory.glob("server*.log")):
            yield path.read_text(errors="replace")

    def close(self) -> None:
        for server in self.servers:
            server.close()
            server.log.close()
        if self.postgres is not None:
            self.postgres.close()
        shutil.rmtree(self.directory)


Fault = Callable[[], Awaitable[None]]


class Faults:
    """Breaks a house, one thing after the other, and mends each."""

    def __init__(self, house: House, random: Random) -> None:
        self.house = house
        self.random = random
        self.counts: Counter[str] = Counter()
        self.kinds: dict[str, Fault] = {
            "kill a server": self.kill_server,
            "kill a worker": self.kill_worker,
            "freeze a server": self.freeze_server,
        }
        if house.postgres is not None:
            self.kinds["stop the database"] = self.stop_database
            self.kinds["freeze the database"] = partial(self.freeze_database, 1, 8)
            self.kinds["freeze the database for long"] = partial(self.freeze_database, 16, 18)
        if house.disk is not None and house.disk.is_there:
            self.kinds["full disk"] = self.fill_disk
            self.kinds["slow disk"] = self.slow_disk

    async def do(self, kind: str) -> None:
        """One fault; it is mended when this returns."""
        self.counts[kind] += 1
        await self.kinds[kind]()

    async def kill_server(self) -> None:
        server = self.random.choice(self.house.servers)
        server.kill()
        await asyncio.sleep(self.random.uniform(0, 1))
        await asyncio.to_thread(server.start)

    async def kill_worker(self) -> None:
        workers = self.random.choice(self.house.servers).workers()
        if workers:
            with suppress(ProcessLookupError):
                os.kill(self.random.choice(workers), signal.SIGKILL)

    async def freeze_server(self) -> None:
        process = self.random.choice(self.house.servers).process.pid
        os.kill(process, signal.SIGSTOP)
        try:
            await asyncio.sleep(self.random.uniform(0.5, 6))
        finally:
            os.kill(process, signal.SIGCONT)

    async def stop_database(self) -> None:
        assert self.house.postgres is not None
        await asyncio.to_thread(self.house.postgres.stop_immediately)
        await asyncio.sleep(self.random.uniform(0, 2))
        await asyncio.to_thread(self.house.postgres.start)

    async def freeze_database(self, least: float, most: float) -> None:
        """For some seconds; a server gives up what has waited for 15."""
        assert self.house.postgres is not None
        self.house.postgres.signal_all(signal.SIGSTOP)
        try:
            await asyncio.sleep(self.random.uniform(least, most))
        finally:
            self.house.postgres.signal_all(signal.SIGCONT)

    async def fill_disk(self) -> None:
        assert self.house.disk is not None
        self.house.disk.be(full=True)
        await asyncio.sleep(self.random.uniform(0.5, 4))
        self.house.disk.be()
        if self.house.postgres is not None:  # which gives up when it cannot write its log
            await asyncio.to_thread(self.house.postgres.ensure_it_answers)

    async def slow_disk(self) -> None:
        """Now and then so slow that a server gives up waiting."""
        assert self.house.disk is not None
        self.house.disk.be(delay=self.random.choice([0.2, 1.0, 4.0]))
        await asyncio.sleep(self.random.uniform(3, 18))
        self.house.disk.be()
