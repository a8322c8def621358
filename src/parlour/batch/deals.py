"""Deals and random states for the games of a batch to start from."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from parlour.game import P
from parlour.options import O, left_to_chance
from parlour.rules import Rules

try:
    import numpy as np
except ImportError:  # then a batch raises MissingExtra before it makes any deal
    np = None  # type: ignore[assignment]


def is_dealt(rules: Rules[O, P]) -> bool:
    """Return whether something is dealt at random before the first move."""
    return any(not getattr(rules.options, name) for name in left_to_chance(rules.game.options))


def make_deals(rules: Rules[O, P], count: int, seed: int) -> tuple[Rules[O, P], ...]:
    """Return the rules with each of ``count`` random deals; the rules alone if nothing is dealt."""
    if not is_dealt(rules):
        return (rules,)
    randoms = (Random(f"{seed} deal {number}") for number in range(count))
    return tuple(Rules(rules.game, rules.game.rounds.deal(rules.packed, 1, random)) for random in randoms)


def deal_arrays(deals: Sequence[Rules[Any, Any]]) -> tuple[Any, Any, Any]:
    """Return the ``dealt``, ``starts`` and ``openings`` of ``Games`` for these deals."""
    openings = [
        0 if dealt.is_over(dealt.start) else dealt.game.rules.moves(dealt.packed, dealt.start).mask for dealt in deals
    ]
    dealt, starts = _rows([dealt.packed for dealt in deals]), _rows([dealt.start for dealt in deals])
    return dealt, starts, np.array(openings, np.int64)


def _rows(tuples: Sequence[tuple[int, ...]]) -> Any:
    return np.array(tuples, np.int64).reshape(-1)


def first_states(seed: int, games: int) -> Any:
    """Return the first random state of each game: splitmix64, and never 0."""
    first = np.uint64((seed * 1_000_003 + 1) * 0x9E3779B97F4A7C15 % 2**64)
    state = first + np.arange(games, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    state = (state ^ state >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ state >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    state ^= state >> np.uint64(31)
    return np.maximum(state, np.uint64(1))
