"""What each game says and shows, word for word, in games short enough to read. The samples of the books are longer."""

from __future__ import annotations

import pytest

from parlour.game import ShownOnTable
from parlour.match import Match
from parlour.view import GRID, LINE, POOL, PYRAMID, Group, Range, Tile, View
from tests.support.tabletop import begin, play


def told(key: str, moves: str, **options: int | str) -> str:
    """All that is said from the beginning to where these moves lead; a star stands before what the table shows too."""
    match = begin(key, **options)  # type: ignore[arg-type]
    game = match.game
    lines = list(game.opening(match.moment))
    for word in moves.split():
        *above, last = [""] if match.stuck else game.prompt(match.moment)
        match.play(word)
        lines += [*above, f"{last}<{word}>", *game.announce(match.moment)]
    if match.outcome is not None or match.between_rounds:
        lines += game.ending(match.moment, match.round_winner)
    return "\n".join(f"* {line}" if isinstance(line, ShownOnTable) else line for line in lines) + "\n"


def table(match: Match) -> View:
    return match.rules.view(match.moment)


# Double Up


def test_double_up_is_told_like_this() -> None:
    assert told("double-up", "2 4", limit=4) == (
        """\
Starting Number: 1
Sequence: [1]
Numbers Used: {1}
Limit: no number above 4

Player 1's Turn:
Last Number (N): 1
Valid Numbers to Choose From: [2]
Enter your selection: <2>
* Sequence Updated: [1, 2]
* Numbers Used Updated: {1, 2}

Player 2's Turn:
Last Number (N): 2
Valid Numbers to Choose From: [3, 4]
Enter your selection: <4>
* Sequence Updated: [1, 2, 4]
* Numbers Used Updated: {1, 2, 4}

Player 1 cannot make a valid move.
Player 2 wins the game!
"""
    )


def test_double_up_without_a_limit_says_so() -> None:
    assert told("double-up", "", limit="none") == (
        """\
Starting Number: 1
Sequence: [1]
Numbers Used: {1}
Limit: none. This game ends only when somebody resigns

"""
    )


def test_double_up_lists_ten_numbers_and_shortens_eleven() -> None:
    match = play(begin("double-up"), "2 4 8 10")
    assert match.game.prompt(match.moment)[2] == (
        "Valid Numbers to Choose From: [11, 12, 13, 14, 15, 16, 17, 18, 19, 20]"
    )
    assert play(match, "11").game.prompt(match.moment)[2] == "Valid Numbers to Choose From: [12, 13, ..., 22]"


def test_double_up_shows_the_sequence_and_what_may_follow() -> None:
    assert table(play(begin("double-up", first=1), "2 3")) == (
        Group("Sequence", LINE, ((Tile("1"), Tile("2", 1), Tile("3", 0)),), None, "up to 100"),
        Group("Next", POOL, ((Tile("4", None, 4), Tile("5", None, 5), Tile("6", None, 6)),), range=Range(4, 6, 100)),
    )


def test_double_up_shows_sixty_numbers_and_shortens_more() -> None:
    match = play(begin("double-up", limit=1000), "2 4 8 16 32 60")
    assert table(match)[1].rows == (tuple(Tile(str(number), None, number) for number in range(61, 121)),)
    assert table(play(match, "61"))[1].rows == ((Tile("62 to 122"),),)


# Increasing Differences


def test_increasing_differences_is_told_like_this() -> None:
    assert told("increasing-differences", "2 1 3 4 7", length=3, range=8) == (
        """\
Available Numbers: 1-8

Player 1, select your number: <2>
* Player 1 Sequence: [2]

Available Numbers: 1, 3-8

Player 2, select your number: <1>
* Player 2 Sequence: [1]

Available Numbers: 3-8

Player 1, select your number: <3>
Previous difference: N/A
New difference: 1
* Player 1 Sequence: [2, 3]

Available Numbers: 4-8

Player 2, select your number: <4>
Previous difference: N/A
New difference: 3
* Player 2 Sequence: [1, 4]

Available Numbers: 5-8

Player 1, select your number: <7>
Previous difference: 1
New difference: 4
* Player 1 Sequence: [2, 3, 7]

Congratulations, Player 1! You've completed your sequence.
"""
    )


def test_increasing_differences_tells_who_is_stuck() -> None:
    assert told("increasing-differences", "2 1 4 3", range=4, first=1).endswith(
        """\
Available Numbers: 3

Player 1, select your number: <3>
Previous difference: N/A
New difference: 2
* Player 1 Sequence: [1, 3]

Player 2 has no valid number left and loses.
Congratulations, Player 1! You win.
"""
    )


def test_increasing_differences_shows_the_pool_and_both_sequences() -> None:
    assert table(play(begin("increasing-differences", length=3, range=5, first=1), "2 1 5")) == (
        Group(
            "Numbers",
            POOL,
            ((Tile("1", 0, 1), Tile("2", 1, 2), Tile("3", None, 3), Tile("4", None, 4), Tile("5", 1, 5)),),
        ),
        Group("Player 1", LINE, ((Tile("1", 0), Tile(""), Tile("")),), 0),
        Group("Player 2", LINE, ((Tile("2", 1), Tile("5", 1, None, "+3"), Tile("")),), 1, "next step: more than 3"),
    )


# Sequence Builder


def test_sequence_builder_is_told_like_this() -> None:
    assert told("sequence-builder", "2 3 4", length=2, pool=4) == (
        """\
Available Numbers: 1 2 3 4

Player 1, select your number: <2>
* Player 1's sequence: [2]
* Available Numbers: 1 3 4

Player 2, select your number: <3>
* Player 2's sequence: [3]
* Available Numbers: 1 4

Player 1, select your number: <4>
* Player 1's sequence: [2, 4]
Player 1 wins! Sequence: [2, 4]
"""
    )


def test_sequence_builder_tells_who_skips_and_who_has_the_longer_sequence() -> None:
    assert told("sequence-builder", "4 1 pass 2 pass 3", pool=4, increments=1, first=1) == (
        """\
Available Numbers: 1 2 3 4

Player 2, select your number: <4>
* Player 2's sequence: [4]
* Available Numbers: 1 2 3

Player 1, select your number: <1>
* Player 1's sequence: [1]
* Available Numbers: 2 3

<pass>
Player 2 has no valid number and skips this turn.

Player 1, select your number: <2>
* Player 1's sequence: [1, 2]
* Available Numbers: 3

<pass>
Player 2 has no valid number and skips this turn.

Player 1, select your number: <3>
* Player 1's sequence: [1, 2, 3]
* Available Numbers: none

Neither player has a valid number left.
Player 1 wins with the longer sequence, 3 to 1: [1, 2, 3]
"""
    )


def test_sequence_builder_tells_of_a_draw() -> None:
    assert told("sequence-builder", "3 1 4 2", pool=4, increments=1).endswith(
        """\
Player 2, select your number: <2>
* Player 2's sequence: [1, 2]
* Available Numbers: none

Neither player has a valid number left.
The game is a draw: both sequences have length 2.
"""
    )


@pytest.mark.parametrize(
    ("increments", "words"),
    [
        ("2", "a number 2 more than 3"),
        ("1,3", "a number 1 or 3 more than 3"),
        ("1,2,3", "a number 1, 2 or 3 more than 3"),
        ("1,2,5,7", "a number 1, 2, 5 or 7 more than 3"),
    ],
)
def test_sequence_builder_says_which_steps_would_do(increments: str, words: str) -> None:
    match = begin("sequence-builder", increments=increments)
    assert match.rules.expected(match.position) == "any number that is not taken"
    play(match, "3 4")
    assert match.rules.expected(match.position) == words


@pytest.mark.parametrize(
    ("increments", "steps"),
    [
        ("4", "4"),
        ("1,3", "1 or 3"),
        ("1,2,3,4,6", "1, 2, 3, 4 or 6"),
        ("1,2,3,4,5,6", "1-6"),
        ("1,2,3,5,7,8", "1-3, 5, 7, 8"),
    ],
)
def test_sequence_builder_is_summed_up_with_its_increments(increments: str, steps: str) -> None:
    assert begin("sequence-builder", increments=increments).rules.summary == (
        f"Take numbers, each {steps} more than your last; complete your sequence first to win."
    )


def test_sequence_builder_shows_the_pool_and_both_sequences() -> None:
    assert table(play(begin("sequence-builder", length=3, pool=5, first=1), "2 1 5")) == (
        Group(
            "Numbers",
            POOL,
            ((Tile("1", 0, 1), Tile("2", 1, 2), Tile("3", None, 3), Tile("4", None, 4), Tile("5", 1, 5)),),
        ),
        Group("Player 1", LINE, ((Tile("1", 0), Tile(""), Tile("")),), 0, "next: 3 or 4"),
        Group("Player 2", LINE, ((Tile("2", 1), Tile("5", 1, None, "+3"), Tile("")),), 1, "stuck"),
    )


# Sequence Spot


def test_sequence_spot_is_told_like_this() -> None:
    assert told("sequence-spot", "2,1 1,1 2,2 1,2 2,3", grid="2,7,6,9,5,1,4,3,8") == (
        """\
* Current Grid:
* | 2 | 7 | 6 |
* | 9 | 5 | 1 |
* | 4 | 3 | 8 |

Player 1 (X), select your cell (row and column): <2,1>
Player 1 placed an 'X' on cell (2,1)

* Current Grid:
* | 2 | 7 | 6 |
* | X | 5 | 1 |
* | 4 | 3 | 8 |
* Under the markers: X 9 at (2,1)

Player 2 (O), select your cell (row and column): <1,1>
Player 2 placed an 'O' on cell (1,1)

* Current Grid:
* | O | 7 | 6 |
* | X | 5 | 1 |
* | 4 | 3 | 8 |
* Under the markers: X 9 at (2,1), O 2 at (1,1)

Player 1 (X), select your cell (row and column): <2,2>
Player 1 placed an 'X' on cell (2,2)

* Current Grid:
* | O | 7 | 6 |
* | X | X | 1 |
* | 4 | 3 | 8 |
* Under the markers: X 9 at (2,1), O 2 at (1,1), X 5 at (2,2)

Player 2 (O), select your cell (row and column): <1,2>
Player 2 placed an 'O' on cell (1,2)

* Current Grid:
* | O | O | 6 |
* | X | X | 1 |
* | 4 | 3 | 8 |
* Under the markers: X 9 at (2,1), O 2 at (1,1), X 5 at (2,2), O 7 at (1,2)

Player 1 (X), select your cell (row and column): <2,3>
Player 1 placed an 'X' on cell (2,3)

* Current Grid:
* | O | O | 6 |
* | X | X | X |
* | 4 | 3 | 8 |
* Under the markers: X 9 at (2,1), O 2 at (1,1), X 5 at (2,2), O 7 at (1,2), X 1 at (2,3)

Player 1 has formed an arithmetic sequence with numbers 9, 5, 1 (common difference of -4) and wins the game!
"""
    )


def test_sequence_spot_tells_of_a_grid_that_nobody_can_win() -> None:
    cells = "1,1 1,2 1,3 2,1 2,2 2,3 3,1 3,2 3,3"
    story = told("sequence-spot", cells, grid="1,2,4,3,8,9,6,5,7", first=1)
    assert story.startswith(
        """\
This grid holds no arithmetic line: nobody can win it. Type next for a new grid.

* Current Grid:
* | 1 | 2 | 4 |
"""
    )
    assert story.endswith(
        """\
Player 2 (O), select your cell (row and column): <3,3>
Player 2 placed an 'O' on cell (3,3)

* Current Grid:
* | O | X | O |
* | X | O | X |
* | O | X | O |
* Under the markers: O 1 at (1,1), X 2 at (1,2), O 4 at (1,3), X 3 at (2,1), O 8 at (2,2), X 9 at (2,3), \
O 6 at (3,1), X 5 at (3,2), O 7 at (3,3)

The grid is full, and nobody has formed an arithmetic sequence.
"""
    )


def test_sequence_spot_tells_once_that_no_line_can_be_completed_any_more() -> None:
    # The only line is the first row: 1, 2, 3.
    assert told("sequence-spot", "1,1 1,2 3,3", grid="1,2,3,9,8,4,7,5,6").endswith(
        """\
Player 2 (O), select your cell (row and column): <1,2>
Player 2 placed an 'O' on cell (1,2)
* No line can be completed any more, by anyone. Type next for a new grid, or play on.

* Current Grid:
* | X | O | 3 |
* | 9 | 8 | 4 |
* | 7 | 5 | 6 |
* Under the markers: X 1 at (1,1), O 2 at (1,2)

Player 1 (X), select your cell (row and column): <3,3>
Player 1 placed an 'X' on cell (3,3)

"""
    )


def test_sequence_spot_shows_the_grid_and_the_line_that_won() -> None:
    match = play(begin("sequence-spot", grid="2,7,6,9,5,1,4,3,8"), "2,1 1,1 2,2 1,2")
    rest = (Tile("4", None, 7), Tile("3", None, 8), Tile("8", None, 9))
    first = (Tile("2", 1, 1, "O"), Tile("7", 1, 2, "O"), Tile("6", None, 3))
    second = (Tile("9", 0, 4, "X"), Tile("5", 0, 5, "X"), Tile("1", None, 6))
    assert table(match) == (Group("Grid", GRID, (first, second, rest), None, "still open: 9 5 1, 6 5 4"),)
    won = (Tile("9", 0, 4, "X", True), Tile("5", 0, 5, "X", True), Tile("1", 0, 6, "X", True))
    assert table(play(match, "2,3")) == (Group("Grid", GRID, (first, won, rest)),)


def test_sequence_spot_shows_the_first_row_that_won() -> None:
    match = play(begin("sequence-spot", grid="1,2,3,4,5,6,7,8,9"), "1,1 2,1 1,2 2,3 1,3")
    assert [tile.text for row in table(match)[0].rows for tile in row if tile.won] == ["1", "2", "3"]


def test_sequence_spot_shows_a_column_that_won() -> None:
    match = play(begin("sequence-spot", grid="1,2,9,4,5,8,7,6,3"), "1,1 1,2 2,1 2,2 3,1")
    assert [tile.text for row in table(match)[0].rows for tile in row if tile.won] == ["1", "4", "7"]


# Pyramid Challenge


def test_pyramid_challenge_is_told_like_this() -> None:
    assert told("pyramid-challenge", "6 1 6 2 pass 3", base=2, highest=10, first=1) == (
        """\
Welcome to Pyramid Challenge!

Player 1: Player 1
Player 2: Player 2

It's Player 2's turn.

* Player 2's Pyramid:
*      [  ]
*     [  ][  ]

Select a number from 1 to 10 for Bottom Level Position 1:
> <6>

* Player 2's Pyramid:
*      [  ]
*     [ 6][  ]

* Turn ends. Switching to Player 1.

* Player 1's Pyramid:
*      [  ]
*     [  ][  ]

Select a number from 1 to 10 for Bottom Level Position 1:
> <1>

* Player 1's Pyramid:
*      [  ]
*     [ 1][  ]

* Turn ends. Switching to Player 2.

* Player 2's Pyramid:
*      [  ]
*     [ 6][  ]

Select a number from 1 to 10 for Bottom Level Position 2:
> <6>

* Player 2's Pyramid:
*      [  ]
*     [ 6][ 6]

* Turn ends. Switching to Player 1.

* Player 1's Pyramid:
*      [  ]
*     [ 1][  ]

Select a number from 1 to 10 for Bottom Level Position 2:
> <2>

* Player 1's Pyramid:
*      [  ]
*     [ 1][ 2]

* Turn ends. Switching to Player 2.

<pass>
Player 2 can place neither sum nor difference and passes.
* Turn ends. Switching to Player 1.

* Player 1's Pyramid:
*      [  ]
*     [ 1][ 2]

Select the sum or the difference of 1 and 2 for Top Level Position:
> <3>

* Player 1's Pyramid:
*      [ 3]
*     [ 1][ 2]

Player 1 has filled all positions and wins the game!
"""
    )


def test_pyramid_challenge_tells_of_a_draw() -> None:
    assert told("pyramid-challenge", "6 7 6 7", base=2).endswith(
        """\
* Turn ends. Switching to Player 1.

Both players are stuck, and nobody has completed a pyramid: the game is a draw.
"""
    )


@pytest.mark.parametrize(
    ("copies", "bottom", "above"),
    [
        ("none", "a number from 1 to 9", "the sum or the difference of 1 and 3"),
        ("4", "a number from 1 to 9 that is left", "the sum or the difference of 1 and 3, if it is left"),
    ],
)
def test_pyramid_challenge_says_what_would_do(copies: str, bottom: str, above: str) -> None:
    match = begin("pyramid-challenge", base=2, copies=copies)
    assert match.rules.expected(match.position) == bottom
    play(match, "1 2 3 4")
    assert match.rules.expected(match.position) == above


def test_pyramid_challenge_shows_both_pyramids_and_the_numbers() -> None:
    assert table(play(begin("pyramid-challenge", base=2, highest=3, first=1), "3 1 2")) == (
        Group("Player 1", PYRAMID, ((Tile(""),), (Tile("1", 0), Tile(""))), 0),
        Group("Player 2", PYRAMID, ((Tile(""),), (Tile("3", 1), Tile("2", 1))), 1, "next: 1"),
        Group("Numbers", POOL, ((Tile("1", None, 1), Tile("2", None, 2), Tile("3", None, 3)),)),
    )


def test_pyramid_challenge_shows_how_many_of_each_number_are_left() -> None:
    match = play(begin("pyramid-challenge", base=2, highest=3, copies=2), "3 1 3")
    assert table(match)[2] == Group(
        "Numbers", POOL, ((Tile("1", None, 1, "x1"), Tile("2", None, 2, "x2"), Tile("3", None, 3, "x0")),)
    )
