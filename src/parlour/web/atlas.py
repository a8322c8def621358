"""Routes about the atlas: the maps that come with Parlour, each ready to be sent."""

from __future__ import annotations

from functools import cache

from fastapi import APIRouter, Request, Response

from parlour import catalog
from parlour.lab.atlas import Map, shipped_map
from parlour.web.costs import LOOK, costs
from parlour.web.pages import Prepared, prepare, send
from parlour.web.requests import REFUSALS, WithServices
from parlour.web.wire import write

router = APIRouter(prefix="/api", tags=["atlas"], responses=REFUSALS)


@router.get("/atlas/{game}", response_model=Map)
@costs(LOOK)
async def one_map(request: Request, services: WithServices, game: str) -> Response:
    """The map of a game: its options by the hundred, and what each makes of it."""
    key = catalog.find_key(game)
    return send(request, await services.run(lambda: _map(key)))


@cache
def _map(key: str) -> Prepared:
    return prepare("application/json", write(shipped_map(catalog.find_game(key))))
