"""What it costs to answer a request: every route says so, and nobody gets more than a share.

A request takes a token of its kind, and the seconds that the processor needed for it in this process are charged
afterwards, so that a few costly requests count like many cheap ones. What an address has used up grows again with time.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Iterable
from time import monotonic
from typing import Any, Literal, NamedTuple, TypeVar

from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import Scope

from parlour.service.errors import TooManyRequests

F = TypeVar("F", bound=Callable[..., Any])

MOST_ADDRESSES = 10_000  # that are remembered
FINE = 20  # connections fewer, for each time that somebody asked too much

Kind = Literal["look", "act", "create", "solve", "connect"]
Lasting = Literal["questions", "listening"]


class Rate(NamedTuple):
    """So many at once, and so many a second after that."""

    burst: float
    each_second: float


class Rates(NamedTuple):
    """What one address may ask for."""

    look: Rate = Rate(400, 50)
    act: Rate = Rate(120, 20)  # moves, offers, names
    create: Rate = Rate(40, 0.5)
    solve: Rate = Rate(120, 5)
    connect: Rate = Rate(600, 30)  # connections, before anything is asked on them
    processor: Rate = Rate(2, 0.25)  # seconds of it, in the process that answers
    questions: int = 6  # being answered at the same time
    listening: int = 200  # pages and streams


class Cost(NamedTuple):
    """What a route costs whoever asks."""

    kind: Kind | None  # the rate it counts for; None: it is free
    lasting: Lasting | None = None  # of which an address has only so many at the same time
    tokens: int = 1  # of that rate


FILE = Cost(None)  # a file of the page, from memory: a page has 40, and a classroom opens 30 pages from one address
LOOK = Cost("look")
LISTEN = Cost("look", "listening")
ACT = Cost("act")
CREATE = Cost("create")
IMPORT = Cost("create", tokens=5)  # as many lines are written as otherwise in a thousand moves
ASK = Cost("solve", "questions")  # a worker process answers it


def costs(cost: Cost) -> Callable[[F], F]:
    """Say what the route costs that is decorated."""

    def say(endpoint: F) -> F:
        endpoint.__dict__["cost"] = cost
        return endpoint

    return say


def declared_cost(route: BaseRoute) -> Cost | None:
    """What a route has said that it costs."""
    return getattr(getattr(route, "endpoint", None), "cost", None)


def cost_of(routes: Iterable[BaseRoute], scope: Scope) -> Cost:
    """Return the cost of a request; unknown paths cost as much as a look."""
    path, wanted = scope["path"], Route if scope["type"] == "http" else WebSocketRoute
    for route in routes:  # not Route.matches(), which takes ten times as long
        if isinstance(route, wanted) and route.path_regex.match(path):
            return declared_cost(route) or LOOK
    return LOOK


class Budgets:
    """What each address has left."""

    def __init__(self, rates: Rates | None) -> None:
        """``rates``: None for as much as anybody likes."""
        self.rates = rates
        self._left: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()  # tokens or seconds, and when

    def spend(self, address: str, kind: Kind | None, tokens: int = 1) -> None:
        """Take tokens of this kind; TooManyRequests if there are none, or the processor's time is used up."""
        if self.rates is None or kind is None:
            return
        if kind != "connect" and (owed := -self._left_of(address, "processor")) > 0:
            raise TooManyRequests(math.ceil(owed / self.rates.processor.each_second))
        left, rate = self._left_of(address, kind), self._rate(kind)
        if left < tokens:
            raise TooManyRequests(math.ceil((tokens - left) / rate.each_second))
        self._left[address, kind] = (left - tokens, monotonic())

    def fine(self, address: str) -> None:
        """Take what a refusal costs of the connections, for whoever asks on has to open another."""
        if self.rates is not None:
            self._left[address, "connect"] = (max(0, self._left_of(address, "connect") - FINE), monotonic())

    def charge(self, address: str, seconds: float) -> None:
        """Take seconds of the processor, which may leave less than nothing."""
        if self.rates is not None:
            self._left[address, "processor"] = (self._left_of(address, "processor") - seconds, monotonic())

    def _rate(self, name: str) -> Rate:
        rate: Rate = getattr(self.rates, name)
        return rate

    def _left_of(self, address: str, name: str) -> float:
        """What is left by now; asked for last, forgotten last."""
        rate, now = self._rate(name), monotonic()
        left, since = self._left.pop((address, name), (rate.burst, now))
        if len(self._left) >= MOST_ADDRESSES:
            self._left.popitem(last=False)
        left = min(rate.burst, left + (now - since) * rate.each_second)
        self._left[address, name] = (left, now)
        return left
