"""How much anybody may ask for: the size of a request, and how many in how short a time."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from parlour.errors import ParlourError
from parlour.service.errors import TooManyRequests
from parlour.store import Attempt
from parlour.store.errors import Busy, OutcomeUnknown
from parlour.web.costs import LOOK, Budgets, Cost
from parlour.web.refusals import refuse, refuse_http

MOST_BODY_BYTES = 128 * 1024
MOST_HEADERS = 100  # of one request: a browser sends 20, and all are gone through again and again
ANSWER_SECONDS = 15.0  # for what is not a question; only a database that does not answer takes as long
HEARING_SECONDS = 1.0  # for the rest of a request that is refused: who is cut off reads no answer
MOST_REQUESTS_AT_ONCE = 3  # requests of one address that are being answered; the others wait
SENDING_SECONDS = 60.0  # after which whoever has not read the whole of an answer does not get the rest
TOO_MANY_OPEN = {
    "questions": "several questions of yours are being answered already; wait for one of them",
    "listening": "too many pages and streams are open at your address; close one of them",
}
TOO_MANY_WAITING = "too many requests from your address are waiting, nothing was done; wait for some of them"


def client_network(client: str) -> str:
    """Who is counted as one: an IPv4 address, or the /64 network of an IPv6 address, all of which one customer has."""
    try:
        address = ip_address(client)
    except ValueError:
        return client
    if isinstance(address, IPv4Address):
        return client
    return str(address.ipv4_mapped or IPv6Address(int(address) >> 64 << 64))


class Slots:
    """The slots of one address: the number of its requests that are answered at the same time."""

    def __init__(self) -> None:
        self.free = asyncio.Semaphore(MOST_REQUESTS_AT_ONCE)
        self.users = 0  # requests that have a slot, wait for one, or last


class Slot:
    """One of the slots of an address, for one request."""

    def __init__(self, slots: Slots | None) -> None:
        """``slots``: None if there is no limit."""
        self._slots = slots
        self._taken = False

    async def take(self) -> bool:
        """Wait for a slot; return False on timeout.

        The event loop gets a turn while the slot is taken. Otherwise a request that never waits would take its slot and
        release it in one step, and all requests that arrive together would be answered before anything else happens.
        """
        if self._slots is None:
            return True
        with suppress(TimeoutError):
            async with asyncio.timeout(ANSWER_SECONDS):
                self._taken = await self._slots.free.acquire()
        if self._taken:
            await asyncio.sleep(0)
        return self._taken

    def release(self) -> None:
        """Release the slot, if it is taken."""
        if self._taken and self._slots is not None:
            self._taken = False
            self._slots.free.release()


class RequestLimits:
    """Middleware that turns away what is too much."""

    def __init__(
        self,
        app: ASGIApp,
        budgets: Budgets,
        cost: Callable[[Scope], Cost] = lambda scope: LOOK,
        most_open: int | None = None,
    ) -> None:
        """``cost`` is what a request costs. ``most_open``: requests at the same time, of all together."""
        self.app = app
        self.budgets = budgets
        self.cost = cost
        self.most_open = most_open
        self._lasting: Counter[tuple[str, str]] = Counter()  # questions and listeners, by address and kind
        self._all_open = 0
        self._slots: dict[str, Slots] = {}  # slots by address, for addresses with open requests

    @property
    def idle(self) -> bool:
        """Whether no request is open."""
        return not self._all_open and not self._slots

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        if self.most_open is not None and self._all_open >= self.most_open:
            await self._refuse(Busy("too many ask at the same time; try again in a little while"), scope, receive, send)
            return
        address = client_network(scope["client"][0]) if scope.get("client") else ""
        slots = self._slots.setdefault(address, Slots()) if self.budgets.rates is not None else None
        self._all_open += 1
        if slots is not None:
            slots.users += 1
        slot = Slot(slots)
        try:
            if await slot.take():
                await self._admit(address, slot, scope, receive, send)
            else:
                await self._refuse(Busy(TOO_MANY_WAITING), scope, receive, send)
        finally:
            slot.release()
            self._all_open -= 1
            if slots is not None:
                slots.users -= 1
                if not slots.users:
                    self._slots.pop(address, None)

    async def _admit(self, address: str, slot: Slot, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it if it is too much."""
        if (reason := _unacceptable(scope)) is not None:
            self.budgets.fine(address)
            slot.release()  # the rest of its body may be slow to come
            await self._hang_up(refuse_http(400, f"bad request: {reason}"), scope, receive, send)
            return
        kind, lasting, tokens = self.cost(scope)
        rates = self.budgets.rates
        try:
            self.budgets.spend(address, kind, tokens)
            if rates is not None and lasting is not None and self._lasting[address, lasting] >= getattr(rates, lasting):
                raise Busy(TOO_MANY_OPEN[lasting])
        except TooManyRequests as error:  # to refuse without end would cost as much as to answer
            self.budgets.fine(address)
            slot.release()  # the rest of its body may be slow to come
            await self._hang_up(refuse(error), scope, receive, send)
            return
        except Busy as error:
            await self._refuse(error, scope, receive, send)
            return
        headers = Headers(scope=scope)
        if _declared(headers) > MOST_BODY_BYTES:
            await refuse_http(413)(scope, receive, send)
            return
        if headers.get("Content-Encoding", "identity").strip().lower() != "identity":
            await refuse_http(415)(scope, receive, send)
            return
        seconds = None if lasting == "questions" or scope["type"] == "websocket" else ANSWER_SECONDS
        if lasting is None:
            await self._answer(scope, receive, send, seconds, endless=False)
            return
        slot.release()  # its number is bounded already, and it does little while it lasts
        self._lasting[address, lasting] += 1
        try:
            await self._answer(scope, receive, send, seconds, endless=True)
        finally:
            self._lasting[address, lasting] -= 1
            if not self._lasting[address, lasting]:
                del self._lasting[address, lasting]

    async def _answer(
        self, scope: Scope, receive: Receive, send: Send, seconds: float | None, *, endless: bool
    ) -> None:
        """Let a request be answered; ``endless``: the answer may go on for as long as it likes.

        If its body grows too large the answer is 413. If nothing is answered within so many seconds, or the server is
        being closed and cannot wait, what it was to do is given up: the answer is 503 if that came in time, so that
        nothing is done, and 504 if it may be too late for that. An answer that has begun by then breaks off.
        """
        attempt = scope["parlour.attempt"] = Attempt()
        received = 0
        begun = refused = False
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None
        cancel = task.cancel
        timer = None if seconds is None else loop.call_later(seconds, cancel)

        async def measured() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            return message if received <= MOST_BODY_BYTES else {"type": "http.disconnect"}

        async def answer(message: Message) -> None:
            nonlocal begun, refused, timer
            if not begun and received > MOST_BODY_BYTES:
                refused = True
                await refuse_http(413)(scope, receive, send)
            if not begun and timer is not None:
                timer.cancel()
                if not endless:
                    timer = loop.call_later(SENDING_SECONDS, cancel)
            begun = True
            if not refused:
                await send(message)

        try:
            await self.app(scope, measured, answer)
        except asyncio.CancelledError:  # by our timer, or by the server that is being closed; the task ends here
            if not begun:
                in_time = attempt.give_up()
                error = (
                    Busy("no answer in time, nothing was done; try again in a moment") if in_time else OutcomeUnknown()
                )
                await self._refuse(error, scope, receive, send)
        finally:
            if timer is not None:
                timer.cancel()

    async def _refuse(self, error: ParlourError, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1013})
        else:
            await refuse(error)(scope, receive, send)

    async def _hang_up(self, response: Response, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer so, and hear no more on this connection."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1013})
            return
        response.headers["Connection"] = "close"
        with suppress(TimeoutError):
            async with asyncio.timeout(HEARING_SECONDS):
                while (await receive()).get("more_body"):
                    pass
        await response(scope, receive, send)


def _unacceptable(scope: Scope) -> str | None:
    """Return what is wrong with the head of a request; None if nothing is."""
    if len(scope["headers"]) > MOST_HEADERS:
        return f"more than {MOST_HEADERS} headers"
    names = {name for name, _ in scope["headers"]}
    if b"content-length" in names and b"transfer-encoding" in names:  # two lengths: RFC 9112, section 6.1
        return "both Content-Length and Transfer-Encoding"
    return None


def _declared(headers: Headers) -> int:
    """Return the length that a request says its body has, in bytes."""
    length = headers.get("Content-Length", "")
    return int(length) if length.isdecimal() else 0
