"""The player that takes any legal move, each as likely as the others."""

from __future__ import annotations

from random import Random

from parlour.game import count, listed
from parlour.match import Match


class RandomPlayer:
    """Any legal move."""

    def choose(self, match: Match, random: Random) -> int:
        moves = match.game.moves(match.options, match.position)
        return listed(moves)[random.randrange(count(moves))]

    def close(self) -> None:
        pass
