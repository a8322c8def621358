"""Kernels of batches in native code, and the arguments of compiled kernels."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable
from typing import Any

import numpy as np

from parlour.errors import TooBig
from parlour.game import Game


def address(argument: Any) -> int:
    """Return the machine address of an array; numbers are returned unchanged."""
    if not isinstance(argument, np.ndarray):
        return int(argument)
    if argument.size and argument.flags.writeable:  # four times as fast
        return ctypes.addressof(ctypes.c_char.from_buffer(argument))  # type: ignore[arg-type]
    return int(argument.__array_interface__["data"][0])


def flat(arguments: tuple[Any, ...], number: Callable[[Any], int], records: dict[int, Any]) -> array[int]:
    """Return all arguments as numbers, and the fields of tuples. ``records`` caches flattened tuples."""
    found = array("q")
    for argument in arguments:
        if type(argument) is int:
            found.append(argument)
        elif isinstance(argument, tuple):
            if id(argument) not in records:
                records[id(argument)] = argument, array("q", map(number, argument))
            found += records[id(argument)][1]
        else:
            found.append(number(argument))
    return found


class NativeKernels:
    """The kernels of a game. Several threads can run them at the same time."""

    def __init__(self, game: Game[Any, Any]) -> None:
        """Raises NoEngine if there is no native code."""
        from parlour.engine.native import function, library

        self._library = library(game, batches=True)
        self._function = function

    def holds(self, array: Any) -> bool:
        """Return whether kernels can use an array in place."""
        return True

    def bind(self, name: str, arguments: tuple[Any, ...], records: dict[int, Any]) -> Callable[[int, int], int]:
        """Return a kernel that takes only a share of the games. ``records`` caches flattened tuples between calls."""
        given = flat(arguments, address, records)
        kernel = self._function(self._library, name)

        def run(begin: int, end: int) -> int:
            block = given + array("q", (begin, end))
            if not kernel(block.buffer_info()[0]):
                raise TooBig("a number of this game needs more than 64 bits; choose smaller options")
            return block[0]

        return run
