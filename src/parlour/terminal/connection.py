"""A client for matches on a server, and the player's saved seats.

It speaks the protocol of ``docs/api.md`` with the standard library alone, so that every installation can play a match.
The server is not trusted: every answer is bounded, and read as a typed document.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException, HTTPResponse
from queue import Queue
from threading import Event, Thread
from time import sleep
from typing import Any, NamedTuple, TypeVar
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, ProxyHandler, Request, build_opener

from parlour.documents.match import MatchEvent, NewMatch, State
from parlour.files import make_private, state_folder
from parlour.reader import read_document
from parlour.text import cleaned

T = TypeVar("T")

ANSWER_TIMEOUT = 30.0  # seconds
STREAM_TIMEOUT = 20.0  # seconds without a line; the server sends one every 7 seconds
MIN_BACKOFF = 0.3  # seconds between two attempts, doubled after each
MAX_BACKOFF = 8.0  # seconds
POLL_SECONDS = 2.0  # seconds between two checks for a rematch
MAX_BYTES = 2_000_000  # the size limit of an answer, and of a line in a stream
RETRYABLE = {429, 502, 503, 504}  # statuses after which the same request can be sent again


class Refused(Exception):
    """An error response of the server."""

    def __init__(self, status: int, code: str, message: str, state: State | None, wait: float) -> None:
        super().__init__(message)
        self.retryable = status in RETRYABLE
        self.code = code
        self.state = state  # the current state of the match, if the request was out of date
        self.wait = wait  # seconds before the next attempt

    @property
    def reason(self) -> str:
        """The reason, for a person who opened a link."""
        reasons = {
            "match/unknown": "there is no such match; it may have expired or been deleted",
            "seat/taken": "this seat is taken already",
            "seat/wrong": "this link is not valid for this match; did you copy all of it?",
        }
        return reasons.get(self.code, str(self))


class NoAnswer(Exception):
    """A request without an answer; the server may have carried it out."""


class Malformed(Exception):
    """An answer of the wrong type."""


class _NoRedirects(HTTPRedirectHandler):
    """A handler that refuses redirects, because a secret belongs to the server that issued it."""

    def redirect_request(self, *arguments: Any) -> None:
        return None


class Server:
    """A server of matches at an address like ``https://parlour.example``."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        proxies = [ProxyHandler({})] if self.is_local else []
        self._opener: OpenerDirector = build_opener(_NoRedirects, *proxies)

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it."""
        host = urlsplit(self.url).hostname or ""
        return host in ("localhost", "::1") or host.startswith("127.")

    def ask(self, kind: type[T], path: str, body: dict[str, Any] | None = None, seat: str | None = None) -> T:
        """Return the answer to a request: a POST if it has a body.

        Raises:
            Refused, NoAnswer, Malformed: the request failed.
        """
        with self._open(path, body, seat, ANSWER_TIMEOUT) as response:
            return self._read(kind, _read_object(response.read(MAX_BYTES + 1)))

    def retry(
        self,
        kind: type[T],
        path: str,
        body: dict[str, Any],
        seat: str | None = None,
        *,
        on_retry: Callable[[str], None],
    ) -> T:
        """Send an idempotent POST until the server answers, and return the answer.

        ``on_retry`` is called with a text for the player after the first failure.

        Raises:
            Refused, Malformed: the request failed.
        """
        wait, failed = MIN_BACKOFF, False
        while True:
            try:
                return self.ask(kind, path, body, seat)
            except NoAnswer as error:
                reason = str(error)
            except Refused as refused:
                if not refused.retryable:
                    raise
                reason = str(refused)
                wait = max(wait, refused.wait)
            if not failed:
                on_retry(f"No answer yet ({reason}). Trying again; Ctrl-C gives up.")
            failed = True
            sleep(wait)
            wait = min(wait * 2, MAX_BACKOFF)

    def state(self, match: str, seat: str | None) -> State:
        """Return the state of a match."""
        return self.ask(State, f"/api/matches/{match}", seat=seat)

    def create(self, challenge: dict[str, Any]) -> NewMatch:
        """Create a match and return it with its invitation."""
        return self.ask(NewMatch, "/api/challenge/open", challenge)

    def follow(self, match: str, seat: str | None) -> Iterator[State]:
        """Yield the states of a match until the stream ends.

        Raises:
            Refused, NoAnswer, Malformed: the stream breaks.
        """
        with self._open(f"/api/matches/{match}/stream", None, seat, STREAM_TIMEOUT) as response:
            while line := response.readline(MAX_BYTES):
                if line.strip():
                    yield self._read(MatchEvent, _read_object(line)).state

    @contextmanager
    def _open(self, path: str, body: dict[str, Any] | None, seat: str | None, timeout: float) -> Iterator[HTTPResponse]:
        """Yield a response; raise Refused or NoAnswer for errors of HTTP and the connection."""
        headers = {"Accept": "application/json, application/x-ndjson", "User-Agent": "parlour"}
        if seat is not None:
            headers["Authorization"] = f"Bearer {seat}"
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body).encode()
        try:
            with self._opener.open(Request(self.url + path, data, headers), timeout=timeout) as response:
                yield response
        except HTTPError as error:
            raise _refusal(error) from None
        except (OSError, HTTPException, ValueError) as error:
            reason = getattr(error, "reason", error)
            text = "timeout" if isinstance(reason, TimeoutError) else getattr(reason, "strerror", None) or str(reason)
            raise NoAnswer(cleaned(text or type(reason).__name__)) from None

    def _read(self, kind: type[T], data: dict[str, Any]) -> T:
        try:
            return read_document(kind, data)
        except ValueError as error:
            raise Malformed(
                f"the answer of {self.url} does not fit this version of Parlour: {cleaned(str(error))}"
            ) from None


def _read_object(data: bytes) -> dict[str, Any]:
    try:
        found = json.loads(data) if len(data) <= MAX_BYTES else None
    except RecursionError:
        found = None
    if not isinstance(found, dict):
        raise ValueError("this is not an answer of a Parlour server")
    return found


def _refusal(error: HTTPError) -> Refused:
    """Return an error response as an exception, with the server's own message if it has one."""
    try:
        answer = _read_object(error.read(MAX_BYTES + 1))
    except (ValueError, OSError, HTTPException):
        answer = {}
    code, message, state = answer.get("code"), answer.get("error"), None
    if not isinstance(code, str) or not isinstance(message, str):
        code, message = "", f"the server answers with status {error.code}: is this the address of a Parlour server?"
    with suppress(ValueError):
        state = read_document(State, answer.get("state"))
    wait = error.headers.get("Retry-After", "")
    seconds = min(int(wait), 60) if wait.isdecimal() and len(wait) < 6 else 0
    return Refused(error.code, code, cleaned(message), state, seconds)


class Lost(NamedTuple):
    """A lost connection; the follower keeps reconnecting."""

    reason: str


class Gone(Exception):
    """A match or seat that the server no longer has."""


class Follower:
    """A thread that puts the states of a match into a queue as they arrive.

    The items are pairs of the follower and a State, Lost, Gone or Malformed.
    """

    def __init__(self, server: Server, link: Link, queue: Queue[Any]) -> None:
        self._server, self._link, self._queue = server, link, queue
        self._closed = Event()
        Thread(target=self._follow, daemon=True).start()

    def close(self) -> None:
        """Stop following; items that are in the queue stay there."""
        self._closed.set()

    def _put(self, message: State | Lost | Exception) -> None:
        if not self._closed.is_set():
            self._queue.put((self, message))

    def _follow(self) -> None:
        wait = MIN_BACKOFF
        while not self._closed.is_set():
            try:
                over = False
                for state in self._server.follow(self._link.match, self._link.seat):
                    if self._closed.is_set():
                        return
                    self._put(state)
                    wait, over = MIN_BACKOFF, state.status == "over"
                if over:
                    wait = POLL_SECONDS  # the stream of a finished match ends; there may be a rematch
            except NoAnswer as error:
                self._put(Lost(str(error)))
                wait = min(wait * 2, MAX_BACKOFF)
            except Malformed as error:
                self._put(error)
                return
            except Refused as refused:
                if not refused.retryable:
                    delete_seat(self._link)
                    self._put(Gone(refused.reason))
                    return
                wait = max(refused.wait, min(wait * 2, MAX_BACKOFF))
            self._closed.wait(wait)


# Links and seats.


class Link(NamedTuple):
    """The address of a match, with the secret of its invitation or of a seat."""

    server: str
    match: str
    invite: str | None = None
    seat: str | None = None

    @property
    def address(self) -> str:
        """The public address of the match, good for watching."""
        return f"{self.server}/m/{self.match}"


_PATH = re.compile(r"(.*)/m/([A-Za-z0-9_-]{1,64})/?")
_SECRET = re.compile(r"(join|seat)=([A-Za-z0-9_-]{16,128})")


def read_link(text: str) -> Link | None:
    """Parse a link; return None if the text isn't one."""
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


def _seat_file(link: Link) -> str:
    name = re.sub(r"[^A-Za-z0-9.-]+", "_", link.server.partition("://")[2])
    return os.path.join(state_folder("seats"), f"{name}_{link.match}.json")


def load_seat(link: Link) -> Link | None:
    """Return the saved seat in this match, with the invitation if joining is not confirmed; None if there is none."""
    try:
        with open(_seat_file(link), encoding="utf-8") as file:
            found = _read_object(file.read(MAX_BYTES).encode())
    except (OSError, ValueError):
        return None
    seat, invite = found.get("seat"), found.get("invite")
    if not isinstance(seat, str):
        return None
    return link._replace(seat=seat, invite=invite if isinstance(invite, str) else None)


def save_seat(link: Link) -> None:
    """Save a seat in a file that only its owner can read."""
    path = _seat_file(link)
    make_private(path)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"match": link.address, "seat": link.seat, "invite": link.invite}, file)
        file.write("\n")


def delete_seat(link: Link) -> None:
    """Delete a saved seat: the match is gone, or another player has the seat."""
    with suppress(FileNotFoundError):
        os.unlink(_seat_file(link))
