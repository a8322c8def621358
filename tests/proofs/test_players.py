"""Players in all small games and at the sizes of the books. `tests/unit/players` has the quick cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from parlour import catalog
from parlour.game import ONGOING
from parlour.match import Match
from parlour.players import perfect
from parlour.players.level import LEVELS, Level, LevelPlayer
from parlour.players.perfect import PerfectPlayer
from parlour.rules import Rules, read_rules, rules_of
from parlour.score import Score
from parlour.setup import Setup
from parlour.solver import Solver
from tests.support.levels import GAMES, check_each_move, check_share, self_play
from tests.support.perfect import check_every_opponent, check_every_position
from tests.support.pool import MATCHES, chooses_as_at_the_terminal
from tests.support.small import KEYS, SmallGame, begun, each_of, small_games


@small_games
def test_the_perfect_player_never_drops_value_whatever_anybody_plays(game: SmallGame) -> None:
    check_every_position(game)


@small_games
def test_a_game_against_the_perfect_player_ends_as_the_position_began_or_better(game: SmallGame) -> None:
    check_every_opponent(game)


@pytest.mark.parametrize("level", LEVELS)
@each_of(GAMES)
def test_a_level_plays_as_often_at_random_as_it_says_and_perfectly_otherwise(level: int, game: SmallGame) -> None:
    check_share(level, game, 1000)


@each_of(GAMES)
def test_each_move_of_a_level_is_as_likely_as_it_should_be(game: SmallGame) -> None:
    check_each_move(game, 1000)


@pytest.mark.parametrize("word", ["random", *(f"level:{level}" for level in LEVELS), "perfect", "mcts:20"])
def test_a_seed_gives_one_game_and_seeds_give_many(word: str) -> None:
    games = [self_play(word, "sequence-builder", str(seed)) for seed in range(12)]
    assert games == [self_play(word, "sequence-builder", str(seed)) for seed in range(12)]
    assert len({tuple(moves) for moves in games}) > 8


@pytest.mark.parametrize("key", KEYS)
def test_the_book_s_games_are_small_enough_to_be_known(key: str) -> None:
    match = Match(Setup(rules_of(key)))
    assert perfect.solver_for(match.rules, match.position) is not None


@pytest.mark.parametrize("word", ["random", "level:1", "level:5", "perfect", "mcts:20"])
@pytest.mark.parametrize("key", KEYS)
def test_everybody_plays_every_game_to_its_end(word: str, key: str) -> None:
    assert self_play(word, key, "1")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Little is small: tests have no time for more."""
    monkeypatch.setattr(perfect, "SEARCHED_NODES", 4000)
    perfect._whole.cache_clear()
    yield
    perfect._whole.cache_clear()


@pytest.fixture
def infallible(monkeypatch: pytest.MonkeyPatch) -> None:
    """Level 3 plays nothing at random."""
    monkeypatch.setitem(LEVELS, 3, Level("steady", 0.0))


@pytest.mark.usefixtures("impatient", "infallible")
def test_late_in_a_big_game_a_level_sees_as_well_as_in_a_small_one() -> None:
    game = catalog.find_game("increasing-differences")
    options = read_rules(game, {"length": "12", "range": "60"}).options
    match, random, seen = Match(Setup(Rules(game, options), seed="4")), Random(4), 0
    while match.round_result == ONGOING:
        fresh = perfect.solver_for(match.rules, match.position)
        move = LevelPlayer(3).choose(match, random)
        if fresh is not None:
            seen += 1
            assert fresh.keeps(match.position, move, Score(fresh.value(match.position)))
        match.play(move)
    assert 3 < seen < len(match.round.moves)


def test_where_a_game_is_big_it_proves_its_move_with_more_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perfect, "solver_for", lambda *position: None)  # as if nothing were small
    match = begun("increasing-differences", {}, "")
    solver, player = Solver(match.rules), PerfectPlayer()
    while match.round_result == ONGOING:
        move = player.choose(match, Random(1))
        assert move in solver.best(match.position)
        match.play(move)


@pytest.mark.parametrize("match", MATCHES, ids=lambda match: f"{match[0]} {match[1]} {match[2]}")
def test_a_computer_on_the_web_chooses_as_at_the_terminal(run: Callable[..., Any], state: Path, match: Any) -> None:
    chooses_as_at_the_terminal(run, state, *match)
