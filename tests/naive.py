"""Minimax from a textbook, over any game's rules: no bounds, no cleverness. What the solver is held against."""

from __future__ import annotations

from functools import cache
from typing import Any

from parlour.game import DRAWN, MOVER_WINS, ONGOING, AnyGame, listed


def minimax(game: AnyGame, options: Any) -> Any:
    """A function from positions to (value for the player to move: 1, 0 or -1; plies to the end or None for a draw)."""

    @cache
    def standing(position: Any) -> tuple[int, int | None]:
        result = game.result(options, position)
        if result == DRAWN:
            return 0, None
        if result != ONGOING:
            return (1 if result == MOVER_WINS else -1), 0
        replies = [standing(game.play(options, position, move)) for move in listed(game.moves(options, position))]
        losses = [plies for value, plies in replies if value == -1 and plies is not None]
        if losses:
            return 1, min(losses) + 1
        if any(value == 0 for value, _ in replies):
            return 0, None
        return -1, max(plies for _, plies in replies if plies is not None) + 1

    return standing


def reachable(game: AnyGame, options: Any) -> set[Any]:
    """Every position with somebody to move that play can lead to."""
    found: set[Any] = set()
    todo = [game.start(options)]
    while todo:
        position = todo.pop()
        if position in found or game.result(options, position) != ONGOING:
            continue
        found.add(position)
        todo += [game.play(options, position, move) for move in listed(game.moves(options, position))]
    return found


def by_hand(text: str) -> int:
    """win, draw and loss as numbers."""
    return {"win": 1, "draw": 0, "loss": -1}[text]
