"""The player that never loses value, and can prove it.

It wins as soon as possible. In a drawn position it keeps the draw, and in a lost one it resists as long as possible;
both times it takes, among the moves that do so, one that leaves its opponent the most ways to go wrong. What is still
equal is left to chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from time import monotonic
from typing import Any

from parlour import referee
from parlour.errors import TooBig
from parlour.match import Match
from parlour.players.knowledge import shortlist, solver_for, value_after
from parlour.solver import Solver

PATIENCE = 60.0  # seconds for the proof of one move, in a game that is not small
CANDIDATES = 20  # moves that are compared by what the opponent can do wrong; more are drawn from by lot
REPLIES = 60  # of the opponent's that are looked at after each, likewise


class PerfectPlayer:
    """A best move, or none at all: TooBig where there is no proof within the player's patience."""

    def __init__(self) -> None:
        self._solver: Solver | None = None  # for a game that is too big to be known as a whole
        self._deadline = 0.0  # of its present answer

    def choose(self, match: Match, random: Random) -> int:
        if match.only_move is not None:
            return match.only_move
        solver = solver_for(match.game, match.options, match.position)
        if solver is not None:
            return best_move(solver, match.position, random)
        self._deadline = monotonic() + PATIENCE
        try:
            if self._solver is None or (self._solver.game, self._solver.options) != (match.game, match.options):
                self._solver = Solver(match.game, match.options, progress=self._lose_patience)
            return best_move(self._solver, match.position, random, tempt=False)
        except TooBig as error:
            raise TooBig(f"the perfect player has no proof of a best move: {error}") from None

    def _lose_patience(self, nodes: int) -> None:
        if monotonic() > self._deadline:
            raise TooBig(f"{PATIENCE:g} seconds are not enough here; take a smaller game or another player")

    def close(self) -> None:
        self._solver = None


def best_move(solver: Solver, position: Any, random: Random, *, tempt: bool = True) -> int:
    """A move of the highest score; where it does not win, one that leaves the opponent the most ways to go wrong.

    Not to ``tempt`` the opponent saves the search for what his replies are worth.
    """
    most = solver.score(position)
    moves = shortlist(solver, position, random)
    best = (move for move in random.sample(moves, len(moves)) if solver.keeps(position, move, most))
    if most > 0 or not tempt:  # any will do, so the first is found with the least work
        return next(best)
    return random.choice(temptations(solver, position, sorted(best), random))


def temptations(solver: Solver, position: Any, moves: list[int], random: Random) -> list[int]:
    """Of these moves those after which the most replies lose value; counted if they are few, estimated if many."""
    looked_at = _some(moves, CANDIDATES, random)
    chances = [chances_to_err(solver, solver.game.play(solver.options, position, move), random) for move in looked_at]
    return [move for move, chance in zip(looked_at, chances, strict=True) if chance == max(chances)]


def chances_to_err(solver: Solver, position: Any, random: Random) -> float:
    """How many moves lose value here."""
    legal = referee.legal_moves(solver.game, solver.options, position)
    if not legal:
        return 0
    replies = _some(legal, REPLIES, random)
    value = solver.value(position)
    wrong = sum(value_after(solver, position, reply) < value for reply in replies)
    return wrong * len(legal) / len(replies)


def _some(moves: Sequence[int], most: int, random: Random) -> Sequence[int]:
    """All of the moves, or so many of them by lot."""
    return moves if len(moves) <= most else random.sample(moves, most)
