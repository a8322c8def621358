"""Mastery exams: a student proves a strategy that wins, or holds the draw, against every reply.

The examiner follows all replies to the student's moves. It asks once about every position in which some move is wrong,
and plays the best move in all other positions. A wrong answer is refuted, and its question comes back. When no question
is left, the answers form a strategy: a file that anybody can check.

Positions with the same canonical form are one question. Their order depends only on the canonical forms, and
answers are saved as the names of moves in these, so an exam can be resumed anywhere.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Generic, Literal, NamedTuple

from parlour.arguments import as_index
from parlour.catalog import find_game
from parlour.errors import Conflict, GameOver, NoSuchExam, ParlourError
from parlour.fields import about, document, hidden, written
from parlour.game import Game, Move, P
from parlour.limit import Limit, limit_within
from parlour.options import O, options_in_words, read_words, say_options, unflag
from parlour.rules import Rules, read_rules
from parlour.score import Score, Value
from parlour.solver.solver import Solver
from parlour.study.archive import source_of
from parlour.study.puzzle import ScoreOf, best_move, best_play, score_of_move
from parlour.study.strategy import Claim, Strategy, check_strategy, write_strategy
from parlour.text import clip, counted
from parlour.view import PlayerNumber

UNLOCKS = 3  # number of mistakes after which the secret of a game is available


class ExamQuestion(NamedTuple, Generic[P]):
    """A position in which the student is to move, and the moves that lead to it.

    >>> import parlour
    >>> exam = parlour.start_exam("double-up")
    >>> exam.question()
    ExamQuestion(position=Position(last=2), moves=(2,))
    """

    position: P  # the position
    moves: tuple[int, ...]  # the moves from the start of the game


class Marked(NamedTuple):
    """A marked answer.

    >>> import parlour
    >>> parlour.start_exam("double-up").answer(3)
    Marked(right=False, refutation=(4, 5, 9, 10, 20), best=4)
    """

    right: bool  # whether the answer keeps the value
    refutation: tuple[int, ...]  # best play after a wrong answer, to the end; empty after a right one
    best: int  # the right answer; of several the quickest, then the lowest


def exam_key(rules: Rules[Any, Any], side: PlayerNumber) -> str:
    """Return the key of the saved answers to an exam."""
    return f"{source_of(rules)} side={side}"


@document
class LadderExam:
    """An exam of a game's ladder."""

    rules: Rules[Any, Any] = hidden()  # the game under its options
    number: int = about("the number among the exams of its game, counted from 1, the shortest first")

    @property
    @written
    def exam(self) -> str:
        """the name of the exam: game, options and side; answers are saved under it"""
        return exam_key(self.rules, self.side)

    @property
    @written
    def version(self) -> int:
        """the version of the rules"""
        return self.rules.game.version

    side: PlayerNumber = about("the student's player number; player 1 begins")
    options: str = about("the options, as text")
    questions: int = about("the number of questions for a student who answers as the examiner would")


@document
class Ladder:
    """The exams of a game."""

    game: str = about("the name of the game")
    title: str = about("the title of the game")
    exams: list[LadderExam] = about("the exams, from the shortest to the longest")


@document
class ExamList:
    """All exams."""

    games: list[Ladder] = about("the exams of each game that has some")


def exam_list(games: Iterable[Game]) -> ExamList:
    """Return the exams of all games."""
    return ExamList(games=[ladder_of(game) for game in games if game.content.exams])


def ladder_of(game: Game) -> Ladder:
    """Return the exams of a game."""
    exams = [_ladder_exam(game, number) for number in range(1, len(game.content.exams) + 1)]
    return Ladder(game=game.key, title=game.title, exams=exams)


def find_exam(game: str | Game, number: int) -> LadderExam:
    """Return an exam of a game by its number, counted from 1.

    Raises:
        UnknownGame: there is no such game.
        NoSuchExam: the game has no exam with this number.
    """
    found, index = find_game(game), as_index(number)
    if index is None or not 1 <= index <= len(found.content.exams):
        shown = clip(repr(number))
        raise NoSuchExam(f"{found.title} has no exam {shown}; they are numbered from 1 to {len(found.content.exams)}")
    return _ladder_exam(found, index)


def start_exam(
    game: str | Game, number: int = 1, limit: Limit | None = None, *, seconds: float | None = None
) -> Exam[Any, Any]:
    """Start an exam of a game's ladder; ``seconds`` and the limit bound the work for all questions.

    Raises:
        UnknownGame: there is no such game.
        NoSuchExam: the game has no exam with this number.

    >>> import parlour
    >>> exam = parlour.start_exam("double-up")
    >>> question = exam.question()
    >>> exam.is_right(question.position, 4), exam.is_right(question.position, 3)
    (True, False)
    """
    found, within = find_exam(game, number), limit_within(limit, seconds)
    return Exam(found.rules, found.side, _SolverScores(found.rules, within))


class _SolverScores(Generic[O, P]):
    """The scores of a solver within a limit. Pickles leave out the solver's memory."""

    def __init__(self, rules: Rules[O, P], limit: Limit) -> None:
        self._solver, self._limit = Solver(rules), limit

    def __call__(self, position: P) -> Score:
        return self._solver.score(position, self._limit)

    def __reduce__(self) -> tuple[object, ...]:
        return _SolverScores, (self._solver.rules, self._limit)


def _ladder_exam(game: Game, number: int) -> LadderExam:
    source = game.content.exams[number - 1]
    given = read_words(source.options)
    rules = read_rules(game, given)
    words = say_options(rules.options)
    return LadderExam(
        rules=rules,
        number=number,
        side=1 if source.side == 1 else 2,
        options="; ".join(words[unflag(name)] for name in given),
        questions=source.questions,
    )


class Exam(Generic[O, P]):
    """One exam in progress: a game under its options, and the side that the student plays.

    >>> import parlour
    >>> exam = parlour.start_exam("double-up")
    >>> exam.side, exam.asked, exam.goal
    (2, 0, <Value.WIN: 1>)
    """

    def __init__(self, rules: Rules[O, P], side: PlayerNumber, score: ScoreOf[P]) -> None:
        """``score`` returns the score of a position for the player to move.

        Raises:
            ParlourError: the side is lost.
        """
        self.rules = rules  # the game under its options
        self.side = side  # the player whose moves the student chooses
        self._score = score
        value = score(rules.start).value
        self.goal = value if side == 1 else value.for_opponent()  # the value that every answer must keep
        if self.goal is Value.LOSS:
            raise ParlourError(f"the side of Player {side} is lost in {rules.title}: nothing can be proved for it")
        self.asked = 0  # number of answers, right and wrong
        self.mistakes = 0  # number of wrong answers
        self._answers: dict[P, int] = {}  # keys: canonical forms
        self._reached: set[P] = set()  # canonical forms of the positions that the student has reached
        self._todo: deque[ExamQuestion[P]] = deque()
        self._again: deque[ExamQuestion[P]] = deque()  # questions with a wrong answer, to be repeated
        start: ExamQuestion[P] = ExamQuestion(rules.start, ())
        self._add_questions([start] if side == 1 else self._replies(start))

    def __repr__(self) -> str:
        left = counted(len(self.waiting), "open question")
        return f"<Exam of {self.rules.title}, Player {self.side}: {self.asked} answered, {left}>"

    def question(self) -> ExamQuestion[P] | None:
        """Return the current question; None if no question is left."""
        queue = self._todo or self._again
        return queue[0] if queue else None

    @property
    def waiting(self) -> Sequence[ExamQuestion[P]]:
        """The known open questions in order; answers may add more."""
        return (*self._todo, *self._again)

    def answer(self, move: int | str) -> Marked:
        """Mark a legal move, given as a number or a text, as the answer to the question.

        Raises:
            UnreadableMove, IllegalMove: the move may not be played.
            Conflict: no question is left.
        """
        question = self.question()
        if question is None:
            raise Conflict("the exam is over: no question is left")
        position = question.position
        move = self.rules.check_move(position, move)
        self.asked += 1
        (self._todo or self._again).popleft()
        best = self.recommended(position)
        if not self._is_right(position, move):
            self.mistakes += 1
            self._again.append(question)
            return Marked(False, self.refutation(position, move), best)
        self._add_questions(self._record(question, move))
        return Marked(True, (), best)

    def take(self, names: Iterable[str]) -> None:
        """Repeat saved answers; ParlourError if they do not fit."""
        for name in names:
            question = self.question()
            if question is None:
                raise ParlourError("there are more answers than questions")
            form = self.rules.canonical(question.position)
            self.answer(self._equivalent_move(form, self.rules.read(form, name), question.position))

    def kept_name(self, position: P, move: int | str) -> str:
        """Return the name under which an answer is saved; errors are those of ``is_right``."""
        move = self.rules.check_move(position, move)
        form = self.rules.canonical(position)
        return self.rules.name(self._equivalent_move(position, move, form))

    def is_right(self, position: P, move: int | str) -> bool:
        """Return whether a legal move keeps the student's value.

        Raises:
            BadPosition: this is not a position of the game.
            UnreadableMove, IllegalMove, GameOver: the move may not be played.
        """
        return self._is_right(position, self.rules.check_move(position, move))

    def _is_right(self, position: P, move: int) -> bool:
        return score_of_move(self.rules, position, move, self._score).value >= self.goal

    def matters(self, position: P) -> bool:
        """Return whether some move of a position is wrong."""
        return not all(self._is_right(position, move) for move in self.rules.legal(position))

    def skipping(self, position: P) -> int:
        """Return the move that the examiner plays in a position without a question."""
        form = self.rules.canonical(position)
        return self._equivalent_move(form, self.recommended(form), position)

    def refutation(self, position: P, move: int | str) -> tuple[Move, ...]:
        """Return best play after a legal move, to the end; errors are those of ``is_right``."""
        move = self.rules.check_move(position, move)
        return best_play(self.rules, self.rules.after(position, move), self._score)

    def recommended(self, position: P) -> Move:
        """Return the right move that the examiner would play: the quickest, then the lowest.

        Raises:
            GameOver: no move can be played.
        """
        if not self.rules.legal(position):
            raise GameOver("the game is over: there is no move to recommend")
        return best_move(self.rules, position, self._score)

    def strategy(self, notes: dict[str, str]) -> Strategy[O, P]:
        """Return the proved strategy.

        Raises:
            ParlourError: a question is left.
        """
        if self.question() is not None:
            raise ParlourError("the exam is not over: questions are left")
        strategy = Strategy(self.rules, (), self.side, Claim(self.goal, None), dict(self._answers), notes)
        plies = check_strategy(strategy).plies  # fails if an answer is missing
        return replace(strategy, claim=Claim(self.goal, plies))

    def _add_questions(self, todo: list[ExamQuestion[P]]) -> None:
        """Add questions for some positions; one without a question leads to the positions after it."""
        new: dict[P, ExamQuestion[P]] = {}
        while todo:  # without recursion: games can be long
            here = todo.pop()
            form = self.rules.canonical(here.position)
            if form in self._reached:
                continue
            self._reached.add(form)
            if self.matters(form):
                new[form] = here
            else:
                todo += self._record(here, self.skipping(here.position))
        self._todo += [new[form] for form in sorted(new)]

    def _record(self, question: ExamQuestion[P], move: int) -> list[ExamQuestion[P]]:
        """Record an answer under its canonical form, and return the positions that it leads to."""
        form = self.rules.canonical(question.position)
        self._answers[form] = self._equivalent_move(question.position, move, form)
        return self.replies_to(question, move)

    def _equivalent_move(self, position: P, move: int, other: P) -> int:
        """Return the move in an equivalent position that corresponds to a move."""
        if position == other:
            return move
        form = self._form_after(position, move)
        return next(each for each in self.rules.legal(other) if self._form_after(other, each) == form)

    def _form_after(self, position: P, move: int) -> P | int:
        """Return the canonical form of the position after a move, or the status if that ends the game."""
        after = self.rules.after(position, move)
        return self.rules.result(after) if self.rules.is_over(after) else self.rules.canonical(after)

    def replies_to(self, question: ExamQuestion[P], move: int) -> list[ExamQuestion[P]]:
        """Return the positions after an answer and every reply to it, equivalent ones once."""
        after = self.rules.after(question.position, move)
        return self._replies(ExamQuestion(after, (*question.moves, move)))

    def _replies(self, question: ExamQuestion[P]) -> list[ExamQuestion[P]]:
        rules, found = self.rules, dict[P, ExamQuestion[P]]()
        for move in rules.legal(question.position):
            after = rules.after(question.position, move)
            if not rules.is_over(after):
                found.setdefault(rules.canonical(after), ExamQuestion(after, (*question.moves, move)))
        return list(found.values())


def count_questions(rules: Rules[O, P], side: PlayerNumber, score: ScoreOf[P], limit: Limit | None = None) -> int:
    """Return the number of questions of an exam with the examiner's own answers."""
    exam = Exam(rules, side, score)
    while (question := exam.question()) is not None:
        exam.answer(exam.recommended(question.position))
        if limit is not None:
            limit.check()
    return exam.asked


@document
class Diploma:
    """A proven strategy, with the score of the exam."""

    game: str = about("the title of the game")
    options: str = about("the options, as text")
    side: PlayerNumber = about("the player number of the strategy; player 1 begins")
    goal: Value = about("the result against every reply")
    answered: int = about("the number of right answers")
    mistakes: int = about("the number of wrong answers")
    positions: int = about("the number of positions of the strategy, including those without a question")
    turns: int = about("the longest game, in turns of both players")
    secret: str = about("the short rule that wins; empty if none is known")
    kind: Literal["parlour strategy"] = about("the file type")
    file: str = about("a name for the file")
    strategy: str = about("the text of the file, which `parlour master --check` verifies")


def make_diploma(exam: Exam[O, P], notes: dict[str, str]) -> Diploma:
    """Return the diploma of an exam; ParlourError if a question is left."""
    rules, strategy = exam.rules, exam.strategy(notes)
    return Diploma(
        game=rules.game.title,
        options=options_in_words(rules.options),
        side=exam.side,
        goal=exam.goal,
        answered=exam.asked - exam.mistakes,
        mistakes=exam.mistakes,
        positions=len(strategy.answers),
        turns=strategy.claim.plies or 0,
        secret=rules.game.display.secret(rules.packed),
        kind="parlour strategy",
        file=f"{rules.game.key}-player-{exam.side}.strategy",
        strategy=write_strategy(strategy),
    )
