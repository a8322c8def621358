"""What docs/api.md and docs/web.md show of a server is what happens: their examples are run."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from parlour.store.database import Database
from parlour.web import costs
from tests.support.docs import DOCS, SERVED, Block, agree, all_blocks, blocks, steps
from tests.support.server import Server

WEB = DOCS / "web.md"
ADDRESS = "http://127.0.0.1:8000"  # of a server, in the documents


def flat(page: Path) -> str:
    """A page as one line, wherever its lines are broken."""
    return " ".join(page.read_text(encoding="utf-8").split())


def session(block: Block, url: str, here: Path) -> list[list[str]]:
    """What each command of a block writes. They are typed one after the other into the same shell."""
    mark = "--- the next command ---"
    script = "".join(f"{step.command.replace(ADDRESS, url)}\necho; echo '{mark}'\n" for step in steps(block))
    environment = {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]),
        "HOME": str(here),
        "LC_ALL": "C.UTF-8",
        "NO_PROXY": "*",
    }
    run = subprocess.run(
        ["sh"],
        input=script,
        cwd=here,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    return [part.strip("\n").splitlines() for part in run.stdout.split(mark)][:-1]


@pytest.mark.parametrize(
    "block",
    [block for block in all_blocks("console") if block.page == SERVED],
    ids=lambda block: f"{block.page.name}:{block.line}",
)
def test_what_the_page_shows_is_what_happens(block: Block, server: Server, tmp_path: Path) -> None:
    if "curl" in block.text and shutil.which("curl") is None:
        pytest.skip("NOT TESTED: there is no curl")
    for other in blocks(block.page):
        if other.file:
            (tmp_path / other.file).write_text(other.text.replace(ADDRESS, server.url), encoding="utf-8")
    written = session(block, server.url, tmp_path)
    assert len(written) == len(steps(block))
    for step, lines in zip(steps(block), written, strict=True):
        assert agree(step.shown, lines), f"{block.page.name}:{block.line}: $ {step.command}\n" + "\n".join(lines)


def test_the_copy_of_a_database_in_use_is_complete(serve: Callable[..., Server], tmp_path: Path) -> None:
    server = serve(f"sqlite:///{tmp_path}/web.sqlite3")
    with server.client() as client:
        made = client.post("/api/challenge/local", json={"game": "double-up", "first": "1"}).json()
        who = {"Authorization": f"Bearer {made['seat']}"}
        client.post(f"/api/matches/{made['id']}/move", json={"move": "2", "ply": 0}, headers=who)
    (block,) = [block for block in blocks(WEB) if block.language == "sh"]
    command = block.text.replace("parlour", f"{sys.executable} -m parlour")
    subprocess.run(["sh", "-e", "-c", command], cwd=tmp_path, check=True, timeout=30)
    copy = sqlite3.connect(tmp_path / "copy.sqlite3")
    try:
        assert copy.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert copy.execute("SELECT match, text FROM lines").fetchall() == [(made["id"], "1. 2")]
    finally:
        copy.close()
    server.stop()
    # And back again.
    (tmp_path / "copy.sqlite3").replace(tmp_path / "web.sqlite3")
    for name in re.findall(r"remove `([^`]+)` and `([^`]+)`", flat(WEB))[0]:
        (tmp_path / name).unlink(missing_ok=True)
    server.restart()
    with server.client() as client:
        assert client.get(f"/api/matches/{made['id']}").json()["table"]["moves"] == ["2"]


def test_the_server_says_where_it_is() -> None:
    command = [sys.executable, "-m", "parlour", "serve", "--port", "0", "--database", "sqlite://"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        process.terminate()
    shown = next(block.text for block in blocks(WEB) if block.language == "text")
    assert re.sub(r":\d+/", ":8000/", said) == shown


def test_limits_are_by_the_address_that_a_server_in_front_names(serve: Callable[..., Server]) -> None:
    server = serve(None, "--host", "127.0.0.1")  # and not --unlimited
    most = int(costs.Rates().create.burst) // costs.IMPORT.tokens

    def statuses(client: httpx.Client, address: str, times: int) -> set[int]:
        headers = {"X-Forwarded-For": address}
        return {client.post("/api/import", json={"record": ""}, headers=headers).status_code for _ in range(times)}

    with server.client() as client:
        assert statuses(client, "192.0.2.1", most) == {400}
        assert 429 in statuses(client, "192.0.2.1", most)
        assert statuses(client, "192.0.2.2", 1) == {400}


def test_a_process_takes_so_many_connections() -> None:
    pytest.importorskip("psycopg")
    database = Database("postgresql://user@host/name")
    pool: Any = database.engine.pool
    assert f"Each takes {pool.size() + pool._max_overflow + 1} connections at most" in flat(WEB)
    database.close()
