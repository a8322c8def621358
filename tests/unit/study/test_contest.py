"""How good a contest a game makes, against shares worked out position by position as the definition says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from parlour.errors import ParlourError, TooBig
from parlour.limit import Limit
from parlour.study.contest import measure_contest
from tests.support.contest import check_contest
from tests.support.small import SmallGame, quick_games, rules_of


@quick_games
def test_a_contest_is_what_the_definition_says(game: SmallGame) -> None:
    check_contest(measure_contest(game.rules), game.rules, 0.2)


@quick_games
@pytest.mark.parametrize("error", [0.0, 1.0])
def test_a_contest_without_errors_or_at_random_is_what_the_definition_says(game: SmallGame, error: float) -> None:
    check_contest(measure_contest(game.rules, error), game.rules, error)


def test_the_measure_by_hand() -> None:
    """Up to 3: 2 is forced, 3 is forced, and the player who began cannot go on."""
    found = measure_contest(rules_of("double-up", {"limit": "3"}))
    assert (found.first, found.drawn, found.second, found.turns, found.critical) == (0, 0, 1, 2, 0)
    assert (found.openness, found.measure, found.is_handy) == (0, 0, False)
    even = replace(found, first=0.5, drawn=0.25, critical=4.0, turns=8.0)
    assert (even.openness, even.measure, even.is_handy) == (0.5, 2.0, True)


def refusals() -> list[tuple[str, Callable[[], object], type[ParlourError], str]]:
    usual = rules_of("double-up", {})
    endless = rules_of("double-up", {"limit": "none"})
    large = rules_of("increasing-differences", {"length": "12", "range": "24"})
    return [
        ("no share", lambda: measure_contest(usual, 1.5), ParlourError, "bad error 1.5; give the share of moves"),
        ("not a number", lambda: measure_contest(usual, float("nan")), ParlourError, "bad error nan"),
        ("endless", lambda: measure_contest(endless), TooBig, "need not end"),
        ("too much", lambda: measure_contest(large, limit=Limit(nodes=1000)), TooBig, "within 1,000 positions"),
        ("too long", lambda: measure_contest(rules_of("double-up", {"limit": "9999"})), TooBig, "too long"),
    ]


@pytest.mark.parametrize(("ask", "error", "words"), [pytest.param(*rest, id=id) for id, *rest in refusals()])
def test_what_cannot_be_measured_is_refused(ask: Callable[[], object], error: type[ParlourError], words: str) -> None:
    with pytest.raises(error, match=words):
        ask()
