"""A server process that starts with a wrong clock removes nothing."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.asgi import WebApp
from tests.support.seats import challenge
from tests.support.server import Server

Serve = Callable[..., Server]

SHIFT = """
import time
real = time.time
time.time = lambda: real() + {seconds}
"""


def shift_clock(monkeypatch: pytest.MonkeyPatch, folder: Path, days: int) -> None:
    """Let Python processes that start from now on have a clock that is so many days ahead."""
    folder.mkdir(exist_ok=True)
    (folder / "sitecustomize.py").write_text(SHIFT.format(seconds=days * 86400))
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")


def make_matches(url: str, count: int) -> list[str]:
    """Make matches with an application in this process; return their IDs."""
    with WebApp(url) as app, app.client() as client:
        return [challenge(client, "local", game="double-up")["id"] for _ in range(count)]


def statuses(url: str, ids: list[str]) -> set[int]:
    with WebApp(url) as app, app.client() as client:
        return {client.get(f"/api/matches/{id}").status_code for id in ids}


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_start_with_a_clock_31_days_ahead_removes_no_match(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, kind: str
) -> None:
    url = f"sqlite:///{tmp_path}/web.sqlite3" if kind == "sqlite" else request.getfixturevalue("postgres_url")
    ids = make_matches(url, 20)
    with monkeypatch.context() as wrong:
        shift_clock(wrong, tmp_path / "wrong", 31)
        server = serve(url, "--unlimited", "--log", "json")
        first = json.loads(server.process.stderr.readline())  # type: ignore[union-attr]
        server.stop()
    assert first["level"] == "warning"
    assert first["message"].startswith("20 matches look expired, but the clock is 31 days ahead of ")
    assert statuses(url, ids) == {200}


def test_the_text_log_says_how_many_matches_expired(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, now = f"sqlite:///{tmp_path}/web.sqlite3", time.time
    with monkeypatch.context() as past:
        past.setattr("parlour.service.new_matches.time", lambda: now() - 31 * 86400)
        old = make_matches(url, 3)
    server = serve()  # nothing is removed yet: the newest change is 31 days old
    with server.client() as client:
        challenge(client, "local", game="double-up")
    server.stop()
    assert "3 matches look expired" in server.errors
    server = serve()
    assert server.process.stderr is not None
    assert server.process.stderr.readline() == "INFO:     removed 3 expired matches\n"
    server.stop()
    assert statuses(url, old) == {404}
