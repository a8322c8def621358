"""Rubbish at a prompt changes nothing, is explained, and the question is asked again."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour import catalog
from parlour.terminal.game import GameSession
from tests.support.command import Run, run_parlour
from tests.support.terminal import Person

Runner = Callable[..., Run]
Terminal = Callable[..., Person]

# A legal first move of each game, and the prompt that follows it.
OPENINGS = {
    "double-up": ("2", "Enter your selection: "),
    "increasing-differences": ("5", "Player 2, select your number: "),
    "pyramid-challenge": ("4", "> "),
    "sequence-builder": ("5", "Player 2, select your number: "),
    "sequence-spot": ("2,2", "Player 2 (O), select your cell (row and column): "),
}
every_game = pytest.mark.parametrize("key", OPENINGS)

RUBBISH = [
    "", " ", "\t", "   \t  ", "x", "two", "hello world", "helpp", "undo it", "quitter", "resign!", "no",
    "99999", "9" * 30, "9" * 100, "9" * 101, "9" * 900, "9" * 5000, "-1", "-2", "--", "-", "+5", "+3", "0", "00", "-0",
    "1.5", "3.0", "1e3", "3e0", "0x3", "0b11", "3_0", "3,4,5", "1,2,3,4", ",", ",3", "3,", "(", ")", "((", "()", "[]",
    "٣", "３", "৩", "³", "½", "Ⅲ", "三", "٣,٣", "３,３", "1,٣",
    "🎲", "👩‍👩‍👧", "ñandú", "e\u0301", "\u202e3", "\u200b3", "\ufeff3", "3\u200d",
    "\x00", "3\x00", "\x001", "\x01\x02\x03", "\x07", "\x08\x08", "\x1b[31m", "\x1b[2J\x1b[H", "\x1b]0;title\x07",
    "3\x1b[A", "\x7f", "\x9b31m", "\x85", "\u2028", "\x0b", "\x0c", "a\rb", "\r",
    "'; DROP TABLE games; --", "1 OR 1=1", "$(reboot)", "`id`", "../../etc/passwd", "%s%n", "{0}", "{}", "\\", '"', "'",
    "pass", "skip", "PASS", "None", "null", "nan", "inf", "true", "3 3 3", "3 and 4", "three", "#3", "3#", "3!", "=3",
]  # fmt: skip
BYTES = [b"\xff", b"\xfe\xff", b"3\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\x80" * 500, b"\xc0\xaf"]


def actions(record: str) -> str:
    return record.split("\n\n", 1)[1]


def play(key: str, lines: list[bytes]) -> tuple[Run, str]:
    """Play the first move, then type these lines: what was told, and the actions that were kept."""
    with tempfile.TemporaryDirectory() as home:
        data = b"".join(line + b"\n" for line in [OPENINGS[key][0].encode(), *lines])
        told = run_parlour("play", key, "--seed", "1", stdin=data, env={"XDG_STATE_HOME": home})
        kept = Path(home, "parlour", "games", "1.parlour").read_text()
    return told, actions(kept)


def check(key: str, lines: list[bytes]) -> Run:
    told, kept = play(key, lines)
    move, prompt = OPENINGS[key]
    assert told.code == 1
    assert kept == f"1. {move}\n", "rubbish changed the game"
    assert told.err == "Game 1 is saved. Resume it with: parlour resume 1\n"
    answers = re.split(f"^{re.escape(prompt)}", told.out, flags=re.MULTILINE)
    # What stands before Player 2's first prompt; a prompt that names nobody has been Player 1's as well.
    del answers[: 1 if "Player 2" in prompt else 2]
    assert len(answers) == len(lines) + 1, "not asked again after each line"
    for answer in answers[:-1]:
        assert "Invalid move! " in answer
        assert "Please select " in answer
        assert "Possible now: " in answer
    bad = [character for character in told.out if character != "\n" and not character.isprintable()]
    assert not bad, f"{bad} came back out"
    return told


@every_game
def test_hand_picked_rubbish(key: str) -> None:
    lines = [line.encode() for line in RUBBISH] + BYTES
    told = check(key, lines)
    assert max(map(len, told.out.splitlines())) < 400


def is_rubbish(line: bytes) -> bool:
    """No command, and nothing that could name a move: brackets, separators and at least one digit."""
    text = line.decode(errors="replace").strip().lower()
    if b"\n" in line or text.split(" ")[0] in (*GameSession.commands, "?", "h", "q", "exit"):
        return False
    return not re.fullmatch(r"[\s()\[\]{},;:/.]*[0-9][\s()\[\]{},;:/.0-9]*", text)


some_rubbish = st.one_of(
    st.text().map(lambda text: text.encode(errors="replace")),
    st.text(alphabet="0123456789-+.,eE ()xX\x00\x1b[;m٣", max_size=12).map(str.encode),
    st.binary(max_size=40),
    st.integers(max_value=0).map(lambda number: str(number - 1).encode()),
    st.sampled_from([b"9" * 3000, b"-" * 3000, b"\xf0\x9f\x8e\xb2" * 2000]),
).filter(is_rubbish)


@every_game
@settings(max_examples=8, deadline=None)
@given(lines=st.lists(some_rubbish, min_size=1, max_size=60))
def test_any_rubbish(key: str, lines: list[bytes]) -> None:
    check(key, lines)


@every_game
def test_endless_lines(key: str) -> None:
    told = check(key, [b"x" * 10_000_000, b"9" * 10_000_000, b"\x00" * 1_000_000, b"\xff" * 1_000_000])
    assert len(told.out) < 20_000


@pytest.mark.parametrize("line", ["resign", "undo", "quit", "1,1", "next"])
def test_a_long_line_is_not_taken_for_its_beginning(line: str) -> None:
    check("sequence-spot", [line.encode() + b" " * 5000 + b"is not what I want to say"])


@pytest.mark.parametrize(
    ("key", "lines", "reason"),
    [
        ("double-up", ["2", "5"], "5 is more than 4, the double of 2."),
        ("double-up", ["2", "2"], "2 is not more than 2, the last number."),
        ("double-up", ["2", "0"], "0 is not more than 2, the last number."),
        ("increasing-differences", ["5", "7", "8", "9", "12", "13", "15"],
         "15 is only 3 away from 12; you need more than 4."),
        ("increasing-differences", ["5", "5"], "5 is taken."),
        ("increasing-differences", ["21"], "21 is out of range: choose 1 to 20."),
        ("increasing-differences", ["0"], "0 is out of range: choose 1 to 20."),
        ("pyramid-challenge", ["4", "1", "5", "1", "6", "1", "2"],
         "2 is neither 5 + 4 = 9 nor 5 - 4 = 1."),
        ("pyramid-challenge", ["10"], "10 is out of range: choose 1 to 9."),
        ("sequence-builder", ["5", "6", "9"], "The number 9 is too great a difference from 5."),
        ("sequence-builder", ["5", "6", "4"], "4 is 1 less than 5; you need 1, 2 or 3 more."),
        ("sequence-builder", ["5", "6", "6"], "6 is taken."),
        ("sequence-builder", ["0"], "0 is out of range: choose 1 to 20."),
        ("sequence-spot --grid 2,7,6,9,5,1,4,3,8", ["2,2", "2,2"], "The 5 at (2,2) is marked already."),
        ("sequence-spot", ["4,1"], "'4,1' names no move."),
        ("sequence-spot", ["pass"], "You can still move, so you cannot pass."),
    ],
)  # fmt: skip
def test_a_broken_rule_is_told_in_numbers(run: Runner, key: str, lines: list[str], reason: str) -> None:
    told = run("play", *key.split(), stdin="".join(f"{line}\n" for line in lines))
    assert f"Invalid move! {reason}\nPlease select " in told.out


def test_a_cell_can_be_written_as_people_do(run: Runner) -> None:
    ways = ["2 1", "(2,1)", "( 2 , 1 )", "2;1", "2/1", "2:1", "[2, 1]", " 2,1 ", "2\t1", "02,01", "2, 1.", "{2 1}"]
    run("play", "spot", stdin="".join(f"{way}\nundo\n" for way in ways))
    assert actions(run("export", "1").out) == "1. 2,1\nundo\n" * len(ways)


def test_rubbish_at_the_menu(terminal: Terminal) -> None:
    person = terminal()
    choices = len(catalog.keys()) + 2  # and the puzzle of the day, and puzzles
    for line in ["0", str(choices + 1), "-1", "99999999999999999999", "٣", "x", "🎲", "1.5", "sequence"]:
        person.sees(f"Which game? 1-{choices}, q: leave: ")
        person.types(line)
        person.sees(f"here. Type 1 to {choices}, or ? for help.")
    person.sees(f"Which game? 1-{choices}, q: leave: ")
    person.types("q")
    assert person.leaves()[1] == 0


def test_rubbish_at_the_terminal(terminal: Terminal, run: Runner) -> None:
    person = terminal("play", "double-up", "--plain")
    person.sees("Player 1's turn: 2")
    person.types("2")
    person.sees("Player 2's turn: 3 or 4")
    for line in ["", "x", "9" * 500, "٣", "🎲", "-3", "a\x1bOPb", "3.5"]:
        person.types(line)
        person.sees("> ")
    person.types("quit")
    assert person.leaves()[1] == 0
    assert actions(run("export", "1").out) == "1. 2\n"
