"""The databases of Parlour 0.1.0 are opened: every match is as it was left, and goes on with the same secrets.

What is expected was worked out from what had been played (tests/fixtures/0.1.0/make.py) and the rules of the games.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from tests.support.asgi import WebApp
from tests.support.eventually import eventually
from tests.support.old_data import (
    MIKHAHAM,
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
    """All matches of a database of 0.1.0."""

    def __init__(self, client: httpx.Client, kind: str) -> None:
        self.client, self.secrets = client, secrets_of(kind)

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


@pytest.fixture(scope="module")
def left(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, database_kind: str
) -> Iterator[House]:
    """A database in which no test changes anything."""
    yield from open_house(request, tmp_path_factory.mktemp("left"), database_kind, "left")


@pytest.fixture(scope="module")
def old(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, database_kind: str
) -> Iterator[House]:
    """A database whose matches go on, each of them in one test."""
    yield from open_house(request, tmp_path_factory.mktemp("old"), database_kind, "old")


# As they were left


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


@pytest.mark.parametrize("name", LEFT)
def test_a_match_is_as_it_was_left(left: House, name: str) -> None:
    match, expected = left[name], LEFT[name]
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
    for round, moves in enumerate(expected.rounds, 1):
        tables = match.client.get(f"{match.address}/replay", params={"round": round}).json()["tables"]
        assert len(tables) == len(moves.split()) + 1
    assert match.client.get(f"{match.address}/record").text.startswith('[Parlour "1"]\n')
    # The secrets are those of the same seats.
    one, two = match.secrets.seats
    for player in (player for player, seat in ((1, one), (2, two)) if seat):
        state = match.state(player)
        assert state["you"] == ([1, 2] if expected.kind == "local" else [player])
        assert ("move" in state["can"]) == (expected.status == "playing" and expected.turn in state["you"])
    wrong = match.client.get(match.address, headers={"Authorization": "Bearer AAAAAAAAAAAAAAAAAAAAAA"})
    assert (wrong.status_code, wrong.json()["code"]) == (403, "seat/wrong")


# And as they go on


def moves_of(state: Document) -> str:
    return " ".join(state["table"]["moves"])


def test_whoever_was_invited_comes(old: House) -> None:
    match = old["waiting"]
    joined = match.client.post(f"{match.address}/join", json={"invite": match.secrets.invite, "name": "Bob"})
    assert joined.status_code == 200, joined.text
    match.secrets = match.secrets._replace(seats=(match.secrets.seats[0], joined.json()["seat"]))
    match.play(2, "5")
    assert moves_of(match.play(1, "7")) == "5 7"


def test_friends_play_on(old: House) -> None:
    match = old["playing"]
    late = match.client.post(f"{match.address}/move", json={"move": "8", "ply": 2}, headers=match.seat(2))
    assert (late.status_code, late.json()["code"]) == (409, "turn/other")
    match.play(1, "8")
    assert moves_of(match.play(2, "16")) == "2 4 8 16"


def test_the_moves_after_a_take_back_are_numbered_anew(old: House) -> None:
    assert moves_of(old["taken back"].play(2, "4")) == "2 4"
    record = old.client.get(f"{old['taken back'].address}/record").text
    assert record.endswith("\n\n1. 2\n2. 3\nundo\n2. 4\n")


def test_pending_offers_are_answered(old: House) -> None:
    assert moves_of(old["undo offered"].do(2, "offer/accept", kind="undo")) == "5 6"
    assert moves_of(old["undo offered"].play(1, "8")) == "5 6 8"
    dealt = old["next offered"].do(1, "offer/accept", kind="next")
    assert (dealt["round"], dealt["table"]["turn"], dealt["offer"]) == (2, 2, None)
    agreed = old["rematch offered"].do(2, "offer/accept", kind="rematch")
    assert agreed["rematch"]
    again = old["rematch offered"].followed()
    assert [player["name"] for player in again.state()["players"]] == ["Bob", "Ann"]
    assert moves_of(again.play(1, "2")) == "2"


def test_a_rematch_is_found_and_played_to_its_end(old: House) -> None:
    match = old["after rematch"]
    assert old["rematched"].state()["rematch"] == match.secrets.id
    over = match.play(2, "4")
    assert (over["outcome"]["winner"], over["outcome"]["how"]) == (2, "won")


def test_rounds_go_on(old: House) -> None:
    dealt = old["between"].do(1, "next")
    assert (dealt["round"], dealt["status"], dealt["table"]["turn"]) == (2, "playing", 2)
    assert moves_of(old["between"].play(2, "2,2")) == "2,2"
    assert moves_of(old["second round"].play(2, "1,1")) == "1,1"


def test_what_is_over_is_followed_and_offered_again(old: House) -> None:
    match = old["resigned"]
    assert match.do(1, "offer", kind="rematch")["offer"] == {"kind": "rematch", "by": 1}
    (told,) = match.client.get(f"{match.address}/stream").text.split("\n", 1)[:1]
    event = json.loads(told)
    assert (event["type"], event["state"]["outcome"]["how"]) == ("full", "resigned")


def test_a_name_that_looks_empty_is_in_nobodys_way(old: House) -> None:
    assert moves_of(old["looks empty"].play(2, "3")) == "2 3"
    assert old["looks empty"].post(1, "name", name="Ann")["players"][0]["name"] == "Ann"


def test_computers_answer(old: House) -> None:
    old["computer"].play(1, "5")  # after which 9 wins, and nothing else does
    eventually(lambda: moves_of(old["computer"].state()) == "2 4 5 9", "the perfect computer has answered")
    match = old["computer to move"]  # since before the server was killed
    eventually(lambda: len(match.state()["table"]["moves"]) == 2, "the computer has moved")
    assert moves_of(match.play(1, "5")) in ("2 3 5", "2 4 5")
    rematch = old["computer rematched"].followed()
    eventually(lambda: bool(rematch.state()["outcome"]), "the computer has begun, and won")
    assert rematch.state()["outcome"]["winner"] == 1
    assert rematch.state(2)["you"] == [2]


def test_one_device_goes_on(old: House) -> None:
    assert moves_of(old["local"].play(1, "3")) == "9 1 9 2 9 3 pass"
    assert moves_of(old["local"].do(1, "undo")) == "9 1 9 2 9"
    assert old["local undone"].play(1, "13")["outcome"]["winner"] == 1
    assert moves_of(old["huge"].play(1, str(2**68))) == " ".join([*DOUBLES, str(2**68)])
    assert old["local over"].post(1, "rematch")["rematch"]
    assert old["local over"].followed().state(1)["you"] == [1, 2]


def test_records_are_studied_and_played_on(old: House) -> None:
    match = old["record over"]
    report = match.client.get(f"{match.address}/report").json()
    assert [decision["move"] for decision in report["rounds"][0]["decisions"]] == ["2", "4", "5", "9", "10", "20"]
    again = match.client.post("/api/import", json={"record": match.client.get(f"{match.address}/record").text})
    assert again.status_code == 201, again.text
    assert moves_of(again.json()["state"]) == "2 4 5 9 10 20"
    assert moves_of(old["record unfinished"].play(1, "6")) == "2 3 6"


def test_matches_with_joiners_go_on(old: House) -> None:
    """In 0.1.0 every request about them was refused."""
    assert moves_of(old["joiner playing"].play(1, "4")) == "2 3 4"
    assert old["joiner playing"].post(2, "name", name="Bob")["players"][1]["name"] == "Bob"
    assert moves_of(old["joiner joined"].play(1, "2")) == "2"
    assert moves_of(old["joiner local"].play(1, "7")) == "5 6 7"
    assert old["joiner over"].do(1, "offer", kind="rematch")["offer"] == {"kind": "rematch", "by": 1}
    waiting = old["joiner waiting"]
    joined = waiting.client.post(f"{waiting.address}/join", json={"invite": waiting.secrets.invite})
    assert joined.status_code == 200, joined.text
    assert moves_of(waiting.play(1, "2")) == "2"
