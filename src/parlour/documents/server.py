"""Results of a server besides games and matches: its health, QR codes and the progress of a search."""

from __future__ import annotations

from typing import Literal

from parlour.documents.practice import ExamSheet, MistakeList, ShownExercise
from parlour.documents.solution import Solution
from parlour.fields import about, document
from parlour.study.hints import Hint, Reason
from parlour.study.mastery import Diploma
from parlour.study.report import Report


@document
class Health:
    """The health of the server."""

    ok: bool = about("always true")
    version: str = about("the version of Parlour")
    format: int = about("the version of all JSON documents")
    expiry: str = about("the lifetimes of matches, as text")


@document
class QrCode:
    """A QR code as one SVG path over unit modules, without its quiet zone."""

    size: int = about("the width and height in modules")
    path: str = about("the SVG path of the dark modules")


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
