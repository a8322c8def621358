"""Double Up, rule by rule. ``@rule`` names the sentence that a test proves."""

from __future__ import annotations

import pytest

from parlour.errors import GameOver
from parlour.match import Match
from parlour.view import PLAYERS
from tests.support.ledger import rule
from tests.support.tabletop import (
    PLAYER_1,
    PLAYER_1_RESIGNS,
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
    told,
    unreadable,
)

KEY = "double-up"
EXAMPLE = "2 3 5 6 9 10 19 20"


def new(**options: int | str) -> Match:
    return begin(KEY, **options)


def shown(match: Match) -> list[str]:
    """The shared sequence as it is shown."""
    return [tile.text for tile in match.game.display.view(match.moment)[0].rows[0]]


# Objective


@rule(KEY, "Objective: Be the last player able to make a valid move by selecting")
@rule(KEY, "Rules 3, winning: The last player to make a valid move wins the game.")
def test_last_player_able_to_move_wins() -> None:
    match = play(new(limit=5), "2 3 5")
    assert match.turn == PLAYER_2
    assert match.outcome == PLAYER_1_WINS


@rule(KEY, "Objective: Players take turns adding numbers to a shared sequence.")
@rule(KEY, "Components: Sequence list: a shared list. Numbers used: a record")
def test_both_players_add_to_one_shared_sequence() -> None:
    match = play(new(), "2 3 5")
    assert shown(match) == ["1", "2", "3", "5"]


# Setup


@rule(KEY, "Setup: The game begins with the number 1; the sequence list initially")
def test_game_begins_with_the_number_1() -> None:
    match = new()
    assert shown(match) == ["1"]
    opening = match.game.display.opening(match.moment)
    assert opening[:3] == ["Starting Number: 1", "Sequence: [1]", "Numbers Used: {1}"]


@rule(KEY, "Setup: The game begins with the number 1; the sequence list initially")
def test_start_number_belongs_to_nobody() -> None:
    match = play(new(), "2 3")
    assert [tile.owner for tile in match.game.display.view(match.moment)[0].rows[0]] == [None, PLAYER_1, PLAYER_2]


@rule(KEY, "Setup: The game begins with the number 1; the sequence list initially")
def test_first_choice_is_always_2() -> None:
    assert numbers(new()) == [2]
    assert numbers(new(limit="none")) == [2]
    assert refusal(new(), "3") == "3 is more than 2, the double of 1"


# Number selection


@rule(KEY, "Rules 1, number selection: Condition A: M is greater than the")
def test_condition_a_greater_than_the_last_number() -> None:
    match = play(new(), "2 3 5")
    assert refusal(match, "5") == "5 is not more than 5, the last number"
    assert refusal(match, "4") == "4 is not more than 5, the last number"
    assert refusal(match, "0") == "0 is not more than 5, the last number"
    assert shown(play(match, "6"))[-1] == "6"


@rule(KEY, "Rules 1, number selection: Condition B: M is less than or equal")
def test_condition_b_at_most_twice_the_last_number() -> None:
    match = play(new(), "2 3 5")
    assert refusal(match, "11") == "11 is more than 10, the double of 5"
    assert shown(play(match, "10"))[-1] == "10"


@rule(KEY, "Rules 1, number selection: Condition A: M is greater than the")
@rule(KEY, "Rules 1, number selection: Condition B: M is less than or equal")
def test_conditions_a_and_b_together() -> None:
    assert numbers(play(new(), "2 3 5")) == [6, 7, 8, 9, 10]


@rule(KEY, "Objective: Be the last player able to make a valid move by selecting")
@rule(KEY, "Rules 1, number selection: Condition C: M has not been previously")
def test_condition_c_not_selected_before() -> None:
    match = play(new(), "2 3 5 6 9")
    for used in (1, 2, 3, 5, 6, 9):
        assert used not in numbers(match)
        assert refusal(match, str(used)) == f"{used} is not more than 9, the last number"


# Updating the sequence


@rule(KEY, "Rules 2, updating the sequence: Add the chosen number M to the")
def test_chosen_number_goes_to_the_end_of_the_sequence() -> None:
    match = play(new(), "2")
    assert shown(match) == ["1", "2"]
    assert shown(play(match, "4")) == ["1", "2", "4"]


@rule(KEY, "Components: Sequence list: a shared list. Numbers used: a record")
@rule(KEY, "Rules 2, updating the sequence: Update the numbers used to include")
def test_numbers_used_are_updated_and_shown() -> None:
    match = play(new(), "2")
    assert told(match)[:2] == ["Sequence Updated: [1, 2]", "Numbers Used Updated: {1, 2}"]
    play(match, "4")
    assert told(match)[:2] == ["Sequence Updated: [1, 2, 4]", "Numbers Used Updated: {1, 2, 4}"]


# Winning


@pytest.mark.parametrize(
    ("limit", "moves", "expected"),
    [
        (2, "2", PLAYER_1_WINS),
        (3, "2 3", PLAYER_2_WINS),
        (4, "2 4", PLAYER_2_WINS),
        (4, "2 3 4", PLAYER_1_WINS),
        (100, "2 4 8 16 32 64 100", PLAYER_1_WINS),
        (100, "2 3 6 12 24 48 96 100", PLAYER_2_WINS),
    ],
)
@rule(KEY, "Rules 3, winning: If a player cannot select any valid number")
@rule(KEY, "Rules 3, winning: The last player to make a valid move wins the game.")
@rule(KEY, "Scoring: The player who forces their opponent into a position")
def test_player_who_cannot_move_loses(limit: int, moves: str, expected: object) -> None:
    *before, last = moves.split()
    match = play(new(limit=limit), " ".join(before))
    assert match.outcome is None
    assert play(match, last).outcome == expected
    assert numbers(match) == []
    with pytest.raises(GameOver):
        match.read(str(limit + 1))


@rule(KEY, "Rules 3, winning: If a player cannot select any valid number")
@rule(KEY, "Examples: The game continues until a player cannot make a valid")
def test_ending_names_loser_and_winner() -> None:
    match = play(new(), "2 4 8 16 17 34 50 100")
    assert announced(match) == ["Player 1 cannot make a valid move.", "Player 2 wins the game!"]
    match = play(new(), "2 4 8 16 32 64 100")
    assert announced(match) == ["Player 2 cannot make a valid move.", "Player 1 wins the game!"]


# Scoring


@rule(KEY, "Scoring: No draws: there is always a clear winner.")
def test_there_are_no_draws() -> None:
    for limit in range(3, 13):
        expected = {PLAYER_2_WINS} if limit == 3 else {PLAYER_1_WINS, PLAYER_2_WINS}
        assert all_outcomes(new(limit=limit)) == expected


# The worked example


@rule(KEY, "Examples: Example game, with the valid numbers of each turn.")
def test_example_game() -> None:
    match = new()
    turns = [
        (1, [2], "2"),
        (2, [3, 4], "3"),
        (3, [4, 5, 6], "5"),
        (5, [6, 7, 8, 9, 10], "6"),
        (6, [7, 8, 9, 10, 11, 12], "9"),
        (9, [10, 11, 12, 13, 14, 15, 16, 17, 18], "10"),
        (10, [11, 12, 13, 14, 15, 16, 17, 18, 19, 20], "19"),
        (19, list(range(20, 39)), "20"),
    ]
    sequence = [1]
    for ply, (last, valid, choice) in enumerate(turns):
        assert match.turn == PLAYERS[ply % 2]
        assert f"Last Number (N): {last}" in asked(match)
        assert numbers(match) == valid
        sequence.append(int(choice))
        assert shown(play(match, choice)) == [str(n) for n in sequence]
        assert match.outcome is None
    assert sequence == [1, 2, 3, 5, 6, 9, 10, 19, 20]


@rule(KEY, "Examples: Command-line interaction example.")
def test_list_of_more_than_ten_numbers_is_shortened() -> None:
    match = play(new(), "2 4 8 10")
    assert "Valid Numbers to Choose From: [11, 12, 13, 14, 15, 16, 17, 18, 19, 20]" in asked(match)
    match = play(new(), "2 4 8 16")
    assert "Valid Numbers to Choose From: [17, 18, ..., 32]" in asked(match)
    assert "Valid Numbers to Choose From: [18, 19, ..., 34]" in asked(play(match, "17"))


# Rulings: the limit


@rule(KEY, "Rules 3, winning: If a player cannot select any valid number")
def test_default_limit_is_100() -> None:
    assert new().options.limit == 100
    match = play(new(), "2 4 8 16 32 64")
    assert numbers(match) == list(range(65, 101))
    assert refusal(match, "101") == "101 is more than 100, the limit"
    assert refusal(match, "128") == "128 is more than 100, the limit"
    assert refusal(match, "129") == "129 is more than 128, the double of 64"


@rule(KEY, "Rules 3, winning: If a player cannot select any valid number")
def test_limit_can_be_reached_exactly() -> None:
    match = play(new(), "2 4 8 16 32 64 99")
    assert numbers(match) == [100]
    assert play(match, "100").outcome == PLAYER_2_WINS


@rule(KEY, "Rulings: `limit none` plays the literal book, endless, ended")
def test_without_a_limit_the_double_is_always_allowed() -> None:
    match = new(limit="none")
    for exponent in range(1, 101):
        play(match, str(2**exponent))
        assert match.outcome is None
        assert 2 ** (exponent + 1) in match.legal_moves
        assert 2 ** (exponent + 1) + 1 not in match.legal_moves


@rule(KEY, "Rulings: `limit none` plays the literal book, endless, ended")
def test_without_a_limit_only_resigning_ends_the_game() -> None:
    match = play(new(limit="none"), "2 4 8 16 32 64 128 200")
    assert match.outcome is None
    match.resign(PLAYER_1)
    assert match.outcome == PLAYER_1_RESIGNS


@rule(KEY, "Rulings: `limit none` plays the literal book, endless, ended")
def test_limit_is_said_to_be_ours_wherever_the_rules_are_shown() -> None:
    rules = " ".join(new().game.content.rules_text.split())
    assert "The limit is ours. The rule book names none, and its game would never end" in rules
    assert "With --limit none you play exactly the book" in rules
    assert "Limit: no number above 100" in new().game.display.opening(new().moment)
    endless = new(limit="none")
    assert "Limit: none. This game ends only when somebody resigns" in endless.game.display.opening(endless.moment)


# Rulings for all games


@rule(KEY, "Turns: On their turn, a player must select a valid number and")
def test_number_that_breaks_the_rule_is_refused_and_asked_again() -> None:
    match = play(new(), "2 3 5")
    refusal(match, "11")
    assert match.turn == PLAYER_2
    assert shown(play(match, "6")) == ["1", "2", "3", "5", "6"]


@rule(KEY, "Turns: On their turn, a player must select a valid number and")
def test_text_that_names_no_number_is_asked_again() -> None:
    assert unreadable(new(), "two") == "please select 2, the only legal number"
    assert unreadable(play(new(), "2 3 5"), "-6") == "please select a number from 6 to 10"


@rule(KEY, "Rulings: A bad option is named with the allowed range.")
def test_smallest_and_largest_limits_are_playable() -> None:
    assert play(new(limit=2), "2").outcome == PLAYER_1_WINS
    assert numbers(play(new(limit=1_000_000), "2 4")) == [5, 6, 7, 8]
