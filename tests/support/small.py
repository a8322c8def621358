"""The small games of all tests: options under which minimax visits every position, and its results, computed once.

`GAMES` is the one list, and the proofs use all of it (`small_games`). Tests of slower components use one or two games
of each kind (`few_games`); unit tests use the cheapest games, without a grid (`quick_games`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any, NamedTuple

import pytest

from parlour import catalog
from parlour.game import ONGOING, P, SomePosition
from parlour.match import Match
from parlour.options import O, read_words
from parlour.rules import Rules, read_rules
from parlour.score import Score, Value
from parlour.setup import Setup
from parlour.solver import Choice
from tests.support.naive import Textbook, Truth, reachable, truths


class SmallGame(NamedTuple):
    """A game under options so small that every position can be visited."""

    key: str
    options: str  # as words: "length=3 range=7"
    opening: str = ""  # moves to begin with in tests that play from every position

    def __str__(self) -> str:
        return " ".join([self.key, *(f"{word.partition('=')[2]}" for word in self.options.split())])

    @property
    def texts(self) -> dict[str, str]:
        return read_words(self.options)

    @property
    def rules(self) -> Rules[Any, Any]:
        return _rules(self.key, self.options)

    @property
    def book(self) -> Textbook[Any, Any]:
        """Minimax, and everything that follows from it."""
        return Textbook(self.rules)

    @property
    def truth(self) -> dict[Any, Truth]:
        """Every unfinished position with its score."""
        return _truths(self)

    @property
    def positions(self) -> list[Any]:
        """Every unfinished position, in a fixed random order."""
        return _positions(self)

    def begun(self, seed: str = "1") -> Match:
        """A match of one round after the opening."""
        return begun(self.key, self.texts, self.opening, seed)


GAMES = [
    SmallGame("double-up", "limit=2"),
    SmallGame("double-up", "limit=20"),
    SmallGame("double-up", "limit=37"),
    SmallGame("double-up", "limit=97"),
    SmallGame("increasing-differences", "length=2 range=2"),
    SmallGame("increasing-differences", "length=2 range=7"),
    SmallGame("increasing-differences", "length=3 range=7"),
    SmallGame("increasing-differences", "length=4 range=7", "4"),
    SmallGame("increasing-differences", "length=5 range=8", "4 6"),
    SmallGame("pyramid-challenge", "base=2 highest=4"),
    SmallGame("pyramid-challenge", "base=2 highest=4 copies=2"),
    SmallGame("pyramid-challenge", "base=2 highest=6 copies=1"),
    SmallGame("pyramid-challenge", "base=3 highest=2"),
    SmallGame("pyramid-challenge", "base=3 highest=3 copies=2", "1 3"),
    SmallGame("pyramid-challenge", "base=3 highest=3 copies=3", "1 2 3"),
    SmallGame("pyramid-challenge", "base=3 highest=6 copies=1", "2 5"),
    SmallGame("sequence-builder", "length=3 pool=7"),
    SmallGame("sequence-builder", "length=4 pool=8", "2"),
    SmallGame("sequence-builder", "length=3 pool=10 increments=2,5", "4"),
    SmallGame("sequence-builder", "length=4 pool=9 increments=2"),
    SmallGame("sequence-builder", "length=4 pool=9 increments=1,3"),
    SmallGame("sequence-builder", "length=5 pool=8"),
    SmallGame("sequence-builder", "length=5 pool=9 increments=1,2,4", "3"),
    SmallGame("sequence-spot", "grid=5,3,8,1,6,7,4,9,2", "1,2 3,3"),
    SmallGame("sequence-spot", "grid=3,6,4,8,5,1,7,2,9", "1,1 3,3 1,3"),  # no line of it can win
]
FEW = [
    SmallGame("double-up", "limit=2"),
    SmallGame("double-up", "limit=37"),
    SmallGame("increasing-differences", "length=3 range=7"),
    SmallGame("increasing-differences", "length=5 range=8", "4 6"),
    SmallGame("pyramid-challenge", "base=2 highest=4 copies=2"),
    SmallGame("pyramid-challenge", "base=3 highest=3 copies=2", "1 3"),
    SmallGame("sequence-builder", "length=3 pool=7"),
    SmallGame("sequence-builder", "length=4 pool=9 increments=1,3"),
    SmallGame("sequence-spot", "grid=5,3,8,1,6,7,4,9,2", "1,2 3,3"),
]
QUICK = [
    SmallGame("double-up", "limit=37"),
    SmallGame("increasing-differences", "length=3 range=7"),
    SmallGame("pyramid-challenge", "base=2 highest=4 copies=2"),
    SmallGame("sequence-builder", "length=3 pool=7"),
]
assert set(QUICK) <= set(FEW) <= set(GAMES)
KEYS = sorted({game.key for game in GAMES})

# One tiny game of each kind, with option values instead of texts, for the adapters and the evaluation.
TINY: dict[str, dict[str, Any]] = {
    "double-up": {"limit": 12},
    "increasing-differences": {"length": 3, "range": 6},
    "pyramid-challenge": {"base": 2, "highest": 4, "copies": 2},
    "sequence-builder": {"length": 3, "pool": 6},
    "sequence-spot": {"grid": "2,7,6,9,5,1,4,3,8"},
}


def each_of(games: Iterable[SmallGame]) -> pytest.MarkDecorator:
    """Parametrise a test over small games."""
    return pytest.mark.parametrize("game", games, ids=str)


small_games = each_of(GAMES)
few_games = each_of(FEW)
quick_games = each_of(QUICK)


@cache
def _rules(key: str, options: str) -> Rules[Any, Any]:
    return read_rules(catalog.find_game(key), read_words(options))


@cache
def _truths(game: SmallGame) -> dict[Any, Truth]:
    return truths(game.rules)


@cache
def _positions(game: SmallGame) -> list[Any]:
    positions = sorted(reachable(game.rules))
    Random(1).shuffle(positions)
    return positions


def rules_of(key: str, texts: dict[str, str]) -> Rules[Any, Any]:
    return read_rules(catalog.find_game(key), texts)


def scores_of(choices: Iterable[Choice]) -> dict[Any, Score]:
    """The scores of moves by move, as a textbook has them."""
    return {choice.move: choice.score for choice in choices}


def without_theory(rules: Rules[O, P]) -> Rules[O, P]:
    """The same game without its closed form, so that the solver has to search."""
    search = replace(rules.game.search, theory=None)
    return Rules(replace(rules.game, search=search), rules.options)


def begun(key: str, texts: dict[str, str], moves: str, seed: str = "1") -> Match:
    """A match of one round, after some moves."""
    game = catalog.find_game(key)
    match = Match(Setup(read_rules(game, texts), seed=seed, cap=1))
    for move in moves.split():
        match.play(move)
    return match


def random_matches(rules: Rules[O, P], number: int, seed: int = 0) -> list[Match[O, P]]:
    """Matches of one round each, played to its end at random."""
    random, matches = Random(seed), []
    for _ in range(number):
        match = Match(Setup(rules), rules.options)
        while match.round_result == ONGOING:
            match.play(random.choice(match.legal_moves))
        matches.append(match)
    return matches


def all_positions(match: Match) -> list[list[int]]:
    """Every unfinished position that can follow, once, as the moves that lead there."""
    seen: set[SomePosition] = set()
    found: list[list[int]] = []

    def visit() -> None:
        if match.position in seen or match.round_result != ONGOING:
            return
        seen.add(match.position)
        found.append(list(match.round.moves))
        for move in match.legal_moves:
            match.play(move)
            visit()
            match.undo()

    visit()
    return found


def perfect_moves(right: Textbook[Any, Any], position: SomePosition) -> list[int]:
    """Return the moves that the perfect player draws from.

    They are the best ones; if these don't win, those of them with the most wrong replies.
    """
    best = right.best(position)
    if right.worth(position).value is Value.WIN:
        return best

    def tempting(move: int) -> int:
        after = right.rules.play(position, move)
        return len(right.losing(after)) if right.rules.result(after) == ONGOING else 0

    most = max(map(tempting, best))
    return [move for move in best if tempting(move) == most]
