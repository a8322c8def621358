"""The player that never loses value, and can prove it.

It wins as soon as possible. In a drawn position it keeps the draw, and in a lost one it resists as long as possible;
both times it takes, among the moves that do so, one that leaves its opponent the most ways to go wrong. What is still
equal is left to chance.

Whether a position can be solved must not depend on earlier questions, or the same seed would give other moves in
another order of games. A search without any memory decides, and counts the nodes of pure Python: the same on every
machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from threading import get_ident

from parlour.errors import TooBig
from parlour.game import P
from parlour.limit import Limit, limit_of
from parlour.match import Match
from parlour.options import O
from parlour.players import PlayerKind
from parlour.rules import Rules
from parlour.score import Value
from parlour.solver import ReproducibleSolver, Solver
from parlour.turn import chance, check_turn

FEW_NODES = 1_000  # searched in pure Python, in less time than WebAssembly takes to load
SEARCHED_NODES = 30_000  # for the score of a position: about half a second, and a few times that for all its moves
WEIGHED_MOVES = 1000  # that are looked at, of however many there are
PROOF_SECONDS = 60.0  # for one move, in a game that is not small, where nobody says how long it may take
COMPARED_MOVES = 20  # by what the opponent can do wrong after them; more are drawn from by lot
COMPARED_REPLIES = 60  # of the opponent's to each of these, likewise


class PerfectPlayer:
    """A best move, or none at all: TooBig where there is no proof within the limit."""

    def __init__(self) -> None:
        self._solver: object = None  # for a game that is too big to be known as a whole

    def __repr__(self) -> str:
        return "<Player perfect>"

    def choose(self, match: Match[O, P], random: Random | None = None, limit: Limit | None = None) -> int:
        check_turn(match)
        random = random or chance(match)
        if match.only_move is not None:
            return match.only_move
        limit = limit_of(limit, PROOF_SECONDS)
        try:
            small = solver_for(match.rules, match.position)
            solver = small or self._solver_of(match.rules)
            return best_move(solver, match.position, random, limit, tempt=small is not None)
        except TooBig as error:
            raise TooBig(f"the perfect player has no proof of a best move: {error}") from None

    def _solver_of(self, rules: Rules[O, P]) -> Solver[O, P]:
        """The one of the last move, if that was in the same game: it knows something already."""
        if isinstance(self._solver, Solver) and self._solver.rules == rules:
            return self._solver
        self._solver = solver = Solver(rules)
        return solver

    def close(self) -> None:
        self._solver = None


def solver_for(rules: Rules[O, P], position: P) -> Solver[O, P] | None:
    """A solver that can answer about a position and all that can follow it; None where that would take too long."""
    whole: Solver[O, P] | None = _whole(rules, get_ident())
    if whole is not None or position == rules.start:
        return whole
    return _solved(rules, position)


@lru_cache(maxsize=8)
def _whole(rules: Rules[O, P], thread: int) -> Solver[O, P] | None:
    """Of a small game everything is known, and what was found out in one match is remembered in the next.

    A solver can answer one question at a time, so every thread has its own.
    """
    return _solved(rules, rules.start)


def _solved(rules: Rules[O, P], position: P) -> Solver[O, P] | None:
    """A solver that has found the score of this position; None if it could not with little work."""
    attempts = (Solver(rules, runtime="python"), FEW_NODES), (ReproducibleSolver(rules, runtime="wasm"), SEARCHED_NODES)
    for solver, nodes in attempts:
        try:
            solver.score(position, Limit(nodes=nodes))
        except TooBig:
            continue
        return solver  # all that follows the position is smaller still
    return None


def shortlist(solver: Solver[O, P], position: P, random: Random, limit: Limit) -> Sequence[int]:
    """The legal moves. Of very many a best one, and others by lot: hundreds of thousands would take their time."""
    legal = solver.rules.legal(position)
    if len(legal) <= WEIGHED_MOVES:
        return legal
    return sorted({*solver.line(position, limit, most=1), *random.sample(legal, WEIGHED_MOVES)})


def best_move(solver: Solver[O, P], position: P, random: Random, limit: Limit, *, tempt: bool = True) -> int:
    """A move of the highest score; where it does not win, one that leaves the opponent the most ways to go wrong.

    Not to ``tempt`` the opponent saves the search for what their replies are worth.
    """
    most = solver.score(position, limit)
    moves = shortlist(solver, position, random, limit)
    best = (move for move in random.sample(moves, len(moves)) if solver.keeps(position, move, most, limit))
    if most.value is Value.WIN or not tempt:  # any will do, so the first is found with the least work
        return next(best)
    return random.choice(temptations(solver, position, sorted(best), random, limit))


def temptations(solver: Solver[O, P], position: P, moves: list[int], random: Random, limit: Limit) -> list[int]:
    """Of these moves those after which the most replies lose value; counted if they are few, estimated if many."""
    looked_at = _some(moves, COMPARED_MOVES, random)
    chances = [chances_to_err(solver, solver.rules.after(position, move), random, limit) for move in looked_at]
    return [move for move, chance in zip(looked_at, chances, strict=True) if chance == max(chances)]


def chances_to_err(solver: Solver[O, P], position: P, random: Random, limit: Limit) -> float:
    """How many moves lose value here."""
    legal = solver.rules.legal(position)
    if not legal:
        return 0
    replies = _some(legal, COMPARED_REPLIES, random)
    value = solver.value(position, limit)
    wrong = sum(choice.value < value for choice in solver.values(position, limit, replies))
    return wrong * len(legal) / len(replies)


def _some(moves: Sequence[int], most: int, random: Random) -> Sequence[int]:
    """All of the moves, or so many of them by lot."""
    return moves if len(moves) <= most else random.sample(moves, most)


KINDS = (
    PlayerKind(
        word="perfect",
        title="Perfect",
        about="never goes wrong, and can prove it",
        make=lambda argument: PerfectPlayer(),
        place=30,
        needs_proof=True,
        stand_in="level:5",
    ),
)
