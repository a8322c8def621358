"""A real server in a process of its own, on a free port of this machine."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

WITH_CONSTANTS = """
import json, sys
from importlib import import_module
for name, value in json.loads(sys.argv.pop(1)).items():
    module, _, constant = name.rpartition(".")
    assert hasattr(import_module(module), constant), name
    setattr(import_module(module), constant, value)
from parlour.cli import main
main()
"""


class Server:
    """``parlour serve`` as anybody would start it."""

    def __init__(
        self, database: str, *options: str, port: int = 0, constants: Mapping[str, float] | None = None
    ) -> None:
        """`constants` are set in the process before it serves: {"parlour.web.limits.ANSWER_SECONDS": 1.0}."""
        self.database = database
        self.constants = constants
        self.options = options
        self.port = port
        self.start()

    def start(self) -> None:
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        start = ["-c", WITH_CONSTANTS, json.dumps(self.constants)] if self.constants else ["-m", "parlour"]
        command = ["serve", "--port", str(self.port), "--database", self.database, *self.options]
        self.process = subprocess.Popen(
            [sys.executable, *start, *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        found = re.search(r"http://\S+:(\d+)/", said)
        if found is None:
            self.stop()
            raise AssertionError(f"the server said {said!r} and {self.errors!r}")
        self.url = found[0].rstrip("/")
        self.port = int(found[1])

    def restart(self) -> None:
        """At the same address."""
        self.start()

    def kill(self) -> None:
        """As the power switch would."""
        self.process.kill()
        self.process.wait()
        self._close()

    def stop(self, by: int = signal.SIGINT) -> int:
        """Ask it to end; its exit code."""
        with suppress(ProcessLookupError):
            self.process.send_signal(by)
        try:
            self.process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        finally:
            self._close()
        return self.process.returncode

    def _close(self) -> None:
        self.output, self.errors = "", ""
        if self.process.stdout is not None and not self.process.stdout.closed:
            self.output = self.process.stdout.read()
            self.process.stdout.close()
        if self.process.stderr is not None and not self.process.stderr.closed:
            self.errors = self.process.stderr.read()
            self.process.stderr.close()

    def socket_url(self, id: str) -> str:
        """The address of a match's WebSocket."""
        return f"{self.url.replace('http', 'ws')}/api/matches/{id}/socket"

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=30)


async def page_state(page: Any, condition: Callable[[dict[str, Any]], bool], seconds: float = 20) -> dict[str, Any]:
    """Return the first state on a WebSocket for which the condition holds."""
    async with asyncio.timeout(seconds):
        while True:
            event = json.loads(await page.recv())
            if event["type"] == "state" and condition(event["state"]):
                state: dict[str, Any] = event["state"]
                return state


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Start servers; those still running at the end are ended."""
    running: list[Server] = []

    def start(database: str | None = None, *options: str, constants: Mapping[str, float] | None = None) -> Server:
        url = database or f"sqlite:///{tmp_path}/web.sqlite3"
        server = Server(url, *(options or ("--unlimited",)), constants=constants)
        running.append(server)
        return server

    yield start
    for server in running:
        if server.process.poll() is None:
            server.stop()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that do not mind each other."""
    server = Server(f"sqlite:///{tmp_path_factory.mktemp('web')}/web.sqlite3", "--unlimited")
    yield server
    server.stop()
    assert "Traceback" not in server.errors, server.errors


@pytest.fixture
def client(server: Server) -> Iterator[httpx.Client]:
    with server.client() as client:
        yield client
