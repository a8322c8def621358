"""How good a contest a game makes, against fractions worked out position by position as the definition says."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from parlour import catalog
from parlour.errors import ParlourError, TooBig
from parlour.game import DRAWN, MOVER_WINS, ONGOING
from parlour.limit import Limit
from parlour.rules import Rules, read_rules
from parlour.study import contest
from parlour.study.contest import Contest, measure_contest
from tests.support.marks import quickly
from tests.support.naive import minimax

SMALL = [
    ("double-up", {"limit": "40"}),
    ("increasing-differences", {"length": "3", "range": "7"}),
    ("increasing-differences", {"length": "4", "range": "7"}),
    ("pyramid-challenge", {"base": "2", "highest": "4", "copies": "1"}),
    ("sequence-builder", {"length": "4", "pool": "9", "increments": "1,3"}),
    ("sequence-spot", {"grid": "1,2,3,4,5,6,7,8,9"}),
]


def rules_under(key: str, texts: dict[str, str]) -> Rules:
    return read_rules(catalog.find_game(key), texts)


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


def check(found: Contest, rules: Rules, error: Fraction) -> None:
    truth = by_definition(rules, error)
    assert [found.first, found.drawn, found.turns, found.critical] == pytest.approx([float(n) for n in truth])
    assert found.value == minimax(rules)(rules.start).value


small = pytest.mark.parametrize(("key", "texts"), SMALL, ids=[f"{k}-{'-'.join(t.values())}" for k, t in SMALL])


@small
@quickly("error", [Fraction(1, 5), Fraction(0), Fraction(1)], Fraction(1, 5))
def test_what_to_expect_is_what_the_definition_says(key: str, texts: dict[str, str], error: Fraction) -> None:
    rules = rules_under(key, texts)
    check(measure_contest(rules, float(error)), rules, error)


@small
@pytest.mark.slow
def test_compiled_it_is_the_same(key: str, texts: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    monkeypatch.setattr(contest, "PLAIN_NODES", 0)
    monkeypatch.setattr(contest, "CHUNK", 1)
    monkeypatch.setattr("parlour.kernels.compiled_contest.FIRST_SLOTS", 64)  # so that it has to grow
    rules = rules_under(key, texts)
    check(measure_contest(rules), rules, Fraction(1, 5))


def test_the_measure_by_hand() -> None:
    """Up to 3: 2 is forced, 3 is forced, and the player who began cannot go on."""
    found = measure_contest(rules_under("double-up", {"limit": "3"}))
    assert (found.first, found.drawn, found.second, found.turns, found.critical) == (0, 0, 1, 2, 0)
    assert (found.openness, found.measure, found.is_handy) == (0, 0, False)
    even = found._replace(first=0.5, drawn=0.25, critical=4.0, turns=8.0)
    assert (even.openness, even.measure, even.is_handy) == (0.5, 2.0, True)


def refusals() -> list[tuple[str, Callable[[], object], type[ParlourError], str]]:
    usual = rules_under("double-up", {})
    endless = rules_under("double-up", {"limit": "none"})
    large = rules_under("increasing-differences", {"length": "12", "range": "24"})
    return [
        ("no share", lambda: measure_contest(usual, 1.5), ParlourError, "bad error 1.5; a share from 0 to 1"),
        ("not a number", lambda: measure_contest(usual, float("nan")), ParlourError, "bad error nan"),
        ("endless", lambda: measure_contest(endless), TooBig, "need not end"),
        ("too much", lambda: measure_contest(large, limit=Limit(nodes=5000)), TooBig, "within 5,000 positions"),
        ("too long", lambda: measure_contest(rules_under("double-up", {"limit": "9999"})), TooBig, "too long"),
    ]


@pytest.mark.parametrize(("ask", "error", "words"), [pytest.param(*rest, id=id) for id, *rest in refusals()])
def test_what_cannot_be_measured_is_refused(ask: Callable[[], object], error: type[ParlourError], words: str) -> None:
    with pytest.raises(error, match=words):
        ask()
