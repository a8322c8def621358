"""Positions in one machine word: what compiled code can keep, and tables on disk."""

from __future__ import annotations

import math

from parlour.game import P
from parlour.options import O
from parlour.rules import Rules

WORD = 63  # bits of a word beside its sign
MASK_BITS = 62  # the longest mask of moves in compiled code


def packs(rules: Rules[O, P], spare: int = 1) -> bool:
    """Whether a position fits into a word with this many bits to spare."""
    return rules.bounds is not None and math.prod(rules.bounds.position) < 1 << WORD - spare


def compiles(rules: Rules[O, P], spare: int = 1) -> bool:
    """Whether compiled code can search the game: a position packs, and a mask of moves fits into a word too."""
    if rules.bounds is None or not packs(rules, spare):
        return False
    if rules.bounds.moves <= MASK_BITS or rules.is_over(rules.start):
        return True
    return not rules.game.rules.moves(rules.packed, rules.start).mask  # a range of any size is two numbers


def pack(rules: Rules[O, P], position: P) -> int:
    """A position as one number: its fields in mixed radix, each below its bound."""
    key = 0
    for bound, value in zip(_radix(rules), position, strict=True):
        key = key * bound + value
    return key


def unpack(rules: Rules[O, P], key: int) -> P:
    """The position that was packed."""
    values = []
    for bound in reversed(_radix(rules)):
        key, value = divmod(key, bound)
        values.append(value)
    return rules.position(reversed(values))


def _radix(rules: Rules[O, P]) -> tuple[int, ...]:
    assert rules.bounds is not None  # callers pack positions only of games that end
    return rules.bounds.position
