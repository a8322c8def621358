"""What the routes share: who asks, what may be sent, and what answers it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeVar, cast

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, ConfigDict, StringConstraints
from starlette.requests import HTTPConnection

from parlour.schema import share_schemas
from parlour.service.errors import SeatNeeded
from parlour.service.matches import MatchService
from parlour.store import Attempt
from parlour.web.computers import Computers
from parlour.web.hub import Hub
from parlour.web.limits import client_network
from parlour.web.pool import Pool
from parlour.web.refusals import Refusal
from parlour.web.turns import Turns

share_schemas()

T = TypeVar("T")

NDJSON = "application/x-ndjson"
SEAT_OPTIONAL: dict[str, Any] = {"security": [{}]}  # beside the seat: whoever has none watches
REFUSALS: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": Refusal, "description": "refused: `code` says which way, `error` why and what would work"},
    "5XX": {"model": Refusal, "description": "the same, through no fault of the request"},
}
_bearer = HTTPBearer(auto_error=False, description="the secret of your seat", scheme_name="seat")

MoveText = Annotated[str, StringConstraints(max_length=1100)]  # as long as a number that a person types may be
PlayerName = Annotated[str, StringConstraints(max_length=60)]
ShortText = Annotated[str, StringConstraints(max_length=200)]


class RequestBody(BaseModel):
    """What is sent to us. Fields that we do not know are refused: they would be forgotten silently."""

    model_config = ConfigDict(extra="forbid")


class Services:
    """Whatever a route needs of the application, for one request or socket."""

    def __init__(self, connection: HTTPConnection) -> None:
        state = connection.app.state
        self.matches = cast(MatchService, state.matches)
        self.turns = cast(Turns, state.turns)
        self.hub = cast(Hub, state.hub)
        self.pool = cast(Pool, state.pool)
        self.computers = cast(Computers, state.computers)
        self.attempt = cast(Attempt, connection.scope["parlour.attempt"])  # given up when the answer takes too long
        self.address = client_network(connection.client.host) if connection.client else ""  # as for the limits

    async def run(self, do: Callable[[], T]) -> T:
        """What comes of it, done in a thread when it is the turn of whoever asks."""
        return await self.turns.run(self.address, do)


async def services_of(request: Request) -> Services:  # asynchronous, for FastAPI would call anything else in a thread
    return Services(request)


WithServices = Annotated[Services, Depends(services_of)]


async def seat_secret(
    request: Request, credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]
) -> str | None:
    """The secret that goes with a request, None without one; SeatNeeded if it is said to be there and is not.

    Any other kind of authorization is not for us: a proxy may want a password of its own.
    """
    if credentials is not None:
        return credentials.credentials
    if request.headers.get("Authorization", "").lower().split()[:1] == ["bearer"]:
        raise SeatNeeded("no secret follows the word Bearer; send the secret of your seat, or no such header to watch")
    return None


Seat = Annotated[str | None, Depends(seat_secret)]
