"""Sequence Builder, rule by rule. ``@rule`` names the sentence that a test proves."""

from __future__ import annotations

import pytest

from parlour.errors import GameOver, IllegalMove
from parlour.match import Match
from tests.support.ledger import rule
from tests.support.tabletop import (
    DRAW,
    PLAYER_1,
    PLAYER_1_WINS,
    PLAYER_2,
    PLAYER_2_WINS,
    all_outcomes,
    announced,
    asked,
    begin,
    choices,
    numbers,
    play,
    refusal,
    refused_options,
    sequence,
    told,
    unreadable,
)

KEY = "sequence-builder"
EXAMPLE_1 = "5 7 6 10 9 13 12"


def new(**options: int | str) -> Match:
    return begin(KEY, **options)


def without(*taken: int) -> list[int]:
    return [n for n in range(1, 21) if n not in taken]


# Objective


@rule(KEY, "Objective: Be the first player to complete a sequence of four numbers …")
@rule(KEY, "Rules 3, winning: Be the first player to construct a valid sequence of four numbers.")
def test_first_player_to_complete_four_numbers_wins() -> None:
    match = play(new(), EXAMPLE_1)
    assert sequence(match, PLAYER_1) == [5, 6, 9, 12]
    assert match.outcome == PLAYER_1_WINS


@rule(KEY, "Objective: … where each number is greater than the previous one")
@rule(KEY, "Turns: Ensure the new number follows the sequence rule (difference of 1, 2, or 3).")
@rule(KEY, "Rules 2, sequence building: Each new number must be greater than")
def test_each_number_is_greater_than_the_previous_by_1_2_or_3() -> None:
    match = play(new(), "5 20")
    assert numbers(match) == [6, 7, 8]


# Setup


@rule(KEY, "Setup: Create a shared pool containing numbers from 1 to 20.")
def test_pool_holds_the_numbers_from_1_to_20() -> None:
    match = new()
    assert numbers(match) == list(range(1, 21))
    assert match.game.display.opening(match.moment)[0] == (
        "Available Numbers: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20"
    )


@rule(KEY, "Setup: Both players start with an empty sequence.")
def test_both_sequences_start_empty() -> None:
    match = new()
    assert sequence(match, PLAYER_1) == sequence(match, PLAYER_2) == []


# Components


@rule(KEY, "Components: Each number can be selected only once during the game.")
@rule(KEY, "Rules 1, number selection: Once a number is selected, it is removed")
def test_each_number_can_be_selected_only_once() -> None:
    match = play(new(), "5 7")
    assert refusal(match, "7") == "7 is taken"
    assert refusal(match, "5") == "5 is taken"
    assert refusal(play(match, "6"), "5") == "5 is taken"


@rule(KEY, "Components: Each player builds their own sequence of numbers,")
def test_each_player_builds_a_sequence_of_his_own() -> None:
    match = play(new(), "5 7 6 10")
    assert sequence(match, PLAYER_1) == [5, 6]
    assert sequence(match, PLAYER_2) == [7, 10]
    _, first, second = match.game.display.view(match.moment)
    assert [tile.text for tile in first.rows[0]] == ["5", "6", "", ""]
    assert [tile.text for tile in second.rows[0]] == ["7", "10", "", ""]


# Turns


@rule(KEY, "Turns: Add the selected number to the end of your sequence.")
def test_number_goes_to_the_end_of_ones_sequence() -> None:
    match = play(new(), "5 7 6")
    assert sequence(match, PLAYER_1) == [5, 6]
    assert told(match)[0] == "Player 1's sequence: [5, 6]"


@rule(KEY, "Turns: The game continues until one player wins or no valid moves remain.")
def test_game_goes_on_until_somebody_wins_or_nobody_can_move() -> None:
    match = play(new(), "5 7 6 10 9 13")
    assert match.outcome is None
    assert play(match, "12").outcome == PLAYER_1_WINS
    match = play(new(), "20")
    assert match.outcome is None
    assert play(match, "19").outcome == DRAW


# Number selection


@rule(KEY, "Turns: Choose any available number from the number pool.")
@rule(KEY, "Rules 1, number selection: On your turn, you may select any unselected")
@rule(KEY, "Rules 4, blocking strategy: Players may select numbers that their")
def test_any_number_means_any_that_fits_ones_own_sequence() -> None:
    # 10 is unselected and would block Player 2, but it does not follow 5.
    match = play(new(), "5 9")
    assert refusal(match, "10") == "10 is 5 more than 5; you need 1, 2 or 3 more"
    assert numbers(match) == [6, 7, 8]


@rule(KEY, "Rules 1, number selection: Once a number is selected, it is removed")
def test_selected_number_is_gone_for_both_players() -> None:
    match = play(new(), "5")
    assert numbers(match) == without(5)
    assert told(match)[1] == "Available Numbers: 1 2 3 4 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20"
    play(match, "6")
    assert numbers(match) == [7, 8]
    assert told(match)[1] == "Available Numbers: 1 2 3 4 7 8 9 10 11 12 13 14 15 16 17 18 19 20"


@pytest.mark.parametrize("text", ["1", "20"])
@rule(KEY, "Components: Each number can be selected only once during the game.")
def test_smallest_and_largest_number_are_taken_like_any_other(text: str) -> None:
    assert refusal(play(new(), text), text) == f"{text} is taken"


@pytest.mark.parametrize("text", ["0", "21", "100"])
@rule(KEY, "Turns: Choose any available number from the number pool.")
def test_number_must_be_in_the_pool(text: str) -> None:
    assert refusal(new(), text) == f"{text} is out of range: choose 1 to 20"


# Sequence building


@rule(KEY, "Rules 2, sequence building: If your sequence is empty, you may")
def test_sequence_may_start_with_any_number() -> None:
    assert numbers(new()) == list(range(1, 21))
    assert numbers(play(new(), "20")) == list(range(1, 20))


@rule(KEY, "Rules 2, sequence building: If your last number is 5, your next")
def test_after_5_come_6_7_or_8() -> None:
    for text in ("6", "7", "8"):
        assert sequence(play(new(), f"5 20 {text}"), PLAYER_1) == [5, int(text)]
    match = play(new(), "5 20")
    assert refusal(match, "9") == "9 is 4 more than 5; you need 1, 2 or 3 more"
    assert refusal(match, "4") == "4 is 1 less than 5; you need 1, 2 or 3 more"


@rule(KEY, "Rules 2, sequence building: If no such number is available, you")
def test_player_with_no_number_that_fits_cannot_add() -> None:
    match = play(new(), "20 10")
    assert match.turn == PLAYER_1
    assert choices(match) == ["pass"]
    assert refusal(match, "1") == "you can only pass: 21, 22 and 23 are more than 20"


# Winning


@rule(KEY, "Rules 3, winning: Be the first player to construct a valid sequence of four numbers.")
def test_completing_four_numbers_ends_the_game_at_once() -> None:
    match = play(new(), EXAMPLE_1)
    assert numbers(match) == []
    with pytest.raises(GameOver):
        match.read("14")
    assert announced(match) == ["Player 1 wins! Sequence: [5, 6, 9, 12]"]


@rule(KEY, "Rules 3, winning: Be the first player to construct a valid sequence of four numbers.")
def test_player_2_can_complete_first() -> None:
    match = play(new(), "20 1 pass 2 pass 3 pass 4")
    assert match.outcome == PLAYER_2_WINS
    assert announced(match) == ["Player 2 wins! Sequence: [1, 2, 3, 4]"]


@rule(KEY, "Rules 3, winning: If neither player can complete a sequence of")
def test_longer_sequence_of_player_1_wins_when_nobody_can_move() -> None:
    # 20 is Player 2's, so nothing follows 19; nothing follows 20 at all.
    match = play(new(), "17 20")
    assert match.outcome is None
    assert play(match, "19").outcome == PLAYER_1_WINS
    assert announced(match) == [
        "Neither player has a valid number left.",
        "Player 1 wins with the longer sequence, 2 to 1: [17, 19]",
    ]


@rule(KEY, "Rules 3, winning: If neither player can complete a sequence of")
def test_longer_sequence_of_player_2_wins_when_nobody_can_move() -> None:
    match = play(new(), "20 17 pass 18 pass")
    assert match.outcome is None
    assert play(match, "19").outcome == PLAYER_2_WINS
    assert announced(match)[1] == "Player 2 wins with the longer sequence, 3 to 1: [17, 18, 19]"


@rule(KEY, "Rules 3, winning: If both sequences are of equal length and no")
def test_equal_lengths_are_a_draw_when_nobody_can_move() -> None:
    match = play(new(), "20 19")
    assert match.outcome == DRAW
    assert announced(match) == [
        "Neither player has a valid number left.",
        "The game is a draw: both sequences have length 1.",
    ]
    # 20 is reached by Player 2, and with it Player 1's 18 has nothing to follow: two numbers each.
    assert play(new(), "16 19 18 20").outcome == DRAW


@rule(KEY, "Rules 3, winning: If neither player can complete a sequence of")
def test_longer_sequence_does_not_win_while_the_other_player_can_move() -> None:
    # Player 1 has two numbers and is stuck, Player 2 has one but can go on.
    match = play(new(), "19 1 20")
    assert match.outcome is None
    play(match, "2 pass 3 pass")
    assert match.outcome is None
    assert play(match, "4").outcome == PLAYER_2_WINS


@rule(KEY, "Rules 3, winning: If neither player can complete a sequence of")
def test_game_goes_on_while_a_number_fits_though_nobody_can_complete_four() -> None:
    # Neither 18 nor 20 can become four numbers; the lengths are equal now, but 19 still fits.
    match = play(new(), "18 20")
    assert match.outcome is None
    assert play(match, "19").outcome == PLAYER_1_WINS


# Blocking


@rule(KEY, "Rules 4, blocking strategy: Players may select numbers that their")
def test_taking_a_number_the_opponent_needs_hinders_him() -> None:
    match = play(new(), "17 18 19 20")  # after 19 Player 1 would need 20
    assert sequence(match, PLAYER_2) == [18, 20]
    assert match.outcome == DRAW


# Invalid moves


@rule(KEY, "Rules 5, invalid moves: If a player selects a number that does")
def test_number_that_breaks_the_rule_is_refused_and_chosen_again() -> None:
    match = play(new(), "5 6")
    assert refusal(match, "9") == "9 is 4 more than 5; you need 1, 2 or 3 more"
    assert match.turn == PLAYER_1
    assert match.game.display.expected(match.rules.packed, match.position) == "a number 1, 2 or 3 more than 5"
    assert sequence(play(match, "7"), PLAYER_1) == [5, 7]


@rule(KEY, "Rules 5, invalid moves: If no valid numbers are available on")
def test_player_without_a_valid_number_skips() -> None:
    match = play(new(), "20 10")
    assert match.stuck
    play(match, "skip")
    assert match.turn == PLAYER_2
    assert told(match)[0] == "Player 1 has no valid number and skips this turn."
    assert len(match.round.moves) == 3


@rule(KEY, "Rules 5, invalid moves: If no valid numbers are available on")
def test_pass_means_skip() -> None:
    assert play(new(), "20 10 pass").turn == PLAYER_2


@rule(KEY, "Rules 5, invalid moves: If no valid numbers are available on")
def test_stuck_player_stays_stuck() -> None:
    match = play(new(), "20 1")
    stuck = []
    while match.outcome is None:
        if match.turn == PLAYER_1:
            stuck.append(match.stuck)
        match.play(match.legal_moves[0])
    assert stuck == [True, True, True]


# The worked examples


@rule(KEY, "Examples: Example 1: basic gameplay; 7 is refused on turn 3.")
def test_example_1() -> None:
    match = new()
    play(match, "5")
    assert numbers(match) == without(5)
    play(match, "7")
    assert refusal(match, "7") == "7 is taken"
    turns = [
        ("6", PLAYER_1, [5, 6], "1 2 3 4 8 9 10 11 12 13 14 15 16 17 18 19 20"),
        ("10", PLAYER_2, [7, 10], "1 2 3 4 8 9 11 12 13 14 15 16 17 18 19 20"),
        ("9", PLAYER_1, [5, 6, 9], "1 2 3 4 8 11 12 13 14 15 16 17 18 19 20"),
        ("13", PLAYER_2, [7, 10, 13], "1 2 3 4 8 11 12 14 15 16 17 18 19 20"),
    ]
    for text, player, expected, available in turns:
        assert match.turn == player
        assert sequence(play(match, text), player) == expected
        assert told(match)[1] == f"Available Numbers: {available}"
        assert match.outcome is None
    assert sequence(play(match, "12"), PLAYER_1) == [5, 6, 9, 12]
    assert match.outcome == PLAYER_1_WINS


@rule(KEY, "Examples: Example 2: 8 is refused after 5 as too great a difference;")
def test_example_2_as_corrected() -> None:
    # The book refuses 8 after 5, but 8 - 5 = 3 is allowed.
    match = play(new(), "5 6 8")
    assert sequence(match, PLAYER_1) == [5, 8]
    assert match.turn == PLAYER_2


@rule(KEY, "Examples: Example 2: 8 is refused after 5 as too great a difference;")
def test_example_2_after_its_refusal() -> None:
    match = play(new(), "5 6 7 9 10 12 13")
    assert sequence(match, PLAYER_1) == [5, 7, 10, 13]
    assert sequence(match, PLAYER_2) == [6, 9, 12]
    assert match.outcome == PLAYER_1_WINS


# Variations


@rule(KEY, "Rulings: The defaults are the book's.")
def test_defaults_are_the_book() -> None:
    options = new().options
    assert (options.length, options.pool, options.increments) == (4, 20, (1, 2, 3))


@rule(KEY, "Variations: Longer sequences: increase the required sequence length.")
def test_longer_sequences() -> None:
    match = play(new(length=5), "1 11 2 12 3 13 4 14")
    assert match.outcome is None
    assert play(match, "5").outcome == PLAYER_1_WINS


@rule(KEY, "Rules 5, invalid moves: If a player selects a number that does")
def test_a_step_that_is_too_long_is_refused_in_the_books_own_lines() -> None:
    def lines(match: Match, text: str) -> list[str]:
        with pytest.raises(IllegalMove) as refused:
            match.play(text)
        return list(refused.value.lines)

    match = play(new(), "5 6")
    assert lines(match, "9") == [
        "Invalid move! The number 9 is too great a difference from 5.",
        "Please select a number that is greater by exactly 1, 2, or 3.",
    ]
    assert lines(match, "6") == lines(match, "4") == lines(match, "21") == lines(match, "pass") == []
    assert lines(play(new(increments="2,3"), "5 6"), "9")[1:] == [
        "Please select a number that is greater by exactly 2 or 3."
    ]


@rule(KEY, "Variations: Different increments: change the allowed differences")
def test_different_increments() -> None:
    match = play(new(increments="2,3"), "5 20")
    assert numbers(match) == [7, 8]
    assert refusal(match, "6") == "6 is 1 more than 5; you need 2 or 3 more"
    assert refusal(match, "9") == "9 is 4 more than 5; you need 2 or 3 more"
    assert unreadable(match, "x") == "please select a number 2 or 3 more than 5"
    match = play(new(increments="5"), "1 2")
    assert numbers(match) == [6]
    assert refusal(match, "3") == "3 is 2 more than 1; you need 5 more"


@rule(KEY, "Variations: Smaller number pool: use numbers from 1 to 15.")
def test_smaller_number_pool() -> None:
    match = new(pool=15)
    assert numbers(match) == list(range(1, 16))
    assert refusal(match, "16") == "16 is out of range: choose 1 to 15"
    assert play(match, "15 14").outcome == DRAW


@rule(KEY, "Rules 3, winning: If both sequences are of equal length and no")
def test_every_ending_is_a_win_of_either_player_or_a_draw() -> None:
    assert all_outcomes(new(length=3, pool=6)) == {PLAYER_1_WINS, PLAYER_2_WINS, DRAW}


# Rulings for all games


@rule(KEY, "Rules 5, invalid moves: If a player selects a number that does")
def test_text_that_names_no_number_is_asked_again() -> None:
    assert unreadable(new(), "five") == "please select any number that is not taken"
    assert unreadable(play(new(), "5 6"), "") == "please select a number 1, 2 or 3 more than 5"


@rule(KEY, "Turns: Players take turns alternately.")
def test_prompt_names_the_player() -> None:
    assert asked(new())[-1] == "Player 1, select your number: "
    assert asked(play(new(), "5"))[-1] == "Player 2, select your number: "


@rule(KEY, "Rulings: A bad option is named with the allowed range, and every")
def test_pool_too_small_for_the_length_is_refused() -> None:
    assert refused_options(KEY, length=5, pool=4) == "length 5 in steps of 1 needs a pool of at least 5, not 4"
    message = refused_options(KEY, length=4, pool=9, increments="3,5")
    assert message == "length 4 in steps of 3 needs a pool of at least 10, not 9"
    assert play(new(length=4, pool=10, increments="3"), "1 2 4 5 7 8 10").outcome == PLAYER_1_WINS


@rule(KEY, "Rulings: A bad option is named with the allowed range, and every")
def test_smallest_and_largest_options_are_playable() -> None:
    assert play(new(length=2, pool=2), "1 2").outcome == DRAW
    match = play(new(length=30, pool=60), "1 60")
    assert numbers(match) == [2, 3, 4]
