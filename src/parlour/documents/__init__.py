"""What goes over the wire, once: everything that Parlour writes as JSON, and how the core's objects become it.

``parlour ... --json``, the processes that search for the web, and HTTP all write these documents. A document is a plain
dataclass; where it describes an object of the core it has that object's name with Document behind it. Players are 1 and
2, a move is its name, the value of an option is a text, times are UTC. Nothing here decides anything.

A field may be added at any time. One that is to go is ``retired``: it stays until ``VERSION`` goes up, and says so. A
field that has a default is left out of the JSON while it has that.
"""

from __future__ import annotations

import json
from dataclasses import MISSING, dataclass, field, fields
from datetime import UTC, datetime
from functools import cache
from typing import Any, TypeVar, dataclass_transform

VERSION = 1  # of all documents together; it goes up when a field is removed or changes its meaning

T = TypeVar("T")


def about(description: str, *, name: str | None = None, default: Any = MISSING, deprecated: bool = False) -> Any:
    """A field of a document and what it says; ``name`` is what JSON calls it, where Python cannot."""
    metadata: dict[str, Any] = {"description": description}
    if name is not None:
        metadata["alias"] = name
    if deprecated:
        metadata["deprecated"] = True
    return field(default=default, metadata=metadata)


def retired(description: str) -> Any:
    """A field that only readers of this version still want: the next one does without it."""
    return about(f"{description}; kept for readers of version {VERSION}", deprecated=True)


@dataclass_transform(kw_only_default=True, field_specifiers=(about, retired))
def document(cls: type[T]) -> type[T]:
    """Make a class a document: a dataclass, whose fields Pydantic describes in the same words where it is installed."""
    return dataclass(kw_only=True)(cls)


def write_json(documents: object, indent: int | None = None, *, compact: bool = False) -> str:
    """One or several documents as JSON; ``compact`` as HTTP has it, without any blanks."""
    separators = (",", ":") if compact else None
    return json.dumps(documents, default=fields_of, ensure_ascii=False, indent=indent, separators=separators)


def fields_of(document: Any) -> dict[str, object]:
    """The fields of a document as JSON has them."""
    told = vars(document)
    return {name: told[key] for key, name, default in _names(document.__class__) if told[key] is not default}


@cache
def _names(cls: type[Any]) -> list[tuple[str, str, object]]:
    """Each field of a kind of document: its name in Python and in JSON, and its default."""
    return [(field.name, field.metadata.get("alias", field.name), field.default) for field in fields(cls)]


def utc(seconds: float) -> str:
    """A time as documents have it, given in seconds since 1970."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
