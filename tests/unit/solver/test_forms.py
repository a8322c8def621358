"""Canonical forms, tables and the search against minimax, at every position of every small game.

The truth comes from minimax over the positions as they are, without canonical forms. It consists of the value, the
distance, whether there is a choice, and whether some move loses value. `tests/compiled/solver` compares the compiled
solver in the same way, and `tests/proofs/test_forms.py` does so on larger games.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from parlour.games import increasing_differences
from parlour.rules import Rules
from parlour.score import Value
from parlour.solver import Solver, tabulate
from tests.support.forms import check_forms, check_scores, check_table, table_errors
from tests.support.naive import Truth, truths
from tests.support.small import GAMES, SmallGame, each_of, rules_of, small_games, without_theory


@small_games
def test_the_search_scores_every_position_as_minimax_does(game: SmallGame) -> None:
    check_scores(game.rules, game.truth, game.positions[:200], compiled=False)


@small_games
def test_a_table_knows_every_position(game: SmallGame) -> None:
    check_table(game.rules, game.truth, compiled=False)


@small_games
def test_a_canonical_form_has_the_same_future_and_is_its_own_form(game: SmallGame) -> None:
    check_forms(game.rules, game.truth)


@each_of([game for game in GAMES if game.rules.game.theory])
def test_the_search_finds_what_a_theory_says(game: SmallGame) -> None:
    rules = game.rules
    theory = rules.game.theory
    assert theory is not None
    solver = Solver(without_theory(rules), compiled=False)
    for position in game.positions:
        result, plies, move = theory(rules.options, position)
        score = solver.score(position)
        assert score == (Value.WIN if result == 3 else Value.LOSS, plies)
        assert dict(solver.choices(position))[move] == score


# Forms that merge too much, each by a thought that is nearly right: the comparison has to find them.


@cache
def small_truth(length: int, highest: int) -> tuple[Rules, dict[Any, Truth]]:
    rules = rules_of("increasing-differences", {"length": str(length), "range": str(highest)})
    return rules, truths(rules)


def found_out(length: int, highest: int) -> bool:
    rules, truth = small_truth(length, highest)
    return bool(table_errors(rules, truth, tabulate(rules, compiled=False)))


@pytest.mark.parametrize(("steps", "length", "highest"), [(1, 4, 7), (2, 5, 9)])
def test_a_form_that_looks_too_few_steps_ahead_is_found_out(
    steps: int, length: int, highest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One: what is too near now is never taken. Two: nobody comes back to it after a second step the same way."""
    right = increasing_differences.opened_above
    assert not found_out(length, highest)
    monkeypatch.setattr(
        increasing_differences,
        "opened_above",
        lambda options, pool, last, gap, needed: right(options, pool, last, gap, min(needed, steps)),
    )
    assert found_out(length, highest)


def test_a_form_that_widens_too_far_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    right = increasing_differences.widened
    assert not found_out(4, 7)
    monkeypatch.setattr(increasing_differences, "widened", lambda *given: min(given[0].range, right(*given) + 1))
    assert found_out(4, 7)
