"""What became of each request: told when it has ended, to whoever counts requests or writes them down."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import NamedTuple

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from parlour.web.pages import FILES

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
UNANSWERED = "none"  # in place of a status: whoever asked was gone first
UNROUTED = "none"  # in place of a route: nothing is at that address, or it was refused before anybody looked
REFUSAL = re.compile(rb'\{"code":"([a-z/-]+)"')  # so every refusal begins


class FinishedRequest(NamedTuple):
    """What became of a request. Nothing in it says who asked, or about which match."""

    method: str  # "WEBSOCKET" for a socket, "OTHER" for a word that is no method
    route: str  # its template: "/api/matches/{id}/move"
    status: str  # "200"; "101" of a socket that was opened, "closed" of one that was not; or UNANSWERED
    code: str  # of a refusal: "move/illegal"; "" of anything else
    seconds: float  # until the last of the answer was sent


class ObservedRequests:
    """Middleware, around everything else, that reports each request when it has ended."""

    def __init__(self, app: ASGIApp, observers: Sequence[Callable[[FinishedRequest], None]]) -> None:
        self.app = app
        self.observers = observers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        begun = perf_counter()
        status, code = UNANSWERED, ""

        async def watched(message: Message) -> None:
            nonlocal status, code
            kind = message["type"]
            if kind == "http.response.start":
                status = str(message["status"])
            elif kind == "http.response.body" and not code and status >= "400":
                found = REFUSAL.match(message.get("body", b""))
                code = found[1].decode() if found else ""
            elif kind == "websocket.accept":
                status = "101"
            elif kind == "websocket.close" and status == UNANSWERED:
                status = "closed"
            await send(message)

        try:
            await self.app(scope, receive, watched)
        finally:
            finished = FinishedRequest(_method(scope), _route(scope), status, code, perf_counter() - begun)
            for observe in self.observers:
                observe(finished)


def _method(scope: Scope) -> str:
    if scope["type"] == "websocket":
        return "WEBSOCKET"
    method: str = scope["method"]
    return method if method in METHODS else "OTHER"


def _route(scope: Scope) -> str:
    """The template of the address, of which there are so many and no more, whatever anybody asks for."""
    if "route" in scope:
        template: str = scope["route"].path
        return template
    return FILES if "endpoint" in scope and scope["path"].startswith(FILES) else UNROUTED
