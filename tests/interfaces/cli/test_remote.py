"""`parlour invite` and `parlour join` without a server, and what a hostile server may send.

Matches on a real server are in tests/system/cli/test_remote.py.
"""

from __future__ import annotations

import json
import os
import select
import socket
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from parlour.cli.connection import Link, Refused, read_link
from parlour.cli.connection import Server as Line
from parlour.cli.remote_table import Follower, NotAMatch, read_match
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
        assert "for people at a terminal" in told.err


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


def test_reading_a_state() -> None:
    match = read_match({"table": TABLE})
    assert (match.names, match.position) == (("Ann", "Ben"), (2,))


@pytest.mark.parametrize("change", [
    {"names": ["Ann", "\x1b[2JBen"]}, {"names": ["Ann"]}, {"moves": ["9"]}, {"moves": None}, {"game": "chess"},
    {"first": 7}, {"first": "x"}, {"options": []}, {"options": {"limit": "\x1b"}},
])  # fmt: skip
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
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", heard
        server.shutdown()


def test_a_secret_is_not_carried_elsewhere(stranger: tuple[str, list[str]]) -> None:
    url, heard = stranger
    with pytest.raises(Refused):
        Line(url).ask("/away", seat="secret")
    assert heard == ["/away Bearer secret"]


def test_what_a_stranger_says_is_shown_without_its_tricks(stranger: tuple[str, list[str]]) -> None:
    with pytest.raises(Refused) as refused:
        Line(stranger[0]).ask("/")
    assert str(refused.value).isprintable()
    assert str(refused.value).startswith("boo")
    assert len(str(refused.value)) < 400
