"""What the server asks its worker processes, and the messages in which they talk about it.

These stay inside one server, whose processes have all the same version: they are no part of what ``VERSION`` promises.
"""

from __future__ import annotations

from typing import Any, ClassVar, Generic, Literal, TypeVar

from parlour.documents import about, document
from parlour.documents.report import ReportDocument
from parlour.documents.solution import HintDocument, ReasonDocument, Solution

A = TypeVar("A")


@document
class Question(Generic[A]):
    """Something that may take its time to answer; ``A`` is the document that does."""

    ask: ClassVar[str]  # the word for this kind of question
    answered_by: ClassVar[type[Any]]  # A, for those who read the answer

    record: str = about("the record of the match that it is about")


@document
class SolveQuestion(Question[Solution]):
    """What is the position worth, and every move in it?"""

    ask = "solve"
    answered_by = Solution

    position: str | None = about("the name of another position under the same options", default=None)


@document
class HintQuestion(Question[HintDocument]):
    """What is a player to be told who asks for a hint?"""

    ask = "hint"
    answered_by = HintDocument

    rung: int = about("how much is to be told")


@document
class WhyQuestion(Question[ReasonDocument]):
    """What is a move worth, and which play shows it?"""

    ask = "why"
    answered_by = ReasonDocument

    move: str = about("the move, as somebody typed it")


@document
class ReportQuestion(Question[ReportDocument]):
    """Where did the match turn?"""

    ask = "report"
    answered_by = ReportDocument


@document
class ChosenMove:
    """What a computer does in its turn."""

    move: str | None = about("the move it plays; null: it resigns")


@document
class ChooseQuestion(Question[ChosenMove]):
    """What does the computer play that is to move? One that chooses quickly."""

    ask = "choose"
    answered_by = ChosenMove


@document
class ProveQuestion(Question[ChosenMove]):
    """The same of one that may have to search for long."""

    ask = "prove"
    answered_by = ChosenMove


QUESTIONS: dict[str, type[Question[Any]]] = {
    kind.ask: kind for kind in (SolveQuestion, HintQuestion, WhyQuestion, ReportQuestion, ChooseQuestion, ProveQuestion)
}


# The messages. Those of the server ...


@document
class QuestionMessage:
    """A question is asked."""

    type: Literal["question"] = about("which message this is")
    id: int = about("of the question: each is higher than the last")
    seconds: float = about("what the answer may take")
    ask: str = about("which kind of question it is")
    question: dict[str, Any] = about("its fields")


@document
class CancelMessage:
    """Nobody wants to know any more."""

    type: Literal["cancel"] = about("which message this is")
    id: int = about("of the question")


# ... and those of a worker.


@document
class ProgressMessage:
    """The search goes on."""

    type: Literal["progress"] = about("which message this is")
    id: int = about("of the question")
    positions: int = about("how many were searched so far")


@document
class AnswerMessage:
    """The answer."""

    type: Literal["answer"] = about("which message this is")
    id: int = about("of the question")
    answer: Any = about("a document of the kind that answers the question")
    complete: bool = about("with more time there would be no more to tell")


@document
class ErrorMessage:
    """There is no answer."""

    type: Literal["error"] = about("which message this is")
    id: int = about("of the question")
    error: str = about("the name of a class in ``errors``")
    arguments: list[str] = about("what it is made of")
