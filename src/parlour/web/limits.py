"""How much anybody may ask for: the size of a request, and how many in how short a time."""

from __future__ import annotations

import asyncio
import math
from collections import Counter, OrderedDict
from ipaddress import IPv4Address, IPv6Address, ip_address
from time import monotonic
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from parlour.errors import Busy, OutcomeUnknown, ParlourError, TooManyRequests
from parlour.store import Attempt
from parlour.web.refusals import refuse, refuse_http

MOST_BODY_BYTES = 128 * 1024
ANSWER_SECONDS = 15.0  # for what is not a question; only a database that does not answer takes as long
MOST_ADDRESSES = 10_000  # that are remembered
TOO_MANY_OPEN = {
    "questions": "several questions of yours are being answered already; wait for one of them",
    "listening": "too many pages and streams are open at your address; close one of them",
}


class Rate(NamedTuple):
    """So many at once, and so many a second after that."""

    burst: float
    each_second: float


class Rates(NamedTuple):
    """What one address may ask for."""

    look: Rate = Rate(400, 50)
    act: Rate = Rate(120, 20)  # moves, offers, names
    create: Rate = Rate(40, 0.5)
    solve: Rate = Rate(120, 5)
    questions: int = 6  # being answered at the same time
    listening: int = 200  # pages and streams


def rate_name(method: str, path: str) -> str:
    """Which of the rates a request counts for."""
    if method == "POST":
        return "create" if path.startswith(("/api/challenge/", "/api/import")) else "act"
    return "solve" if path.endswith(("/solve", "/hint", "/why", "/report", "/replay")) else "look"


def client_network(client: str) -> str:
    """Who is counted as one: an IPv4 address, or the /64 network of an IPv6 address, all of which one customer has."""
    try:
        address = ip_address(client)
    except ValueError:
        return client
    if isinstance(address, IPv4Address):
        return client
    return str(address.ipv4_mapped or IPv6Address(int(address) >> 64 << 64))


class RequestLimits:
    """Middleware that turns away what is too much."""

    def __init__(self, app: ASGIApp, rates: Rates | None, most_open: int | None = None) -> None:
        """``rates``: None for as many as anybody likes. ``most_open``: requests at the same time, of all together."""
        self.app = app
        self.rates = rates
        self.most_open = most_open
        self._tokens: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()  # tokens left, and when
        self._open: Counter[tuple[str, str]] = Counter()  # requests being answered, by address and kind
        self._all_open = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        if _declared(scope) > MOST_BODY_BYTES:
            await refuse_http(413)(scope, receive, send)
            return
        path: str = scope["path"]
        address = client_network(scope["client"][0]) if scope.get("client") else ""
        kind = rate_name(scope.get("method", "GET"), path)
        lasting = "listening" if path.endswith(("/socket", "/stream")) else "questions" if kind == "solve" else ""
        try:
            if self.most_open is not None and self._all_open >= self.most_open:
                raise Busy("too many ask at the same time; try again in a little while")
            if self.rates is not None and path.startswith("/api/"):
                self._spend_token(address, kind)
                if lasting and self._open[address, lasting] >= getattr(self.rates, lasting):
                    raise Busy(TOO_MANY_OPEN[lasting])
        except (Busy, TooManyRequests) as error:
            await self._refuse(error, scope, receive, send)
            return
        self._open[address, lasting] += 1
        self._all_open += 1
        try:
            patient = lasting == "questions" or scope["type"] == "websocket"
            await self._answer(scope, receive, send, None if patient else ANSWER_SECONDS)
        finally:
            self._all_open -= 1
            self._open[address, lasting] -= 1
            if not self._open[address, lasting]:
                del self._open[address, lasting]

    async def _answer(self, scope: Scope, receive: Receive, send: Send, seconds: float | None) -> None:
        """Let a request be answered.

        If its body grows too large the answer is 413. If nothing is answered within so many seconds, or the server is
        being closed and cannot wait, what it was to do is given up: the answer is 503 if that came in time, so that
        nothing is done, and 504 if it may be too late for that. An answer that has begun by then breaks off.
        """
        attempt = scope["parlour.attempt"] = Attempt()
        received = 0
        begun = refused = False

        async def measured() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            return message if received <= MOST_BODY_BYTES else {"type": "http.disconnect"}

        async def answer(message: Message) -> None:
            nonlocal begun, refused
            if not begun and received > MOST_BODY_BYTES:
                refused = True
                await refuse_http(413)(scope, receive, send)
            begun = True
            if timer is not None:
                timer.cancel()
            if not refused:
                await send(message)

        task = asyncio.current_task()
        assert task is not None
        timer = None if seconds is None else asyncio.get_running_loop().call_later(seconds, task.cancel)
        try:
            await self.app(scope, measured, answer)
        except asyncio.CancelledError:  # by our timer, or by the server that is being closed; the task ends here
            if not begun:
                in_time = attempt.give_up()
                error = (
                    Busy("no answer in time, nothing was done; try again in a moment") if in_time else OutcomeUnknown()
                )
                await self._refuse(error, scope, receive, send)
        finally:
            if timer is not None:
                timer.cancel()

    async def _refuse(self, error: ParlourError, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1013})
        else:
            await refuse(error)(scope, receive, send)

    def _spend_token(self, address: str, kind: str) -> None:
        """Take a token; TooManyRequests if there is none."""
        rate: Rate = getattr(self.rates, kind)
        now = monotonic()
        tokens, since = self._tokens.pop((address, kind), (rate.burst, now))
        tokens = min(rate.burst, tokens + (now - since) * rate.each_second)
        if len(self._tokens) >= MOST_ADDRESSES:
            self._tokens.popitem(last=False)
        self._tokens[address, kind] = (tokens - 1 if tokens >= 1 else tokens, now)
        if tokens < 1:
            raise TooManyRequests(math.ceil((1 - tokens) / rate.each_second))


def _declared(scope: Scope) -> int:
    """How long a request says that its body is."""
    length = Headers(scope=scope).get("Content-Length", "")
    return int(length) if length.isdecimal() else 0
