"""Mastery by proof: an exam after which one has won against everybody.

The examiner follows all replies to what the student plays and asks every position that matters once. Where all moves
are right, or there is only one, nothing is asked: the examiner moves on with the first of the best. A wrong answer is
refuted, and its question comes back. When no question is left, the answers are a strategy that wins (or holds the draw)
whatever the other side does: a file that anybody can check.
"""

from __future__ import annotations

from collections import deque
from typing import Generic, NamedTuple

from parlour.errors import ParlourError
from parlour.game import P
from parlour.limit import Limit
from parlour.match import PlayerNumber
from parlour.options import O
from parlour.rules import Rules
from parlour.score import Score, Value
from parlour.study.puzzle import ScoreOf, best_play, score_of_move
from parlour.study.strategy import Claim, Strategy, check_strategy


class ExamQuestion(NamedTuple, Generic[P]):
    """A position in which the student is to move, and how it came about."""

    position: P
    moves: tuple[int, ...]  # from the start of the game


class Marked(NamedTuple):
    """An answer, marked."""

    right: bool
    refutation: tuple[int, ...]  # of a wrong one: best play after it, to the end
    best: int  # what would have been right: of several the quickest, then the lowest


class Exam(Generic[O, P]):
    """One exam in progress: a game under its options, and the side that the student plays."""

    def __init__(self, rules: Rules[O, P], side: PlayerNumber, score: ScoreOf[P]) -> None:
        """``score`` tells what a position is worth to the player to move; ParlourError if that side is lost."""
        self.rules = rules
        self.side = side
        self._score = score
        value = score(rules.start).value
        self.goal = value if side == 1 else value.for_opponent()
        if self.goal is Value.LOSS:
            raise ParlourError(f"the side of Player {side} is lost in {rules.title}: nothing can be proved for it")
        self.asked = 0  # questions that were answered, right or wrong
        self.mistakes = 0
        self._answers: dict[P, int] = {}  # by the position that stands for all with the same future
        self._todo: deque[ExamQuestion[P]] = deque()
        self._again: deque[ExamQuestion[P]] = deque()  # what was answered wrongly, to come back later
        begin: ExamQuestion[P] = ExamQuestion(rules.start, ())
        self._reach(begin) if side == 1 else self._try_all_replies(begin)

    def question(self) -> ExamQuestion[P] | None:
        """What is asked now; None if no question is left."""
        for queue in (self._todo, self._again):
            while queue:
                if self.rules.canonical(queue[0].position) not in self._answers:
                    return queue[0]
                queue.popleft()
        return None

    @property
    def left(self) -> int:
        """How many questions are known to be left: more may come of the answers."""
        known = {self.rules.canonical(each.position) for each in (*self._todo, *self._again)}
        return len(known - self._answers.keys())

    def answer(self, move: int) -> Marked:
        """Mark a legal move as the answer to the question."""
        question = self.question()
        if question is None:
            raise ParlourError("the exam is over: no question is left")
        rules, position = self.rules, question.position
        rules.check_move(position, move)
        self.asked += 1
        queue = self._todo if self._todo else self._again
        queue.popleft()
        best = self.recommended(position)
        if self._worth(position, move).value < self.goal:
            self.mistakes += 1
            self._again.append(question)
            return Marked(False, best_play(rules, rules.after(position, move), self._score), best)
        self._settle(question, move)
        return Marked(True, (), best)

    def recommended(self, position: P) -> int:
        """The right move that the examiner would play: the quickest, then the lowest."""
        return max(self.rules.legal(position), key=lambda move: (self._worth(position, move), -move))

    def strategy(self, notes: dict[str, str]) -> Strategy[O, P]:
        """What was proved; ParlourError as long as a question is left."""
        if self.question() is not None:
            raise ParlourError("the exam is not over: questions are left")
        made = Strategy(self.rules, (), self.side, Claim(self.goal, None), dict(self._answers), notes)
        plies = check_strategy(made).plies  # which also shows that the answers are complete
        return Strategy(self.rules, (), self.side, Claim(self.goal, plies), made.answers, notes)

    def _worth(self, position: P, move: int) -> Score:
        return score_of_move(self.rules, position, move, self._score)

    def _reach(self, question: ExamQuestion[P]) -> None:
        """The student comes to a position: it is asked if some moves are right and some are wrong."""
        todo = [question]
        while todo:  # without recursion: games can be long
            here = todo.pop()
            if self.rules.is_over(here.position) or self.rules.canonical(here.position) in self._answers:
                continue
            values = [self._worth(here.position, move).value for move in self.rules.legal(here.position)]
            if any(value < self.goal for value in values):
                self._todo.append(here)
                continue
            todo += self._note(here, self.recommended(here.position))

    def _settle(self, question: ExamQuestion[P], move: int) -> None:
        for each in self._note(question, move):
            self._reach(each)

    def _try_all_replies(self, begin: ExamQuestion[P]) -> None:
        for each in self._replies(begin):
            self._reach(each)

    def _note(self, question: ExamQuestion[P], move: int) -> list[ExamQuestion[P]]:
        """Note an answer under the position that stands for it; what the student can come to next."""
        rules = self.rules
        after = rules.after(question.position, move)
        form = rules.canonical(question.position)
        same = self._future(after)
        # The same move may have another name where another position stands for this one.
        self._answers[form] = next(m for m in rules.legal(form) if self._future(rules.after(form, m)) == same)
        return self._replies(ExamQuestion(after, (*question.moves, move)))

    def _future(self, position: P) -> P | int:
        """The same for positions with the same future: what stands for them, or the result where all is over."""
        return self.rules.result(position) if self.rules.is_over(position) else self.rules.canonical(position)

    def _replies(self, question: ExamQuestion[P]) -> list[ExamQuestion[P]]:
        """What every reply leads to; those with the same future once."""
        rules = self.rules
        found: dict[P, ExamQuestion[P]] = {}
        if not rules.is_over(question.position):
            for move in rules.legal(question.position):
                after = rules.after(question.position, move)
                found.setdefault(rules.canonical(after), ExamQuestion(after, (*question.moves, move)))
        return list(found.values())


def count_questions(rules: Rules[O, P], side: PlayerNumber, score: ScoreOf[P], limit: Limit | None = None) -> int:
    """How many questions an exam has for somebody who answers as the examiner would."""
    exam = Exam(rules, side, score)
    while (question := exam.question()) is not None:
        exam.answer(exam.recommended(question.position))
        if limit is not None:
            limit.check()
    return exam.asked
