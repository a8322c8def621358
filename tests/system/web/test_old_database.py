"""The databases of Parlour 0.1.0: all of their matches, and what search processes do for them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.eventually import eventually
from tests.support.old_house import LEFT, House, is_as_it_was_left, is_replayed, moves_of, open_house


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def old(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    yield from open_house(request, tmp_path_factory.mktemp("old"), request.param, "whole")


def test_every_match_is_as_it_was_left_and_computers_answer(old: House) -> None:
    """In this order, since a computer's answer changes a match."""
    for name, expected in LEFT.items():
        is_as_it_was_left(old[name], expected)
        is_replayed(old[name], expected)
    old["computer"].play(1, "5")  # after which 9 wins, and nothing else does
    eventually(lambda: moves_of(old["computer"].state()) == "2 4 5 9", "the perfect computer has answered")
    match = old["computer to move"]  # since before the server was killed
    eventually(lambda: len(match.state()["table"]["moves"]) == 2, "the computer has moved")
    assert moves_of(match.play(1, "5")) in ("2 3 5", "2 4 5")
    rematch = old["computer rematched"].followed()
    eventually(lambda: bool(rematch.state()["outcome"]), "the computer has begun, and won")
    assert rematch.state()["outcome"]["winner"] == 1
    assert rematch.state(2)["you"] == [2]


def test_records_are_studied_and_played_on(old: House) -> None:
    match = old["record over"]
    report = match.client.get(f"{match.address}/report").json()
    assert [decision["move"] for decision in report["rounds"][0]["decisions"]] == ["2", "4", "5", "9", "10", "20"]
    again = match.client.post("/api/import", json={"record": match.client.get(f"{match.address}/record").text})
    assert again.status_code == 201, again.text
    assert moves_of(again.json()["state"]) == "2 4 5 9 10 20"
