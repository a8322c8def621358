"""How the web says no: one line of JSON with a stable code, and never status 200."""

from __future__ import annotations

import logging
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from parlour.errors import ANSWERS, BadDatabase, MoveRefused, ParlourError, TooManyRequests
from parlour.web.documents import Refusal, State
from parlour.web.pages import not_found

log = logging.getLogger(__name__)

# What goes wrong before Parlour is asked.
CODES = {
    400: ("request/bad", "the request cannot be read"),
    404: ("page/unknown", "there is nothing at this address; GET /api/openapi.json lists what there is"),
    405: ("method/wrong", "this address does not do that; GET /api/openapi.json lists what it does"),
    413: ("body/too-large", "the request is too large; 128 KB are the most"),
}


def refuse(error: ParlourError, state: State | None = None) -> JSONResponse:
    """The answer that an error has in the one table of them."""
    answer = ANSWERS[type(error)]
    text = str(error)
    if isinstance(error, BadDatabase):  # what it says is for whoever runs the server
        log.error("%s", error)
        text = "the database cannot be reached just now; try again in a moment"
    document = Refusal(code=answer.code, error=text, state=state)
    if isinstance(error, MoveRefused):
        document.reason, document.legal = error.reason, error.legal
    headers = {"Retry-After": str(error.wait)} if isinstance(error, TooManyRequests) else None
    return JSONResponse(document.model_dump(exclude_none=True), answer.status, headers)


def handle_refusals(app: FastAPI) -> None:
    """Let an application answer in this way whatever goes wrong."""

    @app.exception_handler(ParlourError)
    async def parlour_refuses(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, ParlourError)
        return refuse(error)

    @app.exception_handler(RequestValidationError)
    async def cannot_be_read(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        return JSONResponse(_told("request/bad", _first(error)), 400)

    @app.exception_handler(HTTPException)
    async def not_for_us(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if error.status_code == 404 and (page := not_found(request)) is not None:
            return page
        code, text = CODES.get(error.status_code, CODES[400])
        return JSONResponse(_told(code, text), error.status_code, error.headers)


def _told(code: str, text: str) -> dict[str, Any]:
    return Refusal(code=code, error=text).model_dump(exclude_none=True)


def _first(error: RequestValidationError) -> str:
    """The first thing that is wrong with a request, in one line."""
    found = error.errors()[0]
    where = ".".join(str(part) for part in found["loc"][1:])
    return f"bad request: {where + ': ' if where else ''}{found['msg'][:1].lower()}{found['msg'][1:]}"
