"""Checks of arguments of public functions."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

from parlour.errors import BadArgument
from parlour.text import clip


def as_index(value: object) -> int | None:
    """Return a whole number of any type as an int, and None for anything else.

    NumPy's whole numbers and its arrays without dimensions are accepted; bools and other arrays are not.
    """
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]  # isinstance with SupportsIndex is slow
    except TypeError:
        return None


def whole_number(name: str, given: object, least: int | None = None) -> int:
    """Return an argument as an int.

    Raises:
        BadArgument: it is not a whole number, or less than ``least``.
    """
    number = as_index(given)
    if number is None or (least is not None and number < least):
        bound = "" if least is None else f" of at least {least}"
        raise BadArgument(f"bad {name} {clip(repr(given))}; give a whole number{bound}")
    return number


def several(name: str, given: Any, hint: str = "give a list of them") -> Iterator[Any]:
    """Return an iterator over an argument of several values. A text is refused: its characters would be the values.

    Raises:
        BadArgument: it is a text, or not iterable.
    """
    try:
        if isinstance(given, str | bytes):
            raise TypeError
        return iter(given)
    except TypeError:
        raise BadArgument(f"several {name} are needed, not {clip(repr(given))}; {hint}") from None


def check_choice(name: str, given: Any, allowed: tuple[Any, ...]) -> Any:
    """Return an argument that must be one of the allowed values.

    Raises:
        BadArgument: it is another value.
    """
    if isinstance(given, bool) or given not in allowed:
        raise BadArgument(f"bad {name} {clip(repr(given))}; allowed: {', '.join(map(str, allowed))}")
    return given


def seed_text(given: object) -> str:
    """Return a seed as a text.

    Raises:
        BadArgument: it is neither a whole number nor a text.
    """
    number = as_index(given)
    if number is None and not isinstance(given, str):
        raise BadArgument(f"bad seed {clip(repr(given))}; give a whole number or a text")
    return str(given if number is None else number)
