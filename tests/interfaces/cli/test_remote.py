"""A match on a server from the terminal: `parlour invite` and `parlour join` against a real `parlour serve`."""

from __future__ import annotations

import json
import os
import re
import select
import socket
import stat
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from parlour.cli.connection import Link, Refused, read_link
from parlour.cli.connection import Server as Line
from parlour.cli.remote_table import Follower, NotAMatch, read_match
from tests.support.command import Run
from tests.support.marks import thinned
from tests.support.server import Server
from tests.support.terminal import Person

pytest.importorskip("pexpect")
Terminal = Callable[..., Person]
Runner = Callable[..., Run]
CTRL_C = "\x03"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(f"sqlite:///{tmp_path_factory.mktemp('web')}/web.sqlite3", "--unlimited")
    yield server
    if server.process.poll() is None:
        server.stop()


def invited(person: Person) -> str:
    """The link that the terminal shows."""
    told = person.sees("#join=", "\n", "Waiting for somebody to join")
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


@pytest.mark.slow
def test_a_terminal_and_a_browser(terminal: Terminal, server: Server) -> None:
    ann = terminal("invite", "double-up", "--limit", "10", "--server", server.url, "--name", "Ann", "--first", "me")
    friend = Friend(server, invited(ann))
    ann.sees("Ben has joined.", "Your turn: 2")
    ann.types("3")
    ann.sees("3 is more than 2, the double of 1; possible now: 2.", "Your turn")
    ann.types("2")
    ann.sees("You doubled 1 to 2.", "Ben is to move")
    ann.types("5")
    ann.sees("not your turn", "Ben is to move")
    friend.sends("move", move="4")
    ann.sees("Ben doubled 2 to 4.", "Your turn: 5-8")
    friend.sends("offer", kind="undo")
    ann.sees("Ben asks to take a move back: yes or no?", "> ")
    ann.types("no")
    ann.sees("Your turn: 5-8")
    ann.types("5")
    ann.sees("You took 5.", "Ben is to move")
    friend.sends("move", move="10")
    ann.sees("Ben doubled 5 to 10.", "You could not go beyond 10. Ben wins.", "Type rematch or quit")
    friend.sends("offer", kind="rematch")
    ann.sees("Ben asks for a rematch: yes or no?", "> ")
    ann.types("yes")
    ann.sees("The rematch begins.", "Double Up: ", "is to move" if friend.state()["rematch"] else "")
    assert "parlour join" in ann.leaves("quit\r")[0]


@pytest.mark.slow
def test_two_terminals_and_coming_back(terminal: Terminal, server: Server, tmp_path: Path) -> None:
    ann = terminal("invite", "increasing", "--server", server.url, "--name", "Ann", "--first", "me")
    link = invited(ann)
    away = str(tmp_path / "away")
    bob = terminal("join", link, "--name", "Bob", XDG_STATE_HOME=away)
    bob.sees("Increasing Differences: Ann - Bob", "Ann is to move")
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
    bob.sees("Type yes to confirm: ")
    bob.types("yes")
    bob.sees("You gave up. Ann wins.")
    ann.sees("Bob gave up. You win!", "Type rematch or quit")
    assert ann.leaves("quit\r")[1] == 0


@pytest.mark.slow
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
    assert "somebody else has taken this seat already" in late.leaves()[0]


@pytest.mark.slow
def test_the_server_goes_away_and_comes_back(terminal: Terminal, server: Server) -> None:
    ann = terminal("invite", "double-up", "--server", server.url, "--name", "Ann", "--first", "me")
    friend = Friend(server, invited(ann))
    ann.sees("Your turn: 2")
    server.kill()
    ann.sees("The connection is lost", "Trying again")
    ann.types("2")
    ann.sees("No answer yet", "trying again")
    server.restart()
    ann.sees("You doubled 1 to 2.")
    friend.sends("move", move="4")
    ann.sees("Ben doubled 2 to 4.", "Your turn")
    assert friend.state()["table"]["moves"] == ["2", "4"], "the move was played once"
    ann.leaves(CTRL_C)


@thinned(("link", "said"), [
    ("nonsense", "this is not a link to a match"),
    ("https://parlour.example/study/double-up", "this is not a link to a match"),
    ("http://127.0.0.1:9/m/abcdefghij#join=aaaaaaaaaaaaaaaaaaaaaa", "no server answers at http://127.0.0.1:9: "),
    ("{server}/m/abcdefghij#join=aaaaaaaaaaaaaaaaaaaaaa", "there is no such match, or no longer"),
    ("{server}/m/{match}#join=aaaaaaaaaaaaaaaaaaaaaa", "this link is not good for this match"),
    ("{server}/m/{match}#seat=aaaaaaaaaaaaaaaaaaaaaa", "this link is not good for this match"),
])  # fmt: skip
@pytest.mark.slow
def test_links_that_lead_nowhere(terminal: Terminal, server: Server, tmp_path: Path, link: str, said: str) -> None:
    with server.client() as client:
        made = client.post("/api/challenge/open", json={"game": "double-up"}).json()
    person = terminal("join", link.format(server=server.url, match=made["id"]), columns=200)
    told, code = person.leaves()
    assert said.lower() in told.lower()
    assert code in (1, 2)
    seats = tmp_path / "state" / "parlour" / "seats"
    assert not seats.exists() or not list(seats.iterdir()), "nothing is kept of a seat that nobody has"


@pytest.mark.slow
def test_an_invitation_needs_a_server_and_a_game(terminal: Terminal) -> None:
    person = terminal("invite", "double-up", "--server", "http://127.0.0.1:9", columns=200)
    told, code = person.leaves()
    assert "no server answers at http://127.0.0.1:9" in told
    assert "start one with: parlour serve" in told
    assert code == 1


@pytest.mark.slow
def test_these_are_for_people(run: Runner) -> None:
    for call in (("join", "http://127.0.0.1:9/m/abcdefghij"), ("invite", "double-up")):
        told = run(*call)
        assert (told.code, told.out) == (2, "")
        assert "for people at a terminal" in told.err


# What a stranger's server may send.


@pytest.mark.parametrize(("text", "link"), [
    ("https://a.example/m/abc#join=0123456789abcdef", Link("https://a.example", "abc", invite="0123456789abcdef")),
    (" http://127.0.0.1:8000/games/m/abc/ ", Link("http://127.0.0.1:8000/games", "abc")),
    ("http://a.example/m/abc#seat=0123456789abcdef", Link("http://a.example", "abc", seat="0123456789abcdef")),
    ("ftp://a.example/m/abc", None), ("http://a.example/m/a%2e", None), ("http:///m/abc", None),
    ("http://a.example/m/abc#join=", None), ("http://a.example/m/\u0430bc", None), ("http://[/m/abc", None), ("", None),
])  # fmt: skip
@pytest.mark.slow
def test_reading_links(text: str, link: Link | None) -> None:
    assert read_link(text) == link


def test_a_follower_that_is_closed_keeps_no_descriptors() -> None:
    with socket.socket() as nobody:  # a port that is taken and refuses every connection
        nobody.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{nobody.getsockname()[1]}"
        before = len(os.listdir("/dev/fd"))
        for _ in range(5):
            follower = Follower(Line(url), Link(url, "abc"))
            assert select.select([follower.readable], [], [], 10)[0], "it tells that the server does not answer"
            assert follower.news[0][0] == "lost"
            follower.close()
            follower.close()
        assert len(os.listdir("/dev/fd")) == before


TABLE = {"game": "double-up", "options": {"limit": "10"}, "names": ["Ann", "Ben"], "first": 1, "moves": ["2"]}


@pytest.mark.slow
def test_reading_a_state() -> None:
    match = read_match({"table": TABLE})
    assert (match.names, match.position) == (("Ann", "Ben"), (2,))


@pytest.mark.parametrize("change", [
    {"names": ["Ann", "\x1b[2JBen"]}, {"names": ["Ann"]}, {"moves": ["9"]}, {"moves": None}, {"game": "chess"},
    {"first": 7}, {"first": "x"}, {"options": []}, {"options": {"limit": "\x1b"}},
])  # fmt: skip
@pytest.mark.slow
def test_a_state_that_is_none_is_refused_without_its_tricks(change: dict[str, object]) -> None:
    with pytest.raises(NotAMatch) as refused:
        read_match({"table": TABLE | change})
    assert str(refused.value).isprintable()


@pytest.fixture
def stranger() -> Iterator[tuple[str, list[str]]]:
    """A server that sends its visitors elsewhere, or swears at them; and what it was told."""
    heard: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            heard.append(f"{self.path} {self.headers.get('Authorization')}")
            if self.path == "/away":
                self.send_response(307)
                self.send_header("Location", "/elsewhere")
                self.end_headers()
                return
            body = json.dumps({"code": "x", "error": "boo\x1b[2J\r\n" + "!" * 999}).encode()
            self.send_response(418)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", heard
        server.shutdown()


@pytest.mark.slow
def test_a_secret_is_not_carried_elsewhere(stranger: tuple[str, list[str]]) -> None:
    url, heard = stranger
    with pytest.raises(Refused):
        Line(url).ask("/away", seat="secret")
    assert heard == ["/away Bearer secret"]


@pytest.mark.slow
def test_what_a_stranger_says_is_shown_without_its_tricks(stranger: tuple[str, list[str]]) -> None:
    with pytest.raises(Refused) as refused:
        Line(stranger[0]).ask("/")
    assert str(refused.value).isprintable()
    assert str(refused.value).startswith("boo")
    assert len(str(refused.value)) < 400
