"""The searches as they stand, over dictionaries: no waiting, for small work."""

from __future__ import annotations

import math
import sys
from typing import Any

from parlour.game import AnyGame
from parlour.solver.kernels import STOPPED, TOP, Rules, Table, make_at_least, make_fill

NOTHING = (-TOP, TOP)


def rules_of(game: AnyGame) -> Rules:
    """What searching needs of a game."""
    return Rules(game.moves, game.play, game.result, game.canonical, game.settled)


def look_bounds(known: dict[Any, tuple[int, int]], position: Any) -> tuple[int, int]:
    return known.get(position, NOTHING)


def keep_bounds(known: dict[Any, tuple[int, int]], position: Any, low: int, high: int) -> None:
    known[position] = (low, high)


def look_mark(known: dict[Any, int], position: Any) -> int:
    return known.get(position, STOPPED)


def keep_mark(known: dict[Any, int], position: Any, mark: int) -> None:
    known[position] = mark


def as_it_stands(function: Any) -> Any:
    """The compiler that compiles nothing."""
    return function


class PlainSearch:
    """Answers by search with a dictionary."""

    def __init__(self, game: AnyGame, options: Any) -> None:
        bounds = game.bounds(options)
        assert bounds is not None  # the caller has made sure that the game ends
        self.known: dict[Any, tuple[int, int]] = {}
        self._options = options
        self._notes = [0] * (bounds.moves * (bounds.plies + 1))
        rules = rules_of(game)._replace(canonical=lambda options, position: position)  # costs more here than it saves
        self._at_least = make_at_least(rules, Table(look_bounds, keep_bounds), as_it_stands)
        make_room(bounds.plies)

    def at_least(self, position: Any, target: int, nodes: int) -> tuple[int, int]:
        """1, 0 or STOPPED, and how many nodes it took of those allowed."""
        work = [nodes]
        answer = self._at_least(self._options, position, target, self.known, self._notes, 0, work)
        return answer, nodes - work[0]


class PlainFill:
    """Marks of all positions, in a dictionary."""

    def __init__(self, game: AnyGame, options: Any) -> None:
        bounds = game.bounds(options)
        assert bounds is not None
        self.known: dict[Any, int] = {}
        self._options = options
        self._fill = make_fill(rules_of(game), Table(look_mark, keep_mark), as_it_stands)
        make_room(bounds.plies)

    def __len__(self) -> int:
        return len(self.known)

    def fill(self, position: Any, nodes: int) -> int:
        """The score of the position, or STOPPED when the nodes are used up."""
        score: int = self._fill(self._options, position, self.known, [nodes])
        return score


def fits(game: AnyGame, options: Any, beside: int) -> bool:
    """Whether a packed position leaves so many bits of an int64 free, so that compiled code can keep it."""
    bounds = game.bounds(options)
    return bounds is not None and math.prod(bounds.position) < 2 ** (63 - beside)


def make_room(plies: int) -> None:
    """Let a search go as deep as the game is long."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 2 * plies + 1000))
