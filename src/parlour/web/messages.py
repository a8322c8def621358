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
from parlour.fields import about, document
from parlour.names import DEFAULT_NAMES
from parlour.study.hints import Hint, Reason
from parlour.study.mastery import Diploma
from parlour.study.report import Report
from parlour.view import PlayerNumber

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
    """A request that may take time to answer; ``A`` is the document of the answer.

    A class that has a word of its own is a kind of question, and states all of these.
    """

    ask: ClassVar[str]  # the word for this kind of question
    answered_by: ClassVar[type[Any]]  # A, for those who read the answer
    lane: ClassVar[Lane]
    seconds: ClassVar[float | None]  # the time limit once a process has it; None: the server's own setting
    remembered: ClassVar[bool]  # the answer is cached, for it follows from the question alone


@dataclass(frozen=True, kw_only=True)
class MatchQuestion(Question[A]):
    """A question about a match."""

    record: str  # the record of the match


@dataclass(frozen=True, kw_only=True)
class SolveQuestion(MatchQuestion[Solution]):
    """A request for the value of a position and of every move in it."""

    ask = "solve"
    answered_by = Solution
    lane = Lane.STUDY
    seconds = None
    remembered = True

    position: str | None = None  # the name of another position under the same options


@dataclass(frozen=True, kw_only=True)
class HintQuestion(MatchQuestion[Hint]):
    """A request for a hint."""

    ask = "hint"
    answered_by = Hint
    lane = Lane.STUDY
    seconds = None
    remembered = True

    rung: int  # the level of detail


@dataclass(frozen=True, kw_only=True)
class WhyQuestion(MatchQuestion[Reason]):
    """A request for the value of a move and a line that proves it."""

    ask = "why"
    answered_by = Reason
    lane = Lane.STUDY
    seconds = None
    remembered = True

    move: str  # the move as typed


@dataclass(frozen=True, kw_only=True)
class ReportQuestion(MatchQuestion[Report]):
    """A request for a report on a match."""

    ask = "report"
    answered_by = Report
    lane = Lane.REPORT
    seconds = REPORT_SECONDS
    remembered = True


@dataclass(frozen=True, kw_only=True)
class MistakesQuestion(MatchQuestion[MistakeList]):
    """A request for the mistakes of a match as exercises."""

    ask = "mistakes"
    answered_by = MistakeList
    lane = Lane.REPORT
    seconds = REPORT_SECONDS
    remembered = True


@dataclass(frozen=True, kw_only=True)
class PracticeRequest(Question[ShownExercise]):
    """A request for the exercise of a saved question."""

    ask = "practice"
    answered_by = ShownExercise
    lane = Lane.STUDY
    seconds = None
    remembered = True

    question: dict[str, Any]  # the question, as saved in a progress file


@dataclass(frozen=True, kw_only=True)
class ExamRequest(Question[A]):
    """A question about an exam."""

    game: str  # the name of the game
    number: int  # the number of the exam, counted from 1
    answers: list[str]  # the answers so far, by the names under which answers are saved


@dataclass(frozen=True, kw_only=True)
class SheetRequest(ExamRequest[ExamSheet]):
    """A request for the questions that follow some answers."""

    ask = "sheet"
    answered_by = ExamSheet
    lane = Lane.REPORT
    seconds = EXAM_SECONDS
    remembered = True


@dataclass(frozen=True, kw_only=True)
class DiplomaRequest(ExamRequest[Diploma]):
    """A request for a diploma."""

    ask = "diploma"
    answered_by = Diploma
    lane = Lane.REPORT
    seconds = EXAM_SECONDS
    remembered = False

    name: str  # the student's name
    date: str  # the date of the last answer


@document
class ChosenMove:
    """The decision of a computer player."""

    move: str | None = about("the move; null: the computer resigns, or found no proof")
    unproved: bool = about("whether it found no proof within its search budget", default=False)


@dataclass(frozen=True, kw_only=True)
class ChooseQuestion(MatchQuestion[ChosenMove]):
    """A request for the move of a computer player that decides quickly."""

    ask = "choose"
    answered_by = ChosenMove
    lane = Lane.QUICK
    seconds = MOVE_SECONDS
    remembered = False


@dataclass(frozen=True, kw_only=True)
class ProveQuestion(MatchQuestion[ChosenMove]):
    """A request for the move of a computer player that may search for long."""

    ask = "prove"
    answered_by = ChosenMove
    lane = Lane.STUDY
    seconds = MOVE_SECONDS
    remembered = False


# Chores: they do not take long, but too long for the process that answers everybody.


@dataclass(frozen=True, kw_only=True)
class QrQuestion(Question[QrCode]):
    """A request for a QR code."""

    ask = "qr"
    answered_by = QrCode
    lane = Lane.QUICK
    seconds = None
    remembered = True

    text: str  # the text to encode


@document
class CardPicture:
    """The preview picture of a match."""

    png: str = about("the picture, 1200 by 630 pixels, as base64")


@dataclass(frozen=True, kw_only=True)
class CardQuestion(MatchQuestion[CardPicture]):
    """A request for the preview picture of a match."""

    ask = "card"
    answered_by = CardPicture
    lane = Lane.STUDY
    seconds = None
    remembered = True


@document
class CheckedLine:
    """A legal line of moves."""

    record: str = about("the record of a match with these moves only")


@dataclass(frozen=True, kw_only=True)
class MovesQuestion(Question[A]):
    """A question about a line of moves, which may be illegal. Its fields are the query parameters."""

    game: str  # the key of the game
    options: dict[str, str]  # its options, as texts
    moves: list[str]  # the moves as typed
    first: PlayerNumber = 1  # the player who begins
    p1: str = DEFAULT_NAMES[0]  # the name of player 1
    p2: str = DEFAULT_NAMES[1]  # the name of player 2


@dataclass(frozen=True, kw_only=True)
class LineQuestion(MovesQuestion[CheckedLine]):
    """A request to check a line of moves."""

    ask = "line"
    answered_by = CheckedLine
    lane = Lane.QUICK
    seconds = None
    remembered = True


@dataclass(frozen=True, kw_only=True)
class PositionQuestion(MovesQuestion[TableDocument]):
    """A request for the position after a line of moves."""

    ask = "position"
    answered_by = TableDocument
    lane = Lane.QUICK
    seconds = None
    remembered = True


@dataclass(frozen=True, kw_only=True)
class ReplayQuestion(MatchQuestion[Replay]):
    """A request for all positions of a round."""

    ask = "replay"
    answered_by = Replay
    lane = Lane.QUICK
    seconds = None
    remembered = True

    round: int  # the index of the round, counted from 0


@document
class ImportedRecord:
    """An imported record as a match that is not stored yet."""

    id: str = about("the public ID")
    kind: str = about("the kind of match")
    head: str = about("the tags, as stored")
    lines: list[str] = about("the lines")
    over: bool = about("whether the match is over")
    seat: str | None = about("the secret of the seat for both players; null if the match is over")


@dataclass(frozen=True, kw_only=True)
class ImportQuestion(Question[ImportedRecord]):
    """A request to import a record."""

    ask = "import"
    answered_by = ImportedRecord
    lane = Lane.QUICK
    seconds = None
    remembered = False

    text: str  # the record as received
    key: str | None  # the secret from which ID and seat are derived


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
    """A question to a search process."""

    type: Literal["question"]  # the kind of message
    id: int  # the number of the question, higher than the last
    seconds: float  # the time limit
    ask: str  # the kind of question
    question: dict[str, Any]  # the fields of the question


@dataclass(frozen=True, kw_only=True)
class CancelMessage:
    """The cancellation of a question."""

    type: Literal["cancel"]  # the kind of message
    id: int  # the number of the question


# ... and those of a worker.


@dataclass(frozen=True, kw_only=True)
class ProgressMessage:
    """The progress of a search."""

    type: Literal["progress"]  # the kind of message
    id: int  # the number of the question
    positions: int  # the number of positions searched so far


@dataclass(frozen=True, kw_only=True)
class AnswerMessage:
    """The answer to a question."""

    type: Literal["answer"]  # the kind of message
    id: int  # the number of the question
    answer: Any  # the document of the answer, as sent to the client; it follows the message
    complete: bool  # whether more time could not improve the answer


@dataclass(frozen=True, kw_only=True)
class ErrorMessage:
    """The failure of a question."""

    type: Literal["error"]  # the kind of message
    id: int  # the number of the question
    error: str  # the name of an error class of Parlour
    message: str  # its message
    fields: dict[str, str | int]  # its attributes that are texts or numbers
