"""Checks of the arguments of a batch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from parlour.errors import ParlourError
from parlour.rules import as_index
from parlour.text import clip

try:
    import numpy as np
except ImportError:  # then a batch raises MissingExtra before it checks anything else
    np = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def check_choice(name: str, given: Any, allowed: tuple[Any, ...]) -> Any:
    """Return an argument that must be one of the allowed values. ParlourError if it is not."""
    if isinstance(given, bool) or given not in allowed:
        raise ParlourError(f"bad {name} {clip(repr(given))}; allowed: {', '.join(map(str, allowed))}")
    return given


def whole_number(name: str, given: int, least: int | None = None) -> int:
    """Return an argument that must be a whole number, of at least ``least``, as an int. ParlourError if it is not."""
    whole = as_index(given)
    if whole is None or (least is not None and whole < least):
        bound = "" if least is None else f" of at least {least}"
        raise ParlourError(f"bad {name} {clip(repr(given))}; a whole number{bound} would do")
    return whole


def whole_numbers(name: str, given: ArrayLike) -> NDArray[np.int64]:
    """Return an argument as a contiguous array for compiled code. ParlourError if it has anything but whole numbers."""
    try:
        array = np.asarray(given)
    except ValueError:  # lists of different lengths
        raise ParlourError(f"bad {name} {clip(repr(given))}; whole numbers would do") from None
    if array.dtype.kind not in "iu":
        raise ParlourError(f"bad {name}: {array.dtype} is not a type of whole number")
    if array.dtype == np.uint64:
        array = np.minimum(array, np.uint64(2**63 - 1))
    return np.asarray(array, np.int64, order="C")


def check_output(out: Any, shape: tuple[int, ...], dtype: Any) -> None:
    """Raise ParlourError if ``out`` is not a contiguous writeable array of this shape and type."""
    good = isinstance(out, np.ndarray) and out.dtype == dtype and out.shape == shape
    if not good or not (out.flags.c_contiguous and out.flags.writeable):
        kind = f"{out.dtype} array of shape {out.shape}" if isinstance(out, np.ndarray) else clip(repr(out))
        raise ParlourError(f"bad out: {kind}; a contiguous {np.dtype(dtype)} array of shape {shape} would do")
