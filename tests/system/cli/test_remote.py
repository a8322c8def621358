"""A match on a server from the terminal: `parlour invite` and `parlour join` against a real `parlour serve`."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from parlour.terminal.connection import read_link
from tests.support.server import Server
from tests.support.terminal import Person

pytest.importorskip("pexpect")
Terminal = Callable[..., Person]
CTRL_C = "\x03"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(f"sqlite:///{tmp_path_factory.mktemp('web')}/web.sqlite3", "--unlimited")
    yield server
    if server.process.poll() is None:
        server.stop()


def invited(person: Person) -> str:
    """The link that the terminal shows."""
    told = person.sees("#join=", "\n", "Waiting for your friend to join")
    found = re.search(r"http\S+#join=[\w-]+", told)
    assert found
    return found[0]


class Friend:
    """Somebody with a browser: the requests that the page would send."""

    def __init__(self, server: Server, link: str, name: str = "Ben") -> None:
        found = read_link(link)
        assert found
        self.server, self.match = server, f"/api/matches/{found.match}"
        with server.client() as client:
            joined = client.post(f"{self.match}/join", json={"invite": found.invite, "name": name}).json()
        self.headers = {"Authorization": f"Bearer {joined['seat']}"}

    def state(self) -> dict[str, Any]:
        with self.server.client() as client:
            found: dict[str, Any] = client.get(self.match, headers=self.headers).json()
        return found

    def sends(self, path: str, **body: object) -> dict[str, Any]:
        state = self.state()
        body = {"ply": state["ply"], **body} if path != "resign" else body
        with self.server.client() as client:
            answer = client.post(f"{self.match}/{path}", json=body, headers=self.headers)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found


def test_a_terminal_and_a_browser(terminal: Terminal, server: Server) -> None:
    ann = terminal("invite", "double-up", "--limit", "10", "--server", server.url, "--name", "Ann", "--first", "me")
    friend = Friend(server, invited(ann))
    ann.sees("Ben has joined.", "Your turn: 2")
    ann.types("3")
    ann.sees("3 is more than 2, the double of 1.", "Your turn")
    ann.types("2")
    ann.sees("You doubled 1 to 2.", "Ben is to move")
    ann.types("5")
    ann.sees("not your turn", "Ben is to move")
    ann.types("hint")
    ann.sees("You cannot use hint in a match on a server.", "Ben is to move")
    friend.sends("move", move="4")
    ann.sees("Ben doubled 2 to 4.", "Your turn: 5-8")
    friend.sends("offer", kind="undo")
    ann.sees("Ben asks to take a move back: yes or no?", "> ")
    ann.types("no")
    ann.sees("Your turn: 5-8")
    ann.types("5")
    ann.sees("You took 5.", "Ben is to move")
    friend.sends("move", move="10")
    ann.sees("Ben doubled 5 to 10.", "Ben", "wins.", "Type rematch, moves or quit")
    friend.sends("offer", kind="rematch")
    ann.sees("Ben asks for a rematch: yes or no?", "> ")
    ann.types("yes")
    ann.sees("Another game: ", "0 : 1 Ben")
    assert "parlour join" in ann.leaves("quit\r")[0]


def test_two_terminals_and_coming_back(terminal: Terminal, server: Server, tmp_path: Path) -> None:
    ann = terminal("invite", "increasing", "--server", server.url, "--name", "Ann", "--first", "me")
    link = invited(ann)
    away = str(tmp_path / "away")
    bob = terminal("join", link, "--name", "Bob", XDG_STATE_HOME=away)
    bob.sees("Increasing Differences", "Ann is to move")
    ann.sees("Bob has joined.", "Your turn")
    ann.types("5")
    bob.sees("Ann took 5.", "Your turn")
    left, code = bob.leaves(CTRL_C)
    assert code == 130
    address = link.partition("#")[0]
    assert f"parlour join {address}" in " ".join(left.split())
    kept = list((tmp_path / "away" / "parlour" / "seats").iterdir())
    assert len(kept) == 1
    assert stat.S_IMODE(kept[0].stat().st_mode) == 0o600
    for way_back in (address, link):
        bob = terminal("join", way_back, XDG_STATE_HOME=away)
        bob.sees("Your turn")
        bob.leaves("quit\r")
    bob = terminal("join", address, XDG_STATE_HOME=away)
    bob.sees("Your turn")
    bob.types("resign")
    bob.sees("y or n: ")
    bob.types("yes")
    bob.sees("You resigned: Ann wins.")
    ann.sees("Bob resigned: you win!", "Type rematch, moves or quit")
    assert ann.leaves("quit\r")[1] == 0


def test_somebody_without_a_seat_watches(terminal: Terminal, server: Server, tmp_path: Path) -> None:
    ann = terminal("invite", "spot", "--grid", "2,7,6,9,5,1,4,3,8", "--server", server.url, "--first", "me")
    link = invited(ann)
    friend = Friend(server, link)
    ann.sees("Your turn")
    eve = terminal("join", link.partition("#")[0], XDG_STATE_HOME=str(tmp_path / "eve"))
    eve.sees("You are watching")
    ann.types("9")
    eve.sees("Player 1 marked 9.", "You are watching")
    friend.sends("move", move="1,1")
    eve.sees("Ben marked 2.", "You are watching")
    eve.types("5")
    eve.sees("not your turn")
    assert eve.leaves("quit\r")[1] == 0
    late = terminal("join", link, XDG_STATE_HOME=str(tmp_path / "late"))
    assert "this seat is taken already" in late.leaves()[0]


def test_the_server_goes_away_and_comes_back(terminal: Terminal, server: Server) -> None:
    ann = terminal("invite", "double-up", "--server", server.url, "--name", "Ann", "--first", "me")
    friend = Friend(server, invited(ann))
    ann.sees("Your turn: 2")
    server.kill()
    ann.sees("The connection is lost", "Trying again")
    ann.types("2")
    ann.sees("No answer yet", "Trying again")
    server.restart()
    ann.sees("You doubled 1 to 2.")
    friend.sends("move", move="4")
    ann.sees("Ben doubled 2 to 4.", "Your turn")
    assert friend.state()["table"]["moves"] == ["2", "4"], "the move was played once"
    ann.leaves(CTRL_C)


NO_SELECT = """
import select

def refuse(*arguments):
    raise OSError("select takes sockets only, as on Windows")

select.select = refuse
"""


def test_playing_where_select_takes_only_sockets(terminal: Terminal, server: Server, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(NO_SELECT)
    paths = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    ann = terminal("invite", "double-up", "--server", server.url, "--name", "Ann", "--first", "me", PYTHONPATH=paths)
    friend = Friend(server, invited(ann))
    ann.sees("Ben has joined.", "Your turn: 2")
    ann.types("2")
    ann.sees("You doubled 1 to 2.", "Ben is to move")
    friend.sends("move", move="4")
    ann.sees("Ben doubled 2 to 4.", "Your turn")
    assert ann.leaves(CTRL_C)[1] == 130


def test_a_line_typed_in_part_survives_the_friends_move(terminal: Terminal, server: Server) -> None:
    ann = terminal("invite", "double-up", "--server", server.url, "--name", "Ann", "--first", "you")
    friend = Friend(server, invited(ann))
    ann.sees("Ben is to move")
    ann.presses("boa")
    ann.sees("boa")
    friend.sends("move", move="2")
    ann.sees("Your turn: 3 or 4", "> boa")
    ann.types("rd")
    ann.sees("You", "Ben", "Your turn: 3 or 4")
    assert ann.leaves("quit\r")[1] == 0


def test_links_that_the_server_refuses(terminal: Terminal, server: Server, state: Path) -> None:
    with server.client() as client:
        made = client.post("/api/challenge/open", json={"game": "double-up"}).json()
    for path, said in [
        ("abcdefghij#join=aaaaaaaaaaaaaaaaaaaaaa", "there is no such match"),
        (f"{made['id']}#join=aaaaaaaaaaaaaaaaaaaaaa", "this link is not valid for this match"),
        (f"{made['id']}#seat=aaaaaaaaaaaaaaaaaaaaaa", "this link is not valid for this match"),
    ]:
        told, code = terminal("join", f"{server.url}/m/{path}", columns=200).leaves()
        assert said in told.lower()
        assert code in (1, 2)
    seats = state.parent / "seats"
    assert not seats.exists() or not list(seats.iterdir()), "nothing is kept of a seat that nobody has"
