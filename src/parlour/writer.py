"""The JSON writer of documents, which are results and messages.

A document is a frozen dataclass or a NamedTuple, declared with the decorators of ``fields``. Python programs get the
object; ``--json``, HTTP and the browser get its fields as JSON:

- players are 1 and 2, and moves are written by name, not by number;
- a game is written as its key, and rules as the texts of their options;
- times are UTC.

A field that has its default value is left out. New fields may be added at any time; a ``retired`` field stays until
the next ``VERSION``.

The writer reads ``TABLES``, ``FIELDS``, ``WITH_RULES`` and ``ENCODERS``, which the decorators of ``fields`` fill.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from enum import Enum, StrEnum
from functools import partial
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

VERSION = 1  # the version of all documents; raised when a field is removed or changes its meaning

T = TypeVar("T")


class MoveNames(Protocol):
    """The part of a game's rules that the writer uses."""

    def name(self, move: int) -> str: ...


class FieldRow(NamedTuple):
    """The JSON form of a field."""

    attribute: str
    key: str  # the JSON key
    description: str
    default: object  # left out of the JSON while it has this value; dataclasses.MISSING: always written
    form: Literal["plain", "values", "moves"]  # "values" has enums and records; "moves" has numbers of moves as well
    retired: bool
    most: int | None = None  # the maximum number of entries of a list


_SCALARS = frozenset([str, int, float, bool])
TABLES: dict[type[Any], tuple[FieldRow, ...]] = {}
FIELDS: dict[type[Any], tuple[str, ...]] = {}  # all arguments of each document, hidden ones included
WITH_RULES: set[type[Any]] = set()  # documents with a field ``rules``, which names their moves
ENCODERS: dict[type[Any], Callable[[Any], object]] = {}  # JSON of classes that are not documents


def extend(cls: type[T], base: object, **more: object) -> T:
    """Return a document of a class that extends the class of ``base``: with its fields and ``more``."""
    fields = {name: getattr(base, name) for name in FIELDS[base.__class__]}
    return cls(**{**fields, **more})


def write_json(
    documents: object, rules: MoveNames | None = None, *, indent: int | None = None, compact: bool = False
) -> str:
    """Return one or several results as JSON.

    ``rules`` name the moves of results that have no rules themselves. ``compact`` leaves out the blanks, as HTTP does.

    >>> import parlour
    >>> parlour.write_json(parlour.solve("double-up", limit=30))
    '{"value": "win", "plies": 7}'
    >>> rules = parlour.rules_of("double-up", limit=10)
    >>> parlour.write_json(parlour.Solver(rules).choices(rules.position([8])), rules)
    '[{"move": "9", "value": "loss", "plies": 2}, {"move": "10", "value": "win", "plies": 1}]'

    Raises:
        TypeError: something in it is not a result.
    """
    import json  # not needed before the first prompt of a game

    prepared, encode = _prepared(documents, rules), partial(_encoded, rules=rules)
    separators = (",", ":") if compact else None
    return json.dumps(prepared, default=encode, ensure_ascii=False, indent=indent, separators=separators)


def _prepared(value: Any, rules: MoveNames | None) -> object:
    """Convert records and enums, also in lists and mappings; json would write them as lists and numbers."""
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
    """Return the JSON fields of a document; nested documents are left to ``write_json``."""
    own = document.rules if document.__class__ in WITH_RULES else None
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
    """Return a value converted to the types of JSON, nested documents included."""
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
    """Return the JSON of a document, an enum or an object with an encoder."""
    if value.__class__ in TABLES:
        return fields_of(value, rules)
    if isinstance(value, Enum):
        return _word(value)
    for cls, encode in ENCODERS.items():
        if isinstance(value, cls):
            return encode(value)
    raise TypeError(f"{value!r} cannot be written as JSON; it is not a document")


def _named(value: Any, rules: MoveNames | None) -> Any:
    """Convert enums and records to JSON; with ``rules``, also numbers of moves to their names."""
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
    """Return a time, in seconds since 1970, in the format of documents."""
    days, rest = divmod(int(seconds), 24 * 60 * 60)
    day = date(1970, 1, 1) + timedelta(days=days)
    return f"{day.isoformat()}T{rest // 3600:02d}:{rest // 60 % 60:02d}:{rest % 60:02d}Z"
