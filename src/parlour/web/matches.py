"""Routes about matches: make them, sit down, play, and take the record home."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Literal, cast

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import PlainTextResponse
from pydantic import Field

from parlour import record
from parlour.documents.match import NewMatch, OfferKind, State
from parlour.documents.table import Replay
from parlour.service.commands import DealNextRound, Delete, MatchCommand, Play, Rename, Resign, TakeBack
from parlour.service.errors import NotOnOffer, StaleMove
from parlour.service.loaded import LoadedMatch
from parlour.service.new_matches import (
    MatchRequest,
    SeatedMatch,
    match_on_one_device,
    match_with_computer,
    match_with_friend,
    seated_import,
)
from parlour.service.offers import Answer, AnswerOffer, MakeOffer, Rematch
from parlour.study.report import Report
from parlour.view import PlayerNumber
from parlour.web.costs import ACT, ASK, CREATE, IMPORT, LOOK, costs
from parlour.web.messages import ImportQuestion, ReplayQuestion, ReportQuestion
from parlour.web.questions import WITH_PROGRESS, answer_question
from parlour.web.refusals import refuse
from parlour.web.requests import (
    REFUSALS,
    SEAT_OPTIONAL,
    MoveText,
    PlayerName,
    RequestBody,
    Seat,
    Services,
    ShortText,
    WithServices,
)
from parlour.web.states import state_document
from parlour.web.wire import respond

router = APIRouter(prefix="/api", tags=["matches"], responses=REFUSALS)


Key = Annotated[
    str | None,
    Field(
        min_length=22,
        max_length=64,
        pattern="^[A-Za-z0-9_-]+$",
        description="a secret of your own making, so that this can be sent twice: the match is made once",
    ),
]
Ply = Annotated[int, Field(strict=True, ge=0, le=1_000_000, description="the ply of the state that this answers")]
Seq = Annotated[int | None, Field(strict=True, ge=0, description="the seq of the state that this answers")]
PlayerInRequest = Annotated[int, Field(strict=True, ge=1, le=2)]


OwnSecret = Annotated[str, Field(min_length=22, max_length=64, pattern="^[A-Za-z0-9_-]+$")]


class Challenge(RequestBody):
    """What is to be played."""

    game: ShortText
    options: dict[ShortText, ShortText] = Field(default_factory=dict, max_length=20)
    moves: list[MoveText] = Field(default_factory=list, max_length=300, description="already played")
    key: Key = None

    def request(self) -> MatchRequest:
        options = {name: text for name, text in self.options.items() if text}
        return MatchRequest(self.game, options, tuple(self.moves), self.key)


class OpenChallenge(Challenge):
    """A match with whoever opens the invitation."""

    name: PlayerName = ""
    first: Literal["me", "you", "toss"] = "toss"


class ComputerChallenge(OpenChallenge):
    """A match with a computer."""

    level: ShortText = "level:2"


class LocalChallenge(Challenge):
    """A match between two people on one device."""

    names: tuple[PlayerName, PlayerName] = ("", "")
    first: Literal["1", "2", "toss"] = "toss"


class Imported(RequestBody):
    """A record."""

    record: Annotated[str, Field(max_length=100_000)]
    key: Key = None


class Joining(RequestBody):
    """An invitation that is taken."""

    invite: ShortText
    name: PlayerName = ""
    seat: OwnSecret | None = Field(
        default=None, description="a secret of your own making, so that joining can be sent twice"
    )


class Renewing(RequestBody):
    """A new secret for a seat."""

    seat: OwnSecret = Field(description="a secret of your own making, so that this can be sent twice")


class Moving(RequestBody):
    """A move."""

    move: MoveText
    ply: Ply


class Answering(RequestBody):
    """Something done in answer to a state."""

    ply: Ply


class Offering(Answering):
    """Something asked of the other player, or the answer to that."""

    kind: OfferKind
    seq: Seq = None


class Resigning(RequestBody):
    """A resignation; ``player`` says whose, where two people share a device."""

    player: PlayerInRequest | None = None


class Naming(RequestBody):
    """A new name."""

    name: PlayerName
    player: PlayerInRequest | None = None
    seq: Seq = None


async def _state(services: Services, id: str, seat: str | None, command: MatchCommand | None = None) -> Response:
    """Do something to a match, and tell the state it has led to. It is written out in the thread that did it.

    What came too late is refused together with the state, so that a page can say why and go on from there.
    """

    def act() -> tuple[LoadedMatch, Response]:
        try:
            loaded = (
                services.matches.apply(id, seat, command, services.attempt)
                if command
                else services.matches.load(id, seat)
            )
        except StaleMove as error:
            loaded = services.matches.load(id, seat)
            return loaded, refuse(error, state_document(services.matches, loaded))
        return loaded, respond(state_document(services.matches, loaded))

    loaded, response = await services.run(act)
    services.computers.move_if_due(loaded, services.address)
    return response


async def _new_match(services: Services, make: Callable[[], SeatedMatch], status: int = 201) -> Response:
    """Make a match or join one, and tell its state and the secrets that go with it."""

    def act() -> tuple[LoadedMatch, Response]:
        made = make()
        state = state_document(services.matches, made.loaded)
        new = NewMatch(id=made.loaded.id, seat=made.seat, invite=made.invitation, state=state)
        return made.loaded, respond(new, status)

    loaded, response = await services.run(act)
    services.computers.move_if_due(loaded, services.address)
    return response


@router.post("/challenge/open", status_code=201, response_model=NewMatch)
@costs(CREATE)
async def invite(services: WithServices, challenge: OpenChallenge) -> Response:
    """Begin a match with a friend: the answer holds your seat and the invitation to send."""

    def make() -> SeatedMatch:
        made = match_with_friend(challenge.request(), challenge.name or None, challenge.first)
        return services.matches.add(made, services.attempt)

    return await _new_match(services, make)


@router.post("/challenge/computer", status_code=201, response_model=NewMatch)
@costs(CREATE)
async def against_computer(services: WithServices, challenge: ComputerChallenge) -> Response:
    """Begin a match with a computer."""

    def make() -> SeatedMatch:
        made = match_with_computer(challenge.request(), challenge.name or None, challenge.level, challenge.first)
        return services.matches.add(made, services.attempt)

    return await _new_match(services, make)


@router.post("/challenge/local", status_code=201, response_model=NewMatch)
@costs(CREATE)
async def on_one_device(services: WithServices, challenge: LocalChallenge) -> Response:
    """Begin a match between two people on one device; one secret has both seats."""
    names = (challenge.names[0] or None, challenge.names[1] or None)

    def make() -> SeatedMatch:
        made = match_on_one_device(challenge.request(), names, challenge.first)
        return services.matches.add(made, services.attempt)

    return await _new_match(services, make)


@router.post("/import", status_code=201, response_model=NewMatch)
@costs(IMPORT)
async def from_record(services: WithServices, imported: Imported) -> Response:
    """Put the match of a record on the table: to be studied, or played on if it is not over."""
    question = ImportQuestion(text=imported.record, key=imported.key)
    found = await services.pool.ask(question, owner=services.address)

    def make() -> SeatedMatch:
        made = seated_import(found.id, found.kind, found.head, tuple(found.lines), found.over, found.seat)
        return services.matches.add(made, services.attempt)

    return await _new_match(services, make)


@router.post("/matches/{id}/join", response_model=NewMatch)
@costs(ACT)
async def join(services: WithServices, id: str, joining: Joining) -> Response:
    """Take the seat that an invitation is for. The first one has it."""

    def make() -> SeatedMatch:
        return services.matches.join(id, joining.invite, joining.name or None, joining.seat, services.attempt)

    return await _new_match(services, make, 200)


@router.get("/matches/{id}", response_model=State, openapi_extra=SEAT_OPTIONAL)
@costs(LOOK)
async def state(services: WithServices, seat: Seat, id: str) -> Response:
    """A match as it stands."""
    return await _state(services, id, seat)


@router.post("/matches/{id}/move", response_model=State)
@costs(ACT)
async def move(services: WithServices, seat: Seat, id: str, moving: Moving) -> Response:
    """Play a move. The same move sent twice is played once; one that comes too late is told where the match stands."""
    return await _state(services, id, seat, Play(moving.move, moving.ply))


@router.post("/matches/{id}/undo", response_model=State)
@costs(ACT)
async def undo(services: WithServices, seat: Seat, id: str, answering: Answering) -> Response:
    """Take back your last move, and what was answered: against a computer or on one device."""
    return await _state(services, id, seat, TakeBack(answering.ply))


@router.post("/matches/{id}/next", response_model=State)
@costs(ACT)
async def next_round(services: WithServices, seat: Seat, id: str, answering: Answering) -> Response:
    """Deal the next round."""
    return await _state(services, id, seat, DealNextRound(answering.ply))


@router.post("/matches/{id}/offer", response_model=State)
@costs(ACT)
async def offer(services: WithServices, seat: Seat, id: str, offering: Offering) -> Response:
    """Ask your friend for a take-back, the next round, a rematch, or to delete the match. One offer at a time."""
    return await _state(services, id, seat, MakeOffer(offering.kind, offering.ply, offering.seq))


@router.post("/matches/{id}/offer/{answer}", response_model=State)
@costs(ACT)
async def answer_offer(services: WithServices, seat: Seat, id: str, answer: Answer, offered: Offering) -> Response:
    """Accept, decline or withdraw an offer, which has to be named."""
    return await _state(services, id, seat, AnswerOffer(offered.kind, answer, offered.ply, offered.seq))


@router.post("/matches/{id}/rematch", response_model=State)
@costs(CREATE)
async def rematch(services: WithServices, seat: Seat, id: str) -> Response:
    """The same again with the seats swapped, against a computer or on one device; `rematch` is the new match."""
    return await _state(services, id, seat, Rematch())


@router.post("/matches/{id}/resign", response_model=State)
@costs(ACT)
async def resign(services: WithServices, seat: Seat, id: str, resigning: Resigning) -> Response:
    """Give the match up."""
    return await _state(services, id, seat, Resign(cast(PlayerNumber | None, resigning.player)))


@router.post("/matches/{id}/name", response_model=State)
@costs(ACT)
async def rename(services: WithServices, seat: Seat, id: str, naming: Naming) -> Response:
    """Go by another name."""
    return await _state(services, id, seat, Rename(naming.name, cast(PlayerNumber | None, naming.player), naming.seq))


@router.post("/matches/{id}/seat", response_model=NewMatch)
@costs(ACT)
async def renew_seat(services: WithServices, seat: Seat, id: str, renewing: Renewing) -> Response:
    """Have a new secret for your seat. The old one fits none from then on, and whoever listens with it is sent away."""

    def make() -> SeatedMatch:
        return services.matches.renew_seat(id, seat, renewing.seat, services.attempt)

    return await _new_match(services, make, 200)


@router.post("/matches/{id}/delete", response_model=State)
@costs(ACT)
async def delete(services: WithServices, seat: Seat, id: str) -> Response:
    """Delete the match, where nobody is to be asked: alone with a computer, on one device, or before anybody came."""
    return await _state(services, id, seat, Delete())


@router.get(
    "/matches/{id}/record",
    response_class=Response,  # not PlainTextResponse: refusals would be said to be that as well
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
@costs(LOOK)
async def export(services: WithServices, id: str) -> Response:
    """The record, which `parlour import` and POST /api/import read."""
    loaded = await services.run(partial(services.matches.load, id))
    name = f"{loaded.match.game.key}-{loaded.id}.parlour"
    return PlainTextResponse(loaded.public_record(), headers={"Content-Disposition": f'attachment; filename="{name}"'})


@router.get("/matches/{id}/replay", response_model=Replay)
@costs(ASK)
async def replay(
    request: Request, services: WithServices, id: str, round: Annotated[int, Query(ge=1, le=1000)] = 1
) -> Response:
    """A round, position by position."""
    loaded = await services.run(partial(services.matches.load, id))
    question = ReplayQuestion(record=record.write_record(loaded.match), round=round - 1)
    return await answer_question(request, services, question)


@router.get(
    "/matches/{id}/report",
    response_model=Report,
    responses=WITH_PROGRESS,
)
@costs(ASK)
async def report(request: Request, services: WithServices, id: str) -> Response:
    """Where a match turned: every decision graded by what it was exactly worth."""
    loaded = await services.run(partial(services.matches.load, id))
    if loaded.between_friends and loaded.match.outcome is None:
        raise NotOnOffer("the report is made when the game is over")
    question = ReportQuestion(record=record.write_record(loaded.match))
    return await answer_question(request, services, question)
