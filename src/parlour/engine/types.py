"""Annotations of kernels, beside int and float. In Python an array is a list, or anything that acts like one."""

from __future__ import annotations

from typing import Any, NewType

Word = NewType("Word", int)  # 64 bits without a sign; only primitives look into it


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
