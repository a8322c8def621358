"""`parlour` at a real terminal: the menu, whole games, keys, colours, and leaving in every way there is."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.conftest import Person, Run, plain

Terminal = Callable[..., Person]
Runner = Callable[..., Run]

pytest.importorskip("pexpect")

CTRL_C, CTRL_D, UP = "\x03", "\x04", "\x1b[A"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
WHICH = "Which game? 1-5, or q to leave: "
SELECTION = "Enter your selection: "


def kept(run: Runner) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(run("games", "--json").out)
    return found


def actions(run: Runner, number: int = 1) -> list[str]:
    return run("export", str(number)).out.split("\n\n", 1)[1].splitlines()


def assert_in_order(text: str, lines: list[str]) -> None:
    """Each of these is a line of the text, after the one before it."""
    shown, at = [line.rstrip() for line in text.split("\n")], 0
    for line in lines:
        assert line in shown[at:], f"{line!r} is missing after {shown[max(at - 5, 0) : at]}"
        at = shown.index(line, at) + 1


# The menu.


def test_the_menu_leads_to_a_game_and_another_one(terminal: Terminal, run: Runner) -> None:
    person = terminal()
    menu = person.sees(WHICH)
    for number, title in enumerate(
        ["Double Up", "Increasing Differences", "Pyramid Challenge", "Sequence Builder", "Sequence Spot"], 1
    ):
        assert f"  {number}  {title}: " in menu
    person.types("1")
    person.sees("A friend at this keyboard", "Random: a computer that plays any move that is allowed")
    person.sees("Perfect: a computer that never goes wrong", "rules", "Against whom? 1-9, or q to leave: ")
    person.types("1")
    person.sees("This is game 1", "Player 1's Turn:")
    for move in ["2", "4", "8", "16", "32", "64", "100"]:
        person.sees(SELECTION)
        person.types(move)
    person.sees("Player 2 cannot make a valid move.", "Player 1 wins the game!", "Play again", ": ")
    person.presses("\r")
    told = person.sees("This is game 2", SELECTION)
    assert "Player 2's Turn:" in told, "the other one begins the next game"
    person.types("resign")
    person.sees("Type yes to confirm: ")
    person.types("yes")
    person.sees("Player 2 resigns. Player 1 wins!", "Play again", ": ")
    person.types("q")
    assert person.leaves()[1] == 0
    assert [game["result"] for game in kept(run)] == ["1-0", "1-0"]


def test_the_menu_takes_the_beginning_of_a_title_and_tells_rules_first(terminal: Terminal) -> None:
    person = terminal()
    person.sees(WHICH)
    person.types("pyr")
    person.sees("Against whom? 1-9, or q to leave: ")
    person.types("9")
    person.sees("Build a pyramid of numbers", "Against whom? 1-8, or q to leave: ")
    person.types("ran")
    person.sees("Player 2: Computer", "Player 1's Pyramid:", "> ")
    person.types("quit")
    person.sees("Game 1 is saved. Go on with: parlour resume 1")
    assert person.leaves()[1] == 0


def test_the_menu_offers_the_unfinished_game(terminal: Terminal, run: Runner) -> None:
    run("play", "double-up", "--name1", "Ann", "--name2", "Bob", stdin="2\n4\n7\n")
    run("play", "double-up", "--limit", "2", stdin="2\n")
    person = terminal()
    person.sees("  6  Go on with game 1: Double Up, Ann - Bob, Bob to move")
    person.sees("Which game? 1-6, or q to leave: ")
    person.types("6")
    person.sees("Sequence  1 2 4 7", "Last Number (N): 7", SELECTION)
    person.types("14")
    person.sees("Sequence Updated: [1, 2, 4, 7, 14]", SELECTION)
    person.types("quit")
    assert person.leaves()[1] == 0
    assert actions(run)[-1] == "4. 14"


@pytest.mark.parametrize(("keys", "code"), [(CTRL_D, 0), (CTRL_C, 130), ("q\r", 0), ("quit\r", 0), ("EXIT\r", 0)])
def test_leaving_the_menu(terminal: Terminal, run: Runner, keys: str, code: int) -> None:
    person = terminal()
    person.sees(WHICH)
    assert person.leaves(keys)[1] == code
    assert kept(run) == []


def test_leaving_the_menu_at_the_second_question(terminal: Terminal) -> None:
    person = terminal()
    person.sees(WHICH)
    person.types("5")
    person.sees("Against whom?", ": ")
    assert person.leaves(CTRL_D)[1] == 0


# Whole games. The lines are those of the rule books' samples.

GAMES = {
    "double-up": (
        (),
        ["2", "4", "8", "16", "17", "34", "50", "100"],
        SELECTION,
        [
            "Starting Number: 1", "Sequence: [1]", "Numbers Used: {1}",
            "Player 1's Turn:", "Last Number (N): 1", "Valid Numbers to Choose From: [2]", "Enter your selection: 2",
            "Sequence Updated: [1, 2]", "Numbers Used Updated: {1, 2}",
            "Player 2's Turn:", "Valid Numbers to Choose From: [3, 4]", "Enter your selection: 4",
            "Sequence Updated: [1, 2, 4]", "Valid Numbers to Choose From: [5, 6, 7, 8]",
            "Valid Numbers to Choose From: [9, 10, 11, 12, 13, 14, 15, 16]",
            "Valid Numbers to Choose From: [17, 18, ..., 32]", "Enter your selection: 17",
            "Numbers Used Updated: {1, 2, 4, 8, 16, 17}", "Valid Numbers to Choose From: [18, 19, ..., 34]",
            "Valid Numbers to Choose From: [35, 36, ..., 68]", "Enter your selection: 50",
            "Sequence Updated: [1, 2, 4, 8, 16, 17, 34, 50]",
            "Player 1 cannot make a valid move.", "Player 2 wins the game!",
        ],
        ["Sequence  1", "Next       2", "Sequence  1 2 4 8", "Next       9    10   11   12   13   14   15   16"],
    ),
    "increasing-differences": (
        ("--length", "4", "--range", "15"),
        ["5", "7", "8", "9", "12", "13", "15", "17", "2"],
        "select your number: ",
        [
            "Available Numbers: 1-15", "Player 1, select your number: 5", "Player 1 Sequence: [5]",
            "Player 2, select your number: 7", "Player 2 Sequence: [7]",
            "Player 1, select your number: 8", "Previous difference: N/A", "New difference: 3",
            "Player 1 Sequence: [5, 8]",
            "Player 2, select your number: 9", "Previous difference: N/A", "New difference: 2",
            "Player 1, select your number: 12", "Previous difference: 3", "New difference: 4",
            "Player 2, select your number: 13", "Player 2 Sequence: [7, 9, 13]",
            "Player 1, select your number: 15", "Invalid move! 15 is only 3 away from 12; you need more than 4.",
            "Player 1, select your number: 17", "Invalid move! 17 is not a number here: 1 to 15.",
            "Player 1, select your number: 2", "Previous difference: 4", "New difference: 10",
            "Player 1 Sequence: [5, 8, 12, 2]", "Congratulations, Player 1! You've completed your sequence.",
        ],
        [
            "Player 1  _ _ _ _", "Player 2  _ _ _ _", "Player 1  5 _ _ _", "Player 1  5 +3 8 +4 12 _",
            "Player 2  7 +2 9 +4 13 _", "Player 1  5 +3 8 +4 12 -10 2",
        ],
    ),
    "pyramid-challenge": (
        ("--name1", "Alice", "--name2", "Bob"),
        ["4", "5", "7", "2", "3", "6", "3", "7", "4", "8", "7"],
        "> ",
        [
            "Welcome to Pyramid Challenge!", "Player 1: Alice", "Player 2: Bob", "It's Alice's turn.",
            "Alice's Pyramid:", "      [ ]", "     [ ][ ]", "    [ ][ ][ ]",
            "Select a number from 1 to 9 for Bottom Level Position 1:", "> 4",
            "Alice's Pyramid:", "      [ ]", "     [ ][ ]", "    [4][ ][ ]", "Turn ends. Switching to Bob.",
            "Bob's Pyramid:", "    [ ][ ][ ]", "> 5", "    [5][ ][ ]", "Turn ends. Switching to Alice.",
            "Alice's Pyramid:", "      [7]", "     [3][4]", "    [4][7][3]",
            "Alice has filled all positions and wins the game!",
        ],
        ["Alice        Bob", "[ ][ ][ ]    [ ][ ][ ]", "[4][ ][ ]    [ ][ ][ ]", "[4][7][3]    [5][2][6]"],
    ),
    "sequence-builder": (
        (),
        ["5", "6", "9", "7", "9", "10", "12", "13"],
        "select your number: ",
        [
            "Available Numbers: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20",
            "Player 1, select your number: 5", "Player 1's sequence: [5]",
            "Available Numbers: 1 2 3 4 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20",
            "Player 2, select your number: 6", "Player 2's sequence: [6]",
            "Player 1, select your number: 9", "Invalid move! The number 9 is too great a difference from 5.",
            "Please select a number that is greater by exactly 1, 2, or 3.",
            "Player 1, select your number: 7", "Player 1's sequence: [5, 7]",
            "Player 2, select your number: 9", "Player 1, select your number: 10", "Player 2, select your number: 12",
            "Player 2's sequence: [6, 9, 12]", "Player 1, select your number: 13",
            "Player 1's sequence: [5, 7, 10, 13]", "Player 1 wins! Sequence: [5, 7, 10, 13]",
        ],
        ["Player 1  _ _ _ _", "Player 1  5 _ _ _", "Player 1  5 +2 7 +3 10 _", "Player 2  6 +3 9 +3 12 _"],
    ),
    "sequence-spot": (
        ("--grid", "2,7,6,9,5,1,4,3,8"),
        ["2 1", "1 1", "2 2", "2 2", "3 3", "2,3"],
        "(row and column): ",
        [
            "Current Grid:", "| 2 | 7 | 6 |", "| 9 | 5 | 1 |", "| 4 | 3 | 8 |",
            "Player 1 (X), select your cell (row and column): 2 1", "Player 1 placed an 'X' on cell (2,1)",
            "Current Grid:", "| 2 | 7 | 6 |", "| X | 5 | 1 |", "| 4 | 3 | 8 |",
            "Player 2 (O), select your cell (row and column): 1 1", "Player 2 placed an 'O' on cell (1,1)",
            "| O | 7 | 6 |", "Player 2 (O), select your cell (row and column): 2 2",
            "Invalid move! The 5 at (2,2) is marked already.",
            "Player 1 has formed an arithmetic sequence with numbers 9, 5, 1 (common",  # wrapped at 80 columns
            "  difference of -4) and wins the game!",
        ],
        ["      1    2    3", "  1   2    7    6", "  2   X9   5    1", "  1   O2   7    6", "  2   X9   X5   X1"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("key", GAMES)
def test_a_whole_game(terminal: Terminal, run: Runner, key: str) -> None:
    options, moves, prompt, book, table = GAMES[key]
    person = terminal("play", key, *options)
    asked = []
    for move in moves:
        asked.append(person.sees(prompt))
        person.types(move)
    last, code = person.leaves()
    assert code == 0
    screen = plain(person.raw)
    assert_in_order(screen, book)
    assert_in_order(screen, table)
    assert kept(run)[0]["result"] in ("1-0", "0-1")
    too_wide = [line for line in screen.split("\n") if len(line) > 80]
    assert not too_wide
    assert table[0].split()[0] in asked[0], "the table is in view at the first prompt"
    assert "saved" not in last, "a finished game needs no resuming"


def test_the_table_is_in_view_at_every_question(terminal: Terminal) -> None:
    person = terminal("play", "sequence-builder")
    numbers = [3, 10, 4]
    for taken, number in enumerate(numbers):
        screen = person.sees("select your number: ")
        table = screen[screen.rindex("Numbers ") :]
        assert [group in table for group in ("Player 1", "Player 2")] == [True, True]
        assert table.count(" . ") == taken, "a taken number is a dot"
        person.types(str(number))
    person.sees("select your number: ")
    person.leaves(CTRL_D)


def test_a_person_is_not_asked_for_a_pass(terminal: Terminal, run: Runner) -> None:
    person = terminal("play", "pyramid", "--base", "2")
    for number in ["6", "1", "6", "2"]:
        person.sees("> ")
        person.types(number)
    person.sees("Player 1 can place neither sum nor difference and passes.", "Switching to Player 2.", "> ")
    person.types("3")
    assert person.leaves()[1] == 0
    assert actions(run) == ["1. 6", "2. 1", "3. 6", "4. 2", "5. pass", "6. 3"]


def test_the_welcome_says_the_rule_of_this_very_game(terminal: Terminal) -> None:
    person = terminal("play", "sequence-builder", "--increments", "2,3")
    person.sees("each 2 or 3 more than your last")
    person.leaves("\x04")


def test_the_welcome_says_what_a_newcomer_needs(terminal: Terminal) -> None:
    person = terminal("play", "double-up", "--limit", "50")
    screen = person.sees(SELECTION)
    assert "Double Up\n" in screen
    assert "up to 50" in screen
    assert "Type rules for the rules, help for what else you can type. This is game 1" in screen
    person.leaves(CTRL_D)


# Leaving in mid-game.


@pytest.mark.parametrize(
    ("keys", "code"), [(CTRL_C, 130), (CTRL_D, 0), ("quit\r", 0), ("Q\r", 0), ("12" + CTRL_C, 130)]
)
def test_leaving_keeps_the_game_and_says_how_to_go_on(terminal: Terminal, run: Runner, keys: str, code: int) -> None:
    person = terminal("play", "double-up")
    for move in ["2", "4"]:
        person.sees(SELECTION)
        person.types(move)
    person.sees(SELECTION)
    last, exit_code = person.leaves(keys)
    assert exit_code == code
    echo = ("", "^C", "12", "12^C", keys.strip())
    assert [line for line in last.split("\n") if line not in echo] == ["Game 1 is saved. Go on with: parlour resume 1"]
    assert actions(run) == ["1. 2", "2. 4"]
    person = terminal("resume")
    person.sees("Sequence  1 2 4", "Last Number (N): 4", SELECTION)
    person.leaves(CTRL_D)


def test_leaving_at_the_question_whether_to_resign(terminal: Terminal, run: Runner) -> None:
    person = terminal("play", "double-up")
    person.sees(SELECTION)
    person.types("resign")
    person.sees("Type yes to confirm: ")
    person.presses(CTRL_D)
    person.sees("Then the game goes on.", SELECTION)
    person.types("resign")
    person.sees("Type yes to confirm: ")
    last, code = person.leaves(CTRL_C)
    assert "Game 1 is saved. Go on with: parlour resume 1" in last
    assert code == 130
    assert kept(run)[0]["result"] == "*"


def test_resigning_asks_first(terminal: Terminal, run: Runner) -> None:
    person = terminal("play", "double-up", "--name1", "Ann", "--name2", "Bob")
    for answer in ["no", "", "n", "yess", "help"]:
        person.sees(SELECTION)
        person.types("resign")
        person.sees("Give up this game? Type yes to confirm: ")
        person.types(answer)
        person.sees("Then the game goes on.")
    person.sees(SELECTION)
    person.types("resign")
    person.sees("Type yes to confirm: ")
    person.types("YES")
    person.sees("Ann resigns. Bob wins!")
    assert person.leaves()[1] == 0
    assert actions(run) == ["resign 1"]
    assert kept(run)[0]["result"] == "0-1"


# Words.


def test_undo_against_the_computer(terminal: Terminal, run: Runner) -> None:
    person = terminal("play", "double-up", "--p2", "random", "--seed", "3", "--name2", "Computer")
    person.sees("Player 1's Turn:", SELECTION)
    person.types("2")
    told = person.sees("Computer's Turn:", SELECTION, "Player 1's Turn:", SELECTION)
    answer = re.search(r"Sequence Updated: \[1, 2, ([34])\]", told)
    assert answer
    person.types("undo")
    told = person.sees(f"Taken back: 2, {answer[1]}. It is Player 1's turn again.", "Sequence  1\n", SELECTION)
    person.types("undo")
    person.sees("Nothing has been played yet.", SELECTION)
    person.types("quit")
    person.leaves()
    assert actions(run) == ["1. 2", f"2. {answer[1]}", "undo", "undo"]


def test_words_at_the_prompt(terminal: Terminal) -> None:
    person = terminal("play", "spot", "--grid", "1,2,4,3,8,9,6,5,7", "--seed", "1")
    cell = "(row and column): "
    person.sees("Type next for a new grid.", cell)
    person.types("help")
    person.sees("You can also type:", "- next: ", cell)
    person.types("rules")
    person.sees("Mark three cells in a line.", cell)
    person.types("board")
    person.sees("  1   1    2    4", cell)
    person.types("save")
    person.sees("Saved as game 1", "parlour resume 1", cell)
    person.types("next")
    person.sees("Round 2. Player 2 begins.", "Player 2 (O), select your cell", cell)
    person.types("quit")
    assert person.leaves()[1] == 0


# Keys.


def test_tab_completes_words_and_moves(terminal: Terminal, run: Runner) -> None:
    person = terminal("play", "double-up")
    person.sees(SELECTION)
    person.presses("hel\t")
    person.sees("help")
    person.presses("\r")
    person.sees("You can also type:", SELECTION)
    person.presses("\t")  # of all that begins with nothing: the only move, and the words
    person.presses("\t")
    person.sees("2 ", "help", "board", SELECTION)
    person.presses("2\r")
    person.sees("Last Number (N): 2", SELECTION)
    person.types("4")
    person.sees("Last Number (N): 4", SELECTION)
    person.types("5")
    person.sees("Last Number (N): 5", SELECTION)
    person.presses("1\t\r")  # of 6 to 10 only 10 begins so
    person.sees("Sequence Updated: [1, 2, 4, 5, 10]", SELECTION)
    person.presses("qu\t\r")
    assert person.leaves()[1] == 0
    assert actions(run) == ["1. 2", "2. 4", "3. 5", "4. 10"]


def test_tab_completes_cells(terminal: Terminal, run: Runner) -> None:
    person = terminal("play", "spot", "--grid", "1,2,3,4,5,6,7,8,9")
    for cell in ["3,1", "3,2"]:
        person.sees("(row and column): ")
        person.types(cell)
    person.sees("(row and column): ")
    person.presses("3\t\r")  # one cell of that row is free
    person.sees("on cell (3,3)", "(row and column): ")
    person.types("q")
    person.leaves()
    assert actions(run)[-1] == "3. 3,3"


def test_history_is_kept_between_games(terminal: Terminal, state: Path) -> None:
    person = terminal("play", "double-up")
    for line in ["2", "3", "board"]:
        person.sees(SELECTION)
        person.types(line)
    person.sees(SELECTION)
    person.presses(UP)
    person.sees("board")
    person.presses("\r")
    person.sees(SELECTION)
    person.types("quit")
    person.leaves()
    history = (state.parent / "history").read_text().splitlines()
    assert [line for line in history if line in ("2", "3", "quit")] == ["2", "3", "quit"]
    person = terminal("resume")
    person.sees(SELECTION)
    person.presses(UP)
    person.sees("quit")
    person.presses("\r")
    assert person.leaves()[1] == 0


# Colour and width.


def one_game(person: Person) -> str:
    person.sees(SELECTION)
    person.types("x")
    person.sees(SELECTION)
    person.types("2")
    person.sees("Sequence  1 2", SELECTION)
    person.types("resign")
    person.sees("confirm: ")
    person.types("yes")
    assert person.leaves()[1] == 0
    return person.raw


def test_colours_at_a_terminal(terminal: Terminal) -> None:
    raw = one_game(terminal("play", "double-up"))
    assert "\x1b[36m" in raw, "Player 1's numbers are cyan"
    assert "\x1b[33mInvalid move!" in raw, "a refusal is yellow"
    opened = len(re.findall(r"(?:\x1b\[[1-9][0-9;]*m)+", raw))
    assert raw.count("\x1b[0m") >= opened, "every colour ends"
    assert not re.search(r"\x1b\[[1-9][0-9;]*m[^\x1b\r\n]*\r?\n", raw), "no colour runs over a line"


@pytest.mark.parametrize("setting", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"NO_COLOR": "1", "FORCE_COLOR": "1"}])
def test_no_colours_where_they_are_not_wanted(terminal: Terminal, setting: dict[str, str]) -> None:
    raw = one_game(terminal("play", "double-up", **setting))
    assert not COLOUR.search(raw)
    assert "Sequence  1 2" in raw


def test_colour_is_never_the_only_sign(terminal: Terminal) -> None:
    coloured = terminal("play", "builder", "--seed", "1")
    without = terminal("play", "builder", "--seed", "1", NO_COLOR="1")
    screens = []
    for person in (coloured, without):
        for number in ["5", "9", "6"]:
            person.sees("select your number: ")
            person.types(number)
        person.sees("select your number: ")
        person.leaves(CTRL_D)
        screen = re.sub(r"([Gg]ame|resume) \d", r"\1 N", plain(person.raw))
        screens.append([line.rstrip() for line in screen.split("\n")])
    assert screens[0] == screens[1]


@pytest.mark.parametrize("key", GAMES)
def test_a_narrow_terminal(terminal: Terminal, key: str) -> None:
    person = terminal("play", key, "--p2", "random", "--seed", "1", columns=46)
    prompt = "column):\n> " if key == "sequence-spot" else GAMES[key][2]
    person.sees(prompt)
    person.types("help")
    person.sees("gone.", "> " if key == "sequence-spot" else prompt)
    person.types("quit")
    person.leaves()
    wide = [line for line in plain(person.raw).split("\n") if len(line) > 46]
    assert not wide


# Replaying.


def test_stepping_through_a_record(terminal: Terminal, run: Runner) -> None:
    run("play", "double-up", "--name1", "Ann", "--name2", "Bob Lee", stdin="2\n3\nundo\n4\nresign\n")
    person = terminal("replay", "1")
    person.sees("Double Up: Ann - Bob Lee", "The beginning", "Sequence  1\n", "0 of 5.", "> ")
    person.presses("\r")
    person.sees("1. Ann: 2", "1 of 5.", "> ")
    person.types("n")
    person.sees("2. Bob Lee: 3", "2 of 5.", "> ")
    person.types("next")
    person.sees("3. Bob Lee's move is taken back", "3 of 5.", "> ")
    person.types("b")
    person.sees("2. Bob Lee: 3", "2 of 5.", "> ")
    person.types("back")
    person.sees("1. Ann: 2", "1 of 5.", "> ")
    person.types("0")
    person.sees("The beginning", "0 of 5.", "> ")
    person.types("b")
    person.sees("The beginning", "0 of 5.", "> ")
    person.types("4")
    person.sees("4. Bob Lee: 4", "4 of 5.", "> ")
    person.types("nonsense\x1bOP")
    person.sees("is none of these", "4 of 5.", "> ")
    person.types("99999")
    person.sees("5. Ann resigns", "Bob Lee won by resignation.", "5 of 5.", "> ")
    person.presses("\r")
    assert person.leaves()[1] == 0


@pytest.mark.parametrize(("keys", "code"), [("q\r", 0), ("quit\r", 0), (CTRL_D, 0), (CTRL_C, 130)])
def test_leaving_a_replay(terminal: Terminal, run: Runner, keys: str, code: int) -> None:
    run("play", "double-up", stdin="2\n")
    person = terminal("replay", "1")
    person.sees("0 of 1.", "> ")
    last, exit_code = person.leaves(keys)
    assert exit_code == code
    assert "saved" not in last


def test_a_finished_game_at_a_terminal_lists_and_rules_read_well(terminal: Terminal) -> None:
    person = terminal("list")
    assert "Play one: parlour play GAME." in person.leaves()[0]
    person = terminal("rules", "double-up")
    told, code = person.leaves()
    assert code == 0
    assert not [line for line in told.split("\n") if len(line) > 80]


def test_a_state_directory_that_cannot_be_made(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    person = terminal("play", "double-up", XDG_STATE_HOME=str(tmp_path / "file" / "state"))
    person.sees("this game cannot be saved", SELECTION)
    person.types("2")
    person.sees("Sequence Updated: [1, 2]", SELECTION)
    last, code = person.leaves(CTRL_C)
    assert "This game was not saved." in last
    assert code == 130
