"""Players from beginner to expert, which mix random moves with best ones.

Each move is drawn independently: with the probability of the level it is any legal move, and otherwise a move of the
perfect player. So each level is nearer to perfect play than the one below.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from parlour.batch import random_move
from parlour.errors import TooBig
from parlour.game import P
from parlour.limit import Limit, limit_of
from parlour.match import Match
from parlour.options import O
from parlour.players import PlayerKind
from parlour.players.mcts import MctsPlayer
from parlour.players.perfect import best_move, solver_for
from parlour.turn import chance, check_turn

TRIALS_PER_MOVE = 10  # simulations per legal move, if no best move is found
MAX_TRIALS = 1000
COMPARED_NODES = 500_000  # positions searched for the best move before it simulates games


class Level(NamedTuple):
    """The name and the share of random moves of a level."""

    nickname: str
    at_random: float  # share of random moves


LEVELS = {
    1: Level("beginner", 0.75),
    2: Level("gentle", 0.50),
    3: Level("steady", 0.30),
    4: Level("sharp", 0.15),
    5: Level("expert", 0.05),
}


class LevelPlayer:
    """A player with random moves at the level's share, and best moves otherwise.

    If a best move takes too long to find, a short tree search chooses. In an endless game every move is random.
    """

    def __init__(self, level: int) -> None:
        self._word = f"level:{level}"
        self._level = LEVELS[level]

    def __repr__(self) -> str:
        return f"<Player {self._word}>"

    def choose(self, match: Match[O, P], random: Random | None = None, limit: Limit | None = None) -> int:
        check_turn(match)
        random = random or chance(match)
        if match.only_move is not None:
            return match.only_move
        if random.random() < self._level.at_random or match.rules.bounds is None:
            return random_move(match.rules, match.position, random)
        limit = limit_of(limit)
        solver = solver_for(match.rules, match.position)
        if solver is not None:
            try:
                return best_move(solver, match.position, random, limit.part(nodes=COMPARED_NODES))
            except TooBig:
                if limit.time_is_up:
                    raise
        trials = min(TRIALS_PER_MOVE * match.rules.count_legal(match.position), MAX_TRIALS)
        return MctsPlayer(trials).choose(match, random, limit)

    def close(self) -> None:
        pass


KINDS = tuple(
    PlayerKind(
        word=f"level:{number}",
        title=f"Level {number}, {level.nickname}",
        nickname=level.nickname,
        about=f"plays {100 * level.at_random:.0f}% of its moves at random and the rest perfectly",
        make=lambda argument: LevelPlayer(int(argument)),
        place=20,
    )
    for number, level in LEVELS.items()
)
