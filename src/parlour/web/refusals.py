"""How the web says no: one line of JSON with a stable code, and never status 200."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from parlour.documents.match import State
from parlour.documents.refusal import HTTP_ERRORS, Refusal
from parlour.errors import (
    BadDatabase,
    DamagedDatabase,
    DamagedMatch,
    MoveRefused,
    ParlourError,
    TooManyRequests,
    answer_to,
)
from parlour.text import clip
from parlour.web.pages import not_found
from parlour.web.wire import respond

log = logging.getLogger(__name__)

DATABASE_REFUSALS: dict[type[BadDatabase], str] = {
    BadDatabase: "the database cannot be reached just now; try again in a moment",
    DamagedDatabase: "the database of this server is damaged; whoever runs it can see where in its log",
}


def refuse(error: ParlourError, state: State | None = None) -> Response:
    """The answer that an error has in the one table of them."""
    answer = answer_to(error)
    text = str(error)
    if isinstance(error, BadDatabase):  # what it says is for whoever runs the server
        log.error("%s", error)
        text = next(DATABASE_REFUSALS[base] for base in type(error).__mro__ if base in DATABASE_REFUSALS)
    elif isinstance(error, DamagedMatch):
        log.error("%s", _with_cause(error))
    reason, legal = (error.reason, error.legal) if isinstance(error, MoveRefused) else (None, None)
    document = Refusal(code=answer.code, error=text, reason=reason, legal=legal, state=state)
    headers = {"Retry-After": str(error.wait)} if isinstance(error, TooManyRequests) else None
    return respond(document, answer.status, headers)


def _with_cause(error: ParlourError) -> str:
    """What an error says, and what the database said that led to it."""
    return f"{error} ({error.__cause__})" if error.__cause__ else str(error)


def handle_refusals(app: FastAPI) -> None:
    """Let an application answer in this way whatever goes wrong."""

    @app.exception_handler(ParlourError)
    async def parlour_refuses(request: Request, error: Exception) -> Response:
        assert isinstance(error, ParlourError)
        return refuse(error)

    @app.exception_handler(RequestValidationError)
    async def cannot_be_read(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return refuse_http(400, _first(error))

    @app.exception_handler(HTTPException)
    async def not_for_us(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if error.status_code == 404 and (page := not_found(request)) is not None:
            return page
        return refuse_http(error.status_code, headers=error.headers)

    @app.exception_handler(Exception)
    async def our_mistake(request: Request, error: Exception) -> Response:
        return refuse_http(500)


def refuse_http(status: int, text: str | None = None, headers: Mapping[str, str] | None = None) -> Response:
    """The answer to what is no request at all, by its status."""
    code, usual = HTTP_ERRORS.get(status, HTTP_ERRORS[400])
    return respond(Refusal(code=code, error=text or usual), status, headers)


def _first(error: RequestValidationError) -> str:
    """The first thing that is wrong with a request, in one line."""
    found = error.errors()[0]
    if found["type"] == "json_invalid" or tuple(found["loc"]) == ("body",):
        return "bad request: the body is to be a JSON object, sent with Content-Type: application/json"
    where = clip(".".join(str(part) for part in found["loc"][1:]))
    return f"bad request: {where + ': ' if where else ''}{found['msg'][:1].lower()}{found['msg'][1:]}"
