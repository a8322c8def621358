"""The perfect player, which never loses value and can prove it.

It wins as soon as possible. It keeps a draw, and resists longest in a lost position; among the moves that do so it
takes one that leaves its opponent the most ways to go wrong. Equal moves are drawn at random.

The same seed must give the same moves, whatever was searched before and on whatever machine. So a search with an empty
memory decides whether a position is small enough to solve, and its limit counts the nodes of pure Python.
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

FEW_NODES = 1_000  # nodes searched in pure Python, faster than loading WebAssembly
SEARCHED_NODES = 30_000  # nodes for the score of a position: about half a second
WEIGHED_MOVES = 1000  # moves examined in a position
PROOF_SECONDS = 60.0  # default time limit of a move in a large game
COMPARED_MOVES = 20  # moves compared by the opponent's chances to err; a sample if there are more
COMPARED_REPLIES = 60  # replies examined for each of these; a sample if there are more


class PerfectPlayer:
    """A player with best moves only; raises TooBig if there is no proof within the limit."""

    def __init__(self) -> None:
        self._solver: object = None  # for a game that is too big to solve from the start

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
        """Return the solver of the last move, with its memory, if the game is the same."""
        if isinstance(self._solver, Solver) and self._solver.rules == rules:
            return self._solver
        self._solver = solver = Solver(rules)
        return solver

    def close(self) -> None:
        self._solver = None


def solver_for(rules: Rules[O, P], position: P) -> Solver[O, P] | None:
    """Return a solver for a position and all that follow; None if that would take too long."""
    whole: Solver[O, P] | None = _whole(rules, get_ident())
    if whole is not None or position == rules.start:
        return whole
    return _solved(rules, position)


@lru_cache(maxsize=8)
def _whole(rules: Rules[O, P], thread: int) -> Solver[O, P] | None:
    """Return the solver of a small game, shared by its matches, one for each thread; None if the game is not small."""
    return _solved(rules, rules.start)


def _solved(rules: Rules[O, P], position: P) -> Solver[O, P] | None:
    """Return a solver with the score of a position; None if that takes too much work."""
    attempts = (Solver(rules, runtime="python"), FEW_NODES), (ReproducibleSolver(rules, runtime="wasm"), SEARCHED_NODES)
    for solver, nodes in attempts:
        try:
            solver.score(position, Limit(nodes=nodes))
        except TooBig:
            continue
        return solver  # later positions are smaller
    return None


def _shortlist(solver: Solver[O, P], position: P, random: Random, limit: Limit) -> Sequence[int]:
    """Return the legal moves, or a best one and a random sample if there are very many."""
    legal = solver.rules.legal(position)
    if len(legal) <= WEIGHED_MOVES:
        return legal
    return sorted({*solver.line(position, limit, most=1), *random.sample(legal, WEIGHED_MOVES)})


def best_move(solver: Solver[O, P], position: P, random: Random, limit: Limit, *, tempt: bool = True) -> int:
    """Return a move of the highest score; without a win, one that leaves the opponent the most ways to go wrong.

    Without ``tempt`` any move of the highest score will do, which saves the search for the opponent's replies.
    """
    most = solver.score(position, limit)
    moves = _shortlist(solver, position, random, limit)
    best = (move for move in random.sample(moves, len(moves)) if solver.keeps(position, move, most, limit))
    if most.value is Value.WIN or not tempt:  # the first one costs the least work
        return next(best)
    return random.choice(_temptations(solver, position, sorted(best), random, limit))


def _temptations(solver: Solver[O, P], position: P, moves: list[int], random: Random, limit: Limit) -> list[int]:
    """Return the moves after which the most replies lose value, estimated from samples if there are many."""
    compared = _sample(moves, COMPARED_MOVES, random)
    chances = [_chances_to_err(solver, solver.rules.after(position, move), random, limit) for move in compared]
    return [move for move, chance in zip(compared, chances, strict=True) if chance == max(chances)]


def _chances_to_err(solver: Solver[O, P], position: P, random: Random, limit: Limit) -> float:
    """Return the number of moves that lose value, estimated from a sample if there are many."""
    legal = solver.rules.legal(position)
    if not legal:
        return 0
    replies = _sample(legal, COMPARED_REPLIES, random)
    value = solver.value(position, limit)
    wrong = sum(choice.value < value for choice in solver.values(position, limit, replies))
    return wrong * len(legal) / len(replies)


def _sample(moves: Sequence[int], most: int, random: Random) -> Sequence[int]:
    """Return all moves, or a random sample of at most ``most``."""
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
