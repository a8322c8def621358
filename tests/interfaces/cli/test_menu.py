"""`parlour` alone at a terminal: the menu, from the first question to the game, and the way back from each."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from parlour import catalog, saves
from parlour.match import Match
from parlour.record import read_record
from parlour.study import progress, progress_file
from parlour.terminal.play import set_up
from tests.support.command import Run
from tests.support.terminal import Person

Terminal = Callable[..., Person]
Runner = Callable[..., Run]

CTRL_C, CTRL_D = "\x03", "\x04"
SIZES = [(80, 24), (40, 16)]
WHICH = "Which game? 1-7, q: leave: "
GAME_KEYS = list(catalog.keys())


def plays(person: Person, state: Path, number: int = 1) -> Match:
    """Leave the game that has begun, and return it."""
    assert "resume" in person.leaves("quit\r")[0]
    return read_record((state / f"{number}.parlour").read_text())


def preferences(state: Path) -> dict[str, object]:
    return tomllib.loads((state.parent.parent.parent / "config" / "parlour" / "config.toml").read_text())


def set_name(run: Runner, name: str = "Ann") -> None:
    assert run("config", "name", name).code == 0


def test_a_newcomer_plays_after_three_answers_and_is_asked_for_a_name_once(terminal: Terminal, state: Path) -> None:
    person = terminal()
    told = person.sees(WHICH)
    for number, title in enumerate((catalog.find_game(key).title for key in GAME_KEYS), 1):
        assert f"  {number}  {title}: " in told
    person.types("1")
    person.sees("The book's game", "Against Level 2", "You begin", "Learn it", "Rules", "Enter: 1, b: back, q: leave: ")
    person.types("")
    person.sees("What is your name? Enter: Player 1, b: back: ")
    person.types("Ann")
    match = plays(person, state)
    assert (match.game.key, match.names, match.setup.players) == (
        "double-up",
        ("Ann", "Computer"),
        ("human", "level:2"),
    )
    assert preferences(state) == {"name": "Ann"}
    person = terminal()
    person.sees("Which game?", ": ")
    person.types("double")
    person.sees("q: leave: ")
    person.types("1")
    assert plays(person, state, 2).names[0] == "Ann", "nobody was asked again"


def test_one_press_deals_what_can_be_won_and_the_book_s_deal_is_beside_it(
    terminal: Terminal, run: Runner, state: Path
) -> None:
    set_name(run)
    for number, (answer, deal) in enumerate([("", "winnable"), ("2", "any"), ("The", "any")], 1):
        person = terminal()
        person.sees("Which game?", ": ")
        person.types("sequence sp")
        person.sees("1  Winnable grids: every grid has at least one winning line", "2  The book's game", "leave: ")
        person.types(answer)
        assert plays(person, state, number).setup.options[1] == deal


@pytest.mark.parametrize("key", GAME_KEYS)
def test_every_variant_is_offered_with_its_reason(terminal: Terminal, run: Runner, key: str) -> None:
    game = catalog.find_game(key)
    for opponent in ("human", "level:2"):
        run("config", "opponent", opponent)
        person = terminal(columns=200)
        person.sees(WHICH)
        person.types(str(GAME_KEYS.index(key) + 1))
        told = person.sees("Which one?")
        assert "The book's game" in told
        for variant in game.content.variants:
            character = f"{variant.character}; " if variant.character else ""
            offered = f"{variant.title}: {character}{variant.why}" in told
            endless = variant.options == {"limit": "none"}  # a computer never resigns, so nobody could win
            assert offered == (opponent == "human" or not endless)
        person.leaves("q\r")


def test_the_texts_of_the_menu(terminal: Terminal, snapshot: Any) -> None:
    person = terminal()
    for number in range(1, len(GAME_KEYS) + 1):
        person.sees(WHICH)
        person.types(str(number))
        person.sees("Which one?", "leave: ")
        if number == 1:
            for question, asked in [("Against", "Against whom?"), ("You", "Who begins?")]:
                person.types(question)
                person.sees(asked, ": ")
                person.types("b")
                person.sees("Which one?", "leave: ")
        person.types("b")
    person.sees(WHICH)
    assert "\n".join(person.scrollback()) == snapshot


@pytest.mark.parametrize(("answer", "names", "players"), [
    ("1", ("Ann", "Bob"), ("human", "human")),
    ("perfect", ("Ann", "Computer"), ("human", "perfect")),
])  # fmt: skip
def test_against_whom(
    terminal: Terminal, run: Runner, state: Path, answer: str, names: tuple[str, str], players: tuple[str, str]
) -> None:
    set_name(run)
    person = terminal()
    person.sees(WHICH)
    person.types("2")
    person.sees("Which one?", "leave: ")
    person.types("Against")
    person.sees("1  A friend at this keyboard", "Random: plays any move that is allowed", "Against whom? 1-8", ": ")
    person.types(answer)
    person.sees("Which one?", "leave: ")
    person.types("1")
    if players[1] == "human":
        person.sees("What is your friend's name? Enter: Player 2, b: back: ")
        person.types("Ann")
        person.sees("You cannot both have that name.", ": ")
        person.types("Bob")
    match = plays(person, state)
    assert (match.names, match.setup.players) == (names, players)
    assert preferences(state) == {"name": "Ann"} | ({"friend": "Bob"} if players[1] == "human" else {})


def test_enter_at_a_question_for_a_name_stores_no_name(terminal: Terminal, run: Runner, state: Path) -> None:
    assert run("config", "opponent", "human").code == 0
    person = terminal()
    person.sees(WHICH)
    person.types("1")
    person.sees("Which one?", "leave: ")
    person.types("1")
    person.sees("What is your name? Enter: Player 1, b: back: ")
    person.types("")
    person.sees("friend's", ": Player 2, b: back: ")
    person.types("")
    assert plays(person, state).names == ("Player 1", "Player 2")
    assert preferences(state) == {"opponent": "human"}


@pytest.mark.parametrize("answer", ["1", "2", "3"])
def test_who_begins_and_what_the_coin_has_decided(terminal: Terminal, run: Runner, state: Path, answer: str) -> None:
    set_name(run)
    person = terminal()
    person.sees(WHICH)
    person.types("4")
    person.sees("You begin", "leave: ")
    person.types("You")
    person.sees("1  You", "2  The computer", "3  A coin decides", "Who begins?", "leave: ")
    person.types(answer)
    person.sees(["You begin", "The computer begins", "A coin decides who begins"][int(answer) - 1], "leave: ")
    person.types("1")
    told = person.sees("The coin has been tossed: ", " begin") if answer == "3" else ""
    match = plays(person, state)
    if answer == "3":
        assert told.endswith(f"{['you', 'Computer'][match.setup.first - 1]} begin")
    else:
        assert match.setup.first == int(answer)


def test_there_is_a_way_back_from_every_question(terminal: Terminal) -> None:
    person = terminal()
    person.sees(WHICH)
    person.types("3")
    for question in ["Against", "You", ""]:
        person.sees("Pyramid Challenge", "Which one?", "leave: ")
        person.types(question)
        person.sees("b: back")
        person.sees(": ")
        person.types("b")
    person.sees("Pyramid Challenge", "Which one?", "leave: ")
    person.types("back")
    person.sees(WHICH)
    person.types("q")
    assert person.leaves()[1] == 0


def test_the_rules_can_be_read_and_the_game_learnt(terminal: Terminal) -> None:
    person = terminal(PAGER="cat")
    person.sees(WHICH)
    person.types("3")
    person.sees("Which one?", "leave: ")
    person.types("Rules")
    person.sees("Build a pyramid of numbers", "Enter: back, q: leave: ")
    assert "Which one?" not in person.display()[-1], "the rules are not pushed off the screen by the menu"
    person.types("")
    person.sees("Which one?", "leave: ")
    person.types("Learn")
    person.sees("Pyramid Challenge: a first game", "Type 4, or press")
    person.types("q")
    person.sees("Which one?", "leave: ")
    assert person.leaves("q\r")[1] == 0


def keep_games(amount: int, piped: bool = False) -> None:
    for _ in range(amount):
        match = Match(set_up("double-up", {}, names=("Ann", "Bob")))
        match.play("2")
        saves.add(match, piped=piped)


def test_the_only_unfinished_game_is_one_press_away(terminal: Terminal, state: Path) -> None:
    keep_games(1)
    keep_games(1, piped=True)
    saves.add(Match(set_up("double-up", {}, ("random", "random"))))
    person = terminal(columns=120)
    person.sees("6  Resume game 1: Double Up, Ann - Bob, Bob to move after 1 move", "Which game? 1-8, q: leave: ")
    person.types("6")
    assert "resume 1" in person.leaves("quit\r")[0]


def test_all_unfinished_games_are_within_reach_the_newest_first(terminal: Terminal) -> None:
    keep_games(23)
    person = terminal()
    person.sees("Resume an unfinished game: there are 23", "q: leave: ")
    person.types("6")
    told = person.sees("Which one? 1-9, m: more, b: back, q: leave: ")
    assert re.findall(r"game (\d+):", told) == [str(number) for number in range(23, 14, -1)]
    person.types("m")
    person.sees("game 14:", "Which one? 10-18, m: more")
    person.types("more")
    person.sees("game 1:", "Which one? 19-23, b: back, q: leave: ")
    person.types("99")
    person.sees("There is no '99' here", "leave: ")
    person.types("22")
    assert "resume 2" in person.leaves("quit\r")[0]


def test_enter_without_a_default_lists_the_choices(terminal: Terminal) -> None:
    person = terminal()
    person.sees("Which game?", "leave: ")
    person.types("")
    assert "There is no" not in person.sees("Type 1 to 7, or ? for help.", "leave: ")
    person.leaves("q\r")


@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize("key", GAME_KEYS)
def test_every_question_fits_the_screen(terminal: Terminal, key: str, columns: int, rows: int) -> None:
    """All that can be chosen is on the screen together with the question."""
    person = terminal(columns=columns, rows=rows)
    person.sees("Which game?", "leave: ")
    shown = person.display()
    assert any(line.startswith("  1  ") for line in shown), shown
    assert shown[0].startswith("Parlour"), shown
    person.types(str(GAME_KEYS.index(key) + 1))
    person.sees("Which one?", "leave:")
    shown = person.display()
    assert any("1  " in line for line in shown), shown
    assert catalog.find_game(key).title in shown, shown
    person.types("Against")
    person.sees("Against whom?", "leave:")
    assert any("A friend at this keyboard" in line for line in person.display())
    assert person.leaves(CTRL_D)[1] == 0


def test_play_without_a_game_is_the_menu(terminal: Terminal) -> None:
    person = terminal("play")
    person.sees(WHICH)
    assert person.leaves("q\r")[1] == 0


def test_preferences_are_the_menu_s_as_well(terminal: Terminal, run: Runner, state: Path) -> None:
    set_name(run)
    for key, value in (("opponent", "level:1"), ("first", "2"), ("pyramid.copies", "2")):
        assert run("config", key, value).code == 0
    person = terminal()
    person.sees(WHICH)
    person.types("3")
    person.sees("1  Yours: copies 2", "2  The book's game", "Against Level 1", "The computer begins", "leave: ")
    person.types("")
    match = plays(person, state)
    assert (match.setup.players[1], match.setup.first, match.setup.options[2]) == ("level:1", 2, 2)


def test_an_exam_is_a_way_into_a_game(terminal: Terminal) -> None:
    person = terminal()
    person.sees(WHICH)
    person.types("1")
    person.sees("Master it", "leave: ")
    person.types("Master")
    person.sees("Exams in Double Up", "14 questions", "> ")
    person.types("")
    person.sees("Question 1 of about 14.", "> ")
    person.types("quit")
    person.sees("The exam resumes here next time", "leave: ")
    assert person.leaves("q\r")[1] == 0


def test_mistakes_are_offered_to_those_who_have_some(terminal: Terminal) -> None:
    question = {"game": "double-up", "version": 0}
    with progress_file.changing() as kept:
        kept.progress = progress.with_mistake(kept.progress, "a", question, date.today())
    person = terminal()
    person.sees("8  Your mistakes", "Which game? 1-8, q: leave: ")
    person.types("8")
    person.sees("A mistake can't be asked any more and was removed", WHICH)
    assert person.leaves("q\r")[1] == 0
