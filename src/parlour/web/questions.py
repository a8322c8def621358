"""Questions that have to be thought about: they go to the processes that think, and the answer takes its time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from functools import partial
from time import monotonic
from typing import Any

from fastapi import Request, Response
from fastapi.responses import JSONResponse, StreamingResponse

from parlour.errors import ANSWERS, ParlourError
from parlour.web.requests import NDJSON, Services

SECONDS_WITHOUT_PROGRESS = 0.2  # in which an answer needs no word of progress
WITH_PROGRESS: dict[int | str, dict[str, Any]] = {
    200: {"content": {NDJSON: {"schema": {"type": "string", "description": "progress, then the answer or an error"}}}}
}

Ask = Callable[..., Coroutine[Any, Any, dict[str, Any]]]


async def answer_question(
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
    searched: asyncio.Queue[int] = asyncio.Queue()  # how many positions so far
    thinking = asyncio.create_task(ask(progress=searched.put_nowait))
    try:
        await asyncio.wait([thinking], timeout=SECONDS_WITHOUT_PROGRESS)
        if thinking.done():
            thinking.result()  # what is refused at once is refused with its own status
    except BaseException:
        thinking.cancel()
        raise
    return StreamingResponse(_progress(thinking, searched), media_type=NDJSON)


async def _progress(thinking: asyncio.Task[dict[str, Any]], searched: asyncio.Queue[int]) -> AsyncIterator[str]:
    begun = monotonic()
    try:
        while not thinking.done():
            waiting = asyncio.create_task(searched.get())
            await asyncio.wait([thinking, waiting], return_when=asyncio.FIRST_COMPLETED, timeout=2)
            positions = waiting.result() if waiting.done() else None
            waiting.cancel()
            if not thinking.done():
                seconds = round(monotonic() - begun, 1)
                yield _line({"type": "progress", "positions": positions, "seconds": seconds})
        yield _line({"type": "answer", "answer": thinking.result()})
    except ParlourError as error:
        yield _line({"type": "error", "code": ANSWERS[type(error)].code, "error": str(error)})
    finally:
        thinking.cancel()


def _line(document: dict[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n"
