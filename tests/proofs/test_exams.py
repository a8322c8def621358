"""The numbers of questions that the exams promise, counted."""

from __future__ import annotations

import pytest

from parlour import catalog
from parlour.game import ExamSource, Game
from parlour.options import read_words
from parlour.rules import read_rules
from parlour.solver import Solver
from parlour.study.mastery import count_questions
from parlour.view import PlayerNumber


@pytest.mark.parametrize(
    ("game", "source"),
    [
        pytest.param(game, source, id=f"{game.key} {source.options} {source.side}")
        for game in catalog.list_games()
        for source in game.content.exams
    ],
)
def test_an_exam_has_as_many_questions_as_its_game_says(game: Game, source: ExamSource) -> None:
    rules = read_rules(game, read_words(source.options))
    side: PlayerNumber = 1 if source.side == 1 else 2
    assert count_questions(rules, side, Solver(rules).score) == source.questions
