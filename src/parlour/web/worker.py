"""A worker process: it answers questions that may take their time, one after the other.

The server starts a few of these (``pool``), so that its own process never searches. Questions come through the standard
input, what is said about them goes to the standard output; ``messages`` has both, and ``framing``
says where one ends. The input's end is the process's end, whatever it is doing: if the server dies, however it dies,
nothing stays behind.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from time import monotonic
from typing import Any

from parlour import record
from parlour.documents.practice import (
    ExamSheet,
    MistakeList,
    ShownExercise,
    TileBudget,
    show_exercise,
    show_mistakes,
    show_sheet,
)
from parlour.documents.solution import Solution
from parlour.errors import Cancelled, ParlourError, TooBig
from parlour.limit import Limit
from parlour.players import people_of
from parlour.rules import Rules
from parlour.service.errors import SearchFailed
from parlour.service.searches import choose_move, solve_position
from parlour.solver import Solver
from parlour.study.grades import make_report, mistakes_of
from parlour.study.hints import Hint, Reason, explain_move, hint_at
from parlour.study.mastery import Diploma, Exam, find_exam, make_diploma
from parlour.study.puzzle import read_exercise
from parlour.study.report import Report
from parlour.study.sheet import make_sheet
from parlour.web import chores
from parlour.web.compression import Encoded, encode
from parlour.web.framing import LARGEST_ANSWER, frame, read_message
from parlour.web.messages import (
    QUESTIONS,
    AnswerMessage,
    CardQuestion,
    ChooseQuestion,
    ChosenMove,
    DiplomaRequest,
    ErrorMessage,
    ExamRequest,
    HintQuestion,
    ImportQuestion,
    LineQuestion,
    MistakesQuestion,
    PositionQuestion,
    PracticeRequest,
    ProgressMessage,
    ProveQuestion,
    QrQuestion,
    Question,
    QuestionMessage,
    ReplayQuestion,
    ReportQuestion,
    SheetRequest,
    SolveQuestion,
    WhyQuestion,
)
from parlour.writer import write_json

MOST_QUESTIONS = 350  # of an exam that are told at once: the longest has a few more
MOST_SOLVERS = 3  # that are remembered
MOST_MEMORY = 320 << 20  # bytes that each may take: these, one more for a report and the rest stay below 1.5 GB
PROGRESS_SECONDS = 0.2  # between two words of progress
NICENESS = 10  # the server goes first: it answers moves

ERROR_MODULES = ("parlour.errors", "parlour.store.errors", "parlour.service.errors")
Message = ProgressMessage | AnswerMessage | ErrorMessage


class Worker:
    """Answers questions. What it has found out about a few games it remembers."""

    def __init__(self, send: Callable[[Message], None]) -> None:
        """``send`` sends a message to whoever asks."""
        self._send = send
        self._solvers: OrderedDict[Rules, Solver] = OrderedDict()  # what was asked last stands last
        self._reused: Rules | None = None  # whose solver was asked that knew something already
        self._id = 0  # of the present question
        self._seconds = 0.0  # that it may take
        self._limit = Limit()  # the same as a limit
        self._cancelled = 0  # the highest question that was given up; set by another thread
        self._told_at = 0.0  # when progress was told last

    def cancel(self, id: int) -> None:
        """Give up a question at the next opportunity; any thread may say so."""
        self._cancelled = max(self._cancelled, id)
        if id == self._id:
            self._limit.cancel()

    def answer(self, message: QuestionMessage) -> None:
        """Answer a question, whatever comes of it."""
        id = message.id
        self._limit = limit = Limit(message.seconds, memory=MOST_MEMORY, on_progress=self._tell_progress)
        self._id, self._seconds, self._told_at, self._reused = id, message.seconds, monotonic(), None
        if self._cancelled >= id:
            limit.cancel()
        try:
            limit.check()
            answer = _encoded(self._find(QUESTIONS[message.ask](**message.question)))
        except Cancelled:
            self._send(_error(id, SearchFailed("the question was given up")))
        except ParlourError as error:
            self._send(_error(id, error))
        except Exception as error:  # a mistake of ours: say so, and trust nothing that was found out on the way
            sys.excepthook(type(error), error, error.__traceback__)
            self._solvers.clear()
            self._send(_error(id, SearchFailed("something went wrong while thinking")))
        else:
            complete = not limit.time_is_up
            self._send(AnswerMessage(type="answer", id=id, answer=answer, complete=complete))

    def _tell_progress(self, positions: int) -> None:
        now = monotonic()
        if now >= self._told_at + PROGRESS_SECONDS:
            self._told_at = now
            self._send(ProgressMessage(type="progress", id=self._id, positions=positions))

    def _find(self, question: Question[object]) -> object:
        try:
            return self._answer(question)
        except TooBig:
            if self._reused is None or self._limit.time_is_up:
                raise
            # What a solver remembers of other positions can fill the memory that it may take. A new one has room.
            del self._solvers[self._reused]
            return self._answer(question)

    def _answer(self, question: Question[object]) -> object:
        match question:
            case SolveQuestion():
                return self._solve(question)
            case HintQuestion():
                return self._hint(question)
            case WhyQuestion():
                return self._explain(question)
            case ReportQuestion():
                return self._report(question)
            case MistakesQuestion():
                return self._mistakes(question)
            case PracticeRequest():
                return self._practice(question)
            case SheetRequest():
                return self._sheet(question)
            case DiplomaRequest():
                return self._diploma(question)
            case ChooseQuestion() | ProveQuestion():
                return self._choose(question)
            case QrQuestion():
                return chores.qr_code(question)
            case CardQuestion():
                return chores.card(question)
            case LineQuestion():
                return chores.check_line(question)
            case PositionQuestion():
                return chores.position(question)
            case ReplayQuestion():
                return chores.replay(question)
            case ImportQuestion():
                return chores.import_record(question)
        raise AssertionError(f"nobody answers a {question.ask} question")

    def _solver(self, rules: Rules) -> Solver:
        """The one that knows this game under these options."""
        self._reused = rules if rules in self._solvers else None
        if self._reused is None:
            while len(self._solvers) >= MOST_SOLVERS:
                self._solvers.popitem(last=False)
            self._solvers[rules] = Solver(rules)
        self._solvers.move_to_end(rules)
        return self._solvers[rules]

    # The questions.

    def _solve(self, question: SolveQuestion) -> Solution:
        match = record.read_record(question.record)
        return solve_position(self._solver(match.rules), match, self._limit, question.position)

    def _hint(self, question: HintQuestion) -> Hint:
        match = record.read_record(question.record)
        return hint_at(self._solver(match.rules), match, question.rung, self._limit)

    def _explain(self, question: WhyQuestion) -> Reason:
        match = record.read_record(question.record)
        move = match.read(question.move)
        return explain_move(self._solver(match.rules), match, move, self._limit)

    def _report(self, question: ReportQuestion) -> Report:
        # A report gives each position what is left of the time, and leaves ungraded what comes when none is left.
        return make_report(record.read_record(question.record), self._limit, seconds=self._seconds)

    def _mistakes(self, question: MistakesQuestion) -> MistakeList:
        match = record.read_record(question.record)
        found = mistakes_of(match, people_of(match.setup), self._seconds, self._limit)
        return show_mistakes(found, TileBudget(self._limit))

    def _practice(self, question: PracticeRequest) -> ShownExercise:
        return show_exercise(read_exercise(question.question), TileBudget(self._limit))

    def _exam(self, question: ExamRequest[Any]) -> tuple[Exam, int]:
        """An exam where the answers have led it, and how many questions it has."""
        source = find_exam(question.game, question.number)
        solver = self._solver(source.rules)
        exam: Exam = Exam(source.rules, source.side, lambda position: solver.score(position, self._limit))
        exam.take(question.answers)
        return exam, source.questions

    def _sheet(self, question: SheetRequest) -> ExamSheet:
        exam, count = self._exam(question)
        return show_sheet(make_sheet(exam, MOST_QUESTIONS, self._limit), count)

    def _diploma(self, question: DiplomaRequest) -> Diploma:
        exam, _ = self._exam(question)
        return make_diploma(exam, {"by": question.name, "date": question.date})

    def _choose(self, question: ChooseQuestion | ProveQuestion) -> ChosenMove:
        try:
            return ChosenMove(move=choose_move(record.read_record(question.record), self._limit))
        except TooBig:  # out of work; running out of time is another error
            return ChosenMove(move=None, unproved=True)


def _encoded(answer: object) -> Encoded:
    """Return an answer as it is sent; TooBig if it exceeds the pipe's limit."""
    data = write_json(answer, compact=True).encode()
    if len(data) > LARGEST_ANSWER:
        raise TooBig(f"the answer would have more than {LARGEST_ANSWER >> 20} MB; ask about less")
    return encode(data)


def _error(id: int, error: ParlourError) -> ErrorMessage:
    fields = {name: value for name, value in vars(error).items() if isinstance(value, str | int)}
    declared = next(kind for kind in type(error).__mro__ if kind.__module__ in ERROR_MODULES)  # it may be a subclass
    return ErrorMessage(type="error", id=id, error=declared.__name__, message=str(error), fields=fields)


def main() -> None:
    """Answer until there is nobody left to ask."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends us
    if hasattr(os, "nice"):
        os.nice(NICENESS)
        with suppress(OSError):  # Linux may weigh sessions first, and this is one of its own
            Path("/proc/self/autogroup").write_text(str(NICENESS))
    # Messages go through descriptors of their own: what anybody prints by mistake goes to the error output, and nobody
    # else reads what is meant for us.
    incoming, outgoing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)

    def send(message: Message) -> None:
        try:
            outgoing.write(frame(message))
            outgoing.flush()
        except OSError:  # nobody listens any more
            os._exit(1)

    worker, questions = Worker(send), SimpleQueue[QuestionMessage]()

    def listen() -> None:
        try:
            while (message := read_message(incoming)) is not None:
                if message["type"] == "cancel":
                    worker.cancel(message["id"])
                else:
                    questions.put(QuestionMessage(**message))
        finally:  # the others cannot be told to hurry, and there is nothing to tidy up
            os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        worker.answer(questions.get())


if __name__ == "__main__":
    main()
