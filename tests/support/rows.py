"""Rows of a sweep, against a textbook that looks at everything and merges nothing but what the game itself merges."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import pytest

from parlour import catalog
from parlour.game import DRAWN, MOVER_WINS, ONGOING
from parlour.lab.measures import DEFAULT_METHOD, Budget, Method, Task, measure, sample_decisions
from parlour.limit import Limit
from parlour.options import show_words
from parlour.rules import Rules, read_rules
from tests.support.naive import minimax, reachable

ENOUGH = Budget(60.0, 1 << 30)


def rules_under(key: str, texts: dict[str, str]) -> Rules:
    return read_rules(catalog.find_game(key), texts)


def task(rules: Rules, settings: Method = DEFAULT_METHOD, budget: Budget = ENOUGH) -> Task:
    return Task(rules.game.key, show_words(rules.options), 1, settings, budget)


class Decision(NamedTuple):
    moves: int
    keeping: int


def decision_at(rules: Rules, position: Any, worth: Callable[[Any], Any]) -> Decision:
    children = [worth(rules.after(position, move)).value for move in rules.legal(position)]
    return Decision(len(children), sum(-value == worth(position).value for value in children))


def is_a_textbook_row(key: str, texts: dict[str, str]) -> None:
    """Compare every number of a row with the textbook's."""
    rules = rules_under(key, texts)
    worth = minimax(rules)
    row = measure(task(rules))
    score = worth(rules.start)
    assert (row.value, row.distance) == (score.value, score.plies)
    legal = rules.legal(rules.start)
    keeping = [move for move in legal if -worth(rules.after(rules.start, move)).value == score.value]
    assert (row.first_moves, row.keeping_first_moves) == (len(legal), len(keeping))
    assert row.kept_by == rules.names(keeping)
    positions = {rules.canonical(position) for position in reachable(rules)}
    found = [decision_at(rules, position, worth) for position in positions]
    decisions = [each for each in found if each.moves > 1]
    critical = [each for each in decisions if each.keeping < each.moves]
    assert (row.positions, row.decisions_from) == (len(positions), "positions")
    assert (row.decisions, row.critical) == (len(decisions), len(critical))
    assert row.critical_share == pytest.approx(len(critical) / len(decisions), abs=1e-8)
    assert row.holding == pytest.approx(sum(each.keeping for each in decisions) / len(decisions), abs=1e-8)
    first, drawn, turns, critical_turns = expected(rules, Fraction(1, 5))[:4]
    assert row.first == pytest.approx(float(first), abs=1e-8)
    assert row.drawn == pytest.approx(float(drawn), abs=1e-8)
    assert row.second == pytest.approx(float(1 - first - drawn), abs=1e-8)
    assert row.turns == pytest.approx(float(turns), abs=1e-8)
    assert row.critical_turns == pytest.approx(float(critical_turns), abs=1e-8)
    assert row.unfinished == {}
    assert row.critical_low is row.critical_high is row.holding_low is row.holding_high is None


def expected(rules: Rules, error: Fraction) -> tuple[Fraction, ...]:
    """Of a game between equals who err so often: wins of the first, draws, turns, critical ones, decisions, holding."""
    worth = minimax(rules)

    @cache
    def from_here(position: Any) -> tuple[Fraction, ...]:
        result = rules.result(position)
        if result != ONGOING:
            return Fraction(result == MOVER_WINS), Fraction(result == DRAWN), *(Fraction(0),) * 4
        children = [rules.after(position, move) for move in rules.legal(position)]
        keeping = [child for child in children if -worth(child).value == worth(position).value]
        total = [Fraction(0)] * 6
        for child in children:
            chance = error / len(children) + ((1 - error) / len(keeping) if child in keeping else 0)
            later = from_here(child)
            for place, number in enumerate((1 - later[0] - later[1], *later[1:])):
                total[place] += chance * number
        choice = len(children) > 1
        here = (0, 0, 1, len(keeping) < len(children), choice, choice * len(keeping))
        return tuple(a + b for a, b in zip(total, here, strict=True))

    return from_here(rules.start)


def intervals_are_honest(error: str, samples: int = 80) -> None:
    """An interval holds the true number 95 times in 100; fewer than 70 of 80 happen once in five thousand times."""
    rules, share = rules_under("sequence-builder", {"length": "3", "pool": "8"}), Fraction(error)
    _, _, _, critical, decisions, holding = expected(rules, share)
    right = {"critical": 0, "holding": 0}
    for seed in range(samples):
        found = sample_decisions(rules, float(share), 60, str(seed), Limit(60))
        assert found.critical_share is not None
        assert found.holding is not None
        right["critical"] += found.critical_share.low <= critical / decisions <= found.critical_share.high
        right["holding"] += found.holding.low <= holding / decisions <= found.holding.high
    assert min(right.values()) >= samples * 7 / 8
