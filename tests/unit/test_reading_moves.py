"""How moves are read, whatever a game calls them: the inverse of naming, and forgiving where it can be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import pytest

from parlour.catalog import find_game
from parlour.errors import IllegalMove, MoveRefused, UnreadableMove
from parlour.game import MOVER_LOSES, ONGOING, Bounds, Content, Display, Game, GameRules, Moment, marked, number_name
from parlour.notation import MAX_TEXT_LENGTH
from parlour.rules import Rules, read_rules
from parlour.view import View


class Options(NamedTuple):
    pass


class Position(NamedTuple):
    left: int  # bit n: move n may still be played


def game_of(*names: str) -> Rules[Options, Position]:
    """Every move may be played once; the moves are called 1st, 2nd, ... of these names."""

    def name(options: Options, move: int) -> str:
        assert 1 <= move <= len(names), "only moves of the game are asked for"
        return names[move - 1]

    def view(moment: Moment[Options, Position]) -> View:
        return ()

    game: Game[Options, Position] = Game(
        key="names",
        title="Names",
        version=1,
        options=Options,
        rules=GameRules(
            start=lambda options: Position((2 << len(names)) - 2),
            moves=lambda options, position: marked(position.left),
            play=lambda options, position, move: Position(position.left ^ 1 << move),
            result=lambda options, position: ONGOING if position.left else MOVER_LOSES,
            bounds=lambda options: Bounds(len(names) + 1, len(names), (2 << len(names),)),
        ),
        display=Display(
            view=view,
            name=name,
            refusal=lambda options, position, move: "it has been played already",
        ),
        content=Content(
            summary="",
            rules_text="",
        ),
    )
    return Rules(game, Options())


def reader(*names: str) -> Callable[[str], str]:
    """What a text is read as, by its name."""
    rules = game_of(*names)
    return lambda text: rules.name(rules.read(rules.start, text))


@pytest.mark.parametrize(
    "text",
    ["a1-b2", "A1-B2", " a1-b2 ", "a1 b2", "a1b2", "A1 - B2", "(a1-b2)", "[a1, b2]", "{a1/b2}", "a1-b2.", "a 1 b 2"],
)
def test_a_move_from_square_to_square(text: str) -> None:
    assert reader("a1-b1", "a1-b2", "a2-b1", "a2-b2")(text) == "a1-b2"


@pytest.mark.parametrize("text", ["a10", "A10", "a 10", "a010", "(a,10)", "a-10"])
def test_a_lettered_square(text: str) -> None:
    assert reader("a1", "a10", "b1", "b10", "a-1")("a10") == "a10"
    assert reader("a1", "a10", "b1", "b10", "b-1")(text) == "a10"


@pytest.mark.parametrize(
    "text", ["", " ", "a", "1", "a3", "a1a1", "a1xb1", "a1_b1", "a1--b9", "a\n1x", "١", "a²", "aa1", "-", "()", "!a1"]
)
def test_what_names_no_move_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadableMove) as refusal:
        reader("a1", "b1", "a1-b1")(text)
    assert refusal.value.legal == "a1  b1  a1-b1"


def test_the_exact_name_comes_first() -> None:
    read = reader("1-11", "11-1", "111")
    assert read("111") == "111"
    assert read("1-11") == read("1 11") == read("(1,11)") == "1-11"
    assert read("11 1") == "11-1"


def test_a_text_that_could_mean_two_moves_means_none() -> None:
    read = reader("1,11", "11,1", "1,2")
    with pytest.raises(UnreadableMove):
        read("111")
    assert read("1 2") == "1,2"
    read = reader("a-1", "a+1", "b-1")
    assert read("a-1") == "a-1"
    assert read("a+1") == "a+1"
    assert read("b1") == "b-1"
    with pytest.raises(UnreadableMove):
        read("a1")


def test_nothing_taken_from_one_heap_is_a_part_too() -> None:
    read = reader("0,2", "2,0", "2,2", "0,12")
    assert read("0,2") == read("0 2") == read("(00,02)") == "0,2"
    assert read("2 0") == "2,0"
    assert read("0 12") == "0,12"
    for text in ("2", "02", "20", "012"):
        with pytest.raises(UnreadableMove):
            read(text)


def test_digits_that_run_together_are_one_number() -> None:
    read = reader("a1,1", "a1,2", "b,11", "1,1", "3,3")
    assert read("a1 1") == "a1,1"
    assert read("b11") == "b,11"
    for text in ("a11", "a 11", "b 1 1", "11", "33", "(33)", "011"):
        with pytest.raises(UnreadableMove):
            read(text)


def test_a_slip_at_the_grid_of_sequence_spot_marks_nothing() -> None:
    rules = read_rules(find_game("sequence-spot"), {"grid": "6,1,8,7,5,3,2,9,4"})
    for text in ("11", "33", "12", "99", "0", "10"):
        with pytest.raises(MoveRefused):
            rules.read(rules.start, text)
    assert rules.name(rules.read(rules.start, "6")) == "1,1"  # the number in a cell ...
    for text in ("2,1", "2 1", "(2, 1)"):  # ... or its row and column
        assert rules.name(rules.read(rules.start, text)) == "2,1"


def test_a_pass_in_brackets_names_no_move() -> None:
    with pytest.raises(UnreadableMove):
        reader("a1", "b1")("(pass)")


def test_names_of_a_game_that_need_not_end_are_not_listed() -> None:
    game = game_of("a1", "b1").game
    endless = replace(game, rules=replace(game.rules, bounds=lambda options: None))
    rules = Rules(endless, Options())
    assert rules.name(2) == "b1"
    with pytest.raises(UnreadableMove):
        rules.read(rules.start, "b1")


def test_only_separators_that_people_or_the_names_use_are_overlooked() -> None:
    assert reader("a+b")("a + b") == "a+b"
    assert reader("a+b")("a,b") == "a+b"
    with pytest.raises(UnreadableMove):
        reader("a,b")("a+b")


def test_letters_of_any_alphabet_are_letters() -> None:
    assert reader("ж1", "я1")("Ж 1") == "ж1"


def test_a_move_that_was_played_is_illegal_not_unreadable() -> None:
    rules = game_of("a1", "b1")
    later = rules.play(rules.start, rules.read(rules.start, "a1"))
    with pytest.raises(IllegalMove, match=r"illegal move 'A 1': it has been played already; legal: b1"):
        rules.read(later, "A 1")


@pytest.mark.parametrize("move", [-1, 0, 3, 10**30])
def test_a_number_that_is_no_move_is_refused_without_asking_the_game(move: int) -> None:
    rules = game_of("a1", "b1")
    with pytest.raises(IllegalMove) as refusal:
        rules.play(rules.start, move)
    assert refusal.value.reason in (
        "there is no such move in this game",
        "you can still move, so you cannot pass",
    )


def test_an_endless_text_is_soon_given_up() -> None:
    with pytest.raises(UnreadableMove, match="unreadable move 'a a a"):
        reader("a1")("a " * MAX_TEXT_LENGTH)


def test_more_than_62_moves_are_as_good_as_any() -> None:
    squares = [f"{file}{rank}" for file in "abcdefgh" for rank in range(1, 9)]
    names = [f"{origin}-{target}" for origin in squares for target in squares if origin != target]
    rules = game_of(*names)
    position = rules.start
    assert len(rules.legal(position)) == 4032
    for text in ("a1-h8", "H8 A1", "d4d5"):
        position = rules.play(position, rules.read(position, text))
    assert len(rules.legal(position)) == 4029


def test_numbers_are_read_as_numbers() -> None:
    game = game_of("a1", "b1").game
    rules = Rules(replace(game, display=replace(game.display, name=number_name)), Options())
    for text in ("2", " 2 ", "(2)", "[ 02 ]", "2."):
        assert rules.read(rules.start, text) == 2
    for text in ("2 1", "2,1", "two", "-2", "2.0", "1e1"):
        with pytest.raises(UnreadableMove):
            rules.read(rules.start, text)
