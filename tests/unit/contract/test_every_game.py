"""What every game in the catalog owes: a new file in games/ has to pass this before it is a game."""

from __future__ import annotations

import inspect
import re
from itertools import pairwise
from random import Random

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour import catalog, record
from parlour.cli import COMMANDS
from parlour.cli import parlour as command_line
from parlour.cli.options import GameCommands
from parlour.errors import BadOptions, BadPosition, IllegalMove, MoveRefused, UnreadableMove
from parlour.game import MOVER_LOSES, ONGOING, PASS, Game, count_moves, list_moves
from parlour.match import Match
from parlour.notation import PASS_WORDS
from parlour.options import declared
from parlour.rules import Rules, read_rules
from parlour.setup import Setup
from parlour.terminal.game import GameSession
from parlour.view import GRID, LINE, POOL, PYRAMID
from tests.support.short_words import check_short_words
from tests.support.strategies import examples, games, playout, rules_of

seeds = st.integers(0, 2**32)
every_game = pytest.mark.parametrize("game", catalog.list_games(), ids=lambda game: game.key)

# Letters and digits, with something between them where a name has parts: 7, a1, 2,1, a1-b2.
NAME = re.compile(r"[a-z0-9]+([,;:/+*=<>~^&|-][a-z0-9]+)*")
LONGEST_NAME = 20  # characters
NOT_A_NAME = {
    *(word for each in GameSession.commands.values() for word in (each.word, *each.aliases)),
    *PASS_WORDS,
    "start",
}  # what a player or an address says that is no move
# What an address asks for beside options, and what an environment for learners does.
NOT_AN_OPTION = {"moves", "first", "p1", "p2", "move", "rung", "position"} | {
    *("game", "opponent", "player", "seat", "illegal", "whole_match", "render_mode", "deals"),
    *("num_envs", "autoreset_mode", "observations", "masks", "copy", "max_cycles"),
}


def dealt(game: Game) -> Rules:
    """The game of the book."""
    return Rules(game, game.rounds.deal(game.options(), 1, Random(1)))


@every_game
def test_it_says_what_it_is(game: Game) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", game.key)
    assert game.version >= 1
    assert 20 <= len(game.content.summary) <= 120, f"{game.key}: the summary is one sentence"
    assert game.content.summary.endswith(".")
    assert len(game.content.rules_text) > 300, (
        f"{game.key}: the rules are the module's docstring, and tell the whole game"
    )
    assert game.content.rules_text.isascii(), f"{game.key}: the rules are shown on any terminal"


@every_game
def test_the_rules_are_plain_functions_over_ints(game: Game) -> None:
    for rule in (game.rules.start, game.rules.moves, game.rules.play, game.rules.result, game.rules.bounds):
        assert inspect.isfunction(rule)
        assert rule.__closure__ is None, f"{game.key}: {rule.__name__} hides a value in a closure"
    rules = dealt(game)
    for part in (rules.packed, rules.start):
        assert isinstance(part, tuple)
        assert all(type(value) is int for value in part)


@every_game
def test_options_have_a_text_form_that_reads_back(game: Game) -> None:
    rules = dealt(game)
    assert read_rules(game, rules.option_texts) == rules
    for name, kind in declared(game.options).items():
        assert kind.help, f"{game.key}: option {name} does not say what it is"
        with pytest.raises(BadOptions, match=re.escape(kind.allowed)):
            read_rules(game, {name: "nonsense"})


@every_game
def test_no_option_means_something_else_already(game: Game) -> None:
    assert not NOT_AN_OPTION & set(declared(game.options))
    context = click.Context(command_line)
    for name in COMMANDS:
        command = command_line.get_command(context, name)
        if isinstance(command, GameCommands):
            of_game = command.get_command(context, game.key)
            assert of_game is not None
            flags = [flag for parameter in of_game.params for flag in parameter.opts]
            assert len(flags) == len(set(flags)), f"{game.key}: parlour {name} has an option of the same name"


@given(st.data(), games)
@examples(40)
def test_it_is_one_sentence_under_any_options(data: st.DataObject, game: Game) -> None:
    summary = data.draw(rules_of(game, ends=False)).summary
    assert 20 <= len(summary) <= 150
    assert summary.endswith(".")


@given(st.data(), games, seeds)
@examples(40)
def test_positions_stay_within_their_bounds_and_games_end(data: st.DataObject, game: Game, seed: int) -> None:
    """Of any size: what does not fit into a machine word is played like any other game, but not searched far."""
    rules = data.draw(rules_of(game))
    bounds = rules.bounds
    assert bounds is not None
    steps = playout(rules, seed)
    assert len(steps) - 1 <= bounds.plies
    assert len(bounds.position) == len(steps[0][0])
    for position, move in steps:
        assert all(
            type(value) is int and 0 <= value < bound for value, bound in zip(position, bounds.position, strict=True)
        )
        assert move is None or 0 <= move < bounds.moves


@given(st.data(), games, seeds)
@examples(20)
def test_what_play_reaches_is_possible(data: st.DataObject, game: Game, seed: int) -> None:
    """Nothing that play reaches is refused, nor what stands for it in a table, nor what follows that."""
    rules = data.draw(rules_of(game))
    steps = playout(rules, seed)
    for position, move in Random(seed).sample(steps, min(len(steps), 8)):
        rules.check_position(position)
        rules.check_position(rules.canonical(position))
        if move is not None:
            legal = rules.legal(rules.canonical(position))
            rules.check_position(rules.after(rules.canonical(position), Random(seed).choice(legal)))
        assert rules.canonical(rules.canonical(position)) == rules.canonical(position)
        assert rules.canonical(position) == position or game.content.counted_once, (
            f"{game.key}: what does a table count as one?"
        )


@given(st.data(), games, seeds)
@examples(40)
def test_a_position_that_is_not_refused_can_be_played_to_an_end(data: st.DataObject, game: Game, seed: int) -> None:
    """A field is changed: either that is refused, or there is a game from there on, with moves that exist."""
    rules, random = data.draw(rules_of(game)), Random(seed)
    bounds = rules.bounds
    assert bounds is not None
    position, _ = random.choice(playout(rules, seed))
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
@examples(40)
def test_there_is_always_a_move_and_a_pass_is_the_only_one(data: st.DataObject, game: Game, seed: int) -> None:
    rules = data.draw(rules_of(game))
    for position, move in playout(rules, seed):
        if move is None:
            assert rules.legal(position) == []
        else:
            moves = game.rules.moves(rules.packed, position)
            legal = list_moves(moves)
            assert len(legal) == count_moves(moves) > 0
            assert all(a < b for a, b in pairwise(legal[:1000]))
            assert PASS not in legal or list(legal) == [PASS]


@given(st.data(), games)
@examples(15)
def test_every_move_has_a_name_of_its_own(data: st.DataObject, game: Game) -> None:
    """A game is asked for the names of its moves, from 1 up to below its bound, and for no others."""
    rules = data.draw(rules_of(game))
    assert rules.bounds is not None
    moves = range(1, min(rules.bounds.moves, 5000))
    names = rules.names(moves)
    assert len(set(names)) == len(moves), f"{game.key}: two moves have the same name"
    for name in names:
        assert NAME.fullmatch(name), f"{game.key}: {name!r} is no name of a move"
        assert len(name) <= LONGEST_NAME
        assert name not in NOT_A_NAME, f"{game.key}: {name!r} means something else at the prompt"


@given(st.data(), games, seeds)
@examples(40)
def test_names_are_read_as_people_type_them(data: st.DataObject, game: Game, seed: int) -> None:
    rules = data.draw(rules_of(game))
    for position, move in playout(rules, seed):
        if move is not None:
            name = rules.name(move)
            assert rules.read(position, name) == move
            assert rules.read(position, name.upper()) == move
            if move != PASS:
                assert rules.read(position, f" ({re.sub('[^a-z0-9]', ' ', name).upper()}) ") == move


@given(st.data(), games, seeds, st.one_of(st.text(), st.integers(-5, 200).map(str), st.integers().map(str)))
@examples(40)
def test_whatever_is_typed_is_a_legal_move_or_refused_with_a_reason(
    data: st.DataObject, game: Game, seed: int, text: str
) -> None:
    rules = data.draw(rules_of(game))
    steps = playout(rules, seed)[:-1]
    position, _ = steps[seed % len(steps)]
    try:
        move = rules.read(position, text)
    except MoveRefused as error:
        assert isinstance(error, (IllegalMove, UnreadableMove))
        assert error.reason
        assert error.legal
        assert str(error).isprintable()
    else:
        assert move in rules.legal(position)


@given(st.data(), games, seeds)
@examples(40)
def test_the_reason_for_a_refusal_holds_for_every_move(data: st.DataObject, game: Game, seed: int) -> None:
    rules = data.draw(rules_of(game))
    assert rules.bounds is not None
    steps = playout(rules, seed)[:-1]
    position, _ = steps[seed % len(steps)]
    legal = rules.legal(position)
    for move in range(1, min(rules.bounds.moves, 70)):
        if move not in legal:
            with pytest.raises(IllegalMove):
                rules.play(position, move)


@given(st.data(), games, seeds)
@examples(20)
def test_words_and_view_describe_every_moment(data: st.DataObject, game: Game, seed: int) -> None:
    rules = data.draw(rules_of(game))
    match = Match(Setup(rules, seed=str(seed)), rules.options)
    random = Random(seed)
    while match.legal_moves:
        tiles = [tile for group in game.display.view(match.moment) for row in group.rows for tile in row]
        assert {group.shape for group in game.display.view(match.moment)} <= {POOL, LINE, GRID, PYRAMID}
        shown = {tile.move for tile in tiles if tile.move is not None}
        if not match.stuck and rules.count_legal(match.position) <= 60:
            assert set(match.legal_moves) <= shown, f"{game.key}: no tile for some legal move"
        assert game.display.prompt(match.moment)[-1], "the last line of a question is its prompt"
        assert rules.expected(match.position)
        check_short_words(match)
        match.play(random.choice(match.legal_moves))
        assert game.display.announce(match.moment)
    assert game.display.ending(match.moment, match.round_winner)
    check_short_words(match)
    assert rules.result(match.position) != ONGOING


@given(st.data(), games, seeds)
@examples(20)
def test_records_round_trip(data: st.DataObject, game: Game, seed: int) -> None:
    options = data.draw(rules_of(game)).options
    match = Match(Setup(Rules(game, options), seed=str(seed), date="2026-11-15T00:00:00Z"), options)
    random = Random(seed)
    while match.legal_moves and len(match.log) < 300:
        match.play(random.choice(match.legal_moves))
    again = record.read_record(record.write_record(match))
    assert record.write_record(again) == record.write_record(match)
    assert (again.log, again.outcome, again.position) == (match.log, match.outcome, match.position)


@every_game
def test_the_player_who_has_just_moved_is_never_to_blame_for_the_turn(game: Game) -> None:
    """Positions are told from the mover's side: at the start nobody has lost, and there is something to do."""
    rules = dealt(game)
    assert rules.result(rules.start) == ONGOING != MOVER_LOSES
    assert rules.count_legal(rules.start) >= 1
