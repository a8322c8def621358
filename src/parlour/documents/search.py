"""What is told about a search on the web while it goes on, and how it ends: lines of JSON."""

from __future__ import annotations

from typing import Literal

from parlour.documents.practice import ExamSheet, MistakeList, ShownExercise
from parlour.documents.solution import Solution
from parlour.fields import about, document
from parlour.study.hints import Hint, Reason
from parlour.study.mastery import Diploma
from parlour.study.report import Report

AnswerDocument = Solution | Hint | Reason | Report | MistakeList | ShownExercise | ExamSheet | Diploma


@document
class SearchProgress:
    """The progress of a search."""

    type: Literal["progress"] = about("the kind of line")
    positions: int | None = about("the number of positions searched so far; null if unchanged")
    seconds: float = about("the time since the request")


@document
class SearchAnswer:
    """The result of a search."""

    type: Literal["answer"] = about("the kind of line")
    answer: AnswerDocument = about("the document of the answer")


@document
class SearchRefusal:
    """The failure of a search."""

    type: Literal["error"] = about("the kind of line")
    code: str = about("the error code")
    error: str = about("the problem and a suggestion, in one line")
