"""Routes about practice and mastery: what somebody got wrong, and exams, each with all that answering takes."""

from __future__ import annotations

import datetime
from functools import cache, partial
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response
from pydantic import Field

from parlour import catalog, record
from parlour.documents.practice import ExamSheet, MistakeList, ShownExercise
from parlour.service.errors import NotOnOffer
from parlour.study.mastery import Diploma, ExamList, exam_list, find_exam
from parlour.web.costs import ASK, LOOK, costs
from parlour.web.messages import DiplomaRequest, MistakesQuestion, PracticeRequest, SheetRequest
from parlour.web.pages import Prepared, prepare, send
from parlour.web.questions import WITH_PROGRESS, answer_question
from parlour.web.requests import REFUSALS, MoveText, PlayerName, RequestBody, WithServices
from parlour.web.wire import write

router = APIRouter(prefix="/api", tags=["practice"], responses=REFUSALS)

MOST_ANSWERS = 5000  # right and wrong ones, to one exam

Number = Annotated[int, Path(ge=1, le=100, description="its place among the exams of the game, the shortest first")]


class Answered(RequestBody):
    """What was answered so far, right and wrong, in its order."""

    answers: list[MoveText] = Field(
        default_factory=list, max_length=MOST_ANSWERS, description="by the names that answers are kept by"
    )


class Proved(Answered):
    """All answers to an exam, and whose they are."""

    name: PlayerName = Field(default="", description="for the diploma and the strategy")
    date: datetime.date = Field(description="the day of the last answer")


class Kept(RequestBody):
    """A question that somebody has kept."""

    question: dict[str, Any] = Field(description="as it is kept in a file of progress")


# Your mistakes.


@router.get("/matches/{id}/mistakes", response_model=MistakeList, responses=WITH_PROGRESS)
@costs(ASK)
async def mistakes(request: Request, services: WithServices, id: str) -> Response:
    """The turning points of a match that is over, as questions to practise: those of the people in it."""
    loaded = await services.run(partial(services.matches.load, id))
    if loaded.match.outcome is None:
        raise NotOnOffer("there is something to practise when the game is over")
    question = MistakesQuestion(record=record.write_record(loaded.match))
    return await answer_question(request, services, question)


@router.post("/practice", response_model=ShownExercise)
@costs(ASK)
async def practice(request: Request, services: WithServices, kept: Kept) -> Response:
    """A question of a file of progress, with all that solving it takes."""
    return await answer_question(request, services, PracticeRequest(question=kept.question))


# Exams.


@router.get("/exams", response_model=ExamList)
@costs(LOOK)
async def list_exams(request: Request) -> Response:
    """The exams there are, with how many questions each has."""
    return send(request, all_exams())


@cache
def all_exams() -> Prepared:
    return prepare("application/json", write(exam_list(catalog.list_games())))


@router.get("/exams/{game}/{number}", response_model=ExamSheet, responses=WITH_PROGRESS)
@costs(ASK)
async def begin_exam(request: Request, services: WithServices, game: str, number: Number) -> Response:
    """An exam from its beginning: all its questions, or of a long one as many as fit on a sheet."""
    find_exam(game, number)
    question = SheetRequest(game=catalog.find_key(game), number=number, answers=[])
    return await answer_question(request, services, question)


@router.post("/exams/{game}/{number}/further", response_model=ExamSheet, responses=WITH_PROGRESS)
@costs(ASK)
async def continue_exam(
    request: Request, services: WithServices, game: str, number: Number, answered: Answered
) -> Response:
    """An exam from where these answers lead, for those whose sheet has ended."""
    find_exam(game, number)
    question = SheetRequest(game=catalog.find_key(game), number=number, answers=answered.answers)
    return await answer_question(request, services, question)


@router.post("/exams/{game}/{number}/diploma", response_model=Diploma, responses=WITH_PROGRESS)
@costs(ASK)
async def diploma(request: Request, services: WithServices, game: str, number: Number, proved: Proved) -> Response:
    """What the answers to an exam prove, checked with the solver: the diploma, and the strategy as a file."""
    find_exam(game, number)
    question = DiplomaRequest(
        game=catalog.find_key(game),
        number=number,
        answers=proved.answers,
        name=proved.name or "You",
        date=proved.date.isoformat(),
    )
    return await answer_question(request, services, question)
