"""`parlour` at a real terminal: signals, line editing, job control, resizing, and terminal attributes.

Everything else about the terminal is in tests/interfaces/cli, at a terminal in memory.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from parlour import saves
from parlour.match import MOVE, new_match
from parlour.record import write_record
from tests.support.command import Run, command
from tests.support.old_data import STATE
from tests.support.terminal import Person

pexpect = pytest.importorskip("pexpect")
pytest.importorskip("pyte")

Terminal = Callable[..., Person]
Runner = Callable[..., Run]

CTRL_C, CTRL_D, UP = "\x03", "\x04", "\x1b[A"
AGAIN = "Again (Enter)"
SLEEPS = f"engine:{sys.executable} -c 'import time; time.sleep(60)'"


def kept(run: Runner) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(run("games", "--json").out)
    return found


def actions(run: Runner, number: int = 1) -> list[str]:
    return run("export", str(number)).out.split("\n\n", 1)[1].splitlines()


def test_a_resized_window_is_not_littered(terminal: Terminal) -> None:
    person = terminal("play", "builder", "--p2", "random", "--seed", "1")
    person.asked()
    person.types("1")
    person.asked()
    person.resizes(40, 16)
    person.types("2")
    person.sees("You took 2.")
    person.asked()
    screen = person.display()
    table = screen[max(at for at, line in enumerate(screen) if line.startswith("You took 2")) :]
    assert max(map(len, table)) < 40
    assert [line[:5] for line in table if line.startswith(("●", "◆"))] == ["● You", "◆ Com"]
    person.resizes(100, 30)
    person.types("3")
    person.sees("You took 3.")
    person.asked()
    screen = person.display()
    begin = max(at for at, line in enumerate(screen) if line.startswith("You took 3"))
    assert [line[:5] for line in screen[begin:] if line.startswith(("●", "◆"))] == ["● You", "◆ Com"]
    person.leaves(CTRL_D)


@pytest.mark.parametrize("paste", [False, True], ids=["typed ahead", "pasted"])
def test_what_comes_too_early_is_kept_and_does_not_litter(
    terminal: Terminal, run: Runner, tmp_path: Path, paste: bool
) -> None:
    inputrc = tmp_path / "pasting"
    inputrc.write_text(f"set enable-bracketed-paste {'on' if paste else 'off'}\n")
    person = terminal("play", "double-up", "--limit", "none", INPUTRC=str(inputrc))
    if paste:
        person.asked()
        person.presses("\x1b[200~2\n3\n4\n5\x1b[201~\r")
    else:
        person.presses("2\r3\r4\r5\r")
    person.sees("Player 2 took 5.", "Player 1's turn: 6-10 (at most twice 5)", "> ")
    screen = person.display()
    if not paste:  # pasted lines are on the screen once more, as the line editor shows them
        assert len([line for line in screen if "turn:" in line]) == 1
    assert screen[-1] == ">"
    assert "1 ●2 ◆3 ●4 ◆5" in screen
    person.leaves(CTRL_D)
    assert actions(run) == ["1. 2", "2. 3", "3. 4", "4. 5"]


def test_a_line_that_fills_several_rows_is_taken_away_with_the_rest(terminal: Terminal) -> None:
    person = terminal("play", "double-up", columns=40, rows=16)
    person.asked()
    person.types("nonsense " * 12)
    person.sees("I don't know")
    person.asked()
    assert len([line for line in person.scrollback() if line.startswith("Player 1's turn")]) == 1
    person.leaves(CTRL_D)


def test_a_computer_says_that_it_thinks_and_ctrl_c_lets_it_move_at_once(terminal: Terminal, run: Runner) -> None:
    person = terminal("play", "builder", "--p2", SLEEPS)
    person.asked()
    person.types("5")
    person.sees("Computer is thinking ...", "Computer is thinking ... 2 s (Ctrl-C: move now)")
    screen = person.display()
    assert "You took 5." in screen, "one's own move is seen meanwhile"
    assert screen[-1] == "Computer is thinking ... 2 s (Ctrl-C: move now)"
    person.presses("stray keys")
    person.sees("3 s")
    assert "stray" not in "".join(person.display())
    person.presses(CTRL_C)
    person.sees("You took 5.  Computer took ", "That was Random's move: there was no time for a better one.")
    person.asked()
    assert "thinking" not in "".join(person.display())
    person.leaves("quit\r")
    assert [line.split()[0] for line in actions(run)] == ["1.", "2."]
    assert kept(run)[0]["players"] == ["human", SLEEPS], "for one move only"


def test_what_is_typed_while_a_computer_thinks_is_kept_for_the_next_question(terminal: Terminal) -> None:
    person = terminal("play", "builder", "--p2", SLEEPS, "--seconds", "1.5")
    person.asked()
    person.types("5")
    person.sees("Computer is thinking ...")
    person.presses("mov")
    person.asked()
    person.presses("es\r")
    person.sees("You: 5, Computer: ")
    person.leaves(CTRL_D)


def test_a_second_ctrl_c_takes_the_move_back(terminal: Terminal, run: Runner) -> None:
    person = terminal("play", "builder", "--p2", SLEEPS)
    person.asked()
    person.types("5")
    person.sees("Computer is thinking ...")
    person.presses(CTRL_C + CTRL_C)
    person.sees("Your turn: ", "> ")
    assert actions(run)[0] == "1. 5"
    person.leaves(CTRL_D)


@pytest.mark.parametrize("way", ["quit", "ctrl-c", "kill while it asks", "kill while it thinks", "the end"])
def test_the_terminal_is_left_as_it_was(way: str, tmp_path: Path) -> None:
    game = ["builder", "--p2", SLEEPS] if way.endswith("thinks") else ["double-up", "--limit", "3", "--p2", "random"]
    parlour = shlex.join(command("play", *game))
    inner = shlex.quote(f"echo $$ > pid; exec {parlour}")
    child = pexpect.spawn(
        "sh", ["-c", f"stty -g > before; sh -c {inner}; stty -g > after; echo gone"],
        cwd=str(tmp_path), env=dict(os.environ), encoding="utf-8", timeout=30,
    )  # fmt: skip
    child.expect("Your turn:")
    child.expect("> ")
    if way == "quit":
        child.send("quit\r")
    elif way == "ctrl-c":
        child.send(CTRL_C)
    elif way == "the end":
        child.send("2\r")
        child.expect("Again")
        child.expect("> ")
        child.send(CTRL_D)
    else:
        if way.endswith("thinks"):
            child.send("5\r")
            child.expect("is thinking")
        os.kill(int((tmp_path / "pid").read_text()), signal.SIGTERM)
    child.expect("gone" if way != "ctrl-c" else ["gone", pexpect.EOF])
    child.close()
    if (tmp_path / "after").exists():
        assert (tmp_path / "after").read_text() == (tmp_path / "before").read_text()
    else:
        assert way == "ctrl-c", "the shell has gone with us"


def test_after_ctrl_z_the_table_and_what_was_typed_are_there_again(tmp_path: Path) -> None:
    child = pexpect.spawn(
        "bash", ["--norc", "-i"], cwd=str(tmp_path), env={**os.environ, "PS1": "$ "}, encoding="utf-8", timeout=30,
        dimensions=(24, 80),
    )  # fmt: skip
    child.expect_exact("$ ")
    child.send(shlex.join(command("play", "double-up", "--name1", "Ann")) + "\r")
    child.expect("Ann's turn: 2")
    child.expect("> ")
    child.send("mov")
    child.expect("mov")
    child.send("\x1a")
    child.expect("Stopped")
    child.send("echo still $((1 + 1)) here\r")
    child.expect_exact("still 2 here")
    child.send("fg\r")
    child.expect("● Ann")
    child.expect("Ann's turn: 2")
    child.expect("> (?:\x1b\\[[0-9;?]*[a-zA-Z])*mov")
    child.send("es\r")
    child.expect("Nothing has been played yet")
    child.send("\x04")
    child.expect("is saved")
    child.close(force=True)


@pytest.fixture
def pure_python(tmp_path: Path) -> dict[str, str]:
    """An environment without wasmtime, in which searches take long enough to be interrupted."""
    (tmp_path / "pure").mkdir()
    (tmp_path / "pure" / "sitecustomize.py").write_text("import sys\nsys.modules['wasmtime'] = None\n")
    folders = [str(tmp_path / "pure"), os.environ.get("PYTHONPATH", "")]
    return {"PYTHONPATH": os.pathsep.join(filter(None, folders))}


def test_ctrl_c_while_a_game_is_searched_stops_that_and_asks_again(
    terminal: Terminal, pure_python: dict[str, str]
) -> None:
    person = terminal("play", "increasing", "--length", "9", "--range", "24", "--p2", "random", **pure_python)
    person.asked()
    person.types("12")
    person.asked()
    person.types("resign")
    person.sees("y or n: ")
    person.types("y")
    person.sees(AGAIN, "> ")
    for word in ("report", "practise"):
        person.types(word)
        person.sees("Searching ... ")
        person.presses(CTRL_C)
        person.sees("Stopped.", AGAIN, "> ")
    person.types("quit")
    assert person.leaves()[1] == 0


def test_tab_completes_words_and_moves(terminal: Terminal, run: Runner) -> None:
    person = terminal("play", "double-up")
    person.asked()
    person.presses("hel\t")
    person.sees("help")
    person.presses("\r")
    person.sees("You can also type:")
    person.asked()
    person.presses("\t")  # of all that begins with nothing: the only move, and the words
    person.presses("\t")
    person.sees("2 ", "help", "board", "> ")
    person.presses("2\r")
    person.sees("doubled 1 to 2.")
    person.asked()
    assert "1 ●2" in person.display(), "whatever was listed, the table is whole"
    person.types("4")
    person.asked()
    person.types("5")
    person.asked()
    person.presses("1\t\r")  # of 6 to 10 only 10 begins so
    person.sees("doubled 5 to 10.")
    person.asked()
    person.presses("qu\t\r")
    assert person.leaves()[1] == 0
    assert actions(run) == ["1. 2", "2. 4", "3. 5", "4. 10"]


def test_history_is_kept_between_games(terminal: Terminal, state: Path) -> None:
    person = terminal("play", "double-up")
    for line in ["2", "3", "board"]:
        person.asked()
        person.types(line)
    person.asked()
    person.presses(UP)
    person.sees("board")
    person.presses("\r")
    person.asked()
    person.types("quit")
    person.leaves()
    history = (state.parent / "history").read_text().splitlines()
    assert [line for line in history if line in ("2", "3", "quit")] == ["2", "3", "quit"]
    person = terminal("resume")
    person.asked()
    person.presses(UP)
    person.sees("quit")
    person.presses("\r")
    assert person.leaves()[1] == 0


def test_ctrl_c_gives_up_a_hint_and_not_the_game(terminal: Terminal, pure_python: dict[str, str]) -> None:
    person = terminal("play", "increasing-differences", "--length", "12", "--range", "36", **pure_python)
    person.sees_prompt()
    person.types("hint")
    person.sees("Ctrl-C")
    person.presses("\x03")
    person.sees("Search stopped. The game continues.")
    person.sees_prompt()
    person.types("5")
    person.sees("Player 2's turn: ")
    person.sees_prompt()
    person.types("quit")
    assert person.leaves()[1] == 0


def test_a_long_look_through_a_game_shows_that_it_goes_on(terminal: Terminal, tmp_path: Path) -> None:
    match = new_match("increasing-differences", length=9, range=24)
    match.play_line("12 10")
    match.resign(1)
    (tmp_path / "long.parlour").write_text(write_record(match))
    person = terminal("practise", str(tmp_path / "long.parlour"))
    person.sees("Searching ... ", " positions")
    told, code = person.leaves("\x03")
    assert "Stopped." in told
    assert code == 0


def test_history_of_0_1_0_can_be_brought_back(terminal: Terminal, state: Path) -> None:
    shutil.copytree(STATE / "parlour", state.parent)
    person = terminal("resume", "11")
    person.sees("Ben's turn:")
    person.sees_prompt()
    person.presses("\x1b[A")  # up
    person.sees("quit")
    person.presses("\x1b[A")  # and again: before quit came 7
    person.sees("7")
    person.presses("\x15")  # and away with it
    person.leaves("\x04")


def test_bytes_that_are_no_text_at_the_terminal(terminal: Terminal, run: Runner) -> None:
    person = terminal("play", "double-up", "--plain")
    person.sees("Player 1's turn: 2")
    os.write(person.child.child_fd, b"\xff\xfe\r")
    person.sees("I don't know")
    person.types("2")
    person.sees("Player 2's turn: 3 or 4")
    person.types("quit")
    assert person.leaves()[1] == 0
    assert actions(run) == ["1. 2"]


def test_a_whole_drawn_game(terminal: Terminal, run: Runner) -> None:
    person = terminal("play", "spot", "--grid", "2,7,6,9,5,1,4,3,8")
    for move in ["9", "1 1", "5", "5", "8", "2,3"]:
        person.asked()
        person.types(move)
    person.sees("Player 1 lined up 9, 5, 1, in steps of 4, and wins.", AGAIN, "> ")
    assert "│ [●9] │ [●5] │ [●1] │    ● Player 1  ◆ Player 2" in " ".join(person.display())
    assert len([line for line in person.scrollback() if line.strip().startswith("┌")]) == 1, (
        "the grid is drawn in place"
    )
    person.types("q")
    assert person.leaves()[1] == 0
    assert kept(run)[0]["result"] == "1-0"


def test_a_whole_plain_game(terminal: Terminal, run: Runner) -> None:
    person = terminal("play", "double-up", "--limit", "4", TERM="dumb")
    for move in ["2", "9", "4"]:
        person.asked()
        person.types(move)
    person.sees("Player 1 could not go beyond 4: Player 2 wins.", AGAIN, "> ")
    assert not re.search(r"\x1b\[[0-9]*[A-K]", person.raw), "nothing is drawn over"
    person.types("q")
    assert person.leaves()[1] == 0
    assert kept(run)[0]["result"] == "0-1"


def test_the_menu_leads_to_a_game(terminal: Terminal, run: Runner) -> None:
    person = terminal()
    for question, answer in [("Which game?", "double"), ("Which one?", ""), ("What is your name?", "Ann")]:
        person.sees(question, ": ")
        person.types(answer)
    person.asked()
    assert "resume 1" in person.leaves("quit\r")[0]
    assert kept(run)[0]["names"] == ["Ann", "Computer"]


@pytest.mark.parametrize(("keys", "code"), [(CTRL_D, 0), ("12" + CTRL_C, 130)], ids=["Ctrl-D", "12 and Ctrl-C"])
def test_leaving_keeps_the_game(terminal: Terminal, run: Runner, keys: str, code: int) -> None:
    person = terminal("play", "double-up")
    person.asked()
    person.types("2")
    person.asked()
    last, exit_code = person.leaves(keys)
    assert exit_code == code
    assert "Game 1 is saved. Resume it with: parlour resume 1" in last
    assert actions(run) == ["1. 2"]


def test_a_window_that_is_closed_keeps_the_game(terminal: Terminal, run: Runner) -> None:
    person = terminal("play", "double-up")
    person.asked()
    person.types("2")
    person.asked()
    person.child.close(force=True)
    assert [action.move for action in saves.load(1).log if action.kind == MOVE] == [2]
    person = terminal("resume")
    person.sees("Player 2's turn: 3 or 4", "> ")
    person.leaves(CTRL_D)


def test_a_kill_right_after_undo_reopens_the_finished_game(terminal: Terminal, run: Runner) -> None:
    person = terminal("play", "double-up", "--limit", "2")
    person.asked()
    person.types("2")
    person.sees(AGAIN, "> ")
    person.types("undo")
    person.sees("Taken back: 2.", "turn:")
    person.child.kill(signal.SIGKILL)
    person.child.wait()
    assert actions(run) == ["1. 2", "undo"]
    person = terminal("resume")
    person.sees("Resuming game 1", "turn: 2", "> ")
    person.leaves(CTRL_D)


def test_a_long_text_goes_through_less(terminal: Terminal) -> None:
    if shutil.which("less") is None:
        pytest.skip("there is no less here")
    person = terminal("rules", "pyramid", PAGER="less")
    person.sees("Pyramid Challenge", ":")
    told, code = person.leaves("q")
    assert "Play it:" not in told, "the end has not been paged to"
    assert code == 0
