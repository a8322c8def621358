"""How much anybody may ask for: the size of a request, and how many in how short a time."""

from __future__ import annotations

import math
from collections import Counter, OrderedDict
from time import monotonic
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from parlour.errors import Busy, ParlourError, TooManyRequests
from parlour.web.refusals import refuse

LARGEST_BODY = 128 * 1024  # bytes
MOST_ADDRESSES = 10_000  # that are remembered
TOO_MANY = {
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


def kind_of(method: str, path: str) -> str:
    """Which of the rates a request counts for."""
    if method == "POST":
        return "create" if path.startswith(("/api/challenge/", "/api/import")) else "act"
    return "solve" if path.endswith(("/solve", "/hint", "/why", "/report", "/replay")) else "look"


class Limits:
    """Middleware that turns away what is too much."""

    def __init__(self, app: ASGIApp, rates: Rates | None) -> None:
        """``rates``: None for as many as anybody likes."""
        self.app = app
        self.rates = rates
        self._left: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()  # tokens left, and when
        self._open: Counter[tuple[str, str]] = Counter()  # requests that last, by address and kind

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        measured = self._measured(receive) if scope["type"] == "http" else receive
        path: str = scope["path"]
        if self.rates is None or not path.startswith("/api/"):
            await self.app(scope, measured, send)
            return
        client = scope.get("client")
        address = client[0] if client else ""
        kind = kind_of(scope.get("method", "GET"), path)
        if wait := self._take(address, kind):
            await self._turn_away(TooManyRequests(math.ceil(wait)), scope, receive, send)
            return
        lasting = "listening" if path.endswith(("/socket", "/stream")) else "questions" if kind == "solve" else ""
        if not lasting:
            await self.app(scope, measured, send)
            return
        if self._open[address, lasting] >= getattr(self.rates, lasting):
            await self._turn_away(Busy(TOO_MANY[lasting]), scope, receive, send)
            return
        self._open[address, lasting] += 1
        try:
            await self.app(scope, measured, send)
        finally:
            self._open[address, lasting] -= 1
            if not self._open[address, lasting]:
                del self._open[address, lasting]

    async def _turn_away(self, error: ParlourError, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1013})
        else:
            await refuse(error)(scope, receive, send)

    def _take(self, address: str, kind: str) -> float:
        """Take a token; how many seconds to wait for one, 0 if there was one."""
        rate: Rate = getattr(self.rates, kind)
        now = monotonic()
        tokens, since = self._left.pop((address, kind), (rate.burst, now))
        tokens = min(rate.burst, tokens + (now - since) * rate.each_second)
        if len(self._left) >= MOST_ADDRESSES:
            self._left.popitem(last=False)
        self._left[address, kind] = (tokens - 1 if tokens >= 1 else tokens, now)
        return 0 if tokens >= 1 else (1 - tokens) / rate.each_second

    def _measured(self, receive: Receive) -> Receive:
        received = 0

        async def measured() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > LARGEST_BODY:
                raise HTTPException(413)
            return message

        return measured
