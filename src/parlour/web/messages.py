"""Questions to the search processes, their answers, and the messages that carry both.

These stay inside one server, whose processes all have the same version. Only answers are documents.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, ClassVar, Generic, Literal, TypeVar

from parlour.documents.practice import ExamSheet, MistakeList, ShownExercise
from parlour.documents.server import QrCode
from parlour.documents.solution import Solution
from parlour.documents.table import Replay, TableDocument
from parlour.names import DEFAULT_NAMES
from parlour.study.hints import Hint, Reason
from parlour.study.mastery import Diploma
from parlour.study.report import Report
from parlour.view import PlayerNumber
from parlour.writer import about, document

A = TypeVar("A")

EXAM_SECONDS = 60.0  # for a sheet or a diploma
REPORT_SECONDS = 60.0  # for a report, or the mistakes that follow from one
MOVE_SECONDS = 300.0  # for a computer's move, which is bounded by its work: only a search that hangs takes as long


class Lane(IntEnum):
    """The search processes that may answer a kind of question: this one and those after it, or the last one."""

    QUICK = 0  # all of them; the first has no other questions
    STUDY = 1
    REPORT = 2  # the longest


@dataclass(frozen=True, kw_only=True)
class Question(Generic[A]):
    """Something that may take its time to answer; ``A`` is the document that does.

    A class that has a word of its own is a kind of question, and states all of these.
    """

    ask: ClassVar[str]  # the word for this kind of question
    answered_by: ClassVar[type[Any]]  # A, for those who read the answer
    lane: ClassVar[Lane]
    seconds: ClassVar[float | None]  # the time limit once a process has it; None: the server's own setting
    remembered: ClassVar[bool]  # the answer is cached, for it follows from the question alone


@dataclass(frozen=True, kw_only=True)
class MatchQuestion(Question[A]):
    """One about a match."""

    record: str  # the record of the match


@dataclass(frozen=True, kw_only=True)
class SolveQuestion(MatchQuestion[Solution]):
    """What is the position worth, and every move in it?"""

    ask = "solve"
    answered_by = Solution
    lane = Lane.STUDY
    seconds = None
    remembered = True

    position: str | None = None  # the name of another position under the same options


@dataclass(frozen=True, kw_only=True)
class HintQuestion(MatchQuestion[Hint]):
    """What is a player to be told who asks for a hint?"""

    ask = "hint"
    answered_by = Hint
    lane = Lane.STUDY
    seconds = None
    remembered = True

    rung: int  # how much is to be told


@dataclass(frozen=True, kw_only=True)
class WhyQuestion(MatchQuestion[Reason]):
    """What is a move worth, and which play shows it?"""

    ask = "why"
    answered_by = Reason
    lane = Lane.STUDY
    seconds = None
    remembered = True

    move: str  # the move, as somebody typed it


@dataclass(frozen=True, kw_only=True)
class ReportQuestion(MatchQuestion[Report]):
    """Where did the match turn?"""

    ask = "report"
    answered_by = Report
    lane = Lane.REPORT
    seconds = REPORT_SECONDS
    remembered = True


@dataclass(frozen=True, kw_only=True)
class MistakesQuestion(MatchQuestion[MistakeList]):
    """Which of its decisions threw something away, as questions to practise?"""

    ask = "mistakes"
    answered_by = MistakeList
    lane = Lane.REPORT
    seconds = REPORT_SECONDS
    remembered = True


@dataclass(frozen=True, kw_only=True)
class PracticeRequest(Question[ShownExercise]):
    """What is there to see and to say of a question that somebody has kept?"""

    ask = "practice"
    answered_by = ShownExercise
    lane = Lane.STUDY
    seconds = None
    remembered = True

    question: dict[str, Any]  # as it is kept in a file of progress


@dataclass(frozen=True, kw_only=True)
class ExamRequest(Question[A]):
    """One about an exam."""

    game: str  # the name of the game
    number: int  # of the exam, counted from 1
    answers: list[str]  # what was answered so far, by the names that answers are kept by


@dataclass(frozen=True, kw_only=True)
class SheetRequest(ExamRequest[ExamSheet]):
    """What can be asked from here on?"""

    ask = "sheet"
    answered_by = ExamSheet
    lane = Lane.REPORT
    seconds = EXAM_SECONDS
    remembered = True


@dataclass(frozen=True, kw_only=True)
class DiplomaRequest(ExamRequest[Diploma]):
    """What do these answers prove?"""

    ask = "diploma"
    answered_by = Diploma
    lane = Lane.REPORT
    seconds = EXAM_SECONDS
    remembered = False

    name: str  # who has answered
    date: str  # the day of the last answer


@document
class ChosenMove:
    """What a computer does in its turn."""

    move: str | None = about("the move it plays; null: it resigns, or has no proof")
    unproved: bool = about("it has no proof of a move within its budget of work", default=False)


@dataclass(frozen=True, kw_only=True)
class ChooseQuestion(MatchQuestion[ChosenMove]):
    """What does the computer play that is to move? One that chooses quickly."""

    ask = "choose"
    answered_by = ChosenMove
    lane = Lane.QUICK
    seconds = MOVE_SECONDS
    remembered = False


@dataclass(frozen=True, kw_only=True)
class ProveQuestion(MatchQuestion[ChosenMove]):
    """The same of one that may have to search for long."""

    ask = "prove"
    answered_by = ChosenMove
    lane = Lane.STUDY
    seconds = MOVE_SECONDS
    remembered = False


# Chores: they do not take long, but too long for the process that answers everybody.


@dataclass(frozen=True, kw_only=True)
class QrQuestion(Question[QrCode]):
    """What does a text look like as a QR code?"""

    ask = "qr"
    answered_by = QrCode
    lane = Lane.QUICK
    seconds = None
    remembered = True

    text: str  # what it is to say


@document
class CardPicture:
    """The card of a match, which is shown beside a link to it."""

    png: str = about("the picture, 1200 by 630, as base64")


@dataclass(frozen=True, kw_only=True)
class CardQuestion(MatchQuestion[CardPicture]):
    """What does the card of a match look like?"""

    ask = "card"
    answered_by = CardPicture
    lane = Lane.STUDY
    seconds = None
    remembered = True


@document
class CheckedLine:
    """A line of moves that can be played."""

    record: str = about("of the match in which nothing else was done")


@dataclass(frozen=True, kw_only=True)
class MovesQuestion(Question[A]):
    """A question about a line of moves, which may be illegal. Its fields are those of the address."""

    game: str  # the key of the game
    options: dict[str, str]  # its options, as texts
    moves: list[str]  # the moves as typed
    first: PlayerNumber = 1  # the player who begins
    p1: str = DEFAULT_NAMES[0]  # the name of player 1
    p2: str = DEFAULT_NAMES[1]  # the name of player 2


@dataclass(frozen=True, kw_only=True)
class LineQuestion(MovesQuestion[CheckedLine]):
    """Can these moves be played?"""

    ask = "line"
    answered_by = CheckedLine
    lane = Lane.QUICK
    seconds = None
    remembered = True


@dataclass(frozen=True, kw_only=True)
class PositionQuestion(MovesQuestion[TableDocument]):
    """Where do they lead to?"""

    ask = "position"
    answered_by = TableDocument
    lane = Lane.QUICK
    seconds = None
    remembered = True


@dataclass(frozen=True, kw_only=True)
class ReplayQuestion(MatchQuestion[Replay]):
    """What did a round look like, position by position?"""

    ask = "replay"
    answered_by = Replay
    lane = Lane.QUICK
    seconds = None
    remembered = True

    round: int  # which one, counted from 0


@document
class ImportedRecord:
    """A record that can be put on the table, as a match that is not stored yet."""

    id: str = about("its public name")
    kind: str = about("what is to be done with it")
    head: str = about("its tags, as they are stored")
    lines: list[str] = about("its lines")
    over: bool = about("there is nothing left to play")
    seat: str | None = about("the secret that is good for both players; null if nobody sits there")


@dataclass(frozen=True, kw_only=True)
class ImportQuestion(Question[ImportedRecord]):
    """Is this the record of a possible game, and what comes of it here?"""

    ask = "import"
    answered_by = ImportedRecord
    lane = Lane.QUICK
    seconds = None
    remembered = False

    text: str  # the record as it was sent
    key: str | None  # a secret from which the match has its name and its seat


KINDS: tuple[type[Question[Any]], ...] = (
    SolveQuestion,
    HintQuestion,
    WhyQuestion,
    ReportQuestion,
    MistakesQuestion,
    PracticeRequest,
    SheetRequest,
    DiplomaRequest,
    ChooseQuestion,
    ProveQuestion,
    QrQuestion,
    CardQuestion,
    LineQuestion,
    PositionQuestion,
    ReplayQuestion,
    ImportQuestion,
)
QUESTIONS = {kind.ask: kind for kind in KINDS}


# The messages. Those of the server ...


@dataclass(frozen=True, kw_only=True)
class QuestionMessage:
    """A question is asked."""

    type: Literal["question"]  # which message this is
    id: int  # of the question: each is higher than the last
    seconds: float  # what the answer may take
    ask: str  # which kind of question it is
    question: dict[str, Any]  # its fields


@dataclass(frozen=True, kw_only=True)
class CancelMessage:
    """Nobody wants to know any more."""

    type: Literal["cancel"]  # which message this is
    id: int  # of the question


# ... and those of a worker.


@dataclass(frozen=True, kw_only=True)
class ProgressMessage:
    """The search goes on."""

    type: Literal["progress"]  # which message this is
    id: int  # of the question
    positions: int  # how many were searched so far


@dataclass(frozen=True, kw_only=True)
class AnswerMessage:
    """The answer."""

    type: Literal["answer"]  # which message this is
    id: int  # of the question
    answer: Any  # the document that answers the question, as it is sent to the client; it follows the message
    complete: bool  # with more time there would be no more to tell


@dataclass(frozen=True, kw_only=True)
class ErrorMessage:
    """There is no answer."""

    type: Literal["error"]  # which message this is
    id: int  # of the question
    error: str  # the name of an error class of Parlour
    arguments: list[str]  # what it is made of
