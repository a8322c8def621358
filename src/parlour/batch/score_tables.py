"""The exact scores of all deals of a batch, in arrays that kernels can search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from parlour.engine.lockstep import UNKNOWN, ScoreArrays, find_score
from parlour.engine.search import FLAGS, pack
from parlour.game import P
from parlour.options import O
from parlour.rules import Rules
from parlour.score import Score

try:
    import numpy as np
except ImportError:  # then a batch raises MissingExtra before it looks up any score
    np = None  # type: ignore[assignment]


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
    """Return whether the table has a position of its first deal."""
    return find_score(table, 0, pack(rules, rules.canonical(position))) != UNKNOWN
