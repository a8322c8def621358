"""Routes about the games themselves: what there is, any position of them, and what it is worth."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import Field

from parlour import catalog, record
from parlour.documents.games import GameList, RulesDocument, card_document, level_documents, rules_document
from parlour.documents.server import Health, QrCode
from parlour.documents.solution import Solution
from parlour.documents.table import TableDocument
from parlour.errors import BadOptions, BadPosition, ParlourError
from parlour.names import DEFAULT_NAMES
from parlour.service.capacity import MAX_ACTIONS
from parlour.service.matches import lifetimes_in_words
from parlour.study.hints import Hint, Reason
from parlour.text import clip
from parlour.version import __version__
from parlour.web import chores
from parlour.web.compression import encode
from parlour.web.costs import ASK, LOOK, costs
from parlour.web.messages import (
    CheckedLine,
    HintQuestion,
    LineQuestion,
    PositionQuestion,
    QrQuestion,
    SolveQuestion,
    WhyQuestion,
)
from parlour.web.pages import Prepared, prepare, send
from parlour.web.questions import WITH_PROGRESS, answer_question
from parlour.web.requests import REFUSALS, MoveText, PlayerName, RequestBody, WithServices
from parlour.web.wire import respond, respond_encoded, write
from parlour.writer import VERSION

router = APIRouter(prefix="/api", tags=["games"], responses=REFUSALS)

SHORT_LINE = 60  # moves that take no longer to play than to hand over to a worker process
MOST_QR_BYTES = 300  # an invitation has a third of that, and the larger a code the longer it takes
# Every option of the game is a parameter of its own, which OpenAPI calls an exploded object.
OPTIONS: dict[str, Any] = {
    "parameters": [
        {
            "name": "options",
            "in": "query",
            "style": "form",
            "explode": True,
            "description": "the options of the game, each by its name; those left out are the game's own",
            "schema": {
                "type": "object",
                "propertyNames": {"maxLength": 20},
                "additionalProperties": {"type": "string", "maxLength": 100},
                "maxProperties": 10,
            },
        }
    ]
}
Moves = Annotated[
    str,
    Query(
        max_length=10_000,  # an address is not read at all beyond 64 KB
        json_schema_extra={"pattern": "^[ -~]*$"},  # anything else names no move, which is what is said then
        description='what was played, joined by dots: "5.7.8"; or "start"',
    ),
]
Named = Annotated[PlayerName | None, Query()]
First = Annotated[int, Query(ge=1, le=2, description="who began")]


@router.get("/health", response_model=Health)
@costs(LOOK)
async def health(services: WithServices) -> Response:
    """Whether the server is up."""
    expiry = lifetimes_in_words(services.matches.lifetimes)
    return respond(Health(ok=True, version=__version__, format=VERSION, expiry=expiry))


@router.get("/games", response_model=GameList)
@costs(LOOK)
async def list_games(request: Request) -> Response:
    """The games, with everything that a form or a small board needs; and the computers to play against."""
    return send(request, all_games())


@cache
def all_games() -> Prepared:
    """It is the same for everybody, and the page asks for it first."""
    games = [card_document(catalog.find_game(key)) for key in catalog.keys()]
    return prepare("application/json", write(GameList(games=games, levels=level_documents())))


@router.get("/games/{game}", response_model=RulesDocument)
@costs(LOOK)
async def one_game(request: Request, game: str) -> Response:
    """One game with its rules."""
    return send(request, game_rules(catalog.find_key(game)))


@cache
def game_rules(key: str) -> Prepared:
    return prepare("application/json", write(rules_document(catalog.find_game(key))))


async def line_of(
    request: Request, game: str, moves: Moves = "", first: First = 1, p1: Named = None, p2: Named = None
) -> LineQuestion:
    """The round that somebody asks about: a game, its options, the moves that lead there; none of it is checked."""
    own = {"moves", "first", "p1", "p2", "move", "rung", "position"}
    given: dict[str, str] = {}
    for name, text in request.query_params.multi_items():
        if name in given:
            raise BadOptions(f"{clip(name)!r} is given twice")
        given[name] = text
    words = [] if moves in ("", "start") else moves.split(".")
    if len(words) > MAX_ACTIONS:
        raise BadOptions(f"at most {MAX_ACTIONS:,} moves")
    return LineQuestion(
        game=game,
        options={name: text for name, text in given.items() if name not in own and text},
        moves=words,
        first=2 if first == 2 else 1,
        p1=p1 or DEFAULT_NAMES[0],
        p2=p2 or DEFAULT_NAMES[1],
    )


def shipped_lines() -> Iterator[LineQuestion]:
    """The beginning of every game under its usual options and those it offers, as somebody asks about it first."""
    for key in catalog.keys():
        offered = (variant.options for variant in catalog.find_game(key).content.variants)
        for options in ({}, *offered):
            yield LineQuestion(game=key, options=options, moves=[])


async def check_line(services: WithServices, line: Annotated[LineQuestion, Depends(line_of)]) -> CheckedLine:
    """The same, checked: here if that is soon done, and by a worker process if the line is long."""
    if len(line.moves) <= SHORT_LINE:
        return await services.run(partial(chores.check_line, line))
    return await services.pool.ask(line, owner=services.address)


Line = Annotated[CheckedLine, Depends(check_line)]


@router.get("/games/{game}/position", response_model=TableDocument, openapi_extra=OPTIONS)
@costs(LOOK)
async def position(
    request: Request, services: WithServices, line: Annotated[LineQuestion, Depends(line_of)]
) -> Response:
    """The table after some moves."""
    question = PositionQuestion(**vars(line))
    if len(line.moves) <= SHORT_LINE:
        answer = await services.run(lambda: encode(write(chores.position(question))))
    else:
        answer = await services.pool.ask_json(question, owner=services.address)
    return respond_encoded(request, answer)


@router.get("/games/{game}/solve", response_model=Solution, responses=WITH_PROGRESS, openapi_extra=OPTIONS)
@costs(ASK)
async def solve(
    request: Request,
    services: WithServices,
    line: Line,
    position: Annotated[str | None, Query(max_length=400, description="a solver's token, instead of moves")] = None,
) -> Response:
    """What a position is exactly worth, and every move in it."""
    if position is not None:
        if request.query_params.get("moves"):
            raise BadPosition("give either moves or a position")
        await services.run(lambda: record.read_record(line.record).rules.read_position(position))
    return await answer_question(request, services, SolveQuestion(record=line.record, position=position))


@router.get("/games/{game}/hint", response_model=Hint, responses=WITH_PROGRESS, openapi_extra=OPTIONS)
@costs(ASK)
async def hint(
    request: Request,
    services: WithServices,
    line: Line,
    rung: Annotated[int, Query(ge=1, le=4, description="how much you want to be told")] = 1,
) -> Response:
    """A hint, as little or as much of it as you like."""
    return await answer_question(request, services, HintQuestion(record=line.record, rung=rung))


@router.get("/games/{game}/why", response_model=Reason, responses=WITH_PROGRESS, openapi_extra=OPTIONS)
@costs(ASK)
async def why(request: Request, services: WithServices, line: Line, move: Annotated[MoveText, Query()]) -> Response:
    """What one move is worth, and the play that shows it."""
    return await answer_question(request, services, WhyQuestion(record=line.record, move=move))


class Written(RequestBody):
    """A text to be made a QR code of."""

    text: Annotated[str, Field(min_length=1, max_length=MOST_QR_BYTES)]


@router.post("/qr", tags=["matches"], response_model=QrCode)
@costs(ASK)
async def qr(request: Request, services: WithServices, written: Written) -> Response:
    """A QR code. The text comes in the body, so that an invitation stands in no log."""
    if (size := len(written.text.encode())) > MOST_QR_BYTES:
        raise ParlourError(f"a QR code holds at most {MOST_QR_BYTES} bytes here, and this text has {size} in UTF-8")
    return await answer_question(request, services, QrQuestion(text=written.text))
