"""The few words that go with a drawn table: what a move did, what binds a player, why one passes, how a round ended."""

from __future__ import annotations

import re

import pytest

from parlour.match import Match
from parlour.view import POOL
from tests.support.short_words import check_short_words
from tests.support.tabletop import begin, play, unreadable

MAGIC = "2,7,6,9,5,1,4,3,8"  # 9 5 1, 7 5 3, 2 5 8 and 6 5 4 are arithmetic


def did(match: Match) -> str:
    """The last move, said of the player who made it."""
    return f"{match.moment.waiter} {match.game.told(match.moment)}."


def ended(match: Match) -> str:
    """Why the round ended, as a sentence."""
    subject, text = match.game.verdict(match.moment, match.round_winner)
    return f"{text}." if subject is None else f"{match.names[subject]} {text}."


def needs(match: Match) -> str:
    return match.rules.needs(match.position)


def stuck(match: Match) -> str:
    return match.rules.stuck(match.position)


def notes(match: Match) -> list[str]:
    """What stands beside each group of tiles, the pool left out."""
    return [group.note for group in match.rules.view(match.moment) if group.shape != POOL]


def won(match: Match) -> list[str]:
    """The tiles that won the round."""
    return [tile.text for group in match.rules.view(match.moment) for row in group.rows for tile in row if tile.won]


# Every moment of every small game


def walk(match: Match) -> set[str]:
    """Look at every moment that play can lead to; how the round ended, a dash for each number."""
    check_short_words(match)
    if not match.legal:
        return {re.sub("[0-9]+", "-", match.game.verdict(match.moment, match.round_winner).text)}
    found = set()
    for move in list(match.legal):
        match.play(move)
        found |= walk(match)
        match.undo()
    return found


@pytest.mark.parametrize(
    ("match", "ends"),
    [
        (begin("double-up", limit=12), {"could not go beyond -"}),
        (
            begin("increasing-differences", length=3, range=6),
            {"completed -, -, -", "found no number more than - away from -"},
        ),
        (
            begin("pyramid-challenge", base=2, highest=5),
            {"completed the pyramid", "Both players are stuck, and neither pyramid is complete"},
        ),
        (
            begin("pyramid-challenge", base=2, highest=6, copies=1),
            {"completed the pyramid", "Both players are stuck, and neither pyramid is complete"},
        ),
        (
            begin("sequence-builder", length=3, pool=6, increments="1,3"),
            {
                "completed -, -, -",
                "had the longer sequence, - numbers to -, when neither could go on",
                "Neither player can go on, and both sequences have - number",
                "Neither player can go on, and both sequences have - numbers",
            },
        ),
        (
            play(begin("sequence-spot", grid="1,2,3,4,5,6,7,8,9"), "1 2"),
            {"lined up -, -, -, in steps of -", "The grid is full, and nobody has won it"},
        ),
    ],
    ids=lambda value: value.game.key if isinstance(value, Match) else "",
)
def test_they_hold_wherever_play_leads(match: Match, ends: set[str]) -> None:
    assert walk(match) == ends


# Double Up


def test_double_up() -> None:
    match = begin("double-up", limit=9)
    assert needs(match) == "at most twice 1"
    assert did(play(match, "2")) == "Player 1 doubled 1 to 2."
    assert did(play(match, "3")) == "Player 2 took 3."
    assert needs(match) == "at most twice 3"
    assert did(play(match, "6")) == "Player 1 doubled 3 to 6."
    assert needs(match) == "at most 9, the limit"
    assert notes(match) == ["up to 9"]
    assert won(match) == []
    assert ended(play(match, "9")) == "Player 1 could not go beyond 9."
    assert won(match) == ["9"]
    assert [tile.text for tile in match.rules.view(match.moment)[0].rows[0]] == ["1", "2", "3", "6", "9"]


@pytest.mark.parametrize("limit", range(2, 60))
def test_the_secret_of_double_up_names_the_numbers_that_lose(limit: int) -> None:
    match, lost = begin("double-up", limit=limit), [limit]
    for number in range(limit - 1, 1, -1):
        if not any(follower in lost for follower in range(number + 1, min(2 * number, limit) + 1)):
            lost.append(number)  # whatever follows it wins
    *numbers, last = map(str, sorted(lost))
    said = f"Leave the other player {', '.join(numbers)} and at last {last}." if numbers else ""
    assert match.game.secret(match.options) == said


def test_double_up_without_a_limit() -> None:
    match = play(begin("double-up", limit="none"), "2 4 8")
    assert needs(match) == "at most twice 8"
    assert notes(match) == ["without a limit"]


# Increasing Differences


def test_increasing_differences() -> None:
    match = begin("increasing-differences")
    assert needs(match) == ""
    assert did(play(match, "5")) == "Player 1 took 5."
    assert did(play(match, "7")) == "Player 2 took 7."
    assert needs(match) == ""
    assert did(play(match, "8")) == "Player 1 took 8, 3 more than 5."
    assert did(play(match, "3")) == "Player 2 took 3, 4 less than 7."
    assert needs(match) == "more than 3 away from 8"
    assert notes(match) == ["next step: more than 3", "next step: more than 4"]
    play(match, "12 9")
    assert notes(match) == ["next step: more than 4", "next step: more than 6"]
    assert won(match) == []
    assert ended(play(match, "2")) == "Player 1 completed 5, 8, 12, 2."
    assert won(match) == ["5", "8", "12", "2"]
    assert notes(match)[0] == ""


def test_increasing_differences_tells_the_smallest_step() -> None:
    match = play(begin("increasing-differences"), "5 9 6")
    assert did(match) == "Player 1 took 6, 1 more than 5."
    assert did(play(match, "8")) == "Player 2 took 8, 1 less than 9."


def test_increasing_differences_when_a_player_has_no_number() -> None:
    assert ended(play(begin("increasing-differences", range=4, first=1), "2 1 4 3")) == (
        "Player 2 found no number more than 2 away from 4."
    )
    assert ended(play(begin("increasing-differences", length=2, range=2), "1 2")) == "Player 1 found no number left."


# Pyramid Challenge


def test_pyramid_challenge() -> None:
    match = begin("pyramid-challenge")
    assert needs(match) == ""
    assert did(play(match, "4")) == "Player 1 placed 4."
    play(match, "5 7 2 3 6")
    assert needs(match) == "the sum or the difference of 4 and 7"
    assert notes(match) == ["next: 3", "next: 3 or 7"]
    assert did(play(match, "3")) == "Player 1 placed 3 (7 - 4)."
    assert did(play(match, "7")) == "Player 2 placed 7 (5 + 2)."
    play(match, "4 8")
    assert needs(match) == "the sum or the difference of 3 and 4"
    assert won(match) == []
    assert ended(play(match, "7")) == "Player 1 completed the pyramid."
    assert won(match) == ["7", "3", "4", "4", "7", "3"]
    assert notes(match) == ["", "next: 1"]


def test_pyramid_challenge_when_nothing_fits() -> None:
    match = play(begin("pyramid-challenge", base=2), "6 7 6")
    assert stuck(match) == ""
    play(match, "1")
    assert stuck(match) == "6 + 6 = 12 is more than 9, and 6 - 6 = 0 is less than 1"
    assert notes(match) == ["stuck", "next: 6 or 8"]
    assert did(play(match, "pass")) == "Player 1 passed."
    assert ended(play(begin("pyramid-challenge", base=2), "6 7 6 7")) == (
        "Both players are stuck, and neither pyramid is complete."
    )


def test_pyramid_challenge_when_numbers_are_used_up() -> None:
    match = play(begin("pyramid-challenge", base=2, highest=6, copies=1), "1 4 3 2")
    assert stuck(match) == "3 + 1 = 4 is used up, and 3 - 1 = 2 is used up"
    assert notes(match) == ["stuck", "next: 6"]
    match = play(begin("pyramid-challenge", base=2, highest=6, copies=1), "4 6 2 1")
    assert stuck(match) == "4 + 2 = 6 is used up, and 4 - 2 = 2 is used up", "the highest number is one"


# Sequence Builder


def test_sequence_builder() -> None:
    match = begin("sequence-builder", length=3)
    assert needs(match) == ""
    assert notes(match) == ["", ""]
    assert did(play(match, "9")) == "Player 1 took 9."
    play(match, "2")
    assert needs(match) == "1, 2 or 3 more than 9"
    assert notes(match) == ["next: 10, 11 or 12", "next: 3, 4 or 5"]
    play(match, "10 4")
    assert won(match) == []
    assert ended(play(match, "11")) == "Player 1 completed 9, 10, 11."
    assert won(match) == ["9", "10", "11"]
    assert notes(match) == ["", "next: 5, 6 or 7"]


def test_sequence_builder_when_a_player_is_stuck() -> None:
    match = play(begin("sequence-builder", increments="1"), "5 6")
    assert stuck(match) == "6 is taken"
    assert notes(match) == ["stuck", "next: 7"]
    assert did(play(match, "pass")) == "Player 1 passed."
    assert stuck(match) == ""
    assert stuck(play(begin("sequence-builder", increments="1,2"), "5 8 7 9")) == "8 and 9 are taken"
    assert stuck(play(begin("sequence-builder", increments="1,3"), "18 19")) == "19 is taken, and 21 is more than 20"
    assert stuck(play(begin("sequence-builder"), "20 5")) == "21, 22 and 23 are more than 20"
    assert stuck(play(begin("sequence-builder", increments="1,2"), "20 5")) == "21 and 22 are more than 20"


def test_sequence_builder_when_neither_can_go_on() -> None:
    assert ended(play(begin("sequence-builder"), "19 17 20 18")) == (
        "Neither player can go on, and both sequences have 2 numbers."
    )
    assert ended(play(begin("sequence-builder", length=2, pool=2, increments="1"), "2 1")) == (
        "Neither player can go on, and both sequences have 1 number."
    )
    match = play(begin("sequence-builder", pool=4, increments="1"), "4 1 pass 2 pass 3")
    assert ended(match) == "Player 2 had the longer sequence, 3 numbers to 1, when neither could go on."
    assert won(match) == ["1", "2", "3"]


# Sequence Spot


def test_sequence_spot() -> None:
    match = begin("sequence-spot", grid=MAGIC)
    assert notes(match) == ["still open: 9 5 1, 7 5 3, 2 5 8, 6 5 4"]
    assert did(play(match, "2,1")) == "Player 1 marked 9."
    assert needs(match) == stuck(match) == ""
    play(match, "1,1 2,2 1,2")
    assert notes(match) == ["still open: 9 5 1, 6 5 4"]
    assert ended(play(match, "2,3")) == "Player 1 lined up 9, 5, 1, in steps of 4."
    assert won(match) == ["9", "5", "1"]
    assert notes(match) == [""]
    match = play(begin("sequence-spot", grid="1,2,3,4,5,6,7,8,9"), "1,1 2,1 1,2 2,2 1,3")
    assert won(match) == ["1", "2", "3"]
    assert notes(match) == [""]


def test_sequence_spot_when_nobody_wins() -> None:
    match = begin("sequence-spot", grid="1,2,4,3,8,9,6,5,7")
    assert notes(match) == ["nobody can win this grid"]
    play(match, "1,1 1,2 1,3 2,1 2,2 2,3 3,1 3,2 3,3")
    assert ended(match) == "The grid is full, and nobody has won it."
    assert won(match) == []


def test_sequence_spot_leaves_out_a_line_that_needs_more_turns_than_are_left() -> None:
    match = play(begin("sequence-spot", grid="1,2,3,4,5,6,7,8,9"), "4 7 6 9 8")
    # Four turns are left, two for each. Nobody has marked 1, 2 or 3, and nobody can mark all of them.
    assert notes(match) == ["still open: 4 5 6, 2 5 8, 1 5 9, 3 5 7"]


def test_a_number_names_its_cell_and_nothing_else() -> None:
    match = begin("sequence-spot", grid=MAGIC)
    assert [match.read(str(number)) for number in range(1, 10)] == [6, 1, 8, 7, 5, 3, 2, 9, 4]
    assert [match.game.other_name(match.options, move) for move in (1, 6)] == ["2", "1"]
    assert match.game.other_name(match.game.defaults, 1) == "", "before a grid is dealt no cell has a number"
    assert unreadable(match, "0") == "please select the number of a free cell"
