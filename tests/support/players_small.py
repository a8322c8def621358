"""Games small enough for a textbook, and all their positions."""

from __future__ import annotations

from parlour import catalog
from parlour.game import ONGOING, SomePosition
from parlour.match import Match, Setup
from parlour.rules import read_rules
from parlour.score import Value
from tests.support.naive import Textbook

# Options of every game, small enough for minimax, and moves to begin with where the whole game is too much.
SMALL: list[tuple[str, dict[str, str], str]] = [
    ("double-up", {"limit": "2"}, ""),
    ("double-up", {"limit": "40"}, ""),
    ("double-up", {"limit": "61"}, ""),
    ("increasing-differences", {"length": "2", "range": "5"}, ""),
    ("increasing-differences", {"length": "3", "range": "7"}, ""),
    ("increasing-differences", {"length": "4", "range": "8"}, "4"),
    ("pyramid-challenge", {"base": "2", "highest": "4"}, ""),
    ("pyramid-challenge", {"base": "2", "highest": "6", "copies": "1"}, ""),
    ("pyramid-challenge", {"base": "3", "highest": "3", "copies": "2"}, "1 3"),
    ("sequence-builder", {"length": "3", "pool": "7"}, ""),
    ("sequence-builder", {"length": "3", "pool": "9", "increments": "2,3"}, "4"),
    ("sequence-builder", {"length": "4", "pool": "8"}, "2"),
    ("sequence-spot", {"grid": "1,2,3,4,5,6,7,8,9"}, "1,1 1,2"),
    ("sequence-spot", {"grid": "2,9,4,7,5,3,6,1,8"}, "2,2"),
    ("sequence-spot", {"grid": "5,1,6,2,4,9,8,7,3"}, "1,2"),
]

KEYS = sorted({key for key, _, _ in SMALL})


def begun(key: str, texts: dict[str, str], moves: str, seed: str = "1") -> Match:
    """A match of one round, after some moves."""
    game = catalog.find_game(key)
    match = Match(Setup(game, read_rules(game, texts).options, seed=seed, cap=1))
    for move in moves.split():
        match.play(move)
    return match


def all_positions(match: Match) -> list[list[int]]:
    """Every unfinished position that can follow, once, as the moves that lead there."""
    seen: set[SomePosition] = set()
    found: list[list[int]] = []

    def visit() -> None:
        if match.position in seen or match.round_result != ONGOING:
            return
        seen.add(match.position)
        found.append(list(match.round.moves))
        for move in match.legal:
            match.play(move)
            visit()
            match.undo()

    visit()
    return found


def perfect_moves(right: Textbook, position: SomePosition) -> list[int]:
    """What the perfect player draws from: the best moves, and of those that do not win the ones that tempt the most."""
    best = right.best(position)
    if right.worth(position).value is Value.WIN:
        return best

    def tempting(move: int) -> int:
        after = right.rules.play(position, move)
        return len(right.losing(after)) if right.rules.result(after) == ONGOING else 0

    most = max(map(tempting, best))
    return [move for move in best if tempting(move) == most]
