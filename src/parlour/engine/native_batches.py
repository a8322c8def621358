"""The kernels of batches in native code, over NumPy's arrays."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

from parlour.engine.arrays import address, flat
from parlour.engine.native import function, library
from parlour.errors import TooBig
from parlour.game import Game


class NativeKernels:
    """The kernels of a game. Several threads can run them at the same time."""

    def __init__(self, game: Game[Any, Any]) -> None:
        """Raises NoEngine if there is no native code."""
        self._library = library(game, batches=True)

    def holds(self, array: Any) -> bool:
        """Whether kernels can use an array where it is."""
        return True

    def bind(self, name: str, arguments: tuple[Any, ...], records: dict[int, Any]) -> Callable[[int, int], int]:
        """Return a kernel with all arguments but the share. ``records`` caches tuples of arrays between calls."""
        given = flat(arguments, address, records)
        kernel = function(self._library, name)

        def run(begin: int, end: int) -> int:
            block = given + array("q", (begin, end))
            if not kernel(block.buffer_info()[0]):
                raise TooBig("a number of this game needs more than 64 bits; choose smaller options")
            return block[0]

        return run
