"""Kinds of values in C, and the declarations of structs and constants."""

from __future__ import annotations

import inspect
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import FunctionType, NoneType
from typing import Any, NoReturn, get_args, get_origin, get_type_hints

from parlour.engine.artefacts import NotCompilable
from parlour.engine.primitives import Bytes, Floats, Ints, Octets, Shorts, Table, Word, Words


@dataclass(frozen=True)
class Kind:
    """A kind of value, with its type in C."""

    c: str


@dataclass(frozen=True)
class Array(Kind):
    """An array in memory that the caller owns."""

    item: Kind
    stored: str  # the C type of an item in memory


@dataclass(frozen=True)
class Record(Kind):
    """A NamedTuple or a tuple, passed by value."""

    fields: tuple[tuple[str, Kind], ...]

    def kind_of(self, name: str) -> Kind | None:
        return dict(self.fields).get(name)


INT, FLOAT, NOTHING = Kind("i64"), Kind("double"), Kind("void")
WORD = Kind("u64")  # a state of a random sequence, opaque except to primitives
TABLE = Kind("Table *")

INTS, BYTES, WORDS = Array("i64 *", INT, "i64"), Array("signed char *", INT, "signed char"), Array("u64 *", WORD, "u64")

KINDS: dict[Any, Kind] = {  # key: annotation
    int: INT,
    bool: INT,
    float: FLOAT,
    Word: WORD,
    Table: TABLE,
    None: NOTHING,
    NoneType: NOTHING,
    Ints: INTS,
    Shorts: Array("short *", INT, "short"),
    Bytes: BYTES,
    Octets: Array("unsigned char *", INT, "unsigned char"),
    Floats: Array("double *", FLOAT, "double"),
    Words: WORDS,
}


@dataclass(frozen=True)
class Signature:
    """The name, result and parameters of a C function."""

    name: str
    result: Kind
    parameters: tuple[Kind, ...]


@dataclass
class Declarations(ABC):
    """The structs, constants and functions of one C file."""

    # Functions with hand-written C. The Python body is the specification, and tests compare the two. Primitives that
    # return a value must not change arrays or tables.
    primitives: Mapping[Callable[..., Any], Signature]
    types: Mapping[Any, Any] = field(default_factory=dict)  # substitutes for type variables and opaque classes
    declarations: list[str] = field(default_factory=list, init=False)
    _records: dict[Any, Record] = field(default_factory=dict, init=False)
    _constants: dict[str, str] = field(default_factory=dict, init=False)

    @abstractmethod
    def function(self, function: FunctionType) -> Signature:
        """Return the C function of a Python function, which is compiled at its first use."""

    def kind_of(self, annotation: Any) -> Kind | None:
        """Return the kind of an annotated value; None if it cannot be compiled."""
        annotation = self.types.get(annotation, annotation)
        if isinstance(annotation, Kind):
            return annotation
        if annotation in KINDS:
            return KINDS[annotation]
        if isinstance(annotation, type) and issubclass(annotation, tuple) and hasattr(annotation, "_fields"):
            return self.record(annotation)
        if get_origin(annotation) is tuple:
            kinds = [self.kind_of(each) for each in get_args(annotation)]
            return None if None in kinds else self.tuple_of(tuple(kind for kind in kinds if kind))
        supertype = getattr(annotation, "__supertype__", None)  # a NewType
        return self.kind_of(supertype) if supertype is not None else None

    def record(self, cls: Any) -> Record:
        """Return the struct of a NamedTuple."""
        if cls not in self._records:
            fields = []
            for name, annotation in get_type_hints(cls).items():
                kind = self.kind_of(annotation)
                if kind is None or kind is NOTHING or isinstance(kind, Record):
                    refuse(cls, f"the field {name!r} of {cls.__name__!r}", "the annotation int")
                fields.append((name, kind))
            self._declare(cls, cls.__name__, tuple(fields))
        return self._records[cls]

    def tuple_of(self, kinds: tuple[Kind, ...]) -> Record:
        """Return the struct of a tuple without a name."""
        if kinds not in self._records:
            self._declare(kinds, "tuple", tuple((f"_{place}", kind) for place, kind in enumerate(kinds)))
        return self._records[kinds]

    def _declare(self, key: Any, name: str, fields: tuple[tuple[str, Kind], ...]) -> None:
        record = Record(f"{name}_{len(self._records)}", fields)
        members = " ".join(f"{kind.c} f_{name};" for name, kind in fields)
        self.declarations.append(f"typedef struct {{ {members} }} {record.c};")
        self._records[key] = record

    def constant(self, values: tuple[Any, ...]) -> tuple[str, Kind]:
        """Return the name of a constant array of numbers, and the kind of its items."""
        kind = FLOAT if isinstance(values[0], float) else INT
        text = f"[] = {{{', '.join(map(number_literal, values))}}};"
        if text not in self._constants:
            name = self._constants[text] = f"constant_{len(self._constants)}"
            self.declarations.append(f"static const {kind.c} {name}{text}")
        return self._constants[text], kind


def refuse(thing: Any, what: str, remedy: str, line: int | None = None) -> NoReturn:
    """Refuse to compile a function or class, with file, line and remedy."""
    try:
        thing = inspect.unwrap(thing)
        file = inspect.getsourcefile(thing)
        line = line or inspect.getsourcelines(thing)[1]
    except (OSError, TypeError):  # has no source
        file, line = getattr(thing, "__module__", None), line or 0
    raise NotCompilable(f"{file}:{line}: {what} cannot be compiled; use {remedy}")


def number_literal(value: int | float) -> str:
    """Return a number as written in C."""
    if isinstance(value, float):
        named = '__builtin_nan("")' if math.isnan(value) else "__builtin_inf()"
        text = abs(value).hex() if math.isfinite(value) else named
        return f"(-{text})" if math.copysign(1, value) < 0 else text
    return "MIN64" if value == -(1 << 63) else f"({int(value)}LL)"


def is_mutable(kind: Kind) -> bool:
    """Return whether a function can change the caller's value of this kind."""
    if isinstance(kind, Record):
        return any(is_mutable(each) for _, each in kind.fields)
    return isinstance(kind, Array) or kind is TABLE
