"""The JSON of every route equals its fixture in keys, order and values; its prose is a snapshot."""

from __future__ import annotations

import httpx
import pytest
from syrupy.assertion import SnapshotAssertion

from parlour import catalog
from tests.support.json_fixtures import compare, game_routes, other_routes


@pytest.mark.parametrize("key", catalog.keys())
def test_routes_about_a_game(client: httpx.Client, snapshot: SnapshotAssertion, key: str) -> None:
    for name, documents in game_routes(client, key):
        assert compare(name, documents) == snapshot(name=name)


def test_other_routes(client: httpx.Client, snapshot: SnapshotAssertion) -> None:
    for name, documents in other_routes(client):
        assert compare(name, documents) == snapshot(name=name)
