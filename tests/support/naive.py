"""Minimax from a textbook, over any game's rules: no bounds, no cleverness. What the solver is held against."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Generic, NamedTuple

from parlour.game import DRAWN, MOVER_WINS, ONGOING, P, list_moves
from parlour.options import O
from parlour.rules import Rules
from parlour.score import Score, Value


@lru_cache(maxsize=64)  # one search of each game per process, whichever tests need it
def minimax(rules: Rules[O, P]) -> Callable[[P], Score]:
    """Return a function from positions to their scores for the player to move."""
    game, options = rules.game, rules.packed

    @cache
    def score(position: P) -> Score:
        result = game.rules.result(options, position)
        if result == DRAWN:
            return Score(Value.DRAW)
        if result != ONGOING:
            return Score(Value.WIN if result == MOVER_WINS else Value.LOSS, 0)
        replies = [
            score(game.rules.play(options, position, move)) for move in list_moves(game.rules.moves(options, position))
        ]
        losses = [plies for value, plies in replies if value == Value.LOSS and plies is not None]
        if losses:
            return Score(Value.WIN, min(losses) + 1)
        if any(value == Value.DRAW for value, _ in replies):
            return Score(Value.DRAW)
        return Score(Value.LOSS, max(plies for _, plies in replies if plies is not None) + 1)

    return score


@lru_cache(maxsize=64)
def reachable(rules: Rules[O, P], start: P | None = None) -> frozenset[P]:
    """Return every unfinished position of a game, or of what follows a position of it."""
    game, options = rules.game, rules.packed
    found: set[P] = set()
    todo = [game.rules.start(options) if start is None else start]
    while todo:
        position = todo.pop()
        if position in found or game.rules.result(options, position) != ONGOING:
            continue
        found.add(position)
        todo += [game.rules.play(options, position, move) for move in list_moves(game.rules.moves(options, position))]
    return frozenset(found)


class Truth(NamedTuple):
    """What there is to know about a position with somebody to move."""

    score: Score
    choice: bool  # there is more than one move
    critical: bool  # some move loses value


def truth_of(rules: Rules[O, P], position: P) -> Truth:
    """Return the truth about any unfinished position, whether play can lead to it or not."""
    game, options, worth = rules.game, rules.packed, minimax(rules)
    moves = list_moves(game.rules.moves(options, position))
    replies = {worth(game.rules.play(options, position, move)).value for move in moves}
    return Truth(worth(position), len(moves) > 1, len(replies) > 1)


def truths(rules: Rules[O, P]) -> dict[P, Truth]:
    """Return the truth about every position that play can lead to, without symmetry reduction."""
    return {position: truth_of(rules, position) for position in reachable(rules)}


OTHER = {Value.LOSS: Value.WIN, Value.DRAW: Value.DRAW, Value.WIN: Value.LOSS}


@lru_cache(maxsize=64)
def _moves(rules: Rules[O, P]) -> dict[P, dict[int, Score]]:
    """Return the cache of move scores that all textbooks of a game share."""
    return {}


class Textbook(Generic[O, P]):
    """What follows from it: what each move is worth, which are best, which keep the value and which lose it."""

    def __init__(self, rules: Rules[O, P]) -> None:
        self.rules = rules
        self.worth = minimax(rules)  # of a position, for the player to move
        self._known: dict[P, dict[int, Score]] = _moves(rules)

    def moves(self, position: P) -> dict[int, Score]:
        """Return the score of each move for the player who makes it."""
        found = self._known.get(position)
        if found is None:
            found = self._known[position] = {}
            for move in self.rules.legal(position):
                value, plies = self.worth(self.rules.play(position, move))
                found[move] = Score(OTHER[value], None if plies is None else plies + 1)
        return found

    def best(self, position: P) -> list[int]:
        """The quickest wins, all draws, or the slowest losses."""
        moves = self.moves(position)
        most = max(map(eagerness, moves.values()))
        return [move for move, worth in moves.items() if eagerness(worth) == most]

    def keeping(self, position: P) -> list[int]:
        """The moves that keep the value."""
        value = self.worth(position).value
        return [move for move, worth in self.moves(position).items() if worth.value == value]

    def losing(self, position: P) -> list[int]:
        """The moves that lose value."""
        value = self.worth(position).value
        return [move for move, worth in self.moves(position).items() if worth.value != value]

    def is_best_play(self, position: P, line: list[int]) -> P:
        """Where a line ends; it fails if somebody could have done better on the way."""
        for move in line:
            assert move in self.best(position), f"{move} is not best in {position}"
            position = self.rules.play(position, move)
        return position


def eagerness(worth: Score) -> tuple[int, int]:
    """What everybody wants most of: a quick win, a draw, a slow loss."""
    plies = worth.plies or 0
    if worth.value == Value.WIN:
        return 1, -plies
    return (0, 0) if worth.value == Value.DRAW else (-1, plies)
