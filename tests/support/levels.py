"""The levels against what they say of themselves, and games in which a player sits on both sides."""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import sqrt
from random import Random

from parlour import catalog, players
from parlour.match import Match
from parlour.players.level import LEVELS, LevelPlayer
from parlour.rules import Rules
from parlour.setup import Setup
from parlour.turn import finish
from tests.support.small import SmallGame, all_positions, perfect_moves

GAMES = [
    SmallGame("double-up", "limit=37"),
    SmallGame("increasing-differences", "length=3 range=8", "3"),
    SmallGame("pyramid-challenge", "base=2 highest=4"),
    SmallGame("sequence-builder", "length=3 pool=7"),
    SmallGame("sequence-spot", "grid=1,2,3,4,5,6,7,8,9", "1,1 1,2 3,3"),
]


@cache
def positions(game: SmallGame) -> list[tuple[Match, list[int]]]:
    """Return every position where the perfect player leaves out some move, and the moves that it draws from."""
    start, right, found = game.begun(), game.book, []
    for played in all_positions(start):
        match = Match(start.setup)
        for move in played:
            match.play(move)
        wanted = perfect_moves(right, match.position)
        if len(wanted) < len(match.legal_moves):
            found.append((match, wanted))
    return found


def check_share(level: int, game: SmallGame, trials: int) -> None:
    """Count how often a level takes one of the perfect player's moves, which its random moves may be as well."""
    player, random = LevelPlayer(level), Random(level)
    taken, expected, variance = 0, 0.0, 0.0
    for trial in range(trials):
        match, wanted = random.choice(positions(game))
        chance = 1 - LEVELS[level].at_random * (1 - len(wanted) / len(match.legal_moves))
        taken += player.choose(match, Random(trial)) in wanted
        expected += chance
        variance += chance * (1 - chance)
    assert abs(taken - expected) < 4 * sqrt(variance)


def check_each_move(game: SmallGame, trials: int) -> None:
    """Count every move of level 3 in the position with the most wrong ones."""
    match, wanted = max(positions(game), key=lambda found: len(found[0].legal_moves) - len(found[1]))
    at_random = LEVELS[3].at_random
    counts = Counter(LevelPlayer(3).choose(match, Random(f"{game} {trial}")) for trial in range(trials))
    assert set(counts) <= set(match.legal_moves)
    for move in match.legal_moves:
        chance = at_random / len(match.legal_moves) + (1 - at_random) / len(wanted) * (move in wanted)
        assert abs(counts[move] - trials * chance) < 4.5 * sqrt(trials * chance * (1 - chance))


def self_play(word: str, key: str, seed: str) -> list[int]:
    """The moves of a game in which a player sits on both sides."""
    game = catalog.find_game(key)
    match = Match(Setup(Rules(game, game.defaults), seed=seed, cap=1, players=(word, word)))
    seats = [players.load(word), players.load(word)]
    assert seats[0] is not None
    assert seats[1] is not None
    assert finish(match, [seats[0], seats[1]]) == ""
    return match.round.moves
