"""What every game in the catalog owes: a new file in games/ has to pass this before it is a game."""

from __future__ import annotations

import inspect
import re
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour import catalog, record, referee
from parlour.errors import BadOptions, BadPosition, IllegalMove, MoveRefused, UnreadableMove
from parlour.game import MOVER_LOSES, ONGOING, PASS, AnyGame, count, listed
from parlour.match import Match, Setup
from parlour.options import declared, show_options
from parlour.rules import Rules
from parlour.view import GRID, LINE, POOL, PYRAMID
from tests.strategies import games, options_of, playout

seeds = st.integers(0, 2**32)
every_game = pytest.mark.parametrize("game", [catalog.load(key) for key in catalog.keys()], ids=lambda game: game.key)


def dealt(game: AnyGame) -> object:
    return game.deal(game.defaults, 1, Random(1))


@every_game
def test_it_says_what_it_is(game: AnyGame) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", game.key)
    assert game.version >= 1
    assert 20 <= len(game.summary) <= 120, f"{game.key}: the summary is one sentence"
    assert game.summary.endswith(".")
    assert len(game.rules_text) > 300, f"{game.key}: the rules are the module's docstring, and tell the whole game"
    assert game.rules_text.isascii(), f"{game.key}: the rules are shown on any terminal"


@every_game
def test_the_rules_are_plain_functions_over_ints(game: AnyGame) -> None:
    for rule in (game.start, game.moves, game.play, game.result, game.bounds):
        assert inspect.isfunction(rule)
        assert rule.__closure__ is None, f"{game.key}: {rule.__name__} hides a value in a closure"
    for part in (dealt(game), game.start(dealt(game))):
        assert isinstance(part, tuple)
        assert all(type(value) is int for value in part)


@every_game
def test_options_have_a_text_form_that_reads_back(game: AnyGame) -> None:
    options = dealt(game)
    assert referee.choose_options(game, show_options(options)) == options  # type: ignore[arg-type]
    for name, kind in declared(game.options).items():
        assert kind.help, f"{game.key}: option {name} does not say what it is"
        with pytest.raises(BadOptions, match=re.escape(kind.allowed)):
            referee.choose_options(game, {name: "nonsense"})


@given(st.data(), games)
def test_it_is_one_sentence_under_any_options(data: st.DataObject, game: AnyGame) -> None:
    summary = Rules(game, data.draw(options_of(game, ends=False))).summary
    assert 20 <= len(summary) <= 150
    assert summary.endswith(".")


@given(st.data(), games, seeds)
def test_positions_stay_within_their_bounds_and_games_end(data: st.DataObject, game: AnyGame, seed: int) -> None:
    options = data.draw(options_of(game))
    bounds = game.bounds(options)
    assert bounds is not None
    steps = playout(game, options, seed)
    assert len(steps) - 1 <= bounds.plies
    assert len(bounds.position) == len(steps[0][0])
    assert all(bound <= 2**62 for bound in bounds.position)
    for position, move in steps:
        assert all(
            type(value) is int and 0 <= value < bound for value, bound in zip(position, bounds.position, strict=True)
        )
        assert move is None or 0 <= move < bounds.moves


@given(st.data(), games, seeds)
def test_what_play_reaches_is_possible(data: st.DataObject, game: AnyGame, seed: int) -> None:
    """Nothing that play reaches is refused, nor what stands for it in a table."""
    rules = Rules(game, data.draw(options_of(game)))
    for position, _ in playout(game, rules.options, seed):
        rules.check_position(position)
        rules.check_position(rules.canonical(position))
        assert rules.canonical(rules.canonical(position)) == rules.canonical(position)
        assert rules.canonical(position) == position or game.counted_once, (
            f"{game.key}: what does a table count as one?"
        )


@given(st.data(), games, seeds)
def test_a_position_that_is_not_refused_can_be_played_to_an_end(data: st.DataObject, game: AnyGame, seed: int) -> None:
    """A field is changed: either that is refused, or there is a game from there on, with moves that exist."""
    rules, random = Rules(game, data.draw(options_of(game))), Random(seed)
    bounds = rules.bounds
    assert bounds is not None
    position, _ = random.choice(playout(game, rules.options, seed))
    values, place = list(position), random.randrange(len(position))
    values[place] = random.randrange(bounds.position[place])
    position = rules.position(values)
    try:
        rules.check_position(position)
    except BadPosition as refusal:
        reason = str(refusal).partition("; ")[2]
        assert reason
        assert not reason.endswith(".")
        return
    for _ in range(bounds.plies):
        if rules.is_over(position):
            break
        assert all(move < bounds.moves for move in rules.legal(position)[:100])
        position = rules.after(position, random.choice(rules.legal(position)))
        assert all(0 <= value < bound for value, bound in zip(position, bounds.position, strict=True))
    assert rules.is_over(position)


@given(st.data(), games, seeds)
def test_there_is_always_a_move_and_a_pass_is_the_only_one(data: st.DataObject, game: AnyGame, seed: int) -> None:
    options = data.draw(options_of(game))
    for position, move in playout(game, options, seed):
        if move is None:
            assert referee.legal_moves(game, options, position) == ()
        else:
            moves = game.moves(options, position)
            legal = listed(moves)
            assert len(legal) == count(moves) > 0
            assert all(a < b for a, b in pairwise(legal[:1000]))
            assert PASS not in legal or list(legal) == [PASS]


@given(st.data(), games, seeds)
def test_names_and_moves_are_one_to_one(data: st.DataObject, game: AnyGame, seed: int) -> None:
    options = data.draw(options_of(game))
    for position, move in playout(game, options, seed):
        if move is not None:
            name = referee.name_move(game, options, move)
            assert re.fullmatch(r"[a-z0-9,]+", name)
            assert referee.read_move(game, options, position, name) == move
            assert (
                referee.read_move(game, options, position, f" ({name.replace(',', ' ').upper()}) " if move else name)
                == move
            )


@given(st.data(), games, seeds, st.one_of(st.text(), st.integers(-5, 200).map(str), st.integers().map(str)))
def test_whatever_is_typed_is_a_legal_move_or_refused_with_a_reason(
    data: st.DataObject, game: AnyGame, seed: int, text: str
) -> None:
    options = data.draw(options_of(game))
    steps = playout(game, options, seed)[:-1]
    position, _ = steps[seed % len(steps)]
    try:
        move = referee.read_move(game, options, position, text)
    except MoveRefused as error:
        assert isinstance(error, (IllegalMove, UnreadableMove))
        assert error.reason
        assert error.legal
        assert str(error).isprintable()
    else:
        assert move in referee.legal_moves(game, options, position)


@given(st.data(), games, seeds)
def test_the_reason_for_a_refusal_holds_for_every_move(data: st.DataObject, game: AnyGame, seed: int) -> None:
    options = data.draw(options_of(game))
    bounds = game.bounds(options)
    assert bounds is not None
    steps = playout(game, options, seed)[:-1]
    position, _ = steps[seed % len(steps)]
    legal = referee.legal_moves(game, options, position)
    for move in range(1, min(bounds.moves, 70)):
        if move not in legal:
            with pytest.raises(IllegalMove):
                referee.play_move(game, options, position, move)


@given(st.data(), games, seeds)
@settings(max_examples=50)
def test_words_and_view_describe_every_moment(data: st.DataObject, game: AnyGame, seed: int) -> None:
    options = data.draw(options_of(game))
    match = Match(Setup(game, options, seed=str(seed)), options)
    random = Random(seed)
    while match.legal:
        tiles = [tile for group in game.view(match.moment) for row in group.rows for tile in row]
        assert {group.shape for group in game.view(match.moment)} <= {POOL, LINE, GRID, PYRAMID}
        shown = {tile.move for tile in tiles if tile.move is not None}
        if not match.stuck and count(game.moves(options, match.position)) <= 60:
            assert set(match.legal) <= shown, f"{game.key}: no tile for some legal move"
        assert game.prompt(match.moment)[-1], "the last line of a question is its prompt"
        assert game.expected(options, match.position)
        match.play(random.choice(match.legal))
        assert game.announce is None or game.announce(match.moment)
    assert game.ending(match.moment, match.winner)
    assert game.result(options, match.position) != ONGOING


@given(st.data(), games, seeds)
@settings(max_examples=50)
def test_records_round_trip(data: st.DataObject, game: AnyGame, seed: int) -> None:
    options = data.draw(options_of(game))
    match = Match(Setup(game, options, seed=str(seed), date="2026-11-15T00:00:00Z"), options)
    random = Random(seed)
    while match.legal and len(match.log) < 300:
        match.play(random.choice(match.legal))
    again = record.read(record.write(match))
    assert record.write(again) == record.write(match)
    assert (again.log, again.outcome, again.position) == (match.log, match.outcome, match.position)


@every_game
def test_the_player_who_has_just_moved_is_never_to_blame_for_the_turn(game: AnyGame) -> None:
    """Positions are told from the mover's side: at the start nobody has lost, and there is something to do."""
    options = dealt(game)
    position = game.start(options)
    assert game.result(options, position) == ONGOING != MOVER_LOSES
    assert count(game.moves(options, position)) >= 1
