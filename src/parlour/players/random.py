"""The random player: each legal move is equally likely."""

from __future__ import annotations

from random import Random

from parlour.batch import random_move
from parlour.game import P
from parlour.limit import Limit
from parlour.match import Match
from parlour.options import O
from parlour.players import PlayerKind
from parlour.turn import chance, check_turn


class RandomPlayer:
    """A player with random moves."""

    def __repr__(self) -> str:
        return "<Player random>"

    def choose(self, match: Match[O, P], random: Random | None = None, limit: Limit | None = None) -> int:
        check_turn(match)
        random = random or chance(match)
        return random_move(match.rules, match.position, random)

    def close(self) -> None:
        pass


KINDS = (
    PlayerKind(
        word="random",
        title="Random",
        about="plays any move that is allowed",
        make=lambda argument: RandomPlayer(),
        place=10,
    ),
)
