"""The JSON of every route equals its fixture in keys, order and values; its prose is a snapshot."""

from __future__ import annotations

from datetime import date

import httpx
import pytest
from syrupy.assertion import SnapshotAssertion

from parlour import catalog
from tests.support.asgi import WebApp
from tests.support.json_fixtures import (
    api_routes,
    compare,
    game_routes,
    other_routes,
    recorded_sources,
    routes_with_sources,
)
from tests.support.more_json_fixtures import more_game_routes, more_routes, progress_lines

NOT_JSON = {"GET /api/matches/{id}/record"}  # text, which test_old_data.py compares with records of earlier versions
SOCKETS = {"http-more-socket": ["SOCKET /api/matches/{id}/socket"]}  # which the HTTP client doesn't see


@pytest.mark.parametrize("key", catalog.keys())
def test_routes_about_a_game(client: httpx.Client, snapshot: SnapshotAssertion, key: str) -> None:
    for name, documents, sources in routes_with_sources(client, lambda client: game_routes(client, key)):
        assert compare(name, documents, sources) == snapshot(name=name)


def test_other_routes(client: httpx.Client, snapshot: SnapshotAssertion, monkeypatch: pytest.MonkeyPatch) -> None:
    # The fixture lists the daily puzzles up to this day
    monkeypatch.setattr("parlour.web.puzzles.newest_day", lambda: date(2026, 11, 19))
    for name, documents, sources in routes_with_sources(client, other_routes):
        assert compare(name, documents, sources) == snapshot(name=name)


@pytest.mark.parametrize("key", catalog.keys())
def test_more_routes_about_a_game(client: httpx.Client, snapshot: SnapshotAssertion, key: str) -> None:
    for name, documents, sources in routes_with_sources(client, lambda client: more_game_routes(client, key)):
        assert compare(name, documents, sources) == snapshot(name=name)


def test_more_routes(app: WebApp, client: httpx.Client, snapshot: SnapshotAssertion) -> None:
    for name, documents, sources in routes_with_sources(client, lambda client: more_routes(app, client)):
        assert compare(name, documents, sources + SOCKETS.get(name, [])) == snapshot(name=name)


def test_progress() -> None:
    with WebApp(seconds=1.0, workers=1) as app, app.client() as client:
        for name, documents, sources in routes_with_sources(client, progress_lines):
            compare(name, documents, sources)  # the reason for the refusal depends on what was searched by then


def test_every_route_has_a_fixture() -> None:
    wanted = {f"{method} {route.path}" for method, route in api_routes()}
    assert wanted - recorded_sources() == NOT_JSON
