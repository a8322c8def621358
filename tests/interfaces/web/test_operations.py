"""What whoever runs a server relies on: health, readiness and numbers."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from parlour.store import open_store
from parlour.store.errors import BadDatabase
from tests.support.asgi import StartApp, WebApp
from tests.support.errors import status_by_code
from tests.support.eventually import eventually
from tests.support.metrics import Numbers, number, read_metrics
from tests.support.seats import challenge, refused, sit_down


@pytest.fixture(scope="module")
def observed() -> Iterator[WebApp]:
    with WebApp(metrics=True, workers=3) as app:
        yield app


def metrics(app: WebApp) -> Numbers:
    with app.client() as client:
        answer = client.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    return read_metrics(answer.text)


def grown(app: WebApp, act: Callable[[], Any]) -> Numbers:
    """What has become more by doing something."""
    before = metrics(app)
    act()
    after = metrics(app)
    return {key: value - before.get(key, 0.0) for key, value in after.items()}


def test_health_and_ready_are_answered_and_cost_nobody_anything(client: httpx.Client) -> None:
    for path in ("/health", "/ready"):
        answer = client.get(path)
        assert (answer.status_code, answer.json()["ok"]) == (200, True)
        assert client.head(path).status_code == 200
        refused(client.post(path), 405, "method/wrong")


def test_not_ready_when_the_database_is_gone(start_app: StartApp, tmp_path: Path) -> None:
    with start_app().client() as client:
        (tmp_path / "web.sqlite3").unlink()
        assert [client.get(path).status_code for path in ("/health", "/ready")] == [200, 503]


def test_requests_are_counted_by_route_and_what_became_of_them(observed: WebApp) -> None:
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


def test_a_histogram_is_one(observed: WebApp) -> None:
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


def test_what_is_going_on_is_measured(observed: WebApp) -> None:
    with observed.client() as client:
        first, _ = sit_down(client, game="double-up")
    with observed.page(first.id) as page:
        page.state()
        assert number(metrics(observed), "parlour_listeners") == 1
    socket = {"method": "WEBSOCKET", "route": "/api/matches/{id}/socket", "status": "101"}

    def quiet() -> Numbers | None:
        """The numbers, when no other test has left a search behind."""
        numbers = metrics(observed)
        open_ones = number(numbers, "parlour_listeners") or number(numbers, "parlour_workers_busy")
        return numbers if number(numbers, "parlour_requests_total", **socket) and not open_ones else None

    numbers = eventually(quiet)
    assert numbers is not None
    assert number(numbers, "parlour_workers") == 3
    assert number(numbers, "parlour_questions_waiting") == 0
    assert number(numbers, "process_cpu_seconds_total") > 0.1
    assert number(numbers, "process_resident_memory_bytes") > 1e7
    assert number(numbers, "process_open_fds") > 5


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
def test_the_numbers_are_not_for_whoever_comes_through_a_proxy(observed: WebApp, header: dict[str, str]) -> None:
    with observed.client() as client:
        refused(client.get("/metrics", headers=header), 404, "page/unknown")


def test_the_numbers_are_not_for_other_machines(observed: WebApp) -> None:
    here = ("127.0.0.1", "127.0.0.2", "::1", "::ffff:127.0.0.1")
    elsewhere = ("192.0.2.1", "::ffff:192.0.2.1", "2001:db8::1", "?")
    for address in (*here, *elsewhere):
        with observed.client(address=address) as client:
            assert client.get("/metrics").status_code == (200 if address in here else 404), address


def test_every_refusal_begins_with_its_code(client: httpx.Client) -> None:
    """By which it is counted."""
    assert all('"' not in code for code in status_by_code())
    assert client.get("/api/games/nothing").content.startswith(b'{"code":"game/unknown"')


def test_not_ready_while_nothing_can_be_written(
    start_app: StartApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("READY_SECONDS", "CHECKED_SECONDS"):
        monkeypatch.setattr(f"parlour.web.operations.{name}", 0.05)
    with (
        start_app().client() as client,
        closing(sqlite3.connect(tmp_path / "web.sqlite3", isolation_level=None)) as other,
    ):
        eventually(lambda: client.get("/ready").status_code == 200)  # 50 ms are short on a busy machine
        other.execute("BEGIN IMMEDIATE")
        answer = eventually(lambda: None if (found := client.get("/ready")).status_code == 200 else found)
        assert answer is not None
        assert answer.json()["code"] in ("server/busy", "database/bad")
        assert client.get("/health").status_code == 200
        other.execute("ROLLBACK")
        eventually(lambda: client.get("/ready").status_code == 200)


def test_a_read_only_file_is_noticed(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/web.sqlite3")
    store.check_writable()
    with store.database.reading() as connection:  # the pool's only connection so far, and the next to be used
        connection.exec_driver_sql("PRAGMA query_only = ON")
    with pytest.raises(BadDatabase, match="readonly"):
        store.check_writable()
    store.close()
