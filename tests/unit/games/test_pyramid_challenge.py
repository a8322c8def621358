"""Pyramid Challenge, rule by rule. ``@rule`` names the sentence that a test proves."""

from __future__ import annotations

import pytest

from parlour.errors import GameOver
from parlour.match import Match
from parlour.view import PLAYERS, POOL
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
    pyramid,
    refusal,
    refused_options,
    told,
    unreadable,
)

KEY = "pyramid-challenge"
EXAMPLE = "4 5 7 2 3 6 3 7 4 8 7"  # the example playthrough: Alice wins with her sixth number


def new(**options: int | str) -> Match:
    return begin(KEY, **options)


def above(a: int, b: int, **options: int | str) -> Match:
    """Player 1 is to place a number above these two."""
    return play(new(**options), f"{a} 1 {b} 2 1 3")


# Objective


@rule(KEY, "Objective: The first player to complete their pyramid wins the game.")
def test_first_player_to_complete_the_pyramid_wins() -> None:
    match = play(new(), EXAMPLE)
    assert pyramid(match, PLAYER_1) == [["7"], ["3", "4"], ["4", "7", "3"]]
    assert match.outcome == PLAYER_1_WINS


@rule(KEY, "Objective: The first player to complete their pyramid wins the game.")
def test_second_player_wins_if_he_completes_first() -> None:
    # Player 1 is stuck above 5 and 5 from his fourth turn on.
    match = play(new(), "5 1 5 2 1 3 pass 3 pass 1 pass")
    assert match.outcome is None
    assert play(match, "2").outcome == PLAYER_2_WINS
    assert pyramid(match, PLAYER_2) == [["2"], ["3", "1"], ["1", "2", "3"]]


# Setup


@rule(KEY, "Setup: Each player has a pyramid of three levels: 3, 2 and 1 positions.")
def test_pyramid_has_three_two_and_one_positions() -> None:
    for player in PLAYERS:
        assert [len(row) for row in pyramid(new(), player)] == [1, 2, 3]


@rule(KEY, "Setup: Both players start with empty pyramids.")
def test_both_pyramids_start_empty() -> None:
    for player in PLAYERS:
        assert pyramid(new(), player) == [[""], ["", ""], ["", "", ""]]


@rule(KEY, "Setup: A shared pool of number tokens from 1 to 9 is available for both players.")
def test_tokens_go_from_1_to_9_for_both_players() -> None:
    match = new()
    assert numbers(match) == list(range(1, 10))
    assert numbers(play(match, "4")) == list(range(1, 10))


# Components


@rule(KEY, "Components: Visual representation of each player's pyramid with")
def test_both_pyramids_and_the_tokens_can_be_seen() -> None:
    match = play(new(), "4 5 7")
    assert pyramid(match, PLAYER_1) == [[""], ["", ""], ["4", "7", ""]]
    assert pyramid(match, PLAYER_2) == [[""], ["", ""], ["5", "", ""]]
    tokens = [group for group in match.game.display.view(match.moment) if group.shape == POOL]
    assert [tile.text for tile in tokens[0].rows[0]] == ["1", "2", "3", "4", "5", "6", "7", "8", "9"]
    assert asked(match) == [
        "Player 2's Pyramid:",
        "      [ ]",
        "     [ ][ ]",
        "    [5][ ][ ]",
        "",
        "Select a number from 1 to 9 for Bottom Level Position 2:",
        "> ",
    ]


# Turns


@pytest.mark.parametrize("text", ["0", "10", "99"])
@rule(KEY, "Turns: Choose a number from 1 to 9.")
def test_number_must_be_from_1_to_9(text: str) -> None:
    assert refusal(new(), text) == f"{text} is out of range: choose 1 to 9"
    assert refusal(above(4, 7), text) == f"{text} is out of range: choose 1 to 9"


@rule(KEY, "Turns: Place the number into the next available position in your pyramid.")
def test_number_goes_into_the_next_position_of_ones_own_pyramid() -> None:
    match = play(new(), "4 5")
    assert pyramid(match, PLAYER_1)[2] == ["4", "", ""]
    assert pyramid(match, PLAYER_2)[2] == ["5", "", ""]


# Placement order


@rule(KEY, "Rules, placement order: Bottom level first, middle level second,")
def test_levels_are_filled_from_the_bottom_and_from_left_to_right() -> None:
    match = new()
    steps = [
        ("1", [[""], ["", ""], ["1", "", ""]]),
        ("2", [[""], ["", ""], ["1", "2", ""]]),
        ("3", [[""], ["", ""], ["1", "2", "3"]]),
        ("3", [[""], ["3", ""], ["1", "2", "3"]]),
        ("5", [[""], ["3", "5"], ["1", "2", "3"]]),
        ("8", [["8"], ["3", "5"], ["1", "2", "3"]]),
    ]
    for number, expected in steps:
        play(match, number)
        assert pyramid(match, PLAYER_1) == expected
        if match.outcome is None:
            play(match, number)
            assert pyramid(match, PLAYER_2) == expected


@rule(KEY, "Turns: Place the number into the next available position in your pyramid.")
@rule(KEY, "Rules, placement order: Bottom level first, middle level second,")
def test_prompt_names_the_position() -> None:
    match = new()
    asked_for = []
    for number in ("4", "5", "7", "2", "3", "6", "3", "7", "4", "8", "7"):
        asked_for.append(asked(match)[-2].split(" for ")[1])
        play(match, number)
    assert asked_for[::2] == [
        "Bottom Level Position 1:",
        "Bottom Level Position 2:",
        "Bottom Level Position 3:",
        "Middle Level Position 1:",
        "Middle Level Position 2:",
        "Top Level Position:",
    ]


@rule(KEY, "Rulings: Base width and highest token are options; the defaults are the book's.")
def test_levels_of_a_wider_pyramid_are_numbered() -> None:
    match = new(base=4)
    asked_for = []
    for number in ["1", "1", "2", "1", "1", "1", "2", "1", "3", "2", "3", "2", "3", "2", "6", "4"]:
        asked_for.append(asked(match)[-2].split(" for ")[1])
        play(match, number)
    assert asked_for[::2][3:] == [
        "Bottom Level Position 4:",
        "Level 2 Position 1:",
        "Level 2 Position 2:",
        "Level 2 Position 3:",
        "Level 3 Position 1:",
    ]


# Number placement


@rule(KEY, "Rules, number placement: Bottom level: you may place any number")
def test_any_number_from_1_to_9_in_each_position_of_the_bottom_level() -> None:
    match = new()
    for number in ("9", "9", "9", "9", "9", "9"):
        assert numbers(match) == list(range(1, 10))
        play(match, number)


@rule(KEY, "Objective: Numbers are the sum or difference of the two numbers directly below them.")
@rule(KEY, "Rules, number placement: Middle and top levels: either the sum")
@rule(KEY, "Rules, number placement: Example: above 3 and 5 stand 8 or 2.")
def test_number_above_is_the_sum_or_the_difference_of_the_two_below() -> None:
    match = above(3, 5)
    assert numbers(match) == [2, 8]
    assert pyramid(play(match, "8"), PLAYER_1)[1] == ["8", ""]
    assert pyramid(play(above(3, 5), "2"), PLAYER_1)[1] == ["2", ""]


@rule(KEY, "Rules, number placement: Middle and top levels: either the sum")
def test_number_that_is_neither_sum_nor_difference_is_refused() -> None:
    match = above(3, 5)
    reason = "neither 5 + 3 = 8 nor 5 - 3 = 2"
    for text in ("1", "3", "4", "5", "6", "7", "9"):
        assert refusal(match, text) == f"{text} is {reason}"
    assert match.turn == PLAYER_1


@rule(KEY, "Rules, number placement: Middle and top levels: either the sum")
def test_second_middle_number_looks_at_the_second_and_third_below() -> None:
    # 4, 7, 3 at the bottom: 3 above 4 and 7, then 4 above 7 and 3.
    match = play(new(), "4 5 7 2 3 6 3 7")
    assert numbers(match) == [4]


@rule(KEY, "Rules, number placement: Middle and top levels: either the sum")
def test_top_number_looks_at_the_two_in_the_middle() -> None:
    match = play(new(), "1 1 2 1 4 1 3 2 6 2")  # 3 and 6 in the middle
    assert numbers(match) == [3, 9]


@pytest.mark.parametrize("a", range(1, 10))
@rule(KEY, "Rules, valid moves: If no valid number exists (the sum or difference")
def test_sum_and_difference_count_if_they_are_from_1_to_9(a: int) -> None:
    for b in range(1, 10):
        placeable = {n for n in (a + b, a - b, b - a) if n in range(1, 10)}
        match = above(a, b)
        if placeable:
            assert numbers(match) == sorted(placeable)
        else:
            assert choices(match) == ["pass"]


@rule(KEY, "Strategic tips: Two identical numbers below only allow a difference")
def test_two_equal_numbers_leave_only_their_sum() -> None:
    assert numbers(above(4, 4)) == [8]
    assert refusal(above(4, 4), "0") == "0 is out of range: choose 1 to 9"
    assert choices(above(5, 5)) == ["pass"]


# Valid moves


@rule(KEY, "Rules, valid moves: If no valid number exists (the sum or difference")
def test_player_without_a_valid_number_must_pass() -> None:
    match = above(6, 6)
    assert choices(match) == ["pass"]
    assert match.stuck
    for text in ("6", "9", "12", "0"):
        assert refusal(match, text) == "you can only pass: 6 + 6 = 12 is more than 9, and 6 - 6 = 0 is less than 1"
    play(match, "pass")
    assert match.turn == PLAYER_2
    assert told(match)[0] == "Player 1 can place neither sum nor difference and passes."


# Reusing numbers


@rule(KEY, "Components: Each number token can be used multiple times by both players.")
@rule(KEY, "Rules, reusing numbers: There is no limit to how many times a")
def test_number_tokens_can_be_reused_without_limit() -> None:
    match = play(new(), "1 1 1 1 1 1 2 2 2 2 4")
    assert pyramid(match, PLAYER_1) == [["4"], ["2", "2"], ["1", "1", "1"]]
    assert pyramid(match, PLAYER_2) == [[""], ["2", "2"], ["1", "1", "1"]]


# Winning


@rule(KEY, "Turns: The game continues until a player completes their pyramid")
@rule(KEY, "Rules, winning the game: The first player to complete all levels")
def test_completing_the_pyramid_ends_the_game_at_once() -> None:
    match = play(new(), EXAMPLE)
    assert match.outcome == PLAYER_1_WINS
    assert numbers(match) == []
    with pytest.raises(GameOver):
        match.read("1")
    assert announced(match) == ["Player 1 has filled all positions and wins the game!"]


# Passing


@rule(KEY, "Rules, passing turns: If a player cannot make a valid move on")
def test_pass_hands_the_turn_to_the_opponent_and_changes_no_pyramid() -> None:
    match = above(5, 5)
    before = [pyramid(match, player) for player in PLAYERS]
    play(match, "pass")
    assert [pyramid(match, player) for player in PLAYERS] == before
    assert match.turn == PLAYER_2
    assert match.round.moves[-1] == 0
    assert len(match.round.moves) == 7


@rule(KEY, "Rules, passing turns: If a player cannot make a valid move on")
def test_skip_means_pass() -> None:
    assert play(above(5, 5), "skip").turn == PLAYER_2


@rule(KEY, "Rules, passing turns: The game continues until one player completes their pyramid.")
def test_game_goes_on_while_one_player_can_move() -> None:
    match = above(5, 5)
    for moves in ("pass 3", "pass 1", "pass"):
        assert match.stuck
        play(match, moves)
        assert match.outcome is None
    assert play(match, "4").outcome == PLAYER_2_WINS


@rule(KEY, "Rules, passing turns: The game continues until one player completes their pyramid.")
def test_stuck_player_stays_stuck() -> None:
    match = above(5, 5)
    stuck = []
    while match.outcome is None:
        if match.turn == PLAYER_1:
            stuck.append(match.stuck)
        match.play(match.legal_moves[0])
    assert stuck == [True, True, True]


@rule(KEY, "Turns: The game continues until a player completes their pyramid")
@rule(KEY, "Rules, passing turns: The game continues until one player completes their pyramid.")
def test_both_players_stuck_is_a_draw() -> None:
    match = play(new(), "5 6 5 6 1")
    assert match.outcome is None
    play(match, "1")
    assert match.outcome == DRAW
    assert choices(match) == []
    assert announced(match) == ["Both players are stuck, and nobody has completed a pyramid: the game is a draw."]


@rule(KEY, "Rules, passing turns: The game continues until one player completes their pyramid.")
def test_both_stuck_at_different_heights_is_a_draw() -> None:
    # Player 1 is stuck above 5 and 5 at the bottom, Player 2 above 5 and 5 in the middle.
    match = play(new(), "5 2 5 3 1 2 pass 5 pass")
    assert match.outcome is None
    assert play(match, "5").outcome == DRAW
    # And the other way round.
    match = play(new(), "2 5 3 5 2 1 5 pass 5")
    assert match.outcome == DRAW


# The worked example


@rule(KEY, "Examples: Example game playthrough, Alice and Bob.")
def test_example_playthrough() -> None:
    match = new()
    turns: list[tuple[str, list[int], list[list[str]]]] = [
        ("4", list(range(1, 10)), [[""], ["", ""], ["4", "", ""]]),
        ("5", list(range(1, 10)), [[""], ["", ""], ["5", "", ""]]),
        ("7", list(range(1, 10)), [[""], ["", ""], ["4", "7", ""]]),
        ("2", list(range(1, 10)), [[""], ["", ""], ["5", "2", ""]]),
        ("3", list(range(1, 10)), [[""], ["", ""], ["4", "7", "3"]]),
        ("6", list(range(1, 10)), [[""], ["", ""], ["5", "2", "6"]]),
        ("3", [3], [[""], ["3", ""], ["4", "7", "3"]]),
        ("7", [3, 7], [[""], ["7", ""], ["5", "2", "6"]]),
        ("4", [4], [[""], ["3", "4"], ["4", "7", "3"]]),
        ("8", [4, 8], [[""], ["7", "8"], ["5", "2", "6"]]),
        ("7", [1, 7], [["7"], ["3", "4"], ["4", "7", "3"]]),
    ]
    for ply, (text, possible, expected) in enumerate(turns):
        assert match.turn == PLAYERS[ply % 2]
        assert match.outcome is None
        assert numbers(match) == possible
        assert pyramid(play(match, text), PLAYERS[ply % 2]) == expected
    assert match.outcome == PLAYER_1_WINS


@rule(KEY, "Examples: Example game playthrough, Alice and Bob.")
def test_example_refuses_a_sum_above_9() -> None:
    match = play(new(), "4 5 7 2 3 6")
    assert refusal(match, "11") == "11 is out of range: choose 1 to 9"
    assert refusal(play(match, "3 7"), "10") == "10 is out of range: choose 1 to 9"


# Rulings: base, highest, copies


@rule(KEY, "Rulings: Base width and highest token are options; the defaults are the book's.")
def test_defaults_are_the_book() -> None:
    options = new().options
    assert (options.base, options.highest, options.copies) == (3, 9, None)  # None: unlimited


@rule(KEY, "Rulings: Base width and highest token are options; the defaults are the book's.")
def test_base_can_be_chosen() -> None:
    match = new(base=4)
    assert [len(row) for row in pyramid(match, PLAYER_1)] == [1, 2, 3, 4]
    play(match, "1 1 2 1 1 1 2 1 3 2 3 2 3 2 6 4 6 4")
    assert choices(match) == ["pass"]  # neither 12 nor 0 can stand above 6 and 6
    assert numbers(play(match, "pass")) == [8]
    assert play(match, "8").outcome == PLAYER_2_WINS
    match = play(new(base=2), "1 2 3 4")
    assert numbers(match) == [2, 4]
    assert play(match, "4").outcome == PLAYER_1_WINS


@rule(KEY, "Rulings: Base width and highest token are options; the defaults are the book's.")
def test_highest_token_can_be_chosen() -> None:
    assert numbers(new(highest=12)) == list(range(1, 13))
    assert numbers(above(6, 6, highest=12)) == [12]
    assert choices(above(3, 3, highest=5)) == ["pass"]
    assert refusal(new(highest=5), "6") == "6 is out of range: choose 1 to 5"


@rule(KEY, "Rulings: A variant in which each token exists only `copies` times")
def test_copies_are_shared_by_both_players() -> None:
    match = play(new(copies=2), "4 4")
    assert numbers(match) == [1, 2, 3, 5, 6, 7, 8, 9]
    assert refusal(match, "4") == "4 is used up: there were only 2"
    assert numbers(play(new(copies=3), "4 4")) == list(range(1, 10))


@pytest.mark.parametrize(
    ("moves", "left", "gone"),
    [
        ("1 7 2 8 9 6", 3, "1"),  # above 1 and 2 stand 3 or 1, and the only 1 is below
        ("2 8 6 3 9 1", 4, "8"),  # above 2 and 6 stand 8 or 4, and the only 8 is Player 2's
    ],
)
@rule(KEY, "Rulings: A variant in which each token exists only `copies` times")
def test_sum_or_difference_is_refused_where_none_is_left(moves: str, left: int, gone: str) -> None:
    match = play(new(copies=1), moves)
    assert numbers(match) == [left]
    assert refusal(match, gone) == f"{gone} is used up: there was only 1"


@rule(KEY, "Rulings: A variant in which each token exists only `copies` times")
def test_copies_are_needed_above_the_bottom_too() -> None:
    # Above 1 and 2 stand 3 or 1. The only 1 is in Player 1's own pyramid, the only 3 in Player 2's.
    match = play(new(base=2, copies=1), "1 3 2 4")
    assert choices(match) == ["pass"]
    play(match, "pass")
    assert numbers(match) == [7]
    assert play(match, "7").outcome == PLAYER_2_WINS


@rule(KEY, "Rulings: A variant in which each token exists only `copies` times")
def test_placement_uses_up_a_token() -> None:
    match = play(new(base=2, copies=1, highest=5), "1 2 4")
    assert numbers(match) == [3, 5]
    play(match, "5")  # Player 2: above 2 and 5 only 3 is left
    assert numbers(match) == [3]
    play(match, "3")
    assert match.outcome == PLAYER_1_WINS


@rule(KEY, "Rulings: A variant in which each token exists only `copies` times")
def test_no_tokens_left_is_a_draw() -> None:
    match = play(new(base=2, copies=1, highest=3), "1 2 3")
    assert match.outcome == DRAW


@rule(KEY, "Rulings: A variant in which each token exists only `copies` times")
def test_tokens_left_can_be_seen() -> None:
    match = play(new(copies=2, highest=4), "4 4 1")
    tokens = [group for group in match.game.display.view(match.moment) if group.shape == POOL]
    assert [(tile.text, tile.note) for tile in tokens[0].rows[0]] == [
        ("1", "x1"),
        ("2", "x2"),
        ("3", "x2"),
        ("4", "x0"),
    ]


@rule(KEY, "Rules, reusing numbers: There is no limit to how many times a")
def test_pyramids_do_not_touch_each_other_without_copies() -> None:
    # Whatever Player 2 chooses, Player 1 has the same choices.
    for theirs in ("1", "9"):
        match = play(new(), f"4 {theirs} 7 {theirs} 3 {theirs}")
        assert numbers(match) == [3]


@rule(KEY, "Rules, passing turns: The game continues until one player completes their pyramid.")
def test_every_ending_is_a_win_of_either_player_or_a_draw() -> None:
    assert all_outcomes(new(base=2, highest=3)) == {PLAYER_1_WINS, PLAYER_2_WINS, DRAW}
    assert all_outcomes(new(base=2, highest=4, copies=1)) == {DRAW}  # the bottoms take all four tokens
    assert all_outcomes(new(base=2, highest=6, copies=1)) == {PLAYER_1_WINS, PLAYER_2_WINS, DRAW}


# Rulings for all games


@rule(KEY, "Turns: Choose a number from 1 to 9.")
def test_text_that_names_no_number_is_asked_again() -> None:
    assert unreadable(new(), "four") == "please select a number from 1 to 9"
    assert unreadable(above(4, 7), "x") == "please select the sum or the difference of 4 and 7"
    assert unreadable(new(copies=2), "x") == "please select a number from 1 to 9 that is left"


@rule(KEY, "Rulings: A bad option is named with the allowed range, and every")
def test_too_many_copies_of_too_many_tokens_are_refused() -> None:
    message = refused_options(KEY, copies=60, highest=60)
    assert message == "copies 60 are too many with highest 60; at most 1, or none for no limit"
    assert new(copies=1, highest=60).outcome is None


@rule(KEY, "Rulings: A bad option is named with the allowed range, and every")
def test_smallest_and_largest_options_are_playable() -> None:
    assert play(new(base=2, highest=2), "1 1 2 1 1").outcome == PLAYER_1_WINS
    match = play(new(base=10, highest=60, copies="none"), " ".join(["30"] * 20))
    assert numbers(match) == [60]
