"""What the routes share: who asks, what may be sent, and answers that take their time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from functools import partial
from time import monotonic
from typing import Annotated, Any, cast

from fastapi import Depends, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, ConfigDict, StringConstraints

from parlour.documents.refusal import Refusal
from parlour.errors import ANSWERS, ParlourError
from parlour.service.matches import MatchService
from parlour.web.computers import Computers
from parlour.web.hub import Hub
from parlour.web.limits import client_network
from parlour.web.thinking import Thinkers

NDJSON = "application/x-ndjson"
AT_ONCE = 0.2  # seconds in which an answer needs no word of progress
REFUSALS: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": Refusal, "description": "refused: `code` says which way, `error` why and what would do"},
    "5XX": {"model": Refusal, "description": "the same, through no fault of the request"},
}
WITH_PROGRESS: dict[int | str, dict[str, Any]] = {
    200: {"content": {NDJSON: {"schema": {"type": "string", "description": "progress, then the answer or an error"}}}}
}
_bearer = HTTPBearer(auto_error=False, description="the secret of your seat", scheme_name="seat")

Text = Annotated[str, StringConstraints(max_length=1100)]  # a move may be as long as a number that a person types
Name = Annotated[str, StringConstraints(max_length=60)]
Word = Annotated[str, StringConstraints(max_length=200)]


class RequestBody(BaseModel):
    """What is sent to us. Fields that we do not know are refused: they would be forgotten silently."""

    model_config = ConfigDict(extra="forbid")


class Services:
    """Whatever a route needs of the application."""

    def __init__(self, request: Request) -> None:
        state = request.app.state
        self.matches = cast(MatchService, state.matches)
        self.hub = cast(Hub, state.hub)
        self.thinkers = cast(Thinkers, state.thinkers)
        self.computers = cast(Computers, state.computers)
        self.address = client_network(request.client.host) if request.client else ""  # as for the limits


async def services_of(request: Request) -> Services:  # asynchronous, for FastAPI would call anything else in a thread
    return Services(request)


WithServices = Annotated[Services, Depends(services_of)]


async def seat_of(credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]) -> str | None:
    return credentials.credentials if credentials is not None else None


Seat = Annotated[str | None, Depends(seat_of)]

Ask = Callable[..., Coroutine[Any, Any, dict[str, Any]]]


async def answered(
    request: Request, services: Services, question: dict[str, Any], *, seconds: float | None = None
) -> Response:
    """The answer to something that has to be thought about; with progress, for those who accept NDJSON.

    Whoever goes away before the answer is there has given it up.
    """
    ask = partial(services.thinkers.ask, question, owner=services.address, seconds=seconds)
    if NDJSON in request.headers.get("Accept", ""):
        return await _with_progress(ask)
    thinking = asyncio.create_task(ask())
    try:
        while not thinking.done():
            await asyncio.wait([thinking], timeout=0.5)
            if not thinking.done() and await request.is_disconnected():
                return Response(status_code=499)
        return JSONResponse(thinking.result())
    finally:
        thinking.cancel()


async def _with_progress(ask: Ask) -> Response:
    news: asyncio.Queue[int] = asyncio.Queue()
    thinking = asyncio.create_task(ask(progress=news.put_nowait))
    try:
        await asyncio.wait([thinking], timeout=AT_ONCE)
        if thinking.done():
            thinking.result()  # what is refused at once is refused with its own status
    except BaseException:
        thinking.cancel()
        raise
    return StreamingResponse(_told(thinking, news), media_type=NDJSON)


async def _told(thinking: asyncio.Task[dict[str, Any]], news: asyncio.Queue[int]) -> AsyncIterator[str]:
    begun = monotonic()
    try:
        while not thinking.done():
            waiting = asyncio.create_task(news.get())
            await asyncio.wait([thinking, waiting], return_when=asyncio.FIRST_COMPLETED, timeout=2)
            positions = waiting.result() if waiting.done() else None
            waiting.cancel()
            if not thinking.done():
                seconds = round(monotonic() - begun, 1)
                yield line({"type": "progress", "positions": positions, "seconds": seconds})
        yield line({"type": "answer", "answer": thinking.result()})
    except ParlourError as error:
        yield line({"type": "error", "code": ANSWERS[type(error)].code, "error": str(error)})
    finally:
        thinking.cancel()


def line(document: dict[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n"
