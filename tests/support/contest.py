"""What to expect of a game between players who err, worked out position by position as the definition says."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any, TypeVar

import pytest

from parlour.game import DRAWN, MOVER_WINS, ONGOING
from parlour.rules import Rules
from parlour.study.contest import Contest
from tests.support.naive import minimax

N = TypeVar("N", float, Fraction)


def by_definition(rules: Rules, error: N) -> tuple[N, ...]:
    """Wins and draws of the player who begins, turns, and turns that decide something, over every raw position."""
    truth, number = minimax(rules), type(error)

    @cache
    def expected(position: Any) -> tuple[N, ...]:
        result = rules.result(position)
        if result != ONGOING:
            return number(result == MOVER_WINS), number(result == DRAWN), number(0), number(0)
        legal = rules.legal(position)
        children = [rules.after(position, move) for move in legal]
        keeping = [child for child in children if -truth(child).value == truth(position).value]
        chances = {child: error / len(children) for child in children}
        for child in keeping:
            chances[child] += (1 - error) / len(keeping)
        found = {child: expected(child) for child in children}
        return (
            sum((chance * (1 - found[child][0] - found[child][1]) for child, chance in chances.items())),
            sum((chance * found[child][1] for child, chance in chances.items())),
            1 + sum((chance * found[child][2] for child, chance in chances.items())),
            int(len(keeping) < len(children)) + sum((chance * found[child][3] for child, chance in chances.items())),
        )

    return expected(rules.start)


def check_contest(found: Contest, rules: Rules, error: float) -> None:
    """Compare a measured contest with the definition."""
    truth = by_definition(rules, error)
    assert [found.first, found.drawn, found.turns, found.critical] == pytest.approx(truth)
    assert found.value == minimax(rules)(rules.start).value
