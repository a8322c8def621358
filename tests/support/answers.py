"""What a server answers, held against docs/schema.json."""

from __future__ import annotations

import json
from typing import Any

import httpx

from tests.support.schema import check
from tests.support.seats import SMALL, Seat, challenge

Document = dict[str, Any]


def answer_of(client: httpx.Client, path: str, name: str, **how: Any) -> Document:
    answer = client.get(path, **how)
    assert answer.status_code == 200, answer.text
    document: Document = answer.json()
    check(document, name)
    return document


def check_match(client: httpx.Client, key: str) -> None:
    """Play a little, and check everything that is answered."""
    made = challenge(client, "local", game=key, options=SMALL[key], first="1")
    check(made, "NewMatch")
    both = Seat(client, made["id"], made["seat"])
    state = both.state()
    moved = both.move(state["table"]["legal"][0])
    for answered in (state, moved.json(), both.post("name", name="Ann", player=1).json()):
        check(answered, "State")
    late = both.move(state["table"]["legal"][0], state["ply"] + 7)
    assert late.status_code == 409
    check(late.json(), "Refusal")
    assert both.post("resign", player=2).status_code == 200
    for line in client.get(f"/api/matches/{made['id']}/stream").text.splitlines():
        check(json.loads(line), "MatchEvent")
    answer_of(client, f"/api/matches/{made['id']}/replay", "Replay")
    report = answer_of(client, f"/api/matches/{made['id']}/report", "Report")
    assert report["text"]
