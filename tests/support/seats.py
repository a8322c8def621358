"""Players of a match as the API knows them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx

from tests.support.eventually import eventually

Document = dict[str, Any]

# Options with which a whole game is searched in no time, without kernels too.
SMALL: dict[str, dict[str, str]] = {
    "double-up": {"limit": "60"},
    "increasing-differences": {"length": "3", "range": "9"},
    "pyramid-challenge": {"highest": "3"},
    "sequence-builder": {"pool": "12"},
    "sequence-spot": {},
}


class Seat:
    """A player as the API knows one."""

    def __init__(self, client: httpx.Client, id: str, secret: str | None) -> None:
        self.client, self.id, self.secret = client, id, secret

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.secret}"} if self.secret else {}

    def post(self, what: str, **body: Any) -> httpx.Response:
        return self.client.post(f"/api/matches/{self.id}/{what}", json=body, headers=self.headers)

    def state(self) -> Document:
        answer = self.client.get(f"/api/matches/{self.id}", headers=self.headers)
        assert answer.status_code == 200, answer.text
        document: Document = answer.json()
        return document

    def move(self, move: str, ply: int | None = None) -> httpx.Response:
        return self.post("move", move=move, ply=self.state()["ply"] if ply is None else ply)


def challenge(client: httpx.Client, kind: str = "open", **body: Any) -> Document:
    answer = client.post(f"/api/challenge/{kind}", json=body)
    assert answer.status_code == 201, answer.text
    document: Document = answer.json()
    return document


def sit_down(client: httpx.Client, **body: Any) -> tuple[Seat, Seat]:
    """Two friends at a table; the one who invited begins."""
    made = challenge(client, **{"first": "me", **body})
    joined = client.post(f"/api/matches/{made['id']}/join", json={"invite": made["invite"]})
    assert joined.status_code == 200, joined.text
    return Seat(client, made["id"], made["seat"]), Seat(client, made["id"], joined.json()["seat"])


def refused(answer: httpx.Response, status: int, code: str) -> Document:
    document: Document = answer.json()
    assert (answer.status_code, document["code"]) == (status, code), answer.text
    assert document["error"]
    assert "\n" not in document["error"]
    return document


def wait_until(seat: Seat, condition: Callable[[Document], Any], seconds: float = 20.0) -> Document:
    """The first state of a match for which this holds."""
    return eventually(lambda: state if condition(state := seat.state()) else None, "a state of the match", seconds)
