"""The table of errors: a stable code, an exit code and an HTTP status for each. Messages are in test_library.py."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from parlour import errors, saves
from parlour.errors import ANSWERS, BadDatabase, NoSuchRecord, ParlourError, answer_to
from tests.support.command import Run


def tree(parent: type[ParlourError] = ParlourError) -> list[type[ParlourError]]:
    """Every error of the package; those of these tests have no place in its table."""
    own = (child for child in parent.__subclasses__() if child.__module__.startswith("parlour."))
    return [parent, *(found for child in own for found in tree(child))]


def test_every_error_has_an_answer() -> None:
    declared = [error for error in tree() if error.__module__ == "parlour.errors"]
    assert set(ANSWERS) == set(declared)
    assert set(tree()) == set(declared), "all errors stand in one file"


def test_an_error_that_is_not_listed_has_the_answer_of_its_nearest_base(
    run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = {base: answer_to(type("Unlisted", (base,), {})("why")) for base in (ParlourError, BadDatabase)}
    assert {answer.code for answer in answers.values()} == {"error", "database/bad"}

    def find(word: str) -> int:
        raise type("Vanished", (NoSuchRecord,), {})("it has vanished")

    monkeypatch.setattr(saves, "find", find)
    assert run("export", "1") == ("", "parlour: it has vanished\n", 1)


def test_the_codes_are_unique_and_stable_words() -> None:
    codes = [answer.code for answer in ANSWERS.values()]
    assert len(set(codes)) == len(codes)
    for code in codes:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*(/[a-z]+(-[a-z]+)*)?", code)


def test_the_answers_are_possible() -> None:
    for error, answer in ANSWERS.items():
        assert 400 <= answer.status < 600, error
        assert answer.exit in (1, 2), error


def test_the_codes_that_programs_know() -> None:
    assert {error.__name__: answer.code for error, answer in ANSWERS.items()}.items() >= {
        "UnknownGame": "game/unknown",
        "UnknownPlayer": "player/unknown",
        "BadOptions": "options/bad",
        "BadName": "name/bad",
        "UnreadableMove": "move/unreadable",
        "IllegalMove": "move/illegal",
        "GameOver": "game/over",
        "NoNextRound": "round/open",
        "NothingToUndo": "undo/nothing",
        "BadRecord": "record/bad",
        "NoSuchRecord": "record/unknown",
        "GameInUse": "record/in-use",
    }.items()


def test_the_drawn_tree_is_the_real_one() -> None:
    assert errors.__doc__
    drawn = set(re.findall(r"[├└]── (\w+)", errors.__doc__))
    assert drawn | {"ParlourError", "MoveRefused"} == {error.__name__ for error in tree()}


def test_every_error_is_a_value_error() -> None:
    assert issubclass(ParlourError, ValueError)
    assert all(issubclass(error, ParlourError) for error in tree())
