"""Documents as plain dataclasses of JSON's types, for programs that make schemas of dataclasses, such as Pydantic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, make_dataclass
from enum import Enum, StrEnum
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from parlour.game import Game
from parlour.rules import Move, Rules
from parlour.writer import TABLES


@cache
def model_of(cls: type[Any]) -> type[Any]:
    """Return a dataclass of the fields that are written, with the types that they have in JSON."""
    hints, fields = get_type_hints(cls), []
    for row in TABLES[cls]:
        metadata: dict[str, Any] = {"description": row.description}
        if row.key != row.attribute:
            metadata["alias"] = row.key
        if row.retired:
            metadata["deprecated"] = True
        hint = hints.get(row.attribute) or get_type_hints(getattr(cls, row.attribute).fget)["return"]
        fields.append((row.attribute, _in_json(hint), field(default=row.default, metadata=metadata)))
    return _made(cls, fields)


@cache
def _record_model(cls: type[Any]) -> type[Any]:
    """Return the same for a NamedTuple, whose descriptions are in its annotations."""
    hints = get_type_hints(cls, include_extras=True).items()
    return _made(
        cls,
        [
            (name, _in_json(get_args(hint)[0]), field(metadata={"description": get_args(hint)[1]}))
            for name, hint in hints
            if get_origin(hint) is Annotated
        ],
    )


def _made(cls: type[Any], fields: list[tuple[str, Any, Any]]) -> type[Any]:
    doc = (cls.__doc__ or "").partition(">>>")[0].strip()  # without the example
    return make_dataclass(cls.__name__, fields, kw_only=True, namespace={"__doc__": doc, "__module__": cls.__module__})


def _in_json(hint: Any) -> Any:
    """Return the type of a value in JSON."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return Union[tuple(_in_json(each) for each in arguments)]  # noqa: UP007 - of a tuple
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return dict[_in_json(arguments[0]), _in_json(arguments[1])]  # type: ignore[misc]
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return list[_in_json(arguments[0])]  # type: ignore[misc]
    cls = origin or hint
    if not isinstance(cls, type):
        return hint
    if cls in TABLES:
        return cls if all(isinstance(each, TypeVar) for each in arguments) else hint
    if issubclass(cls, Rules):
        return dict[str, str]
    if issubclass(cls, Move | Game):
        return str
    if issubclass(cls, Enum):
        return Literal[tuple(each.value if issubclass(cls, StrEnum) else each.name.lower() for each in cls)]
    return _record_model(cls) if issubclass(cls, tuple) else hint
