"""The levels are in order: none is weaker than the one below, and the weakest is no weaker than the random player.

What two players can expect from each other follows exactly from what a level is: in small games every position is
looked at, and no luck is in the answer. At the sizes that people play they meet in real games, with the seed fixed.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from statistics import mean

import pytest

from bench.levels import Contest, contests, meet
from parlour import catalog, players
from parlour.game import DRAWN, MOVER_WINS, ONGOING, SomePosition
from parlour.players.level import LEVELS
from tests.support.naive import Textbook
from tests.support.small import SmallGame, perfect_moves, small_games

SHARES = [1.0, *(level.at_random for level in LEVELS.values()), 0.0]  # from the random player to the perfect one
LADDER = [kind.word for kind in players.offered()]


def expectation(right: Textbook, position: SomePosition, mine: float, theirs: float) -> float:
    """The points that somebody who plays so much at random expects, being to move, against somebody else."""
    rules = right.rules

    @cache
    def points(position: SomePosition, mover: float, other: float) -> float:
        result = rules.result(position)
        if result != ONGOING:
            return 0.5 if result == DRAWN else float(result == MOVER_WINS)
        after = {move: 1 - points(rules.play(position, move), other, mover) for move in rules.legal(position)}
        wanted = perfect_moves(right, position)
        return mover * mean(after.values()) + (1 - mover) * mean(after[move] for move in wanted)

    return points(position, mine, theirs)


@small_games
def test_in_a_small_game_no_player_is_weaker_than_the_one_below(game: SmallGame) -> None:
    match, right = game.begun(), game.book
    gains = []
    for weaker, stronger in pairwise(SHARES):
        begins = expectation(right, match.position, stronger, weaker)
        follows = 1 - expectation(right, match.position, weaker, stronger)
        gains.append(begins + follows - 1)
    assert all(gain > -1e-9 for gain in gains)
    if max(gains) > 1e-9:  # otherwise it makes no difference how anybody plays
        assert all(gain > 0.005 for gain in gains)


def test_in_double_up_everybody_beats_the_one_below() -> None:
    book = contests(["double-up"])[0]
    shares = meet(book, list(pairwise(LADDER)), games=100, seed="order", jobs=1)
    assert all(share.is_above for share in shares)


@pytest.mark.parametrize("contest", contests(list(catalog.keys())), ids=lambda contest: contest.title)
def test_in_every_game_and_variant_nobody_is_weaker_than_the_one_below(contest: Contest) -> None:
    shares = meet(contest, list(pairwise(LADDER)), games=20, seed="order", jobs=1)
    assert not any(share.is_below for share in shares)
    assert sum(share.points for share in shares) / len(shares) > 50
