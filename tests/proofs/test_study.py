"""Hints, reports, explanations, exams and contests of small games. `tests/unit/study` has the quick cases."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from parlour.study.contest import measure_contest
from tests.support.contest import check_contest
from tests.support.exams import check_sheet, check_strategy_of_exam
from tests.support.explanations import check_grading_limit, check_opening, check_random_games
from tests.support.hints import check_reasons, check_rungs, check_turns
from tests.support.reports import check_grades, check_last_chances, check_unfinished_games
from tests.support.small import SmallGame, few_games

CHECKS = [
    check_rungs,
    check_reasons,
    check_turns,
    check_grades,
    check_last_chances,
    check_unfinished_games,
    check_opening,
    check_random_games,
    check_grading_limit,
    check_strategy_of_exam,
    check_sheet,
]


@few_games
@pytest.mark.parametrize("check", CHECKS)
def test_the_study_of_a_small_game(check: Callable[[SmallGame], None], game: SmallGame) -> None:
    check(game)


@few_games
@pytest.mark.parametrize("error", [0.0, 0.2, 1.0])
def test_a_contest_is_what_the_definition_says(game: SmallGame, error: float) -> None:
    check_contest(measure_contest(game.rules, error), game.rules, error)
