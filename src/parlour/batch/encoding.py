"""Positions as rows of zeros and ones, for machine learning."""

from __future__ import annotations

from itertools import accumulate
from operator import lshift
from typing import TYPE_CHECKING, Any

from parlour.errors import BadArgument, TooBig
from parlour.game import Moves, P
from parlour.options import O
from parlour.rules import Rules

try:
    import numpy as np
except ImportError:  # batches and adapters have raised MissingExtra before
    np = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class Encoding:
    """An encoding of positions as zeros and ones: each field in binary, the lowest bit first.

    A field has one column for each bit of its largest value, according to the ``bounds`` of the rules. So a field that
    is a set of numbers has one column for each number. ``decode`` reverses the encoding.

    >>> import parlour
    >>> batch = parlour.Batch(parlour.rules_of("increasing-differences", range=15), 2)
    >>> batch.encoding.width, batch.encoding.columns
    (32, {'pool': slice(0, 16, None), 'last': slice(16, 20, None), 'gap': slice(20, 24, None), ...})
    >>> batch.observations()[0, batch.encoding.columns["pool"]]
    array([0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], dtype=int8)
    >>> batch.encoding.decode(batch.observations())[0]
    array([65534,     0,     0,     0,     0])
    >>> (batch.encoding.encode(batch.position(1)) == batch.observations()[1]).all()
    np.True_
    """

    def __init__(self, names: tuple[str, ...], bounds: tuple[int, ...]) -> None:
        self.offsets = [0, *accumulate((bound - 1).bit_length() for bound in bounds)]  # the first column of each field
        self.columns = {  # the columns of each field, by name
            name: slice(begin, end) for name, begin, end in zip(names, self.offsets, self.offsets[1:], strict=False)
        }

    def __repr__(self) -> str:
        return f"<Encoding of {', '.join(self.columns)}: {self.width} columns>"

    @classmethod
    def of(cls, rules: Rules[O, P]) -> Encoding:
        """Return the encoding of a game's positions. Raises TooBig if the game need not end."""
        if rules.bounds is None:
            raise TooBig("positions of a game that need not end have no fixed width; set a limit")
        names: tuple[str, ...] = rules.start._fields  # type: ignore[attr-defined]  # a NamedTuple, without a type of its own
        return cls(names, rules.bounds.position)

    @property
    def width(self) -> int:
        """The number of columns."""
        return self.offsets[-1]

    def encode(self, position: tuple[int, ...]) -> NDArray[np.int8]:
        """Return the row of a position."""
        return spread_bits(self.pack(position), self.width)

    def pack(self, position: tuple[int, ...]) -> int:
        """Return the row of a position as one number, the first column in its lowest bit."""
        return sum(map(lshift, position, self.offsets))

    def decode(self, observations: ArrayLike) -> NDArray[np.int64]:
        """Return the positions of observations. The last axis has fields instead of bits.

        Raises:
            BadArgument: the last axis is not as long as an observation.
        """
        observations = np.asarray(observations)
        if observations.shape[-1:] != (self.width,):
            raise BadArgument(
                f"bad observations of shape {observations.shape}; the last axis has to be {self.width} long"
            )
        fields: list[Any] = []
        for columns in self.columns.values():
            bits = observations[..., columns].astype(np.int64)
            fields.append((bits << np.arange(bits.shape[-1])).sum(axis=-1))
        return np.stack(fields, axis=-1)


_DIGITS = bytes.maketrans(b"01", b"\0\1")


def spread_bits(bits: int, width: int) -> NDArray[np.int8]:
    """Return the lowest bits of a number as an array, the lowest first."""
    # Formatting the digits as text is faster than NumPy for rows of this length.
    return np.frombuffer(bytearray(f"{bits:0{width}b}"[::-1], "ascii").translate(_DIGITS), np.int8)


def mask_bits(moves: Moves) -> int:
    """Return the mask of moves, also of those that are a range."""
    return moves.mask or (2 << moves.high) - (1 << moves.low)
