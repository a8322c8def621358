"""The player that takes any legal move, each as likely as the others."""

from __future__ import annotations

from random import Random
from typing import Any

from parlour.game import AnyGame, count, listed


class RandomPlayer:
    """Any legal move."""

    def choose(self, game: AnyGame, options: Any, position: Any, random: Random) -> int:
        moves = game.moves(options, position)
        return listed(moves)[random.randrange(count(moves))]
