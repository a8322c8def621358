"""`parlour` with a pipe at its standard input: what scripts, programs and transcripts meet."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour import catalog, record, saves
from tests.support.command import Run

Runner = Callable[..., Run]
Maker = Callable[..., list[str]]

KEYS = catalog.keys()
every_game = pytest.mark.parametrize("key", KEYS)


def typed(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def events(run: Run) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run.out.splitlines()]


def one_line(text: str) -> str:
    """The only line of a diagnostic."""
    assert text.endswith("\n")
    assert text.count("\n") == 1, text
    return text[:-1]


# What a pipe sees of a game.


def test_the_first_line_is_the_books(run: Runner) -> None:
    out = run("play", "double-up", stdin="2\n").out
    assert out.startswith("Starting Number: 1\nSequence: [1]\nNumbers Used: {1}\n")


@every_game
def test_a_pipe_sees_the_game_and_nothing_else(run: Runner, key: str) -> None:
    told = run("play", key, stdin="x\n")
    assert catalog.find_game(key).content.summary not in told.out, "no banner"
    assert "Type rules" not in told.out
    assert "help" not in told.out
    assert "saved" not in told.out, "diagnostics go to the other stream"
    assert "\x1b" not in told.out, "no colour"


def test_typed_input_is_echoed_after_the_prompt(run: Runner) -> None:
    out = run("play", "double-up", stdin="2\nfour\n 4 \n").out.splitlines()
    assert [line for line in out if line.startswith("Enter your selection:")] == [
        "Enter your selection: 2",
        "Enter your selection: four",
        "Enter your selection:  4 ",
        "Enter your selection: ",
    ]


def test_a_line_without_an_end_counts(run: Runner) -> None:
    assert "Sequence Updated: [1, 2]" in run("play", "double-up", stdin="2").out


def test_windows_line_ends_count(run: Runner) -> None:
    out = run("play", "double-up", stdin="2\r\n4\r\n").out
    assert "Sequence Updated: [1, 2, 4]" in out
    assert "\r" not in out


@every_game
def test_a_whole_game_ends_with_0(run: Runner, whole_game: Maker, key: str) -> None:
    told = run("play", key, "--seed", "3", stdin=typed(whole_game(key, 3)))
    assert told.code == 0
    assert told.err == ""
    assert re.search("wins|Congratulations|draw", told.out.splitlines()[-1])


def test_one_game_per_pipe(run: Runner) -> None:
    told = run("play", "double-up", "--limit", "3", stdin="2\n3\n2\n3\n")
    assert told.code == 0
    assert told.out.count("wins the game!") == 1
    assert told.out.endswith("Player 1 cannot make a valid move.\nPlayer 2 wins the game!\n")


# The end of input, and going on.


@every_game
def test_the_end_of_input_saves_and_resuming_goes_on_exactly(run: Runner, whole_game: Maker, key: str) -> None:
    moves = whole_game(key, 5)
    whole = run("play", key, "--seed", "5", stdin=typed(moves))
    expected = run("export", "1").out
    half = len(moves) // 2
    first = run("play", key, "--seed", "5", stdin=typed(moves[:half]))
    assert first.code == 1
    assert one_line(first.err) == "Game 2 is saved. Resume it with: parlour resume 2"
    second = run("resume", "2", stdin=typed(moves[half:]))
    assert second.code == 0
    assert second.err == ""
    # What was told after the interruption is what would have been told without it.
    rest = whole.out.removeprefix(first.out.rsplit("\n", 2)[0])
    assert rest != whole.out
    assert second.out.endswith(rest.split("\n", 1)[1])

    def timeless(text: str) -> str:
        return re.sub(r'\[Date "[^"]*"\]', "", text)

    assert timeless(run("export", "2").out) == timeless(expected)


def test_nothing_typed_at_all(run: Runner) -> None:
    told = run("play", "double-up")
    assert told.code == 1
    assert told.out.endswith("Enter your selection: \n")
    assert one_line(told.err) == "Game 1 is saved. Resume it with: parlour resume 1"


def test_resuming_does_not_tell_an_old_state_of_the_table(run: Runner) -> None:
    run("play", "double-up", stdin="2\n4\n7\n")
    out = run("resume").out
    assert "Last Number (N): 7" in out
    assert "Sequence: [1]\n" not in out
    assert "{1}" not in out


# The book's grid, whose only arithmetic line is 8, 6, 4, and the book's moves that fill it without a winner.
SQUARE = "5,3,8,1,6,7,4,9,2"
FULL = ["1,1", "2,2", "1,2", "2,3", "1,3", "3,2", "2,1", "3,3", "3,1"]  # the book's Example 1


def test_resuming_in_a_later_round_names_who_began_it(run: Runner) -> None:
    run("play", "spot", "--grid", SQUARE, "--seed", "1", stdin=typed([*FULL, "1,1"]))
    # Player 2 began round 2 and has marked one cell, so Player 1 is to move.
    resumed = run("resume")
    assert "Player 1 (X), select your cell" in resumed.out
    assert "Player 1 begins" not in resumed.out
    deal = events(run("resume", "--json"))[0]
    assert deal["event"] == "deal"
    assert deal["round"] == 2
    assert deal["first"] == 2


def test_resuming_a_dead_grid_does_not_deny_its_lines(run: Runner) -> None:
    # The only arithmetic line is 1, 2, 3, and both players hold a cell of it.
    grid, moves = "1,2,3,9,4,5,7,8,6", ["1,1", "1,2"]
    first = run("play", "spot", "--grid", grid, stdin=typed(moves))
    assert "holds no arithmetic line" not in first.out
    assert "No line can be completed any more" in first.out
    resumed = run("resume")
    assert "holds no arithmetic line" not in resumed.out


# Programs.


def test_json_events_of_a_game(run: Runner) -> None:
    told = run("play", "double-up", "--limit", "5", "--json", stdin="2\n9\nx\nundo\n2\n3\n5\n")
    found = events(told)
    assert [event["event"] for event in found] == [
        "deal", "turn", "move", "turn", "refusal", "refusal", "undo", "turn", "move", "turn", "move", "turn", "move",
        "result",
    ]  # fmt: skip
    deal, turn, move, _, illegal, unreadable, undo, *_, result = found
    assert deal["game"] == "double-up"
    assert deal["options"] == {"limit": "5"}
    assert deal["first"] == 1
    assert deal["names"] == ["Player 1", "Player 2"]
    assert deal["id"] == 1
    assert (turn["player"], turn["legal"]) == (1, ["2"])
    assert (move["player"], move["move"], move["ply"]) == (1, "2", 1)
    assert (illegal["player"], illegal["input"], illegal["code"]) == (2, "9", "move/illegal")
    assert illegal["reason"] == "9 is more than 4, the double of 2"
    assert illegal["possible"] == "3, 4"
    assert unreadable["code"] == "move/unreadable"
    assert undo["moves"] == ["2"]
    assert undo["player"] == 1
    assert (result["winner"], result["how"], result["result"]) == (1, "won", "1-0")
    assert all(event["round"] == 1 for event in found)
    assert told.err == ""
    assert told.code == 0


def test_json_tells_passes(run: Runner) -> None:
    # 6 and 6 leave Player 1 stuck at once; Player 2 completes.
    told = run("play", "pyramid", "--base", "2", "--json", stdin="6\n1\n6\n2\n3\n")
    passes = [event for event in events(told) if event["event"] == "pass"]
    assert [(event["player"], event["move"], event["ply"]) for event in passes] == [(1, "pass", 5)]
    assert events(told)[-1]["winner"] == 2


def test_json_tells_rounds(run: Runner) -> None:
    told = run("play", "spot", "--grid", SQUARE, "--max-rounds", "2", "--seed", "1", "--json", stdin=typed(FULL))
    deals = [event for event in events(told) if event["event"] == "deal"]
    assert [(event["round"], event["first"]) for event in deals] == [(1, 1), (2, 2)]
    assert deals[0]["options"]["grid"] == SQUARE
    assert sorted(deals[1]["options"]["grid"].split(",")) == list("123456789")


def test_json_has_no_words_between(run: Runner) -> None:
    told = run("play", "spot", "--json", "--seed", "1", stdin="help\nrules\nboard\nsave\nundo\nnonsense\nresign\n")
    assert told.code == 0
    kinds = [event["event"] for event in events(told)]
    assert kinds == ["deal", "turn", "remark", "remark", "board", "remark", "refusal", "refusal", "result"]
    assert events(told)[-1]["how"] == "resigned"


def test_json_keeps_diagnostics_apart(run: Runner) -> None:
    told = run("play", "double-up", "--json", stdin="2\n")
    assert told.code == 1
    assert events(told)
    assert one_line(told.err) == "Game 1 is saved. Resume it with: parlour resume 1"


def test_a_program_gets_a_turn_without_a_list_where_it_would_be_endless(run: Runner) -> None:
    told = run("play", "double-up", "--limit", "none", "--json", stdin=typed([str(2**n) for n in range(1, 30)]))
    turn = events(told)[-1]
    assert turn["event"] == "turn"
    assert turn["legal"] is None
    assert turn["possible"] == f"{2**29 + 1}-{2**30}"
    assert len(told.out) < 100_000


# Computers, chance, who begins, names.

VARIANTS = [
    ("double-up",),
    ("double-up", "--limit", "2"),
    ("double-up", "--limit", "100000"),
    ("increasing-differences",),
    ("increasing-differences", "--length", "2", "--range", "2"),
    ("increasing-differences", "--length", "30", "--range", "60"),
    ("pyramid-challenge",),
    ("pyramid-challenge", "--base", "5", "--highest", "20", "--copies", "2"),
    ("pyramid-challenge", "--base", "10", "--highest", "60"),
    ("sequence-builder",),
    ("sequence-builder", "--length", "7", "--pool", "60", "--increments", "2,5,20"),
    ("sequence-builder", "--length", "2", "--pool", "2", "--increments", "1"),
    ("sequence-spot",),
    ("sequence-spot", "--deal", "winnable", "--max-rounds", "1"),
    ("sequence-spot", "--grid", "1,2,3,4,5,6,7,8,9"),
]


@pytest.mark.parametrize("words", VARIANTS, ids=" ".join)
def test_two_computers_and_the_seed(run: Runner, words: tuple[str, ...]) -> None:
    call = ("play", *words, "--p1", "random", "--p2", "random", "--seed", "lucky 7")
    text, told = run(*call), run(*call, "--json")
    assert text.code == told.code == 0
    assert text.err == told.err == ""
    assert {event["event"] for event in events(told)} <= {"deal", "move", "pass", "round", "result"}
    assert events(told)[-1]["event"] == "result"
    # The same seed has given the same game twice: once in words, once as events.
    moves = [event["move"] for event in events(told) if event["event"] == "move"]
    shown = re.findall(r"(?:selection:|number:|column\):|^>) (\S+)$", text.out, re.MULTILINE)
    assert shown == moves


def test_the_same_seed_gives_the_same_words(run: Runner) -> None:
    call = ("play", "spot", "--p1", "random", "--p2", "random", "--seed", "lucky 7")
    assert run(*call).out == run(*call).out


def test_without_a_seed_two_games_differ(run: Runner) -> None:
    call = ("play", "spot", "--p1", "random", "--p2", "random")
    assert run(*call).out != run(*call).out


def test_the_computer_answers_a_person(run: Runner) -> None:
    told = run("play", "double-up", "--limit", "4", "--p2", "random", "--seed", "1", stdin="2\n")
    assert "Player 2's Turn:" in told.out
    assert re.search(r"Enter your selection: [34]\nSequence Updated: \[1, 2, [34]\]", told.out)


def test_two_computers_are_not_left_alone_with_an_endless_game(run: Runner) -> None:
    told = run("play", "double-up", "--limit", "none", "--p1", "random", "--p2", "random")
    assert told.code == 2
    assert "limit" in one_line(told.err)


def test_two_computers_end_undecided(run: Runner) -> None:
    told = run("play", "spot", "--grid", SQUARE, "--max-rounds", "1", stdin=typed(FULL))
    assert told.code == 0
    assert told.out.endswith("The match is undecided after 1 round.\n")


def test_player_2_begins(run: Runner) -> None:
    out = run("play", "double-up", "--first", "2", stdin="2\n").out
    assert out.index("Player 2's Turn:") < out.index("Player 1's Turn:")


def test_a_toss_follows_the_seed_and_falls_either_way(run: Runner) -> None:
    def began(seed: str) -> int:
        first: int = events(run("play", "double-up", "--first", "toss", "--seed", seed, "--json"))[0]["first"]
        return first

    seeds = [str(seed) for seed in range(8)]
    tosses, again = [began(seed) for seed in seeds], [began(seed) for seed in seeds[:3]]
    assert set(tosses) == {1, 2}
    assert again == tosses[:3]


def test_names(run: Runner) -> None:
    told = run("play", "pyramid", "--name1", "Zoë", "--name2", "李 Bo", stdin="4\n")
    assert "Player 1: Zoë\nPlayer 2: 李 Bo\n" in told.out
    assert "Turn ends. Switching to 李 Bo." in told.out
    assert json.loads(run("games", "--json").out)[0]["names"] == ["Zoë", "李 Bo"]


@pytest.mark.parametrize(
    "seed",
    ["", " ", "a b", '"', "\\", 'say "hi"\\', "ü", "x" * 500, "a\nb", "a\x85b", "a\u2028b", "\x1b[31m", "\udcff"],
)
def test_any_seed_will_do_or_is_refused(run: Runner, seed: str) -> None:
    told = run("play", "double-up", "--seed", seed, stdin="2\n")
    if told.code == 2:
        assert "seed" in one_line(told.err)
        return
    assert "Sequence Updated: [1, 2]" in told.out
    assert run("resume", "1", stdin="3\n").out.count("Sequence Updated: [1, 2, 3]") == 1


# What is refused before a game begins.

REFUSED = [
    (("play", "double-up", "--limit", "1"), "1", "2 to 1000000, or none"),
    (("play", "double-up", "--limit", "1000001"), "1000001", "2 to 1000000"),
    (("play", "double-up", "--limit", "many"), "many", "2 to 1000000"),
    (("play", "double-up", "--limit", "1e3"), "1e3", "2 to 1000000"),
    (("play", "double-up", "--limit", "-5"), "-5", "2 to 1000000"),
    (("play", "double-up", "--limit", "٥"), "٥", "2 to 1000000"),
    (("play", "double-up", "--limit", ""), "''", "2 to 1000000"),
    (("play", "double-up", "--limit", "9" * 5000), "999", "2 to 1000000"),
    (("play", "increasing-differences", "--length", "1"), "1", "2 to 30"),
    (("play", "increasing-differences", "--range", "61"), "61", "2 to 60"),
    (("play", "increasing-differences", "--length", "9", "--range", "8"), "length 9", "at least 9"),
    (("play", "pyramid", "--base", "11"), "11", "2 to 10"),
    (("play", "pyramid", "--highest", "1"), "1", "2 to 60"),
    (("play", "pyramid", "--copies", "0"), "0", "1 to 60, or none"),
    (("play", "pyramid", "--highest", "60", "--copies", "5"), "copies 5", "at most 1"),
    (("play", "builder", "--pool", "0"), "0", "2 to 60"),
    (("play", "builder", "--increments", "0"), "0", "1 to 20"),
    (("play", "builder", "--increments", "1,,2"), "1,,2", "separated by commas"),
    (("play", "builder", "--increments", "21"), "21", "1 to 20"),
    (("play", "builder", "--length", "5", "--pool", "8", "--increments", "2"), "length 5", "at least 9"),
    (("play", "spot", "--grid", "1,2,3"), "1,2,3", "1 to 9, each once"),
    (("play", "spot", "--grid", "1,2,3,4,5,6,7,8,8"), "1,2,3,4,5,6,7,8,8", "1 to 9, each once"),
    (("play", "spot", "--deal", "fair"), "fair", "any, winnable or lively"),
    (("play", "spot", "--max-rounds", "0"), "0", "1 to 1000, or none"),
    (("play", "spot", "--grid", "1,2,4,3,8,9,6,5,7", "--deal", "winnable"), "grid", "leave out one of the two options"),
    (("play", "chess"), "chess", "double-up, increasing-differences, pyramid-challenge"),
    (("play", ""), "''", "known games"),
    (("play", "sequence"), "sequence", "sequence-builder, sequence-spot"),
    (("rules", "sequence"), "sequence", "sequence-builder, sequence-spot"),
    (("rules", "poker"), "poker", "known games"),
    (("play", "double-up", "--p1", "robot"), "robot", "random"),
    (("play", "double-up", "--p2", "RANDOM!"), "RANDOM!", "human"),
    (("play", "double-up", "--first", "3"), "3", "toss"),
    (("play", "double-up", "--name1", "x" * 31), "xxx", "30 characters"),
    (("play", "double-up", "--name1", " "), "' '", "at least one"),
    (("play", "double-up", "--name1", ""), "''", "at least one"),
    (("play", "double-up", "--name1", "a\x1b[31mb"), "bad name", "control characters"),
    (("play", "double-up", "--name1", "a\nb"), "bad name", "control characters"),
    (("play", "double-up", "--name1", "Ann", "--name2", "ann"), "Ann", "different names"),
    (("play", "double-up", "--pool", "9"), "--pool", "--help"),
    (("play", "double-up", "--limit"), "--limit", "requires an argument"),
    (("play", "double-up", "again"), "again", "--help"),
    (("frobnicate",), "frobnicate", "--help"),
    (("--frobnicate",), "--frobnicate", "--help"),
    (("completion", "tcsh"), "tcsh", "bash"),
]  # fmt: skip


def test_what_is_refused_is_named_in_one_line_with_what_would_do(run: Runner) -> None:
    def problem(words: tuple[str, ...], offending: str, allowed: str) -> str:
        told = run(*words)
        line = one_line(told.err)
        good = told.code == 2 and told.out == "" and line.startswith("parlour: ") and offending in line
        return "" if good and allowed in line and "\x1b" not in line else f"{words}: {told}"

    assert not [found for case in REFUSED if (found := problem(*case))]


def test_nothing_is_kept_of_a_refused_game(run: Runner, state: Path) -> None:
    run("play", "double-up", "--limit", "1")
    assert not state.exists() or not list(state.iterdir())


def test_play_needs_a_game(run: Runner) -> None:
    told = run("play")
    assert told.code == 2
    assert told.out == ""
    assert all(len(line) <= 80 for line in told.err.splitlines())
    assert "double-up" in told.err


# What else can be typed.


def test_short_names_of_games(run: Runner) -> None:
    short = {
        "double": "double-up", "up": "double-up", "Double Up": "double-up", "DOUBLE_UP": "double-up", "d": "double-up",
        "inc": "increasing-differences", "differences": "increasing-differences", "pyramid": "pyramid-challenge",
        "spot": "sequence-spot", "sequence-s": "sequence-spot", "builder": "sequence-builder",
    }  # fmt: skip
    for word, key in short.items():
        assert catalog.find_key(word) == key
    assert events(run("play", "Double Up", "--json"))[0]["game"] == "double-up"
    assert run("rules", "spot").out == run("rules", "sequence-spot").out


@every_game
def test_help_rules_and_board_at_the_prompt(run: Runner, key: str) -> None:
    options = ("--grid", SQUARE) if key == "sequence-spot" else ()
    out = run("play", key, *options, stdin="help\nrules\nboard\n").out
    for word in ("rules", "board", "undo", "resign", "save", "quit"):
        assert f"- {word}: " in out
    assert ("- next: " in out) == (key == "sequence-spot")
    assert "Possible now: " in out
    assert " ".join(catalog.find_game(key).content.rules_text.split())[:200] in " ".join(out.split())
    table = {
        "double-up": "Sequence  1\nNext       2\n",
        "increasing-differences": "Player 1  _ _ _ _\nPlayer 2  _ _ _ _\n",
        "pyramid-challenge": "[ ][ ][ ]    [ ][ ][ ]\n",
        "sequence-builder": "Numbers    1    2    3    4    5    6    7    8    9    10\n",
        "sequence-spot": "      1    2    3\n  1   5    3    8\n",
    }
    assert table.get(key, "") in out


def test_words_in_any_case_and_with_spaces_around(run: Runner) -> None:
    out = run("play", "double-up", stdin="  HELP \n?\nh\nQ\n").out
    assert out.count("You can also type:") == 3


def test_undo_takes_back_one_move_between_people(run: Runner) -> None:
    told = run("play", "double-up", stdin="2\n4\nundo\n3\n")
    assert "Taken back: 4. It is Player 2's turn again." in told.out
    assert "Sequence Updated: [1, 2, 3]" in told.out
    assert run("export", "1").out.endswith("\n1. 2\n2. 4\nundo\n2. 3\n")


def test_undo_with_nothing_played(run: Runner) -> None:
    told = run("play", "double-up", stdin="undo\n")
    assert "Nothing has been played yet.\n" in told.out
    assert told.out.count("Enter your selection: ") == 2


def test_undo_against_the_computer_takes_back_its_answer_too(run: Runner) -> None:
    told = run("play", "double-up", "--p2", "random", "--seed", "4", "--json", stdin="2\nundo\n")
    undo = next(event for event in events(told) if event["event"] == "undo")
    assert undo["player"] == 1
    assert undo["moves"][0] == "2"
    assert len(undo["moves"]) == 2


def test_undo_does_not_take_back_what_the_computer_began_with(run: Runner) -> None:
    told = run("play", "double-up", "--p1", "random", "--json", stdin="undo\n")
    assert events(told)[-1]["event"] == "refusal"
    assert events(told)[-1]["code"] == "undo/nothing"


def test_undo_goes_over_a_pass(run: Runner) -> None:
    # Player 1 is stuck after 6 and 6; taking back Player 2's first choice above it skips the pass.
    told = run("play", "pyramid", "--highest", "9", "--base", "3", "--json",
               stdin=typed(["6", "1", "6", "2", "6", "4", "3", "undo", "undo"]))  # fmt: skip
    undone = [event["moves"] for event in events(told) if event["event"] == "undo"]
    assert undone == [["3", "pass"], ["4", "pass"]]


def test_resigning_on_a_pipe_needs_no_yes(run: Runner) -> None:
    told = run("play", "double-up", "--name1", "Ann", "--name2", "Bob", stdin="2\nresign\n")
    assert told.code == 0
    assert told.out.endswith("Bob resigns. Ann wins!\n")
    exported = run("export", "1").out
    assert '[Result "1-0"]' in exported
    assert exported.endswith("1. 2\nresign 2\n")


def test_save_and_quit(run: Runner) -> None:
    told = run("play", "double-up", stdin="save\n2\nquit\n")
    assert "Saved as game 1" in told.out
    assert saves.path_of(1) in "".join(told.out.split())
    assert "parlour resume 1" in " ".join(told.out.split())
    assert told.code == 0
    assert one_line(told.err) == "Game 1 is saved. Resume it with: parlour resume 1"
    assert "Last Number (N): 2" in run("resume", "1").out


def test_next_only_when_nobody_can_win(run: Runner) -> None:
    told = run("play", "spot", "--grid", "1,2,3,4,5,6,7,8,9", stdin="next\n")
    assert "a player can still win it" in told.out
    told = run("play", "spot", "--grid", "1,2,4,3,8,9,6,5,7", "--seed", "2", stdin="next\n")
    assert "This grid holds no arithmetic line: nobody can win it. Type next for a new grid." in told.out
    assert "Round 2. Player 2 begins." in told.out
    told = run("play", "spot", "--grid", "1,2,4,3,8,9,6,5,7", "--max-rounds", "1", stdin="next\n")
    assert "last round" in told.out
    told = run("play", "double-up", stdin="next\n")
    assert told.out.count("Enter your selection: ") == 2


# Colour and width.


def test_colour_where_it_is_forced_and_not_forbidden(run: Runner) -> None:
    def escapes(**env: str) -> int:
        return run("play", "double-up", stdin="2\nboard\nx\n", env=env).out.count("\x1b")

    assert escapes(FORCE_COLOR="1") > 0
    assert escapes(FORCE_COLOR="1", NO_COLOR="1") == 0
    assert escapes(FORCE_COLOR="1", TERM="dumb") == 0
    assert escapes(FORCE_COLOR="1", NO_COLOR="") > 0  # an empty NO_COLOR says nothing
    assert escapes() == 0


@every_game
def test_nothing_is_wider_than_the_columns(run: Runner, whole_game: Maker, key: str) -> None:
    lines = ["board", "help", "rules", "save", "nonsense", "99", "undo"]
    moves = [line for move in whole_game(key, 1) for line in (move, "board")]
    told = run("play", key, "--seed", "1", stdin=typed([*lines, *moves[:-1]]), env={"COLUMNS": "40"})
    assert told.code == 0
    wide = [line for line in told.out.splitlines() if len(line) > 40]
    assert not wide


def test_long_names_and_large_tables_are_not_wider_than_the_columns(run: Runner) -> None:
    names = ("--name1", "Maximiliane von und zu Hohenfels", "--name2", "Bartholomew the Very Youngest")
    names = (names[0], names[1][:30], *names[2:])
    cases = {
        80: [("pyramid", "--base", "10", "--highest", "60", "--p1", "random", "--p2", "random"),
             ("builder", "--pool", "60", "--length", "20", "--increments", "1,2")],
        40: [("pyramid", *names), ("builder", *names), ("increasing", *names), ("spot", *names), ("double", *names)],
    }  # fmt: skip
    wide, number = [], 0
    for columns, calls in cases.items():
        for call in calls:
            number += 1
            told = run("play", *call, "--seed", "1", stdin="board\n", env={"COLUMNS": str(columns)})
            wide += [(call[0], line) for line in told.out.splitlines() if len(line) > columns]
            told = run("replay", str(number), env={"COLUMNS": str(columns)})
            wide += [(f"replay {call[0]}", line) for line in told.out.splitlines() if len(line) > columns]
    assert not wide


def test_pages_are_not_wider_than_the_columns(run: Runner) -> None:
    for key in KEYS:
        run("play", key, "--p1", "random", "--p2", "random", "--seed", "1", "--name1", "Maximiliane the First")
    calls = [("list",), ("games",), *(("rules", key) for key in KEYS), *(("replay", str(at)) for at in range(1, 6))]
    for call in calls:
        page = run(*call, env={"COLUMNS": "40"}).out
        assert page
        assert not [line for line in page.splitlines() if len(line) > 40], call


def test_lines_are_whole_for_programs_that_set_no_width(run: Runner) -> None:
    told = run("play", "builder", "--pool", "60")
    assert "Available Numbers: " + " ".join(map(str, range(1, 61))) in told.out.splitlines()


@pytest.mark.parametrize("columns", ["0", "-3", "1", "x", "99999999999999999999"])
def test_nonsense_columns(run: Runner, columns: str) -> None:
    told = run("play", "pyramid", stdin="4\nboard\n", env={"COLUMNS": columns})
    assert told.code == 1
    assert "Switching" in told.out


# Streams that are closed or go away.


# The other pages.


def test_parlour_alone_in_a_pipe_is_short_help(run: Runner) -> None:
    told = run()
    assert told.code == 0
    assert told.err == ""
    assert told.out == run("--help").out == run("-h").out
    assert "parlour play double-up" in told.out
    assert len(told.out.splitlines()) < 24


@every_game
def test_the_help_of_a_game_names_its_options(run: Runner, key: str) -> None:
    told = run("play", key, "--help")
    assert told.code == 0
    for name in catalog.find_game(key).options._fields:  # type: ignore[attr-defined]
        assert f"--{name.replace('_', '-')} " in told.out
    for name in ("--p1", "--p2", "--name1", "--name2", "--first", "--seed", "--json"):
        assert name in told.out


def test_version(run: Runner) -> None:
    told = run("--version")
    assert told.code == 0
    assert told.out == f"parlour, version {parlour.__version__}\n"


def test_list(run: Runner) -> None:
    told = run("list")
    assert told.code == 0
    assert [line for line in told.out.splitlines() if not line.startswith(" ")] == list(KEYS)


def test_list_for_programs(run: Runner) -> None:
    games = json.loads(run("list", "--json").out)
    assert [game["key"] for game in games] == list(KEYS)
    options = {game["key"]: {option["name"]: option["default"] for option in game["options"]} for game in games}
    assert (
        options.items()
        >= {
            "double-up": {"limit": "100"},
            "increasing-differences": {"length": "4", "range": "20"},
            "pyramid-challenge": {"base": "3", "highest": "9", "copies": "none"},
            "sequence-builder": {"length": "4", "pool": "20", "increments": "1,2,3"},
            "sequence-spot": {"grid": None, "deal": "any", "max_rounds": "none"},
        }.items()
    )


@every_game
def test_rules_tell_the_options_and_how_to_play(run: Runner, key: str) -> None:
    told = run("rules", key)
    assert told.code == 0
    assert told.err == ""
    assert told.out.startswith(catalog.find_game(key).title + "\n")
    for name in catalog.find_game(key).options._fields:  # type: ignore[attr-defined]
        assert f"--{name.replace('_', '-')}: " in told.out
    assert told.out.endswith(f"Play it: parlour play {key}\n")
    assert not [line for line in told.out.splitlines() if len(line) > 80]


def test_rules_keep_the_winning_strategy_for_those_who_ask(run: Runner) -> None:
    # Double Up up to 100 is won by leaving the other player 2, 5, 11, 24, 49 and 100.
    told = " ".join(run("rules", "double-up").out.split())
    assert not any(number in told for number in ("11", "24", "49"))
    assert "parlour explain double-up" in told
    assert "2, 5, 11, 24, 49, 100" in run("explain", "double-up").out


def test_rules_say_what_a_player_has_to_know() -> None:
    needed = {
        "double-up": ["The limit is ours", "--limit none", "ends only when a player resigns"],
        "sequence-spot": ["--deal winnable", "three of your markers", "the other player begins"],
        "pyramid-challenge": ["a draw", "--copies", "pass"],
        "sequence-builder": ["8 after 5", "longer sequence wins", "skip"],
        "increasing-differences": ["no draws", "you lose at once"],
    }
    for key, sentences in needed.items():
        rules = " ".join(catalog.find_game(key).content.rules_text.split())
        for sentence in sentences:
            assert sentence in rules


def test_the_record_of_a_piped_game_can_be_read(run: Runner, whole_game: Maker) -> None:
    run("play", "builder", "--name1", "Ann", "--name2", "Bob", stdin=typed(whole_game("sequence-builder", 9)))
    match = record.read_record(run("export", "1").out)
    assert match.names == ("Ann", "Bob")
    assert match.outcome is not None
