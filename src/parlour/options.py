"""The kinds of option a game can have, and their text form.

A game declares its options once, as a NamedTuple of ints whose annotations carry one of these kinds::

    class Options(NamedTuple):
        length: Annotated[int, Number("numbers a sequence needs to win", 2, 30)] = 4

Command line, records, documents and forms are derived from that declaration. The functions of a game get packed
options, one int each. ``value`` unpacks an option to a Python value, such as ``None`` or ``(1, 2, 3)``; ``read`` and
``show`` convert typed text to an option and back, and ``say`` describes it. The functions below that return texts
accept options packed or as Python values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple, NewType, Protocol

from parlour.arguments import as_index
from parlour.errors import BadOptions
from parlour.fields import notes_of
from parlour.text import clip, did_you_mean, joined, nearest

SomeOptions = NewType("SomeOptions", tuple[int, ...])  # the options of a game known only at run time

if TYPE_CHECKING:  # the default is for a plain `Game`
    from typing_extensions import TypeVar

    O = TypeVar("O", bound=tuple[int, ...], default=SomeOptions)  # noqa: E741  (a game's Options)
else:
    from typing import TypeVar

    O = TypeVar("O", bound=tuple[int, ...])  # noqa: E741


OptionValue = int | str | None | Iterable[int]  # the value of an option: a number, its text, none, or several numbers


class Kind(Protocol):
    """One kind of option."""

    @property
    def help(self) -> str: ...
    @property
    def allowed(self) -> str: ...  # the allowed values, as a text
    def read(self, text: str) -> int | None: ...  # the value, or None for an invalid text
    def read_several(self, text: str) -> list[int] | None: ...  # the values of a list, or None for an invalid one
    def value(self, packed: int) -> OptionValue: ...  # the Python value: a number, a word, None or a tuple of numbers
    def show(self, value: int) -> str: ...  # the inverse of read
    def say(self, value: int) -> str: ...  # a description of the value, "up to 100"; empty without one


def read_whole(text: str) -> int | None:
    """Return the number with at most nine decimal digits; None for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else None


class Number(NamedTuple):
    """A whole number from ``low`` to ``high``; or ``none`` (packed as 0) if the game allows it."""

    help: str
    low: int
    high: int
    none: bool = False
    said: str = ""  # the description, with {} for the number: "up to {}"
    said_none: str = ""  # "without a limit"

    @property
    def allowed(self) -> str:
        return f"a number from {self.low} to {self.high}" + (", or none" if self.none else "")

    def read(self, text: str) -> int | None:
        if self.none and text == "none":
            return 0
        value = read_whole(text)
        return value if value is not None and self.low <= value <= self.high else None

    def read_several(self, text: str) -> list[int] | None:
        """Return the values of a list of numbers and ranges: ``4-8,10``."""
        values: list[int] = []
        for part in text.split(","):
            ends = [self.read(end.strip()) for end in part.split("-")]
            first, last = ends[0], ends[-1]
            if first is None or last is None or len(ends) > 2 or last < first:
                return None
            if len(ends) == 2 and 0 in ends and self.none:
                return None  # none can't be the end of a range
            values += range(first, last + 1)
        return values

    def value(self, packed: int) -> int | None:
        return None if self.none and packed == 0 else packed

    def show(self, value: int) -> str:
        return "none" if self.none and value == 0 else str(value)

    def say(self, value: int) -> str:
        return self.said_none if self.none and value == 0 else self.said.format(value)


class Word(NamedTuple):
    """One of a few words, packed as its place in the list."""

    help: str
    words: tuple[str, ...]
    said: tuple[str, ...] = ()  # descriptions of the words: "any grid", "winnable grids"

    @property
    def allowed(self) -> str:
        return joined(self.words, "or")

    def read(self, text: str) -> int | None:
        return self.words.index(text) if text in self.words else None

    def read_several(self, text: str) -> list[int] | None:
        """Return the values of a list of words."""
        values = [self.read(part.strip()) for part in text.split(",")]
        return [value for value in values if value is not None] if None not in values else None

    def value(self, packed: int) -> str:
        return self.words[packed]

    def show(self, value: int) -> str:
        return self.words[value]

    def say(self, value: int) -> str:
        return self.said[value] if self.said else ""


class Numbers(NamedTuple):
    """A set of numbers from ``low`` to ``high``, at least one; packed as a bit mask."""

    help: str
    low: int
    high: int
    said: str = ""  # the description, with {} for the numbers: "steps of {}"

    @property
    def allowed(self) -> str:
        return f"numbers from {self.low} to {self.high}, separated by commas"

    def read(self, text: str) -> int | None:
        mask = 0
        for part in text.split(","):
            value = read_whole(part.strip())
            if value is None or not self.low <= value <= self.high:
                return None
            mask |= 1 << value
        return mask

    def read_several(self, text: str) -> list[int] | None:
        """Return one value, whose commas separate its numbers."""
        value = self.read(text)
        return None if value is None else [value]

    def value(self, packed: int) -> tuple[int, ...]:
        return tuple(n for n in range(self.low, self.high + 1) if packed >> n & 1)

    def show(self, value: int) -> str:
        return ",".join(map(str, self.value(value)))

    def say(self, value: int) -> str:
        return self.said.format(joined([str(n) for n in self.value(value)], "or"))


class Arrangement(NamedTuple):
    """The numbers 1 to 9 in some order, packed as the number with these nine digits; 0: not dealt yet.

    The rules use an arrangement only for the start position, so arrangements with the same start are the same game.
    """

    help: str

    @property
    def allowed(self) -> str:
        return "the numbers 1 to 9, each once, separated by commas"

    def read(self, text: str) -> int | None:
        digits = [part.strip() for part in text.split(",")]
        return int("".join(digits)) if sorted(digits) == list("123456789") else None

    def read_several(self, text: str) -> list[int] | None:
        """Return one value, whose commas separate its numbers."""
        value = self.read(text)
        return None if value is None else [value]

    def value(self, packed: int) -> tuple[int, ...] | None:
        return tuple(map(int, str(packed))) if packed else None

    def show(self, value: int) -> str:
        return ",".join(str(value)) if value else ""

    def say(self, value: int) -> str:
        return ""


def declared(options: type[tuple[int, ...]]) -> Mapping[str, Kind]:
    """Return the kinds of a class's options by name, in order."""
    return notes_of(options)


def left_to_chance(options: type[tuple[int, ...]]) -> list[str]:
    """Return the names of the options that a deal sets."""
    return [name for name, kind in declared(options).items() if isinstance(kind, Arrangement)]


def flag(name: str) -> str:
    """Return an option's name as people type it: ``max-rounds``."""
    return name.replace("_", "-")


def unflag(text: str) -> str:
    """Return the option's name in ``--max-rounds``, ``max-rounds`` or ``max_rounds``."""
    return text.strip().removeprefix("--").replace("-", "_")


def read_options(options: type[O], given: Mapping[str, OptionValue]) -> O:
    """Return the given options, with defaults for the others; BadOptions if one is invalid."""
    kinds = declared(options)
    values: dict[str, int] = {}
    for name, thing in given.items():
        if name not in kinds:
            near = did_you_mean(nearest(name, kinds))
            raise BadOptions(f"unknown option {clip(name)!r}{near}; known options: {', '.join(kinds)}")
        kind = kinds[name]
        if thing is None and kind.value(0) is None:
            values[name] = 0
            continue
        text = _text_of(name, thing)
        value = kind.read(text)
        if value is None:
            near = did_you_mean(nearest(text, kind.words if isinstance(kind, Word) else ()))
            raise BadOptions(f"bad {flag(name)} {clip(text)!r}{near}; allowed: {kind.allowed}")
        values[name] = value
    return options(**values)


def _text_of(name: str, value: OptionValue) -> str:
    """Return a value as typed text; BadOptions for an invalid type."""
    if isinstance(value, str):
        return value
    if value is None:
        return "none"
    single = as_index(value)
    try:
        numbers = [as_index(each) for each in value] if single is None and isinstance(value, Iterable) else [single]
    except TypeError:  # an array without dimensions
        numbers = [None]
    if None in numbers:
        raise BadOptions(f"bad {flag(name)} {clip(repr(value))}; give a number, a text or several numbers")
    try:
        return ",".join(map(str, numbers))
    except ValueError:  # Python limits the digits of a text
        raise BadOptions(f"bad {flag(name)}: that number has too many digits") from None


def pack_options(options: O) -> O:
    """Return options with every value packed into an int. Invalid values stay unchanged."""
    pairs = zip(declared(type(options)).values(), options, strict=True)
    return _made(options, (_packed(kind, value) for kind, value in pairs))


def unpack_options(options: O) -> O:
    """Return packed options with Python values in the fields."""
    pairs = zip(declared(type(options)).values(), options, strict=True)
    return _made(options, (kind.value(packed) for kind, packed in pairs))


def _made(options: O, values: Iterable[object]) -> O:
    """Return options of the same class with other values."""
    return type(options)(*values)  # type: ignore[arg-type]  # a NamedTuple


def _packed(kind: Kind, value: object) -> object:
    if value is None:
        return 0 if kind.value(0) is None else None
    if isinstance(value, tuple):
        packed = kind.read(",".join(map(str, value)))
    else:
        packed = kind.read(value) if isinstance(value, str) else None
    return packed if packed is not None and kind.value(packed) == value else value


def check_values(options: tuple[int, ...]) -> None:
    """Raise BadOptions if one of these packed options has an invalid value."""
    defaults = type(options)()
    for (name, kind), value, default in zip(declared(type(options)).items(), options, defaults, strict=True):
        if value == default and type(value) is int:
            continue
        if type(value) is not int or kind.read(_shown(kind, value)) != value:
            raise BadOptions(f"bad {flag(name)} {clip(str(value))!r}; allowed: {kind.allowed}")


def _shown(kind: Kind, value: int) -> str:
    """Return the text of a value that may be invalid."""
    try:
        return kind.show(value)
    except IndexError:
        return ""


def show_options(options: tuple[int, ...]) -> dict[str, str]:
    """Return the texts of options by name; empty for a missing deal."""
    pairs = zip(declared(type(options)).items(), pack_options(options), strict=True)
    return {name: kind.show(value) for (name, kind), value in pairs}


def show_words(options: tuple[int, ...], besides: tuple[int, ...] | None = None) -> str:
    """Return options as ``name=value`` words, without those that are the same in ``besides``."""
    known = show_options(besides) if besides is not None else {}
    return " ".join(
        f"{name}={text}" for name, text in show_options(options).items() if text and known.get(name) != text
    )


def unusual_options(options: tuple[int, ...]) -> dict[str, str]:
    """Return the texts of options that differ from the book's."""
    usual = show_options(type(options)())
    return {name: text for name, text in show_options(options).items() if text != usual[name]}


def unusual_in_words(options: tuple[int, ...]) -> list[str]:
    """Return descriptions of options that differ from the book's, without the deal, which the board shows."""
    words, dealt = say_options(options), left_to_chance(type(options))
    return [words[name] for name in unusual_options(options) if name not in dealt]


def options_in_words(options: tuple[int, ...]) -> str:
    """Return descriptions of options, ``sequences of 4; numbers 1 to 20``, without a missing deal."""
    return "; ".join(words for words in say_options(options).values() if words)


def say_options(options: tuple[int, ...]) -> dict[str, str]:
    """Return the descriptions of options by name; empty for a missing deal."""
    kinds = declared(type(options))
    return {
        name: text and (kinds[name].say(value) or f"{flag(name)} {text}")
        for (name, text), value in zip(show_options(options).items(), pack_options(options), strict=True)
    }


def read_words(words: str) -> dict[str, str]:
    """Return the texts of options from ``name=value`` words."""
    return {name: text for name, _, text in (word.partition("=") for word in words.split())}


def join_words(texts: Mapping[str, str]) -> str:
    """Return the texts of options as ``name=value`` words."""
    return " ".join(f"{name}={text}" for name, text in texts.items())
