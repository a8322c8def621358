"""`parlour invite` and `parlour join` without a server, and what a hostile server may send.

Matches on a real server are in tests/system/cli/test_remote.py.
"""

from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from queue import Queue
from threading import Thread

import pytest

from parlour import catalog
from parlour.documents.match import State, match_state
from parlour.match import Match
from parlour.rules import read_rules
from parlour.setup import Setup
from parlour.terminal.connection import Follower, Link, Lost, Malformed, Refused, read_link
from parlour.terminal.connection import Server as Line
from parlour.terminal.remote import replay_state
from parlour.writer import write_json
from tests.support.command import Run
from tests.support.terminal import Person

Terminal = Callable[..., Person]
Runner = Callable[..., Run]
CTRL_C = "\x03"


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("nonsense", "this is not a link to a match"),
        ("https://parlour.example/study/double-up", "this is not a link to a match"),
        ("http://127.0.0.1:9/m/abcdefghij#join=aaaaaaaaaaaaaaaaaaaaaa", "no server answers at http://127.0.0.1:9: "),
    ],
)
def test_links_that_lead_nowhere(terminal: Terminal, state: Path, link: str, said: str) -> None:
    told, code = terminal("join", link, columns=200).leaves()
    assert said in told.lower()
    assert code in (1, 2)
    seats = state.parent / "seats"
    assert not seats.exists() or not list(seats.iterdir()), "nothing is kept of a seat that nobody has"


def test_an_invitation_needs_a_server_and_a_game(terminal: Terminal) -> None:
    person = terminal("invite", "double-up", "--server", "http://127.0.0.1:9", columns=200)
    told, code = person.leaves()
    assert "no server answers at http://127.0.0.1:9" in told
    assert "start one with: parlour serve" in told
    assert code == 1


def test_these_are_for_people(run: Runner) -> None:
    for call in (("join", "http://127.0.0.1:9/m/abcdefghij"), ("invite", "double-up")):
        told = run(*call)
        assert (told.code, told.out) == (2, "")
        assert "needs a terminal" in told.err


# What a stranger's server may send.


@pytest.mark.parametrize(("text", "link"), [
    ("https://a.example/m/abc#join=0123456789abcdef", Link("https://a.example", "abc", invite="0123456789abcdef")),
    (" http://127.0.0.1:8000/games/m/abc/ ", Link("http://127.0.0.1:8000/games", "abc")),
    ("http://a.example/m/abc#seat=0123456789abcdef", Link("http://a.example", "abc", seat="0123456789abcdef")),
    ("ftp://a.example/m/abc", None), ("http://a.example/m/a%2e", None), ("http:///m/abc", None),
    ("http://a.example/m/abc#join=", None), ("http://a.example/m/\u0430bc", None), ("http://[/m/abc", None), ("", None),
])  # fmt: skip
def test_reading_links(text: str, link: Link | None) -> None:
    assert read_link(text) == link


def test_closed_followers_leave_no_descriptors_and_no_threads() -> None:
    with socket.socket() as nobody:  # a port that is taken and refuses every connection
        nobody.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{nobody.getsockname()[1]}"
        descriptors, threads = len(os.listdir("/dev/fd")), threading.active_count()
        for _ in range(5):
            inbox: Queue[tuple[Follower, object]] = Queue()
            follower = Follower(Line(url), Link(url, "abc"), inbox)
            source, message = inbox.get(timeout=10)
            assert source is follower
            assert isinstance(message, Lost)
            follower.close()
            follower.close()
        assert len(os.listdir("/dev/fd")) == descriptors
        for thread in threading.enumerate()[threads:]:
            thread.join(10)
        assert threading.active_count() == threads


def state_with(**board: object) -> State:
    """The state of a match in which player 1 doubled, with changes to its board."""
    match = Match(Setup(read_rules(catalog.find_game("double-up"), {"limit": "10"}), ("Ann", "Ben")))
    match.play_line(["2"])
    state = match_state(
        match, id="abc", seq=1, kind="friend", status="playing", waiting=(), present=(), you=[1], can=["move"],
        thinking=False, offer=None, rematch=None, created=0, expires=0,
    )  # fmt: skip
    return replace(state, table=replace(state.table, **board))


def test_reading_a_state() -> None:
    match = replay_state(state_with())
    assert (match.names, match.position) == (("Ann", "Ben"), (2,))


@pytest.mark.parametrize("change", [
    {"names": ["Ann", "\x1b[2JBen"]}, {"names": ["Ann"]}, {"moves": ["9"]}, {"moves": ["2", "\x1b[2J"]},
    {"game": "chess"}, {"game": "\x1b"}, {"options": {"limit": "\x1b"}},
])  # fmt: skip
def test_a_match_that_cannot_be_replayed_is_refused_in_one_clean_line(change: dict[str, object]) -> None:
    with pytest.raises(Malformed) as refused:
        replay_state(state_with(**change))
    assert str(refused.value).isprintable()


ANSWERS = {
    "html": b"<html>Welcome</html>",
    "deep": b"[" * 1_000_000,
    "list": b"[]",
    "state": write_json(replace(state_with(), seq="\x1b[2J")).encode(),
}


@pytest.fixture
def stranger() -> Iterator[tuple[str, list[str]]]:
    """A server that sends its visitors elsewhere, or swears at them; and what it was told."""
    heard: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            heard.append(f"{self.path} {self.headers.get('Authorization')}")
            if self.path.startswith("/api"):
                body = ANSWERS[self.path.rpartition("/")[2]]
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
                return
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
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", heard
        server.shutdown()


def test_a_secret_is_not_carried_elsewhere(stranger: tuple[str, list[str]]) -> None:
    url, heard = stranger
    with pytest.raises(Refused):
        Line(url).ask(State, "/away", seat="secret")
    assert heard == ["/away Bearer secret"]


@pytest.mark.parametrize(("match", "said"), [
    ("html", "no server answers at "), ("deep", "this is not an answer of a Parlour server"),
    ("list", "this is not an answer of a Parlour server"),
    ("state", "seq is missing or malformed"),
])  # fmt: skip
def test_an_answer_that_does_not_fit_gives_one_line(
    terminal: Terminal, stranger: tuple[str, list[str]], match: str, said: str
) -> None:
    told, code = terminal("join", f"{stranger[0]}/m/{match}", columns=200).leaves()
    assert said in told
    assert told.count("\n") == 1
    assert "\x1b" not in told
    assert code == 1


def test_what_a_stranger_says_is_shown_without_its_tricks(stranger: tuple[str, list[str]]) -> None:
    with pytest.raises(Refused) as refused:
        Line(stranger[0]).ask(State, "/")
    assert str(refused.value).isprintable()
    assert str(refused.value).startswith("boo")
    assert len(str(refused.value)) < 400
