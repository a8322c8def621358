"""The short words beside a drawn board: the last move, what binds a player, why one passes, how a round ended."""

from __future__ import annotations

import re
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from parlour.match import Match
from parlour.view import POOL
from tests.support.short_words import check_short_words
from tests.support.tabletop import begin, play, unreadable

MAGIC = "2,7,6,9,5,1,4,3,8"  # 9 5 1, 7 5 3, 2 5 8 and 6 5 4 are arithmetic


def words(match: Match, moves: str) -> list[str]:
    """All short words on the way along these moves, a line for each kind that is not empty."""
    lines = []
    for move in (*moves.split(), ""):
        rules, position = match.rules, match.position
        notes = [group.note for group in rules.view(match.moment) if group.shape != POOL]
        said = {"notes": " | ".join(notes)}
        if match.legal_moves:
            said |= {"needs": rules.needs(position), "stuck": rules.stuck(position)}
        lines += [f"  {kind}: {text}" for kind, text in said.items() if text.strip(" |")]
        if move:
            play(match, move)
            lines.append(f"{match.moment.waiter} {match.game.display.told(match.moment)}.")
    if not match.legal_moves:
        subject, text = match.game.display.verdict(match.moment, match.round_winner)
        lines.append(f"{text}." if subject is None else f"{match.names[subject - 1]} {text}.")
    return lines


def won(match: Match) -> list[str]:
    """The tiles that won the round."""
    return [tile.text for group in match.rules.view(match.moment) for row in group.rows for tile in row if tile.won]


# Every moment of every small game


def walk(match: Match) -> set[str]:
    """Look at every moment that play can lead to; how the round ended, a dash for each number."""
    check_short_words(match)
    if not match.legal_moves:
        return {re.sub("[0-9]+", "-", match.game.display.verdict(match.moment, match.round_winner).text)}
    found = set()
    for move in list(match.legal_moves):
        match.play(move)
        found |= walk(match)
        match.undo()
    return found


@pytest.mark.parametrize(
    ("key", "moves", "options"),
    [
        ("double-up", "", {"limit": 12}),
        ("increasing-differences", "", {"length": 3, "range": 6}),
        ("pyramid-challenge", "", {"base": 2, "highest": 5}),
        ("pyramid-challenge", "", {"base": 2, "highest": 6, "copies": 1}),
        ("sequence-builder", "", {"length": 3, "pool": 6, "increments": "1,3"}),
        ("sequence-spot", "1 2 3", {"grid": "1,2,3,4,5,6,7,8,9"}),
    ],
)
def test_short_words_hold_wherever_play_leads(
    key: str, moves: str, options: dict[str, Any], snapshot: SnapshotAssertion
) -> None:
    assert sorted(walk(begin(key, moves, **options))) == snapshot


# Lines of play


LINES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "double-up": ("double-up", "2 3 6 9", {"limit": 9}),
    "double-up without a limit": ("double-up", "2 4 8", {"limit": "none"}),
    "increasing-differences": ("increasing-differences", "5 7 8 3 12 9 2", {}),
    "increasing-differences, the smallest step": ("increasing-differences", "5 9 6 8", {}),
    "increasing-differences, stuck": ("increasing-differences", "2 1 4 3", {"range": 4, "first": 2}),
    "increasing-differences, no number left": ("increasing-differences", "1 2", {"length": 2, "range": 2}),
    "pyramid-challenge": ("pyramid-challenge", "4 5 7 2 3 6 3 7 4 8 7", {}),
    "pyramid-challenge, nothing fits": ("pyramid-challenge", "6 7 6 1 pass", {"base": 2}),
    "pyramid-challenge, both are stuck": ("pyramid-challenge", "6 7 6 7", {"base": 2}),
    "pyramid-challenge, used up": ("pyramid-challenge", "1 4 3 2", {"base": 2, "highest": 6, "copies": 1}),
    # The highest number is one of the numbers.
    "pyramid-challenge, the highest is used up": (
        "pyramid-challenge",
        "4 6 2 1",
        {"base": 2, "highest": 6, "copies": 1},
    ),
    "sequence-builder": ("sequence-builder", "9 2 10 4 11", {"length": 3}),
    "sequence-builder, one number is taken": ("sequence-builder", "5 6 pass", {"increments": "1"}),
    "sequence-builder, two numbers are taken": ("sequence-builder", "5 8 7 9", {"increments": "1,2"}),
    "sequence-builder, taken and too large": ("sequence-builder", "18 19", {"increments": "1,3"}),
    "sequence-builder, three are too large": ("sequence-builder", "20 5", {}),
    "sequence-builder, two are too large": ("sequence-builder", "20 5", {"increments": "1,2"}),
    "sequence-builder, a draw of two": ("sequence-builder", "19 17 20 18", {}),
    "sequence-builder, a draw of one": ("sequence-builder", "2 1", {"length": 2, "pool": 2, "increments": "1"}),
    "sequence-builder, the longer one": ("sequence-builder", "4 1 pass 2 pass 3", {"pool": 4, "increments": "1"}),
    "sequence-spot": ("sequence-spot", "2,1 1,1 2,2 1,2 2,3", {"grid": MAGIC}),
    "sequence-spot, nobody can win": (
        "sequence-spot",
        "1,1 1,2 1,3 2,1 2,2 2,3 3,1 3,2 3,3",
        {"grid": "1,2,4,3,8,9,6,5,7"},
    ),
}


@pytest.mark.parametrize("line", LINES)
def test_short_words_of_a_line(line: str, snapshot: SnapshotAssertion) -> None:
    key, moves, options = LINES[line]
    assert words(begin(key, **options), moves) == snapshot


@pytest.mark.parametrize(
    ("line", "tiles"),
    [
        ("double-up", ["9"]),
        ("increasing-differences", ["5", "8", "12", "2"]),
        ("pyramid-challenge", ["7", "3", "4", "4", "7", "3"]),
        ("sequence-builder", ["9", "10", "11"]),
        ("sequence-builder, the longer one", ["1", "2", "3"]),
        ("sequence-spot", ["9", "5", "1"]),
    ],
)
def test_tiles_that_won_are_marked(line: str, tiles: list[str]) -> None:
    key, moves, options = LINES[line]
    *before, last = moves.split()
    match = begin(key, " ".join(before), **options)
    assert won(match) == []
    assert won(play(match, last)) == tiles


def test_no_tile_is_marked_where_nobody_won() -> None:
    key, moves, options = LINES["sequence-spot, nobody can win"]
    assert won(begin(key, moves, **options)) == []


def test_the_sequence_of_double_up_is_shown() -> None:
    match = begin("double-up", "2 3 6 9", limit=9)
    assert [tile.text for tile in match.rules.view(match.moment)[0].rows[0]] == ["1", "2", "3", "6", "9"]


def test_the_secret_of_double_up_names_the_numbers_that_lose() -> None:
    for limit in range(2, 60):
        match, lost = begin("double-up", limit=limit), [limit]
        for number in range(limit - 1, 1, -1):
            if not any(follower in lost for follower in range(number + 1, min(2 * number, limit) + 1)):
                lost.append(number)  # every follower wins
        *numbers, last = map(str, sorted(lost))
        said = f"Leave the other player {', '.join(numbers)} and at last {last}." if numbers else ""
        assert match.game.display.secret(match.rules.packed) == said


def test_sequence_spot_leaves_out_a_line_that_needs_more_turns_than_are_left() -> None:
    match = begin("sequence-spot", "4 7 6 9 8", grid="1,2,3,4,5,6,7,8,9")
    # Four turns are left, two for each. Nobody has marked 1, 2 or 3, and nobody can mark all of them.
    assert match.rules.view(match.moment)[0].note == "still open: 4 5 6, 2 5 8, 1 5 9, 3 5 7"


def test_a_number_names_its_cell_and_nothing_else() -> None:
    match = begin("sequence-spot", grid=MAGIC)
    assert [match.read(str(number)) for number in range(1, 10)] == [6, 1, 8, 7, 5, 3, 2, 9, 4]
    assert [match.game.display.other_name(match.rules.packed, move) for move in (1, 6)] == ["2", "1"]
    assert match.game.display.other_name(match.game.defaults, 1) == "", "before a grid is dealt no cell has a number"
    assert unreadable(match, "0") == "please select the number of a free cell"
