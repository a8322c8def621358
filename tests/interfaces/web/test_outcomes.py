"""A request that changes something is done, refused or unknown; sent again, it is done once."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from parlour.service.commands import Play
from parlour.service.matches import MatchService
from parlour.service.new_matches import MatchRequest, match_on_one_device
from parlour.store import Attempt, open_store
from parlour.store.errors import Busy
from tests.support.seats import Seat, challenge, refused

KEY = "a-key-of-somebody-s-own"


@pytest.fixture
def service() -> Iterator[MatchService]:
    store = open_store("sqlite://")
    yield MatchService(store)
    store.close()


def make_match(service: MatchService) -> tuple[str, str]:
    made = service.add(match_on_one_device(MatchRequest("double-up", {}), ("Ann", "Ben"), "1"))
    assert made.seat is not None
    return made.loaded.id, made.seat


def test_what_was_given_up_is_not_stored(service: MatchService) -> None:
    id, seat = make_match(service)
    attempt = Attempt()
    assert attempt.give_up()
    with pytest.raises(Busy, match="nothing was done"):
        service.apply(id, seat, Play("2", 0), attempt)
    with pytest.raises(Busy, match="nothing was done"):
        service.add(match_on_one_device(MatchRequest("double-up", {}), ("Ann", "Ben"), "1"), attempt)
    assert service.load(id).ply == 0


def test_what_was_stored_cannot_be_given_up(service: MatchService) -> None:
    id, seat = make_match(service)
    attempt = Attempt()
    service.apply(id, seat, Play("2", 0), attempt)
    assert not attempt.give_up()
    assert service.load(id).ply == 1


# The same sent twice.


@pytest.mark.parametrize("kind", ["open", "computer", "local"])
def test_a_match_that_is_asked_for_twice_with_one_key_is_made_once(client: httpx.Client, kind: str) -> None:
    key = f"{KEY}-{kind}"
    made = challenge(client, kind, game="double-up", key=key)
    again = challenge(client, kind, game="double-up", key=key)
    assert [made[name] for name in ("id", "seat", "invite")] == [again[name] for name in ("id", "seat", "invite")]
    assert key not in str(made)
    other = challenge(client, kind, game="double-up", key=f"{key}-2")
    assert made["id"] != other["id"]
    assert made["seat"] != other["seat"]


def test_a_match_that_was_played_on_is_told_as_it_stands(client: httpx.Client) -> None:
    made = challenge(client, "local", game="double-up", first="1", key=f"{KEY}-on")
    assert Seat(client, made["id"], made["seat"]).post("move", move="2", ply=0).status_code == 200
    again = challenge(client, "local", game="double-up", first="1", key=f"{KEY}-on")
    assert again["id"] == made["id"]
    assert again["state"]["ply"] == 1


def test_a_record_is_imported_once(client: httpx.Client) -> None:
    made = challenge(client, "local", game="double-up", first="1")
    seat = Seat(client, made["id"], made["seat"])
    for over in (False, True):
        if over:
            assert seat.post("resign").status_code == 200
        text = client.get(f"/api/matches/{seat.id}/record").text
        body = {"record": text, "key": f"{KEY}-import-{over}"}
        once, twice = (client.post("/api/import", json=body).json() for _ in range(2))
        assert (once["id"], once["seat"]) == (twice["id"], twice["seat"])


def test_a_key_that_can_be_guessed_is_refused(client: httpx.Client) -> None:
    answer = client.post("/api/challenge/local", json={"game": "double-up", "key": "1"})
    refused(answer, 400, "request/bad")


def test_a_name_that_comes_late_does_not_come_back(client: httpx.Client) -> None:
    made = challenge(client, "local", game="double-up", first="1")
    seat = Seat(client, made["id"], made["seat"])
    seq = made["state"]["seq"]
    for _ in range(2):  # sent again, it is done already
        assert seat.post("name", name="Xenia", player=1, seq=seq).json()["players"][0]["name"] == "Xenia"
    assert seat.post("name", name="Yvonne", player=1, seq=seat.state()["seq"]).status_code == 200
    refused(seat.post("name", name="Xenia", player=1, seq=seq), 409, "move/stale")
    assert seat.state()["players"][0]["name"] == "Yvonne"


def test_an_offer_that_comes_late_is_not_made_again(client: httpx.Client) -> None:
    made = challenge(client, "open", game="double-up", first="me")
    joined = client.post(f"/api/matches/{made['id']}/join", json={"invite": made["invite"]}).json()
    ann, ben = Seat(client, made["id"], made["seat"]), Seat(client, made["id"], joined["seat"])
    seq = ann.post("move", move="2", ply=0).json()["seq"]
    for _ in range(2):
        offered = ann.post("offer", kind="undo", ply=1, seq=seq).json()
        assert offered["offer"] == {"kind": "undo", "by": 1}
    assert ben.post("offer/decline", kind="undo", ply=1, seq=offered["seq"]).json()["offer"] is None
    refused(ann.post("offer", kind="undo", ply=1, seq=seq), 409, "move/stale")
    assert ann.state()["offer"] is None
    again = ann.post("offer", kind="undo", ply=1, seq=ann.state()["seq"]).json()
    refused(ben.post("offer/accept", kind="undo", ply=1, seq=offered["seq"]), 409, "move/stale")
    assert ben.post("offer/accept", kind="undo", ply=1, seq=again["seq"]).json()["ply"] == 2


def test_a_resignation_sent_twice_is_one(client: httpx.Client) -> None:
    made = challenge(client, "local", game="double-up", first="1")
    seat = Seat(client, made["id"], made["seat"])
    once, twice = seat.post("resign", player=1), seat.post("resign", player=1)
    assert (once.status_code, twice.status_code) == (200, 200)
    assert once.json()["ply"] == twice.json()["ply"]
