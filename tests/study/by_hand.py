"""The textbook's minimax, written again: what hints, reports and explanations are held against."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from parlour.game import DRAWN, MOVER_WINS, ONGOING, AnyGame, listed
from parlour.match import Match, Setup

WORTH = {"loss": -1, "draw": 0, "win": 1}
OTHER = {"loss": "win", "draw": "draw", "win": "loss"}


class Worth(NamedTuple):
    value: str
    plies: int | None


class Textbook:
    """Every answer by looking at everything that can follow."""

    def __init__(self, game: AnyGame, options: Any) -> None:
        self.game, self.options = game, options
        self.worth = cache(self._worth)

    def _worth(self, position: Any) -> Worth:
        """Of a position, for the player to move."""
        result = self.game.result(self.options, position)
        if result == DRAWN:
            return Worth("draw", None)
        if result != ONGOING:
            return Worth("win" if result == MOVER_WINS else "loss", 0)
        return max(self.moves(position).values(), key=eagerness)

    def moves(self, position: Any) -> dict[int, Worth]:
        """Of each move, for the player who makes it."""
        found = {}
        for move in listed(self.game.moves(self.options, position)):
            value, plies = self.worth(self.game.play(self.options, position, move))
            found[move] = Worth(OTHER[value], None if plies is None else plies + 1)
        return found

    def best(self, position: Any) -> set[int]:
        moves = self.moves(position)
        most = max(map(eagerness, moves.values()))
        return {move for move, worth in moves.items() if eagerness(worth) == most}

    def keeping(self, position: Any) -> list[int]:
        value = self.worth(position).value
        return [move for move, worth in self.moves(position).items() if worth.value == value]

    def is_best_play(self, position: Any, line: list[int]) -> Any:
        """Where a line ends; it fails if somebody could have done better on the way."""
        for move in line:
            assert move in self.best(position), f"{move} is not best in {position}"
            position = self.game.play(self.options, position, move)
        return position


def eagerness(worth: Worth) -> tuple[int, int]:
    """What everybody wants most of: a quick win, a draw, a slow loss."""
    plies = worth.plies or 0
    return WORTH[worth.value], -plies if worth.value == "win" else plies


def played(game: AnyGame, options: Any, moves: str = "", **how: Any) -> Match:
    """A match in which these moves were played; passes that are forced need not be written."""
    match = Match(Setup(game, options, **how))
    for word in moves.split():
        while match.stuck:
            match.play(0)
        match.play(match.read(word))
    return match
