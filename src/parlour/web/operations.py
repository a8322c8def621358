"""Routes for whoever runs the server: whether it lives, whether it is ready, and its numbers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from contextlib import suppress
from ipaddress import ip_address
from time import monotonic

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from parlour.documents.server import Health
from parlour.errors import ParlourError
from parlour.service.matches import lifetimes_in_words
from parlour.store import Store
from parlour.store.errors import Busy
from parlour.version import __version__
from parlour.web.costs import LOOK, costs
from parlour.web.metrics import TEXT_FORMAT, Family, Sample, process_families, write_metrics
from parlour.web.refusals import refuse, refuse_http
from parlour.web.requests import Services, WithServices
from parlour.web.wire import respond
from parlour.writer import VERSION

router = APIRouter(include_in_schema=False)

READY_SECONDS = 2.0  # in which the database has to answer
CHECKED_SECONDS = 1.0  # for which its answer is taken for granted, however many ask
FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")
HOST = re.compile(r"(?P<name>[a-z0-9.-]+|\[[0-9a-f:.]+\])(:[0-9]+)?")


class Readiness:
    """Whether this server can answer requests now. To be used in one event loop."""

    def __init__(self, store: Store) -> None:
        self.closing = False
        self._store = store
        self._checking: asyncio.Task[None] | None = None
        self._checked_at = float("-inf")

    async def check(self) -> None:
        """Busy if the server is being closed or the database is slow; BadDatabase if nothing can be written to it."""
        if self.closing:
            raise Busy("the server is being closed; ask another")
        if monotonic() - self._checked_at < CHECKED_SECONDS:
            return
        if self._checking is None or self._checking.done():  # one for all who ask meanwhile
            self._checking = asyncio.create_task(run_in_threadpool(self._store.check_writable))
        checking = self._checking
        await asyncio.wait([checking], timeout=READY_SECONDS)
        if not checking.done():
            raise Busy(f"the database has not answered for {READY_SECONDS:g} seconds; try again in a moment")
        checking.result()
        self._checked_at = monotonic()

    async def close(self) -> None:
        if self._checking is not None:
            self._checking.cancel()
            with suppress(asyncio.CancelledError, ParlourError):
                await self._checking


@router.api_route("/health", methods=["GET", "HEAD"])
@costs(LOOK)
async def health(services: WithServices) -> Response:
    """The process lives, and answers."""
    return _healthy(services)


@router.api_route("/ready", methods=["GET", "HEAD"])
@costs(LOOK)
async def ready(request: Request, services: WithServices) -> Response:
    """The database can be written to, and the server is not being closed: send me requests."""
    readiness: Readiness = request.app.state.readiness
    try:
        await readiness.check()
    except ParlourError as error:
        return refuse(error)
    return _healthy(services)


def _healthy(services: Services) -> Response:
    expiry = lifetimes_in_words(services.matches.lifetimes)
    return respond(Health(ok=True, version=__version__, format=VERSION, expiry=expiry))


@router.api_route("/metrics", methods=["GET", "HEAD"])
@costs(LOOK)
async def metrics(request: Request, services: WithServices) -> Response:
    """The numbers of this process, for a program on this machine; nobody else learns that there are any."""
    counted = request.app.state.metrics
    if counted is None or not asked_from_here(request):
        return refuse_http(404)
    return Response(
        write_metrics([*counted.families(), *_state(services), *process_families()]), media_type=TEXT_FORMAT
    )


def asked_from_here(request: Request) -> bool:
    """Whether a program on this machine asks, by itself.

    The address alone does not tell: a proxy on this machine may ask for somebody else. It says so in a header, or asks
    for a host by its name; so does a page in a browser here that was talked into asking.
    """
    if any(name in request.headers for name in FORWARDED):
        return False
    client = request.client.host if request.client else ""
    host = HOST.fullmatch(request.headers.get("host", ""))
    return _is_loopback(client) and host is not None and (host["name"] == "localhost" or _is_loopback(host["name"]))


def _is_loopback(text: str) -> bool:
    try:
        address = ip_address(text.strip("[]"))
    except ValueError:
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


def _state(services: Services) -> Iterable[Family]:
    """What was played, and what is going on."""
    yield Family("parlour_info", "gauge", "Which Parlour this is.", [Sample(1, {"version": __version__})])
    written = services.matches.written
    yield Family(
        "parlour_matches_total", "counter", "New matches that were written.", [Sample(written.pop("NewMatch", 0))]
    )
    about = "Changes to matches that were written, by what was done; Play and ComputerMove are the moves."
    changes = [Sample(count, {"command": name}) for name, count in sorted(written.items())]
    yield Family("parlour_changes_total", "counter", about, changes)
    about = "Pages and streams that listen to a match."
    yield Family("parlour_listeners", "gauge", about, [Sample(services.hub.listeners)])
    pool = services.pool
    yield Family("parlour_workers_busy", "gauge", "Processes that think about a question.", [Sample(pool.busy)])
    yield Family("parlour_workers", "gauge", "Processes that may think at the same time.", [Sample(pool.size)])
    yield Family("parlour_questions_waiting", "gauge", "Questions that wait for a process.", [Sample(pool.waiting)])
    spent = services.matches.store.time_spent()
    about = "Time from asking the database until it had answered, waiting for a connection included."
    samples = [Sample(spent.seconds, suffix="_sum"), Sample(spent.uses, suffix="_count")]
    yield Family("parlour_database_seconds", "summary", about, samples)
