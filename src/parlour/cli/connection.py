"""The line to a server: asks it for things, follows a match, and remembers the seats that somebody has there.

It speaks what ``docs/api.md`` describes. The standard library will do for that, so that playing a match of the web from
the terminal needs nothing but what every Parlour has. What a server sends is a stranger's: it is bounded here, and read
with care by whoever uses it.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.client import HTTPException, HTTPResponse
from time import sleep
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, ProxyHandler, Request, build_opener

from parlour.folders import make_private, state_folder
from parlour.text import cleaned

ANSWER_SECONDS = 30.0
SILENCE_SECONDS = 20.0  # on a stream; the server says something every 7
FIRST_WAIT = 0.3  # seconds between two attempts; each time twice as long
LONGEST_WAIT = 8.0
MOST_BYTES = 2_000_000  # of one answer, or one line of a stream
AGAIN = {429, 502, 503, 504}  # nothing was done, or nobody knows: the same can be sent again
Waiting = Callable[[str], None]  # is told why it takes longer


class Refused(Exception):
    """The server has answered, and will not do it."""

    def __init__(self, status: int, code: str, message: str, state: dict[str, Any] | None, wait: float) -> None:
        super().__init__(message)
        self.passes = status in AGAIN  # the same can be sent again
        self.code = code
        self.state = state  # of the match now, where it has gone on since
        self.wait = wait  # seconds to wait before anything is asked again


class NoAnswer(Exception):
    """Nobody has answered: whether it was done is not known."""


class _NoRedirects(HTTPRedirectHandler):
    """A secret is for the server it was made by, and for no other that this one may name."""

    def redirect_request(self, *arguments: Any) -> None:
        return None


class Server:
    """A server of matches by its address: ``https://parlour.example``."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        proxies = [ProxyHandler({})] if self.is_here else []
        self._opener: OpenerDirector = build_opener(_NoRedirects, *proxies)

    @property
    def is_here(self) -> bool:
        """Whether it can be reached from this machine alone."""
        host = urlsplit(self.url).hostname or ""
        return host in ("localhost", "::1") or host.startswith("127.")

    def ask(self, path: str, body: dict[str, Any] | None = None, seat: str | None = None) -> dict[str, Any]:
        """The answer to a request, which is a POST if it has a body; Refused or NoAnswer if there is none."""
        try:
            with self._open(path, body, seat, ANSWER_SECONDS) as response:
                return _read_object(response.read(MOST_BYTES + 1))
        except HTTPError as error:
            raise _refusal(error) from None
        except (OSError, HTTPException, ValueError) as error:
            raise NoAnswer(_reason(error)) from None

    def insist(
        self, path: str, body: dict[str, Any], seat: str | None = None, waiting: Waiting = lambda reason: None
    ) -> dict[str, Any]:
        """The answer to a POST that may be sent twice: it is sent until somebody answers; Refused if they refuse."""
        wait = FIRST_WAIT
        while True:
            try:
                return self.ask(path, body, seat)
            except NoAnswer as error:
                waiting(str(error))
            except Refused as refused:
                if not refused.passes:
                    raise
                waiting(str(refused))
                wait = max(wait, refused.wait)
            sleep(wait)
            wait = min(wait * 2, LONGEST_WAIT)

    def state(self, match: str, seat: str | None) -> dict[str, Any]:
        """A match as it stands."""
        return self.ask(f"/api/matches/{match}", seat=seat)

    def follow(self, match: str, seat: str | None) -> Iterator[dict[str, Any]]:
        """The states of a match as they come, until the stream ends; Refused or NoAnswer if it breaks."""
        try:
            with self._open(f"/api/matches/{match}/stream", None, seat, SILENCE_SECONDS) as response:
                while line := response.readline(MOST_BYTES):
                    if line.strip():
                        state = _read_object(line).get("state")
                        if isinstance(state, dict):
                            yield state
        except HTTPError as error:
            raise _refusal(error) from None
        except (OSError, HTTPException, ValueError) as error:
            raise NoAnswer(_reason(error)) from None

    def _open(self, path: str, body: dict[str, Any] | None, seat: str | None, seconds: float) -> HTTPResponse:
        headers = {"Accept": "application/json, application/x-ndjson", "User-Agent": "parlour"}
        if seat is not None:
            headers["Authorization"] = f"Bearer {seat}"
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body).encode()
        found: HTTPResponse = self._opener.open(Request(self.url + path, data, headers), timeout=seconds)
        return found


def _read_object(data: bytes) -> dict[str, Any]:
    found = json.loads(data) if len(data) <= MOST_BYTES else None
    if not isinstance(found, dict):
        raise ValueError("this is not an answer of a Parlour server")
    return found


def _refusal(error: HTTPError) -> Refused:
    """What a server has refused, in its own words, if they are words at all."""
    try:
        answer = _read_object(error.read(MOST_BYTES + 1))
    except (ValueError, OSError, HTTPException):
        answer = {}
    code, said, state = answer.get("code"), answer.get("error"), answer.get("state")
    if not isinstance(code, str) or not isinstance(said, str):
        code, said = "", f"the server answers with status {error.code}: is this the address of a Parlour?"
    wait = error.headers.get("Retry-After", "")
    seconds = min(int(wait), 60) if wait.isdecimal() and len(wait) < 6 else 0
    return Refused(error.code, code, cleaned(said), state if isinstance(state, dict) else None, seconds)


def _reason(error: Exception) -> str:
    inner = getattr(error, "reason", error)
    if isinstance(inner, TimeoutError):
        return "no answer in time"
    return cleaned(getattr(inner, "strerror", None) or str(inner) or type(inner).__name__)


# Links and seats.


class Link(NamedTuple):
    """Where a match is, and what its link is good for."""

    server: str
    match: str
    invite: str | None = None
    seat: str | None = None

    @property
    def address(self) -> str:
        """The public address of the match: whoever has it can watch."""
        return f"{self.server}/m/{self.match}"


_PATH = re.compile(r"(.*)/m/([A-Za-z0-9_-]{1,64})/?")
_SECRET = re.compile(r"(join|seat)=([A-Za-z0-9_-]{16,128})")


def read_link(text: str) -> Link | None:
    """What a link says; None if it is none of a match."""
    try:
        parts = urlsplit(text.strip())
    except ValueError:
        return None
    path = _PATH.fullmatch(parts.path)
    if parts.scheme not in ("http", "https") or not parts.hostname or path is None or not text.isascii():
        return None
    secret = _SECRET.fullmatch(parts.fragment)
    if parts.fragment and secret is None:
        return None
    kind, value = (secret[1], secret[2]) if secret else ("", None)
    server = f"{parts.scheme}://{parts.netloc}{path[1]}"
    return Link(server, path[2], value if kind == "join" else None, value if kind == "seat" else None)


def _file_of(link: Link) -> str:
    name = re.sub(r"[^A-Za-z0-9.-]+", "_", link.server.partition("://")[2])
    return os.path.join(state_folder("seats"), f"{name}_{link.match}.json")


def kept_seat(link: Link) -> Link | None:
    """The seat that somebody has in this match already, with the invitation it came from; None if they have none."""
    try:
        with open(_file_of(link), encoding="utf-8") as file:
            found = _read_object(file.read(MOST_BYTES).encode())
    except (OSError, ValueError):
        return None
    seat, invite = found.get("seat"), found.get("invite")
    return (
        link._replace(seat=seat, invite=invite if isinstance(invite, str) else None) if isinstance(seat, str) else None
    )


def keep_seat(link: Link) -> None:
    """Remember a seat, for its owner alone."""
    path = _file_of(link)
    make_private(path)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"match": link.address, "seat": link.seat, "invite": link.invite}, file)
        file.write("\n")


def forget_seat(link: Link) -> None:
    """No longer remember one: the match is gone, or somebody else was first."""
    with suppress(FileNotFoundError):
        os.unlink(_file_of(link))
