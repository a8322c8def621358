"""Refusals of the web: one line of JSON with a stable code, and never status 200."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from parlour import errors
from parlour.documents.match import State
from parlour.errors import MoveRefused, ParlourError
from parlour.fields import about, document
from parlour.service import errors as service_errors
from parlour.service.errors import TooManyRequests
from parlour.store import errors as store_errors
from parlour.store.errors import BadDatabase, DamagedDatabase, DamagedMatch
from parlour.text import clip
from parlour.web.pages import not_found
from parlour.web.wire import respond

log = logging.getLogger(__name__)

# Errors without a class, by status: before a request reaches Parlour, and for bugs.
HTTP_ERRORS = {
    400: ("request/bad", "the request cannot be read"),
    404: ("page/unknown", "there is nothing at this address; GET /api/openapi.json lists what there is"),
    405: ("method/wrong", "this address does not do that; GET /api/openapi.json lists what it does"),
    413: ("body/too-large", "the request is too large; 128 KB are the most"),
    415: ("body/encoded", "the body is compressed or otherwise encoded; send it without Content-Encoding"),
    500: ("server/failed", "something went wrong on this side; try again in a moment"),
}


ERRORS: dict[str, type[ParlourError]] = {  # all error classes of Parlour, by name
    name: found
    for module in (errors, store_errors, service_errors)
    for name, found in vars(module).items()
    if isinstance(found, type) and issubclass(found, ParlourError)
}


def _codes_by_status() -> str:
    """Every code: "401 seat/needed; 403 seat/wrong"."""
    by_status: dict[int, list[str]] = {status: [code] for status, (code, _) in HTTP_ERRORS.items()}
    for error in ERRORS.values():
        if "code" in vars(error):
            by_status.setdefault(error.status, []).append(error.code)
    return "; ".join(f"{status} {', '.join(codes)}" for status, codes in sorted(by_status.items()))


@document
class Refusal:
    """The body of every refusal."""

    code: str = about(f"the stable error code. By status: {_codes_by_status()}")
    error: str = about("the problem and a suggestion, in one line")
    reason: str | None = about("the reason why a move was refused", default=None)
    legal: str | None = about("the legal moves in short", default=None)
    state: State | None = about("the current state of the match, after a move that answers an older one", default=None)


DATABASE_REFUSALS: dict[type[BadDatabase], str] = {
    BadDatabase: "the database cannot be reached just now; try again in a moment",
    DamagedDatabase: "the database of this server is damaged; whoever runs it can see where in its log",
}


def refuse(error: ParlourError, state: State | None = None) -> Response:
    """Return the response for an error, with the code and status of its class."""
    text = str(error)
    if isinstance(error, BadDatabase):  # what it says is for whoever runs the server
        log.error("%s", error)
        text = next(DATABASE_REFUSALS[base] for base in type(error).__mro__ if base in DATABASE_REFUSALS)
    elif isinstance(error, DamagedMatch):
        log.error("%s", _with_cause(error))
    reason, legal = (error.reason, error.legal) if isinstance(error, MoveRefused) else (None, None)
    document = Refusal(code=error.code, error=text, reason=reason, legal=legal, state=state)
    headers = {"Retry-After": str(error.wait)} if isinstance(error, TooManyRequests) else None
    return respond(document, error.status, headers)


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
