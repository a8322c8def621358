"""Matches of Parlour 0.1.0 at a server of today: how they were left, and what is asked of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from tests.support.asgi import WebApp
from tests.support.old_data import (
    MIKHAHAM,
    WEB,
    WOMAN_TECHNOLOGIST,
    Secrets,
    fill_postgresql,
    fill_sqlite,
    secrets_of,
)

Document = dict[str, Any]
ALL_CELLS = "1,1 1,2 1,3 2,1 2,2 2,3 3,1 3,2 3,3"
DOUBLES = [str(2**power) for power in range(1, 68)]


class Old:
    """A match of 0.1.0 at a server of today."""

    def __init__(self, client: httpx.Client, secrets: Secrets) -> None:
        self.client, self.secrets = client, secrets
        self.address = f"/api/matches/{secrets.id}"

    def seat(self, player: int | None) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.secrets.seats[player - 1]}"} if player else {}

    def state(self, player: int | None = None) -> Document:
        answer = self.client.get(self.address, headers=self.seat(player))
        assert answer.status_code == 200, answer.text
        state: Document = answer.json()
        return state

    def post(self, player: int, what: str, **body: Any) -> Document:
        answer = self.client.post(f"{self.address}/{what}", json=body, headers=self.seat(player))
        assert answer.status_code == 200, answer.text
        state: Document = answer.json()
        return state

    def do(self, player: int, what: str, **body: Any) -> Document:
        """Something that answers the state of now."""
        return self.post(player, what, ply=self.state()["ply"], **body)

    def play(self, player: int, move: str) -> Document:
        return self.do(player, "move", move=move)

    def followed(self) -> Old:
        """The rematch, in which the seats are swapped."""
        return Old(self.client, Secrets(self.state()["rematch"], self.secrets.seats[::-1], None))


class House:
    """All matches of a database of an earlier version."""

    def __init__(self, client: httpx.Client, kind: str, web: Path = WEB) -> None:
        self.client, self.secrets = client, secrets_of(kind, web)

    def __getitem__(self, name: str) -> Old:
        return Old(self.client, self.secrets[name])


def open_house(request: pytest.FixtureRequest, folder: Path, kind: str, name: str) -> Iterator[House]:
    """Open a database of 0.1.0 with the application of today."""
    if kind == "sqlite":
        url = fill_sqlite(folder / "web.sqlite3")
    else:
        url = fill_postgresql(request.getfixturevalue("postgres_server"), f"{name}_{folder.name.replace('-', '_')}")
    with WebApp(url) as app, app.client() as client:
        yield House(client, kind)


class Left(NamedTuple):
    """How a match was left."""

    kind: str
    status: str
    rounds: tuple[str, ...]  # the moves of each
    turn: int | None = None
    names: tuple[str, str] = ("Ann", "Bob")
    outcome: tuple[int | None, str] | None = None  # who won, and how
    offer: tuple[str, int] | None = None  # of what, and by whom


USUAL = ("Player 1", "Player 2")
LEFT = {
    "waiting": Left("friend", "waiting", ("",), 2, ("Ann", "Player 2")),
    "playing": Left("friend", "playing", ("2 4",), 1, ('Al "The Shark" O\\Neil', "李雷")),
    "taken back": Left("friend", "playing", ("2",), 2),
    "undo offered": Left("friend", "playing", ("5 6 7",), 2, offer=("undo", 1)),
    "next offered": Left("friend", "playing", ("2,2",), 2, offer=("next", 2)),
    "rematch offered": Left("friend", "over", ("2 4",), outcome=(2, "won"), offer=("rematch", 1)),
    "rematched": Left("friend", "over", ("2 3 4",), outcome=(1, "won")),
    "after rematch": Left("friend", "playing", ("2",), 2, ("Bob", "Ann")),
    "between": Left("friend", "between", (ALL_CELLS,)),
    "second round": Left("friend", "playing", (ALL_CELLS, ""), 2),
    "resigned": Left("friend", "over", ("4 5",), outcome=(2, "resigned")),
    "looks empty": Left("friend", "playing", ("2",), 2, ("\u2800", "\u3164")),
    "computer": Left("computer", "playing", ("2 4",), 1, ("Player 1", "Computer")),
    "computer rematched": Left("computer", "over", ("2",), None, ("Player 1", "Computer"), (1, "won")),
    "local": Left("local", "playing", ("9 1 9 2 9",), 2, ("Ann", "Player 2")),
    "local over": Left("local", "over", ("5 6 7 9 10 12 13",), None, USUAL, (1, "won")),
    "local undone": Left("local", "playing", ("5 6 7 9 10 12",), 1, USUAL),
    "huge": Left("local", "playing", (" ".join(DOUBLES),), 1, USUAL),
    "record over": Left("record", "over", ("2 4 5 9 10 20",), None, ("Player 1", "Engine"), (2, "won")),
    "record rounds": Left("record", "over", ("", "3,1 1,1 3,2 1,2 3,3"), None, USUAL, (2, "won")),
    "record unfinished": Left("local", "playing", ("2 3",), 1, USUAL),
    "joining": Left("friend", "waiting", ("",), 2, ("Ann", "Player 2")),
    "joiner waiting": Left("friend", "waiting", ("",), 1, (WOMAN_TECHNOLOGIST, "Player 2")),
    "joiner joined": Left("friend", "playing", ("",), 1, ("Ann", MIKHAHAM)),
    "joiner playing": Left("friend", "playing", ("2 3",), 1, ("Ann", WOMAN_TECHNOLOGIST)),
    "joiner over": Left("friend", "over", ("2 4",), None, (MIKHAHAM, "Bob"), (2, "won")),
    "joiner local": Left("local", "playing", ("5 6",), 1, ("Player 1", MIKHAHAM)),
}


def is_as_it_was_left(match: Old, expected: Left) -> None:
    state = match.state()
    assert (state["kind"], state["status"]) == (expected.kind, expected.status)
    assert tuple(player["name"] for player in state["players"]) == expected.names
    assert [round["moves"] for round in state["rounds"]] == [moves.split() for moves in expected.rounds]
    assert state["table"]["turn"] == expected.turn
    outcome, offer = state["outcome"], state["offer"]
    assert (outcome and (outcome["winner"], outcome["how"])) == expected.outcome
    assert (offer and (offer["kind"], offer["by"])) == expected.offer
    # Whoever was at the table when the server was killed is not there any more.
    assert not any(player["present"] for player in state["players"] if player["computer"] is None)
    assert (state["you"], state["can"]) == ([], [])
    assert match.client.get(f"{match.address}/record").text.startswith('[Parlour "1"]\n')
    # The secrets are those of the same seats.
    one, two = match.secrets.seats
    for player in (player for player, seat in ((1, one), (2, two)) if seat):
        state = match.state(player)
        assert state["you"] == ([1, 2] if expected.kind == "local" else [player])
        assert ("move" in state["can"]) == (expected.status == "playing" and expected.turn in state["you"])
    wrong = match.client.get(match.address, headers={"Authorization": "Bearer AAAAAAAAAAAAAAAAAAAAAA"})
    assert (wrong.status_code, wrong.json()["code"]) == (403, "seat/wrong")


def is_replayed(match: Old, expected: Left) -> None:
    for round, moves in enumerate(expected.rounds, 1):
        tables = match.client.get(f"{match.address}/replay", params={"round": round}).json()["tables"]
        assert len(tables) == len(moves.split()) + 1


def moves_of(state: Document) -> str:
    return " ".join(state["table"]["moves"])
