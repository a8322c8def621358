"""The player that knows only the rules: it plays games in its head and takes the move that it tried most often.

This is plain UCT (Kocsis and Szepesvári, 2006): from the position the tree is followed by the upper confidence bound
down to a move that was not tried yet; it is tried in one random game, whose outcome counts for every move on the way.
"""

from __future__ import annotations

from itertools import islice
from math import log, sqrt
from random import Random
from typing import Generic

from parlour.batch import random_game
from parlour.errors import TooBig
from parlour.game import P
from parlour.limit import Limit
from parlour.match import Match
from parlour.options import O
from parlour.players import PlayerKind
from parlour.rules import Rules
from parlour.score import Value

EXPLORATION = sqrt(2)  # how much a move that was seldom tried is preferred
MOST_PLIES = 1000  # of a random game; one that goes on is called a draw
MOST_SIMULATIONS = 1_000_000


class Node(Generic[P]):
    """A position of the tree."""

    __slots__ = ("children", "count", "legal", "points", "position", "visits")

    def __init__(self, rules: Rules[O, P], position: P) -> None:
        self.position = position
        self.legal = rules.legal(position)  # none: the game is over; may be too long for len()
        self.count = rules.count_legal(position)
        self.children: dict[int, Node[P]] = {}  # by move, in the order in which they were tried
        self.visits = 0
        self.points = 0.0  # for the player who moved here: a win 1, a draw a half


class MctsPlayer:
    """The most tried move after so many simulations, or after as many as the limit allows."""

    def __init__(self, simulations: int) -> None:
        self._simulations = simulations

    def choose(self, match: Match[O, P], random: Random, limit: Limit | None = None) -> int:
        if match.only_move is not None:
            return match.only_move
        rules = match.rules
        root = Node(rules, match.position)
        for _ in range(self._simulations):
            path = _descend(rules, root, random)
            points, plies = _play_out(rules, path[-1].position, random)
            for node in reversed(path):
                node.visits += 1
                node.points += points
                points = 1 - points
            if limit is not None and _is_used_up(limit, len(path) + plies):
                break
        most = max(child.visits for child in root.children.values())
        return random.choice([move for move, child in root.children.items() if child.visits == most])

    def close(self) -> None:
        pass


def _is_used_up(limit: Limit, nodes: int) -> bool:
    """Whether nothing is left of a limit after so many nodes more; Cancelled if nobody wants a move any more."""
    limit.spend(nodes)
    try:
        limit.check()
    except TooBig:
        return True
    return False


def _descend(rules: Rules[O, P], root: Node[P], random: Random) -> list[Node[P]]:
    """The nodes from the root to a new one, or to one where the game is over."""
    path = [root]
    node = root
    while node.legal:
        if len(node.children) < node.count:
            move = node.legal[random.randrange(node.count)]
            while move in node.children:
                move = node.legal[random.randrange(node.count)]
            child = Node(rules, rules.after(node.position, move))
            node.children[move] = child
            return [*path, child]
        spread = EXPLORATION * sqrt(log(node.visits))
        node = max(node.children.values(), key=lambda n: n.points / n.visits + spread / sqrt(n.visits))
        path.append(node)
    return path


def _play_out(rules: Rules[O, P], position: P, random: Random) -> tuple[float, int]:
    """What a random game from here brings to the player who has just moved, and its plies."""
    plies = 0
    for reached, move in islice(random_game(rules, position, random), MOST_PLIES):
        if move is None:
            value = Value.of_result(rules.result(reached))
            points = (1 - value) / 2  # the player to move is the opponent
            return points if plies % 2 == 0 else 1 - points, plies
        plies += 1
    return 0.5, plies


def _make(argument: str) -> MctsPlayer | None:
    is_number = argument.isascii() and argument.isdigit() and len(argument) < 9
    return MctsPlayer(int(argument)) if is_number and 1 <= int(argument) <= MOST_SIMULATIONS else None


KINDS = (
    PlayerKind(
        word="mcts:SIMULATIONS",
        title="MCTS",
        about="knows nothing but the rules: it plays so many games in its head before each move",
        make=_make,
        argument=f"SIMULATIONS go from 1 to {MOST_SIMULATIONS}",
        place=40,
        offered=False,
    ),
)
