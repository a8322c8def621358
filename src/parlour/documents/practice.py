"""Exercises and exams with the board at the start and after every move.

The page shows them without a server and without the rules: legal moves are marked, and every wrong move has a
refutation to the end of the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from parlour.documents.puzzles import ShownMove, ShownStage, match_after, show_stage, steps_of
from parlour.documents.table import GroupDocument, TableDocument, TileDocument, table_document
from parlour.errors import TooBig
from parlour.fields import about, document
from parlour.limit import Limit
from parlour.rules import Rules
from parlour.study.grades import Mistake
from parlour.study.puzzle import Exercise
from parlour.study.sheet import Sheet, SheetQuestion
from parlour.writer import extend

MAX_TILES = 50_000  # tiles on all boards of a question: 6 MB; the largest puzzle of the archive has 9,000


class TileBudget:
    """The remaining number of tiles of a document, and the limit of its search."""

    def __init__(self, limit: Limit | None = None) -> None:
        self._limit = limit
        self._left = MAX_TILES

    def spend(self, view: list[GroupDocument]) -> None:
        """Subtract the tiles of a board.

        Raises:
            TooBig: there are too many, or the limit is used up.
        """
        self._left -= sum(len(row) for group in view for row in group.rows)
        if self._left < 0:
            raise TooBig(f"this has more than {MAX_TILES:,} tiles to show; ask about a smaller question")
        if self._limit is not None:
            self._limit.check()


@document
class ShownExercise(Exercise):
    """An exercise with its complete solution."""

    WRITTEN = ("game", "title", "side", "goal", "question", "table", "turns")

    table: TableDocument = about("the position")
    turns: list[ShownStage] = about("the decisions, in order")


@document
class ShownMistake(Mistake):
    """A turning point of a match, to practise."""

    practice: ShownExercise = about("the exercise with its complete solution")


@document
class MistakeList:
    """The turning points of a match."""

    mistakes: list[ShownMistake] = about("the turning points, in the order of play")


def show_exercise(exercise: Exercise, budget: TileBudget) -> ShownExercise:
    """Return an exercise with its complete solution. Raises TooBig if it does not fit the budget."""
    match = match_after(exercise.rules, exercise.moves)
    table = table_document(match)
    budget.spend(table.view)
    turns = [show_stage(match, stage, budget.spend) for stage in exercise.stages]
    return extend(ShownExercise, exercise, table=table, turns=turns)


def show_mistakes(mistakes: Iterable[Mistake], budget: TileBudget) -> MistakeList:
    """Return the turning points of a match that fit the budget."""
    shown = []
    for mistake in mistakes:
        with suppress(TooBig):
            shown.append(extend(ShownMistake, mistake, practice=show_exercise(mistake.question, budget)))
    return MistakeList(mistakes=shown)


@document
class GroupFrame(GroupDocument):
    """A group without its tiles."""

    WRITTEN = ("title", "shape", "owner", "player", "across", "down", "note", "range")


@document
class PackedStep(ShownMove):
    """One move of a refutation, with the position after it; `view` as in a question."""

    WRITTEN = ("move", "by", "told", "why", "view", "result")

    view: list[list[int]] = about("the position after the move, packed as in a question")


@document
class ShownQuestion(SheetQuestion[Any]):
    """A position of an exam, with the consequences of each move."""

    WRITTEN = ("moves", "view", "right", "refutations", "kept", "best")

    view: list[list[int]] = about(
        "the position, packed: for each group the index of its frame, then for each row the number of "
        "its tiles and their indices"
    )
    refutations: dict[str, list[PackedStep]] = about(
        "each wrong move, with the play that refutes it, to the end of the game", name="wrong"
    )


@document
class ExamSheet(Sheet[Any, Any]):
    """A sheet with its positions: the page needs no server to continue.

    A right answer appends the questions that it unlocks to the queue, except those asked before. A question that was
    answered wrongly is asked again after all others.
    """

    WRITTEN = (
        *("exam", "game", "title", "version", "options", "side", "goal", "count", "unlocks", "secret"),
        *("table", "tiles", "frames", "begin", "questions"),
    )

    count: int = about("the number of questions for a student who answers like the examiner")
    table: TableDocument = about("the starting position")
    tiles: list[TileDocument] = about("all tiles of all positions")
    frames: list[GroupFrame] = about("all groups without their tiles")
    questions: Mapping[str, ShownQuestion] = about("the questions by name")


class _Views:
    """Boards packed as indices of shared tiles and frames."""

    def __init__(self) -> None:
        self._tiles: dict[str, tuple[int, TileDocument]] = {}
        self._frames: dict[str, tuple[int, GroupFrame]] = {}

    @property
    def tiles(self) -> list[TileDocument]:
        return [tile for _, tile in self._tiles.values()]

    @property
    def frames(self) -> list[GroupFrame]:
        return [frame for _, frame in self._frames.values()]

    def pack(self, view: list[GroupDocument]) -> list[list[int]]:
        return [self._group(group) for group in view]

    def _group(self, group: GroupDocument) -> list[int]:
        frame = extend(GroupFrame, group, rows=[])
        place, _ = self._frames.setdefault(repr(frame), (len(self._frames), frame))
        packed = [place]
        for row in group.rows:
            packed.append(len(row))
            packed += [self._tiles.setdefault(repr(tile), (len(self._tiles), tile))[0] for tile in row]
        return packed


def show_sheet(sheet: Sheet[Any, Any], count: int) -> ExamSheet:
    """Return a sheet with its boards; ``count`` is the number of questions of the exam."""
    views = _Views()
    questions = {name: _show_question(sheet.rules, each, views) for name, each in sheet.questions.items()}
    table = table_document(match_after(sheet.rules, ()))
    return extend(
        ExamSheet, sheet, questions=questions, table=table, count=count, tiles=views.tiles, frames=views.frames
    )


def _show_question(rules: Rules, question: SheetQuestion[Any], views: _Views) -> ShownQuestion:
    match = match_after(rules, question.moves)

    def refuted(move: int, line: Sequence[int]) -> list[PackedStep]:
        steps = steps_of(match.copy(), (move, *line))
        return [extend(PackedStep, step, view=views.pack(step.view)) for step in steps]

    view = views.pack(table_document(match).view)
    refutations = {rules.name(move): refuted(move, line) for move, line in question.wrong.items()}
    return extend(ShownQuestion, question, view=view, refutations=refutations)
