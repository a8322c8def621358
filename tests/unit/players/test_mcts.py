"""Plain UCT: knows the rules and nothing else, and that is much better than nothing."""

from __future__ import annotations

from random import Random

import pytest

from parlour import catalog, players
from parlour.errors import Cancelled
from parlour.game import PASS
from parlour.limit import Limit
from parlour.match import Match
from parlour.players.mcts import MctsPlayer
from parlour.rules import Rules, rules_of
from parlour.setup import Setup
from parlour.turn import finish
from tests.support.small import begun


def points(word: str, other: str, key: str, games: int) -> float:
    """What a player scores, in both seats in turn."""
    game, scored = catalog.find_game(key), 0.0
    for number in range(games):
        words = (word, other) if number % 2 == 0 else (other, word)
        match = Match(Setup(Rules(game, game.defaults), seed=str(number), players=words, cap=20))
        finish(match, [player for player in map(players.load, words) if player is not None])
        assert match.outcome is not None
        scored += match.outcome.points[number % 2]
    return scored


@pytest.mark.parametrize("key", ["double-up", "sequence-spot"])
def test_it_beats_random(key: str) -> None:
    assert points("mcts:100", "random", key, 10) > 6


def test_it_takes_a_win_and_prevents_a_loss() -> None:
    # 1 2 3 in the top row make a line. X has 1 and 2 and is to move; then O has them and X must take 3.
    win = begun("sequence-spot", {"grid": "1,2,3,4,9,5,7,6,8"}, "1,1 2,1 1,2 2,2")
    assert {MctsPlayer(200).choose(win, Random(seed)) for seed in range(5)} == {3}
    save = begun("sequence-spot", {"grid": "1,2,3,4,9,5,7,6,8"}, "3,1 1,1 3,2 1,2")
    assert {MctsPlayer(1000).choose(save, Random(seed)) for seed in range(5)} == {3}


def test_the_same_chance_gives_the_same_move() -> None:
    match = begun("increasing-differences", {}, "5")
    chosen = [MctsPlayer(50).choose(match, Random(seed)) for seed in range(10)]
    assert chosen == [MctsPlayer(50).choose(match, Random(seed)) for seed in range(10)]
    assert len(set(chosen)) > 2


def test_one_simulation_is_enough_for_a_move() -> None:
    for key in catalog.keys():
        match = Match(Setup(rules_of(key)))
        assert MctsPlayer(1).choose(match, Random(1)) in match.legal_moves


@pytest.mark.parametrize("limit", [Limit(seconds=0), Limit(nodes=300)])
def test_within_a_limit_it_takes_what_it_tried_most_so_far(limit: Limit) -> None:
    match = begun("increasing-differences", {}, "5")
    assert MctsPlayer(1_000_000).choose(match, Random(1), limit) in match.legal_moves
    assert 0 < limit.spent < 400  # a game has at most 20 plies


def test_a_limit_that_is_wide_enough_changes_nothing() -> None:
    match = begun("increasing-differences", {}, "5")
    free = [MctsPlayer(50).choose(match, Random(seed)) for seed in range(10)]
    assert free == [MctsPlayer(50).choose(match, Random(seed), Limit(nodes=100_000)) for seed in range(10)]


def test_it_stops_when_nobody_wants_a_move_any_more() -> None:
    limit = Limit()
    limit.cancel()
    with pytest.raises(Cancelled):
        MctsPlayer(1_000_000).choose(begun("increasing-differences", {}, "5"), Random(1), limit)


def test_passes_are_moves() -> None:
    match = begun("pyramid-challenge", {"base": "2", "highest": "2"}, "2 1 2 1")
    assert MctsPlayer(10).choose(match, Random(1)) == PASS


def test_a_game_that_need_not_end_is_played_all_the_same() -> None:
    match = begun("double-up", {"limit": "none"}, "2")
    assert MctsPlayer(5).choose(match, Random(1)) in (3, 4)


def test_very_many_moves_are_not_listed() -> None:
    match = begun("double-up", {"limit": "1000000"}, "")
    while match.position[0] < 400_000:
        match.play(match.legal_moves[-1])
    assert MctsPlayer(50).choose(match, Random(1)) in match.legal_moves
