"""Random squares of the atlas, checked against the rules or measured again.

Every run draws other squares; PARLOUR_TEST_SEED=... draws the same ones again.
"""

from __future__ import annotations

import os
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from parlour.lab.atlas import Map
from parlour.lab.measures import COSTS, DEFAULT_METHOD, Budget, Row, Task, measure
from parlour.rules import read_rules
from tests.support.contest import by_definition
from tests.support.naive import minimax, truths

SEED = os.environ.get("PARLOUR_TEST_SEED") or str(Random().getrandbits(32))
SMALL, LARGE = 80, 60_000  # positions of a square in a sample


def drawn(found: Map, most: int, wanted: int) -> list[Row]:
    """Return random squares with at most ``most`` positions."""
    print(f"PARLOUR_TEST_SEED={SEED}")
    fitting = [row for row in found.rows if row.positions is not None and row.positions <= most]
    return Random(f"{SEED} {found.game.key} {most}").sample(fitting, min(wanted, len(fitting)))


def is_what_the_rules_say(found: Map, row: Row) -> None:
    """By a minimax and fractions that know nothing of the solver."""
    rules = read_rules(found.game, row.options)
    truth = minimax(rules)
    score = truth(rules.start)
    assert (row.value, row.distance) == (score.value, score.plies), row.options
    keeping = [m for m in rules.legal(rules.start) if -truth(rules.after(rules.start, m)).value == score.value]
    assert row.kept_by == rules.names(keeping)
    first, drawn, turns, critical = map(float, by_definition(rules, Fraction(found.error).limit_denominator(1000)))
    assert [row.first, row.drawn, row.turns, row.critical_turns] == pytest.approx([first, drawn, turns, critical])
    assert row.measure == pytest.approx(critical * 2 * min(first, 1 - first - drawn), abs=1e-8)
    if not found.game.content.counted_once:
        every = truths(rules).values()
        assert (row.decisions, row.critical) == (sum(t.choice for t in every), sum(t.critical for t in every))


def without_costs(row: Row) -> dict[str, Any]:
    """Return the fields of a row that do not depend on the machine."""
    return {name: value for name, value in vars(row).items() if name not in COSTS}


def measured_again(found: Map, row: Row) -> dict[str, Any]:
    settings = replace(DEFAULT_METHOD, error=found.error)
    again = measure(Task(found.game.key, row.words, row.alike, settings, Budget(60, 1 << 30)))
    return without_costs(again)
