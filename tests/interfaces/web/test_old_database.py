"""The databases of Parlour 0.1.0 are opened: every match is as it was left, and goes on with the same secrets.

What is expected was worked out from what had been played (tests/fixtures/0.1.0/make.py) and the rules of the games.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.support.old_house import DOUBLES, LEFT, House, is_as_it_was_left, moves_of, open_house


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

FEW = ("waiting", "playing", "undo offered", "second round", "resigned", "computer", "local over", "joiner playing")


@pytest.mark.parametrize("name", FEW)  # tests/system/web/test_old_database.py looks at all of them
def test_a_match_is_as_it_was_left(left: House, name: str) -> None:
    is_as_it_was_left(left[name], LEFT[name])


# And as they go on


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


def test_one_device_goes_on(old: House) -> None:
    assert moves_of(old["local"].play(1, "3")) == "9 1 9 2 9 3 pass"
    assert moves_of(old["local"].do(1, "undo")) == "9 1 9 2 9"
    assert moves_of(old["record unfinished"].play(1, "6")) == "2 3 6"
    assert old["local undone"].play(1, "13")["outcome"]["winner"] == 1
    assert moves_of(old["huge"].play(1, str(2**68))) == " ".join([*DOUBLES, str(2**68)])
    assert old["local over"].post(1, "rematch")["rematch"]
    assert old["local over"].followed().state(1)["you"] == [1, 2]


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
