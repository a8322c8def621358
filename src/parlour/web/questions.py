"""Questions that take their time: they go to the worker processes, and whoever asks may hear how far they are."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from time import monotonic
from typing import Any

from fastapi import Request, Response
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from parlour.documents.server import SearchProgress, SearchRefusal
from parlour.errors import ParlourError
from parlour.web.compression import Encoded, GzipStream
from parlour.web.messages import Question
from parlour.web.requests import NDJSON, Services
from parlour.web.wire import accepts_gzip, respond_encoded, write

SECONDS_WITHOUT_PROGRESS = 0.2  # in which an answer needs no word of progress
WITH_PROGRESS: dict[int | str, dict[str, Any]] = {
    200: {"content": {NDJSON: {"schema": {"type": "string", "description": "progress, then the answer or an error"}}}}
}

ANSWER_LINE = b'{"type":"answer","answer":', b"}\n"  # a SearchAnswer, around its answer


async def answer_question(request: Request, services: Services, question: Question[Any]) -> Response:
    """The answer of a worker process to a question; with progress, for those who accept NDJSON.

    Whoever goes away before the answer is there has given it up.
    """
    if NDJSON in request.headers.get("Accept", ""):
        return await _with_progress(request, services, question)
    searching = asyncio.create_task(services.pool.ask_json(question, owner=services.address))
    try:
        while not searching.done():
            await asyncio.wait([searching], timeout=0.5)
            if not searching.done() and await request.is_disconnected():
                return Response(status_code=499)
        return respond_encoded(request, searching.result())
    finally:
        searching.cancel()


async def _with_progress(request: Request, services: Services, question: Question[Any]) -> Response:
    searched: asyncio.Queue[int] = asyncio.Queue()  # how many positions so far
    asking = services.pool.ask_json(question, owner=services.address, progress=searched.put_nowait)
    searching = asyncio.create_task(asking)
    try:
        await asyncio.wait([searching], timeout=SECONDS_WITHOUT_PROGRESS)
        if searching.done():
            searching.result()  # what is refused at once is refused with its own status
    except BaseException:
        searching.cancel()
        raise
    lines, headers = _progress(searching, searched), {"Vary": "Accept-Encoding"}
    if accepts_gzip(request):
        headers["Content-Encoding"] = "gzip"
        return _SearchResponse(searching, _gzipped(lines), headers)
    return _SearchResponse(searching, _plain(lines), headers)


class _SearchResponse(StreamingResponse):
    """The lines of a search, which is given up when the client leaves, even before the first line."""

    def __init__(
        self, searching: asyncio.Task[Encoded], lines: AsyncIterator[bytes], headers: Mapping[str, str]
    ) -> None:
        super().__init__(lines, headers=headers, media_type=NDJSON)
        self._searching = searching

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._searching.cancel()


async def _progress(
    searching: asyncio.Task[Encoded], searched: asyncio.Queue[int]
) -> AsyncGenerator[bytes | Encoded, None]:
    """The lines of a search: progress, each as bytes, and at the end the answer or bytes that refuse it."""
    begun = monotonic()
    waiting: asyncio.Task[int] | None = None
    try:
        while not searching.done():
            waiting = asyncio.create_task(searched.get())
            await asyncio.wait([searching, waiting], return_when=asyncio.FIRST_COMPLETED, timeout=2)
            positions = waiting.result() if waiting.done() else None
            waiting.cancel()
            if not searching.done():
                seconds = round(monotonic() - begun, 1)
                yield _line(SearchProgress(type="progress", positions=positions, seconds=seconds))
        yield searching.result()
    except ParlourError as error:
        yield _line(SearchRefusal(type="error", code=error.code, error=str(error)))
    finally:
        if waiting is not None:
            waiting.cancel()


async def _plain(lines: AsyncGenerator[bytes | Encoded, None]) -> AsyncIterator[bytes]:
    async with aclosing(lines):
        async for line in lines:
            yield line.json.join(ANSWER_LINE) if isinstance(line, Encoded) else line


async def _gzipped(lines: AsyncGenerator[bytes | Encoded, None]) -> AsyncIterator[bytes]:
    """The same as one gzip file, in which the answer is as the search process has compressed it."""
    stream, (before, after) = GzipStream(), ANSWER_LINE
    yield stream.begin()
    async with aclosing(lines):
        async for line in lines:
            if isinstance(line, Encoded):
                yield stream.text(before) + stream.document(line) + stream.text(after)
            else:
                yield stream.text(line)
    yield stream.end()


def _line(document: SearchProgress | SearchRefusal) -> bytes:
    return write(document) + b"\n"
