"""Parlour as a library: what a program asks for it gets, and what cannot be is refused at once, with the reason."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import parlour
from parlour import players, saves
from parlour.errors import BadArgument, NoSuchRecord, ParlourError
from parlour.game import Move
from parlour.names import check_names
from parlour.options import declared, read_options, show_options
from parlour.rules import Rules
from tests.support.tabletop import begin

double_up = parlour.find_game("double-up")
rules = parlour.rules_of(double_up, limit=30)
other = parlour.rules_of("sequence-builder", pool=12)


# Games, rules, matches.


def test_games_are_found_by_what_people_call_them() -> None:
    for word in ("double-up", "Double Up", "double_up", "double", "  DOUBLE   up "):
        assert parlour.find_game(word) is double_up
    assert double_up in parlour.list_games()


@pytest.mark.parametrize(
    ("value", "shown"), [(30, "30"), ("30", "30"), (None, "none"), ("none", "none"), ([30], "30"), ((30,), "30")]
)
def test_an_option_is_given_as_a_program_has_it(value: Any, shown: str) -> None:
    assert parlour.rules_of("double-up", limit=value).option_texts == {"limit": shown}
    assert parlour.new_match("double-up", limit=value).rules.option_texts == {"limit": shown}


def test_a_pickled_game_is_read_with_its_parts_or_with_all_fields_on_one_level() -> None:
    """The second is the form of version 0.1.0."""
    game = parlour.find_game("sequence-spot")
    flat: dict[str, Any] = {"key": game.key, "title": game.title, "version": game.version, "options": game.options}
    for part in (game.rules, game.rounds, game.search, game.display, game.content):
        flat |= vars(part)
    flat["rounds"] = flat.pop("maximum")
    old = parlour.Game.__new__(parlour.Game)
    old.__setstate__(flat)
    for found in (old, pickle.loads(pickle.dumps(game))):
        assert _all_fields(found) == _all_fields(game)


def _all_fields(game: parlour.Game) -> dict[str, Any]:
    return {name: value if isinstance(value, str | int | type) else vars(value) for name, value in vars(game).items()}


def test_several_numbers_are_given_as_such() -> None:
    for increments in ([1, 3], (3, 1), {1, 3}, range(1, 4, 2), "1,3", iter([1, 3])):
        assert parlour.rules_of("sequence-builder", increments=increments).option_texts["increments"] == "1,3"
    assert parlour.rules_of("sequence-builder", increments=2).option_texts["increments"] == "2"
    grid = [4, 9, 2, 3, 5, 7, 8, 1, 6]
    assert parlour.rules_of("sequence-spot", grid=grid, max_rounds=3).option_texts["grid"] == "4,9,2,3,5,7,8,1,6"


@pytest.mark.parametrize(
    ("key", "given", "shown"),
    [
        ("double-up", {"limit": None}, (None,)),
        ("double-up", {}, (100,)),
        ("sequence-builder", {"increments": [3, 1]}, (4, 20, (1, 3))),
        ("pyramid-challenge", {"copies": "2"}, (3, 9, 2)),
        ("sequence-spot", {"deal": "lively"}, (None, "lively", None)),
        ("sequence-spot", {"grid": "4,9,2,3,5,7,8,1,6", "max_rounds": 3}, ((4, 9, 2, 3, 5, 7, 8, 1, 6), "any", 3)),
    ],
)
def test_options_read_as_python_values_and_can_be_given_so(key: str, given: dict[str, Any], shown: Any) -> None:
    rules = parlour.rules_of(key, **given)
    assert rules.options == parlour.Setup(rules).options == shown
    assert parlour.rules_of(key, **rules.options._asdict()) == rules
    assert all(type(value) is int for value in rules.packed)
    assert rules == parlour.Rules(rules.game, rules.options) == parlour.Rules(rules.game, rules.packed)
    assert show_options(rules.packed) == show_options(rules.options) == rules.option_texts


def test_a_deal_reads_as_python_values_too() -> None:
    match = parlour.new_match("sequence-spot", seed=7)
    assert match.options.grid == match.round.options.grid  # type: ignore[attr-defined]
    assert sorted(match.options.grid) == list(range(1, 10))  # type: ignore[attr-defined]
    assert match.moment.options == match.rules.packed


def test_pickled_rules_of_version_0_1_0_have_packed_options() -> None:
    rules = parlour.rules_of("sequence-builder", increments=[1, 2])
    old = parlour.Rules.__new__(parlour.Rules)
    old.__setstate__({"game": rules.game, "options": rules.packed})
    assert (old.packed, old.options) == (rules.packed, rules.options)


def test_options_that_are_not_given_are_the_book_s() -> None:
    for game in parlour.list_games():
        assert parlour.rules_of(game).options == game.defaults
        assert parlour.rules_of(game.key) == parlour.rules_of(game)


def test_no_option_of_a_game_is_called_like_a_part_of_every_match() -> None:
    for game in parlour.list_games():
        assert not {"names", "first", "seed"} & set(declared(game.options))


def test_a_match_begins_as_agreed() -> None:
    begun = parlour.new_match("double-up", names=["Ann", "Ben"], first=2, seed=7, limit=40)
    assert begun.names == ("Ann", "Ben")
    assert begun.turn == 2
    assert begun.setup.seed == "7"
    assert begun.options == (40,)
    assert begun.setup.players == ("human", "human")


def test_the_same_seed_deals_the_same_and_no_seed_a_new_one() -> None:
    def dealt(seed: int | str | None) -> tuple[int, ...]:
        return parlour.new_match("sequence-spot", seed=seed).options

    assert dealt(3) == dealt("3") != dealt(4)
    assert len({dealt(None) for _ in range(20)}) > 10  # of 362,880


def test_a_line_of_moves_is_a_text_or_a_list() -> None:
    one, two = parlour.new_match("double-up"), parlour.new_match("double-up")
    one.play_line("2 4  5\n")
    two.play_line(["2", "4", "5"])
    assert one.round.moves == two.round.moves == [2, 4, 5]


# Solving.


def test_a_match_and_its_rules_can_be_solved() -> None:
    """From 14 one comes to 15 to 28, all of which reach 30; from 6 to 7 to 12, which reach 14; from 2 to 3 or 4."""
    assert parlour.solve(rules) == parlour.Score(parlour.Value.WIN, 7)
    assert parlour.solve(begin("double-up", "2", limit=30)) == parlour.Score(parlour.Value.LOSS, 6)
    over = begin("double-up", "2", limit=2)
    assert parlour.solve(over) == parlour.Score(parlour.Value.LOSS, 0)


def test_a_table_knows_which_positions_it_has() -> None:
    table = parlour.tabulate(rules)
    assert repr(table) == "<ScoreTable of Double Up: limit=30, 29 positions>"
    assert repr(parlour.Solver(rules)) == "<Solver of Double Up: limit=30>"
    assert rules.start in table
    assert rules.position([30]) not in table
    assert {position.last for position, score in table.items() if score.value is parlour.Value.LOSS} == {2, 6, 14}  # type: ignore[attr-defined]


def test_players_play_a_match_to_its_end() -> None:
    class Lowest:
        def choose(self, match: parlour.Match, random: Random, limit: parlour.Limit | None = None) -> int:
            return match.legal_moves[0]

        def close(self) -> None:
            pass

    finished = begin("double-up", limit=5)
    assert parlour.play_out(finished, [Lowest(), Lowest()]) == finished.outcome
    assert finished.round.moves == [2, 3, 4, 5]
    assert finished.outcome == parlour.Outcome(2, "won")


# What is refused: with an error of ours, early, in one line that says what would do.


class NoPlayer:
    """Something that is no player."""


LONG = "x" * 5000

growing = begin("double-up", limit=None)
growing.play_all(2**power for power in range(1, 11))
MISTAKES: list[tuple[type[ParlourError], Callable[[], object], str]] = [
    # Games.
    (parlour.UnknownGame, lambda: parlour.find_game("chess"), "'chess'; known games: "),
    (parlour.UnknownGame, lambda: parlour.find_game("sequence"), "could be any of: sequence-builder, sequence-spot"),
    (parlour.UnknownGame, lambda: parlour.find_game(3), "3; known games"),  # type: ignore[arg-type]
    (parlour.UnknownGame, lambda: parlour.find_game(None), "None; known games"),  # type: ignore[arg-type]
    (parlour.UnknownGame, lambda: parlour.rules_of("chess"), "'chess'; known games"),
    (parlour.UnknownGame, lambda: parlour.new_match("chess"), "'chess'; known games"),
    (parlour.BadOptions, lambda: parlour.Rules("double-up", (30,)), "options of Double Up are needed"),  # type: ignore[type-var]
    (parlour.UnknownGame, lambda: parlour.find_game(""), "''"),
    (parlour.UnknownGame, lambda: parlour.find_game(LONG), "'xxxx"),
    (parlour.UnknownGame, lambda: parlour.find_game("\x1b[31m\n"), "'?[31m?'"),
    # Options.
    (parlour.BadOptions, lambda: parlour.rules_of("double-up", limit=LONG), "'xxxx"),
    (parlour.BadOptions, lambda: parlour.rules_of("double-up", limit="\n\x00"), "'??'"),
    (parlour.BadOptions, lambda: parlour.rules_of("increasing-differences", length=9, range=8), "length 9"),
    (parlour.BadOptions, lambda: parlour.rules_of("pyramid-challenge", highest=60, copies=60), "copies 60"),
    (
        parlour.BadOptions,
        lambda: read_options(parlour.find_game("sequence-spot").options, {"max_rounds": "0"}),
        "max-rounds '0'",
    ),
    (
        parlour.BadOptions,
        lambda: parlour.rules_of("double-up", limt=5),
        "'limt' (did you mean 'limit'?); known options: limit",
    ),
    (parlour.BadOptions, lambda: parlour.rules_of("double-up", speed=5), "'speed'; known options: limit"),
    (parlour.BadOptions, lambda: parlour.new_match("double-up", players=("a", "b")), "known options: limit"),
    (parlour.BadOptions, lambda: parlour.rules_of("double-up", limit=1), "bad limit '1'; allowed: a number from 2"),
    (parlour.BadOptions, lambda: parlour.rules_of("double-up", limit=-5), "bad limit '-5'; allowed"),
    (parlour.BadOptions, lambda: parlour.rules_of("double-up", limit="many"), "bad limit 'many'; allowed"),
    (parlour.BadOptions, lambda: parlour.rules_of("double-up", limit=2.5), "bad limit 2.5; give a number"),  # type: ignore[arg-type]
    (parlour.BadOptions, lambda: parlour.rules_of("double-up", limit=True), "bad limit True; give a number"),
    (parlour.BadOptions, lambda: parlour.rules_of("double-up", limit=[2, 3]), "bad limit '2,3'; allowed"),
    (parlour.BadOptions, lambda: parlour.rules_of("double-up", limit=["x"]), "bad limit ['x']; give a number"),  # type: ignore[list-item]
    (parlour.BadOptions, lambda: parlour.rules_of("sequence-spot", max_rounds=0), "bad max-rounds '0'; allowed"),
    (parlour.BadOptions, lambda: parlour.rules_of("sequence-spot", grid=[1, 2, 3]), "bad grid '1,2,3'; allowed"),
    (parlour.BadOptions, lambda: parlour.rules_of("sequence-builder", pool=3), "not 3"),
    (parlour.BadOptions, lambda: parlour.Rules(double_up, (30,)), "options of Double Up are needed, not (30,)"),  # type: ignore[type-var]
    (parlour.BadOptions, lambda: parlour.Rules(double_up, other.options), "options of Double Up are needed"),
    (
        parlour.BadOptions,
        lambda: parlour.Setup(parlour.Rules(double_up, double_up.options(1))),
        "bad limit '1'; allowed",
    ),  # type: ignore[call-arg]
    (
        parlour.BadOptions,
        lambda: parlour.Setup(parlour.Rules(double_up, double_up.options("30"))),
        "bad limit '30'; allowed",
    ),  # type: ignore[call-arg]
    (parlour.BadOptions, lambda: parlour.rules_of("sequence-spot").start, "still to be dealt"),
    (parlour.BadOptions, lambda: parlour.solve(parlour.rules_of("sequence-spot")), "still to be dealt"),
    (parlour.BadOptions, lambda: parlour.tabulate(parlour.rules_of("sequence-spot")), "still to be dealt"),
    (parlour.BadOptions, lambda: parlour.playouts(parlour.rules_of("sequence-spot"), 1), "still to be dealt"),
    # Names, players, seeds.
    (parlour.BadName, lambda: begin("double-up", names=("Ann", "Ann")), "different names"),
    (parlour.BadName, lambda: begin("double-up", names=("Ann",)), "a pair of them"),
    (parlour.BadName, lambda: begin("double-up", names="AB"), "a pair of them"),
    (parlour.BadName, lambda: begin("double-up", names=("Ann", 2)), "bad name 2; a name is a text"),
    (parlour.BadName, lambda: begin("double-up", names=None), "a pair of them"),
    (parlour.BadName, lambda: begin("double-up", names=("Ann", "")), "at least one letter"),
    (parlour.BadName, lambda: check_names(("", "Bob")), "''"),
    (parlour.BadName, lambda: check_names(("Ann", " Bob")), "' Bob'"),
    (parlour.BadName, lambda: check_names(("Ann", LONG)), "'xxxx"),
    (parlour.BadName, lambda: check_names(("Ann", "B\nb")), "'B?b'"),
    (parlour.BadName, lambda: check_names(("Ann", "ANN")), "'Ann'"),
    (BadArgument, lambda: begin("double-up", first=0), "no player 0; 1 or 2"),
    (BadArgument, lambda: begin("double-up", seed=True), "bad seed True; give a whole number or a text"),
    (BadArgument, lambda: begin("double-up", seed=1.5), "bad seed 1.5"),  # type: ignore[arg-type]
    (
        BadArgument,
        lambda: begin("double-up").play_all("23"),
        "several moves are needed, not '23'; give a list of them; play_line reads a text",
    ),  # type: ignore[arg-type]
    (BadArgument, lambda: begin("double-up").play_all(2), "several moves are needed, not 2; give a list"),  # type: ignore[arg-type]
    (BadArgument, lambda: begin("double-up").play_line(2), "several moves are needed, not 2"),  # type: ignore[arg-type]
    (BadArgument, lambda: begin("double-up").play_line(b"2 4"), "several moves are needed, not b'2 4'"),  # type: ignore[arg-type]
    (BadArgument, lambda: rules.position_after("24"), "several moves are needed, not '24'"),
    (BadArgument, lambda: rules.position_after(None), "several moves are needed, not None"),  # type: ignore[arg-type]
    (BadArgument, lambda: rules.names(5), "several moves are needed, not 5"),  # type: ignore[arg-type]
    (BadArgument, lambda: rules.position(15), "several numbers are needed, not 15"),  # type: ignore[arg-type]
    (BadArgument, lambda: rules.position("15"), "several numbers are needed, not '15'"),  # type: ignore[arg-type]
    (BadArgument, lambda: parlour.Solver(rules).choices(rules.position([5]), moves="67"), "several moves are needed"),
    (BadArgument, lambda: parlour.Solver(rules).values(rules.position([5]), moves=6), "several moves are needed"),  # type: ignore[arg-type]
    (BadArgument, lambda: begin("double-up").repeat(parlour.Action("surrender")), "bad action Action(kind='surrender'"),
    (BadArgument, lambda: begin("double-up").repeat(None), "bad action None; one of the log of a match"),  # type: ignore[arg-type]
    (
        BadArgument,
        lambda: begin("double-up").with_setup(parlour.Setup("sequence-builder")),  # type: ignore[arg-type]
        "bad set-up Setup(rules=<Rules of Sequence Builder",
    ),
    (
        BadArgument,
        lambda: begin("double-up").with_setup(None),  # type: ignore[arg-type]
        "bad set-up None; give one of Double Up: limit=100 in which player 1 begins",
    ),
    (BadArgument, lambda: begin("double-up").with_setup(parlour.Setup(rules)), "one of Double Up: limit=100"),
    (
        BadArgument,
        lambda: begin("double-up", limit=30).with_setup(parlour.Setup(rules, first=2)),
        "give one of Double Up: limit=30 in which player 1 begins",
    ),
    (BadArgument, lambda: begin("double-up").at("1"), "no step '1'; from 0 to 0"),  # type: ignore[arg-type]
    (BadArgument, lambda: rules.view(rules.start), "a moment is needed, not Position(last=1); like match.moment"),  # type: ignore[arg-type]
    (BadArgument, lambda: rules.after(rules.start, "2"), "bad move '2'; give a whole number"),  # type: ignore[arg-type]
    (BadArgument, lambda: rules.name(True), "bad move True"),
    (parlour.BadOptions, lambda: begin("double-up", limit=10**5000), "bad limit: that number has too many digits"),
    (
        parlour.TooBig,
        lambda: growing.legal_names,
        "more than 1,000 moves are too many to list: 1025-2048",
    ),
    (BadArgument, lambda: begin("double-up", first="Ann"), "no player 'Ann'; 1 or 2"),
    (BadArgument, lambda: begin("double-up").resign("Ann"), "no player 'Ann'"),  # type: ignore[arg-type]
    (BadArgument, lambda: begin("double-up").resign(3), "no player 3"),
    (BadArgument, lambda: parlour.Setup(Rules(double_up, double_up.defaults), players=("human",)), "two words"),  # type: ignore[arg-type]
    (
        BadArgument,
        lambda: parlour.Setup(Rules(double_up, double_up.defaults), seed=1.5),
        "bad seed 1.5; give a whole number or a text",
    ),  # type: ignore[arg-type]
    (BadArgument, lambda: parlour.Setup(Rules(double_up, double_up.defaults), cap=0), "at least 1"),
    # Moves.
    (parlour.IllegalMove, lambda: begin("double-up").play("5"), "illegal move '5': 5 is more than 2"),
    (parlour.IllegalMove, lambda: begin("double-up").play(5), "illegal move '5': 5 is more than 2"),
    (parlour.IllegalMove, lambda: begin("double-up").play(-1), "legal: 2"),
    (parlour.IllegalMove, lambda: begin("double-up").play(10**30), "legal: 2"),
    (parlour.IllegalMove, lambda: begin("double-up").play("pass"), "you cannot pass"),
    (parlour.UnreadableMove, lambda: begin("double-up").play("x"), "unreadable move 'x': please select"),
    (parlour.UnreadableMove, lambda: begin("double-up").play(""), "unreadable move '': please select"),
    (parlour.UnreadableMove, lambda: begin("double-up").play(2.0), "unreadable move 2.0: a move is a whole number"),  # type: ignore[arg-type]
    (parlour.UnreadableMove, lambda: begin("double-up").play(True), "unreadable move True: a move is a whole number"),
    (parlour.UnreadableMove, lambda: begin("double-up").play(None), "unreadable move None: a move is a whole number"),  # type: ignore[arg-type]
    (parlour.UnreadableMove, lambda: begin("double-up").play([2]), "unreadable move [2]: a move is a whole number"),  # type: ignore[arg-type]
    (parlour.UnreadableMove, lambda: begin("double-up").play(b"2"), "a move is a whole number"),  # type: ignore[arg-type]
    (parlour.UnreadableMove, lambda: begin("double-up").read(2), "unreadable move 2: the name of a move is a text"),  # type: ignore[arg-type]
    (parlour.UnreadableMove, lambda: rules.play(rules.start, b"2"), "a move is a whole number"),  # type: ignore[arg-type]
    (
        parlour.UnreadableMove,
        lambda: begin("sequence-spot", seed=1).play("4,4x"),
        "please select the number of a free cell",
    ),
    (parlour.UnreadableMove, lambda: begin("double-up").read("x"), "'x'"),
    (parlour.UnreadableMove, lambda: begin("double-up").read(LONG), "'xxxx"),
    (parlour.UnreadableMove, lambda: begin("double-up").read("\x1b[2J"), "'?[2J'"),
    (parlour.IllegalMove, lambda: begin("double-up", "2").read("9"), "'9'"),
    (parlour.IllegalMove, lambda: begin("double-up", "2").play(9), "'9'"),
    (parlour.IllegalMove, lambda: begin("double-up", "2").play(0), "'pass'"),
    (parlour.IllegalMove, lambda: begin("double-up", "2").read("pass"), "'pass'"),
    (parlour.IllegalMove, lambda: begin("sequence-spot", "2,2").read("2 2"), "'2 2'"),
    (parlour.IllegalMove, lambda: begin("sequence-spot", "2,2").play(Move(5)), "'2,2'"),
    (parlour.GameOver, lambda: begin("double-up", "2", limit=2).play("3"), "the game is over"),
    (parlour.GameOver, lambda: begin("double-up", "2", limit=2).play(3), "the game is over"),
    (parlour.GameOver, lambda: begin("double-up", "2", limit=2).read("3"), "'3'"),
    (parlour.GameOver, lambda: begin("double-up", "2", limit=2).resign(1), "the game is over"),
    (parlour.GameOver, lambda: begin("double-up", "2", limit=2).next_round(), "the game is over"),
    (parlour.NothingToUndo, lambda: begin("double-up").undo(), "nothing has been played yet"),
    (parlour.NoNextRound, lambda: begin("double-up").next_round(), "a player can still win it"),
    (BadArgument, lambda: begin("double-up").at(1), "no step 1; from 0 to 0"),
    (BadArgument, lambda: begin("double-up", "2").at(-1), "no step -1; from 0 to 1"),
    # Positions.
    (parlour.BadPosition, lambda: rules.legal(other.start), "Double Up has positions like Position(last=1)"),
    (parlour.BadPosition, lambda: rules.legal((1,)), "bad position (1,); Double Up has positions like"),  # type: ignore[arg-type]
    (parlour.BadPosition, lambda: rules.legal((1,)), "Rules.position makes one of numbers"),  # type: ignore[arg-type]
    (parlour.BadPosition, lambda: rules.play(other.start, 2), "Double Up has positions like"),
    (parlour.BadPosition, lambda: rules.read(other.start, "2"), "Double Up has positions like"),
    (parlour.BadPosition, lambda: rules.result(None), "bad position None"),  # type: ignore[arg-type]
    (parlour.BadPosition, lambda: rules.is_over(begin("double-up")), "bad position <Match of Double Up"),  # type: ignore[arg-type]
    (parlour.BadPosition, lambda: rules.count_legal(other.start), "Double Up has positions like"),
    (parlour.BadPosition, lambda: rules.settled(other.start), "Double Up has positions like"),
    (parlour.BadPosition, lambda: rules.canonical(other.start), "Double Up has positions like"),
    (parlour.BadPosition, lambda: rules.expected(other.start), "Double Up has positions like"),
    (parlour.BadPosition, lambda: rules.position([1, 2]), "bad position (1, 2); give 1 number"),
    (parlour.BadPosition, lambda: rules.position(["x"]), "bad position ('x',); give 1 number"),  # type: ignore[list-item]
    (parlour.BadPosition, lambda: rules.check_position(rules.position([31])), "bad position '31'"),
    (parlour.BadPosition, lambda: rules.check_position(None), "bad position 'None'"),  # type: ignore[arg-type]
    (parlour.BadPosition, lambda: rules.read_position(5), "bad position '5'; a number"),  # type: ignore[arg-type]
    (parlour.BadPosition, lambda: rules.read_position("x"), "bad position 'x'; a number"),
    # Solving.
    (parlour.UnknownGame, lambda: parlour.Solver(begin("double-up")), "give its name or rules"),  # type: ignore[arg-type]
    (parlour.UnknownGame, lambda: parlour.tabulate(begin("double-up")), "a game is needed, not <Match of"),  # type: ignore[arg-type]
    (BadArgument, lambda: parlour.playouts(rules, -1), "bad games -1; give a whole number of at least 0"),
    (BadArgument, lambda: parlour.playouts(rules, 1.5), "bad games 1.5; give a whole number"),  # type: ignore[arg-type]
    (BadArgument, lambda: parlour.playouts(rules, 5, seed="x"), "bad seed 'x'; give a whole number"),  # type: ignore[arg-type]
    (parlour.UnknownGame, lambda: parlour.Solver("chess"), "known games: "),
    (parlour.UnknownGame, lambda: parlour.Setup("chess"), "known games: "),
    (BadArgument, lambda: parlour.solve(rules, rules.start), "a limit is needed, not Position(last=1)"),  # type: ignore[arg-type]
    (BadArgument, lambda: parlour.solve(begin("double-up"), 5), "a limit is needed, not 5; like Limit(seconds=10)"),  # type: ignore[arg-type]
    (BadArgument, lambda: parlour.tabulate(rules, 5), "a limit is needed, not 5"),  # type: ignore[arg-type]
    (parlour.BadPosition, lambda: parlour.playouts(rules, 5, position=other.start), "not a position of Double Up"),
    (parlour.BadPosition, lambda: parlour.Solver(rules).score(other.start), "not a position of Double Up"),
    (parlour.BadPosition, lambda: parlour.Solver(rules).choices((1,)), "not a position of Double Up"),  # type: ignore[arg-type]
    (parlour.BadPosition, lambda: parlour.Solver(rules).best(None), "not a position of Double Up"),  # type: ignore[arg-type]
    (parlour.BadPosition, lambda: parlour.Solver(rules).line(begin("double-up")), "not a position of Double Up"),  # type: ignore[arg-type]
    (parlour.IllegalMove, lambda: parlour.Solver(rules).choices(rules.start, moves=[9]), "illegal move '9'"),
    (parlour.UnreadableMove, lambda: parlour.Solver(rules).values(rules.start, moves=["x"]), "unreadable move 'x'"),
    (
        parlour.IllegalMove,
        lambda: parlour.Solver(rules).keeps(rules.start, 9, parlour.Score(parlour.Value.DRAW)),
        "illegal move '9'",
    ),
    (parlour.BadPosition, lambda: parlour.tabulate(rules).score(rules.position([30])), "it is over"),
    (parlour.BadPosition, lambda: parlour.tabulate(rules).score(other.start), "Double Up has positions like"),
    (parlour.TooBig, lambda: parlour.solve(parlour.rules_of("double-up", limit=None)), "need not end"),
    (parlour.TooBig, lambda: parlour.tabulate(parlour.rules_of("double-up", limit=None)), "need not end"),
    (parlour.TooBig, lambda: parlour.playouts(parlour.rules_of("double-up", limit=None), 1), "need not end"),
    (parlour.TooBig, lambda: parlour.solve(other, parlour.Limit(nodes=1)), "within 1 positions searched"),
    # Limits.
    (BadArgument, lambda: parlour.Limit(seconds=-1), "bad seconds -1; give a number that is not negative"),
    (BadArgument, lambda: parlour.Limit(seconds=float("nan")), "bad seconds nan; give a number that is not negative"),
    (BadArgument, lambda: parlour.Limit(seconds="5"), "bad seconds '5'; give a number that is not negative"),  # type: ignore[arg-type]
    (BadArgument, lambda: parlour.Limit(seconds=True), "bad seconds True; give a number"),
    (BadArgument, lambda: parlour.Limit(nodes=-1), "bad nodes -1; give a whole number of at least 0"),
    (BadArgument, lambda: parlour.Limit(nodes=1e6), "bad nodes 1000000.0; give a whole number of at least 0"),  # type: ignore[arg-type]
    (BadArgument, lambda: parlour.Limit(memory=None), "bad memory None; give a whole number of at least 0"),  # type: ignore[arg-type]
    (BadArgument, lambda: parlour.Limit().part(nodes=-1), "bad nodes -1; give a whole number of at least 0"),
    (BadArgument, lambda: parlour.Limit().part("x"), "bad seconds 'x'; give a number that is not negative, or None"),
    # Matches and study.
    (BadArgument, lambda: parlour.Match("double-up"), "a set-up is needed, not 'double-up'; new_match"),  # type: ignore[arg-type]
    (BadArgument, lambda: parlour.Match(rules), "a set-up is needed, not <Rules of Double Up"),  # type: ignore[arg-type]
    (BadArgument, lambda: parlour.Hints(rules), "a match is needed, not <Rules of"),  # type: ignore[arg-type]
    (BadArgument, lambda: parlour.make_report("x"), "a match is needed, not 'x'; new_match begins one"),  # type: ignore[arg-type]
    (parlour.UnknownGame, lambda: parlour.explain(5), "a game is needed, not 5"),  # type: ignore[arg-type]
    (parlour.IllegalMove, lambda: parlour.Hints(begin("double-up")).why(5), "illegal move '5'"),
    (parlour.IllegalMove, lambda: parlour.Hints(begin("double-up")).why("5"), "illegal move '5'"),
    # Players.
    (parlour.UnknownPlayer, lambda: players.load("robot"), "'robot'"),
    (
        parlour.UnknownPlayer,
        lambda: parlour.take_turn(begin("double-up"), "random"),
        "not 'random'; find_player finds one",
    ),  # type: ignore[arg-type]
    (parlour.UnknownPlayer, lambda: parlour.play_out(begin("double-up"), "ab"), "two players are needed, not 'ab'"),  # type: ignore[arg-type]
    (
        parlour.UnknownPlayer,
        lambda: parlour.play_out(begin("double-up"), [NoPlayer(), NoPlayer()]),
        "find_player finds",
    ),  # type: ignore[list-item]
    (parlour.UnknownPlayer, lambda: parlour.play_out(begin("double-up"), []), "two players are needed"),
    # Records, values.
    (parlour.BadRecord, lambda: parlour.read_record("hello"), "this is not a Parlour record"),
    (parlour.BadRecord, lambda: parlour.read_record("hello"), "'hello'"),
    (parlour.BadRecord, lambda: parlour.read_record('[Parlour "9"]'), "'9'"),
    (NoSuchRecord, lambda: saves.find("77"), "'77'"),
    (NoSuchRecord, lambda: saves.find(LONG), "'xxxx"),
    (NoSuchRecord, lambda: saves.find("\x1b"), "'?'"),
    (parlour.BadRecord, lambda: parlour.read_record(b"hello"), "a record is a text"),  # type: ignore[arg-type]
    (parlour.BadRecord, lambda: parlour.read_record(""), "this is not a Parlour record"),
    (BadArgument, lambda: parlour.Value.read("victory"), "'victory' is not a value: win, draw or loss"),
    (BadArgument, lambda: parlour.Value.of_result(parlour.Status.ONGOING), "bad result <Status.ONGOING: 0>; give the"),
    (BadArgument, lambda: parlour.Value.of_result(9), "bad result 9; give the status of a finished position"),
    (BadArgument, lambda: parlour.Score.read("win in two"), "is not a score, like 'win in 7 turns'"),
]


@pytest.mark.parametrize(("kind", "mistake", "words"), MISTAKES)
def test_a_mistake_is_refused_with_the_reason(
    kind: type[ParlourError], mistake: Callable[[], object], words: str
) -> None:
    with pytest.raises(ParlourError) as caught:
        mistake()
    assert type(caught.value) is kind
    message = str(caught.value)
    assert words in message
    assert "\n" not in message
    assert message[0].islower() or message[0] in "'-", "the first letter is small"
    assert not message.endswith((".", "!"))
    assert message.isprintable()
    assert len(message) < 300


def test_a_refusal_says_what_is_allowed() -> None:
    after_2 = begin("double-up", "2")
    allowed: dict[str, Callable[[], object]] = {
        "illegal move '9': 9 is more than 4, the double of 2; legal: 3, 4": lambda: after_2.read("9"),
        "unreadable move 'x': please select a number from 3 to 4; legal: 3, 4": lambda: after_2.read("x"),
        "unknown player 'robot'; known players: human, random": lambda: players.load("robot"),
        "bad limit '1'; allowed: a number from 2 to 1000000, or none": lambda: begin("double-up", limit=1),
        "'sequence' could be any of: sequence-builder, sequence-spot": lambda: parlour.find_game("sequence"),
    }
    for message, mistake in allowed.items():
        with pytest.raises(ParlourError, match=f"^{re.escape(message)}"):
            mistake()


def test_a_refused_move_has_its_reason_and_the_legal_moves_as_fields() -> None:
    match = begin("increasing-differences", "5 7 8 9 12 13", range=15)
    with pytest.raises(parlour.MoveRefused) as caught:
        match.read("15")
    assert str(caught.value) == "illegal move '15': 15 is only 3 away from 12; you need more than 4; legal: 1-4, 6"
    assert caught.value.reason == "15 is only 3 away from 12; you need more than 4"
    assert caught.value.legal == "1-4, 6"


def test_what_is_refused_changes_nothing() -> None:
    played = begin("increasing-differences", "5 7 8", range=15)
    before = parlour.write_record(played)
    for refused in ("99", "8", "pass", "", 0, True, 2.5, None):
        with pytest.raises(ParlourError):
            played.play(refused)  # type: ignore[arg-type]
    with pytest.raises(ParlourError):
        played.resign(7)
    assert parlour.write_record(played) == before


def test_a_refusal_fits_on_a_line_whatever_was_given() -> None:
    attempts: list[Callable[[Any], object]] = [
        parlour.find_game,
        parlour.read_record,
        parlour.Solver,
        rules.legal,
        rules.read_position,
        lambda thing: begin("double-up").play(thing),
        lambda thing: begin("double-up", names=(thing, "Ben")),
        lambda thing: begin("double-up", limit=thing),
        lambda thing: begin("double-up", **{str(thing): 5}),
    ]
    for thing in ("x" * 10_000, "\x1b[2J", "\n" * 9, list(range(10_000))):
        for attempt in attempts:
            with pytest.raises(ParlourError) as caught:
                attempt(thing)
            message = str(caught.value)
            assert len(message) < 500
            assert message.isprintable()


# The same things are accepted everywhere: a name, a game, rules, options, players by words, and seconds.


def test_a_game_can_be_given_in_several_ways() -> None:
    game = parlour.find_game("double-up")
    for given in ("double-up", game, parlour.rules_of(game)):
        assert parlour.rules_of(given, limit=20) == parlour.rules_of("double-up", limit="20")
        assert parlour.new_match(given, limit=20).rules == parlour.rules_of("double-up", limit=20)
        assert parlour.solve(given, seconds=60, limit=20) == parlour.solve(parlour.rules_of("double-up", limit=20))
        assert parlour.Solver(given, limit=20).rules == parlour.rules_of("double-up", limit=20)
        assert parlour.tabulate(given).rules == parlour.rules_of(game)
        assert parlour.play_out(given, ["perfect", "random"], limit=30, seconds=60).winner == 1


def test_seconds_bound_a_search_and_a_match() -> None:
    with pytest.raises(parlour.TooBig):
        parlour.solve("increasing-differences", seconds=0, length=12, range=24)
    with pytest.raises(parlour.TooBig):
        parlour.play_out("double-up", ["perfect", "perfect"], seconds=0)


def test_a_match_is_finished_by_players_named_by_words() -> None:
    match = parlour.new_match("double-up", limit=30)
    match.play("2")
    assert parlour.play_out(match, ["random", "perfect"]) == match.outcome
    assert match.outcome is not None


def test_rules_and_players_have_defaults() -> None:
    assert parlour.Rules("double-up") == parlour.rules_of("double-up")
    match = parlour.new_match("double-up", seed=1)
    for word in ("random", "level:2", "perfect", "mcts:20"):
        assert parlour.find_player(word).choose(match) == 2
    assert repr(parlour.find_puzzle(1)).startswith("<Puzzle 1 of Increasing Differences: ")
