"""Pydantic's schemas of the documents, each built once.

Pydantic builds the schema of a plain dataclass again in every type that mentions it, and FastAPI has such types for the
responses of every route. That took half of a server's start-up time.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from pydantic import TypeAdapter

from parlour import documents
from parlour.documents.schema import model_of
from parlour.writer import TABLES

RESULTS = ("parlour.lab.atlas",)  # modules with documents that no module of parlour.documents imports
_schemas: dict[type[Any], Any] = {}  # schemas of the documents; None while one is built


def share_schemas() -> None:
    """Have Pydantic build the schema of every document only once. Call it before the first route is declared."""
    for name in (*(module.name for module in iter_modules(documents.__path__, f"{documents.__name__}.")), *RESULTS):
        import_module(name)
    for kind in TABLES:
        kind.__get_pydantic_core_schema__ = classmethod(_core_schema)


def _core_schema(cls: type[Any], source: Any, build: Callable[[Any], Any]) -> Any:
    """Return the schema of a document; Pydantic calls this where a type mentions one."""
    if source is not cls:  # a generic class with its parameters
        return build(source)
    if cls not in _schemas:
        _schemas[cls] = None
        _schemas[cls] = TypeAdapter(model_of(cls)).core_schema
    return _schemas[cls] or build(source)
