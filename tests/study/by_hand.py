"""What hints, reports and explanations are held against: the textbook's minimax, and what follows from it."""

from __future__ import annotations

from typing import Any, Generic

from parlour.game import P, list_moves
from parlour.match import Match, Setup
from parlour.options import O
from parlour.rules import Rules
from parlour.score import Score, Value
from tests.naive import minimax

OTHER = {Value.LOSS: Value.WIN, Value.DRAW: Value.DRAW, Value.WIN: Value.LOSS}


class Textbook(Generic[O, P]):
    """Every answer by looking at everything that can follow."""

    def __init__(self, rules: Rules[O, P]) -> None:
        self.game, self.options = rules.game, rules.options
        self.worth = minimax(rules)  # of a position, for the player to move

    def moves(self, position: P) -> dict[int, Score]:
        """Of each move, for the player who makes it."""
        found = {}
        for move in list_moves(self.game.moves(self.options, position)):
            value, plies = self.worth(self.game.play(self.options, position, move))
            found[move] = Score(OTHER[value], None if plies is None else plies + 1)
        return found

    def best(self, position: P) -> set[int]:
        moves = self.moves(position)
        most = max(map(eagerness, moves.values()))
        return {move for move, worth in moves.items() if eagerness(worth) == most}

    def keeping(self, position: P) -> list[int]:
        value = self.worth(position).value
        return [move for move, worth in self.moves(position).items() if worth.value == value]

    def is_best_play(self, position: P, line: list[int]) -> P:
        """Where a line ends; it fails if somebody could have done better on the way."""
        for move in line:
            assert move in self.best(position), f"{move} is not best in {position}"
            position = self.game.play(self.options, position, move)
        return position


def eagerness(worth: Score) -> tuple[int, int]:
    """What everybody wants most of: a quick win, a draw, a slow loss."""
    plies = worth.plies or 0
    if worth.value == Value.WIN:
        return 1, -plies
    return (0, 0) if worth.value == Value.DRAW else (-1, plies)


def played(rules: Rules[O, P], moves: str = "", **how: Any) -> Match[O, P]:
    """A match in which these moves were played; passes that are forced need not be written."""
    match = Match(Setup(rules.game, rules.options, **how))
    match.play_line(moves.split())
    return match
