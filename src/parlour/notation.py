"""Tolerant readers of moves and numbers: they ignore brackets, spaces, separators and letter case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import TypeVar

PASS_WORDS = ("pass", "skip")
MAX_DIGITS = 1000  # in a number
MAX_TEXT_LENGTH = 2500  # characters of the name of a move

K = TypeVar("K")

DIGITS = "0123456789"
SPACES = " \t\n\r\f\v"
BEFORE, AFTER = f"{SPACES}([{{", f"{SPACES})]}}."  # around a move, as people type it


def is_pass(text: str) -> bool:
    """Return whether a text means the pass."""
    return text.strip().lower() in PASS_WORDS


def is_number(text: str) -> bool:
    """Return whether a text is a whole number without a sign, with at most ``MAX_DIGITS`` digits."""
    return text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS


def read_number(text: str) -> int | None:
    """Return the number in a text, with or without brackets; None if there is none."""
    digits = text.lstrip(BEFORE).rstrip(AFTER) if len(text) <= MAX_TEXT_LENGTH else ""
    return int(digits) if is_number(digits) else None


class MoveTexts:
    """An index of moves by name; ambiguous names are left out."""

    def __init__(self, names: Mapping[str, int], others: Iterable[tuple[str, int]]) -> None:
        """Index ``names``, the moves by name, and ``others``, pairs of an alternative name and its move."""
        self._exactly: dict[str, int] = {**_unambiguous(others), **names}
        self._in_parts = _unambiguous((_parts(name), move) for name, move in names.items())
        # Common separators, and those in the names.
        self._separators = {*",;:/ ", *(character for name in names for character in name if not _part_of(character))}

    def find(self, text: str) -> int | None:
        """Return the move with a name; None if there is none."""
        if len(text) > MAX_TEXT_LENGTH:
            return None
        token = " ".join(text.split()).lstrip(BEFORE).rstrip(AFTER).lower()
        if token in self._exactly:
            return self._exactly[token]
        if any(not _part_of(character) and character not in self._separators for character in token):
            return None
        return self._in_parts.get(_parts(token))


def _part_of(character: str) -> str:
    """Return "digits", "letters", or "" for a separator."""
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
