"""Canonical forms, tables and the search against minimax, at every position of the quickest small games.

The truth comes from minimax over the positions as they are, without canonical forms. It consists of the value, the
distance, whether there is a choice, and whether some move loses value. `tests/compiled/solver` compares the compiled
solver in the same way, and `tests/proofs/test_forms.py` does so for all small games and for larger ones.
"""

from __future__ import annotations

import pytest

from parlour.games import increasing_differences
from tests.support.forms import check_forms, check_scores, check_table, check_theory, found_out, look_ahead
from tests.support.small import SmallGame, quick_games


@quick_games
def test_the_search_scores_every_position_as_minimax_does(game: SmallGame) -> None:
    check_scores(game.rules, game.truth, game.positions[:80], runtime="python")


@quick_games
def test_a_table_knows_every_position(game: SmallGame) -> None:
    check_table(game.rules, game.truth, runtime="python")


@quick_games
def test_a_canonical_form_has_the_same_future_and_is_its_own_form(game: SmallGame) -> None:
    check_forms(game.rules, game.truth)


def test_the_search_finds_what_a_theory_says() -> None:
    check_theory(SmallGame("double-up", "limit=37"))


# Forms that merge too much, each for a reason that is nearly right. The same table of the right form has no errors:
# test_a_table_knows_every_position.


def test_a_form_that_looks_one_step_ahead_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if what is too near now were never taken; tests/proofs/test_forms.py looks two steps ahead."""
    look_ahead(monkeypatch, 1)
    assert found_out("increasing-differences", "length=4 range=7")


def test_a_form_that_widens_too_far_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    right = increasing_differences.widened
    monkeypatch.setattr(increasing_differences, "widened", lambda *given: min(given[0].range, right(*given) + 1))
    assert found_out("increasing-differences", "length=4 range=7")
