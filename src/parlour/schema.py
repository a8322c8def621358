"""Pydantic schemas of the documents, for HTTP and MCP.

Pydantic would build the schema of a document again for every type that mentions it, such as the response types of
FastAPI's routes. That took half of a server's start-up time, so schemas are cached.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, fields, is_dataclass, make_dataclass
from enum import Enum, StrEnum
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter

from parlour import documents
from parlour.game import Game, Move
from parlour.rules import Rules
from parlour.writer import TABLES

_MORE_MODULES = ("parlour.lab.atlas",)  # have documents, but parlour.documents doesn't import them
_schemas: dict[type[Any], Any] = {}  # schemas by document; None while one is being built


@cache
def model_of(cls: type[Any]) -> type[Any]:
    """Return a dataclass with the JSON fields of a document or record, and their types in JSON.

    It is the class itself if the fields are the same and its docstring has no example.
    """
    hints, written = get_type_hints(cls), []
    for row in TABLES[cls]:
        metadata: dict[str, Any] = {"description": row.description}
        if row.key != row.attribute:
            metadata["alias"] = row.key
        if row.retired:
            metadata["deprecated"] = True
        hint = hints.get(row.attribute) or get_type_hints(getattr(cls, row.attribute).fget)["return"]
        written.append((row.attribute, _in_json(hint), field(default=row.default, metadata=metadata)))
    own = fields(cls) if is_dataclass(cls) else ()
    doc, example, _ = (cls.__doc__ or "").partition(">>>")
    if not example and [(each.name, hints[each.name]) for each in own] == [(name, hint) for name, hint, _ in written]:
        return cls
    namespace = {"__doc__": doc.strip(), "__module__": cls.__module__}
    return make_dataclass(cls.__name__, written, kw_only=True, namespace=namespace)


def _in_json(hint: Any) -> Any:
    """Return the JSON type of a Python type."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return Union[tuple(_in_json(each) for each in arguments)]  # noqa: UP007 - X | Y does not take a tuple
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return dict[_in_json(arguments[0]), _in_json(arguments[1])]  # type: ignore[misc]
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return list[_in_json(arguments[0])]  # type: ignore[misc]
    cls = origin or hint
    if cls is Move:
        return str
    if not isinstance(cls, type):
        return hint
    if cls in TABLES:
        if issubclass(cls, tuple):
            return model_of(cls)
        return cls if all(isinstance(each, TypeVar) for each in arguments) else hint
    if issubclass(cls, Rules):
        return dict[str, str]
    if issubclass(cls, Game):
        return str
    if issubclass(cls, Enum):
        return Literal[tuple(each.value if issubclass(cls, StrEnum) else each.name.lower() for each in cls)]
    return hint


def share_schemas() -> None:
    """Let all types share one schema of each document. Call this before the first route is declared."""
    modules = (module.name for module in iter_modules(documents.__path__, f"{documents.__name__}."))
    for name in (*modules, *_MORE_MODULES):
        import_module(name)
    for kind in TABLES:
        if not issubclass(kind, tuple):
            kind.__get_pydantic_core_schema__ = classmethod(_core_schema)


def _core_schema(cls: type[Any], source: Any, build: Callable[[Any], Any]) -> Any:
    """Return the cached schema of a document; the ``__get_pydantic_core_schema__`` of documents."""
    if source is not cls:  # a parametrised generic class
        return build(source)
    if cls not in _schemas:
        _schemas[cls] = None
        _schemas[cls] = TypeAdapter(model_of(cls)).core_schema
    return _schemas[cls] or build(source)
