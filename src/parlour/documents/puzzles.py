"""Puzzles with the board at the start and after every move of the solution and the refutations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date

from parlour.documents.table import GroupDocument, TableDocument, table_document
from parlour.fields import about, document
from parlour.game import Move
from parlour.match import Match
from parlour.rules import Rules
from parlour.setup import Setup
from parlour.study.archive import daily_number
from parlour.study.puzzle import Puzzle, Stage
from parlour.view import PlayerNumber
from parlour.writer import extend

OnView = Callable[[list[GroupDocument]], None]  # receives every board; may raise


@document
class ShownMove:
    """One move of a line."""

    move: str = about("the name of the move")
    by: PlayerNumber = about("the player who makes it")
    told: str = about('a description of the move, to follow a name or "You"')
    why: str = about("for a pass: the reason why nothing else could be played")
    result: str = about("a description of the end of the game after the move; empty if the game continues")


@document
class Step(ShownMove):
    """One move of a line, with the position after it."""

    WRITTEN = ("move", "by", "told", "why", "view", "result")

    view: list[GroupDocument] = about("the groups on the board after the move")


@document
class ShownStage:
    """One decision: the right moves with their continuations, and a refutation of every other move."""

    right: dict[str, list[Step]] = about("each right move, with the play up to the next decision")
    wrong: dict[str, list[Step]] = about("each wrong move, with the play that refutes it, to the end of the game")


@document
class PuzzleTurn:
    """One decision: the only right move, its continuation, and a refutation of every other move."""

    answer: str = about("the right move")
    right: list[Step] = about("the answer, the longest resistance, and the forced moves after it")
    wrong: dict[str, list[Step]] = about("each wrong move, with the play that refutes it, to the end of the game")


@document
class ShownPuzzle(Puzzle):
    """A puzzle with its complete solution."""

    WRITTEN = (
        *("id", "number", "daily", "date", "game", "title", "side", "goal", "question", "grade", "moves"),
        *("table", "turns", "features"),
    )

    daily: int | None = about("the number of the daily puzzle; null unless requested as one")
    date: str | None = about("the date of the daily puzzle; null unless requested as one")
    table: TableDocument = about("the position")
    turns: list[PuzzleTurn] = about("the decisions, in order")


def show_puzzle(puzzle: Puzzle, day: date | None = None) -> ShownPuzzle:
    """Return a puzzle with its complete solution; with ``day``, as the daily puzzle of that date."""
    match = match_of_puzzle(puzzle)
    table, turns = table_document(match), []
    for stage in puzzle.stages:
        shown = show_stage(match, stage)
        ((answer, right),) = shown.right.items()
        turns.append(PuzzleTurn(answer=answer, right=right, wrong=shown.wrong))
    return extend(
        ShownPuzzle,
        puzzle,
        daily=None if day is None else daily_number(day),
        date=None if day is None else day.isoformat(),
        table=table,
        turns=turns,
    )


def match_of_puzzle(puzzle: Puzzle) -> Match:
    """Return a match at the position of a puzzle."""
    return match_after(puzzle.rules, puzzle.moves)


def match_after(rules: Rules, moves: Sequence[int]) -> Match:
    """Return a match after these moves."""
    return Match.after(Setup(rules), moves)


def show_stage(match: Match, stage: Stage, on_view: OnView = lambda view: None) -> ShownStage:
    """Return the stage at the position of a match, and advance the match to the next stage."""

    def shown(lines: Mapping[Move, tuple[Move, ...]]) -> dict[str, list[Step]]:
        return {match.rules.name(move): steps_of(match.copy(), (move, *line), on_view) for move, line in lines.items()}

    wrong, right = shown(stage.wrong), shown(stage.right)
    match.play_all((stage.answer, *stage.then))
    return ShownStage(right=right, wrong=wrong)


def steps_of(match: Match, moves: Sequence[int], on_view: OnView = lambda view: None) -> list[Step]:
    """Play moves, and return each with the board after it; ``on_view`` receives every board and may raise."""
    steps = []
    for move in moves:
        match.play(move)
        table = table_document(match)
        on_view(table.view)
        assert table.last is not None  # a move was just played
        steps.append(
            Step(
                move=table.last.move,
                by=table.last.player,
                told=table.last.told,
                why=table.last.why,
                view=table.view,
                result="" if table.result is None else _ending(match, table),
            )
        )
    return steps


def _ending(match: Match, table: TableDocument) -> str:
    result = table.result
    assert result is not None
    subject = "" if result.subject is None else f"{match.names[result.subject - 1]} "
    return f"{subject}{result.told}."
