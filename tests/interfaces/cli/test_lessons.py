"""A first game of each game: what its script promises holds, and it can be played at a terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from parlour import catalog
from parlour.errors import IllegalMove
from parlour.game import PASS, Game, Lesson
from parlour.match import Match
from parlour.terminal.lesson import LEARNER, begin_lesson
from tests.support.command import Run
from tests.support.terminal import Person, plain

Terminal = Callable[..., Person]
Runner = Callable[..., Run]

KEYS = catalog.keys()
MOST_ANSWERS = 14  # two minutes are no more than this


def lesson_of(key: str) -> tuple[Game, Lesson]:
    game = catalog.find_game(key)
    assert game.content.lesson is not None
    return game, game.content.lesson


def played(key: str) -> Match:
    """The lesson's game, with every forbidden move tried on the way."""
    game, lesson = lesson_of(key)
    match = begin_lesson(game, lesson)
    for step in lesson.steps:
        while match.stuck:
            match.play(PASS)
        if step.wrong:
            assert match.turn == LEARNER, "only the learner is asked to try something"
            with pytest.raises(IllegalMove):
                match.read(step.wrong)
        match.play(step.move)
    return match


@pytest.mark.parametrize("key", KEYS)
def test_the_learner_wins_with_the_last_step(key: str) -> None:
    match = played(key)
    assert match.outcome is not None
    assert match.round_winner == LEARNER


@pytest.mark.parametrize("key", KEYS)
def test_a_lesson_shows_a_refusal_and_what_being_stuck_means(key: str) -> None:
    game, lesson = lesson_of(key)
    assert any(step.wrong for step in lesson.steps)
    can_pass = " pass" in game.content.rules_text or " skip" in game.content.rules_text
    assert (PASS in played(key).round.moves) == can_pass, "whoever can be stuck sees somebody stuck"


@pytest.mark.parametrize("key", KEYS)
def test_a_lesson_is_short_and_says_a_sentence_to_every_step(key: str) -> None:
    _, lesson = lesson_of(key)
    assert len(lesson.steps) + sum(bool(step.wrong) for step in lesson.steps) <= MOST_ANSWERS
    for step in lesson.steps:
        assert step.text[0].isupper()
        assert step.text.endswith((".", "!"))
        assert len(step.text) <= 120


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (40, 16)])
@pytest.mark.parametrize("key", KEYS)
def test_a_lesson_with_enter_alone(terminal: Terminal, snapshot: Any, key: str, columns: int, rows: int) -> None:
    person = terminal("learn", key, columns=columns, rows=rows)
    game, lesson = lesson_of(key)
    person.sees(f"{game.title}: a first game")
    questions = sum(1 + bool(step.wrong) for step in lesson.steps[::2])  # the other steps are the computer's
    for _ in range(2 * questions + 2):
        if "You win" in person.raw:
            break
        person.presses("\r")
    assert f"parlour play {key}" in " ".join(person.leaves()[0].split())
    assert max(map(len, plain(person.raw).splitlines())) <= columns
    if columns == 80:
        assert "\n".join(person.scrollback()) == snapshot


def test_a_lesson_explains_what_is_typed(terminal: Terminal) -> None:
    person = terminal("learn", "increasing")
    person.sees("Type 5, or press Enter.")
    person.types("6")
    person.sees("6 is legal too, but this lesson plays 5.", "Type 5, or press Enter.")
    person.types("5")
    person.sees("You took 5.", "Type 8, or press Enter.")
    person.types("7")
    person.sees("No: 7 is taken.", "Type 8, or press Enter.")
    person.types("8")
    person.sees("something illegal: type 10")
    person.types("10")
    person.sees("No: ", "Type 12")
    person.types("quit")
    assert person.leaves()[1] == 0


def test_the_cells_of_a_grid_are_called_by_their_numbers(terminal: Terminal) -> None:
    person = terminal("learn", "spot")
    person.sees("Type 9, or press Enter.")
    person.types("9")
    person.sees("You marked 9.", "type 7, or press Enter.")
    assert person.leaves("\x04")[1] == 0


def test_a_pass_is_explained(terminal: Terminal) -> None:
    person = terminal("learn", "pyramid")
    for _ in range(5):
        person.sees("press Enter.")
        person.presses("\r")
    person.sees("Computer cannot move: 9 + 9 = 18 is more than 9", "Press Enter to continue.")
    assert person.leaves("q\r")[1] == 0


def test_a_lesson_needs_somebody_to_learn(run: Runner) -> None:
    told = run("learn", "double-up")
    assert (told.code, told.out) == (2, "")
    assert told.err.startswith("parlour: a lesson needs a terminal; read the rules with: parlour rules double-up")
