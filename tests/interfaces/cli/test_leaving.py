"""Leaving: the same words and keys at every prompt, the same exit codes, and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.command import Run
from tests.support.terminal import CTRL_C, CTRL_D, Person

Terminal = Callable[..., Person]
Runner = Callable[..., Run]

SAVED = "Game 1 is saved. Resume it with: parlour resume 1"


def at_the_menu(terminal: Terminal, run: Runner) -> Person:
    person = terminal()
    person.sees("Which game?", "leave: ")
    return person


def at_a_game_in_the_menu(terminal: Terminal, run: Runner) -> Person:
    person = at_the_menu(terminal, run)
    person.types("5")
    person.sees("Which one?", "leave: ")
    return person


def in_mid_game(terminal: Terminal, run: Runner) -> Person:
    person = terminal("play", "double-up")
    for move in ["2", "4"]:
        person.asked()
        person.types(move)
    person.asked()
    return person


def after_the_end(terminal: Terminal, run: Runner) -> Person:
    person = terminal("play", "double-up", "--limit", "2")
    person.asked()
    person.types("2")
    person.sees("Again (Enter)", "> ")
    return person


def in_a_replay(terminal: Terminal, run: Runner) -> Person:
    run("play", "double-up", stdin="2\n")
    person = terminal("replay", "1")
    person.sees("0 of 1.", "> ")
    return person


PLACES = [at_the_menu, at_a_game_in_the_menu, in_mid_game, after_the_end, in_a_replay]
WAYS = {"quit\r": 0, "q\r": 0, "Q\r": 0, "EXIT\r": 0, CTRL_D: 0, CTRL_C: 130, f"12{CTRL_C}": 130}


@pytest.mark.parametrize(
    ("place", "keys"),
    [(place, keys) for place in PLACES for keys in WAYS if (place, keys) != (in_a_replay, "EXIT\r")],
)
def test_leaving(
    terminal: Terminal, run: Runner, state: Path, place: Callable[[Terminal, Runner], Person], keys: str
) -> None:
    last, code = place(terminal, run).leaves(keys)
    assert code == WAYS[keys]
    echo = ("", keys.strip().replace(CTRL_D, "").replace(CTRL_C, "^C"))
    said = [line for line in last.split("\n") if line not in echo]
    assert said == ([SAVED] if place is in_mid_game else [])
    saved = {path.name: path.read_text().split("\n\n")[1] for path in state.glob("*.parlour")}
    expected = {in_mid_game: "1. 2\n2. 4\n", after_the_end: "1. 2\n", in_a_replay: "1. 2\n"}
    assert saved == ({"1.parlour": expected[place]} if place in expected else {})


def test_a_game_that_was_left_is_resumed(terminal: Terminal, run: Runner) -> None:
    in_mid_game(terminal, run).leaves(CTRL_C)
    person = terminal("resume")
    person.sees("Player 1 doubled 1 to 2.  Player 2 doubled 2 to 4.", "1 ●2 ◆4", "Player 1's turn: 5-8", "> ")


def test_n_after_the_end_is_no_other_game(terminal: Terminal, run: Runner) -> None:
    assert after_the_end(terminal, run).leaves("n\r")[1] == 0


def test_ctrl_c_after_the_end_ends_the_line(terminal: Terminal, run: Runner) -> None:
    assert after_the_end(terminal, run).leaves(CTRL_C)[0].endswith("\n")


def test_leaving_at_the_question_whether_to_resign(terminal: Terminal, run: Runner) -> None:
    person = terminal("play", "double-up")
    person.asked()
    person.types("resign")
    person.sees("y or n: ")
    person.presses(CTRL_D)
    person.sees("The game continues.")
    person.asked()
    person.types("resign")
    person.sees("y or n: ")
    last, code = person.leaves(CTRL_C)
    assert "Game 1 is saved. Resume it with: parlour resume 1" in last
    assert code == 130
    assert '[Result "*"]' in run("export", "1").out
