"""Documents to JSON and back, quickly: whatever the web answers is written here."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar, cast

from fastapi import Request, Response
from pydantic import TypeAdapter

from parlour.web.compression import Encoded, gzip_document
from parlour.writer import write_json

T = TypeVar("T")


def write(document: Any) -> bytes:
    """A document as JSON."""
    return write_json(document, compact=True).encode()


def read(kind: type[T], json: bytes) -> T:
    """The document of this kind that was written as JSON; ValueError if it is none."""
    any_kind: Any = kind
    return cast(T, _adapter(any_kind).validate_json(json))


def respond(document: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A document as the answer to a request."""
    return Response(write(document), status, headers, "application/json")


def respond_encoded(request: Request, answer: Encoded) -> Response:
    """An answer as it was made elsewhere, which is not read here."""
    headers = {"Vary": "Accept-Encoding"}
    if answer.deflated and accepts_gzip(request):
        headers["Content-Encoding"] = "gzip"
        return Response(gzip_document(answer), 200, headers, "application/json")
    return Response(answer.json, 200, headers, "application/json")


def accepts_gzip(request: Request) -> bool:
    return "gzip" in request.headers.get("Accept-Encoding", "")


@cache
def _adapter(kind: type[Any]) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
