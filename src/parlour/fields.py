"""Declarations of the fields of documents, and reflection on the fields of options and positions.

All reflection on class bodies is in this module. The decorators fill the tables of ``writer``, so that a build for an
environment without reflection can run them once and ship the tables.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cache, partial
from typing import Any, Literal, TypeVar, dataclass_transform, get_type_hints, overload

from parlour.writer import ENCODERS, FIELDS, TABLES, VERSION, WITH_RULES, FieldRow

T = TypeVar("T")

_ROWS: dict[type[Any], dict[str, FieldRow]] = {}  # all fields of each document, selected by ``WRITTEN`` or not


def about(
    description: str,
    *,
    name: str | None = None,
    most: int | None = None,
    default: Any = MISSING,
    deprecated: bool = False,
) -> Any:
    """Declare a field of a document.

    ``name`` is its JSON key, by default the name of the attribute. A list is cut to its first ``most`` entries.
    """
    metadata: dict[str, Any] = {"description": description, "most": most}
    if name is not None:
        metadata["alias"] = name
    if deprecated:
        metadata["deprecated"] = True
    return field(default=default, metadata=metadata)


def retired(description: str) -> Any:
    """Declare a deprecated field, which the next version of the documents removes."""
    return about(f"{description}; kept for readers of version {VERSION}", deprecated=True)


def hidden() -> Any:
    """Declare a field that is left out of the JSON."""
    return field(metadata={"hidden": True})


@overload
def written(getter: Callable[[Any], T], /) -> Callable[[Any], T]: ...
@overload
def written(*, name: str) -> Callable[[Callable[[Any], T]], Callable[[Any], T]]: ...
def written(getter: Any = None, /, *, name: str | None = None) -> Any:
    """Mark the getter of a property to include in the JSON; its docstring is the description.

    ``name`` is its JSON key, by default the name of the property.
    """
    if getter is None:
        return partial(_mark, name=name)
    return _mark(getter, name=getter.__name__)


def _mark(getter: Any, *, name: str | None) -> Any:
    getter.key = name
    return getter


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(about, retired, hidden))
def document(cls: type[T]) -> type[T]:
    """Make a class a document: a frozen dataclass with a table of its fields.

    A tuple ``WRITTEN`` in the class body selects and orders the JSON fields; "*" at its end means all other fields.
    By default all fields are written, those of base classes first.
    """
    members = list(vars(cls))  # fields and properties, in order of definition
    made = dataclass(kw_only=True, frozen=True)(cls)
    rows = {name: row for base in reversed(cls.__mro__[1:]) for name, row in _ROWS.get(base, {}).items()}
    declared = {each.name: each for each in fields(made)}  # type: ignore[arg-type]
    for name in members:
        if name in declared:
            if not declared[name].metadata.get("hidden"):
                rows[name] = _row(declared[name])
        elif (getter := getattr(vars(cls)[name], "fget", None)) and hasattr(getter, "key"):
            rows[name] = FieldRow(
                name, getter.key, getter.__doc__, MISSING, _form(getter.__annotations__["return"]), retired=False
            )
    order = vars(cls).get("WRITTEN", rows)
    if "*" in order:
        order = dict.fromkeys([*order[:-1], *rows])
    _ROWS[made] = rows
    TABLES[made] = tuple(rows[name] for name in order)
    FIELDS[made] = tuple(declared)
    if "rules" in declared and str(declared["rules"].type).startswith("Rules"):
        WITH_RULES.add(made)
    return made


def record(**descriptions: str) -> Callable[[type[T]], type[T]]:
    """Register a NamedTuple as a document; the keywords are the descriptions of its fields."""

    def register(cls: type[T]) -> type[T]:
        TABLES[cls] = tuple(
            FieldRow(name, name, text, MISSING, "values", retired=False) for name, text in descriptions.items()
        )
        return cls

    return register


def written_as(encode: Callable[[Any], object]) -> Callable[[type[T]], type[T]]:
    """Register a function that converts the objects of a class to JSON."""

    def register(cls: type[T]) -> type[T]:
        ENCODERS[cls] = encode
        return cls

    return register


def _row(declared: Any) -> FieldRow:
    metadata = declared.metadata
    return FieldRow(
        attribute=declared.name,
        key=metadata.get("alias", declared.name),
        description=metadata.get("description", ""),
        default=declared.default,
        form=_form(declared.type),
        retired=metadata.get("deprecated", False),
        most=metadata.get("most"),
    )


def _form(annotation: str) -> Literal["plain", "values", "moves"]:
    if re.search(r"\bMove\b", annotation):
        return "moves"
    return "values" if re.search(r"\b(Value|Score|Range)\b", annotation) else "plain"


def names_of(cls: type[tuple[Any, ...]]) -> tuple[str, ...]:
    """Return the names of the fields of a NamedTuple."""
    names: tuple[str, ...] = cls._fields  # type: ignore[attr-defined]
    return names


@cache  # evaluating annotations is slower than replaying a game
def notes_of(cls: type[tuple[Any, ...]]) -> Mapping[str, Any]:
    """Return the ``Annotated`` metadata of a NamedTuple's fields by their names."""
    return {name: hint.__metadata__[0] for name, hint in get_type_hints(cls, include_extras=True).items()}
