"""What is told about a search on the web while it goes on, and how it ends: lines of JSON."""

from __future__ import annotations

from typing import Literal

from parlour.documents.practice import ExamSheet, MistakeList, ShownExercise
from parlour.documents.solution import Solution
from parlour.study.hints import Hint, Reason
from parlour.study.mastery import Diploma
from parlour.study.report import Report
from parlour.writer import about, document

AnswerDocument = Solution | Hint | Reason | Report | MistakeList | ShownExercise | ExamSheet | Diploma


@document
class SearchProgress:
    """The search goes on."""

    type: Literal["progress"] = about("which line this is")
    positions: int | None = about("how many were searched so far; null where there is nothing new to say")
    seconds: float = about("since the question was asked")


@document
class SearchAnswer:
    """The search has come to its end."""

    type: Literal["answer"] = about("which line this is")
    answer: AnswerDocument = about("what was found")


@document
class SearchRefusal:
    """The search has found nothing."""

    type: Literal["error"] = about("which line this is")
    code: str = about("what was wrong, for programs")
    error: str = about("what was wrong and what would work, in one line")
