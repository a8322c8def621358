"""The web application: everything put together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from parlour.errors import BadDatabase
from parlour.service.matches import MOST_MATCHES, MatchService
from parlour.store import Lifetimes, Store
from parlour.version import __version__
from parlour.web import games, matches, operations, streams
from parlour.web.computers import Computers
from parlour.web.hub import Hub
from parlour.web.limits import Rates, RequestLimits
from parlour.web.logs import log_request
from parlour.web.metrics import RequestMetrics
from parlour.web.observing import ObservedRequests
from parlour.web.pages import add_pages
from parlour.web.pool import Pool
from parlour.web.refusals import handle_refusals

SECONDS_BETWEEN_SWEEPS = 3600.0  # in which matches that have expired are removed
SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@dataclass(frozen=True)
class Settings:
    """What can be chosen about a server."""

    rates: Rates | None = field(default_factory=Rates)
    lifetimes: Lifetimes = field(default_factory=Lifetimes)
    most_matches: int = MOST_MATCHES  # of all together
    workers: int = 3  # processes that search: one for moves, one for study, one that takes reports as well
    seconds: float = 10.0  # that one question may take
    most_open: int | None = None  # requests, streams and pages at the same time
    metrics: bool = False  # numbers for Prometheus, at /metrics
    log_requests: bool = False  # each as it ends


def make_app(store: Store, settings: Settings | None = None) -> FastAPI:
    """The application over an open store, which it closes when it stops."""
    settings = settings or Settings()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        service = MatchService(store, settings.lifetimes, settings.most_matches)
        hub = Hub(service)
        pool = Pool(settings.workers, seconds=settings.seconds)
        computers = Computers(service, pool)
        app.state.matches, app.state.hub, app.state.pool, app.state.computers = service, hub, pool, computers
        app.state.readiness = readiness = operations.Readiness(store)

        async def close_doors() -> None:
            """End whatever would go on for longer than anybody wants to wait."""
            await asyncio.gather(hub.close(), computers.close(), pool.close(), readiness.close())

        app.state.close_doors = close_doors
        hub.start()
        sweeper = asyncio.create_task(_sweep(service))
        try:
            yield
        finally:
            sweeper.cancel()
            await asyncio.gather(sweeper, close_doors(), return_exceptions=True)
            await asyncio.to_thread(store.close)  # all threads of the pool may be waiting for the database

    app = FastAPI(
        title="Parlour",
        version=__version__,
        summary="Two-player number games: play them, watch them, and ask what is exactly so.",
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,  # those pages load from other hosts
        redoc_url=None,
        redirect_slashes=False,
    )
    app.include_router(games.router)
    app.include_router(matches.router)
    app.include_router(streams.router)
    app.include_router(operations.router)
    add_pages(app)
    handle_refusals(app)
    app.add_middleware(RequestLimits, rates=settings.rates, most_open=settings.most_open)
    app.middleware_stack = SecurityHeaders(app.build_middleware_stack())  # outside of what answers for our own mistakes
    app.state.metrics = RequestMetrics() if settings.metrics else None
    observers = [app.state.metrics.count] if settings.metrics else []
    observers += [log_request] if settings.log_requests else []
    if observers:
        app.middleware_stack = ObservedRequests(app.middleware_stack, observers)
    return app


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
                for name, value in SECURITY_HEADERS.items():
                    headers[name] = value
                if "Cache-Control" not in headers:
                    headers["Cache-Control"] = "no-store"
            await send(message)

        await self.app(scope, receive, with_headers)
