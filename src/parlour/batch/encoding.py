"""Positions as rows of zeros and ones, for whoever learns from them."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Any

from parlour.errors import ParlourError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Encoding:
    """How a position is written as zeros and ones: field by field, each in binary, the lowest bit first.

    A field takes as many columns as its largest value has binary digits; ``bounds`` of the rules says how large a field
    can get. So a field that is a set of numbers becomes one column for each number, 1 where it is in the set. Nothing
    is lost: ``decode`` is the way back.

    >>> import parlour
    >>> batch = parlour.Batch(parlour.rules_of("increasing-differences", range=15), 2)
    >>> batch.encoding.width, batch.encoding.columns
    (32, {'pool': slice(0, 16, None), 'last': slice(16, 20, None), 'gap': slice(20, 24, None), ...})
    >>> batch.observations()[0, batch.encoding.columns["pool"]]
    array([0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], dtype=int8)
    >>> batch.encoding.decode(batch.observations())[0]
    array([65534,     0,     0,     0,     0])
    """

    def __init__(self, names: tuple[str, ...], bounds: tuple[int, ...]) -> None:
        self.offsets = [0, *accumulate((bound - 1).bit_length() for bound in bounds)]  # where each field begins
        self.columns = {  # of each field, by its name
            name: slice(begin, end) for name, begin, end in zip(names, self.offsets, self.offsets[1:], strict=False)
        }

    @property
    def width(self) -> int:
        """How many columns there are."""
        return self.offsets[-1]

    def decode(self, observations: NDArray[np.int8]) -> NDArray[np.int64]:
        """The positions that were written so: the last axis has a field in each place, instead of its bits."""
        import numpy as np

        if observations.shape[-1:] != (self.width,):
            raise ParlourError(
                f"bad observations of shape {observations.shape}; the last axis has to be {self.width} long"
            )
        fields: list[Any] = []
        for columns in self.columns.values():
            bits = observations[..., columns].astype(np.int64)
            fields.append((bits << np.arange(bits.shape[-1])).sum(axis=-1))
        return np.stack(fields, axis=-1)
