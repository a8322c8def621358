"""A game under its options: what it answers about positions and moves, and what the referee refuses in which words.

How moves are read has a file of its own, ``test_reading_moves.py``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from parlour import catalog, new_match
from parlour.errors import BadOptions, BadPosition, GameOver, IllegalMove, UnreadableMove
from parlour.game import DRAWN, MOVER_LOSES, ONGOING, PASS, between, marked
from parlour.notation import MAX_DIGITS, MAX_TEXT_LENGTH, is_pass
from parlour.rules import Rules, read_rules, show_position

DEAD = "1,2,4,3,8,9,6,5,7"  # a grid without any arithmetic line


def of(key: str, **texts: str) -> Rules:
    return read_rules(catalog.find_game(key), texts)


def after(rules: Rules, moves: str) -> Any:
    position = rules.start
    for word in moves.split():
        position = rules.play(position, rules.read(position, word))
    return position


# The options.


class Foreign(NamedTuple):
    limit: int = 100


@pytest.mark.parametrize("options", [Foreign(), (100,), None])
def test_options_of_another_game_are_refused_where_the_mistake_is_made(options: Any) -> None:
    with pytest.raises(BadOptions) as caught:
        Rules(catalog.find_game("double-up"), options)
    assert str(caught.value) == f"options of Double Up are needed, not {options!r}; known options: limit"


def test_all_options_of_a_game_are_named_and_no_text_is_endless() -> None:
    with pytest.raises(BadOptions) as caught:
        Rules(catalog.find_game("sequence-builder"), "x" * 100)  # type: ignore[arg-type]
    assert str(caught.value) == (
        f"options of Sequence Builder are needed, not '{'x' * 39}...; known options: length, pool, increments"
    )


def test_a_value_that_its_option_does_not_allow_is_refused() -> None:
    game = catalog.find_game("double-up")
    with pytest.raises(BadOptions, match=r"bad limit '1'; allowed: a number from 2 to 1000000, or none"):
        Rules(game, game.defaults._replace(limit=1))


def test_options_that_make_no_game_together_are_refused() -> None:
    with pytest.raises(BadOptions) as caught:
        of("increasing-differences", length="9", range="8")
    assert str(caught.value) == "length 9 needs a range of at least 9, not 8"


def test_the_same_game_under_the_same_options_is_the_same() -> None:
    assert of("double-up") == of("double-up", limit="100")
    assert hash(of("double-up")) == hash(of("double-up", limit="100"))
    assert of("double-up") != of("double-up", limit="99")
    assert of("increasing-differences", length="4", range="20") != of("sequence-builder", length="4", pool="20")
    assert of("double-up") != "double-up"
    assert len({of("double-up"), of("double-up"), of("double-up", limit="99")}) == 2


def test_rules_say_what_they_are() -> None:
    assert repr(of("sequence-builder")) == "<Rules of Sequence Builder: length=4 pool=20 increments=1,2,3>"

    class NoOptions(NamedTuple):
        pass

    game: Any = replace(catalog.find_game("double-up"), options=NoOptions)
    assert repr(Rules(game, NoOptions())) == "<Rules of Double Up>"


def test_the_summary_follows_the_options_where_the_game_says_so() -> None:
    assert of("double-up").summary == (
        "Add a larger number to the sequence, at most twice the last one; if you cannot, you lose."
    )
    assert of("double-up", limit="none").summary == (
        "Add a larger number to the sequence, at most twice the last one; "
        "without a limit it ends only when a player resigns."
    )
    assert of("pyramid-challenge", base="2").summary == catalog.find_game("pyramid-challenge").content.summary


def test_the_rules_end_with_what_the_options_make_different() -> None:
    book = catalog.find_game("sequence-builder").content.rules_text
    assert of("sequence-builder").rules_text == book
    assert of("sequence-builder", pool="30", increments="1,2").rules_text == (
        f"{book.rstrip()}\n\nIn this game\n"
        "- numbers 1 to 30 (usually numbers 1 to 20)\n"
        "- steps of 1 or 2 (usually steps of 1, 2 or 3)"
    )


def test_what_is_always_dealt_is_no_difference() -> None:
    assert of("sequence-spot", grid=DEAD).rules_text == catalog.find_game("sequence-spot").content.rules_text


def test_every_option_has_a_text() -> None:
    assert of("sequence-spot", max_rounds="3").option_texts == {"grid": "", "deal": "any", "max_rounds": "3"}


def test_a_draw_is_a_draw_unless_the_game_has_rounds() -> None:
    assert of("pyramid-challenge").max_rounds is None
    assert of("sequence-spot", max_rounds="3").max_rounds == 3


def test_games_whose_moves_are_numbers_say_so() -> None:
    assert of("double-up").numbers_only
    assert not of("sequence-spot").numbers_only


# Positions.


def test_a_finished_game_has_no_moves() -> None:
    rules = of("double-up", limit="4")
    over = after(rules, "2 4")
    assert (rules.is_over(rules.start), rules.result(rules.start)) == (False, ONGOING)
    assert (rules.is_over(over), rules.result(over)) == (True, MOVER_LOSES)
    assert (list(rules.legal(rules.start)), rules.count_legal(rules.start)) == ([2], 1)
    assert (rules.legal(over), rules.count_legal(over)) == ([], 0)


def test_moves_are_counted_where_they_are_too_many_to_list() -> None:
    rules = of("double-up", limit="none")
    position = rules.position([10**30])
    assert rules.count_legal(position) == 10**30
    assert rules.legal(position)[0] == 10**30 + 1


def test_a_drawn_round_is_over() -> None:
    rules = of("sequence-spot", grid=DEAD)
    full = after(rules, "1,1 1,2 1,3 2,1 2,2 2,3 3,1 3,2 3,3")
    assert rules.result(full) == DRAWN
    assert rules.is_over(full)


def test_a_settled_position_cannot_be_won_any_more() -> None:
    assert of("sequence-spot", grid=DEAD).settled(of("sequence-spot", grid=DEAD).start)
    assert not of("sequence-spot", grid="1,2,3,4,5,6,7,8,9").settled(
        of("sequence-spot", grid="1,2,3,4,5,6,7,8,9").start
    )


def test_positions_with_the_same_future_have_one_that_stands_for_them() -> None:
    rules = of("increasing-differences", length="3", range="6")
    assert rules.canonical(after(rules, "1 5")) == rules.canonical(after(rules, "6 2"))
    assert rules.canonical(after(rules, "1 5")) != rules.canonical(after(rules, "6 3"))


def test_a_game_is_asked_under_its_own_options() -> None:
    own: Any = catalog.find_game("double-up")
    game = replace(
        own,
        rules=replace(
            own.rules,
            settled=lambda options, position: position.last == options.limit - 1,
            impossible=lambda options, position: (
                f"never {options.limit - 2}" if position.last == options.limit - 2 else None
            ),
        ),
        display=replace(
            own.display,
            name=lambda options, move: f"{move} of {options.limit}",
            view=lambda moment: (moment,),
        ),
    )
    rules = Rules(game, game.defaults)
    assert rules.settled(rules.position([99]))
    assert not rules.settled(rules.position([98]))
    with pytest.raises(BadPosition, match="never 98"):
        rules.check_position(rules.position([98]))
    assert rules.name(7) == "7 of 100"
    moment = new_match("double-up").moment
    assert rules.view(moment) == (moment,)


def test_what_a_move_leads_to_depends_on_the_options_too() -> None:
    rules = of("pyramid-challenge", copies="2")
    position = after(rules, "4 5")
    assert rules.after(position, 7) == rules.play(position, 7) != rules.play(position, 8)


def test_a_game_is_asked_once_about_a_position_and_again_about_another() -> None:
    game, asked = catalog.find_game("double-up"), list[tuple[str, int]]()

    def result(options: Any, position: Any) -> int:
        asked.append(("result", position.last))
        return game.rules.result(options, position)

    def moves(options: Any, position: Any) -> Any:
        asked.append(("moves", position.last))
        return game.rules.moves(options, position)

    rules = read_rules(replace(game, rules=replace(game.rules, result=result, moves=moves)), {"limit": "4"})
    two = rules.play(rules.start, 2)
    assert (list(rules.legal(two)), rules.count_legal(two), rules.is_over(two)) == ([3, 4], 2, False)
    four = rules.play(two, rules.read(two, "4"))
    assert (rules.result(four), rules.legal(four), rules.count_legal(four)) == (MOVER_LOSES, [], 0)
    assert asked == [("result", 1), ("moves", 1), ("result", 2), ("moves", 2), ("result", 4)]
    assert list(rules.legal(two)) == [3, 4]  # and when it is the turn of an earlier one again
    assert not rules.is_over(two)


def test_what_is_remembered_of_a_position_is_not_said_of_another_games() -> None:
    rules = of("double-up")
    assert rules.legal(rules.start)
    for ask in (rules.result, rules.legal, rules.count_legal, rules.is_over):
        with pytest.raises(BadPosition):
            ask((1,))  # type: ignore[arg-type]


# The referee.


def refused(rules: Rules, position: Any, move: int | str) -> str:
    """All that is said about a move that may not be played."""
    with pytest.raises(IllegalMove) as caught:
        rules.play(position, rules.read(position, move) if isinstance(move, str) else move)
    return str(caught.value)


def test_a_legal_move_leads_on() -> None:
    rules = of("double-up")
    assert rules.play(rules.start, 2) == rules.after(rules.start, 2) == rules.position([2])


def test_nothing_can_be_played_when_the_game_is_over() -> None:
    rules = of("double-up", limit="2")
    over = after(rules, "2")
    with pytest.raises(GameOver, match=r"^the game is over$"):
        rules.play(over, 3)
    with pytest.raises(GameOver, match=r"^the game is over: '3' cannot be played$"):
        rules.read(over, "3")
    with pytest.raises(GameOver) as caught:
        rules.read(over, "3\n" * 50)
    assert str(caught.value) == f"the game is over: '{'3?' * 20}...' cannot be played"


def test_a_refusal_has_the_move_the_reason_and_what_is_legal() -> None:
    rules = of("double-up")
    assert refused(rules, after(rules, "2 4"), 9) == ("illegal move '9': 9 is more than 8, the double of 4; legal: 5-8")
    assert refused(rules, after(rules, "2 4"), " 9 ") == (
        "illegal move ' 9 ': 9 is more than 8, the double of 4; legal: 5-8"
    )


def test_what_names_no_move_is_answered_with_what_would_do() -> None:
    rules = of("double-up")
    with pytest.raises(UnreadableMove) as caught:
        rules.read(after(rules, "2 4"), "nine")
    assert str(caught.value) == "unreadable move 'nine': please select a number from 5 to 8; legal: 5-8"
    with pytest.raises(UnreadableMove) as caught:
        rules.read(after(rules, "2 4"), "\t" + "nine" * 50)
    assert caught.value.reason == "please select a number from 5 to 8"
    assert str(caught.value).startswith(f"unreadable move '?{'nine' * 9}nin...'")


@pytest.mark.parametrize("text", ["pass", "PASS", " Skip "])
def test_whoever_can_move_cannot_pass(text: str) -> None:
    rules = of("double-up")
    assert is_pass(text)
    assert refused(rules, rules.start, text) == (
        f"illegal move {text!r}: you can still move, so you cannot pass; legal: 2"
    )


def test_a_pass_has_no_number() -> None:
    """0 means the pass inside, and is an ordinary wrong number to whoever types it."""
    rules = of("double-up")
    assert refused(rules, rules.start, "0") == "illegal move '0': 0 is not more than 1, the last number; legal: 2"
    assert refused(rules, rules.start, PASS) == (
        "illegal move 'pass': you can still move, so you cannot pass; legal: 2"
    )
    stuck = of("pyramid-challenge", base="2")
    position = after(stuck, "6 1 6 2")
    assert stuck.read(position, "pass") == stuck.read(position, " Skip ") == PASS
    for text in ("0", "3"):
        assert refused(stuck, position, text) == (
            f"illegal move '{text}': you can only pass: "
            "6 + 6 = 12 is more than 9, and 6 - 6 = 0 is less than 1; legal: pass"
        )


def test_a_number_that_no_game_has_is_refused_in_plain_words() -> None:
    rules = of("double-up")
    for move in (10**9, 10**9 + 1, 10**30):
        assert refused(rules, rules.start, move) == (
            f"illegal move '{move}': no number in this game is as large as that; legal: 2"
        )
        assert "no number in this game is as large as that" in refused(rules, rules.start, str(move))
    assert refused(rules, rules.start, -1) == (
        "illegal move '-1': no number in this game is as small as that; legal: 2"
    )


def test_a_number_below_a_thousand_million_is_for_the_game_to_refuse() -> None:
    rules = of("double-up")
    assert "999999999 is more than 2, the double of 1" in refused(rules, rules.start, 10**9 - 1)
    assert "101 is more than 2" in refused(rules, rules.start, 101)


def test_no_number_is_too_large_for_a_game_without_bounds() -> None:
    rules = of("double-up", limit="none")
    assert "1000000000 is more than 2, the double of 1" in refused(rules, rules.start, 10**9)
    assert "no number in this game is as small as that" in refused(rules, rules.start, -1)


def test_a_cell_that_is_not_on_the_table_is_no_move() -> None:
    rules = of("sequence-spot", grid=DEAD)
    assert refused(rules, rules.start, 10).startswith("illegal move 'move 10': there is no such move in this game")
    assert refused(rules, rules.start, -1).startswith("illegal move 'move -1': there is no such move in this game")
    assert refused(rules, after(rules, "3,3"), 9).startswith("illegal move '3,3': the 7 at (3,3) is marked already")
    assert refused(rules, rules.start, PASS).startswith(
        "illegal move 'pass': you can still move, so you cannot pass; legal: 1,1  1,2  1,3  2,1"
    )


# Names.


def test_every_move_has_a_name() -> None:
    rules = of("sequence-spot", grid=DEAD)
    assert rules.names([PASS, 1, 4, 9]) == ["pass", "1,1", "2,1", "3,3"]
    assert rules.names([-1, 10]) == ["move -1", "move 10"]
    assert of("double-up").names([PASS, 2, 10**9, -1]) == ["pass", "2", "1000000000", "-1"]


def test_moves_are_listed_in_short() -> None:
    assert of("double-up").spell([3, 4, 5, 7]) == "3-5, 7"
    assert of("double-up").spell([PASS]) == "pass"
    assert of("sequence-spot", grid=DEAD).spell([1, 2, 6]) == "1,1  1,2  2,3"


def test_a_number_can_have_a_thousand_digits_and_no_more() -> None:
    rules = of("double-up", limit="none")
    most = "9" * MAX_DIGITS
    assert rules.read(rules.position([int(most) - 1]), most) == int(most)
    with pytest.raises(UnreadableMove):
        rules.read(rules.position([int(most)]), "1" + "0" * MAX_DIGITS)


def test_a_text_that_may_name_a_move_has_an_end() -> None:
    rules = of("double-up")
    assert rules.read(rules.start, "2".ljust(MAX_TEXT_LENGTH)) == 2
    with pytest.raises(UnreadableMove):
        rules.read(rules.start, "2".ljust(MAX_TEXT_LENGTH + 1))


# Positions as text.


def bad_position(rules: Rules, token: str) -> str:
    with pytest.raises(BadPosition) as caught:
        rules.read_position(token)
    return str(caught.value)


def test_a_position_is_written_and_read() -> None:
    rules = of("increasing-differences", length="3", range="6")
    position = after(rules, "1 5 4")
    assert show_position(position) == "76.5.0.4.3"
    assert rules.read_position("76.5.0.4.3") == position
    assert type(rules.read_position("76.5.0.4.3")) is type(position)


@pytest.mark.parametrize(
    "token",
    ["", "1", "76.5.0.4", "76.5.0.4.3.0", "76.5.0.4.x", "76.5.0.4.", "-1.0.0.0.0", "76,5,0,4,3", "٧.0.0.0.0"],
)
def test_a_text_that_spells_no_position_is_refused_with_one_that_does(token: str) -> None:
    rules = of("increasing-differences", length="3", range="6")
    assert bad_position(rules, token) == (f"bad position {token!r}; 5 numbers joined by dots, like 126.0.0.0.0")


def test_a_position_of_one_number_has_no_dots() -> None:
    assert bad_position(of("double-up"), "x") == "bad position 'x'; a number, like 1"
    assert bad_position(of("double-up"), "2.2") == "bad position '2.2'; a number, like 1"
    assert of("double-up").read_position("100") == (100,)
    assert bad_position(of("double-up"), "y" * 100) == f"bad position '{'y' * 40}...'; a number, like 1"


def test_a_field_of_a_position_is_below_its_bound() -> None:
    assert bad_position(of("double-up"), "101") == "bad position '101'; last is 101, and must be below 101"
    rules = of("double-up")
    with pytest.raises(BadPosition, match="last is -1, and must be below 101"):
        rules.check_position(rules.position([-1]))
    assert of("double-up", limit="none").read_position("1" + "0" * 50) == (10**50,)


def test_the_game_says_what_else_cannot_be() -> None:
    assert bad_position(of("double-up"), "0") == (
        "bad position '0'; the sequence begins with 1, so its last number is never 0"
    )


def test_a_position_of_another_game_is_none() -> None:
    rules: Any = of("double-up")
    for foreign in (of("sequence-spot", grid=DEAD).start, (1,)):
        with pytest.raises(BadPosition, match="it is not a position of Double Up"):
            rules.check_position(foreign)


def test_a_position_is_checked_once_and_another_one_again() -> None:
    rules = of("double-up")
    good = rules.position([7])
    for _ in range(2):
        rules.check_position(good)
    with pytest.raises(BadPosition):
        rules.check_position(rules.position([101]))
    rules.check_position(good)


def test_where_nobody_can_move_the_game_has_to_be_over() -> None:
    """Whatever a game leaves open, nobody is shown a position without a move."""
    own: Any = catalog.find_game("double-up")
    game = replace(
        own,
        rules=replace(
            own.rules,
            moves=lambda options, position: marked(0) if position.last == 7 else between(8, 9),
            impossible=lambda options, position: "never 9" if position.last == 9 else None,
        ),
    )
    rules = Rules(game, game.defaults)
    rules.check_position(rules.position([8]))
    with pytest.raises(BadPosition, match="bad position '7'; there is no legal move, yet the game is not over"):
        rules.check_position(rules.position([7]))
    with pytest.raises(BadPosition, match="bad position '9'; never 9"):
        rules.check_position(rules.position([9]))
    rules.check_position(rules.position([100]))  # the end


def test_moves_are_spoken_of_as_the_table_shows_them() -> None:
    assert of("sequence-spot", grid="2,7,6,9,5,1,4,3,8").spoken([1, 6]) == ["2", "1"]
    assert of("sequence-spot").spoken([1, 6]) == ["1,1", "2,3"], "before a grid is dealt"
    assert of("sequence-builder").spoken([3, PASS]) == ["3", "pass"]


def test_moves_are_played_from_the_start() -> None:
    for key, moves in (("double-up", "2 4 5"), ("increasing-differences", "5 7 8"), ("sequence-builder", "5 7")):
        rules = of(key)
        played = [int(word) for word in moves.split()]
        assert rules.position_after(played) == after(rules, moves)
    assert of("double-up").position_after([]) == of("double-up").start


def test_a_line_of_moves_that_may_not_be_played_has_no_position() -> None:
    with pytest.raises(IllegalMove, match=r"illegal move '5': 5 is more than 4, the double of 2; legal: 3, 4"):
        of("double-up").position_after([2, 5])
    with pytest.raises(GameOver):
        of("double-up", limit="2").position_after([2, 3])


def test_the_referee_takes_numbers_and_texts() -> None:
    rules = of("double-up")
    assert rules.play(rules.start, "2") == rules.play(rules.start, 2) == rules.position([2])
    assert rules.position_after(["2", 4, "5"]) == rules.position([5])
    spot = of("sequence-spot", grid="2,7,6,9,5,1,4,3,8")
    with pytest.raises(UnreadableMove, match="as a text it is 1,3, and as a number 2,3"):
        spot.play(spot.start, "6")
