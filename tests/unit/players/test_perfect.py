"""The perfect player never drops value: proved against every line of play on small options of every game."""

from __future__ import annotations

from random import Random

import pytest

from parlour import players
from parlour.errors import Cancelled, TooBig
from parlour.limit import Limit
from parlour.match import Match
from parlour.players import perfect
from parlour.players.perfect import PerfectPlayer
from parlour.rules import rules_of
from parlour.setup import Setup
from tests.support.perfect import check_every_opponent, check_every_position
from tests.support.small import SmallGame, begun, few_games, quick_games


@quick_games
def test_the_perfect_player_never_drops_value_whatever_anybody_plays(game: SmallGame) -> None:
    check_every_position(game)


@few_games
def test_a_game_against_the_perfect_player_ends_as_the_position_began_or_better(game: SmallGame) -> None:
    check_every_opponent(game)


def test_what_is_equal_is_left_to_chance_and_chance_to_the_seed() -> None:
    match = begun("sequence-builder", {}, "")
    chosen = [PerfectPlayer().choose(match, Random(seed)) for seed in range(30)]
    assert chosen == [PerfectPlayer().choose(match, Random(seed)) for seed in range(30)]
    assert len(set(chosen)) > 5


@pytest.mark.parametrize("key", ["double-up", "sequence-builder"])
def test_the_book_s_games_are_small_enough_to_be_known(key: str) -> None:
    match = Match(Setup(rules_of(key)))
    assert perfect.solver_for(match.rules, match.position) is not None


def test_without_a_proof_it_plays_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perfect, "SEARCHED_NODES", 1000)
    match = begun("increasing-differences", {"length": "12", "range": "60"}, "")
    for limit in (Limit(seconds=0), Limit(nodes=2000)):
        with pytest.raises(TooBig, match="no proof of a best move") as refusal:
            PerfectPlayer().choose(match, Random(1), limit)
        assert "\n" not in str(refusal.value)


def test_a_search_that_nobody_wants_any_more_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perfect, "SEARCHED_NODES", 1000)
    limit = Limit()
    limit.cancel()
    with pytest.raises(Cancelled):
        PerfectPlayer().choose(begun("increasing-differences", {"length": "12", "range": "60"}, ""), Random(1), limit)


def test_a_game_that_need_not_end_has_no_best_move() -> None:
    with pytest.raises(TooBig, match="set a limit"):
        PerfectPlayer().choose(begun("double-up", {"limit": "none"}, "2"), Random(1))


def test_a_million_numbers_do_not_make_it_think() -> None:
    match = begun("double-up", {"limit": "1000000"}, "")
    player, plies = players.load("perfect"), 0
    assert player is not None
    while match.outcome is None:
        # Double Up's secret, by hand: these numbers are lost for who has to go on from them.
        lost = [1_000_000]
        while lost[-1] > 2:
            lost.append((lost[-1] - 1) // 2)
        move = player.choose(match, Random(plies))
        winning = [number for number in lost if match.position[0] < number <= 2 * match.position[0]]
        assert move in winning or not winning
        match.play(move)
        plies += 1
