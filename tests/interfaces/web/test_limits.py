"""What is too much, too slow or too late is refused. The limits of real connections are in tests/system/web."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.middleware import proxy_headers

from parlour.web import games, matches, streams
from parlour.web.connections import TrustedHosts
from parlour.web.costs import Budgets, Rate, Rates, cost_of
from parlour.web.limits import MOST_BODY_BYTES, MOST_REQUESTS_AT_ONCE, RequestLimits, client_network
from tests.support.asgi import WebApp
from tests.support.eventually import eventually_async
from tests.support.seats import challenge, refused

LONG = 30.0  # seconds that are enough for anything, however busy the machine
ROUTES = [*games.router.routes, *matches.router.routes, *streams.router.routes]
TOO_LARGE = (b"x" * (MOST_BODY_BYTES // 2 + 1),) * 2


async def ask(app: ASGIApp, path: str, *body: bytes, client: str = "192.0.2.1", **more: Any) -> httpx.Response:
    """The answer to a request whose body comes in these pieces."""
    pieces = list(body)
    sent: list[Message] = []

    async def receive() -> Message:
        if pieces:
            return {"type": "http.request", "body": pieces.pop(0), "more_body": bool(pieces)}
        await asyncio.sleep(LONG)
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": b"",
        "headers": [],
        "client": (client, 1),
        **more,
    }
    async with asyncio.timeout(LONG) as limit:
        await app(scope, receive, send)
    assert not limit.expired()
    start, *rest = sent
    content = b"".join(message.get("body", b"") for message in rest)
    return httpx.Response(start["status"], headers=start["headers"], content=content)


async def closed_with(app: ASGIApp, path: str, *texts: str) -> int:
    """The code with which a socket is closed after these were said."""
    said: list[Message] = [{"type": "websocket.receive", "text": text} for text in texts]
    said.insert(0, {"type": "websocket.connect"})
    codes: list[int] = []

    async def receive() -> Message:
        if said:
            return said.pop(0)
        await asyncio.sleep(LONG)
        return {"type": "websocket.disconnect", "code": 1006}

    async def send(message: Message) -> None:
        if message["type"] == "websocket.close":
            codes.append(message["code"])

    scope = {"type": "websocket", "path": path, "query_string": b"", "headers": [], "client": ("192.0.2.1", 1)}
    async with asyncio.timeout(LONG) as limit:
        await app({**scope, "subprotocols": []}, receive, send)
    assert not limit.expired()
    (code,) = codes
    return code


class Waiting:
    """An application that answers when it is let."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.asked = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.asked += 1
        await self.go.wait()
        await PlainTextResponse("done")(scope, receive, send)


async def are_asked(app: Waiting, count: int) -> None:
    await eventually_async(lambda: app.asked >= count)


def limited(inner: ASGIApp, rates: Rates) -> RequestLimits:
    return RequestLimits(inner, Budgets(rates), lambda scope: cost_of(ROUTES, scope))


@pytest.mark.parametrize(
    ("path", "most"), [("/api/games/x/solve", 6), ("/api/matches/x/report", 6), ("/api/matches/x/stream", 200)]
)
def test_an_address_may_have_so_much_open_at_once(path: str, most: int) -> None:
    async def scenario() -> None:
        inner = Waiting()
        app = limited(inner, Rates())
        tasks = [asyncio.create_task(ask(app, path)) for _ in range(most)]
        await are_asked(inner, most)
        refused(await ask(app, path), 503, "server/busy")
        tasks.append(asyncio.create_task(ask(app, path, client="192.0.2.2")))
        tasks.append(asyncio.create_task(ask(app, "/api/games")))
        await are_asked(inner, most + 2)
        inner.go.set()
        assert {answer.status_code for answer in await asyncio.gather(*tasks)} == {200}
        assert (await ask(app, path)).status_code == 200

    asyncio.run(scenario())


def test_sockets_are_counted_like_streams() -> None:
    async def scenario() -> None:
        inner = Waiting()
        app = limited(inner, Rates(listening=1))
        task = asyncio.create_task(ask(app, "/api/matches/x/stream"))
        await are_asked(inner, 1)
        assert await closed_with(app, "/api/matches/x/socket") == 1013
        inner.go.set()
        await task

    asyncio.run(scenario())


def test_all_together_are_told_that_it_is_too_much() -> None:
    async def scenario() -> None:
        inner = Waiting()
        app = RequestLimits(inner, Budgets(None), most_open=3)
        tasks = [asyncio.create_task(ask(app, "/", client=f"192.0.2.{number}")) for number in range(3)]
        await are_asked(inner, 3)
        refused(await ask(app, "/"), 503, "server/busy")
        inner.go.set()
        await asyncio.gather(*tasks)
        assert (await ask(app, "/")).status_code == 200

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("client", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:0:1::1", "2001:db8:0:1::"),
        ("2001:DB8:0:1:ffff:ffff:ffff:ffff", "2001:db8:0:1::"),
        ("2001:db8:0:2::1", "2001:db8:0:2::"),
        ("fe80::1%eth0", "fe80::"),
        ("::1", "::"),
        ("somebody", "somebody"),
    ],
)
def test_who_is_counted_as_one(client: str, counted: str) -> None:
    assert client_network(client) == counted


def test_a_network_has_one_allowance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.web.limits.HEARING_SECONDS", 0.02)

    async def scenario() -> None:
        inner = Waiting()
        inner.go.set()
        app = limited(inner, Rates(look=Rate(3, 0.001)))
        for number in range(3):
            assert (await ask(app, "/api/games", client=f"2001:db8::{number}")).status_code == 200
        late = await ask(app, "/api/games", client="2001:db8::9")
        refused(late, 429, "rate/limited")
        assert int(late.headers["Retry-After"]) > 1
        assert (await ask(app, "/api/games", client="2001:db8:0:1::1")).status_code == 200

    asyncio.run(scenario())


def test_a_body_is_refused_by_the_length_that_it_is_said_to_have() -> None:
    async def scenario() -> None:
        inner = Waiting()
        headers = [(b"content-length", b"%d" % (MOST_BODY_BYTES + 1))]
        refused(await ask(RequestLimits(inner, Budgets(None)), "/", headers=headers), 413, "body/too-large")
        assert inner.asked == 0

    asyncio.run(scenario())


@pytest.mark.parametrize("body", [TOO_LARGE, (b"".join(TOO_LARGE),)])
def test_a_body_that_grows_too_large_is_refused_by_every_route(
    app: WebApp, client: httpx.Client, body: tuple[bytes, ...]
) -> None:
    made = challenge(client, "local", game="double-up")
    stream = ask(app.app, f"/api/matches/{made['id']}/stream", *body)
    refused(app.run(stream), 413, "body/too-large")
    kind = [(b"content-type", b"application/json")]
    imported = ask(app.app, "/api/import", *body, method="POST", headers=kind)
    refused(app.run(imported), 413, "body/too-large")


def test_an_answer_that_has_begun_breaks_off_when_the_body_grows_too_large() -> None:
    async def scenario() -> None:
        begun = asyncio.Event()

        async def endless() -> AsyncIterator[bytes]:
            yield b"begun"
            begun.set()
            await asyncio.sleep(2 * LONG)

        async def inner(scope: Scope, receive: Receive, send: Send) -> None:
            async def later() -> Message:
                await begun.wait()
                return await receive()

            await StreamingResponse(endless())(scope, later, send)

        answer = await ask(RequestLimits(inner, Budgets(None)), "/", *TOO_LARGE)
        assert (answer.status_code, answer.content) == (200, b"begun")

    asyncio.run(scenario())


def test_who_waits_for_his_own_requests_in_vain_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without having been begun; and it matters to nobody else."""
    monkeypatch.setattr("parlour.web.limits.ANSWER_SECONDS", 0.05)

    async def scenario() -> None:
        inner = Waiting()
        app = limited(inner, Rates())
        answers = await asyncio.gather(*(ask(app, "/api/games") for _ in range(10 * MOST_REQUESTS_AT_ONCE)))
        for answer in answers:
            refused(answer, 503, "server/busy")
        assert MOST_REQUESTS_AT_ONCE <= inner.asked <= 3 * MOST_REQUESTS_AT_ONCE, (
            "no more than had a place before the time was up"
        )
        inner.go.set()
        assert (await ask(app, "/api/games")).status_code == 200
        assert app.idle

    asyncio.run(scenario())


@pytest.mark.parametrize("look", [Rate(400, 50), Rate(1, 0.001)], ids=["answered", "refused"])
def test_an_address_has_only_a_few_requests_answered_in_one_turn_of_the_event_loop(look: Rate) -> None:
    """Also if they never wait: 280 connections must not keep the moves of others waiting."""
    turn = 0
    ended: Counter[int] = Counter()

    async def one(app: RequestLimits) -> None:
        await ask(app, "/api/games", b"")
        ended[turn] += 1

    async def scenario() -> None:
        nonlocal turn
        app = limited(PlainTextResponse("done"), Rates(look=look))
        asking = asyncio.gather(*(one(app) for _ in range(280)))
        while not asking.done():
            turn += 1
            await asyncio.sleep(0)

    asyncio.run(scenario())
    assert ended.total() == 280
    assert max(ended.values()) <= MOST_REQUESTS_AT_ONCE


def test_a_request_that_is_not_answered_in_time_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.web.limits.ANSWER_SECONDS", 0.1)

    async def scenario() -> None:
        inner = Waiting()
        app = limited(inner, Rates())
        question = asyncio.create_task(ask(app, "/api/games/x/solve"))
        refused(await ask(app, "/api/games"), 503, "server/busy")
        assert not question.done()
        inner.go.set()
        assert (await question).status_code == 200, "questions may take their time"

        async def slow() -> AsyncIterator[bytes]:
            yield b"begun"
            await asyncio.sleep(0.15)
            yield b" and ended"

        assert (await ask(RequestLimits(StreamingResponse(slow()), Budgets(None)), "/")).text == "begun and ended"

    asyncio.run(scenario())


@pytest.mark.parametrize(
    "trusted",
    [
        ["*"],
        ["*", "127.0.0.1"],
        ["10.0.0.0/8"],
        ["10.0.0.1/8"],
        ["::ffff:10.0.0.0/104"],
        ["2001:db8::/32", "::1"],
        [""],
    ],
)
def test_trusted_is_who_uvicorn_trusts(trusted: list[str]) -> None:
    hosts = ["10.1.2.3", "11.1.2.3", "127.0.0.1", "::1", "::ffff:10.1.2.3", "2001:db8:1::7", "", "*", "proxy"]
    theirs, ours = proxy_headers._TrustedHosts(trusted), TrustedHosts(trusted)
    assert [host in ours for host in hosts] == [host in theirs for host in hosts]
