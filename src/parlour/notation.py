"""Moves and numbers as people type them: with other brackets, spaces, separators and letters than their names have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TypeVar

PASS_WORDS = ("pass", "skip")
LONGEST_NUMBER = 1000  # digits of a number that is read
LONGEST_TEXT = 2500  # characters of a text that may name a move

K = TypeVar("K")

_DIGITS = re.compile(rf"[0-9]{{1,{LONGEST_NUMBER}}}")
# Brackets that people put around a move, and the parts of its name: letters, or digits without leading zeros.
_NUMBER = re.compile(rf"[\s(\[{{]*([0-9]{{1,{LONGEST_NUMBER}}})[\s)\]}}.]*", re.ASCII)
_AROUND = re.compile(r"^[\s(\[{]+|[\s)\]}.]+$")
_PART = re.compile(r"[^\W\d_]+|[0-9]+")


def is_pass(text: str) -> bool:
    """Whether a text means the pass."""
    return text.strip().lower() in PASS_WORDS


def is_number(text: str) -> bool:
    """Whether a text is a whole number without a sign, of a length that is read."""
    return bool(_DIGITS.fullmatch(text))


def read_number(text: str) -> int | None:
    """Return the number in a text, with or without brackets; None if there is none."""
    number = _NUMBER.fullmatch(text) if len(text) <= LONGEST_TEXT else None
    return int(number[1]) if number else None


class MoveTexts:
    """Moves by the texts that name them. A text that could mean two moves names none."""

    def __init__(self, names: Mapping[str, int], others: Iterable[tuple[str, int]]) -> None:
        """``names`` are the moves by their names, and ``others`` second names."""
        own = {character for name in names for character in _PART.sub("", name)}
        self._exactly: dict[str, int] = {**_unambiguous(others), **names}
        self._in_parts = _unambiguous((_parts(name), move) for name, move in names.items())
        # What people put between the parts of a name, or the names themselves have there.
        self._separators = re.compile(f"[{re.escape(''.join(sorted(own | set(',;:/'))))}\\s]*")

    def find(self, text: str) -> int | None:
        """Return the move that a text names; None if it names none."""
        if len(text) > LONGEST_TEXT:
            return None
        token = _AROUND.sub("", text).lower()
        if token in self._exactly:
            return self._exactly[token]
        if not self._separators.fullmatch(_PART.sub("", token)):
            return None
        return self._in_parts.get(_parts(token))


def _parts(token: str) -> tuple[str, ...]:
    return tuple(part.lstrip("0") or "0" if part[0].isdigit() else part for part in _PART.findall(token))


def _unambiguous(found: Iterable[tuple[K, int]]) -> dict[K, int]:
    moves: dict[K, int] = {}
    twice = set()
    for key, move in found:
        if key in moves:
            twice.add(key)
        moves[key] = move
    return {key: move for key, move in moves.items() if key not in twice}
