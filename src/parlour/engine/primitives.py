"""Building blocks of kernels: annotations, iteration over moves without a list, and random numbers."""

from __future__ import annotations

from typing import Any, NewType

from parlour.game import Moves

# Annotations besides int and float. In Python an array is a list or any other mutable sequence.

Word = NewType("Word", int)  # 64 bits without a sign, opaque except to primitives


class Ints(list[int]):
    """Whole numbers of 64 bits."""


class Shorts(list[int]):
    """Whole numbers of 16 bits."""


class Bytes(list[int]):
    """Whole numbers from -128 to 127."""


class Octets(list[int]):
    """Whole numbers from 0 to 255."""


class Floats(list[float]):
    """Floats."""


class Words(list[Word]):
    """Words of 64 bits without a sign: the states of random sequences."""


class Table(dict[Any, Any]):
    """A hash table by position: a dictionary, or the table of runtime.c."""


# Moves.


def lowest_bit(mask: int) -> int:
    """Return the index of the lowest set bit."""
    return (mask & -mask).bit_length() - 1


def select_bit(mask: int, place: int) -> int:
    """Return the index of the n-th set bit, counted from 0."""
    for _ in range(place):
        mask &= mask - 1
    return lowest_bit(mask)


def first_move(moves: Moves) -> int:
    """Return the first move; -1 if there is none."""
    if moves.mask:
        return lowest_bit(moves.mask)
    return moves.low if moves.low <= moves.high else -1


def next_move(moves: Moves, move: int) -> int:
    """Return the next move; -1 after the last one."""
    if moves.mask:
        rest = moves.mask >> (move + 1)
        return move + 1 + lowest_bit(rest) if rest else -1
    return move + 1 if move < moves.high else -1


def nth_move(moves: Moves, place: int) -> int:
    """Return the n-th move, counted from 0."""
    return select_bit(moves.mask, place) if moves.mask else moves.low + place


# Random numbers.


def next_state(state: Word) -> Word:
    """Return the next state of a random sequence (64-bit xorshift). It is 0 only after 0."""
    state = Word(state ^ (state << 13 & (1 << 64) - 1))
    state = Word(state ^ state >> 7)
    return Word(state ^ (state << 17 & (1 << 64) - 1))


def draw_below(state: Word, bound: int) -> int:
    """Return a random number below a bound, which is less than 2**31, from the upper bits of a state."""
    return (state >> 33) * bound >> 31
