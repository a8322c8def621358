"""Routes for those who listen to a match: programs read a stream of lines, pages have a socket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from fastapi.responses import StreamingResponse

from parlour.documents.match import Ping
from parlour.service.errors import NoSuchMatch, SeatWrong
from parlour.store.errors import BadDatabase, Busy, DamagedMatch
from parlour.web.costs import LISTEN, costs
from parlour.web.hub import Listener, StateEvent
from parlour.web.requests import NDJSON, REFUSALS, SEAT_OPTIONAL, Seat, Services, WithServices
from parlour.web.wire import write

router = APIRouter(prefix="/api", tags=["matches"], responses=REFUSALS)

HELLO_SECONDS = 10.0  # that a page has to say who it is
NO_MATCH, NO_SEAT, DAMAGED = 4404, 4403, 4500  # codes with which a socket is closed
PING = write(Ping(type="ping")).decode()


@router.get(
    "/matches/{id}/stream",
    response_class=StreamingResponse,
    responses={200: {"content": {NDJSON: {"schema": {"type": "string", "description": "one event a line"}}}}},
    openapi_extra=SEAT_OPTIONAL,
)
@costs(LISTEN)
async def stream(services: WithServices, seat: Seat, id: str) -> StreamingResponse:
    """The match as a stream of events, each with its number and the whole state; it ends with the match."""
    loaded = await services.hub.load(services.address, id, seat)
    services.hub.check_room()

    async def lines() -> AsyncIterator[str]:
        listener = Listener(loaded.seats, loaded.stored.seat_hashes)
        first = True
        try:
            services.hub.add(id, listener)
            async for event in listener.events():
                if event is None:
                    yield "\n"
                    continue
                services.computers.move_if_due(event.loaded, services.address)
                yield f"{event.message('full' if first else 'state')}\n"
                first = False
                if event.loaded.status == "over":
                    return
        finally:
            services.hub.remove(id, listener)

    return StreamingResponse(lines(), media_type=NDJSON)


@router.websocket("/matches/{id}/socket")
@costs(LISTEN)
async def socket(websocket: WebSocket, id: str) -> None:
    """The same for a page, which says first whose seat it has; what players do goes by POST."""
    services = Services(websocket)
    try:
        await websocket.accept()
        async with asyncio.timeout(HELLO_SECONDS):
            seat = _seat_in(await websocket.receive_text())
        loaded = await services.hub.load(services.address, id, seat)
        services.hub.check_room()
    except WebSocketDisconnect:
        return
    except (ValueError, KeyError, TimeoutError, RecursionError) as error:  # the last: deeply nested brackets
        with suppress(WebSocketDisconnect):  # the page may have left while the match was loaded
            await websocket.close(_close_code(error))
        return
    listener = Listener(loaded.seats, loaded.stored.seat_hashes)
    leaving = asyncio.create_task(_until_it_leaves(websocket))
    sending = asyncio.create_task(_send(websocket, services, listener.events()))
    try:
        services.hub.add(id, listener)
        await asyncio.wait([leaving, sending], return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (leaving, sending):
            task.cancel()
        await asyncio.gather(leaving, sending, return_exceptions=True)
        services.hub.remove(id, listener)


def _close_code(error: Exception) -> int:
    """Return the code that tells a page why it can't listen; 1008 for a first message that makes no sense."""
    match error:
        case Busy() | BadDatabase():
            return 1013
        case NoSuchMatch():
            return NO_MATCH
        case SeatWrong():
            return NO_SEAT
        case DamagedMatch():
            return DAMAGED
    return 1008


def _seat_in(hello: str) -> str | None:
    """Whose seat a page has, by its first message; ValueError if that is none."""
    match json.loads(hello):
        case {"seat": str() | None as seat}:
            return seat
    raise ValueError("the first message is to be an object with a seat, or null for one")


async def _until_it_leaves(websocket: WebSocket) -> None:
    while (await websocket.receive())["type"] != "websocket.disconnect":
        pass


async def _send(websocket: WebSocket, services: Services, events: AsyncIterator[StateEvent | None]) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        async for event in events:
            if event is None:
                await websocket.send_text(PING)
            else:
                services.computers.move_if_due(event.loaded, services.address)
                await websocket.send_text(event.message("state"))
        await websocket.close(1012)
