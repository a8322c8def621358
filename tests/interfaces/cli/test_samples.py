"""The command-line samples of the rule books, played by the command from a pipe.

``samples/`` holds the books' own transcripts. One is corrected: Sequence Builder's sample refuses 8 after 5, which the
book's rule allows, so 9 is refused instead, and the line that showed 8 in the sequence before the refusal is left out.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from parlour import catalog
from tests.support.command import Run, run_parlour

SAMPLES = Path(__file__).parent / "samples"
PROMPT = re.compile(r"(?:select your number: |Enter your selection: |\(row and column\): |^> )(.+)")
GAP = re.compile(r"\[\.\.\.game continues\.\.\.\]|\.\.\. \(Game continues\)")  # the book leaves something out here


def sample(key: str) -> list[str]:
    """The lines of a sample that the output has to have."""
    lines = (SAMPLES / f"{key}.txt").read_text(encoding="utf-8").splitlines()
    return [line.rstrip() for line in lines if line.strip() and not GAP.fullmatch(line)]


def typed_in(lines: list[str]) -> list[str]:
    """What the players of a sample type."""
    return [found[1] for line in lines if (found := PROMPT.search(line))]


def missing_from(output: str, lines: list[str]) -> str | None:
    """The first of these lines that the output does not have after the ones before it."""
    rest = iter([line.rstrip() for line in output.splitlines()])
    return next((line for line in lines if line not in rest), None)


def test_lines_have_to_come_in_order() -> None:
    assert missing_from("one\ntwo\nthree\n", ["one", "three"]) is None
    assert missing_from("one\ntwo\nthree\n", ["three", "one"]) == "one"
    assert missing_from("one\ntwo\n", ["one", "one"]) == "one"
    assert missing_from(" one\n", ["one"]) == "one"


@pytest.mark.parametrize(
    ("key", "inputs"),
    [
        ("increasing-differences", "5 7 8 9 12 13 2"),
        ("sequence-spot", "1 1/2 2"),
        ("pyramid-challenge", "4 5"),
        ("double-up", "2 4 8 16 17 34 50"),
        ("sequence-builder", "5 6 9 7 9 10 12 13"),
    ],
)
def test_sample_holds_these_inputs(key: str, inputs: str) -> None:
    assert typed_in(sample(key)) == inputs.split("/" if "/" in inputs else None)


def play(arguments: list[str], typed: list[str]) -> Run:
    """Play with these lines on a pipe."""
    return run_parlour("play", *arguments, stdin="".join(f"{line}\n" for line in typed))


def run(lines: list[str], arguments: list[str], more: list[str]) -> None:
    """Type what the sample types, then more, up to the end of the game; the lines have to be there."""
    done = play(arguments, [*typed_in(lines), *more])
    assert done.err == ""
    assert done.code == 0
    assert missing_from(done.out, lines) is None


def test_increasing_differences_sample() -> None:
    run(sample("increasing-differences"), ["increasing-differences", "--range", "15"], [])


def test_sequence_spot_sample() -> None:
    # The game goes on: Player 2 adds 3 and 9 to his 6.
    lines = [
        *sample("sequence-spot"),
        "Player 2 has formed an arithmetic sequence with numbers 3, 6, 9 (common difference of +3) and wins the game!",
    ]
    arguments = ["sequence-spot", "--grid", "5,3,8,1,6,7,4,9,2"]
    run(lines, arguments, ["1 3", "1 2", "2 1", "3 2"])


def test_the_word_rules_tells_what_the_options_make_different() -> None:
    told = play(["sequence-builder", "--increments", "2,3"], ["rules", "resign"]).out
    lines = [line.strip() for line in told.splitlines()]
    assert "must be exactly 1, 2 or 3 more than your last" in " ".join(lines), "the book's rules"
    assert "- steps of 2 or 3 (usually steps of 1, 2 or 3)" in " ".join(lines)
    assert "In this game" not in play(["sequence-builder"], ["rules", "resign"]).out


def test_sequence_spot_winning_announcement() -> None:
    # Example 2 as corrected: Player 1 marks 9, 5 and 1 alone.
    lines = [
        "Current Grid:",
        "| 2 | 7 | 6 |",
        "| 9 | 5 | 1 |",
        "| 4 | 3 | 8 |",
        "Player 1 (X), select your cell (row and column): 2 1",
        "Player 2 (O), select your cell (row and column): 1 1",
        "Player 1 (X), select your cell (row and column): 2 2",
        "Player 2 (O), select your cell (row and column): 1 2",
        "Player 1 (X), select your cell (row and column): 2 3",
        "Player 1 placed an 'X' on cell (2,3)",
        "Player 1 has formed an arithmetic sequence with numbers 9, 5, 1 (common difference of -4) and wins the game!",
    ]
    run(lines, ["sequence-spot", "--grid", "2,7,6,9,5,1,4,3,8"], [])


def test_pyramid_challenge_sample() -> None:
    # It goes on with the example playthrough, whose pyramids are drawn here as the sample draws them.
    lines = sample("pyramid-challenge")
    steps = [
        ("Alice", "7", "      [ ]", "     [ ][ ]", "    [4][7][ ]"),
        ("Bob", "2", "      [ ]", "     [ ][ ]", "    [5][2][ ]"),
        ("Alice", "3", "      [ ]", "     [ ][ ]", "    [4][7][3]"),
        ("Bob", "6", "      [ ]", "     [ ][ ]", "    [5][2][6]"),
        ("Alice", "3", "      [ ]", "     [3][ ]", "    [4][7][3]"),
        ("Bob", "7", "      [ ]", "     [7][ ]", "    [5][2][6]"),
        ("Alice", "4", "      [ ]", "     [3][4]", "    [4][7][3]"),
        ("Bob", "8", "      [ ]", "     [7][8]", "    [5][2][6]"),
        ("Alice", "7", "      [7]", "     [3][4]", "    [4][7][3]"),
    ]
    for name, number, *drawn in steps:
        lines += [f"{name}'s Pyramid:", f"> {number}", f"{name}'s Pyramid:", *drawn]
    lines.append("Alice has filled all positions and wins the game!")
    run(lines, ["pyramid-challenge", "--name1", "Alice", "--name2", "Bob"], [])


def test_double_up_sample() -> None:
    # Player 2 ends the game with the limit itself: the book's X is Player 1, and its Y is Player 2.
    lines = [line.replace("Player X", "Player 1").replace("Player Y", "Player 2") for line in sample("double-up")]
    assert lines[-2:] == ["Player 1 cannot make a valid move.", "Player 2 wins the game!"]
    run(lines, ["double-up"], ["100"])


def test_sequence_builder_sample() -> None:
    run(sample("sequence-builder"), ["sequence-builder"], [])


def test_sequence_builder_accepts_what_the_book_refused() -> None:
    done = play(["sequence-builder"], ["5", "6", "8", "resign"])
    assert "Player 1's sequence: [5, 8]" in done.out
    assert "Invalid move!" not in done.out


def test_stuck_player_is_not_asked_to_skip() -> None:
    # Nothing follows Player 1's 20, so only Player 2 types.
    lines = ["Player 1 has no valid number and skips this turn."] * 3 + ["Player 2 wins! Sequence: [1, 2, 3, 4]"]
    done = play(["sequence-builder"], ["20", "1", "2", "3", "4"])
    assert done.code == 0
    assert missing_from(done.out, lines) is None
    assert done.out.count("Player 1, select your number:") == 1


def test_stuck_player_is_not_asked_to_pass() -> None:
    # Neither 10 nor 0 can stand above Player 1's 5 and 5.
    lines = ["Player 1 can place neither sum nor difference and passes."] * 3
    lines.append("Player 2 has filled all positions and wins the game!")
    done = play(["pyramid-challenge"], ["5", "1", "5", "2", "1", "3", "3", "1", "2"])
    assert done.code == 0
    assert missing_from(done.out, lines) is None


@pytest.mark.parametrize("key", ["sequence-spot", "pyramid-challenge", "sequence-builder"])
def test_coin_toss_decides_who_begins(key: str) -> None:
    beginners = set()
    for seed in range(12):
        done = play([key, "--first", "toss", "--seed", str(seed), "--json"], ["quit"])
        beginners.add(json.loads(done.out.splitlines()[0])["first"])
        if len(beginners) == 2:
            return
    pytest.fail(f"Player {beginners} always begins")


def test_each_game_has_a_sample() -> None:
    keys = sorted(path.stem for path in SAMPLES.glob("*.txt"))
    assert keys == ["double-up", "increasing-differences", "pyramid-challenge", "sequence-builder", "sequence-spot"]
    assert [catalog.find_game(key).key for key in keys] == keys
