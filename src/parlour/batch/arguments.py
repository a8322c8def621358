"""Checks of the arguments of a batch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from parlour.errors import BadArgument
from parlour.text import clip

try:
    import numpy as np
except ImportError:  # then a batch raises MissingExtra before it checks anything else
    np = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def whole_numbers(name: str, given: ArrayLike) -> NDArray[np.int64]:
    """Return an argument as a contiguous array for compiled code. BadArgument if it has anything but whole numbers."""
    try:
        array = np.asarray(given)
    except ValueError:  # lists of different lengths
        raise BadArgument(f"bad {name} {clip(repr(given))}; give whole numbers") from None
    if array.dtype.kind not in "iu":
        raise BadArgument(f"bad {name}: {array.dtype} is not a type of whole number")
    if array.dtype == np.uint64:
        array = np.minimum(array, np.uint64(2**63 - 1))
    return np.asarray(array, np.int64, order="C")


def check_output(out: Any, shape: tuple[int, ...], dtype: Any) -> None:
    """Raise BadArgument if ``out`` is not a contiguous writeable array of this shape and type."""
    good = isinstance(out, np.ndarray) and out.dtype == dtype and out.shape == shape
    if not good or not (out.flags.c_contiguous and out.flags.writeable):
        kind = f"{out.dtype} array of shape {out.shape}" if isinstance(out, np.ndarray) else clip(repr(out))
        raise BadArgument(f"bad out: {kind}; give a contiguous {np.dtype(dtype)} array of shape {shape}")
