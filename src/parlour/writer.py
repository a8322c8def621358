"""Results and messages as JSON: their fields, the descriptions of these, and the one writer.

A document is a frozen dataclass, or a NamedTuple that is a ``record``. Python programs get it as a result; ``--json``,
HTTP and the browser get its fields:

- players are 1 and 2, and a move is its name, not its number;
- a game is written as its key, rules as the texts of their options;
- times are UTC.

A field with a default is left out of the JSON while it has that value. A field may be added at any time. A field
that is to go is ``retired``: it stays until ``VERSION`` goes up.

The writer works from ``TABLES``, ``FIELDS`` and ``FORMS``, which decorators fill. A build without reflection can ship
these tables as data.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from datetime import UTC, datetime
from enum import Enum, StrEnum
from functools import partial
from typing import Any, Literal, NamedTuple, Protocol, TypeVar, dataclass_transform, overload

VERSION = 1  # the version of all documents together; it goes up when a field is removed or changes its meaning

T = TypeVar("T")


class MoveNames(Protocol):
    """What the writer needs of the rules of a game."""

    def name(self, move: int) -> str: ...


class FieldRow(NamedTuple):
    """How a field is written."""

    attribute: str
    key: str  # in JSON
    description: str
    default: object  # MISSING: always written
    form: Literal["plain", "values", "moves"]  # values and records are written by name; in "moves", numbers too
    retired: bool
    most: int | None = None  # entries of a list that are written


_SCALARS = frozenset([str, int, float, bool])
TABLES: dict[type[Any], tuple[FieldRow, ...]] = {}
FIELDS: dict[type[Any], tuple[str, ...]] = {}  # arguments of documents, with those that are not written
FORMS: dict[type[Any], Callable[[Any], object]] = {}  # JSON of classes that have no fields there
_ROWS: dict[type[Any], dict[str, FieldRow]] = {}  # all fields, also those that ``WRITTEN`` leaves out


def about(
    description: str,
    *,
    name: str | None = None,
    most: int | None = None,
    default: Any = MISSING,
    deprecated: bool = False,
) -> Any:
    """Declare a field of a document.

    ``name`` is its key in JSON if that is another one; of a longer list only the first ``most`` entries are written.
    """
    metadata: dict[str, Any] = {"description": description, "most": most}
    if name is not None:
        metadata["alias"] = name
    if deprecated:
        metadata["deprecated"] = True
    return field(default=default, metadata=metadata)


def retired(description: str) -> Any:
    """Declare a field that only readers of this version need."""
    return about(f"{description}; kept for readers of version {VERSION}", deprecated=True)


def hidden(*, default: Any = MISSING) -> Any:
    """Declare a field that is not written."""
    return field(default=default, metadata={"hidden": True})


@overload
def written(getter: Callable[[Any], T], /) -> Callable[[Any], T]: ...
@overload
def written(*, name: str) -> Callable[[Callable[[Any], T]], Callable[[Any], T]]: ...
def written(getter: Any = None, /, *, name: str | None = None) -> Any:
    """Mark the getter of a property that is written like a field. Its docstring is the description.

    ``name`` is its key in JSON if that is another one.
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

    ``WRITTEN``, a tuple in the class body, selects and orders what is written; without it all of it is, bases first.
    "*" at its end means all others.
    """
    places = list(vars(cls))  # fields and properties, in their order
    made = dataclass(kw_only=True, frozen=True)(cls)
    rows = {name: row for base in reversed(cls.__mro__[1:]) for name, row in _ROWS.get(base, {}).items()}
    declared = {each.name: each for each in fields(made)}  # type: ignore[arg-type]
    for name in places:
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
    return made


def record(**descriptions: str) -> Callable[[type[T]], type[T]]:
    """Have a NamedTuple written like a document, by its fields with these descriptions."""

    def register(cls: type[T]) -> type[T]:
        TABLES[cls] = tuple(
            FieldRow(name, name, text, MISSING, "values", retired=False) for name, text in descriptions.items()
        )
        return cls

    return register


def written_as(form: Callable[[Any], object]) -> Callable[[type[T]], type[T]]:
    """Have the objects of a class written in this form."""

    def register(cls: type[T]) -> type[T]:
        FORMS[cls] = form
        return cls

    return register


def extend(cls: type[T], base: object, **more: object) -> T:
    """Return a document of a class with the fields of another, which its class has too, and ``more``."""
    fields = {name: getattr(base, name) for name in FIELDS[base.__class__]}
    return cls(**{**fields, **more})


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


def write_json(
    documents: object, rules: MoveNames | None = None, *, indent: int | None = None, compact: bool = False
) -> str:
    """Return one or several results as JSON; ``compact``: without blanks, as HTTP has it.

    ``rules`` name the moves of results without rules of their own.

    >>> import parlour
    >>> parlour.write_json(parlour.solve("double-up", limit=30))
    '{"value": "win", "plies": 7}'
    >>> rules = parlour.rules_of("double-up", limit=10)
    >>> parlour.write_json(parlour.Solver(rules).choices(rules.position([8])), rules)
    '[{"move": "9", "value": "loss", "plies": 2}, {"move": "10", "value": "win", "plies": 1}]'

    Raises:
        TypeError: something in it is not a result.
    """

    def fields(value: object) -> object:
        return _encoded(value, rules)

    separators = (",", ":") if compact else None
    found = _prepared(documents, rules)
    return json.dumps(found, default=fields, ensure_ascii=False, indent=indent, separators=separators)


def _prepared(value: Any, rules: MoveNames | None) -> object:
    """Return what json would write in another way, records and enums, as it should; what is inside of lists too."""
    if isinstance(value, Enum):
        return _word(value)
    if isinstance(value, tuple) and value.__class__ is not tuple:
        return _encoded(value, rules)
    if isinstance(value, list | tuple):
        return [_prepared(each, rules) for each in value]
    if isinstance(value, Mapping):
        return {_prepared(key, rules): _prepared(each, rules) for key, each in value.items()}
    return value


def fields_of(document: Any, rules: MoveNames | None = None) -> dict[str, object]:
    """Return the fields of a document as JSON has them; nested documents are left to ``write_json``."""
    own = getattr(document, "rules", None)
    rules = rules if own is None else own
    fields: dict[str, object] = {}
    for attribute, key, _, default, form, _, most in TABLES[document.__class__]:
        value = getattr(document, attribute)
        if value is not default:
            if most is not None and value is not None:
                value = value[:most]
            if form != "plain":
                value = _named(value, rules if form == "moves" else None)
            fields[key] = value if own is None else plain(value, own)
    return fields


def plain(value: Any, rules: MoveNames | None = None) -> Any:
    """Return a value in JSON's types only, nested documents included."""
    if value is None or value.__class__ in _SCALARS:  # most values of a large document
        return value
    if value.__class__ in TABLES:
        return {key: plain(each, rules) for key, each in fields_of(value, rules).items()}
    if isinstance(value, list | tuple):
        return [plain(each, rules) for each in value]
    if isinstance(value, Mapping):
        return {plain(key, rules): plain(each, rules) for key, each in value.items()}
    return plain(_encoded(value, rules), rules)


def _encoded(value: Any, rules: MoveNames | None) -> object:
    """Return the fields of a document, or the JSON of a value that JSON has no type for."""
    if value.__class__ in TABLES:
        return fields_of(value, rules)
    if isinstance(value, Enum):
        return _word(value)
    for cls, form in FORMS.items():
        if isinstance(value, cls):
            return form(value)
    raise TypeError(f"{value!r} cannot be written as JSON; it is not a document")


def _named(value: Any, rules: MoveNames | None) -> Any:
    """Return a structure of values and records with words and names; with ``rules``, its numbers are moves."""
    if isinstance(value, Enum):
        return _word(value)
    if isinstance(value, int):
        return value if rules is None else rules.name(value)
    if value.__class__ in TABLES:
        return fields_of(value, rules)
    if isinstance(value, Mapping):
        return {_named(key, rules): _named(each, rules) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_named(each, rules) for each in value]
    return value


def _word(value: Enum) -> object:
    return value.value if isinstance(value, StrEnum) else value.name.lower()


def utc(seconds: float) -> str:
    """Return a time as documents have it, from seconds since 1970."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
