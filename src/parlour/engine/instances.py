"""An engine with a memory of its own, and arrays in it: the same for WebAssembly and native code."""

from __future__ import annotations

import ctypes
import struct
from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterable
from typing import Any

from parlour.errors import TooBig


class Instance(ABC):
    """The compiled engine of a game with a memory of its own. It is used by one thread, and calls release the GIL."""

    base = 0  # the machine's address of address 0
    block: int  # the address of the block of numbers that exported functions take and leave

    @abstractmethod
    def run(self, name: str) -> bool:
        """Run an exported function; return False if it trapped."""

    def call(self, name: str, *arguments: float, results: str = "q") -> Any:
        """Call an exported function; ``results`` are the formats of the numbers that it leaves in the block.

        Raises:
            TooBig: it trapped.
        """
        formats = "".join("d" if isinstance(each, float) else "q" for each in arguments)
        self.write(self.block, struct.pack(f"={formats}", *arguments))
        if not self.run(name):
            raise TooBig("no exact answer within 64 bits and the depth of the engine; choose smaller options")
        found = struct.unpack(f"={results}", self.read(self.block, 8 * len(results)))
        return found[0] if len(found) == 1 else found

    def allocate(self, size: int) -> int:
        """Return the address of this many bytes, all 0.

        Raises:
            TooBig: the memory cannot grow.
        """
        address: int = self.call("allocate", size)
        if not address:
            raise TooBig("no exact answer within the memory that there is; ask later in the game")
        return address

    def read(self, address: int, size: int) -> bytes:
        """Return a part of the memory."""
        return ctypes.string_at(self.base + address, size)

    def write(self, address: int, data: bytes) -> None:
        """Write to the memory."""
        ctypes.memmove(self.base + address, data, len(data))


class Numbers:
    """An array in the memory of an instance."""

    def __init__(self, instance: Instance, typecode: str, values: Iterable[float], room: int = 0) -> None:
        """``typecode`` is that of an ``array``: q, d or Q. ``room``: length, if longer than the values."""
        given = array(typecode, values)
        self._instance, self._typecode, self._length = instance, typecode, max(len(given), room)
        self.address = instance.allocate(8 * self._length)
        instance.write(self.address, given.tobytes())

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, place: int) -> Any:
        if not 0 <= place < self._length:
            raise IndexError(place)
        return struct.unpack(f"={self._typecode}", self._instance.read(self.address + 8 * place, 8))[0]

    def __setitem__(self, place: int, value: float) -> None:
        self._instance.write(self.address + 8 * place, struct.pack(f"={self._typecode}", value))

    def all(self) -> array[Any]:
        """Return a copy as an array."""
        return array(self._typecode, self._instance.read(self.address, 8 * self._length))

    def grown(self) -> Numbers:
        """Return an array twice as long, which begins with these numbers."""
        longer = Numbers(self._instance, self._typecode, (), 2 * self._length)
        self._instance.write(longer.address, self._instance.read(self.address, 8 * self._length))
        return longer
