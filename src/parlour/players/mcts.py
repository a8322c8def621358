"""The player that knows only the rules: it plays games in its head and takes the move that it tried most often.

This is plain UCT (Kocsis and Szepesvári, 2006): from the position the tree is followed by the upper confidence bound
down to a move that was not tried yet; it is tried in one random game, whose outcome counts for every move on the way.
"""

from __future__ import annotations

from math import log, sqrt
from random import Random
from typing import Any

from parlour.game import DRAWN, MOVER_WINS, ONGOING, AnyGame, count, listed
from parlour.match import Match
from parlour.referee import legal_moves

EXPLORATION = sqrt(2)  # how much a move that was seldom tried is preferred
LONGEST = 1000  # plies of a random game; one that goes on is called a draw


class Node:
    """A position of the tree."""

    __slots__ = ("children", "count", "legal", "points", "position", "visits")

    def __init__(self, game: AnyGame, options: Any, position: Any) -> None:
        self.position = position
        self.legal = legal_moves(game, options, position)  # none: the game is over; may be too long for len()
        self.count = count(game.moves(options, position)) if self.legal else 0
        self.children: dict[int, Node] = {}  # by move, in the order in which they were tried
        self.visits = 0
        self.points = 0.0  # for the player who moved here: a win 1, a draw a half


class MctsPlayer:
    """The most tried move after so many simulations."""

    def __init__(self, simulations: int) -> None:
        self._simulations = simulations

    def choose(self, match: Match, random: Random) -> int:
        game, options = match.game, match.options
        root = Node(game, options, match.position)
        if match.only_move is not None:
            return match.only_move
        for _ in range(self._simulations):
            path = _descend(game, options, root, random)
            points = _play_out(game, options, path[-1].position, random)
            for node in reversed(path):
                node.visits += 1
                node.points += points
                points = 1 - points
        most = max(child.visits for child in root.children.values())
        return random.choice([move for move, child in root.children.items() if child.visits == most])

    def close(self) -> None:
        pass


def _descend(game: AnyGame, options: Any, root: Node, random: Random) -> list[Node]:
    """The nodes from the root to a new one, or to one where the game is over."""
    path = [root]
    node = root
    while node.legal:
        if len(node.children) < node.count:
            move = node.legal[random.randrange(node.count)]
            while move in node.children:
                move = node.legal[random.randrange(node.count)]
            child = Node(game, options, game.play(options, node.position, move))
            node.children[move] = child
            return [*path, child]
        spread = EXPLORATION * sqrt(log(node.visits))
        node = max(node.children.values(), key=lambda n: n.points / n.visits + spread / sqrt(n.visits))
        path.append(node)
    return path


def _play_out(game: AnyGame, options: Any, position: Any, random: Random) -> float:
    """What a random game from here brings to the player who has just moved."""
    for ply in range(LONGEST):
        result = game.result(options, position)
        if result != ONGOING:
            points = 0.5 if result == DRAWN else float(result != MOVER_WINS)
            return points if ply % 2 == 0 else 1 - points
        moves = game.moves(options, position)
        position = game.play(options, position, listed(moves)[random.randrange(count(moves))])
    return 0.5
