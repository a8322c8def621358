"""Routes about puzzles: each comes with its whole answer, so that nothing has to be solved for it."""

from __future__ import annotations

from datetime import timedelta
from functools import lru_cache, partial
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from parlour import catalog
from parlour.documents.puzzles import ShownPuzzle, show_puzzle
from parlour.study.archive import FIRST_DAY, DailyList, PuzzleList, daily_list, newest_day, read_day
from parlour.study.archive_file import archive
from parlour.web.costs import LOOK, costs
from parlour.web.pages import Prepared, prepare, send
from parlour.web.requests import REFUSALS, WithServices
from parlour.web.wire import respond
from parlour.writer import write_json

router = APIRouter(prefix="/api", tags=["puzzles"], responses=REFUSALS)

MOST_LISTED = 100


@router.get("/puzzles", response_model=PuzzleList)
@costs(LOOK)
async def list_puzzles(
    services: WithServices,
    game: Annotated[str | None, Query(max_length=60, description="only of this game")] = None,
    grade: Annotated[int | None, Query(ge=1, le=5, description="only of this grade")] = None,
    begin: Annotated[int, Query(ge=0, le=100_000, description="how many to pass over")] = 0,
    most: Annotated[int, Query(ge=1, le=MOST_LISTED)] = MOST_LISTED,
) -> Response:
    """The puzzles there are, in the order of their numbers."""
    key = None if game is None else catalog.find_key(game)
    found = (await services.run(archive)).select(key, grade)
    return respond(PuzzleList(count=len(found), puzzles=found[begin : begin + most]))


@router.get("/puzzles/{id}", response_model=ShownPuzzle)
@costs(LOOK)
async def one_puzzle(request: Request, services: WithServices, id: str) -> Response:
    """One puzzle, by its id or its number, with its whole answer."""
    return send(request, await services.run(partial(_puzzle, id)))


@router.get("/daily", response_model=DailyList)
@costs(LOOK)
async def list_days(
    services: WithServices,
    before: Annotated[str | None, Query(max_length=20, description="only those before this date or number")] = None,
    most: Annotated[int, Query(ge=1, le=MOST_LISTED)] = 31,
) -> Response:
    """The daily puzzles so far, the newest first. A date that has begun anywhere on Earth is no longer the future."""
    newest = newest_day()
    last = newest if before is None else read_day(before) - timedelta(days=1)
    days = [last - timedelta(days=n) for n in range(most)]
    held = await services.run(archive)
    return respond(daily_list(held, newest, [day for day in days if day >= FIRST_DAY]))


@router.get("/daily/{day}", response_model=ShownPuzzle)
@costs(LOOK)
async def daily(request: Request, services: WithServices, day: str) -> Response:
    """The puzzle of a day, by its date or its number."""
    return send(request, await services.run(partial(_daily, read_day(day).isoformat())))


@lru_cache(maxsize=256)
def _puzzle(id: str) -> Prepared:
    return prepare("application/json", write_json(show_puzzle(archive().find(id)), compact=True).encode())


@lru_cache(maxsize=64)
def _daily(day: str) -> Prepared:
    date = read_day(day)
    return prepare("application/json", write_json(show_puzzle(archive().daily(date), date), compact=True).encode())
