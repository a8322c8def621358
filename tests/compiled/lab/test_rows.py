"""What a row says, against a textbook that looks at everything and merges nothing but what the game itself merges."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import pytest

from parlour import catalog
from parlour.game import DRAWN, MOVER_WINS, ONGOING
from parlour.lab.measures import MEASURES, Budget, Method, Task, measure
from parlour.lab.sampling import sample_decisions
from parlour.limit import Limit
from parlour.options import show_words
from parlour.rules import Rules, read_rules
from tests.support.marks import quickly
from tests.support.naive import minimax, reachable

ENOUGH = Budget(60.0, 1 << 30)
USUAL = Method()
SMALL = [
    ("double-up", {"limit": "40"}),
    ("increasing-differences", {"length": "3", "range": "7"}),
    ("increasing-differences", {"length": "4", "range": "7"}),
    ("increasing-differences", {"length": "5", "range": "8"}),
    ("pyramid-challenge", {"base": "2", "highest": "4", "copies": "1"}),
    ("sequence-builder", {"length": "4", "pool": "9", "increments": "1,3"}),
    ("sequence-spot", {"grid": "1,2,3,4,5,6,7,8,9"}),
]
QUICK = (SMALL[0], SMALL[2], SMALL[4], SMALL[5])
small = quickly("key, texts", SMALL, *QUICK, ids=[f"{k}-{'-'.join(t.values())}" for k, t in SMALL])


def rules_under(key: str, texts: dict[str, str]) -> Rules:
    return read_rules(catalog.find_game(key), texts)


def task(rules: Rules, settings: Method = USUAL, budget: Budget = ENOUGH) -> Task:
    return Task(rules.game.key, show_words(rules.options), 1, settings, budget)


class Decision(NamedTuple):
    moves: int
    keeping: int


def decision_at(rules: Rules, position: Any, worth: Callable[[Any], Any]) -> Decision:
    children = [worth(rules.after(position, move)).value for move in rules.legal(position)]
    return Decision(len(children), sum(-value == worth(position).value for value in children))


@small
def test_a_row_is_what_a_textbook_says(key: str, texts: dict[str, str]) -> None:
    rules = rules_under(key, texts)
    worth = minimax(rules)
    row = measure(task(rules))
    score = worth(rules.start)
    assert (row.value, row.distance) == (str(score.value), score.plies)
    legal = rules.legal(rules.start)
    keeping = [move for move in legal if -worth(rules.after(rules.start, move)).value == score.value]
    assert (row.first_moves, row.keeping_first_moves) == (len(legal), len(keeping))
    assert row.kept_by == " ".join(rules.names(keeping))
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
    assert row.unfinished is None
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


@quickly("error", ["1/5", "1"], "1/5")
def test_sampled_numbers_lie_around_the_true_ones_as_often_as_they_say(error: str) -> None:
    """95 times in 100; of 80 it is at least 70, or something has happened that happens once in five thousand times."""
    rules, share = rules_under("sequence-builder", {"length": "3", "pool": "8"}), Fraction(error)
    _, _, _, critical, decisions, holding = expected(rules, share)
    right = {"critical": 0, "holding": 0}
    for seed in range(80):
        found = sample_decisions(rules, float(share), 60, str(seed), Limit(60))
        assert found.critical_share is not None
        assert found.holding is not None
        right["critical"] += found.critical_share.low <= critical / decisions <= found.critical_share.high
        right["holding"] += found.holding.low <= holding / decisions <= found.holding.high
    assert min(right.values()) >= 70


def test_where_all_decisions_are_alike_the_interval_does_not_pretend_to_know() -> None:
    """The rule of three: what did not happen in 60 games happens in less than one of 20, and not never."""
    rules = rules_under("sequence-spot", {"grid": "1,2,4,3,5,6,8,9,7"})  # no line of it is arithmetic
    found = sample_decisions(rules, 0.2, 60, "1", Limit(60))
    assert found.decisions == 60 * 8
    assert found.critical == 0
    assert found.critical_share is not None
    assert found.critical_share.low == 0
    assert 0.02 < found.critical_share.high < 0.1


def test_the_seed_decides_the_sample() -> None:
    rules = rules_under("sequence-builder", {})
    one, same, other = (sample_decisions(rules, 0.2, 20, seed, Limit(60)) for seed in "112")
    assert one == same != other


def test_where_not_all_positions_fit_games_are_sampled_and_the_row_says_so() -> None:
    rules = rules_under("sequence-builder", {})
    row = measure(task(rules, budget=Budget(60.0, 1_500_000)))  # 5,371 positions take more in a dictionary
    assert row.value == "win"
    assert row.positions is row.first is row.turns is row.measure is None
    assert row.decisions_from == "games"
    assert row.critical_low is not None
    assert row.critical_share is not None
    assert row.critical_high is not None
    assert row.critical_low < row.critical_share < row.critical_high
    assert row.unfinished == "contest: no exact answer within 1 MB of memory"


def test_what_does_not_fit_is_no_row_of_guesses() -> None:
    row = measure(
        task(rules_under("increasing-differences", {"length": "8", "range": "24"}), budget=Budget(0.0, 1 << 30))
    )
    assert row.unfinished is not None
    assert row.unfinished.splitlines()[0] == "value: no exact answer within 0 seconds"
    assert {line.partition(":")[0] for line in row.unfinished.splitlines()} == set(MEASURES)
    said = [row.value, row.distance, row.first_moves, row.positions, row.decisions, row.first, row.turns]
    assert said == [None] * 7


def test_a_game_that_need_not_end_is_a_row_that_says_so() -> None:
    row = measure(task(rules_under("double-up", {"limit": "none"})))
    assert row.value is None
    assert row.unfinished is not None
    assert "need not end" in row.unfinished


def test_only_what_is_asked_for_is_measured() -> None:
    row = measure(task(rules_under("sequence-builder", {}), Method(("value", "first-moves"))))
    assert (row.value, row.keeping_first_moves) == ("win", 13)  # as docs/solved.md has it
    assert row.distance is row.positions is row.critical is row.first is row.unfinished is None


def test_the_digest_is_of_what_is_said_and_not_of_what_it_cost() -> None:
    rules = rules_under("double-up", {"limit": "20"})
    one, again = measure(task(rules)), measure(task(rules, budget=Budget(30.0, 1 << 29)))
    other = measure(task(rules, Method(error=0.3)))
    assert one.digest == again.digest != other.digest
