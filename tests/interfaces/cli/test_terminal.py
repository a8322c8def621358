"""`parlour` at a terminal: whole games, words, colours, replays, and leaving in every way there is."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from parlour.players import level, perfect
from parlour.solver import solver
from tests.support.command import Run
from tests.support.screens import check_screens
from tests.support.terminal import Person

Terminal = Callable[..., Person]
Runner = Callable[..., Run]


CTRL_C, CTRL_D, UP = "\x03", "\x04", "\x1b[A"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
AGAIN = "Again (Enter)"


def kept(run: Runner) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(run("games", "--json").out)
    return found


def actions(run: Runner, number: int = 1) -> list[str]:
    return run("export", str(number)).out.split("\n\n", 1)[1].splitlines()


# Whole games.

GAMES = {
    "double-up": ((), "2 4 8 16 17 34 50 100", "0-1"),
    "increasing-differences": (("--length", "4", "--range", "15"), "5 7 8 9 12 13 15 17 2", "1-0"),
    "pyramid-challenge": (("--name1", "Alice", "--name2", "Bob"), "4 5 7 2 3 6 3 7 4 8 7", "1-0"),
    "sequence-builder": ((), "5 6 9 7 9 10 12 13", "1-0"),
    "sequence-spot": (("--grid", "2,7,6,9,5,1,4,3,8"), "9 1,1 5 5 8 2,3", "1-0"),
}


@pytest.mark.parametrize("plain", [False, True], ids=["drawn", "plain"])
@pytest.mark.parametrize("key", GAMES)
def test_a_whole_game(terminal: Terminal, run: Runner, snapshot: Any, key: str, plain: bool) -> None:
    """Illegal moves included; the screens are in the snapshots."""
    options, moves, result = GAMES[key]
    person = terminal("play", key, *options, *(["--plain"] if plain else []))
    screens = []
    for move in moves.split():
        person.asked()
        screens.append(person.display())
        person.types(move)
    person.sees(AGAIN, "> ")
    scrollback = person.scrollback()
    assert "\n".join(screens[3]) == snapshot(name="the fourth question")
    assert "\n".join(scrollback) == snapshot(name="everything")
    assert max(map(len, scrollback)) <= 80
    if plain:
        assert not re.search("[●◆┌│·]", person.raw)
        assert not re.search(r"\x1b\[[0-9]*[A-K]", person.raw), "nothing is drawn over"
    person.types("q")
    last, code = person.leaves()
    assert code == 0
    assert "saved" not in last, "a finished game needs no resuming"
    assert kept(run)[0]["result"] == result


@pytest.mark.parametrize(
    ("columns", "rows", "key", "options"),
    [
        (80, 24, "double-up", ""),
        (40, 16, "increasing-differences", "length=7 range=14"),
        (80, 24, "increasing-differences", "length=8 range=17"),
        (120, 40, "pyramid-challenge", "highest=8 copies=2"),
        (40, 16, "sequence-builder", ""),
        (80, 24, "sequence-builder", "length=10 pool=24 increments=2,3,5"),
        (40, 16, "sequence-spot", "deal=winnable"),
        (80, 24, "sequence-spot", ""),
    ],
)
def test_every_game_is_played_to_a_decided_end_and_seen_whole(
    terminal: Terminal, columns: int, rows: int, key: str, options: str
) -> None:
    """The other variants at the other sizes are in tests/proofs/test_screens.py."""
    check_screens(terminal, columns, rows, key, options)


def test_the_table_is_drawn_in_its_place(terminal: Terminal) -> None:
    person = terminal("play", "builder", "--p2", "random", "--seed", "1")
    for number in ["1", "x", "2", "3"]:
        person.asked()
        person.types(number)
    person.asked()
    lines = person.scrollback()
    assert len([line for line in lines if line.startswith("● You")]) == 1
    assert len([line for line in lines if line.startswith("Your turn")]) == 1
    assert not [line for line in lines if "I don't know" in line], "a refusal is gone with the next move"
    assert [line[:10] for line in lines if line.startswith("You took")] == ["You took 1", "You took 2", "You took 3"]
    person.leaves(CTRL_D)


# What is said in which case.


def test_a_forced_pass_is_explained_and_waits_for_enter(terminal: Terminal, run: Runner) -> None:
    person = terminal("play", "pyramid", "--base", "2")
    for number in ["6", "1", "6", "2"]:
        person.asked()
        person.types(number)
    person.sees("6 + 6 = 12 is more than 9, and 6 - 6 = 0 is less than 1. Player 1 passes.", "(Enter, or undo) > ")
    assert "Player 1 placed 6.  Player 2 placed 2." in person.display()
    assert actions(run) == ["1. 6", "2. 1", "3. 6", "4. 2"], "nothing happens before that"
    person.types("5")
    person.sees("You can only pass", "(Enter, or undo) > ")
    person.presses("\r")
    person.sees("Player 1 passed", "Player 2's turn: 1 or 3", "> ")
    person.types("undo")
    person.sees("Taken back: 2, pass.", "Player 2's turn", "> ")
    person.types("2")
    person.sees("(Enter, or undo) > ")
    person.presses("\r")
    person.asked()
    person.types("3")
    person.sees("Player 2 completed the pyramid, and wins.", AGAIN)
    person.types("quit")
    assert person.leaves()[1] == 0
    assert actions(run) == ["1. 6", "2. 1", "3. 6", "4. 2", "5. pass", "undo", "undo", "4. 2", "5. pass", "6. 3"]


def test_a_computers_pass_says_why(terminal: Terminal, run: Runner, tmp_path: Path) -> None:
    run("play", "builder", "--length", "3", "--pool", "9", stdin="9\n")
    record = run("export", "1").out.replace('[Chooser1 "human"]', '[Chooser1 "random"]')
    (tmp_path / "stuck.parlour").write_text(record)
    run("import", str(tmp_path / "stuck.parlour"))
    person = terminal("resume", "2")
    person.sees("Computer took 9.")
    person.asked()
    person.types("1")
    person.sees("You took 1.  Computer passed: 10, 11 and 12 are more than 9.", "Your turn: 2-4", "> ")
    person.leaves(CTRL_D)


def test_a_round_that_nobody_can_win_is_said_to_be_so_in_the_table(terminal: Terminal, run: Runner) -> None:
    person = terminal("play", "spot", "--grid", "1,2,4,3,8,9,6,5,7", "--seed", "1")
    for _ in range(2):
        person.sees("> ")
        screen = person.display()
        assert "this grid can no longer be won" in "".join(screen)
        assert " or next for a new round " in " ".join(screen)
        person.types("board")
    person.asked()
    person.types("next")
    person.sees("Round 2: Player 2 begins.", "round 2", "Player 2's turn: ", "> ")
    person.types("undo")
    person.sees("Taken back: the next round.", "Player 1's turn: ", "> ")
    assert "│   1  │   2  │   4  │" in " ".join(person.display())
    person.types("undo")
    person.sees("Nothing has been played yet.", "> ")
    person.types("redo")
    person.sees("Played again: the next round.", "Player 2's turn: ", "> ")
    person.leaves(CTRL_D)
    lines = actions(run)
    assert [line.split()[0] for line in lines] == ["deal", "undo", "deal"]
    assert lines[0] == lines[2], "the same grid"


def test_the_coin_is_told(terminal: Terminal) -> None:
    for seed in ("1", "2", "3", "4"):
        person = terminal("play", "double-up", "--first", "toss", "--p2", "random", "--seed", seed)
        told = person.sees("The coin has been tossed: ", " begin")
        person.sees("> ")
        began = "Computer doubled 1 to 2." in "".join(person.display())
        assert began == ("Computer begin" in told)
        person.leaves(CTRL_D)


def test_one_person_is_you_and_two_have_their_names(terminal: Terminal) -> None:
    person = terminal("play", "builder", "--p1", "random", "--name2", "Ann", "--seed", "1")
    person.sees("Computer took ", "◆ Computer", "● You", "Your turn: ")
    person.sees("> ")
    person.leaves(CTRL_D)
    person = terminal("play", "builder", "--name1", "Ann", "--name2", "Ben")
    person.sees("● Ann", "◆ Ben", "Ann's turn: 1-20", "> ")
    person.leaves(CTRL_D)


def test_two_computers_make_a_short_log(terminal: Terminal) -> None:
    person = terminal("play", "builder", "--p1", "random", "--p2", "random", "--seed", "1")
    told, code = person.leaves()
    assert code == 0
    assert len(re.findall(r"^Player 1 \w+.*  Player 2 \w+", told, re.MULTILINE)) >= 2
    assert told.count("◆ Player 2") == 1, "the table is drawn when it is over"
    assert "Again" not in told


def test_without_unicode_letters_stand_for_marks(terminal: Terminal) -> None:
    person = terminal("play", "spot", "--grid", "2,7,6,9,5,1,4,3,8", "--p2", "random", PYTHONIOENCODING="ascii")
    person.asked()
    person.types("9")
    person.sees("You marked 9.", "X You  O Computer")
    person.sees("> ")
    assert person.raw.isascii()
    assert "|  X9  |" in " ".join(person.display())
    assert "+------+------+------+" in " ".join(person.display())
    person.leaves(CTRL_D)


@pytest.mark.parametrize(
    ("arguments", "setting"), [(("--plain",), {}), ((), {"PARLOUR_PLAIN": "1"}), ((), {"TERM": "dumb"})],
    ids=["--plain", "PARLOUR_PLAIN", "TERM=dumb"],
)  # fmt: skip
def test_plain_lines_with_words_instead_of_marks(
    terminal: Terminal, arguments: tuple[str, ...], setting: dict[str, str]
) -> None:
    grid = ("--grid", "2,7,6,9,5,1,4,3,8")
    person = terminal("play", "spot", *grid, "--name1", "Ann", "--name2", "Ben", *arguments, **setting)
    for move in ["9", "2", "x", "5", "6"]:
        person.asked()
        person.types(move)
    person.sees("Ben marked 6.", "Row 1: 2 (Ben), 7, 6 (Ben).", "Row 2: 9 (Ann), 5 (Ann), 1.")
    person.asked()
    person.types("1")
    person.sees("Row 2: 9 (Ann, wins), 5 (Ann, wins), 1 (Ann, wins).", "Ann lined up 9, 5, 1, in steps of 4, and wins.")
    person.sees(AGAIN)
    person.types("q")
    person.leaves()
    assert not re.search(r"\x1b\[[0-9]*[A-K]", person.raw), "nothing is drawn over"
    assert not re.search("[●◆┌│·]", person.raw)


# Computers that take their time.

LARGE = ("increasing", "--length", "12", "--range", "60", "--p2", "perfect", "--seed", "1")


def test_perfect_without_a_proof_hands_over_and_says_so(
    terminal: Terminal, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(perfect, "SEARCHED_NODES", 500)
    monkeypatch.setattr(solver, "UNPACKED_NODES", 500)
    monkeypatch.setattr(level, "MAX_TRIALS", 20)
    person = terminal("play", *LARGE)
    person.asked()
    person.types("30")
    told = person.sees("for a table", "plays on", "Your turn: ", "> ")
    assert kept(run)[0]["players"] == ["human", "level:5"]
    free = re.findall(r"Your turn: (\d+)", told)
    person.types(*free)
    person.sees("Your turn: ", "> ")
    person.leaves(CTRL_D)
    assert len(actions(run)) == 4


def test_perfect_says_that_a_game_without_an_end_has_no_proof(terminal: Terminal) -> None:
    person = terminal("play", "double-up", "--limit", "none", "--p2", "perfect")
    person.asked()
    person.types("2")
    told = person.sees("need not end", "in its place.", "Your turn: ", "> ")
    assert "in time" not in told
    person.leaves(CTRL_D)


def test_a_report_comes_after_the_game_and_no_word_is_unknown(terminal: Terminal) -> None:
    person = terminal("play", "double-up", "--p2", "random")
    person.asked()
    person.types("report")
    told = person.sees("The report comes when the game is over.", "parlour report 1", "> ")
    assert "not a move" not in told
    person.leaves(CTRL_D)
    strict = terminal("play", "double-up", "--p2", "random", "--strict")
    strict.asked()
    strict.types("report")
    assert "parlour report" not in strict.sees("The report comes when the game is over.", "> ")
    strict.leaves(CTRL_D)


def test_the_help_names_cells_by_their_numbers(terminal: Terminal) -> None:
    person = terminal("play", "spot", "--grid", "1,2,3,4,5,6,7,8,9")
    person.asked()
    person.types("5")
    person.asked()
    person.types("help")
    person.sees("Select the number of a free cell. Possible now: 1-4, 6-9\n", "> ")
    person.leaves(CTRL_D)


def test_a_hint_on_a_grid_that_nobody_can_win_leads_on(terminal: Terminal) -> None:
    person = terminal("play", "spot", "--grid", "3,6,4,8,5,1,7,2,9", "--p2", "random")
    person.asked()
    person.types("hint")
    person.sees("Neither player can win this round. Type next for the next round.", "> ")
    person.types("next")
    person.sees("Round 2", "> ")
    person.leaves(CTRL_D)
    last = terminal("play", "spot", "--grid", "3,6,4,8,5,1,7,2,9", "--max-rounds", "1", "--p2", "random")
    last.asked()
    last.types("hint")
    assert "Type next" not in last.sees("Neither player can win this round.", "> ")
    last.leaves(CTRL_D)


# When it is over.


def test_the_end_is_not_the_end(terminal: Terminal, run: Runner) -> None:
    person = terminal("play", "double-up", "--limit", "2", "--p2", "random")  # whoever begins wins
    person.asked()
    person.types("2")
    person.sees("Computer could not go beyond 2: you win!", "You 1 : 0 Computer", AGAIN, "> ")
    for typed, told in [
        ("wat", "'wat' does nothing here. Type help for the choices."),
        ("help", "- again: "),
        ("moves", "You: 2"),
        ("report", "Double Up: Player 1 - Computer"),
    ]:
        person.types(typed)
        person.sees(told, AGAIN, "> ")
    person.presses("\r")
    person.sees(
        "Game 2: Computer begins.", "You could not go beyond 2: Computer wins.", "You 1 : 1 Computer", AGAIN, "> "
    )
    person.types("level 1")
    person.sees("In the next game you play against Level 1", AGAIN, "> ")
    person.types("same")
    person.sees("Computer begins the next game.", AGAIN, "> ")
    person.types("again")
    person.sees("Game 3: Computer begins.", "You 1 : 2 Computer", AGAIN, "> ")
    person.types("quit")
    assert person.leaves()[1] == 0
    games = kept(run)
    assert [game["result"] for game in games] == ["0-1", "0-1", "1-0"]
    assert [game["players"][1] for game in games] == ["level:1", "random", "random"]


def test_another_level_after_the_end_leaves_the_finished_record_alone(
    terminal: Terminal, run: Runner, state: Path
) -> None:
    person = terminal("play", "double-up", "--limit", "2", "--p2", "random", "--strict")
    person.asked()
    person.types("2")
    person.sees(AGAIN, "> ")
    before = (state / "1.parlour").read_bytes()
    person.types("level 9")
    person.sees("There is no level '9'; type level and one of these: random, 1, ", AGAIN, "> ")
    person.types("level perfect")
    person.sees("In the next game you play against Perfect", AGAIN, "> ")
    person.types("level")
    person.sees("You play against Perfect", AGAIN, "> ")
    assert (state / "1.parlour").read_bytes() == before
    person.presses("\r")
    person.sees("Game 2: Computer begins.", AGAIN, "> ")
    person.leaves("quit\r")
    assert (state / "1.parlour").read_bytes() == before
    assert [game["players"] for game in kept(run)] == [["human", "perfect"], ["human", "random"]]


def test_undo_after_the_end_opens_the_game_again(terminal: Terminal, run: Runner) -> None:
    person = terminal("play", "double-up", "--limit", "4", "--name1", "Ann", "--name2", "Ben")
    for move in ["2", "4"]:
        person.asked()
        person.types(move)
    person.sees("Ann could not go beyond 4: Ben wins.", "Ann 0 : 1 Ben", AGAIN, "> ")
    assert kept(run)[0]["result"] == "0-1"
    person.types("undo")
    person.sees("Taken back: 4.", "Ben's turn: 3 or 4")
    person.sees("> ")
    assert kept(run)[0]["result"] == "*"
    assert actions(run) == ["1. 2", "2. 4", "undo"]
    person.leaves(CTRL_D)
    person = terminal("resume")
    person.sees("Resuming game 1", "Ben's turn: 3 or 4", "> ")
    person.types("3")
    person.asked()
    person.types("4")
    person.sees("Ben could not go beyond 4: Ann wins.", "Ann 1 : 0 Ben", AGAIN, "> ")
    person.types("q")
    assert person.leaves()[1] == 0
    assert actions(run) == ["1. 2", "2. 4", "undo", "2. 3", "3. 4"]
    assert kept(run)[0]["result"] == "1-0"


def test_a_resignation_can_be_taken_back(terminal: Terminal, run: Runner) -> None:
    person = terminal("play", "double-up", "--p2", "random")
    person.asked()
    person.types("resign")
    person.sees("Give up this game? y or n: ")
    person.types("y")
    person.sees("You resigned: Computer wins.", AGAIN, "> ")
    person.types("undo")
    person.sees("Taken back: the resignation.", "Your turn: 2")
    person.sees("> ")
    assert kept(run)[0]["result"] == "*"
    person.leaves(CTRL_D)


def test_menu_after_a_game(terminal: Terminal) -> None:
    person = terminal("play", "double-up", "--limit", "2")
    person.asked()
    person.types("2")
    person.sees(AGAIN, "> ")
    person.types("menu")
    person.sees("Which game?")
    person.leaves(CTRL_D)


# The beginning.


def test_a_program_that_cannot_be_started_is_refused_before_the_game(terminal: Terminal, run: Runner) -> None:
    person = terminal("play", "double-up", "--p2", "engine:nonexist")
    told, code = person.leaves()
    assert code != 0
    assert "nonexist" in told
    assert kept(run) == []


def test_the_welcome_says_the_rule_of_this_very_game(terminal: Terminal) -> None:
    person = terminal("play", "sequence-builder", "--increments", "2,3")
    person.sees("each 2 or 3 more than your last", "This game: steps of 2 or 3.", "saved as you play.")
    person.leaves("\x04")


# Leaving in mid-game.


@pytest.mark.parametrize("yes", ["y", "YES"])
def test_resigning_asks_first(terminal: Terminal, run: Runner, yes: str) -> None:
    person = terminal("play", "double-up", "--name1", "Ann", "--name2", "Bob")
    for answer in ["no", "", "n", "yess", "help"]:
        person.asked()
        person.types("resign")
        person.sees("Give up this game? y or n: ")
        person.types(answer)
        person.sees("The game continues.")
    person.asked()
    person.types("resign")
    person.sees("y or n: ")
    person.types(yes)
    person.sees("Ann resigned: Bob wins.", AGAIN, "> ")
    person.types("q")
    assert person.leaves()[1] == 0
    assert actions(run) == ["resign 1"]
    assert kept(run)[0]["result"] == "0-1"


# Words.


def test_undo_and_redo_against_the_computer(terminal: Terminal, run: Runner) -> None:
    person = terminal("play", "double-up", "--p2", "random", "--seed", "3")
    person.asked()
    person.types("2")
    told = person.sees("You doubled 1 to 2.  Computer ", "Your turn: ", "> ")
    answer = re.search(r"Computer (?:took|doubled 2 to) ([34])\.", told)
    assert answer
    person.types("redo")
    person.sees("Nothing was taken back that could be played again.")
    person.asked()
    person.types("undo")
    person.sees(f"Taken back: 2, {answer[1]}.", "Your turn: 2 ", "> ")
    person.types("undo")
    person.sees("Nothing has been played yet.", "> ")
    person.types("redo")
    person.sees(f"Played again: 2, {answer[1]}.", "Your turn: ", "> ")
    person.types("moves")
    person.sees(f"You: 2, Computer: {answer[1]}", "> ")
    person.types("quit")
    person.leaves()
    assert actions(run) == ["1. 2", f"2. {answer[1]}", "undo", "undo", "1. 2", f"2. {answer[1]}"]
    person = terminal("resume")
    person.asked()
    person.types("undo")
    person.sees(f"Taken back: 2, {answer[1]}.")
    person.asked()
    person.types("redo")
    person.sees(f"Played again: 2, {answer[1]}.")
    person.leaves(CTRL_D)


def test_level_and_swap(terminal: Terminal, run: Runner) -> None:
    person = terminal("play", "builder", "--p2", "random", "--seed", "3")
    person.asked()
    person.types("level")
    person.sees("You play against Random. Type level and one of these: random, 1, 2, ", "> ")
    person.types("level 9")
    person.sees("There is no level '9'; type level and one of these: random, 1, ", "> ")
    person.types("level 3")
    person.sees("Level 3 takes over from here.", "Your turn: ", "> ")
    assert kept(run)[0]["players"] == ["human", "level:3"]
    person.types("5")
    person.asked()
    person.types("swap")
    person.sees("You took ", "You have changed sides.", "Your turn: ", "> ")
    assert kept(run)[0]["players"] == ["level:3", "human"]
    person.leaves(CTRL_D)
    assert len(actions(run)) == 3
    person = terminal("resume")
    person.sees("● You", "Your turn: ", "> ")
    person.types("level perfect")
    person.sees("Perfect takes over from here.")
    person.leaves(CTRL_D)
    person = terminal("play", "builder")
    for word in ("level", "swap"):
        person.asked()
        person.types(word)
        person.sees("You are playing a person: there is no ")
    person.asked()
    person.leaves(CTRL_D)


def test_a_strict_game_refuses_hint_why_undo_redo_level_and_swap(terminal: Terminal) -> None:
    person = terminal("play", "builder", "--p2", "random", "--strict")
    for word in ("hint", "why", "why 3", "undo", "redo", "level 1", "swap"):
        person.asked()
        person.types(word)
        person.sees("This is a strict game: no hints, no undo, no change of opponent.")
    person.asked()
    person.types("help")
    told = person.sees("You can also type:", "- quit", "> ")
    assert "- undo" not in told
    person.leaves(CTRL_D)


def test_a_strict_game_stays_strict(terminal: Terminal, run: Runner, state: Path) -> None:
    person = terminal("play", "double-up", "--p2", "level:1", "--strict")
    person.asked()
    person.types("2")
    person.asked()
    person.leaves(CTRL_D)
    assert '[Strict "yes"]' in (state / "1.parlour").read_text()
    exported = run("export", "1").out
    assert "Imported as game 2" in run("import", "--force", "-", stdin=exported).out
    for number in ("1", "2"):
        person = terminal("resume", number)
        person.asked()
        person.types("undo")
        person.sees("This is a strict game")
        person.asked()
        person.leaves(CTRL_D)
    person = terminal("resume", "1")
    person.asked()
    person.types("resign")
    person.sees("y or n: ")
    person.types("y")
    told = person.sees(AGAIN, "> ")
    assert "undo" not in told
    person.presses("\r")
    person.asked()
    person.leaves(CTRL_D)
    assert '[Strict "yes"]' in (state / "3.parlour").read_text(), "a rematch is strict, too"


def test_words_at_the_prompt(terminal: Terminal) -> None:
    person = terminal("play", "spot", "--grid", "2,7,6,9,5,1,4,3,8", "--p2", "random", PAGER="cat")
    person.asked()
    person.types("?")
    person.sees("You can also type:", "- next: ", "- quit: ")
    person.asked()
    screen = person.display()
    assert "You can also type:" in screen, "the help fits the screen"
    assert screen[-1] == ">"
    person.types("rules")
    person.sees("Mark three cells in a line.")
    person.asked()
    person.types("board")
    person.sees("│   2  │   7  │   6  │")
    person.asked()
    person.types("save")
    person.sees("Saved as game 1", "1.parlour", "resume 1")
    person.asked()
    person.types("hint")
    person.asked()
    assert "│   2  │   7  │   6  │" in " ".join(person.display()), "a hint stands beside the table"
    person.types("next")
    person.sees("This round is not over: a player can still win it.")
    person.asked()
    person.types("9,9")
    person.sees("I don't know '9,9'")
    person.asked()
    person.types("quit")
    assert person.leaves()[1] == 0


# Keys.


def test_tab_offers_words_moves_and_cells(terminal: Terminal) -> None:
    person = terminal("play", "double-up")
    assert person.completions("hel") == ["help"]
    assert {"2", "help", "board"} <= set(person.completions(""))
    for move in ["2", "4", "5"]:
        person.asked()
        person.types(move)
    assert person.completions("1") == ["10"], "of 6 to 10"
    person = terminal("play", "spot", "--grid", "1,2,3,4,5,6,7,8,9")
    for cell in ["3,1", "3,2"]:
        person.asked()
        person.types(cell)
    assert person.completions("3") == ["3,3"], "the only free cell of that row"


# Colour and width.


def one_game(person: Person) -> str:
    person.asked()
    person.types("x")
    person.sees("I don't know")
    person.asked()
    person.types("2")
    person.asked()
    person.types("resign")
    person.sees("y or n: ")
    person.types("yes")
    person.sees(AGAIN, "> ")
    person.types("q")
    assert person.leaves()[1] == 0
    return person.raw


def test_colours_at_a_terminal(terminal: Terminal) -> None:
    raw = one_game(terminal("play", "double-up"))
    assert "\x1b[36m" in raw, "Player 1's numbers are cyan"
    assert "\x1b[33mI don't know 'x'" in raw, "a refusal is yellow"
    opened = len(re.findall(r"(?:\x1b\[[1-9][0-9;]*m)+", raw))
    assert raw.count("\x1b[0m") >= opened, "every colour ends"
    assert not re.search(r"\x1b\[[1-9][0-9;]*m[^\x1b\r\n]*\r?\n", raw), "no colour runs over a line"


@pytest.mark.parametrize("setting", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"NO_COLOR": "1", "FORCE_COLOR": "1"}])
def test_no_colours_where_they_are_not_wanted(terminal: Terminal, setting: dict[str, str]) -> None:
    raw = one_game(terminal("play", "double-up", **setting))
    assert not COLOUR.search(raw)


def test_colour_is_never_the_only_sign(terminal: Terminal) -> None:
    coloured = terminal("play", "builder", "--seed", "1")
    without = terminal("play", "builder", "--seed", "1", NO_COLOR="1")
    screens = []
    for person in (coloured, without):
        for number in ["5", "9", "6"]:
            person.asked()
            person.types(number)
        person.asked()
        screens.append([re.sub(r"(game) \d", r"\1 N", line) for line in person.display()])
        person.leaves(CTRL_D)
    assert screens[0] == screens[1]


# Replaying.


def test_stepping_through_a_record(terminal: Terminal, run: Runner) -> None:
    run("play", "double-up", "--name1", "Ann", "--name2", "Bob Lee", stdin="2\n3\nundo\n4\nresign\n")
    person = terminal("replay", "1")
    person.sees(
        "Double Up: Ann - Bob Lee",
        "The beginning",
        "up to 100   ● Ann  ◆ Bob Lee",
        "0 of 5. Enter: next, a number",
        "> ",
    )
    person.presses("\r")
    person.sees("1. Ann doubled 1 to 2.", "1 of 5.", "> ")
    person.types("n")
    person.sees("2. Bob Lee took 3.", "2 of 5.", "> ")
    person.types("next")
    person.sees("3. Bob Lee's move is taken back", "3 of 5.", "> ")
    person.types("b")
    person.sees("2. Bob Lee took 3.", "2 of 5.", "> ")
    person.types("back")
    person.sees("1. Ann doubled 1 to 2.", "1 of 5.", "> ")
    person.types("0")
    person.sees("The beginning", "0 of 5.", "> ")
    person.types("b")
    person.sees("The beginning", "0 of 5.", "> ")
    person.types("4")
    person.sees("4. Bob Lee doubled 2 to 4.", "4 of 5.", "> ")
    person.types("nonsense\x1bOP")
    person.sees("There is no step", "4 of 5.", "> ")
    person.types("99999")
    person.sees("5. Ann resigns.", "Bob Lee won by resignation.", "5 of 5. b: back", "> ")
    person.presses("\r")
    assert person.leaves()[1] == 0


def test_stepping_through_a_game_without_moves(terminal: Terminal, run: Runner) -> None:
    run("play", "double-up", stdin="")
    person = terminal("replay", "1")
    person.sees("The beginning", "0 of 0. Enter: leave", "> ")
    person.types("nonsense")
    person.sees("There is no step 'nonsense'. Type q to leave, or ? for help.", "> ")
    person.types("q")
    assert person.leaves()[1] == 0


@pytest.mark.parametrize("key", ["increasing-differences", "sequence-spot"])
def test_help_in_a_pipe_explains_marks_of_boards_that_have_them(run: Runner, key: str) -> None:
    shown = run("play", key, stdin="3\nboard\n?\n").out
    assert ("brackets mark those you cannot choose now" in " ".join(shown.split())) == ("    .    " in shown)


def test_a_replay_and_a_solution_show_the_table_as_it_is_played(terminal: Terminal, run: Runner) -> None:
    """In a frame, cells called by their numbers, and the line that won in brackets."""
    grid = "2,7,6,9,5,1,4,3,8"
    run("play", "spot", "--grid", grid, stdin="2,1\n1,1\n2,2\n1,2\n2,3\n")
    person = terminal("replay", "1")
    person.sees("The beginning", "still open: 9 5 1", "0 of 5.", "> ")
    person.types("5")
    person.sees("5. Player 1 marked 1.", "│ [●9] │ [●5] │ [●1] │", "Player 1 won.", "> ")
    person.leaves("q\r")
    told, code = terminal("solve", "spot", "--grid", grid, "--moves", "9 2 5 7").leaves()
    assert code == 0
    assert "│  ●9  │  ●5  │   1  │" in told
    assert "Player 1: win in 1 turn" in told
    assert re.search(r"\n +1  win in 1 turn\r?\n", told), "the cells are called as the table shows them"


def test_what_takes_the_place_of_the_table_stands_apart_from_it(terminal: Terminal) -> None:
    person = terminal("play", "double-up", "--limit", "10", "--p2", "random", "--seed", "2", rows=21)
    person.asked()
    person.types("2")
    person.asked()
    exchange = next(line for line in person.display() if line.startswith("You doubled 1 to 2.  Computer"))
    person.types("help")
    person.asked()
    shown = person.display()
    begin = next(place for place, line in enumerate(shown) if line.startswith("Select a number"))
    assert shown[begin - 1] == shown[-3] == "", "an empty line before it and after it"
    person.types("undo")
    person.asked()
    shown = person.display()
    taken_back = next(place for place, line in enumerate(shown) if line.startswith("Taken back: 2, "))
    assert shown[taken_back + 1] == ""
    assert [line.rstrip() for line in person.scrollback()].count(exchange.rstrip()) == 1, "it is said once"
    person.leaves(CTRL_D)


def test_a_finished_game_at_a_terminal_lists_and_rules_read_well(terminal: Terminal) -> None:
    person = terminal("list")
    assert "Play one: parlour play GAME." in person.leaves()[0]
    person = terminal("rules", "double-up", PAGER="cat")
    told, code = person.leaves()
    assert code == 0
    assert not [line for line in told.split("\n") if len(line) > 80]


def test_a_state_directory_that_cannot_be_made(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    person = terminal("play", "double-up", XDG_STATE_HOME=str(tmp_path / "file" / "state"))
    person.sees("this game cannot be saved")
    person.asked()
    person.types("2")
    person.sees("1 ●2")
    person.asked()
    last, code = person.leaves(CTRL_C)
    assert "This game was not saved." in last
    assert code == 130
