"""Rulings common to all five games: turns, who begins, passing, resigning, the outcome, option bounds."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from parlour import catalog
from parlour.errors import GameOver
from parlour.game import opponent
from parlour.match import Match
from parlour.outcome import Outcome
from parlour.view import PLAYERS, PlayerNumber
from tests.support.ledger import rule
from tests.support.tabletop import (
    NO_TIME_TO_PASS,
    PLAYER_1,
    PLAYER_2,
    begin,
    play,
    refusal,
    refused_options,
)


class Sample(NamedTuple):
    """One game with moves to test the common rulings on."""

    key: str
    options: dict[str, int | str]
    won: str  # a line in which the player who begins wins
    before_resigning: tuple[str, ...]  # lines after which a player resigns, the last one in a special position

    def begin(self, first: PlayerNumber = PLAYER_1) -> Match:
        return begin(self.key, first=first, **self.options)


SAMPLES = [
    Sample("increasing-differences", {}, "5 7 8 9 12 13 2", ("", "5", "5 7 8")),
    Sample(
        "sequence-spot",
        {"grid": "2,7,6,9,5,1,4,3,8"},
        "2,1 1,1 2,2 1,2 2,3",
        ("", "1,1", "2,1 1,1 2,2 1,2"),
    ),
    Sample("pyramid-challenge", {}, "4 5 7 2 3 6 3 7 4 8 7", ("", "4", "5 1 5 2 1 3")),  # Player 1 is stuck
    Sample("double-up", {"limit": 5}, "2 3 5", ("", "2", "2 3")),
    Sample("sequence-builder", {}, "5 7 6 10 9 13 12", ("", "5", "20 10")),  # Player 1 is stuck
]
all_games = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.key)


def test_every_game_has_a_sample() -> None:
    assert {sample.key for sample in SAMPLES} == set(catalog.keys())


@all_games
@rule("increasing-differences", "Turns: Players alternate turns.")
@rule("increasing-differences", "Turns: Decide who starts first (e.g., Player 1).")
@rule("increasing-differences", "Turns: After a valid number is chosen and added, control passes to the other player.")
@rule("sequence-spot", "Turns: Players alternate turns.")
@rule("pyramid-challenge", "Turns: Players take turns in alternating order.")
@rule("pyramid-challenge", "Turns: A player completes their action, then it's the next player's turn.")
@rule("double-up", "Setup: Two players participate, alternating turns throughout the game.")
@rule("double-up", "Turns: Players alternate turns, starting with Player 1.")
@rule("sequence-builder", "Turns: Players take turns alternately.")
def test_players_alternate_and_player_1_begins(sample: Sample) -> None:
    match = begin(sample.key, **sample.options)
    for ply, move in enumerate(sample.won.split()):
        assert match.turn == PLAYERS[ply % 2]
        play(match, move)
    assert match.turn == PLAYERS[len(sample.won.split()) % 2]


@all_games
@rule("increasing-differences", "Turns: Decide who starts first (e.g., Player 1).")
@rule("pyramid-challenge", "Turns: Players decide who goes first (e.g., by coin toss or mutual agreement).")
@rule("double-up", "Turns: Players alternate turns, starting with Player 1.")
@rule("sequence-builder", "Setup: Decide who takes the first turn (e.g., coin toss, mutual agreement).")
def test_either_player_may_begin(sample: Sample) -> None:
    match = sample.begin(PLAYER_2)
    assert match.turn == PLAYER_2
    play(match, sample.won.split()[0])
    assert match.turn == PLAYER_1
    assert match.moment.taken(PLAYER_2) == list(match.round.moves)
    assert match.moment.taken(PLAYER_1) == []


@pytest.mark.parametrize("first", [PLAYER_1, PLAYER_2])
@all_games
@rule("increasing-differences", "Objective: The first player to reach the required sequence length")
@rule("increasing-differences", "Scoring: Victory is achieved by meeting the sequence requirements")
@rule("pyramid-challenge", "Scoring: The game is won by the first player to fill all positions;")
@rule("sequence-builder", "Scoring: No points are awarded; victory is achieved by fulfilling")
def test_winning_is_all_there_is_and_there_are_no_points(sample: Sample, first: PlayerNumber) -> None:
    match = play(sample.begin(first), sample.won)
    assert match.outcome is not None
    assert match.outcome._asdict() == {"winner": first, "how": "won"}


@all_games
@rule("increasing-differences", "Rules 2, building the sequence: If a player cannot find a valid")
@rule("sequence-spot", "Turns: On your turn, select any unmarked cell on the grid.")
@rule("pyramid-challenge", "Rules, valid moves: If you have valid numbers that can be placed,")
@rule("double-up", "Turns: On their turn, a player must select a valid number and")
@rule("sequence-builder", "Rules 5, invalid moves: If no valid numbers are available on")
def test_player_who_can_move_may_not_pass(sample: Sample) -> None:
    match = sample.begin()
    assert refusal(match, "pass") == refusal(match, "skip") == NO_TIME_TO_PASS
    for move in sample.won.split():
        assert refusal(match, "pass") == NO_TIME_TO_PASS
        play(match, move)


@pytest.mark.parametrize("player", [PLAYER_1, PLAYER_2])
@all_games
@rule("increasing-differences", "Rulings: Resigning is always possible and loses.")
@rule("sequence-spot", "Rulings: Resigning is always possible and loses.")
@rule("pyramid-challenge", "Rulings: Resigning is always possible and loses.")
@rule("double-up", "Rulings: Resigning is always possible and loses.")
@rule("sequence-builder", "Rulings: Resigning is always possible and loses.")
def test_resigning_is_always_possible_and_loses(sample: Sample, player: PlayerNumber) -> None:
    for before in sample.before_resigning:
        match = play(sample.begin(), before)
        legal = match.legal_names
        match.resign(player)
        assert match.outcome == Outcome(opponent(player), "resigned")
        with pytest.raises(GameOver):
            match.read(legal[0])
        with pytest.raises(GameOver):
            match.next_round()


@pytest.mark.parametrize(
    ("key", "option", "values", "allowed"),
    [
        ("increasing-differences", "length", (0, 1, 31, "four"), "a number from 2 to 30"),
        ("increasing-differences", "range", (0, 1, 61, "-5", ""), "a number from 2 to 60"),
        (
            "sequence-spot",
            "grid",
            ("1,2,3", "1,2,3,4,5,6,7,8,8", "0,1,2,3,4,5,6,7,8", "123456789", ""),
            "the numbers 1 to 9, each once, separated by commas",
        ),
        ("sequence-spot", "deal", ("fair",), "any, winnable or lively"),
        ("sequence-spot", "max_rounds", (0, 1001, "-1", "many"), "a number from 1 to 1000, or none"),
        ("pyramid-challenge", "base", (0, 1, 11, "three"), "a number from 2 to 10"),
        ("pyramid-challenge", "highest", (0, 1, 61), "a number from 2 to 60"),
        ("pyramid-challenge", "copies", (0, 61, "-1"), "a number from 1 to 60, or none"),
        ("double-up", "limit", (0, 1, 1_000_001, "-100", "never"), "a number from 2 to 1000000, or none"),
        ("sequence-builder", "length", (0, 1, 31, "four"), "a number from 2 to 30"),
        ("sequence-builder", "pool", (0, 1, 61), "a number from 2 to 60"),
        ("sequence-builder", "increments", ("0", "21", "1,2,", "", "1-3"), "numbers from 1 to 20, separated by commas"),
    ],
)
@rule("increasing-differences", "Rulings: A bad option is named with the allowed range, and every")
@rule("sequence-spot", "Rulings: The defaults are the book's; a bad option is named with what is allowed.")
@rule("pyramid-challenge", "Rulings: A bad option is named with the allowed range, and every")
@rule("double-up", "Rulings: A bad option is named with the allowed range.")
@rule("sequence-builder", "Rulings: A bad option is named with the allowed range, and every")
def test_options_out_of_bounds_are_refused_with_the_allowed_values(
    key: str, option: str, values: tuple[int | str, ...], allowed: str
) -> None:
    for value in values:
        expected = f"bad {option.replace('_', '-')} '{value}'; allowed: {allowed}"
        assert refused_options(key, **{option: value}) == expected


@all_games
def test_unknown_options_are_refused(sample: Sample) -> None:
    assert refused_options(sample.key, size=4).startswith("unknown option 'size'; known options: ")
