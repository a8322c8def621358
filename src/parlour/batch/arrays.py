"""Arguments, deals, random states and exact scores of a batch as NumPy arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from parlour.engine.lockstep import UNKNOWN, ScoreArrays, find_score
from parlour.engine.search import FLAGS, pack
from parlour.errors import BadArgument
from parlour.game import P
from parlour.options import O, left_to_chance
from parlour.rules import Rules
from parlour.score import Score
from parlour.text import clip

try:
    import numpy as np
except ImportError:  # Batch() has raised MissingExtra before any of this is called
    np = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


# Arguments.


def whole_numbers(name: str, given: ArrayLike) -> NDArray[np.int64]:
    """Return an argument as a contiguous array of 64-bit integers. Raises BadArgument for other types."""
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


# Deals and random states.


def is_dealt(rules: Rules[O, P]) -> bool:
    """Return whether something is dealt at random before the first move."""
    return any(not getattr(rules.options, name) for name in left_to_chance(rules.game.options))


def make_deals(rules: Rules[O, P], count: int, seed: int) -> tuple[Rules[O, P], ...]:
    """Return the rules with each of ``count`` random deals; only the rules themselves if nothing is dealt."""
    if not is_dealt(rules):
        return (rules,)
    randoms = (Random(f"{seed} deal {number}") for number in range(count))
    return tuple(Rules(rules.game, rules.game.rounds.deal(rules.packed, 1, random)) for random in randoms)


def deal_arrays(deals: Sequence[Rules[Any, Any]]) -> tuple[Any, Any, Any]:
    """Return the ``dealt``, ``starts`` and ``openings`` of ``Games`` for these deals."""
    openings = [
        0 if dealt.is_over(dealt.start) else dealt.game.rules.moves(dealt.packed, dealt.start).mask for dealt in deals
    ]
    dealt, starts = ([getattr(rules, name) for rules in deals] for name in ("packed", "start"))
    return np.array(dealt, np.int64).reshape(-1), np.array(starts, np.int64).reshape(-1), np.array(openings, np.int64)


def first_states(seed: int, games: int) -> Any:
    """Return the first random state of each game, never 0 (splitmix64)."""
    first = np.uint64((seed * 1_000_003 + 1) * 0x9E3779B97F4A7C15 % 2**64)
    state = first + np.arange(games, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    state = (state ^ state >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ state >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    state ^= state >> np.uint64(31)
    return np.maximum(state, np.uint64(1))


# Exact scores.


class Scorer(Protocol):
    """A source of exact scores for the positions of a game, such as a ``ScoreTable`` or a ``Solver``."""

    def score(self, position: Any, /) -> Score: ...


Exact = Callable[[Rules[O, P]], Scorer]  # tabulate, kept_table or Solver


def score_arrays(
    exact: Exact[O, P], deals: Sequence[Rules[O, P]], to_memory: Callable[[Any], Any]
) -> ScoreArrays | None:
    """Return the scores of all deals in one table, copied ``to_memory``; None if ``exact`` makes no tables."""
    keys: list[Any] = []
    entries: list[Any] = []
    ends: dict[Rules[O, P], int] = {}
    for rules in deals:
        if rules not in ends:
            table = exact(rules)
            if not hasattr(table, "arrays"):
                return None
            for parts, made in zip((keys, entries), table.arrays(), strict=True):
                parts.append(np.asarray(made))
            ends[rules] = sum(len(made) for made in keys)
    begins = dict(zip(ends, (0, *ends.values()), strict=False))
    assert deals[0].bounds is not None
    return ScoreArrays(
        to_memory(np.concatenate(keys).astype(np.int64)),
        to_memory((np.concatenate(entries) >> FLAGS).astype(np.int16)),
        to_memory(np.array([begins[rules] for rules in deals], np.int64)),
        to_memory(np.array([ends[rules] for rules in deals], np.int64)),
        to_memory(np.array(deals[0].bounds.position, np.int64)),
    )


def has_score(table: ScoreArrays, rules: Rules[O, P], position: P) -> bool:
    """Return whether the table has a position. All positions are looked up in the first deal."""
    return find_score(table, 0, pack(rules, rules.canonical(position))) != UNKNOWN
