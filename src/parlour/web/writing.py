"""Documents as JSON, quickly: whatever the web answers is written here."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from fastapi import Response
from pydantic import TypeAdapter


def write(document: Any) -> bytes:
    """A document as JSON."""
    return _adapter(document.__class__).dump_json(document, by_alias=True, exclude_defaults=True)


def respond(document: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A document as the answer to a request."""
    return Response(write(document), status, headers, "application/json")


@cache
def _adapter(kind: type[Any]) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
