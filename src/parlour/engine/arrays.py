"""Arguments of compiled batch kernels as numbers, NumPy arrays as their addresses."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable
from typing import Any

import numpy as np


def address(argument: Any) -> int:
    """Return a number as it is, and the machine address of an array."""
    if not isinstance(argument, np.ndarray):
        return int(argument)
    if argument.size and argument.flags.writeable:  # this way takes a quarter of the time
        return ctypes.addressof(ctypes.c_char.from_buffer(argument))  # type: ignore[arg-type]
    return int(argument.__array_interface__["data"][0])


def flat(arguments: tuple[Any, ...], number: Callable[[Any], int], records: dict[int, Any]) -> array[int]:
    """Return all arguments as numbers, records field by field. ``records`` caches those that were flattened before."""
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
