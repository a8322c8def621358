"""A reader of documents in JSON, the inverse of ``writer``.

Unknown fields are ignored, because a newer server may send some. All other fields must have their declared types.
"""

from __future__ import annotations

from dataclasses import MISSING
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from parlour.writer import TABLES

T = TypeVar("T")


def read_document(cls: type[T], data: object) -> T:
    """Return a document of a class from parsed JSON.

    Raises:
        ValueError: a field is missing or has the wrong type; the message contains the path of the field.
    """
    document: T = _read(cls, data, "")
    return document


def _read(hint: Any, data: Any, path: str) -> Any:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        if data is None and NoneType in arguments:
            return None
        (inner,) = (each for each in arguments if each is not NoneType)  # documents have no other unions
        return _read(inner, data, path)
    if origin is Literal:
        if any(data == each and type(data) is type(each) for each in arguments):
            return data
    elif origin is list:
        if isinstance(data, list):
            return [_read(arguments[0], each, f"{path}[{index}]") for index, each in enumerate(data)]
    elif origin is dict:
        if isinstance(data, dict):  # keys are strings in JSON
            return {key: _read(arguments[1], each, f"{path}[{key!r}]") for key, each in data.items()}
    elif hint in TABLES:
        if isinstance(data, dict):
            return _read_fields(hint, data, path)
    elif issubclass(hint, Enum):
        if data in [each.value for each in hint]:
            return hint(data)
    elif type(data) is hint:
        return data
    raise ValueError(f"{path.removeprefix('.') or 'the document'} is missing or malformed")


def _read_fields(cls: Any, data: dict[str, Any], path: str) -> Any:
    hints, values = _hints(cls), {}
    for row in TABLES[cls]:
        if row.key in data or row.default is MISSING:
            values[row.attribute] = _read(hints[row.attribute], data.get(row.key, MISSING), f"{path}.{row.key}")
    return cls(**values)


_hints = cache(get_type_hints)  # evaluating annotations is slow
