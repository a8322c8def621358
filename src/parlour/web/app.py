"""The web application: everything put together."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cache

from fastapi import FastAPI, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from parlour.errors import ParlourError
from parlour.service.matches import MAX_MATCHES, MatchService
from parlour.store import Lifetimes, Store
from parlour.store.errors import BadDatabase
from parlour.version import __version__
from parlour.web import (
    atlas,
    chores,
    games,
    matches,
    offline,
    operations,
    pages,
    practice,
    previews,
    puzzles,
    streams,
)
from parlour.web.computers import Computers
from parlour.web.costs import LOOK, Budgets, Rates, cost_of, costs
from parlour.web.hub import Hub
from parlour.web.limits import RequestLimits
from parlour.web.logs import log_request
from parlour.web.messages import SolveQuestion
from parlour.web.metrics import RequestMetrics
from parlour.web.observing import ObservedRequests
from parlour.web.pages import FILES, Prepared, prepare, send
from parlour.web.pool import Pool
from parlour.web.refusals import handle_refusals
from parlour.web.turns import Turns

ROUTERS = (
    pages.router,  # first: a route is found by trying one after the other, and most requests are for files
    games.router,
    matches.router,
    puzzles.router,
    practice.router,
    atlas.router,
    streams.router,
    operations.router,
    previews.router,
    offline.router,
)
SECONDS_BETWEEN_SWEEPS = 3600.0  # in which matches that have expired are removed
SECONDS_OF_QUIET = 0.05  # between two looks whether somebody waits
SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

FILE_POLICY = "default-src 'none'"  # of what is no page: as strict as can be, and short, for there are many of them


@dataclass(frozen=True)
class ServerSettings:
    """What can be chosen about a server."""

    rates: Rates | None = field(default_factory=Rates)
    lifetimes: Lifetimes = field(default_factory=Lifetimes)
    most_matches: int = MAX_MATCHES  # limit for all owners together
    workers: int = 3  # processes that search: one for moves, one for study, one that takes reports as well
    seconds: float = 10.0  # that one question may take
    most_open: int | None = None  # requests, streams and pages at the same time
    warm: bool = False  # the first answers about every game are made ready before anybody asks
    metrics: bool = False  # numbers for Prometheus, at /metrics
    log_requests: bool = False  # each as it ends
    offline: bool = True  # browsers keep the page, so that it opens without the server; False: they forget it


def make_app(store: Store, settings: ServerSettings | None = None) -> FastAPI:
    """The application over an open store, which it closes when it stops."""
    settings = settings or ServerSettings()
    budgets = Budgets(settings.rates)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        service = MatchService(store, settings.lifetimes, settings.most_matches)
        turns = Turns(budgets.charge)
        hub = Hub(service, turns)
        pool = Pool(settings.workers, seconds=settings.seconds)
        computers = Computers(service, pool, turns)
        app.state.matches, app.state.turns, app.state.hub, app.state.pool = service, turns, hub, pool
        app.state.computers = computers
        app.state.readiness = readiness = operations.Readiness(store)

        async def close_doors() -> None:
            """End whatever would go on for longer than anybody wants to wait."""
            await asyncio.gather(hub.close(), computers.close(), pool.close(), readiness.close())

        app.state.close_doors = close_doors
        hub.start()
        background = [asyncio.create_task(_sweep(service))]
        if settings.warm:
            background.append(asyncio.create_task(_warm_up(pool)))
        try:
            yield
        finally:
            for task in background:
                task.cancel()
            await asyncio.gather(*background, close_doors(), return_exceptions=True)
            turns.close()
            await asyncio.to_thread(store.close)  # all threads of the turns may be waiting for the database

    app = FastAPI(
        title="Parlour",
        version=__version__,
        summary="Two-player number games: play them, watch them, and ask what is exactly so.",
        lifespan=lifespan,
        openapi_url=None,  # it would write its answer anew each time
        docs_url=None,  # those pages load from other hosts
        redoc_url=None,
        redirect_slashes=False,
    )
    # Not by include_router, which builds all routes again for each application: that takes more than a second.
    app.router.routes.extend(route for router in ROUTERS for route in router.routes)
    add_description(app)
    handle_refusals(app)
    app.state.budgets, app.state.offline = budgets, settings.offline
    routes = all_routes(app)
    app.add_middleware(
        RequestLimits, budgets=budgets, cost=lambda scope: cost_of(routes, scope), most_open=settings.most_open
    )
    app.middleware_stack = SecurityHeaders(app.build_middleware_stack())  # outside of what answers for our own mistakes
    app.state.metrics = RequestMetrics() if settings.metrics else None
    observers = [app.state.metrics.count] if settings.metrics else []
    observers += [log_request] if settings.log_requests else []
    if observers:
        app.middleware_stack = ObservedRequests(app.middleware_stack, observers)
    return app


async def _warm_up(pool: Pool) -> None:
    """Let the workers find the answers that are asked for first: about each beginning, and after each first move.

    Kernels are compiled and loaded on the way, and what follows a first move is known as soon as the beginning is.
    """
    for line in games.shipped_lines():
        with suppress(ParlourError):  # a game without an end has no answer
            beginning = await run_in_threadpool(chores.check_line, line)
            await _ask_when_quiet(pool, SolveQuestion(record=beginning.record))
            for move in (await run_in_threadpool(chores.position, line)).legal:
                checked = await run_in_threadpool(chores.check_line, replace(line, moves=[move]))
                await _ask_when_quiet(pool, SolveQuestion(record=checked.record))


async def _ask_when_quiet(pool: Pool, question: SolveQuestion) -> None:
    """Ask while nobody else does, and give up and begin again as soon as somebody waits."""
    while True:
        await asyncio.sleep(SECONDS_OF_QUIET)
        if pool.busy or pool.waiting:
            continue
        asking = asyncio.ensure_future(pool.ask_json(question, owner="warming up"))
        try:
            while not asking.done() and not pool.waiting:
                await asyncio.wait([asking], timeout=SECONDS_OF_QUIET)
            if asking.done():
                asking.result()
                return
        finally:
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)


def all_routes(app: FastAPI) -> list[BaseRoute]:
    """Everything that can be asked for."""
    return list(app.routes)


def add_description(app: FastAPI) -> None:
    """Let an application serve its own description, which is the same for everybody."""

    @cache
    def description() -> Prepared:
        return prepare("application/json", json.dumps(app.openapi(), ensure_ascii=False).encode())

    @app.get("/api/openapi.json", include_in_schema=False)
    @costs(LOOK)
    async def describe(request: Request) -> Response:
        return send(request, description())


async def _sweep(service: MatchService) -> None:
    while True:
        with suppress(BadDatabase):  # it will be back
            await run_in_threadpool(service.remove_expired)
        await asyncio.sleep(SECONDS_BETWEEN_SWEEPS)


class SecurityHeaders:
    """Middleware that adds what every answer says to a browser."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if scope["path"].startswith(FILES):
                    headers["Content-Security-Policy"] = FILE_POLICY
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
                if "Cache-Control" not in headers:
                    headers["Cache-Control"] = "no-store"
            await send(message)

        await self.app(scope, receive, with_headers)
