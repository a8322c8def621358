"""Results and messages as JSON.

A document is a frozen dataclass, or a NamedTuple that is a ``record``; ``fields`` declares both. Python programs get it
as a result; ``--json``, HTTP and the browser get its fields:

- players are 1 and 2, and a move is its name, not its number;
- a game is written as its key, rules as the texts of their options;
- times are UTC.

A field with a default is left out of the JSON while it has that value. A field may be added at any time. A field
that is to go is ``retired``: it stays until ``VERSION`` goes up.

The writer works from ``TABLES``, ``FIELDS``, ``NAMING`` and ``FORMS``, which the decorators of ``fields`` fill. A build
without reflection can ship these tables as data.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from enum import Enum, StrEnum
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

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
    default: object  # dataclasses.MISSING: always written
    form: Literal["plain", "values", "moves"]  # values and records are written by name; in "moves", numbers too
    retired: bool
    most: int | None = None  # entries of a list that are written


_SCALARS = frozenset([str, int, float, bool])
TABLES: dict[type[Any], tuple[FieldRow, ...]] = {}
FIELDS: dict[type[Any], tuple[str, ...]] = {}  # arguments of documents, with those that are not written
NAMING: set[type[Any]] = set()  # documents with rules of their own, which name their moves
FORMS: dict[type[Any], Callable[[Any], object]] = {}  # JSON of classes that have no fields there


def extend(cls: type[T], base: object, **more: object) -> T:
    """Return a document of a class with the fields of another, which its class has too, and ``more``."""
    fields = {name: getattr(base, name) for name in FIELDS[base.__class__]}
    return cls(**{**fields, **more})


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
    own = document.rules if document.__class__ in NAMING else None
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
    days, rest = divmod(int(seconds), 24 * 60 * 60)
    day = date(1970, 1, 1) + timedelta(days=days)
    return f"{day.isoformat()}T{rest // 3600:02d}:{rest // 60 % 60:02d}:{rest % 60:02d}Z"
