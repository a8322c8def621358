"""Real servers on a real PostgreSQL behind a real proxy, with the configuration that is in deploy/."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support import ROOT
from tests.support.eventually import eventually
from tests.support.postgres import Server as PostgresServer
from tests.support.postgres import missing
from tests.support.scripts import load_script
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
    installed(request.param)
    start = {"nginx": script.nginx, "caddy": caddy}[request.param]
    postgres_server.run(f"CREATE DATABASE cluster_{request.param}")
    url = postgres_server.url(f"cluster_{request.param}")
    with ExitStack() as stack:
        servers = []
        for _ in range(2):
            servers.append(Server(url, "--metrics", "--drain", "5"))
            stack.callback(servers[-1].kill)
        port = script.free_port()
        folder = tmp_path_factory.mktemp(request.param)
        stack.enter_context(start(folder, port, [server.port for server in servers]))
        yield Cluster(request.param, f"http://127.0.0.1:{port}", servers)
