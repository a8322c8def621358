"""Documents to JSON and back, quickly: whatever the web answers is written here."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar, cast

from fastapi import Response
from pydantic import TypeAdapter

T = TypeVar("T")


def write(document: Any) -> bytes:
    """A document as JSON."""
    return _adapter(document.__class__).dump_json(document, by_alias=True, exclude_defaults=True)


def read(kind: type[T], fields: Mapping[str, Any]) -> T:
    """The document of this kind that has these fields; ValueError if there is none."""
    any_kind: Any = kind
    return cast(T, _adapter(any_kind).validate_python(fields))


def respond(document: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A document as the answer to a request."""
    return Response(write(document), status, headers, "application/json")


@cache
def _adapter(kind: type[Any]) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
