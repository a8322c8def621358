"""A match: turns, rounds, take-backs, resignation, and its end."""

from __future__ import annotations

import copy as copies
import sys
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import parlour
from parlour import catalog
from parlour.errors import (
    BadName,
    BadOptions,
    GameOver,
    IllegalMove,
    MoveRefused,
    NoNextRound,
    NothingToUndo,
    ParlourError,
    UnreadableMove,
)
from parlour.game import DRAWN, MOVER_LOSES, MOVER_WINS, ONGOING, PASS, Moment, Move, opponent
from parlour.match import DEAL, FORFEIT, MOVE, RESIGN, UNDO, Action, Match, new_match
from parlour.names import BLANKS, MAX_NAME_LENGTH, check_names, check_new_name
from parlour.outcome import Outcome
from parlour.rules import Rules
from parlour.secrets import new_seed
from parlour.setup import Setup, new_date
from parlour.view import PLAYERS, PlayerNumber
from tests.support.strategies import examples
from tests.support.tabletop import begin

# A grid without any arithmetic line, and the cells that fill it.
DEAD = "1,2,4,3,8,9,6,5,7"
CELLS = range(1, 10)


def snapshot(match: Match) -> object:
    """All that a refused action must not change."""
    rounds = [(r.options, r.first, list(r.moves), list(r.positions)) for r in match.rounds]
    return list(match.log), rounds, match.resigned, match.turn, match.outcome


def refused(match: Match, action: Callable[[], object], error: type[ParlourError]) -> str:
    before = snapshot(match)
    with pytest.raises(ParlourError) as caught:
        action()
    assert type(caught.value) is error
    assert snapshot(match) == before, "what is refused changes nothing"
    return str(caught.value)


# Turns and moves.


@pytest.mark.parametrize("first", PLAYERS)
def test_turns_alternate_from_who_begins(first: PlayerNumber) -> None:
    match = begin("double-up", first=first)
    players = [first, opponent(first)] * 2
    for player, move in zip(players, [2, 4, 8, 16], strict=True):
        assert match.turn == player
        assert match.play(move) == Action(MOVE, move, player)
    assert match.round.moves == [2, 4, 8, 16]
    assert [action.player for action in match.log] == players
    assert match.moment.turn == match.turn == first


def test_a_match_can_begin_with_moves() -> None:
    match = begin("double-up", first=1)
    setup = match.setup
    match.play_all([2, 4, 8])
    assert snapshot(Match.after(setup, [2, 4, 8])) == snapshot(match)
    assert snapshot(Match.after(setup, [])) == snapshot(Match(setup))
    with pytest.raises(IllegalMove, match="illegal move '5': 5 is more than 4"):
        Match.after(setup, [2, 5])


def test_a_match_that_begins_with_moves_can_have_its_deal() -> None:
    rules = parlour.rules_of("sequence-spot", grid=DEAD)
    setup = begin("sequence-spot").setup
    match = Match.after(setup, [1, 2, 3], rules.options)
    assert (match.options, match.round.moves) == (rules.options, [1, 2, 3])


def test_the_moves_of_a_list_are_played_up_to_the_first_that_is_refused() -> None:
    match = begin("double-up")
    with pytest.raises(IllegalMove):
        match.play_all([2, 4, 9, 5])
    assert match.round.moves == [2, 4]


def test_a_moment_tells_the_round() -> None:
    match = begin("increasing-differences", first=2)
    match.play(5)
    match.play(7)
    match.play(8)
    moment = match.moment
    assert (moment.taken(1), moment.taken(2)) == ([7], [5, 8])
    assert (moment.mover, moment.waiter) == ("Player 1", "Player 2")


def test_a_moment_has_the_name_of_the_last_move() -> None:
    match = begin("sequence-spot", first=2, grid=DEAD)
    packed = match.rules.packed
    assert match.moment == Moment(packed, match.position, (), ("Player 1", "Player 2"), 2, "")
    for move in (5, 9, 6):
        match.play(move)
    assert match.moment == Moment(packed, match.position, (5, 9, 6), ("Player 1", "Player 2"), 2, "2,3")


def test_a_move_can_be_played_by_its_name() -> None:
    match = begin("sequence-spot", grid=DEAD)
    assert match.play("2,3") == Action(MOVE, 6, 1)
    assert match.legal_names == ["1,1", "1,2", "1,3", "2,1", "2,2", "3,1", "3,2", "3,3"]
    assert "the 9 at (2,3) is marked already" in refused(match, lambda: match.play("2 3"), IllegalMove)


def test_a_line_of_moves_leaves_out_what_is_forced() -> None:
    match = begin("pyramid-challenge", base="2")
    match.play_line(["6", "1", "6", "2", "3"])
    assert match.round.moves == [6, 1, 6, 2, PASS, 3]
    match = begin("pyramid-challenge", base="2")
    match.play_line(["6", "1", "6", "2", "pass", "3"])
    assert match.round.moves == [6, 1, 6, 2, PASS, 3]


def test_the_only_move_is_known_where_there_is_one() -> None:
    match = begin("double-up", limit="3")
    assert match.only_move == 2
    match.play(2)
    assert match.only_move == 3
    match.play(3)
    assert match.only_move is None
    assert begin("double-up", limit="none").only_move == 2
    match = begin("double-up", limit="none")
    match.play(2)
    assert match.only_move is None
    match = begin("pyramid-challenge", base="2")
    match.play_line(["6", "1", "6", "2"])
    assert match.only_move == PASS


def test_a_take_back_goes_back_to_what_a_player_chose_itself() -> None:
    match = begin("pyramid-challenge", base="2", first=2)
    assert match.last_choice([1, 2]) is None
    match.play_line(["6", "1", "6", "2", "pass"])  # Player 2 began, and is stuck
    assert (match.last_choice([1]), match.last_choice([2]), match.last_choice([1, 2])) == (3, 2, 3)
    match.play(3)
    assert (match.last_choice([1]), match.last_choice([2]), match.last_choice([])) == (5, 2, None)


def test_refused_moves_change_nothing() -> None:
    match = begin("double-up")
    match.play(2)
    refused(match, lambda: match.play(9), IllegalMove)
    refused(match, lambda: match.play(PASS), IllegalMove)
    refused(match, lambda: match.play(-1), IllegalMove)
    refused(match, match.next_round, NoNextRound)
    assert match.legal_moves == [3, 4]


@pytest.mark.parametrize("key", catalog.keys())
@examples(30)
@given(text=st.text(max_size=20), move=st.integers(-100, 100))
def test_no_text_and_no_number_slips_past_the_referee(key: str, text: str, move: int) -> None:
    match = begin(key)
    before = snapshot(match)
    try:
        found = match.read(text)
    except MoveRefused:
        pass
    else:
        assert found in match.legal_moves
    assert snapshot(match) == before, "reading plays nothing"
    if move in match.legal_moves:
        match.play(move)
        assert match.round.moves == [move]
    else:
        refused(match, lambda: match.play(move), IllegalMove)


def test_a_stuck_player_can_only_pass() -> None:
    match = begin("pyramid-challenge", base="2")
    for move in (6, 1, 6, 2):
        assert not match.stuck
        match.play(move)
    assert match.stuck
    assert list(match.legal_moves) == [PASS]
    assert "you can only pass: 6 + 6 = 12 is more than 9" in refused(match, lambda: match.play(3), IllegalMove)
    assert match.read("pass") == match.read(" Skip ") == PASS
    match.play(PASS)
    assert not match.stuck
    assert "you cannot pass" in refused(match, lambda: match.play(PASS), IllegalMove)
    match.play(3)
    assert match.outcome == Outcome(2, "won")


# The end.


@pytest.mark.parametrize(
    ("key", "texts", "moves", "outcome"),
    [
        ("double-up", {"limit": "2"}, [2], Outcome(1, "won")),
        ("double-up", {"limit": "3"}, [2, 3], Outcome(2, "won")),
        ("increasing-differences", {"range": "15"}, [5, 7, 8, 9, 12, 13, 2], Outcome(1, "won")),
        ("pyramid-challenge", {"base": "2"}, [6, 7, 6, 7], Outcome(None, "drawn")),
        ("sequence-builder", {}, [5, 6, 7, 9, 10, 12, 13], Outcome(1, "won")),
        ("sequence-builder", {"pool": "4", "increments": "1"}, [3, 1, 4, 2], Outcome(None, "drawn")),
        ("sequence-spot", {"grid": "2,7,6,9,5,1,4,3,8"}, [4, 1, 5, 9, 6], Outcome(1, "won")),
        ("sequence-spot", {"grid": DEAD, "max_rounds": "1"}, list(CELLS), Outcome(None, "undecided")),
    ],
)
def test_ends(key: str, texts: dict[str, str], moves: list[int], outcome: Outcome) -> None:
    match = begin(key, **texts)
    for move in moves:
        assert match.outcome is None
        match.play(move)
    assert match.outcome == outcome
    assert match.round_winner == outcome.winner
    assert len(match.legal_moves) == 0
    assert not match.between_rounds
    assert not match.stuck
    for action in (
        lambda: match.play(1),
        lambda: match.play(PASS),
        lambda: match.read("1"),
        lambda: match.read("pass"),
        lambda: match.resign(1),
        match.next_round,
    ):
        assert refused(match, action, GameOver).startswith("the game is over")


@pytest.mark.parametrize("player", PLAYERS)
def test_resigning_loses_whoever_is_to_move(player: PlayerNumber) -> None:
    match = begin("double-up")
    match.play(2)
    assert match.resign(player) == Action(RESIGN, PASS, player)
    assert match.outcome == Outcome(opponent(player), "resigned")
    assert len(match.legal_moves) == 0
    assert not match.between_rounds
    for action in (
        lambda: match.play(3),
        lambda: match.read("3"),
        lambda: match.resign(opponent(player)),
        match.next_round,
    ):
        assert refused(match, action, GameOver) == "the game is over"


def test_a_match_can_be_given_up_between_two_rounds() -> None:
    match = begin("sequence-spot", grid=DEAD)
    for cell in CELLS:
        match.play(cell)
    assert match.between_rounds
    match.resign(2)
    assert match.outcome == Outcome(1, "resigned")
    refused(match, match.next_round, GameOver)


def test_a_player_who_breaks_the_rules_forfeits() -> None:
    match = begin("double-up")
    assert match.resign(2, forfeit=True) == Action(FORFEIT, PASS, 2)
    assert match.outcome == Outcome(1, "forfeited")


def test_a_match_says_how_it_stands() -> None:
    match = begin("double-up", limit="4", first=2)
    assert match.standing == "Player 2 to move"
    match.play(2)
    assert match.standing == "Player 1 to move"
    match.play(4)
    assert match.standing == "Player 1 won"
    match = begin("double-up")
    match.resign(1)
    assert match.standing == "Player 2 won by resignation"


# Taking back.


def test_undo_takes_back_one_move_and_gives_the_turn_back() -> None:
    match = begin("double-up")
    start = match.position
    match.play(2)
    middle = match.position
    match.play(4)
    assert match.undo() == Action(UNDO, PASS, 2)
    assert (match.turn, match.position, match.round.moves) == (2, middle, [2])
    assert match.undo() == Action(UNDO, PASS, 1)
    assert (match.turn, match.position, match.round.moves) == (1, start, [])
    assert [action.kind for action in match.log] == [MOVE, MOVE, UNDO, UNDO]
    assert refused(match, match.undo, NothingToUndo) == "nothing has been played yet"


def test_undo_takes_back_a_pass() -> None:
    match = begin("pyramid-challenge", base="2")
    for move in (6, 1, 6, 2, PASS):
        match.play(move)
    match.undo()
    assert match.stuck
    assert match.turn == 1


def test_undo_takes_back_a_deal_and_then_what_was_before_it() -> None:
    match = begin("sequence-spot", grid=DEAD)
    match.play(1)
    grid = match.next_round().options
    assert match.undo() == Action(UNDO, PASS, 2)
    assert (len(match.rounds), match.round.moves, match.turn) == (1, [1], 2)
    assert match.next_round().options == grid, "the same is dealt again"
    match.undo()
    match.undo()
    assert refused(match, match.undo, NothingToUndo) == "nothing has been played yet"


@pytest.mark.parametrize("forfeit", [False, True])
def test_undo_opens_a_match_again_that_is_over(forfeit: bool) -> None:
    match = begin("double-up", limit="3")
    match.play(2)
    match.resign(1, forfeit=forfeit)
    match.undo()
    assert (match.outcome, match.turn) == (None, 2)
    match.play(3)
    assert match.outcome == Outcome(2, "won")
    match.undo()
    assert (match.outcome, match.legal_names) == (None, ["3"])
    assert [action.kind for action in match.log] == [MOVE, FORFEIT if forfeit else RESIGN, UNDO, MOVE, UNDO]


def test_a_take_back_goes_to_the_last_choice_of_those_who_ask() -> None:
    match = begin("pyramid-challenge", base="2")
    assert match.steps_back([1, 2]) == 0
    for move in (6, 1, 6, 2, PASS):
        match.play(move)
    assert [match.steps_back(players) for players in ([1], [2], [1, 2])] == [3, 2, 2], "a pass is no choice"
    match.resign(2)
    assert [match.steps_back(players) for players in ([1], [2])] == [4, 1]


def test_to_leave_a_round_is_a_choice_and_to_fill_it_is_none() -> None:
    match = begin("sequence-spot", grid=DEAD)
    for cell in CELLS:
        match.play(cell)
    match.next_round()
    assert [match.steps_back(players) for players in ([1], [2])] == [2, 3], "the deal was nobody's choice"
    match.undo()
    match.undo()
    match.next_round()
    assert [match.steps_back(players) for players in ([1], [2])] == [1, 1]


# Rounds.


def test_a_full_grid_is_followed_by_another_and_the_other_player_begins() -> None:
    match = begin("sequence-spot", grid=DEAD)
    for round in (1, 2, 3):
        first = PLAYERS[(round - 1) % 2]
        assert (len(match.rounds), match.round.first, match.turn) == (round, first, first)
        for cell in CELLS:  # nobody wins the grids that this seed deals
            match.play(cell)
        assert match.round_result == DRAWN
        assert match.between_rounds
        assert match.outcome is None
        refused(match, lambda: match.play(1), GameOver)
        action = match.next_round()
        assert action.kind == DEAL
        assert action.options == match.options
        assert match.round.moves == []


def test_a_given_deal_is_taken() -> None:
    match = begin("sequence-spot", grid=DEAD)
    dealt = match.options._replace(grid=(1, 2, 3, 4, 5, 6, 7, 8, 9))
    assert match.next_round(dealt) == Action(DEAL, PASS, 2, dealt)
    assert match.options == dealt
    assert match.setup.options.grid == (1, 2, 4, 3, 8, 9, 6, 5, 7), "what was agreed stays"


def test_a_grid_that_can_be_won_is_played_out() -> None:
    match = begin("sequence-spot", grid="1,2,3,4,5,6,7,8,9")
    assert refused(match, match.next_round, NoNextRound) == "this round is not over: a player can still win it"


@pytest.mark.parametrize("how", [{"max_rounds": 2}, {"cap": 2}], ids=["option", "cap"])
def test_a_cap_on_the_rounds(how: dict[str, int]) -> None:
    match = begin("sequence-spot", grid=DEAD, **how)  # type: ignore[arg-type]
    assert not match.last_round
    match.next_round(match.options)
    assert match.last_round
    assert refused(match, match.next_round, NoNextRound) == "this is the last round: play it out"
    for cell in CELLS:
        match.play(cell)
    assert not match.between_rounds
    assert match.outcome == Outcome(None, "undecided")


@pytest.mark.parametrize("key", catalog.keys())
def test_other_games_have_one_round(key: str) -> None:
    match = begin(key)
    assert match.last_round == (key != "sequence-spot")
    assert begin(key, cap=1).last_round


def test_deals_follow_the_seed() -> None:
    def grids(seed: str) -> tuple[int, int]:
        """The first grid, and the one after a dead one."""
        second = begin("sequence-spot", seed=seed, grid=DEAD)
        second.next_round()
        return begin("sequence-spot", seed=seed).options.grid, second.options.grid

    assert grids("a") == grids("a")
    assert len({grid for seed in "abcde" for grid in grids(seed)}) == 10


def test_the_same_seed_deals_the_same_grids_in_every_version() -> None:
    """A record that was begun long ago goes on with the grids that its seed holds."""

    def grid(round: int) -> tuple[int, ...]:
        return tuple(map(int, Random(f"begun long ago deal {round}").sample("123456789", 9)))

    match = begin("sequence-spot", seed="begun long ago")
    assert match.options.grid == grid(1)
    match = begin("sequence-spot", seed="begun long ago", grid=DEAD)
    match.next_round()
    assert match.options.grid == grid(2)


def test_a_new_seed_cannot_be_guessed() -> None:
    seeds = {new_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert {len(bytes.fromhex(seed)) for seed in seeds} == {16}


def test_chance_depends_on_seed_and_purpose_only() -> None:
    setup = begin("double-up", seed="x").setup
    assert setup.random("toss").random() == setup.random("toss").random()
    assert setup.random("toss").random() != setup.random("deal", 1).random()
    assert setup.random("move", 1, 2).random() != setup.random("move", 12).random()
    assert begin("double-up", seed="y").setup.random("toss").random() != setup.random("toss").random()


# The set-up.


@pytest.mark.parametrize("first", [-1, 0, 3, True, "1"])
def test_a_player_that_is_not_there_cannot_begin(first: Any) -> None:
    with pytest.raises(ParlourError) as caught:
        begin("double-up", first=first)
    assert str(caught.value) == f"there is no player {first!r}; 1 or 2"


@pytest.mark.parametrize("cap", [0, -1])
def test_a_match_has_a_round(cap: int) -> None:
    with pytest.raises(ParlourError) as caught:
        begin("double-up", cap=cap)
    assert str(caught.value) == f"bad number of rounds {cap}; give a whole number of at least 1"


def test_names_and_options_are_checked_where_the_set_up_is_made() -> None:
    game = catalog.find_game("increasing-differences")
    with pytest.raises(BadName, match="both players are called 'Ann'"):
        Setup(Rules(game, game.defaults), ("Ann", "ann"))
    with pytest.raises(BadOptions, match="needs a range of at least 4, not 3"):
        Setup(Rules(game, game.defaults._replace(range=3)))


def test_lists_of_names_and_players_make_the_same_set_up_as_tuples() -> None:
    names, players = ("Ann", "Ben"), ("human", "perfect")
    made = Setup("double-up", list(names), list(players))  # type: ignore[arg-type]
    assert made == Setup("double-up", names, players)  # type: ignore[arg-type]
    assert (made.names, made.players) == (names, players)


def test_what_is_agreed_by_default() -> None:
    game = catalog.find_game("double-up")
    setup = Setup(Rules(game, game.defaults))
    assert (setup.names, setup.players, setup.first, setup.cap) == (
        ("Player 1", "Player 2"), ("human", "human"), 1, None,
    )  # fmt: skip


# Names.


@pytest.mark.parametrize(
    "names",
    [
        ("Player 1", "Player 2"), ("Ann", "Bob"), ("a", "b"), ("Zoë", "李雷"), ("x" * MAX_NAME_LENGTH, "y"),
        ("🎲", "♟"), ('"', "\\"), ("Ann", "Ann B"), ("1", "2"), ("O'Brien", "[Game]"),
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467 Zoë", "مه\u200cسا"),
    ],
)  # fmt: skip
def test_names_that_will_do(names: tuple[str, str]) -> None:
    check_names(names)


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (("", "Bob"), "at least one letter"),
        (("   ", "Bob"), "at least one letter"),
        ((" Ann", "Bob"), "no spaces around it"),
        (("Ann", "Bob "), "no spaces around it"),
        (("Ann", "x" * (MAX_NAME_LENGTH + 1)), "at most 30 characters"),
        (("A\nB", "Bob"), "control characters"),
        (("A\tB", "Bob"), "control characters"),
        (("A\x1b[31mB", "Bob"), "control characters"),
        (("A\x00B", "Bob"), "control characters"),
        (("A\x7fB", "Bob"), "control characters"),
        (("A\u202eB", "Bob"), "control characters"),
        (("A\u200bB", "Bob"), "control characters"),
        (("\u200dA", "Bob"), "control characters"),
        (("A\u200d", "Bob"), "control characters"),
        (("A\u200d\u200dB", "Bob"), "control characters"),
        (("A \u200dB", "Bob"), "control characters"),
        (("B\u200dob", "Bob"), "different names"),
        (("A\u2028B", "Bob"), "control characters"),
        (("A\xa0B", "Bob"), "control characters"),
        (("A\udcffB", "Bob"), "control characters"),
        (("Ann", "Ann"), "different names"),
        (("Ann", "ANN"), "different names"),
        (("straße", "STRASSE"), "different names"),
    ],
)
def test_names_that_will_not_do(names: tuple[str, str], reason: str) -> None:
    with pytest.raises(BadName, match=reason) as caught:
        check_names(names)
    assert all(character.isprintable() for character in str(caught.value))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "bad name ''; a name has at least one letter and no spaces around it"),
        ("x" * 31, "bad name 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'; at most 30 characters"),
        ("y" * 100, f"bad name '{'y' * 40}...'; at most 30 characters"),
        ("A\x07", "bad name 'A?'; control characters do not show"),
    ],
)
def test_what_is_wrong_with_a_name_is_said(name: str, reason: str) -> None:
    for names in ((name, "Bob"), ("Bob", name)):
        with pytest.raises(BadName) as caught:
            check_names(names)
        assert str(caught.value) == reason


def test_two_players_of_one_name_are_told_so() -> None:
    with pytest.raises(BadName) as caught:
        check_names(("Ann", "ann"))
    assert str(caught.value) == "both players are called 'Ann'; give them different names"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("\u2800", "U+2800, the braille pattern blank, does not show"),
        ("\u3164", "U+3164, the hangul filler, does not show"),
        ("\u115f\u1160", "U+115F, the hangul choseong filler, does not show"),
        ("\uffa0", "U+FFA0, the halfwidth hangul filler, does not show"),
        ("\U0001d159", "U+1D159, the musical symbol null notehead, does not show"),
        ("Ann\u3164", "U+3164, the hangul filler, does not show"),
        ("\ufe0f", "marks without a letter do not show"),
        ("\u034f\u17b4", "marks without a letter do not show"),
        ("\U000e0100 \u180b", "marks without a letter do not show"),
        ("x" + "\u0301" * 4, "at most 3 accents on one letter"),
        ("x\u0301\u034f\u0301\u0302\u200d\u0303", "at most 3 accents on one letter"),
        ("x" + "\u20dd" * 4, "at most 3 accents on one letter"),
        ("\u0301x", "an accent follows a letter"),
        ("Ann \u0301B", "an accent follows a letter"),
        ("", "a name has at least one letter and no spaces around it"),
        ("\u3000", "a name has at least one letter and no spaces around it"),
    ],
)
def test_a_name_that_looks_empty_or_overflows_its_line_cannot_be_taken(name: str, reason: str) -> None:
    with pytest.raises(BadName) as caught:
        check_new_name(name)
    assert str(caught.value).endswith(f"; {reason}")
    assert "\n" not in str(caught.value)
    for names in ((name, "Bob"), ("Bob", name)):
        with pytest.raises(BadName):
            new_match("double-up", names=names)


def test_blanks_are_the_letters_and_symbols_that_unicode_calls_so() -> None:
    every = [chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code))[0] in "LS"]
    names = {each: unicodedata.name(each, "").lower() for each in every}
    endings = (" blank", " filler", " null notehead")
    blanks = {each: name for each, name in names.items() if name.endswith(endings)}
    assert blanks == {each: name for each, name in BLANKS.items() if unicodedata.category(each) != "Cn"}


@pytest.mark.parametrize(
    "name",
    [
        *("\u2422", "\u2801", "\uac00", "\u0915\u094d\u0937", "\u2764\ufe0f", "\ua8f9", "!", "7"),
        "Nguye\u0302\u0303n",  # Vietnamese, decomposed
        "\u0e17\u0e35\u0e48",  # Thai: a vowel sign and a tone mark
        "\u05e9\u05c1\u05bc\u05b8",  # Hebrew with all its points
        "\u0f66\u0f92\u0fb2\u0f7c",  # Tibetan: letters below letters
        "1\ufe0f\u20e3",  # an emoji
    ],
)
def test_a_name_that_shows_can_be_taken(name: str) -> None:
    """Among them the sign for a blank, a dotted pattern of Braille, and letters with marks."""
    check_new_name(name)
    assert new_match("double-up", names=(name, "Bob")).names == (name, "Bob")


# The same match elsewhere.


def eventful() -> Match:
    """A match in which everything happens, and whose first grid is not the one that its seed holds."""
    setup = begin("sequence-spot", first=2).setup
    match = Match(setup, setup.options._replace(grid=124389657))
    match.play(5)
    match.play(1)
    match.undo()
    match.next_round()
    match.play(9)
    match.resign(1, forfeit=True)
    return match


def test_a_match_can_be_seen_as_it_was_after_any_of_its_actions() -> None:
    match = eventful()
    assert [action.kind for action in match.log] == [MOVE, MOVE, UNDO, DEAL, MOVE, FORFEIT]
    for step in range(len(match.log) + 1):
        earlier = match.at(step)
        assert earlier.log == match.log[:step]
        assert earlier.setup is match.setup
    assert match.at(0).options.grid == (1, 2, 4, 3, 8, 9, 6, 5, 7)
    assert match.at(3).round.moves == [5]
    assert match.at(4).options == match.options
    assert match.at(5).outcome is None
    assert snapshot(match.at(6)) == snapshot(match)


def test_a_match_can_go_on_under_other_names() -> None:
    match = eventful()
    setup = replace(match.setup, names=("Ann", "Bob"), seed="another")
    again = match.with_setup(setup)
    assert again.names == ("Ann", "Bob")
    assert snapshot(again) == snapshot(match), "what was dealt stays, though the seed is another"


@examples(30)
@given(st.integers(0, 1000), st.sampled_from([Match.copy, copies.copy, copies.deepcopy]))
def test_a_copy_stands_where_its_match_stands_and_goes_on_without_it(
    seed: int, duplicate: Callable[[Match], Match]
) -> None:
    random = Random(seed)
    match = begin("sequence-spot", grid=DEAD)
    for _ in range(random.randrange(12)):
        if match.between_rounds:
            match.next_round()
        elif match.round.moves and random.random() < 0.2:
            match.undo()
        else:
            match.play(random.choice(match.legal_moves))
    before = snapshot(match)
    copy = duplicate(match)
    assert snapshot(copy) == before
    assert (copy.setup, copy.position, copy.legal_moves) == (match.setup, match.position, match.legal_moves)
    if match.round.moves:
        copy.undo()
    copy.resign(2)
    assert snapshot(match) == before, "neither is changed by the other"


# Other players continue a match.


def test_others_play_on_in_this_very_match() -> None:
    match = begin("double-up")
    match.play("2")
    before = match.setup
    match.change_setup(replace(before, names=("Ann", "Cyd"), players=("human", "random")))
    assert match.setup == replace(before, names=("Ann", "Cyd"), players=("human", "random"))
    assert match.names == ("Ann", "Cyd")
    assert match.round.moves == [2]


def test_a_match_begins_as_its_game_options_and_seed_say() -> None:
    for game in ("double-up", catalog.find_game("double-up")):
        assert new_match(game, limit=7).options == (7,)
    grids = {new_match("sequence-spot", seed="7").options for _ in range(3)}
    assert len(grids) == 1
    assert grids == {new_match(catalog.find_game("sequence-spot"), seed="7").options}
    assert grids != {new_match("sequence-spot", seed="8").options}


def test_a_deal_is_repeated_as_it_was() -> None:
    match = begin("sequence-spot", grid=DEAD, seed="1")
    other = Match(replace(match.setup, seed="2"))  # who would deal otherwise
    for cell in CELLS:
        match.play(cell)
        other.play(cell)
    assert other.repeat(match.next_round()).options == match.options
    assert other.options == match.options


def test_a_resignation_is_the_choice_of_whoever_resigned() -> None:
    match = begin("double-up")
    match.play("2")
    match.resign(1)  # although it is the other's turn
    assert [match.steps_back(players) for players in ([1], [2])] == [1, 0]


def test_the_date_of_a_new_match_is_now_in_utc() -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    assert before <= datetime.strptime(new_date(), "%Y-%m-%dT%H:%M:%S%z") <= datetime.now(UTC)


# The winner and the result of a match agree with its outcome.


@pytest.mark.parametrize("forfeit", [False, True])
@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("moves", ["", "2", "2 3"])
def test_a_resignation_decides_the_match_and_not_the_round(moves: str, player: PlayerNumber, forfeit: bool) -> None:
    match = parlour.new_match("double-up")
    match.play_line(moves)
    match.resign(player, forfeit=forfeit)
    assert match.outcome is not None
    assert match.winner == match.outcome.winner == opponent(player)
    assert match.result == (MOVER_LOSES if match.turn == player else MOVER_WINS)
    assert (match.round_winner, match.round_result) == (None, ONGOING)
    match.undo()
    assert (match.winner, match.result) == (None, ONGOING)


def test_a_drawn_round_leaves_the_match_undecided_until_the_last() -> None:
    # A grid without an arithmetic line is drawn whatever is played; this seed deals another for the second round:
    # 7 6 9, 3 5 2, 4 8 1.
    match = parlour.new_match("sequence-spot", grid="3,6,4,8,5,1,7,2,9", max_rounds=2, seed=0)
    for last in (False, True):
        while match.legal_moves:
            match.play(match.legal_moves[0])
        assert (match.round_winner, match.round_result) == (None, DRAWN)
        assert (match.winner, match.result) == (None, DRAWN if last else ONGOING)
        if not last:
            match.next_round()
    assert match.outcome == (None, "undecided")


def test_a_won_game_has_the_same_winner_everywhere() -> None:
    match = parlour.new_match("double-up", limit=5)
    match.play_line("2 3 5")
    assert match.outcome == (1, "won")
    assert (match.winner, match.round_winner) == (1, 1)
    assert match.result == match.round_result == MOVER_LOSES


# Equal matches.


def test_matches_with_the_same_set_up_and_log_are_equal() -> None:
    match = begin("sequence-spot", "1,1 1,2", grid=DEAD, names=("Ann", "Ben"))
    copy = match.copy()
    assert match == copy == parlour.read_record(parlour.write_record(match))
    copy.play("1,3")
    assert match != copy
    match.play("1,3")
    assert match == copy
    match.play("2,1")
    match.undo()
    assert match.position == copy.position
    assert match != copy, "what was taken back is part of a match"
    assert begin("double-up") != begin("double-up", first=2)
    assert begin("double-up") != begin("double-up", limit=50)
    assert begin("double-up") != "double-up"


def test_another_first_deal_is_another_match() -> None:
    setup = begin("sequence-spot").setup
    assert Match(setup) == Match(setup) != Match(setup, setup.options._replace(grid=123456789))


def test_a_match_changes_and_is_no_key() -> None:
    with pytest.raises(TypeError, match="unhashable type: 'Match'"):
        hash(begin("double-up"))


def test_a_match_is_over_when_it_has_an_outcome() -> None:
    match = begin("double-up", limit=3)
    for move in ("2", "3"):
        assert not match.is_over
        match.play(move)
    assert match.is_over
    match.undo()
    assert not match.is_over
    match.resign(1)
    assert match.is_over
    full = begin("sequence-spot", grid=DEAD)
    for cell in CELLS:
        full.play(cell)
    assert not full.is_over, "another round follows"


# A number and a text never mean different moves.


def test_a_text_whose_digits_are_another_move_than_its_number_is_refused() -> None:
    # The number 6 lies in the cell 1,3; the sixth cell is 2,3, and holds the 1. The middle is the 5 and the fifth cell.
    match = parlour.new_match("sequence-spot", grid="2,7,6,9,5,1,4,3,8")
    said = refused(match, lambda: match.play("6"), UnreadableMove)
    assert "as a text it is 1,3, and as a number 2,3; play '1,3' or '2,3'" in said
    refused(match, lambda: parlour.Hints(match).why("(6)"), UnreadableMove)
    assert match.read("6") == 3, "as players type it"
    assert match.play(6).move == 6
    assert match.play("5").move == 5
    assert match.rules.names(match.round.moves) == ["2,3", "2,2"]


@pytest.mark.parametrize("key", catalog.keys())
def test_every_number_that_the_rules_return_can_be_played(key: str) -> None:
    random, match = Random(key), parlour.new_match(key, seed=1)
    solver = parlour.Solver(match.rules) if key in ("double-up", "sequence-spot") else None
    while match.legal_moves:
        legal = match.legal_moves
        for move, name in zip(legal, match.legal_names, strict=True):
            assert match.copy().play(move).move == match.copy().play(name).move == match.read(name) == move
        if solver is not None:
            for choice in solver.choices(match.position):
                match.copy().play(choice.move)
            for move in solver.best(match.position):
                match.copy().play(move)
        match.play(random.choice(legal))
    again = parlour.read_record(parlour.write_record(match))
    for action in match.log:
        assert again.at(0).repeat(match.log[0]) == match.log[0]
        assert type(action.move) in (int, Move)
    assert again.round.moves == match.round.moves
