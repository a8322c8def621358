"""Documents that are read back from their JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from parlour import catalog
from parlour.documents.match import State, match_state
from parlour.match import Match
from parlour.reader import read_document
from parlour.rules import read_rules
from parlour.setup import Setup
from parlour.writer import write_json


def state_of(key: str = "double-up", moves: int = 3) -> State:
    match = Match(Setup(read_rules(catalog.find_game(key), {}), ("Ann", "Ben")))
    while len(match.log) < moves:
        match.play(match.legal_moves[0])
    return match_state(
        match,
        id="abc",
        seq=4,
        kind="friend",
        status="playing",
        waiting=(),
        present=(1,),
        you=[1],
        can=["move"],
        thinking=False,
        offer=("undo", 2),
        rematch=None,
        created=0,
        expires=1,
    )


def as_json(state: State) -> Any:
    return json.loads(write_json(state))


@pytest.mark.parametrize("key", catalog.keys())
def test_a_state_survives_the_wire(key: str) -> None:
    state = state_of(key)
    assert read_document(State, as_json(state)) == state


def test_the_end_of_a_match_survives_too() -> None:
    match = Match(Setup(read_rules(catalog.find_game("double-up"), {}), ("Ann", "Ben")))
    match.resign(1)
    ended = match_state(
        match, id="abc", seq=1, kind="friend", status="over", waiting=(), present=(), you=[], can=[], thinking=False,
        offer=None, rematch="def", created=0, expires=1, deleted=True,
    )  # fmt: skip
    assert read_document(State, as_json(ended)) == ended


def test_unknown_fields_are_ignored() -> None:
    state = state_of()
    assert read_document(State, as_json(state) | {"weather": "fine"}) == state


@pytest.mark.parametrize(("path", "value"), [
    ("seq", "4"), ("seq", 4.0), ("seq", True), ("seq", None), ("you", [3]), ("you", [True]), ("you", 1),
    ("can", "move"), ("status", "sleeping"), ("players", [1]), ("thinking", 0), ("offer", {"kind": "undo"}),
    ("rematch", 5), ("outcome", {"winner": 1, "how": "magic", "text": ""}), ("table", []), ("rounds", {}),
])  # fmt: skip
def test_other_types_are_refused(path: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"{path}.* is missing or malformed"):
        read_document(State, as_json(state_of()) | {path: value})


def test_missing_fields_are_refused_by_their_path() -> None:
    data = as_json(state_of())
    del data["table"]["view"][0]["title"]
    with pytest.raises(ValueError, match=r"^table\.view\[0\]\.title is missing or malformed$"):
        read_document(State, data)
    for nothing in ([], None, "x", 5):
        with pytest.raises(ValueError, match="the document is missing or malformed"):
            read_document(State, nothing)
