"""Exercises from the turning points of a match.

A turning point has the stages of a puzzle if `compose` finds one. Otherwise it has a single stage, in which every move
that keeps the value is right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from parlour.catalog import find_game
from parlour.errors import ParlourError, TooBig
from parlour.fields import about, document
from parlour.game import Move
from parlour.limit import Limit
from parlour.match import Match
from parlour.rules import Rules, read_rules
from parlour.score import Value
from parlour.solver import Solver
from parlour.study.grades import make_report
from parlour.study.puzzle import Exercise, Stage, best_play, compose, puzzle_id
from parlour.study.report import Decision
from parlour.text import clip
from parlour.view import PlayerNumber


@document
class Mistake:
    """A turning point of a match, to practise."""

    id: str = about("a digest of game, options and position")
    player: PlayerNumber = about("the player who made the mistake")
    question: Exercise = about("the question in short, as saved in a progress file")


def mistakes_of(
    match: Match, players: Sequence[PlayerNumber], seconds: float, limit: Limit | None = None
) -> Iterator[Mistake]:
    """Yield the mistakes of some players; ``seconds`` limits each position, ``limit`` all of them."""
    for graded in make_report(match, limit, seconds=seconds).rounds:
        moves = tuple(map(Move, match.rounds[graded.number - 1].moves))
        for point in graded.turning_points:
            if point.decision.player in players:
                with suppress(TooBig):
                    before = moves[: point.decision.ply - 1]
                    question = _exercise(
                        graded.rules, before, point.decision, limit.part(seconds) if limit else Limit(seconds)
                    )
                    id = puzzle_id(graded.rules, graded.rules.position_after(before))
                    yield Mistake(id=id, player=point.decision.player, question=question)


def _exercise(rules: Rules, moves: tuple[Move, ...], decision: Decision, limit: Limit) -> Exercise:
    solver, position = Solver(rules), rules.position_after(moves)
    assert decision.before is not None  # a turning point has known scores
    stages = compose(rules, position, lambda each: solver.score(each, limit))
    if not stages:
        wrong = {
            move: best_play(rules, rules.after(position, move), lambda each: solver.score(each, limit))
            for move in rules.legal(position)
            if move not in decision.held_by
        }
        stages = (Stage(right=dict.fromkeys(decision.held_by, ()), wrong=wrong),)
    return Exercise(rules=rules, moves=moves, goal=decision.before.value, stages=stages)


def read_exercise(given: Mapping[str, Any]) -> Exercise:
    """Return the exercise in an entry of a progress file, checked by the referee.

    Raises:
        ParlourError: the entry holds none, or the rules have changed since.
    """
    try:
        game = find_game(str(given["game"]))
        if given["version"] != game.version:
            raise ParlourError(f"the rules of {game.title} have changed since")
        rules = read_rules(game, {str(name): str(text) for name, text in given["options"].items()})
        moves, position = _line(rules, rules.start, given["moves"])
        goal = Value.read(str(given["goal"]))
        stages = []
        for stage in given["stages"]:
            right = {}
            for name, rest in stage["right"].items():
                (move, *after), end = _line(rules, position, [name, *rest])
                right[move] = tuple(after), end
            wrong = {}
            for name, rest in stage["wrong"].items():
                (move, *after), _ = _line(rules, position, [name, *rest])
                wrong[move] = tuple(after)
            given_moves = {*right, *wrong}
            # Counted first: all moves of an endless game would not fit into memory.
            if (
                len(given_moves) != rules.count_legal(position)
                or given_moves != set(rules.legal(position))
                or not right
            ):
                raise ParlourError("its moves are not the legal moves")
            stages.append(Stage(right={move: rest for move, (rest, _) in right.items()}, wrong=wrong))
            position = next(iter(right.values()))[1]
        if not stages:
            raise ParlourError("it has no stage")
        return Exercise(rules=rules, moves=tuple(moves), goal=goal, stages=tuple(stages))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ParlourError(f"this question cannot be read: {clip(str(error))}") from None


def _line(rules: Rules, position: Any, names: Sequence[str]) -> tuple[list[Move], Any]:
    """Return the moves with these names and the position after them."""
    moves = []
    for name in names:
        move = rules.read(position, str(name))
        moves.append(move)
        position = rules.play(position, move)
    return moves, position
