"""What each game says and shows in games short enough to read. The samples of the books are longer.

The wording is in ``__snapshots__``; after a change of a sentence run ``pytest tests/unit/games --snapshot-update`` and
read the diff.
"""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

from parlour.game import ShownOnTable
from parlour.match import Match
from parlour.view import GRID, LINE, POOL, PYRAMID, Group, Range, Tile, View
from tests.support.tabletop import begin, play


def told(key: str, moves: str, **options: int | str) -> str:
    """All that is said from the beginning to where these moves lead; a star stands before what the table shows too."""
    match = begin(key, **options)  # type: ignore[arg-type]
    game = match.game
    lines = list(game.display.opening(match.moment))
    for word in moves.split():
        *above, last = [""] if match.stuck else game.display.prompt(match.moment)
        match.play(word)
        lines += [*above, f"{last}<{word}>", *game.display.announce(match.moment)]
    if match.outcome is not None or match.between_rounds:
        lines += game.display.ending(match.moment, match.round_winner)
    return "\n".join(f"* {line}" if isinstance(line, ShownOnTable) else line for line in lines) + "\n"


def table(match: Match) -> View:
    return match.rules.view(match.moment)


STORIES: dict[str, tuple[str, str, dict[str, int | str]]] = {
    "double-up": ("double-up", "2 4", {"limit": 4}),
    "double-up without a limit": ("double-up", "", {"limit": "none"}),
    "increasing-differences": ("increasing-differences", "2 1 3 4 7", {"length": 3, "range": 8}),
    "increasing-differences, Player 2 is stuck": ("increasing-differences", "2 1 4 3", {"range": 4, "first": 2}),
    "pyramid-challenge": ("pyramid-challenge", "6 1 6 2 pass 3", {"base": 2, "highest": 10, "first": 2}),
    "pyramid-challenge, a draw": ("pyramid-challenge", "6 7 6 7", {"base": 2}),
    "sequence-builder": ("sequence-builder", "2 3 4", {"length": 2, "pool": 4}),
    "sequence-builder, Player 2 skips": (
        "sequence-builder",
        "4 1 pass 2 pass 3",
        {"pool": 4, "increments": 1, "first": 2},
    ),
    "sequence-builder, a draw": ("sequence-builder", "3 1 4 2", {"pool": 4, "increments": 1}),
    "sequence-spot": ("sequence-spot", "2,1 1,1 2,2 1,2 2,3", {"grid": "2,7,6,9,5,1,4,3,8"}),
    "sequence-spot, a dead grid": (
        "sequence-spot",
        "1,1 1,2 1,3 2,1 2,2 2,3 3,1 3,2 3,3",
        {"grid": "1,2,4,3,8,9,6,5,7", "first": 2},
    ),
    # The only line is the first row: 1, 2, 3.
    "sequence-spot, the only line is blocked": ("sequence-spot", "1,1 1,2 3,3", {"grid": "1,2,3,9,8,4,7,5,6"}),
}


@pytest.mark.parametrize("story", STORIES)
def test_narration_of_a_short_game(story: str, snapshot: SnapshotAssertion) -> None:
    key, moves, options = STORIES[story]
    assert told(key, moves, **options) == snapshot


@pytest.mark.parametrize("increments", ["2", "1,3", "1,2,3", "1,2,5,7", "1,2,3,4,6", "1,2,3,4,5,6", "1,2,3,5,7,8"])
def test_sequence_builder_names_its_increments(increments: str, snapshot: SnapshotAssertion) -> None:
    match = begin("sequence-builder", increments=increments)
    expected = [match.rules.summary, match.rules.expected(match.position)]
    assert [*expected, match.rules.expected(play(match, "3 4").position)] == snapshot


@pytest.mark.parametrize("copies", ["none", "4"])
def test_pyramid_challenge_names_the_numbers_that_fit(copies: str, snapshot: SnapshotAssertion) -> None:
    match = begin("pyramid-challenge", base=2, copies=copies)
    bottom = match.rules.expected(match.position)
    assert [bottom, match.rules.expected(play(match, "1 2 3 4").position)] == snapshot


# Double Up


def test_double_up_lists_ten_numbers_and_shortens_eleven() -> None:
    match = play(begin("double-up"), "2 4 8 10")
    assert match.game.display.prompt(match.moment)[2] == (
        "Valid Numbers to Choose From: [11, 12, 13, 14, 15, 16, 17, 18, 19, 20]"
    )
    assert play(match, "11").game.display.prompt(match.moment)[2] == "Valid Numbers to Choose From: [12, 13, ..., 22]"


def test_double_up_shows_the_sequence_and_what_may_follow() -> None:
    assert table(play(begin("double-up", first=2), "2 3")) == (
        Group("Sequence", LINE, ((Tile("1"), Tile("2", 2), Tile("3", 1)),), None, "up to 100"),
        Group("Next", POOL, ((Tile("4", None, 4), Tile("5", None, 5), Tile("6", None, 6)),), range=Range(4, 6, 100)),
    )


def test_double_up_shows_sixty_numbers_and_shortens_more() -> None:
    match = play(begin("double-up", limit=1000), "2 4 8 16 32 60")
    assert table(match)[1].rows == (tuple(Tile(str(number), None, number) for number in range(61, 121)),)
    assert table(play(match, "61"))[1].rows == ((Tile("62 to 122"),),)


# Increasing Differences


def test_increasing_differences_shows_the_pool_and_both_sequences() -> None:
    assert table(play(begin("increasing-differences", length=3, range=5, first=2), "2 1 5")) == (
        Group(
            "Numbers",
            POOL,
            ((Tile("1", 1, 1), Tile("2", 2, 2), Tile("3", None, 3), Tile("4", None, 4), Tile("5", 2, 5)),),
        ),
        Group("Player 1", LINE, ((Tile("1", 1), Tile(""), Tile("")),), 1),
        Group("Player 2", LINE, ((Tile("2", 2), Tile("5", 2, None, "+3"), Tile("")),), 2, "next step: more than 3"),
    )


# Sequence Builder


def test_sequence_builder_shows_the_pool_and_both_sequences() -> None:
    assert table(play(begin("sequence-builder", length=3, pool=5, first=2), "2 1 5")) == (
        Group(
            "Numbers",
            POOL,
            ((Tile("1", 1, 1), Tile("2", 2, 2), Tile("3", None, 3), Tile("4", None, 4), Tile("5", 2, 5)),),
        ),
        Group("Player 1", LINE, ((Tile("1", 1), Tile(""), Tile("")),), 1, "next: 3 or 4"),
        Group("Player 2", LINE, ((Tile("2", 2), Tile("5", 2, None, "+3"), Tile("")),), 2, "stuck"),
    )


# Sequence Spot


def test_sequence_spot_shows_the_grid_and_the_line_that_won() -> None:
    match = play(begin("sequence-spot", grid="2,7,6,9,5,1,4,3,8"), "2,1 1,1 2,2 1,2")
    rest = (Tile("4", None, 7), Tile("3", None, 8), Tile("8", None, 9))
    first = (Tile("2", 2, 1, "O"), Tile("7", 2, 2, "O"), Tile("6", None, 3))
    second = (Tile("9", 1, 4, "X"), Tile("5", 1, 5, "X"), Tile("1", None, 6))
    assert table(match) == (Group("Grid", GRID, (first, second, rest), None, "still open: 9 5 1, 6 5 4"),)
    won = (Tile("9", 1, 4, "X", True), Tile("5", 1, 5, "X", True), Tile("1", 1, 6, "X", True))
    assert table(play(match, "2,3")) == (Group("Grid", GRID, (first, won, rest)),)


def test_sequence_spot_shows_the_first_row_that_won() -> None:
    match = play(begin("sequence-spot", grid="1,2,3,4,5,6,7,8,9"), "1,1 2,1 1,2 2,3 1,3")
    assert [tile.text for row in table(match)[0].rows for tile in row if tile.won] == ["1", "2", "3"]


def test_sequence_spot_shows_a_column_that_won() -> None:
    match = play(begin("sequence-spot", grid="1,2,9,4,5,8,7,6,3"), "1,1 1,2 2,1 2,2 3,1")
    assert [tile.text for row in table(match)[0].rows for tile in row if tile.won] == ["1", "4", "7"]


# Pyramid Challenge


def test_pyramid_challenge_shows_both_pyramids_and_the_numbers() -> None:
    assert table(play(begin("pyramid-challenge", base=2, highest=3, first=2), "3 1 2")) == (
        Group("Player 1", PYRAMID, ((Tile(""),), (Tile("1", 1), Tile(""))), 1),
        Group("Player 2", PYRAMID, ((Tile(""),), (Tile("3", 2), Tile("2", 2))), 2, "next: 1"),
        Group("Numbers", POOL, ((Tile("1", None, 1), Tile("2", None, 2), Tile("3", None, 3)),)),
    )


def test_pyramid_challenge_shows_how_many_of_each_number_are_left() -> None:
    match = play(begin("pyramid-challenge", base=2, highest=3, copies=2), "3 1 3")
    assert table(match)[2] == Group(
        "Numbers", POOL, ((Tile("1", None, 1, "x1"), Tile("2", None, 2, "x2"), Tile("3", None, 3, "x0")),)
    )
