"""Minimax from a textbook, over any game's rules: no bounds, no cleverness. What the solver is held against."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from parlour.game import DRAWN, MOVER_WINS, ONGOING, P, list_moves
from parlour.options import O
from parlour.rules import Rules
from parlour.score import Score, Value


def minimax(rules: Rules[O, P]) -> Callable[[P], Score]:
    """A function from positions to what they are worth to the player to move."""
    game, options = rules.game, rules.options

    @cache
    def score(position: P) -> Score:
        result = game.result(options, position)
        if result == DRAWN:
            return Score(Value.DRAW)
        if result != ONGOING:
            return Score(Value.WIN if result == MOVER_WINS else Value.LOSS, 0)
        replies = [score(game.play(options, position, move)) for move in list_moves(game.moves(options, position))]
        losses = [plies for value, plies in replies if value == Value.LOSS and plies is not None]
        if losses:
            return Score(Value.WIN, min(losses) + 1)
        if any(value == Value.DRAW for value, _ in replies):
            return Score(Value.DRAW)
        return Score(Value.LOSS, max(plies for _, plies in replies if plies is not None) + 1)

    return score


def reachable(rules: Rules[O, P]) -> set[P]:
    """Every position with somebody to move that play can lead to."""
    game, options = rules.game, rules.options
    found: set[P] = set()
    todo = [game.start(options)]
    while todo:
        position = todo.pop()
        if position in found or game.result(options, position) != ONGOING:
            continue
        found.add(position)
        todo += [game.play(options, position, move) for move in list_moves(game.moves(options, position))]
    return found
