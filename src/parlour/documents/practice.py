"""What is asked of somebody over the wire: their own mistakes, and exams, each with all that answering takes.

Whoever has these needs neither a server nor a rule to go on: every move that can be made is marked, and every wrong one
is refuted to the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, Literal

from parlour.documents import about, document
from parlour.documents.puzzles import Goal, PuzzleStep, match_after, steps_of
from parlour.documents.table import GroupDocument, RangeDocument, TableDocument, TileDocument, table_document
from parlour.errors import TooBig
from parlour.game import ExamSource, Game
from parlour.limit import Limit
from parlour.match import Match, PlayerNumber
from parlour.options import options_in_words, read_words, say_options, unflag
from parlour.rules import as_move, read_rules, show_position
from parlour.score import Value
from parlour.study.mastery import UNLOCKS, Exam, Sheet, SheetQuestion, exam_key
from parlour.study.practice import FoundMistake, PracticeQuestion, Stage, write_question
from parlour.study.strategy import Strategy, write_strategy
from parlour.view import Shape

MOST_TILES = 50_000  # on all boards of a question together: 6 MB; the largest of the archive has 9,000

# Your mistakes.


class TileBudget:
    """How many tiles a document may still show, and the limit of the work for it."""

    def __init__(self, limit: Limit | None = None) -> None:
        self._limit = limit
        self._left = MOST_TILES

    def spend(self, view: list[GroupDocument]) -> None:
        """Count the tiles of a board; TooBig if there are too many of them, or the limit is used up."""
        self._left -= sum(len(row) for group in view for row in group.rows)
        if self._left < 0:
            raise TooBig(f"this has more than {MOST_TILES:,} tiles to show; ask about a smaller question")
        if self._limit is not None:
            self._limit.check()


@document
class PracticeTurn:
    """One decision: the moves that are right, with what follows each, and what is wrong with all others."""

    right: dict[str, list[PuzzleStep]] = about("each right move, and what follows up to the next decision")
    wrong: dict[str, list[PuzzleStep]] = about("each wrong move, with the play that refutes it, to the end of the game")


@document
class PracticeDocument:
    """A question to practise, with its whole answer."""

    game: str = about("the name of the game")
    title: str = about("what the game is called")
    side: PlayerNumber = about("who is to move, and is asked")
    goal: Goal = about("what can be had")
    question: str = about("what is asked")
    table: TableDocument = about("the position")
    turns: list[PracticeTurn] = about("the decisions, one after the other")


@document
class MistakeDocument:
    """A turning point of a match, to be practised."""

    id: str = about("a digest of game, options and position")
    player: PlayerNumber = about("who has made it")
    question: dict[str, Any] = about("the question in short, as it is kept in a file of progress")
    practice: PracticeDocument = about("the question with all that solving it takes")


@document
class MistakeList:
    """The turning points of a match."""

    mistakes: list[MistakeDocument] = about("in the order in which they were made")


def practice_document(question: PracticeQuestion, budget: TileBudget | None = None) -> PracticeDocument:
    """A question with all that solving it takes; TooBig if that is more than the budget allows."""
    match, budget = match_after(question.rules, question.moves), budget or TileBudget()
    table = table_document(match)
    budget.spend(table.view)
    return PracticeDocument(
        game=question.rules.game.key,
        title=question.rules.game.title,
        side=question.side,
        goal=_goal(question.goal),
        question=question.text,
        table=table,
        turns=[_turn(match, stage, budget) for stage in question.stages],
    )


def mistake_documents(mistakes: Iterable[FoundMistake], budget: TileBudget) -> list[MistakeDocument]:
    """The turning points of a match, without those that the budget has no room for."""
    told = []
    for id, player, question in mistakes:
        with suppress(TooBig):
            practice = practice_document(question, budget)
            told.append(MistakeDocument(id=id, player=player, question=write_question(question), practice=practice))
    return told


def _goal(value: Value) -> Goal:
    return "win" if value is Value.WIN else "draw"


def _turn(match: Match, stage: Stage, budget: TileBudget) -> PracticeTurn:
    """A turn that begins where the match stands, which is then moved on to the next."""
    name, spend = match.rules.name, budget.spend
    wrong = {name(move): steps_of(match.copy(), (move, *line), spend) for move, line in stage.wrong.items()}
    right = {name(move): steps_of(match.copy(), (move, *line), spend) for move, line in stage.right.items()}
    for move, line in list(stage.right.items())[:1]:
        for each in (move, *line):
            match.play(as_move(each))
    return PracticeTurn(right=right, wrong=wrong)


# Exams.


@document
class ExamCard:
    """An exam in a list."""

    number: int = about("its place among those of its game, counted from 1: the shortest first")
    exam: str = about("its name: game, options and side; answers are kept under it")
    version: int = about("of the rules of its game")
    side: PlayerNumber = about("whom the student plays; 1 begins")
    options: str = about("what is played, in words")
    questions: int = about("how many questions it has for somebody who answers as the examiner would")


@document
class GameExams:
    """The exams of a game."""

    game: str = about("the name of the game")
    title: str = about("what it is called")
    exams: list[ExamCard] = about("from the shortest to the longest")


@document
class ExamList:
    """All exams."""

    games: list[GameExams] = about("of each game that has some")


@document
class GroupFrame:
    """Everything of a group but its tiles."""

    title: str = about("what it is called")
    shape: Shape = about("how it is drawn")
    owner: PlayerNumber | None = about("the player it belongs to")
    player: PlayerNumber | None = about("the same")
    across: list[str] = about("what the columns of a grid are called; empty elsewhere")
    down: list[str] = about("what its rows are called; empty elsewhere")
    note: str = about("what holds for all of it now")
    range: RangeDocument | None = about("of a pool: the numbers that it is there to choose from; null elsewhere")


@document
class ExamStep:
    """One move of a refutation, and the table after it; `view` as in a question."""

    move: str = about("its name")
    by: PlayerNumber = about("who makes it")
    told: str = about('what it does, to follow a name or "You"')
    why: str = about("of a pass: why nothing else could be played")
    view: list[list[int]] = about("what lies on the table then")
    result: str = about("how the game ended with it; empty if it goes on")


@document
class ExamQuestionDocument:
    """A position that is asked, and what comes of each move."""

    moves: list[str] = about("what leads to it")
    view: list[list[int]] = about(
        "what lies on the table: of each group the place of its frame, then for each row how many tiles it has, "
        "and their places among the tiles"
    )
    right: dict[str, list[str] | None] = about(
        "each right move, and the questions that it leads to, in their order; null: they are not on this sheet"
    )
    wrong: dict[str, list[ExamStep]] = about("each wrong move, with the play that refutes it, to the end of the game")
    kept: dict[str, str] = about("the name that each move is kept by, which may be that in another position like it")
    best: str = about("the right move that the examiner would play")


@document
class ExamSheet:
    """Questions of an exam with everything that can come of them: whoever has it can go on without a server.

    A right answer puts the questions that it leads to behind those that wait, but for those that were met before. A
    question that was answered wrongly comes back after all others.
    """

    exam: str = about("its name: game, options and side")
    game: str = about("the name of the game")
    title: str = about("what it is called")
    version: int = about("of its rules")
    options: str = about("what is played, in words")
    side: PlayerNumber = about("whom the student plays; 1 begins")
    goal: Goal = about("what is to be proved: that one wins, or that one holds the draw")
    count: int = about("how many questions it has for somebody who answers as the examiner would")
    unlocks: int = about("after how many mistakes the secret may be told")
    secret: str = about("the short rule that wins; empty where none is known")
    table: TableDocument = about("the start of the game")
    tiles: list[TileDocument] = about("all tiles that lie on any of the tables")
    frames: list[GroupFrame] = about("all groups without their tiles")
    begin: list[str] = about("the questions that wait, in their order")
    questions: dict[str, ExamQuestionDocument] = about("questions by their names")


@document
class Diploma:
    """What was proved, with the strategy that proves it."""

    game: str = about("what the game is called")
    options: str = about("what was played, in words")
    side: PlayerNumber = about("whose strategy it is; 1 begins")
    goal: Goal = about("what it does against every reply")
    answered: int = about("questions that were answered rightly")
    mistakes: int = about("wrong answers on the way")
    positions: int = about("positions of the strategy: those where nothing had to be asked are among them")
    turns: int = about("turns of both players that a game takes at most")
    secret: str = about("the short rule that wins; empty where none is known")
    kind: Literal["parlour strategy"] = about("what the file is")
    file: str = about("what to call the file")
    strategy: str = about("the text of a file that `parlour master --check` verifies")


def exam_list(games: Sequence[Game]) -> ExamList:
    """All exams there are."""
    return ExamList(
        games=[
            GameExams(
                game=game.key,
                title=game.title,
                exams=[_card(game, number, source) for number, source in enumerate(game.content.exams, 1)],
            )
            for game in games
            if game.content.exams
        ]
    )


def _card(game: Game, number: int, source: ExamSource) -> ExamCard:
    rules = read_rules(game, read_words(source.options))
    side: PlayerNumber = 1 if source.side == 1 else 2
    words = say_options(rules.options)
    return ExamCard(
        number=number,
        exam=exam_key(rules, side),
        version=game.version,
        side=side,
        options="; ".join(words[unflag(name)] for name in read_words(source.options)),
        questions=source.questions,
    )


class _Views:
    """Tables as numbers: what lies on many of them is told once."""

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
        frame = GroupFrame(
            title=group.title,
            shape=group.shape,
            owner=group.owner,
            player=group.owner,
            across=group.across,
            down=group.down,
            note=group.note,
            range=group.range,
        )
        place, _ = self._frames.setdefault(repr(frame), (len(self._frames), frame))
        packed = [place]
        for row in group.rows:
            packed.append(len(row))
            packed += [self._tiles.setdefault(repr(tile), (len(self._tiles), tile))[0] for tile in row]
        return packed


def exam_sheet(exam: Exam, sheet: Sheet, count: int) -> ExamSheet:
    """Questions of an exam; ``count``: how many it has in all."""
    rules, views = exam.rules, _Views()
    questions = {show_position(form): _question(exam, each, views) for form, each in sheet.questions.items()}
    return ExamSheet(
        exam=exam_key(rules, exam.side),
        game=rules.game.key,
        title=rules.game.title,
        version=rules.game.version,
        options=options_in_words(rules.options),
        side=exam.side,
        goal=_goal(exam.goal),
        count=count,
        unlocks=UNLOCKS,
        secret=rules.game.display.secret(rules.packed),
        table=table_document(match_after(rules, ())),
        tiles=views.tiles,
        frames=views.frames,
        begin=[show_position(form) for form in sheet.begin],
        questions=questions,
    )


def _question(exam: Exam, found: SheetQuestion, views: _Views) -> ExamQuestionDocument:
    rules, (position, moves) = exam.rules, found.question
    match, name = match_after(rules, moves), rules.name

    def refuted(move: int, line: Sequence[int]) -> list[ExamStep]:
        return [
            ExamStep(
                move=step.move,
                by=step.by,
                told=step.told,
                why=step.why,
                view=views.pack(step.view),
                result=step.result,
            )
            for step in steps_of(match.copy(), (move, *line))
        ]

    return ExamQuestionDocument(
        moves=rules.names(moves),
        view=views.pack(table_document(match).view),
        right={
            name(move): None if leads is None else [show_position(form) for form in leads]
            for move, leads in found.right.items()
        },
        wrong={name(move): refuted(move, line) for move, line in found.wrong.items()},
        kept={name(move): exam.kept_name(position, move) for move in rules.legal(position)},
        best=name(found.best),
    )


def diploma_document(exam: Exam, strategy: Strategy) -> Diploma:
    """What somebody has proved in an exam that is over."""
    rules = exam.rules
    return Diploma(
        game=rules.game.title,
        options=options_in_words(rules.options),
        side=exam.side,
        goal=_goal(exam.goal),
        answered=exam.asked - exam.mistakes,
        mistakes=exam.mistakes,
        positions=len(strategy.answers),
        turns=strategy.claim.plies or 0,
        secret=rules.game.display.secret(rules.packed),
        kind="parlour strategy",
        file=f"{rules.game.key}-player-{exam.side}.strategy",
        strategy=write_strategy(strategy),
    )
