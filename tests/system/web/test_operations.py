"""What whoever runs a server relies on: health, readiness, numbers and the log."""

from __future__ import annotations

import asyncio
import json
import math
import os
import signal
import socket
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx
import pytest
import websockets
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import make_url

from parlour.errors import ANSWERS, BadDatabase
from parlour.store import open_store
from parlour.web.app import ServerSettings, make_app
from parlour.web.metrics import Family, Sample, write_metrics
from tests.support.postgres import Server as PostgresServer
from tests.support.seats import challenge, refused, sit_down
from tests.support.server import Server

Serve = Callable[..., Server]
Numbers = dict[tuple[str, tuple[tuple[str, str], ...]], float]  # by name and labels


def read_metrics(text: str) -> Numbers:
    """By somebody else's parser."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.fixture(scope="module")
def observed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(f"sqlite:///{tmp_path_factory.mktemp('observed')}/web.sqlite3", "--unlimited", "--metrics")
    yield server
    server.stop()
    assert "Traceback" not in server.errors, server.errors


def metrics(server: Server) -> Numbers:
    answer = httpx.get(f"{server.url}/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    return read_metrics(answer.text)


def number(numbers: Numbers, name: str, **labels: str) -> float:
    return numbers.get((name, tuple(sorted(labels.items()))), 0.0)


def grown(server: Server, act: Callable[[], Any]) -> Numbers:
    """What has become more by doing something."""
    before = metrics(server)
    act()
    after = metrics(server)
    return {key: value - before.get(key, 0.0) for key, value in after.items()}


# Health and readiness.


def test_health_and_ready_are_answered_and_cost_nobody_anything(client: httpx.Client) -> None:
    for path in ("/health", "/ready"):
        answer = client.get(path)
        assert (answer.status_code, answer.json()["ok"]) == (200, True)
        assert client.head(path).status_code == 200
        refused(client.post(path), 405, "method/wrong")


@pytest.mark.slow
def test_it_lives_but_is_not_ready_while_the_database_is_frozen(
    serve: Serve, postgres_server: PostgresServer, postgres_url: str
) -> None:
    server = serve(postgres_url)
    with server.client() as client:
        assert client.get("/ready").status_code == 200
        backends = [
            pid for (pid,) in postgres_server.run("SELECT pid FROM pg_stat_activity WHERE application_name = 'parlour'")
        ]
        assert backends
        for pid in backends:
            os.kill(pid, signal.SIGSTOP)
        try:
            sleep(1.1)  # what was true a second ago is not asked again
            answers = [client.get("/ready") for _ in range(3)]
            assert client.get("/health").status_code == 200
        finally:
            for pid in backends:
                os.kill(pid, signal.SIGCONT)
        for answer in answers:
            assert answer.status_code == 503
            assert answer.json()["code"] in ("server/busy", "database/bad")
        end = monotonic() + 20
        while client.get("/ready").status_code != 200:
            assert monotonic() < end
            sleep(0.1)


def test_not_ready_while_nothing_can_be_written(serve: Serve, tmp_path: Path) -> None:
    server = serve()
    with server.client() as client, closing(sqlite3.connect(tmp_path / "web.sqlite3", isolation_level=None)) as other:
        assert client.get("/ready").status_code == 200
        other.execute("BEGIN IMMEDIATE")
        end = monotonic() + 20
        while (answer := client.get("/ready")).status_code == 200:  # a good answer holds for a second
            assert monotonic() < end
            sleep(0.1)
        assert answer.json()["code"] in ("server/busy", "database/bad")
        assert client.get("/health").status_code == 200
        other.execute("ROLLBACK")
        end = monotonic() + 20
        while client.get("/ready").status_code != 200:
            assert monotonic() < end
            sleep(0.1)


def test_a_read_only_database_is_noticed(tmp_path: Path, postgres_server: PostgresServer, postgres_url: str) -> None:
    store = open_store(f"sqlite:///{tmp_path}/web.sqlite3")
    store.check_writable()
    with store.database.reading() as connection:  # the pool's only connection so far, and the next to be used
        connection.exec_driver_sql("PRAGMA query_only = ON")
    with pytest.raises(BadDatabase, match="readonly"):
        store.check_writable()
    store.close()
    store = open_store(postgres_url)
    store.check_writable()
    name = make_url(postgres_url).database
    postgres_server.run(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    postgres_server.run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
    with pytest.raises(BadDatabase, match="read-only"):
        store.check_writable()
    store.close()


@pytest.mark.slow
def test_not_ready_when_the_database_is_gone(tmp_path: Path) -> None:
    app = make_app(open_store(f"sqlite:///{tmp_path}/gone.sqlite3"), ServerSettings(workers=1))

    async def scenario() -> list[int]:
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here") as client,
        ):
            (tmp_path / "gone.sqlite3").unlink()
            return [(await client.get(path)).status_code for path in ("/health", "/ready")]

    assert asyncio.run(scenario()) == [200, 503]


@pytest.mark.slow
def test_while_it_drains_it_serves_on_and_is_not_ready(serve: Serve) -> None:
    server = serve(None, "--unlimited", "--drain", "20")
    with server.client() as client:
        made = challenge(client, "local", game="double-up", first="1")
        server.process.send_signal(signal.SIGTERM)
        end = monotonic() + 10
        while (answer := client.get("/ready")).status_code == 200:
            assert monotonic() < end
        refused(answer, 503, "server/busy")
        move = client.post(
            f"/api/matches/{made['id']}/move",
            json={"move": "2", "ply": 0},
            headers={"Authorization": f"Bearer {made['seat']}"},
        )
        assert move.status_code == 200
    server.stop(signal.SIGINT)  # a second signal, and it does not serve on


@pytest.mark.slow
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
    assert read_metrics(write_metrics(families)) == {
        ("one_total", (("why", strange),)): 3,
        ("one_total", (("why", ""),)): 1e12,
        ("two", ()): 0.1,
    }


@pytest.mark.slow
def test_requests_are_counted_by_route_and_what_became_of_them(observed: Server) -> None:
    with observed.client() as client:

        def play() -> None:
            made = challenge(client, "local", game="double-up", first="1")
            seat = {"Authorization": f"Bearer {made['seat']}"}
            address = f"/api/matches/{made['id']}/move"
            assert client.post(address, json={"move": "2", "ply": 0}, headers=seat).status_code == 200
            assert client.post(address, json={"move": "2", "ply": 0}, headers=seat).status_code == 200  # again
            refused(client.post(address, json={"move": "9", "ply": 1}, headers=seat), 400, "move/illegal")
            refused(client.get("/api/matches/abcdefghjk"), 404, "match/unknown")
            refused(client.get("/api/nothing/there"), 404, "page/unknown")
            refused(client.request("BREW", "/api/games"), 405, "method/wrong")
            assert client.get("/").status_code == 200

        more = grown(observed, play)
    move = {"method": "POST", "route": "/api/matches/{id}/move"}
    assert number(more, "parlour_requests_total", **move, status="200") == 2
    assert number(more, "parlour_requests_total", **move, status="400") == 1
    assert number(more, "parlour_requests_total", method="POST", route="/api/challenge/local", status="201") == 1
    assert number(more, "parlour_requests_total", method="GET", route="/api/matches/{id}", status="404") == 1
    assert number(more, "parlour_requests_total", method="GET", route="none", status="404") == 1
    assert number(more, "parlour_requests_total", method="GET", route="/", status="200") == 1
    assert (
        sum(
            value
            for (name, labels), value in more.items()
            if ("method", "OTHER") in labels and name.endswith("_requests_total")
        )
        == 1
    )
    for code, count in {"move/illegal": 1, "match/unknown": 1, "page/unknown": 1, "method/wrong": 1}.items():
        assert number(more, "parlour_refusals_total", code=code) == count
    assert number(more, "parlour_matches_total") == 1
    assert number(more, "parlour_changes_total", command="Play") == 1, "the same move sent twice is played once"
    assert number(more, "parlour_database_seconds_count") >= 5
    assert 0 < number(more, "parlour_database_seconds_sum") < 60
    assert number(more, "parlour_request_duration_seconds_count", **move) == 3


def test_a_histogram_is_one(observed: Server) -> None:
    with observed.client() as client:
        client.get("/api/games")
    numbers = metrics(observed)
    by_route: dict[tuple[tuple[str, str], ...], dict[float, float]] = {}
    for (name, labels), value in numbers.items():
        if name == "parlour_request_duration_seconds_bucket":
            rest = tuple(label for label in labels if label[0] != "le")
            by_route.setdefault(rest, {})[float(dict(labels)["le"])] = value
    assert by_route
    for labels, buckets in by_route.items():
        bounds = sorted(buckets)
        assert bounds[-1] == math.inf
        assert [buckets[bound] for bound in bounds] == sorted(buckets.values()), "they add up"
        assert buckets[math.inf] == numbers["parlour_request_duration_seconds_count", labels]
        requests = sum(
            value
            for (name, other), value in numbers.items()
            if name == "parlour_requests_total" and set(labels) <= set(other)
        )
        assert buckets[math.inf] == requests


def test_what_is_going_on_is_measured(observed: Server) -> None:
    with observed.client() as client:
        first, _ = sit_down(client, game="double-up")

    async def scenario() -> None:
        async with websockets.connect(f"{observed.url.replace('http', 'ws')}/api/matches/{first.id}/socket") as page:
            await page.send('{"seat": null}')
            await page.recv()
            numbers = await asyncio.to_thread(metrics, observed)
            assert number(numbers, "parlour_listeners") == 1

    asyncio.run(scenario())
    end = monotonic() + 30  # another test of this server may have left a search behind
    socket = {"method": "WEBSOCKET", "route": "/api/matches/{id}/socket", "status": "101"}
    while (
        number(numbers := metrics(observed), "parlour_listeners")
        or not number(numbers, "parlour_requests_total", **socket)
        or number(numbers, "parlour_workers_busy")
    ):
        assert monotonic() < end
        sleep(0.05)
    assert number(numbers, "parlour_workers") == 3
    assert number(numbers, "parlour_questions_waiting") == 0
    assert number(numbers, "process_cpu_seconds_total") > 0.1
    assert number(numbers, "process_resident_memory_bytes") > 1e7
    assert number(numbers, "process_open_fds") > 5


@pytest.mark.slow
def test_those_who_think_and_wait_are_counted(observed: Server) -> None:
    hard = "/api/games/increasing-differences/solve?length=6&range="

    def ask(numbers: int) -> None:
        with suppress(httpx.ReadTimeout):
            httpx.get(f"{observed.url}{hard}{numbers}", timeout=4)

    threads = [threading.Thread(target=ask, args=(numbers,)) for numbers in (27, 28, 29, 30)]
    for thread in threads:
        thread.start()
    busy = waiting = 0.0
    while any(thread.is_alive() for thread in threads):
        numbers = metrics(observed)
        busy = max(busy, number(numbers, "parlour_workers_busy"))
        waiting = max(waiting, number(numbers, "parlour_questions_waiting"))
        sleep(0.05)
    assert busy == 2, "one is kept for computers' moves"
    assert waiting == 2


def test_there_are_no_numbers_unless_they_were_asked_for(client: httpx.Client) -> None:
    refused(client.get("/metrics"), 404, "page/unknown")


@pytest.mark.parametrize(
    "header",
    [
        {"X-Forwarded-For": "203.0.113.9"},
        {"X-Forwarded-For": "127.0.0.1"},
        {"X-Forwarded-For": ""},
        {"Forwarded": "for=127.0.0.1"},
        {"X-Real-IP": "127.0.0.1"},
        {"X-Forwarded-Proto": "https"},
        {"Via": "1.1 somebody"},
        {"Host": "parlour.example"},
        {"Host": "127.0.0.1.example"},
        {"Host": ""},
    ],
    ids=str,
)
def test_the_numbers_are_not_for_whoever_comes_through_a_proxy(observed: Server, header: dict[str, str]) -> None:
    refused(httpx.get(f"{observed.url}/metrics", headers=header), 404, "page/unknown")


@pytest.mark.slow
def test_the_numbers_are_not_for_other_machines(tmp_path: Path) -> None:
    app = make_app(open_store(f"sqlite:///{tmp_path}/web.sqlite3"), ServerSettings(workers=1, metrics=True))

    async def scenario() -> list[int]:
        answers = []
        async with app.router.lifespan_context(app):
            for address in (
                "127.0.0.1",
                "127.0.0.2",
                "::1",
                "::ffff:127.0.0.1",
                "192.0.2.1",
                "::ffff:192.0.2.1",
                "2001:db8::1",
                "?",
            ):
                transport = httpx.ASGITransport(app, client=(address, 1234))
                async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
                    answers.append((await client.get("/metrics")).status_code)
        return answers

    assert asyncio.run(scenario()) == [200, 200, 200, 200, 404, 404, 404, 404]


# The log.


@pytest.mark.slow
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


@pytest.mark.slow
def test_the_plain_log_has_no_requests(serve: Serve) -> None:
    server = serve()
    with server.client() as client:
        client.get("/api/games")
    server.stop()
    assert server.errors.strip() == ""


def test_every_refusal_begins_with_its_code(client: httpx.Client) -> None:
    """By which it is counted."""
    assert all('"' not in answer.code for answer in ANSWERS.values())
    assert client.get("/api/games/nothing").content.startswith(b'{"code":"game/unknown"')
