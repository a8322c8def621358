"""The database of the Parlour before results became documents (tests/fixtures/0.2-dev) is opened.

Its seals hold, and every match is as it was left and continues with the same secrets. `test_old_database.py` has those
of version 0.1.0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from parlour.store import Lifetimes
from tests.support.asgi import WebApp
from tests.support.command import Run
from tests.support.old_data import DEV, fill_sealed, secrets_of
from tests.support.old_house import LEFT, House, is_as_it_was_left, is_replayed, moves_of

CENTURY = 100 * 365 * 86_400.0
NAMES = [*secrets_of("sqlite", DEV / "web")]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server on that database, which removes none of its matches for their age."""
    url = fill_sealed(tmp_path_factory.mktemp("dev") / "web.sqlite3")
    with WebApp(url, lifetimes=Lifetimes(CENTURY, CENTURY, CENTURY)) as app, app.client() as client:
        yield House(client, "sqlite", DEV / "web")


def test_matches_are_as_they_were_left_and_continue(house: House) -> None:
    for name in NAMES:
        is_as_it_was_left(house[name], LEFT[name])
        is_replayed(house[name], LEFT[name])
    assert moves_of(house["playing"].play(1, "8")) == "2 4 8"
    assert moves_of(house["undo offered"].do(2, "offer/accept", kind="undo")) == "5 6"
    assert house["next offered"].do(1, "offer/accept", kind="next")["round"] == 2
    assert house["rematch offered"].do(2, "offer/accept", kind="rematch")["rematch"]
    assert house["rematched"].state()["rematch"] == house["after rematch"].secrets.id
    assert house["between"].do(1, "next")["table"]["turn"] == 2
    assert house["computer"].play(1, "5")["table"]["moves"][:3] == ["2", "4", "5"]
    assert house["local undone"].play(1, "13")["outcome"]["winner"] == 1
    assert moves_of(house["record unfinished"].play(1, "6")) == "2 3 6"
    waiting = house["waiting"]
    joined = waiting.client.post(f"{waiting.address}/join", json={"invite": waiting.secrets.invite, "name": "Bob"})
    assert joined.status_code == 200, joined.text


def test_every_seal_holds(run: Callable[..., Run], tmp_path: Path) -> None:
    fill_sealed(tmp_path / "web.sqlite3")
    checked = run("check", str(tmp_path / "web.sqlite3"))
    assert checked == Run(f"{len(NAMES) + 2} matches examined, 0 problems found\n", "", 0)  # two are of the browser
