"""Questions to practise: a puzzle of the archive, or a turning point of your own game.

A puzzle has one right move at each turn. A turning point makes a puzzle where `compose` proves one; elsewhere it is a
single turn at which every move that keeps the value is right. Both carry a refutation of every wrong move, so that
nothing has to be solved when they are asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from parlour.catalog import find_game
from parlour.errors import ParlourError, TooBig
from parlour.limit import Limit
from parlour.match import Match
from parlour.rules import Move, Rules, read_rules
from parlour.score import Value
from parlour.solver import Solver
from parlour.study.grades import make_report
from parlour.study.puzzle import Puzzle, best_play, compose, puzzle_id
from parlour.study.report import Decision
from parlour.text import clip
from parlour.view import PlayerNumber


class Stage(NamedTuple):
    """One decision."""

    right: Mapping[int, tuple[int, ...]]  # each right move, and what follows it up to the next decision
    wrong: Mapping[int, tuple[int, ...]]  # each wrong move, and the play that refutes it, to the end


@dataclass(frozen=True)
class PracticeQuestion:
    """A position, and what is right and wrong there."""

    rules: Rules  # with everything dealt
    moves: tuple[int, ...]  # that lead to it
    goal: Value  # WIN or DRAW
    stages: tuple[Stage, ...]

    @property
    def side(self) -> PlayerNumber:
        """Who is asked: 1 for the player who began."""
        return 1 if len(self.moves) % 2 == 0 else 2

    @property
    def text(self) -> str:
        """What is asked."""
        can = "You can win." if self.goal is Value.WIN else "You can hold the draw."
        number = len(self.stages[0].right)
        return f"{can} {'Only one move does it' if number == 1 else f'{number} moves do it'}."


def of_puzzle(puzzle: Puzzle) -> PracticeQuestion:
    """A puzzle as a question."""
    stages = tuple(Stage({turn.answer: turn.then}, turn.wrong) for turn in puzzle.turns)
    return PracticeQuestion(puzzle.rules, puzzle.moves, puzzle.goal, stages)


class FoundMistake(NamedTuple):
    """A turning point of a match, as a question."""

    id: str  # a digest of game, options and position
    player: PlayerNumber  # who has made it
    question: PracticeQuestion


def mistakes_of(
    match: Match, players: Sequence[PlayerNumber], seconds: float, limit: Limit | None = None
) -> Iterator[FoundMistake]:
    """The turning points of these players; ``seconds`` for each position that has to be solved, ``limit`` for all."""
    for graded in make_report(match, limit, seconds=seconds).rounds:
        moves = tuple(match.rounds[graded.number - 1].moves)
        for point in graded.turning_points:
            if point.decision.player in players:
                with suppress(TooBig):
                    before = moves[: point.decision.ply - 1]
                    question = _question(
                        graded.rules, before, point.decision, limit.part(seconds) if limit else Limit(seconds)
                    )
                    id = puzzle_id(graded.rules, graded.rules.position_after(before))
                    yield FoundMistake(id, point.decision.player, question)


def _question(rules: Rules, moves: tuple[int, ...], decision: Decision, limit: Limit) -> PracticeQuestion:
    solver, position = Solver(rules), rules.position_after(moves)
    assert decision.before is not None  # or it would not be known to have thrown anything away
    turns = compose(rules, position, lambda each: solver.score(each, limit))
    stages = tuple(Stage({turn.answer: turn.then}, turn.wrong) for turn in turns)
    if not stages:
        wrong = {
            move: best_play(rules, rules.after(position, move), lambda each: solver.score(each, limit))
            for move in rules.legal(position)
            if move not in decision.held_by
        }
        stages = (Stage(dict.fromkeys(decision.held_by, ()), wrong),)
    return PracticeQuestion(rules, moves, decision.before.value, stages)


def write_question(question: PracticeQuestion) -> dict[str, Any]:
    """A question as JSON has it, with the names of the moves."""
    rules = question.rules

    def lines(found: Mapping[int, tuple[int, ...]]) -> dict[str, list[str]]:
        return {rules.name(move): rules.names(rest) for move, rest in found.items()}

    return {
        "game": rules.game.key,
        "version": rules.game.version,
        "options": rules.option_texts,
        "moves": rules.names(question.moves),
        "goal": question.goal.word,
        "stages": [{"right": lines(stage.right), "wrong": lines(stage.wrong)} for stage in question.stages],
    }


def read_question(given: Mapping[str, Any]) -> PracticeQuestion:
    """The question that was written, played through by the referee; ParlourError if it is none, or no longer."""
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
            # Counted first: of a game without a limit all moves together would not fit into the memory.
            if (
                len(given_moves) != rules.count_legal(position)
                or given_moves != set(rules.legal(position))
                or not right
            ):
                raise ParlourError("its moves are not those that the rules allow")
            stages.append(Stage({move: rest for move, (rest, _) in right.items()}, wrong))
            position = next(iter(right.values()))[1]
        if not stages:
            raise ParlourError("nothing is asked")
        return PracticeQuestion(rules, tuple(moves), goal, tuple(stages))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ParlourError(f"this question cannot be read: {clip(str(error))}") from None


def _line(rules: Rules, position: Any, names: Sequence[str]) -> tuple[list[Move], Any]:
    """The moves that names stand for, played one after the other, and where they lead."""
    moves = []
    for name in names:
        move = rules.read(position, str(name))
        moves.append(move)
        position = rules.play(position, move)
    return moves, position
