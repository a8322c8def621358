"""Questions that take their time: they go to the worker processes, and whoever asks may hear how far they are."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from functools import partial
from time import monotonic
from typing import Any

from fastapi import Request, Response
from fastapi.responses import StreamingResponse

from parlour.documents.questions import Question
from parlour.documents.search import AnswerDocument, SearchAnswer, SearchProgress, SearchRefusal
from parlour.errors import ParlourError, answer_to
from parlour.web.requests import NDJSON, Services
from parlour.web.wire import write

SECONDS_WITHOUT_PROGRESS = 0.2  # in which an answer needs no word of progress
WITH_PROGRESS: dict[int | str, dict[str, Any]] = {
    200: {"content": {NDJSON: {"schema": {"type": "string", "description": "progress, then the answer or an error"}}}}
}

Ask = Callable[..., Coroutine[Any, Any, AnswerDocument]]


async def answer_question(
    request: Request, services: Services, question: Question[Any], *, seconds: float | None = None
) -> Response:
    """The answer of a worker process to a question; with progress, for those who accept NDJSON.

    Whoever goes away before the answer is there has given it up.
    """
    if NDJSON in request.headers.get("Accept", ""):
        return await _with_progress(partial(services.pool.ask, question, owner=services.address, seconds=seconds))
    searching = asyncio.create_task(services.pool.ask_json(question, owner=services.address, seconds=seconds))
    try:
        while not searching.done():
            await asyncio.wait([searching], timeout=0.5)
            if not searching.done() and await request.is_disconnected():
                return Response(status_code=499)
        return Response(searching.result(), media_type="application/json")
    finally:
        searching.cancel()


async def _with_progress(ask: Ask) -> Response:
    searched: asyncio.Queue[int] = asyncio.Queue()  # how many positions so far
    searching = asyncio.create_task(ask(progress=searched.put_nowait))
    try:
        await asyncio.wait([searching], timeout=SECONDS_WITHOUT_PROGRESS)
        if searching.done():
            searching.result()  # what is refused at once is refused with its own status
    except BaseException:
        searching.cancel()
        raise
    return StreamingResponse(_progress(searching, searched), media_type=NDJSON)


async def _progress(searching: asyncio.Task[AnswerDocument], searched: asyncio.Queue[int]) -> AsyncIterator[bytes]:
    begun = monotonic()
    try:
        while not searching.done():
            waiting = asyncio.create_task(searched.get())
            await asyncio.wait([searching, waiting], return_when=asyncio.FIRST_COMPLETED, timeout=2)
            positions = waiting.result() if waiting.done() else None
            waiting.cancel()
            if not searching.done():
                seconds = round(monotonic() - begun, 1)
                yield _line(SearchProgress(type="progress", positions=positions, seconds=seconds))
        yield _line(SearchAnswer(type="answer", answer=searching.result()))
    except ParlourError as error:
        yield _line(SearchRefusal(type="error", code=answer_to(error).code, error=str(error)))
    finally:
        searching.cancel()


def _line(document: SearchProgress | SearchAnswer | SearchRefusal) -> bytes:
    return write(document) + b"\n"
