"""Players from beginner to expert: a level plays so many of its moves at random, and the others as well as can be.

Every move is drawn anew: at the level's own share it is any legal move, each as likely as the others, and otherwise
the move of the perfect player. So a level never does worse than its luck, and each is nearer to perfect than the one
before it.
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

TRIALS_FOR_A_MOVE = 10  # games in its head for each move that it has, where the best one takes too long to find
MOST_TRIALS = 1000
COMPARED_NODES = 500_000  # positions searched for the best move; beyond that it plays games in its head as well


class Level(NamedTuple):
    """What a level is called, and what it does."""

    nickname: str
    at_random: float  # the share of its moves that are any legal move


LEVELS = {
    1: Level("beginner", 0.75),
    2: Level("gentle", 0.50),
    3: Level("steady", 0.30),
    4: Level("sharp", 0.15),
    5: Level("expert", 0.05),
}


class LevelPlayer:
    """Any legal move at the level's share, otherwise a best one.

    Where that cannot be found at once, it is the one that does best in a few games in its head; and in a game that need
    not end, where no move is best, any.
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
        trials = min(TRIALS_FOR_A_MOVE * match.rules.count_legal(match.position), MOST_TRIALS)
        return MctsPlayer(trials).choose(match, random, limit)

    def close(self) -> None:
        pass


KINDS = tuple(
    PlayerKind(
        word=f"level:{number}",
        title=f"Level {number}, {level.nickname}",
        nickname=level.nickname,
        about=f"plays {level.at_random * 100:.0f} % of its moves at random, and the best move otherwise",
        make=lambda argument: LevelPlayer(int(argument)),
        place=20,
    )
    for number, level in LEVELS.items()
)
