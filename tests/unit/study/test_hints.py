"""The hint ladder and the reasons for a move, against the textbook and word for word."""

from __future__ import annotations

from typing import Any

import pytest

from parlour.errors import GameOver, IllegalMove, TooBig, UnreadableMove
from parlour.limit import Limit
from parlour.match import Match
from parlour.score import Value
from parlour.solver import Solver
from parlour.study.hints import Hints
from tests.support.by_hand import played
from tests.support.hints import begun, check_reasons, check_rungs, check_turns, climb
from tests.support.small import SmallGame, quick_games, rules_of, without_theory


def texts(match: Match) -> list[str]:
    return [hint.text for hint in climb(match)]


@quick_games
def test_every_rung_agrees_with_the_textbook(game: SmallGame) -> None:
    check_rungs(game)


@quick_games
def test_why_agrees_with_the_textbook(game: SmallGame) -> None:
    check_reasons(game)


def double_up(moves: str, limit: str = "100", **how: Any) -> Match:
    return played(rules_of("double-up", {"limit": limit}), moves, **how)


def test_a_winning_position_rung_by_rung() -> None:
    # Of 3 the player to move may go to 4, 5 or 6, and only 5 is lost for the other: 2, 5, 11, 24, 49, 100.
    assert texts(double_up("2 3")) == [
        "You are winning.",
        "1 of 3 moves keeps the win.",
        "Play 5: you win on your 5th turn, counting this one.",
    ]
    assert texts(double_up("2 3 4 8 12")) == [
        "You are winning.",
        "1 of 12 moves keeps the win.",
        "Look between 19 and 24.",
        "Play 24: you win on your 3rd turn, counting this one.",
    ]
    assert texts(double_up("2 3 4 8 12 24 48 49 50"))[-1] == "Play 100: it wins immediately."


def test_a_lost_position_rung_by_rung() -> None:
    match = double_up("2 3 5", names=("Ann", "Bob"))
    assert texts(match) == [
        "You are losing, unless Ann makes a mistake.",
        "All 5 moves lose, equally fast.",
        "All moves are equally good. Play 6, for instance: you lose after your 4th turn, counting this one.",
    ]
    assert texts(double_up("2"))[1] == "Both moves lose, equally fast."


def test_an_only_move_needs_no_counting() -> None:
    assert texts(double_up("")) == [
        "You are winning.",
        "2 is your only move: you win on your 6th turn, counting this one.",
    ]
    assert texts(double_up("", limit="3"))[1] == ("2 is your only move: you lose on the next move.")


def builder(moves: str, **texts: str) -> Match:
    return played(rules_of("sequence-builder", texts), moves)


def test_wins_and_losses_of_different_length() -> None:
    # After 20 Player 1 is stuck. Player 2 wins soonest by 16, 17 or 18 and then 19: both are stuck, and two numbers are
    # more than one. Only 19 at once throws it away: then both have one number.
    assert texts(builder("20")) == [
        "You are winning.",
        "18 of 19 moves keep the win.",
        "One of them is between 10 and 19.",
        "Play 16: you win on your 2nd turn, counting this one.",
    ]


def differences(moves: str) -> Match:
    return played(rules_of("increasing-differences", {"length": "4", "range": "10"}), moves)


def test_where_all_moves_win_the_quickest_is_told() -> None:
    # Player 2 has 10 and 6 and needs a number more than 4 away: only 1. Whoever takes it first has won at once.
    assert texts(differences("8 10 7 6")) == [
        "You are winning.",
        "All 6 moves win; 1 of them is the quickest.",
        "Look between 1 and 3.",
        "Play 1: it wins immediately.",
    ]


def test_two_moves_to_look_at_are_named() -> None:
    # From 4 one may go to 5, 6, 7 or 8, and only 5 is lost for the other: the lower half.
    match = double_up("2 4")
    assert [hint.text for hint in climb(match) if hint.rung == 3] == ["Try 5 or 6."]
    assert [hint.region for hint in climb(match) if hint.rung == 3] == ["5 or 6"]


def test_where_all_moves_lose_the_longest_resistance_is_told() -> None:
    # From 10 a step of 4 or more ends Player 2's sequence; 7, 8 and 9 leave room for another number.
    assert texts(differences("4 10 3")) == [
        "You are losing, unless Player 1 makes a mistake.",
        "All 7 moves lose; 3 of them hold out longest.",
        "They are all between 6 and 9.",
        "Play 7: it holds out longest; you lose after your 2nd turn, counting this one.",
    ]
    assert why(differences("4 10 3"), "1").startswith(
        "1 loses on the next move. All 7 moves lose here; "
        "the one that holds out longest loses after your 2nd turn. Player 1: "
    )


def test_a_draw_rung_by_rung() -> None:
    assert texts(builder("14")) == [
        "With best play this is a draw.",
        "1 of 19 moves keeps the draw.",
        "Look between 10 and 20.",
        "Play 17: it keeps the draw.",
    ]


def spot(moves: str, grid: str = "5,3,8,1,6,7,4,9,2") -> Match:
    return played(rules_of("sequence-spot", {"grid": grid}), moves)


def test_a_round_that_nobody_can_win() -> None:
    assert texts(spot("", "3,6,4,8,5,1,7,2,9")) == [
        "Neither player can win this round.",
        "All 9 moves keep the draw: you cannot go wrong here.",
        "All moves are equally good. Play 3, for instance: it keeps the draw.",
    ]


def test_on_a_grid_the_region_is_a_row() -> None:
    # Rows 9 8 7 and 4 5 6 and the middle row 1 2 3 are arithmetic. Player 1 has 1,1 and 1,2; Player 2 has to stop 1,3.
    match = spot("1,1 3,1 1,2", "9,8,7,1,2,3,4,5,6")
    hints = climb(match)
    assert [hint.text for hint in hints] == [
        "With best play this round is a draw.",
        "1 of 6 moves keeps the draw.",
        "Play 7: it keeps the draw.",
    ], "7 is alone in its row, so the row would tell all"
    assert climb(spot("1,1 3,1 2,2 3,2", "9,8,7,1,2,3,4,5,6"))[1].text == "1 of 5 moves keeps the draw."
    opening = climb(spot("2,2", "9,8,7,1,2,3,4,5,6"))
    assert [hint.rung for hint in opening] == [1, 2, 4], "where all moves keep the draw there is nothing to look for"
    # On the grid 1 to 9 the answer to a corner is the centre, by tic-tac-toe's rule: any other move loses.
    assert texts(spot("1,1", "1,2,3,4,5,6,7,8,9"))[1:] == [
        "1 of 8 moves keeps the draw.",
        "Look in row 2.",
        "Play 5: it keeps the draw.",
    ]


def test_the_ladder_begins_anew_when_anything_is_played() -> None:
    match = double_up("2 3 4 8 12")
    ladder = Hints(match)
    assert [ladder.hint().rung for _ in range(5)] == [1, 2, 3, 4, 4]
    match.play(20)
    assert ladder.hint().rung == 1
    match.undo()
    assert ladder.hint().rung == 1, "the same position, but not the same moment"
    assert ladder.hint().rung == 2


def test_why_does_not_climb() -> None:
    ladder = Hints(double_up("2 3 4 8 12"))
    ladder.hint()
    ladder.why("24")
    assert ladder.hint().rung == 2


def test_the_ladder_knows_each_round_by_its_own_grid() -> None:
    match = played(rules_of("sequence-spot", {"grid": "3,6,4,8,5,1,7,2,9"}), seed="2")
    ladder = Hints(match)
    for _ in range(3):
        ladder.hint()
    match.next_round()
    hint = ladder.hint()
    assert (hint.rung, hint.text) == (1, "With best play this round is a draw.")
    assert ladder.hint().text != "All 9 moves lose."


# Turns. Both hint and why count the turns of the player to move.


@quick_games
def test_hint_and_why_count_the_same_turns(game: SmallGame) -> None:
    check_turns(game)


# Why.


def why(match: Match, move: str) -> str:
    return Hints(match).why(move).text


def test_why_a_move_is_wrong() -> None:
    assert why(double_up("2 3 4 8 12 24 48 49"), "60") == (
        "60 loses on the next move. All 49 moves lose here. Player 2: 100, and Player 2 wins."
    )
    assert why(double_up("2 3 5 6 12"), "23") == (
        "23 throws away the win: it loses after your 3rd turn, counting this one. "
        "Player 1: 24, Player 2: 25, Player 1: 49, Player 2: 50, "
        "Player 1: 100, and Player 1 wins."
    )
    assert why(builder("14"), "15").startswith(
        "15 throws away the draw: it loses after your 3rd turn, counting this one. Player 1: 16, Player 2: "
    )
    assert why(builder(""), "14").startswith("14 throws away the win: it only draws. Player 2: 17, Player 1: ")
    assert why(builder(""), "14").endswith(", and it is a draw.")


def test_why_a_move_is_right() -> None:
    assert (
        why(double_up("2 3 4 8 12 24 48 49 50", names=("Ann", "Bob")), "100")
        == "100 keeps the win: it wins immediately."
    )
    assert why(double_up("2 3 4 8 12 23", names=("Ann", "Bob")), "24") == (
        "24 keeps the win: it wins on your 3rd turn, counting this one. "
        "Bob: 25, Ann: 49, Bob: 50, Ann: 100, and Ann wins."
    )
    assert why(builder("20"), "3").startswith(
        "3 keeps the win: it wins on your 4th turn, counting this one; the quickest move wins on your 2nd turn."
    )
    assert "Player 1: pass, Player 2: " in why(builder("20"), "3")
    assert why(builder("14"), "17").startswith("17 keeps the draw. Player 1: ")


def test_a_name_stays_as_it_is() -> None:
    told = why(double_up("2 3 4 8 12 23", names=("ann", "bob")), "24")
    assert told == (
        "24 keeps the win: it wins on your 3rd turn, counting this one. "
        "bob: 25, ann: 49, bob: 50, ann: 100, and ann wins."
    )


def test_why_an_only_move_loses() -> None:
    assert why(double_up("", limit="3"), "2") == (
        "2 loses on the next move, and it is the only move. Player 2: 3, and Player 2 wins."
    )


def test_why_ends_where_nobody_can_win_any_more() -> None:
    assert why(spot("1,1 3,1 1,2", "9,8,7,1,2,3,4,5,6"), "1,3").endswith(", and neither player can win any more.")
    assert why(spot("", "3,6,4,8,5,1,7,2,9"), "1,1") == "3 keeps the draw."


@pytest.mark.parametrize(("text", "error"), [("99", IllegalMove), ("x", UnreadableMove), ("", UnreadableMove)])
def test_why_an_impossible_move_is_the_referees_business(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        Hints(double_up("2 3")).why(text)


# What cannot be known.


def test_nothing_is_hinted_when_the_game_is_over() -> None:
    match = double_up("2 3", limit="3")
    with pytest.raises(GameOver):
        Hints(match).hint()
    with pytest.raises(GameOver):
        Hints(match).why("4")


def test_a_game_that_need_not_end_has_no_hints() -> None:
    for _ in range(2):
        with pytest.raises(TooBig, match="need not end"):
            Hints(double_up("2 3", limit="none")).hint()
    with pytest.raises(TooBig):
        Hints(double_up("2 3", limit="none")).why("4")


def test_what_is_too_big_is_not_guessed_and_does_not_climb(monkeypatch: pytest.MonkeyPatch) -> None:
    ladder = Hints(begun(rules_of("increasing-differences", {"length": "6", "range": "24"})))
    with pytest.raises(TooBig, match="no exact answer within 0 seconds; ask later in the game"):
        ladder.hint(Limit(seconds=0))
    with monkeypatch.context() as patched:
        patched.setattr(Solver, "value", lambda self, position, limit: Value.WIN)
        assert ladder.hint(Limit(seconds=0)).rung == 1
    with pytest.raises(TooBig):
        ladder.hint(Limit(seconds=0))
    with pytest.raises(TooBig):
        ladder.why("1", Limit(seconds=0))


def test_what_is_known_is_told_when_the_time_is_up() -> None:
    match = builder("")
    ladder = Hints(match)
    assert [ladder.hint().rung for _ in range(4)] == [1, 2, 3, 4]
    top, reason = ladder.hint(), ladder.why("5")
    assert ladder.hint(Limit(seconds=0, nodes=1)) == top
    assert ladder.why("5", Limit(seconds=0, nodes=1)) == reason


def test_without_distances_the_value_is_told_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_big(*arguments: object) -> None:
        raise TooBig("too big")

    monkeypatch.setattr(Solver, "choices", too_big)
    monkeypatch.setattr(Solver, "line", too_big)
    won, lost, drawn = builder(""), differences("4 10 3"), builder("14")
    assert texts(won)[1:] == [
        "13 of 20 moves keep the win.",
        "One of them is between 1 and 10.",
        "Play 1: it keeps the win. There was no time to find out how soon it wins.",
    ]
    assert texts(lost)[1:] == [
        "All 7 moves lose.",
        "Every move loses; there was no time to find out which holds out longest.",
    ]
    assert texts(drawn)[-1] == "Play 17: it keeps the draw."
    only = begun(without_theory(rules_of("double-up", {"limit": "3"})))  # a formula always gives the distance
    assert texts(only)[-1] == "2 is your only move: it loses."
    assert why(won, "5") == "5 keeps the win: it wins."
    assert why(won, "20") == "20 throws away the win: it loses."
    assert why(lost, "6") == "6 loses. All 7 moves lose here."


def test_progress_is_told() -> None:
    told: list[int] = []
    match = begun(rules_of("increasing-differences", {"length": "12", "range": "40"}))
    with pytest.raises(TooBig):
        Hints(match).hint(Limit(seconds=0.2, on_progress=told.append))
    assert told
    assert told == sorted(told)


def test_why_pass() -> None:
    assert why(builder("20 16"), "pass") == (
        "pass loses on the next move, and it is the only move. Player 2: 19, and Player 2 wins."
    )
