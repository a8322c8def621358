"""The chances of a graded player's moves against the moves that it chooses."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import parlour
from parlour.evals.metrics import Known, chooser


def check_chances(word: str, key: str, options: dict[str, Any], line: str, tries: int) -> None:
    """Check that the player chooses every move as often as its chance says, within 4.5 standard deviations."""
    match, player = parlour.new_match(key, **options), parlour.find_player(word)
    match.play_line(line)
    known = Known(match.rules, match.position, 100_000)
    chances = chooser(word)(known, match.position)
    assert sum(chances.values()) == pytest.approx(1)
    assert set(chances) == set(match.legal_moves)
    chosen = [player.choose(match, Random(seed)) for seed in range(tries)]
    for move, chance in chances.items():
        luck = 4.5 * (chance * (1 - chance) / tries) ** 0.5
        assert abs(chosen.count(move) / tries - chance) <= luck + 1e-9, (move, chance)
