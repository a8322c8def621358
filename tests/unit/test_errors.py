"""Every error is told the same way: a stable code, an exit code, and a message with the offending value."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable

import pytest

from parlour import catalog, errors, players, record, saves
from parlour.errors import ANSWERS, BadDatabase, MoveRefused, ParlourError, UnreadableMove, answer_to
from parlour.match import Match, Setup, check_names
from parlour.options import read_options
from parlour.rules import read_rules


def tree(parent: type[ParlourError] = ParlourError) -> list[type[ParlourError]]:
    """Every error of the package; those of these tests have no place in its table."""
    own = (child for child in parent.__subclasses__() if child.__module__.startswith("parlour."))
    return [parent, *(found for child in own for found in tree(child))]


def test_every_error_has_an_answer() -> None:
    declared = [error for error in tree() if error.__module__ == "parlour.errors"]
    assert set(ANSWERS) == set(declared)
    assert set(tree()) == set(declared), "all errors stand in one file"


UNLISTED = """
import sys
from parlour import cli, saves
from parlour.errors import NoSuchRecord

class Vanished(NoSuchRecord):
    pass

def find(word):
    raise Vanished("it has vanished")

saves.find = find
sys.argv = ["parlour", "export", "1"]
cli.main()
"""


def test_an_error_that_is_not_listed_has_the_answer_of_its_nearest_base() -> None:
    answers = {base: answer_to(type("Unlisted", (base,), {})("why")) for base in (ParlourError, BadDatabase)}
    assert {answer.code for answer in answers.values()} == {"error", "database/bad"}
    told = subprocess.run([sys.executable, "-c", UNLISTED], capture_output=True, text=True, check=False)
    assert (told.returncode, told.stderr) == (1, "parlour: it has vanished\n")


def test_an_unlisted_error_is_an_event_and_a_response(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("fastapi")
    from parlour.cli.json_teller import JsonTeller
    from parlour.web.refusals import refuse

    move = type("Odd", (UnreadableMove,), {})("odd", "it is odd", "1-2")
    JsonTeller().refuses(match("double-up"), "odd", move)
    assert json.loads(capsys.readouterr().out)["code"] == "move/unreadable"
    assert json.loads(bytes(refuse(move).body))["code"] == "move/unreadable"
    database = type("Gone", (BadDatabase,), {})("postgres: password ...")
    response = refuse(database)
    assert (response.status_code, b"password" in bytes(response.body)) == (503, False)


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


def match(key: str, *moves: str, **texts: str) -> Match:
    """A match in which these moves have been played."""
    game = catalog.find_game(key)
    made = Match(Setup(game, read_rules(game, texts).options))
    for move in moves:
        made.play(made.read(move))
    return made


def over() -> Match:
    return match("double-up", "2", limit="2")


LONG = "x" * 5000

MISTAKES: list[tuple[str, Callable[[], object], str]] = [
    ("UnknownGame", lambda: catalog.find_game("chess"), "'chess'"),
    ("UnknownGame", lambda: catalog.find_game(""), "''"),
    ("UnknownGame", lambda: catalog.find_game("sequence"), "'sequence'"),
    ("UnknownGame", lambda: catalog.find_game(LONG), "'xxxx"),
    ("UnknownGame", lambda: catalog.find_game("\x1b[31m\n"), "'?[31m?'"),
    ("UnknownPlayer", lambda: players.load("robot"), "'robot'"),
    ("BadOptions", lambda: match("double-up", limit="1"), "'1'"),
    ("BadOptions", lambda: match("double-up", limit=LONG), "'xxxx"),
    ("BadOptions", lambda: match("double-up", limit="\n\x00"), "'??'"),
    ("BadOptions", lambda: match("double-up", lim="1"), "'lim'"),
    ("BadOptions", lambda: match("increasing-differences", length="9", range="8"), "length 9"),
    ("BadOptions", lambda: match("sequence-builder", pool="3"), "not 3"),
    ("BadOptions", lambda: match("pyramid-challenge", highest="60", copies="60"), "copies 60"),
    ("BadOptions", lambda: match("sequence-spot", grid="1,2,3"), "'1,2,3'"),
    (
        "BadOptions",
        lambda: read_options(catalog.find_game("sequence-spot").options, {"max_rounds": "0"}),
        "max-rounds '0'",
    ),
    ("BadName", lambda: check_names(("", "Bob")), "''"),
    ("BadName", lambda: check_names(("Ann", " Bob")), "' Bob'"),
    ("BadName", lambda: check_names(("Ann", LONG)), "'xxxx"),
    ("BadName", lambda: check_names(("Ann", "B\nb")), "'B?b'"),
    ("BadName", lambda: check_names(("Ann", "ANN")), "'Ann'"),
    ("UnreadableMove", lambda: match("double-up").read("x"), "'x'"),
    ("UnreadableMove", lambda: match("double-up").read(LONG), "'xxxx"),
    ("UnreadableMove", lambda: match("double-up").read("\x1b[2J"), "'?[2J'"),
    ("IllegalMove", lambda: match("double-up", "2").read("9"), "'9'"),
    ("IllegalMove", lambda: match("double-up", "2").play(9), "'9'"),
    ("IllegalMove", lambda: match("double-up", "2").play(0), "'pass'"),
    ("IllegalMove", lambda: match("double-up", "2").read("pass"), "'pass'"),
    ("IllegalMove", lambda: match("sequence-spot", "2,2").read("2 2"), "'2 2'"),
    ("IllegalMove", lambda: match("sequence-spot", "2,2").play(5), "'2,2'"),
    ("GameOver", lambda: over().read("3"), "'3'"),
    ("GameOver", lambda: over().play(3), ""),
    ("GameOver", lambda: over().resign(0), ""),
    ("GameOver", lambda: over().next_round(), ""),
    ("NoNextRound", lambda: match("double-up").next_round(), ""),
    ("NothingToUndo", lambda: match("double-up").undo(), ""),
    ("BadRecord", lambda: record.read_record("hello"), "'hello'"),
    ("BadRecord", lambda: record.read_record('[Parlour "9"]'), "'9'"),
    ("NoSuchRecord", lambda: saves.find("77"), "'77'"),
    ("NoSuchRecord", lambda: saves.find(LONG), "'xxxx"),
    ("NoSuchRecord", lambda: saves.find("\x1b"), "'?'"),
]


@pytest.mark.parametrize(("name", "mistake", "value"), MISTAKES)
def test_messages(name: str, mistake: Callable[[], object], value: str) -> None:
    with pytest.raises(ParlourError) as caught:
        mistake()
    assert type(caught.value).__name__ == name
    message = str(caught.value)
    assert value in message
    assert message[0].islower() or message[0] == "'", "the first letter is small"
    assert not message.endswith((".", "!", "\n"))
    assert "\n" not in message
    assert all(character.isprintable() for character in message)
    assert len(message) < 300


def test_a_message_says_what_would_do() -> None:
    after_2 = match("double-up", "2")
    would_do: dict[str, Callable[[], object]] = {
        "illegal move '9': 9 is more than 4, the double of 2; legal: 3, 4": lambda: after_2.read("9"),
        "unreadable move 'x': please select a number from 3 to 4; legal: 3, 4": lambda: after_2.read("x"),
        "unknown player 'robot'; known players: human, random": lambda: players.load("robot"),
        "bad limit '1'; allowed: a number from 2 to 1000000, or none": lambda: match("double-up", limit="1"),
        "'sequence' could be any of: sequence-builder, sequence-spot": lambda: catalog.find_game("sequence"),
    }
    for message, mistake in would_do.items():
        with pytest.raises(ParlourError, match=f"^{re.escape(message)}"):
            mistake()


def test_the_example_of_the_design() -> None:
    made = match("increasing-differences", "5", "7", "8", "9", "12", "13", range="15")
    with pytest.raises(MoveRefused) as caught:
        made.read("15")
    assert str(caught.value) == "illegal move '15': 15 is only 3 away from 12; you need more than 4; legal: 1-4, 6"
    assert caught.value.reason == "15 is only 3 away from 12; you need more than 4"
    assert caught.value.legal == "1-4, 6"
