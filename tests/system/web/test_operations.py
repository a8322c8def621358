"""What whoever runs a server relies on: health, readiness, numbers and the log."""

from __future__ import annotations

import json
import os
import signal
import socket
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import make_url

from parlour.store import open_store
from parlour.store.errors import BadDatabase
from parlour.web.metrics import Family, Sample, write_metrics
from tests.support.eventually import eventually
from tests.support.metrics import read_metrics
from tests.support.postgres import Server as PostgresServer
from tests.support.postgres import postgresql_is_frozen
from tests.support.seats import challenge, refused, sit_down
from tests.support.server import Server

Serve = Callable[..., Server]


# Health and readiness.


def test_it_lives_but_is_not_ready_while_the_database_is_frozen(
    serve: Serve, postgres_server: PostgresServer, postgres_url: str
) -> None:
    constants = {"parlour.web.operations.CHECKED_SECONDS": 0.0, "parlour.web.operations.READY_SECONDS": 0.5}
    server = serve(postgres_url, "--unlimited", constants=constants)
    with server.client() as client:
        assert client.get("/ready").status_code == 200
        with postgresql_is_frozen(postgres_server):
            answers = [client.get("/ready") for _ in range(3)]
            assert client.get("/health").status_code == 200
        for answer in answers:
            assert answer.status_code == 503
            assert answer.json()["code"] in ("server/busy", "database/bad")
        eventually(lambda: client.get("/ready").status_code == 200)


def test_a_read_only_database_is_noticed(postgres_server: PostgresServer, postgres_url: str) -> None:
    store = open_store(postgres_url)
    store.check_writable()
    name = make_url(postgres_url).database
    postgres_server.run(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    postgres_server.run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
    with pytest.raises(BadDatabase, match="read-only"):
        store.check_writable()
    store.close()


def test_while_it_drains_it_serves_on_and_is_not_ready(serve: Serve) -> None:
    server = serve(None, "--unlimited", "--drain", "20")
    with server.client() as client:
        made = challenge(client, "local", game="double-up", first="1")
        server.process.send_signal(signal.SIGTERM)
        eventually(lambda: client.get("/ready").status_code != 200)
        refused(client.get("/ready"), 503, "server/busy")
        move = client.post(
            f"/api/matches/{made['id']}/move",
            json={"move": "2", "ply": 0},
            headers={"Authorization": f"Bearer {made['seat']}"},
        )
        assert move.status_code == 200
    server.stop(signal.SIGINT)  # a second signal, and it does not serve on


def test_nobody_can_connect_before_it_is_ready(serve: Serve, tmp_path: Path) -> None:
    """Systemd is told when it is; and what it is told is true."""
    told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    told.bind(str(tmp_path / "notify"))
    told.settimeout(30)
    os.environ["NOTIFY_SOCKET"] = str(tmp_path / "notify")
    try:
        server = serve()
    finally:
        del os.environ["NOTIFY_SOCKET"]
    with told:
        assert told.recv(100) == b"READY=1"
        assert httpx.get(f"{server.url}/ready").status_code == 200
        server.stop(signal.SIGTERM)
        assert told.recv(100) == b"STOPPING=1"


# Numbers.


def test_the_text_format_is_that_of_prometheus() -> None:
    strange = 'a "b" \\ c\nd'
    families = [
        Family("one_total", "counter", "Counted.", [Sample(3, {"why": strange}), Sample(1e12, {"why": ""})]),
        Family("two", "gauge", "Measured.", [Sample(0.1)]),
        Family("none", "gauge", "Never seen.", []),
    ]
    text = write_metrics(families)
    theirs = {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    assert read_metrics(text) == theirs
    assert theirs == {
        ("one_total", (("why", strange),)): 3,
        ("one_total", (("why", ""),)): 1e12,
        ("two", ()): 0.1,
    }


# The log.


def test_the_log_is_one_object_a_line_and_tells_no_secret(serve: Serve, tmp_path: Path) -> None:
    server = serve(None, "--unlimited", "--log", "json")
    with server.client() as client:
        first, second = sit_down(client, game="double-up")
        first.move("2", 0)
        refused(second.move("1", 1), 400, "move/illegal")
        client.get("/api/games", headers={"Authorization": "Bearer swordfish"})
        client.get("/nothing?seat=swordfish")
        for file in tmp_path.glob("web.sqlite3*"):
            file.unlink()
        refused(client.get(f"/api/matches/{first.id}"), 503, "database/bad")
        assert first.secret
        assert second.secret
        secrets = (first.secret, second.secret, "swordfish", first.id)
    server.stop()
    lines = [json.loads(line) for line in server.errors.splitlines()]
    assert all({"time", "level", "logger", "message"} <= line.keys() for line in lines)
    requests = [line for line in lines if line["message"] == "request"]
    assert [(line["method"], line["route"], line["status"], line["code"]) for line in requests] == [
        ("POST", "/api/challenge/open", "201", ""),
        ("POST", "/api/matches/{id}/join", "200", ""),
        ("POST", "/api/matches/{id}/move", "200", ""),
        ("POST", "/api/matches/{id}/move", "400", "move/illegal"),
        ("GET", "/api/games", "200", ""),
        ("GET", "none", "404", "page/unknown"),
        ("GET", "/api/matches/{id}", "503", "database/bad"),
    ]
    assert [line["level"] for line in lines if line not in requests] == ["error"]
    for secret in secrets:
        assert secret not in server.errors


def test_the_plain_log_has_no_requests(serve: Serve) -> None:
    server = serve()
    with server.client() as client:
        client.get("/api/games")
    server.stop()
    assert server.errors.strip() == ""
