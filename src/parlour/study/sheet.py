"""Exam sheets: questions of an exam with all their consequences, for a page without a solver."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Generic

from parlour.fields import about, document, hidden, written
from parlour.game import Game, Move, P
from parlour.limit import Limit, limit_of
from parlour.options import O, options_in_words
from parlour.rules import Rules, show_position
from parlour.score import Value
from parlour.study.mastery import UNLOCKS, Exam, ExamQuestion, exam_key
from parlour.view import PlayerNumber

MAX_EXAMINED = 2000  # positions examined for a sheet beyond the examiner's own answers


@document
class SheetQuestion(Generic[P]):
    """A position of an exam, with the consequences of each move."""

    position: P = hidden()
    moves: tuple[Move, ...] = about("the moves that lead to the position")
    right: Mapping[Move, Sequence[str] | None] = about(
        "each right move, with the questions that it leads to, in order; null: they are not on this sheet"
    )
    wrong: Mapping[Move, tuple[Move, ...]] = about(
        "each wrong move, with the play that refutes it, to the end of the game"
    )
    kept: Mapping[Move, str] = about(
        "the name under which each move is saved, possibly the name of the same move in an equivalent position"
    )
    best: Move = about("the right move that the examiner would play")


@document
class Sheet(Generic[O, P]):
    """Questions of an exam with all their consequences.

    A right answer appends the new questions that it leads to. A question with a wrong answer comes back after all
    others. The name of a question is its canonical form.
    """

    rules: Rules[O, P] = hidden()

    @property
    @written
    def exam(self) -> str:
        """the name of the exam: game, options and side"""
        return exam_key(self.rules, self.side)

    @property
    @written
    def game(self) -> Game[O, P]:
        """the name of the game"""
        return self.rules.game

    @property
    @written
    def title(self) -> str:
        """the title of the game"""
        return self.rules.game.title

    @property
    @written
    def version(self) -> int:
        """the version of the rules"""
        return self.rules.game.version

    @property
    @written
    def options(self) -> str:
        """the options, as text"""
        return options_in_words(self.rules.options)

    side: PlayerNumber = about("the student's player number; player 1 begins")
    goal: Value = about("the goal to prove: a win, or at least a draw")

    @property
    @written
    def unlocks(self) -> int:
        """the number of mistakes after which the secret may be shown"""
        return UNLOCKS

    @property
    @written
    def secret(self) -> str:
        """the short rule that wins; empty if none is known"""
        return self.rules.game.display.secret(self.rules.packed)

    begin: Sequence[str] = about("the names of the first questions, in order")
    questions: Mapping[str, SheetQuestion[P]] = about("the questions by name")


def make_sheet(exam: Exam[O, P], most: int, limit: Limit | None = None) -> Sheet[O, P]:
    """Return at most ``most`` questions of an exam from its current state, preferring those after the best answers."""
    rules, limit = exam.rules, limit_of(limit)
    lookahead = _Lookahead(exam, limit)
    found: dict[P, ExamQuestion[P]] = {}
    follows: dict[tuple[P, int], Sequence[P]] = {}
    best: deque[tuple[P, int]] = deque()  # the examiner's answers, to be followed
    others: deque[tuple[P, int]] = deque()  # other right answers, to be followed

    def add(form: P, question: ExamQuestion[P]) -> None:
        found[form] = question
        recommended = exam.recommended(question.position)
        for move in rules.legal(question.position):
            if exam.is_right(question.position, move):
                (best if move == recommended else others).append((form, move))

    for question in exam.waiting:
        add(rules.canonical(question.position), question)
    begin = tuple(found)
    while best or (others and len(lookahead) < MAX_EXAMINED):
        form, move = (best or others).popleft()
        leads = lookahead.questions_after(found[form], move)
        new = [each for each in leads if each not in found]
        if len(found) + len(new) > most:
            continue
        for each in new:
            add(each, lookahead.path(found[form], move, each))
        follows[form, move] = leads
    return Sheet(
        rules=rules,
        side=exam.side,
        goal=exam.goal,
        begin=[show_position(form) for form in begin],
        questions={
            show_position(form): _sheet_question(exam, form, question, follows, limit)
            for form, question in found.items()
        },
    )


class _Lookahead(Generic[O, P]):
    """The next questions after an answer, past all positions without a question."""

    def __init__(self, exam: Exam[O, P], limit: Limit) -> None:
        self._exam = exam
        self._limit = limit
        self._questions: dict[P, frozenset[P]] = {}  # keys: canonical forms of examined positions

    def __len__(self) -> int:
        """Return the number of examined positions."""
        return len(self._questions)

    def questions_after(self, question: ExamQuestion[P], move: int) -> Sequence[P]:
        """Return the questions after a right answer, in order."""
        replies = [each.position for each in self._exam.replies_to(question, move)]
        return sorted(frozenset[P]().union(*map(self._questions_from, map(self._exam.rules.canonical, replies))))

    def path(self, question: ExamQuestion[P], move: int, target: P) -> ExamQuestion[P]:
        """Return one of the questions after a right answer, with the moves that lead to it."""
        while True:
            for here in self._exam.replies_to(question, move):
                form = self._exam.rules.canonical(here.position)
                if form == target:
                    return here
                if target in self._questions[form]:
                    question, move = here, self._exam.skipping(here.position)
                    break

    def _questions_from(self, form: P) -> frozenset[P]:
        """Return the question in a position, or those after it if it has none."""
        exam, known, todo = self._exam, self._questions, [form]
        while todo:  # without recursion: games can be long
            here = todo[-1]
            if here in known:
                todo.pop()
                continue
            self._limit.check()
            if exam.matters(here):
                known[here] = frozenset([here])
                continue
            replies = exam.replies_to(ExamQuestion(here, ()), exam.skipping(here))
            forms = [exam.rules.canonical(each.position) for each in replies]
            missing = [each for each in forms if each not in known]
            if missing:
                todo += missing
            else:
                known[here] = frozenset[P]().union(*(known[each] for each in forms))
        return known[form]


def _sheet_question(
    exam: Exam[O, P], form: P, question: ExamQuestion[P], follows: Mapping[tuple[P, int], Sequence[P]], limit: Limit
) -> SheetQuestion[P]:
    limit.check()
    position, right, wrong = question.position, {}, {}
    legal = exam.rules.legal(position)
    for move in legal:
        if exam.is_right(position, move):
            leads = follows.get((form, move))
            right[move] = None if leads is None else [show_position(each) for each in leads]
        else:
            wrong[move] = exam.refutation(position, move)
    return SheetQuestion(
        position=position,
        moves=tuple(map(Move, question.moves)),
        right=right,
        wrong=wrong,
        kept={move: exam.kept_name(position, move) for move in legal},
        best=exam.recommended(position),
    )
