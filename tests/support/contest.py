"""The expected course of a game between players who err, by definition: fractions over every raw position."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

from parlour.game import DRAWN, MOVER_WINS, ONGOING
from parlour.rules import Rules
from tests.support.naive import minimax


def by_definition(rules: Rules, error: Fraction) -> tuple[Fraction, ...]:
    """Wins and draws of the player who begins, turns, and turns that decide something, over every raw position."""
    truth = minimax(rules)

    @cache
    def expected(position: Any) -> tuple[Fraction, ...]:
        result = rules.result(position)
        if result != ONGOING:
            return Fraction(result == MOVER_WINS), Fraction(result == DRAWN), Fraction(0), Fraction(0)
        legal = rules.legal(position)
        children = [rules.after(position, move) for move in legal]
        keeping = [child for child in children if -truth(child).value == truth(position).value]
        chances = {child: error / len(children) for child in children}
        for child in keeping:
            chances[child] += (1 - error) / len(keeping)
        found = {child: expected(child) for child in children}
        return (
            sum((chance * (1 - found[child][0] - found[child][1]) for child, chance in chances.items()), Fraction(0)),
            sum((chance * found[child][1] for child, chance in chances.items()), Fraction(0)),
            1 + sum((chance * found[child][2] for child, chance in chances.items()), Fraction(0)),
            int(len(keeping) < len(children))
            + sum((chance * found[child][3] for child, chance in chances.items()), Fraction(0)),
        )

    return expected(rules.start)
