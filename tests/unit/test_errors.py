"""The tree of errors: a stable code, an HTTP status and an exit code on each class. Messages are in test_library.py."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable

import pytest

from parlour import saves
from parlour.errors import BadData, BadInput, Conflict, NoSuchRecord, NotFound, ParlourError
from tests.support.command import Run
from tests.support.errors import MODULES, examples, tree

# Code, HTTP status, exit code: what programs rely on.
ANSWERS = {
    ("error", 400, 1): "ParlourError",
    ("game/unknown", 404, 2): "UnknownGame",
    ("player/unknown", 400, 2): "UnknownPlayer",
    ("options/bad", 400, 2): "BadOptions",
    ("name/bad", 400, 2): "BadName",
    ("argument/bad", 400, 2): "BadArgument",
    ("move/refused", 400, 1): "MoveRefused",
    ("move/unreadable", 400, 1): "UnreadableMove",
    ("move/illegal", 400, 1): "IllegalMove",
    ("game/over", 409, 1): "GameOver",
    ("round/open", 409, 1): "NoNextRound",
    ("game/strict", 409, 1): "StrictGame",
    ("undo/nothing", 409, 1): "NothingToUndo",
    ("position/bad", 400, 2): "BadPosition",
    ("solve/too-big", 422, 1): "TooBig",
    ("solve/cancelled", 503, 1): "Cancelled",
    ("table/bad", 500, 1): "BadTable",
    ("puzzles/bad", 500, 1): "BadArchive",
    ("strategy/bad", 400, 1): "BadStrategy",
    ("exam/unknown", 404, 1): "NoSuchExam",
    ("sweep/bad", 500, 1): "BadSweep",
    ("workers/none", 503, 1): "NoWorkers",
    ("puzzle/unknown", 404, 1): "NoSuchPuzzle",
    ("engine/failed", 502, 1): "EngineFailed",
    ("record/bad", 400, 1): "BadRecord",
    ("record/unknown", 404, 1): "NoSuchRecord",
    ("record/in-use", 409, 1): "GameInUse",
    ("database/bad", 503, 1): "BadDatabase",
    ("database/damaged", 500, 1): "DamagedDatabase",
    ("match/damaged", 500, 1): "DamagedMatch",
    ("match/unknown", 404, 1): "NoSuchMatch",
    ("round/unknown", 404, 1): "NoSuchRound",
    ("move/stale", 409, 1): "StaleMove",
    ("turn/other", 409, 1): "NotYourTurn",
    ("match/waiting", 409, 1): "MatchWaiting",
    ("match/full", 409, 1): "MatchFull",
    ("seat/needed", 401, 1): "SeatNeeded",
    ("seat/wrong", 403, 1): "SeatWrong",
    ("seat/taken", 409, 1): "SeatTaken",
    ("offer/none", 409, 1): "NoOffer",
    ("offer/pending", 409, 1): "OfferPending",
    ("offer/impossible", 409, 1): "NotOnOffer",
    ("rate/limited", 429, 1): "TooManyRequests",
    ("server/busy", 503, 1): "Busy",
    ("server/full", 503, 1): "ServerFull",
    ("extra/missing", 501, 1): "MissingExtra",
    ("server/unknown", 504, 1): "OutcomeUnknown",
    ("solve/failed", 500, 1): "SearchFailed",
}
BRANCHES = {"BadInput", "Conflict", "NotFound", "BadData", "NoAnswer", "Unavailable", "AccessDenied"}  # are not raised


def test_the_answers_stay_as_they_are() -> None:
    own = [error for error in tree() if error.__name__ not in BRANCHES]
    assert {(error.code, error.status, error.exit_code): error.__name__ for error in own} == ANSWERS
    assert len(own) == len(ANSWERS)


@pytest.mark.parametrize("error", examples(), ids=lambda error: type(error).__name__)
def test_errors_can_be_sent_to_another_process(error: ParlourError) -> None:
    copied = pickle.loads(pickle.dumps(error))
    assert (type(copied), str(copied), vars(copied)) == (type(error), str(error), vars(error))


def test_every_error_has_a_code_of_its_own_or_is_a_branch() -> None:
    assert {error.__name__ for error in tree() if "code" not in vars(error)} == BRANCHES
    assert all(tree(error)[1:] for error in tree() if error.__name__ in BRANCHES)


def test_all_errors_are_declared_in_three_modules() -> None:
    names = {module.__name__ for module in MODULES}
    assert {error.__module__ for error in tree()} == names


def test_an_unlisted_error_has_the_answer_of_its_parent(
    run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Vanished(NoSuchRecord):
        pass

    def find(word: str) -> int:
        raise Vanished("it has vanished")

    assert (Vanished.code, Vanished.status, Vanished.exit_code) == ("record/unknown", 404, 1)
    monkeypatch.setattr(saves, "find", find)
    assert run("export", "1") == ("", "parlour: it has vanished\n", 1)


def test_an_error_can_choose_its_own_exit_code(run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch) -> None:
    class Mistyped(BadInput):
        code = "word/mistyped"

    def find(word: str) -> int:
        raise Mistyped("it is mistyped")

    monkeypatch.setattr(saves, "find", find)
    assert run("export", "1") == ("", "parlour: it is mistyped\n", 2)


def test_the_codes_are_unique_and_stable_words() -> None:
    codes = [error.code for error in tree() if "code" in vars(error)]
    assert len(set(codes)) == len(codes)
    for code in codes:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*(/[a-z]+(-[a-z]+)*)?", code)


def test_the_branches_hold_what_a_caller_catches_together() -> None:
    names = {branch: {error.__name__ for error in tree(branch)[1:]} for branch in (BadInput, NotFound, BadData)}
    assert names == {
        BadInput: {"UnknownGame", "UnknownPlayer", "BadOptions", "BadName", "BadPosition", "BadArgument"},
        NotFound: {"NoSuchRecord", "NoSuchPuzzle", "NoSuchExam", "NoSuchMatch", "NoSuchRound"},
        BadData: {
            "BadRecord",
            "BadStrategy",
            "BadTable",
            "BadArchive",
            "BadSweep",
            "DamagedDatabase",
            "DamagedMatch",
        },
    }
    assert {error for error in tree() if error.status == 409} == set(tree(Conflict))
    assert {error for error in tree() if error.exit_code == 2} == set(tree(BadInput))


def test_every_error_is_a_value_error() -> None:
    assert issubclass(ParlourError, ValueError)
    assert all(issubclass(error, ParlourError) for error in tree())
