"""Whole games of the catalogue, searched by real processes: as at the terminal, and with progress."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import httpx
import pytest

from parlour import catalog
from tests.support.answers import check_match
from tests.support.asgi import WebApp
from tests.support.seats import Seat, challenge, refused, wait_until

Document = dict[str, Any]


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    """A client of an application that may search for longer than a server lets a question take."""
    with WebApp(seconds=300) as app, app.client(timeout=300) as client:
        yield client


all_games = pytest.mark.parametrize("key", catalog.keys())


@all_games
def test_every_game_is_solved_as_at_the_terminal(client: httpx.Client, run: Callable[..., Any], key: str) -> None:
    found = client.get(f"/api/games/{key}/solve").json()
    told = json.loads(run("solve", key, "--seed", "4", "--json").out)
    for field in told:
        if field != "choices":
            assert found[field] == told[field], field
    assert [(choice["move"], choice["value"], choice["plies"]) for choice in found["choices"]] == [
        (choice["move"], choice["value"], choice["plies"]) for choice in told["choices"]
    ]
    assert found["left_out"] == 0


@all_games
def test_the_strongest_level_plays_every_game_to_its_end(client: httpx.Client, key: str) -> None:
    made = challenge(client, "computer", game=key, level="level:5", first="you")
    seat = Seat(client, made["id"], made["seat"])
    random = Random(f"computer {key}")
    for _ in range(60):
        state = wait_until(seat, lambda state: not state["thinking"])
        if state["status"] == "between":
            state = seat.post("next", ply=state["ply"]).json()
            if len(state["rounds"]) > 3:
                break
        elif state["status"] == "over":
            break
        else:
            seat.move(random.choice(state["table"]["legal"]), state["ply"])
    else:
        pytest.fail("no end")


def test_a_question_that_takes_its_time_tells_how_far_it_is() -> None:
    """The search needs about ten times the interval of progress reports, and a small part of its time limit."""
    path, query = "/api/games/increasing-differences/solve", {"length": "8", "range": "22"}
    headers = {"Accept": "application/x-ndjson"}
    with WebApp(workers=1, seconds=600) as app, app.client(timeout=600) as client:
        *progress, last = map(json.loads, client.get(path, params=query, headers=headers).text.splitlines())
    assert (last["type"], last["answer"]["value"]) == ("answer", "win")
    assert progress
    assert {line["type"] for line in progress} == {"progress"}


def test_a_full_server_imports_nothing() -> None:
    with WebApp(most_matches=1, workers=1) as app, app.client() as client:
        made = challenge(client, "local", game="double-up")
        record = client.get(f"/api/matches/{made['id']}/record").text
        told = refused(client.post("/api/import", json={"record": record}), 503, "server/full")
        assert "stores no more than 1 matches" in told["error"]


@all_games
def test_what_is_answered_about_a_match(client: httpx.Client, key: str) -> None:
    check_match(client, key)
