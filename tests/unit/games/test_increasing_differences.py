"""Increasing Differences, rule by rule. ``@rule`` names the sentence that a test proves."""

from __future__ import annotations

import pytest

from parlour.errors import GameOver
from parlour.match import Match
from tests.support.ledger import rule
from tests.support.tabletop import (
    PLAYER_1,
    PLAYER_1_WINS,
    PLAYER_2,
    PLAYER_2_WINS,
    all_outcomes,
    announced,
    asked,
    begin,
    numbers,
    play,
    refusal,
    refused_options,
    sequence,
    told,
    unreadable,
)

KEY = "increasing-differences"


def new(**options: int | str) -> Match:
    return begin(KEY, **options)


# Objective


@rule(KEY, "Objective: The first player to reach the required sequence length")
def test_first_player_to_reach_the_length_wins() -> None:
    match = play(new(length=3), "5 7 8 9 12")
    assert sequence(match, PLAYER_1) == [5, 8, 12]
    assert match.outcome == PLAYER_1_WINS


@rule(KEY, "Objective: Be the first player to build a sequence where each")
@rule(KEY, "Rules 2, building the sequence: Each new absolute difference")
def test_each_difference_is_strictly_greater_than_the_one_before() -> None:
    match = play(new(), "5 1 8 2")
    assert refusal(match, "11") == "11 is only 3 away from 8; you need more than 3"
    assert refusal(match, "10") == "10 is only 2 away from 8; you need more than 3"
    assert sequence(play(match, "12"), PLAYER_1) == [5, 8, 12]


@rule(KEY, "Objective: If a player cannot make a valid move on their turn, they lose.")
@rule(KEY, "Additional rules and notes: If no valid numbers are available,")
def test_player_who_cannot_move_loses() -> None:
    # Player 1 stands at 6 with a difference of 3 and would need 1 or 2, which Player 2 has.
    match = play(new(range=6), "3 1 6 2")
    assert match.turn == PLAYER_1
    assert match.outcome == PLAYER_2_WINS


# Setup


@rule(KEY, "Setup: Sequence length N: decide on the number of elements required")
@rule(KEY, "Setup: Number range M: determine the range of numbers available,")
def test_default_length_is_4_and_default_range_is_20() -> None:
    options = new().options
    assert (options.length, options.range) == (4, 20)


@rule(KEY, "Setup: Sequence length N: decide on the number of elements required")
def test_length_can_be_5() -> None:
    match = play(new(length=5), "10 1 11 2 9 4 12 7")
    assert match.outcome is None
    assert play(match, "8").outcome == PLAYER_1_WINS
    assert sequence(match, PLAYER_1) == [10, 11, 9, 12, 8]


@rule(KEY, "Setup: Number range M: determine the range of numbers available,")
def test_range_can_be_chosen() -> None:
    assert numbers(new(range=15)) == list(range(1, 16))
    assert numbers(new(range=60)) == list(range(1, 61))


@rule(KEY, "Setup: Create a shared pool of numbers from 1 to M. All are initially")
def test_pool_is_shared_and_all_numbers_are_unclaimed_at_first() -> None:
    match = new()
    assert numbers(match) == list(range(1, 21))
    assert numbers(play(match, "5")) == [n for n in range(1, 21) if n != 5]


@rule(KEY, "Setup: Each player starts with an empty sequence.")
def test_both_sequences_start_empty() -> None:
    match = new()
    assert sequence(match, PLAYER_1) == sequence(match, PLAYER_2) == []


# Components


@rule(KEY, "Components: Number pool: a shared list of available numbers.")
@rule(KEY, "Components: Players interact via text input, selecting numbers")
def test_pool_and_both_sequences_can_be_seen() -> None:
    match = play(new(range=15), "5 7 8")
    pool, first, second = match.game.display.view(match.moment)
    assert [tile.text for tile in pool.rows[0]] == [str(n) for n in range(1, 16)]
    assert [tile.text for tile in pool.rows[0] if tile.owner == PLAYER_1] == ["5", "8"]
    assert [tile.text for tile in pool.rows[0] if tile.owner == PLAYER_2] == ["7"]
    assert [tile.text for tile in first.rows[0]] == ["5", "8", "", ""]
    assert [tile.text for tile in second.rows[0]] == ["7", "", "", ""]


# Turns


@rule(KEY, "Turns: The chosen number is added to the end of their sequence.")
def test_number_goes_to_the_end_of_ones_own_sequence() -> None:
    match = play(new(), "9 20 4")
    assert sequence(match, PLAYER_1) == [9, 4]
    assert sequence(match, PLAYER_2) == [20]


# Selecting numbers


@rule(KEY, "Turns: Player chooses an unused number from the available pool.")
@rule(KEY, "Rules 1, selecting numbers: Players can only select numbers that")
def test_number_of_the_other_player_cannot_be_taken() -> None:
    assert refusal(play(new(), "5"), "5") == "5 is taken"


@rule(KEY, "Turns: Player chooses an unused number from the available pool.")
@rule(KEY, "Rules 1, selecting numbers: Players can only select numbers that")
def test_own_number_cannot_be_taken_again() -> None:
    assert refusal(play(new(), "5 7"), "5") == "5 is taken"


@pytest.mark.parametrize("text", ["1", "15"])
@rule(KEY, "Rules 1, selecting numbers: Players can only select numbers that")
def test_smallest_and_largest_number_are_taken_like_any_other(text: str) -> None:
    assert refusal(play(new(range=15), text), text) == f"{text} is taken"


@pytest.mark.parametrize("text", ["0", "16", "17", "1000000"])
@rule(KEY, "Rules 1, selecting numbers: Selected numbers must be within the")
def test_number_must_be_within_the_range(text: str) -> None:
    assert refusal(new(range=15), text) == f"{text} is out of range: choose 1 to 15"


# Building the sequence


@rule(KEY, "Rules 2, building the sequence: First number: can be any available")
def test_first_number_can_be_any() -> None:
    assert numbers(new()) == list(range(1, 21))


@rule(KEY, "Rules 2, building the sequence: First difference: the absolute")
def test_second_number_can_be_any() -> None:
    match = play(new(), "5 7")
    assert numbers(match) == [n for n in range(1, 21) if n not in (5, 7)]


@rule(KEY, "Rules 2, building the sequence: First difference: the absolute")
def test_first_difference_is_absolute() -> None:
    match = play(new(), "8 1 5")
    assert told(match)[:2] == ["Previous difference: N/A", "New difference: 3"]
    assert refusal(play(match, "20"), "2") == "2 is only 3 away from 5; you need more than 3"


@rule(KEY, "Rules 2, building the sequence: Subsequent differences: the absolute")
def test_later_differences_are_taken_from_the_number_just_before() -> None:
    # From 12 with a difference of 4; from 5 or 8 other numbers would be too near.
    match = play(new(range=15), "5 7 8 9 12 13")
    assert numbers(match) == [1, 2, 3, 4, 6]


@rule(KEY, "Rules 2, building the sequence: Subsequent differences: the absolute")
def test_differences_count_upwards_and_downwards() -> None:
    match = play(new(range=15), "7 15 8 14")
    assert numbers(match) == [1, 2, 3, 4, 5, 6, 10, 11, 12, 13]


@rule(KEY, "Rules 2, building the sequence: If the previous difference was")
def test_after_a_difference_of_2_the_next_is_3_or_more() -> None:
    match = play(new(), "10 1 12 20")
    assert numbers(match) == [2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 18, 19]


# Winning


@rule(KEY, "Rules 3, winning: Sequence completion: the first player to build")
def test_sequence_completion_wins_at_once() -> None:
    match = play(new(range=15), "5 7 8 9 12 13 2")
    assert match.outcome == PLAYER_1_WINS
    assert numbers(match) == []
    with pytest.raises(GameOver):
        match.read("1")


@rule(KEY, "Rules 2, building the sequence: If a player cannot find a valid")
@rule(KEY, "Rules 3, winning: Forced loss: if no available numbers satisfy")
def test_forced_loss_of_player_1_while_numbers_remain() -> None:
    match = play(new(range=6), "3 1 6 2")
    assert match.outcome == PLAYER_2_WINS
    assert announced(match) == ["Player 1 has no valid number left and loses.", "Congratulations, Player 2! You win."]


@rule(KEY, "Rules 2, building the sequence: If a player cannot find a valid")
@rule(KEY, "Rules 3, winning: Forced loss: if no available numbers satisfy")
def test_forced_loss_of_player_2_while_numbers_remain() -> None:
    # Player 2 stands at 6 with a difference of 3 and would need 1 or 2; 5 is left but too near.
    match = play(new(range=6), "1 3 2 6 4")
    assert match.turn == PLAYER_2
    assert match.outcome == PLAYER_1_WINS


@rule(KEY, "Rules 3, winning: Forced loss: if no available numbers satisfy")
def test_forced_loss_when_the_pool_is_empty() -> None:
    match = play(new(length=3, range=4), "1 2 3 4")
    assert match.turn == PLAYER_1
    assert match.outcome == PLAYER_2_WINS


@rule(KEY, "Rules 3, winning: Sequence completion: the first player to build")
def test_completing_the_sequence_counts_before_anybody_is_stuck() -> None:
    # The last number of the pool completes Player 1's sequence; that Player 2 could not move does not matter.
    match = play(new(length=3, range=5), "1 3 2 5 4")
    assert match.outcome == PLAYER_1_WINS
    assert announced(match) == ["Congratulations, Player 1! You've completed your sequence."]


# Scoring and summary


@rule(KEY, "Game summary: … without the possibility of a draw.")
def test_there_are_no_draws() -> None:
    assert all_outcomes(new(length=3, range=6)) == {PLAYER_1_WINS, PLAYER_2_WINS}
    assert all_outcomes(new(length=4, range=7)) == {PLAYER_1_WINS, PLAYER_2_WINS}


# The worked example


@rule(KEY, "Examples: Example game with N = 4 and M = 15, with 15 and 17 refused on turn 7.")
def test_example_game() -> None:
    match = new(length=4, range=15)
    assert numbers(match) == list(range(1, 16))
    turns = [
        ("5", PLAYER_1, [5]),
        ("7", PLAYER_2, [7]),
        ("8", PLAYER_1, [5, 8]),
        ("9", PLAYER_2, [7, 9]),
        ("12", PLAYER_1, [5, 8, 12]),
        ("13", PLAYER_2, [7, 9, 13]),
    ]
    for text, player, expected in turns:
        assert match.turn == player
        assert sequence(play(match, text), player) == expected
        assert match.outcome is None
    assert refusal(match, "15") == "15 is only 3 away from 12; you need more than 4"
    assert refusal(match, "17") == "17 is out of range: choose 1 to 15"
    assert sequence(play(match, "2"), PLAYER_1) == [5, 8, 12, 2]
    assert match.outcome == PLAYER_1_WINS


@rule(KEY, "Examples: Example game with N = 4 and M = 15, with 15 and 17 refused on turn 7.")
def test_example_game_tells_the_differences() -> None:
    match = play(new(range=15), "5 7")
    expected = [("8", "N/A", 3), ("9", "N/A", 2), ("12", 3, 4), ("13", 2, 4), ("2", 4, 10)]
    for text, previous, difference in expected:
        play(match, text)
        assert told(match)[:2] == [f"Previous difference: {previous}", f"New difference: {difference}"]


# Additional rules and notes


@rule(KEY, "Additional rules and notes: Blocking: players can select numbers")
def test_taking_a_number_blocks_the_other_player() -> None:
    match = play(new(range=6), "3 1 6")
    assert play(match, "2").outcome == PLAYER_2_WINS
    match = play(new(range=6), "3 1 6 4")  # Player 2 leaves the 2, and Player 1 lives
    assert numbers(match) == [2]


@rule(KEY, "Additional rules and notes: If a player selects a number that")
def test_number_that_breaks_the_rule_is_refused_and_asked_again() -> None:
    match = play(new(range=15), "5 7 8 9 12 13")
    assert refusal(match, "15") == "15 is only 3 away from 12; you need more than 4"
    assert match.turn == PLAYER_1
    assert play(match, "2").outcome == PLAYER_1_WINS


@rule(KEY, "Additional rules and notes: Keep track of the numbers that have")
def test_available_numbers_are_listed_each_turn() -> None:
    match = new(range=15)
    assert asked(match)[0] == "Available Numbers: 1-15"
    assert asked(play(match, "5"))[0] == "Available Numbers: 1-4, 6-15"
    assert asked(play(match, "7"))[0] == "Available Numbers: 1-4, 6, 8-15"


@rule(KEY, "Additional rules and notes: If a player selects a number that")
def test_text_that_names_no_number_is_asked_again() -> None:
    match = new(range=15)
    assert unreadable(match, "five") == "please select any number that is not taken"
    assert unreadable(match, "-5") == "please select any number that is not taken"
    play(match, "5 7 8 9 12 13")
    assert unreadable(match, "") == "please select a number more than 4 away from 12"


# Rulings for all games


@rule(KEY, "Rulings: A bad option is named with the allowed range, and every")
def test_length_beyond_the_range_is_refused() -> None:
    assert refused_options(KEY, length=5, range=4) == "length 5 needs a range of at least 5, not 4"
    assert new(length=4, range=4).outcome is None


@rule(KEY, "Rulings: A bad option is named with the allowed range, and every")
def test_smallest_and_largest_options_are_playable() -> None:
    assert play(new(length=2, range=2), "1 2").outcome == PLAYER_2_WINS  # nothing is left for Player 1
    match = play(new(length=30, range=60), "30 1 31 60")
    assert numbers(match) == [n for n in range(2, 60) if abs(n - 31) > 1]
