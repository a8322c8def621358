"""Readers of moves and numbers that tolerate brackets, spaces, separators and letter case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import TypeVar

PASS_WORDS = ("pass", "skip")
LONGEST_NUMBER = 1000  # digits
LONGEST_TEXT = 2500  # characters of the name of a move

K = TypeVar("K")

DIGITS = "0123456789"
SPACES = " \t\n\r\f\v"
BEFORE, AFTER = f"{SPACES}([{{", f"{SPACES})]}}."  # around a move, as people type it


def is_pass(text: str) -> bool:
    """Return whether a text means the pass."""
    return text.strip().lower() in PASS_WORDS


def is_number(text: str) -> bool:
    """Return whether a text is a whole number without a sign, of at most LONGEST_NUMBER digits."""
    return text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER


def read_number(text: str) -> int | None:
    """Return the number in a text, with or without brackets; None if there is none."""
    digits = text.lstrip(BEFORE).rstrip(AFTER) if len(text) <= LONGEST_TEXT else ""
    return int(digits) if is_number(digits) else None


class MoveTexts:
    """An index of moves by their texts; an ambiguous text has no move."""

    def __init__(self, names: Mapping[str, int], others: Iterable[tuple[str, int]]) -> None:
        """``names`` are the moves by their names, and ``others`` second names."""
        self._exactly: dict[str, int] = {**_unambiguous(others), **names}
        self._in_parts = _unambiguous((_parts(name), move) for name, move in names.items())
        # Common separators, and those of the names.
        self._separators = {*",;:/ ", *(character for name in names for character in name if not _part_of(character))}

    def find(self, text: str) -> int | None:
        """Return the move that a text names; None if it names none."""
        if len(text) > LONGEST_TEXT:
            return None
        token = " ".join(text.split()).lstrip(BEFORE).rstrip(AFTER).lower()
        if token in self._exactly:
            return self._exactly[token]
        if any(not _part_of(character) and character not in self._separators for character in token):
            return None
        return self._in_parts.get(_parts(token))


def _part_of(character: str) -> str:
    """Return the kind of part that a character belongs to: "digits", "letters", or none."""
    if character in DIGITS:
        return "digits"
    return "letters" if character.isalnum() and not character.isdecimal() else ""


def _parts(token: str) -> tuple[str, ...]:
    """Return the parts of a name: letters, or digits without leading zeros."""
    runs = ((kind, "".join(run)) for kind, run in groupby(token, _part_of) if kind)
    return tuple(run.lstrip("0") or "0" if kind == "digits" else run for kind, run in runs)


def _unambiguous(found: Iterable[tuple[K, int]]) -> dict[K, int]:
    moves: dict[K, int] = {}
    twice = set()
    for key, move in found:
        if key in moves:
            twice.add(key)
        moves[key] = move
    return {key: move for key, move in moves.items() if key not in twice}
