"""The web application in this process: no sockets and no HTTP server, but everything behind them.

`WebApp` runs the application on an event loop in a thread. Its clients are ordinary httpx clients whose transport calls
the application, so tests read like those of a real server. Answers arrive piece by piece, a client that closes a
response early disconnects, and timeouts are those of httpx.
"""

from __future__ import annotations

import asyncio
import json
import queue
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any, Self, TypeVar
from urllib.parse import unquote

import httpx
import pytest

from parlour.store import open_store
from parlour.web.app import ServerSettings, make_app
from tests.support.store import write_tables

T = TypeVar("T")
Document = dict[str, Any]

ADDRESS = "http://127.0.0.1:8000"
CLIENT = ("127.0.0.1", 50_000)
SECONDS = 30.0  # for anything, however busy the machine is


class WebApp:
    """A running application; to be stopped in the end."""

    def __init__(self, database: str = "sqlite://", **settings: Any) -> None:
        """`settings` are those of the server; without them there are no rate limits and two search processes."""
        self.database = database
        self.url = ADDRESS
        self.app = make_app(open_store(database), ServerSettings(**{"rates": None, "workers": 2, **settings}))
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="web application", daemon=True)
        self._thread.start()
        self._lifespan = self.app.router.lifespan_context(self.app)
        self.run(self._lifespan.__aenter__())

    @property
    def state(self) -> Any:
        """The parts of the application: matches, hub, pool, ..."""
        return self.app.state

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine on the event loop of the application, and return its result."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(SECONDS)

    def begin(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Start a coroutine on the event loop of the application."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def call(self, function: Callable[..., object], *arguments: object) -> None:
        """Call a function on the event loop, soon."""
        self._loop.call_soon_threadsafe(function, *arguments)

    def client(self, **options: Any) -> httpx.Client:
        """A client of this application. `address` is where it comes from."""
        transport = AppTransport(self, options.pop("address", CLIENT[0]), strict=options.pop("strict", True))
        return httpx.Client(**{"transport": transport, "base_url": ADDRESS, "timeout": SECONDS, **options})

    def socket(self, id: str) -> Socket:
        """The WebSocket of a match."""
        return Socket(self, f"/api/matches/{id}/socket")

    def page(self, id: str, seat: str | None = None) -> Socket:
        """The WebSocket of a match, with whose first message a page says whose seat it has."""
        socket = self.socket(id)
        socket.send(json.dumps({"seat": seat}))
        return socket

    def stop(self) -> None:
        if self._loop.is_closed():
            return
        self.run(self._lifespan.__aexit__(None, None, None))
        self.run(self._loop.shutdown_asyncgens())
        self.run(self._loop.shutdown_default_executor())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(SECONDS)
        self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def scope_of(kind: str, path: str, query: str, headers: list[tuple[bytes, bytes]], client: str) -> dict[str, Any]:
    """A connection as uvicorn describes it."""
    return {
        "type": kind,
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "scheme": "http" if kind == "http" else "ws",
        "server": ("127.0.0.1", 8000),
        "client": (client, CLIENT[1]),
        "root_path": "",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(name.lower(), value) for name, value in headers],
    }


class AppTransport(httpx.BaseTransport):
    """Passes the requests of a client to an application."""

    def __init__(self, app: WebApp, address: str, *, strict: bool) -> None:
        """`strict`: what the application raises is raised by the request too."""
        self._app, self._address, self._strict = app, address, strict

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        exchange = Exchange(self._app, request, self._address, self._strict)
        start = exchange.next_message()
        assert start is not None, "the application has not answered"
        assert start["type"] == "http.response.start"
        return httpx.Response(start["status"], headers=start["headers"], stream=exchange)


class Exchange(httpx.SyncByteStream):
    """One request and the body of its answer, as it comes."""

    def __init__(self, app: WebApp, request: httpx.Request, address: str, strict: bool) -> None:
        path, _, query = request.url.raw_path.decode().partition("?")
        self._app, self._strict = app, strict
        self._seconds = request.extensions.get("timeout", {}).get("read") or SECONDS
        self._silent = request.method == "HEAD"  # a server sends the body of no such answer
        self._body: bytes | None = request.read()
        self._sent: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()  # None: no more comes
        self._left = asyncio.Event()
        self._complete = False
        scope = {**scope_of("http", path, query, request.headers.raw, address), "method": request.method}
        self._running = app.begin(self._run(scope))

    async def _run(self, scope: dict[str, Any]) -> None:
        try:
            await self._app.app(scope, self._receive, self._send)
        finally:
            self._sent.put(None)

    async def _receive(self) -> dict[str, Any]:
        if self._body is not None:
            body, self._body = self._body, None
            return {"type": "http.request", "body": body, "more_body": False}
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        if not self._left.is_set():
            self._sent.put(message)

    def next_message(self) -> dict[str, Any] | None:
        try:
            message = self._sent.get(timeout=self._seconds)
        except queue.Empty:
            self.close()
            raise httpx.ReadTimeout(f"nothing within {self._seconds:g} seconds") from None
        if message is None and self._strict:
            self._running.result(SECONDS)
        return message

    def __iter__(self) -> Iterator[bytes]:
        while (message := self.next_message()) is not None:
            if not self._silent:
                yield message.get("body", b"")
            if not message.get("more_body"):
                break
        self._complete = True

    def close(self) -> None:
        """Disconnect, unless the answer is complete, and wait until the application has noticed."""
        self._app.call(self._left.set)
        error = self._running.exception(SECONDS)
        if error is not None and self._strict and self._complete:
            raise error


class Closed(Exception):
    """The application has closed a WebSocket."""

    def __init__(self, code: int) -> None:
        super().__init__(f"closed with {code}")
        self.code = code


class Socket:
    """The browser's end of a WebSocket."""

    def __init__(self, app: WebApp, path: str) -> None:
        self._app = app
        self._sent: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.close_code: int | None = None
        scope = {**scope_of("websocket", path, "", [(b"host", b"127.0.0.1:8000")], CLIENT[0]), "subprotocols": []}
        self._say({"type": "websocket.connect"})
        self._running = app.begin(self._run(scope))

    async def _run(self, scope: dict[str, Any]) -> None:
        try:
            await self._app.app(scope, self._said.get, self._send)
        finally:
            self._sent.put({"type": "websocket.close", "code": 1006})

    async def _send(self, message: Any) -> None:
        self._sent.put(message)

    def _say(self, message: dict[str, Any]) -> None:
        self._app.call(self._said.put_nowait, message)

    def send(self, message: str | bytes) -> None:
        self._say({"type": "websocket.receive", "text" if isinstance(message, str) else "bytes": message})

    def receive(self, seconds: float = SECONDS) -> Document:
        """Return the next message; raise Closed if the socket is closed, and queue.Empty if nothing comes in time."""
        while True:
            if self.close_code is not None:
                raise Closed(self.close_code)
            message = self._sent.get(timeout=seconds)
            if message["type"] == "websocket.close":
                self.close_code = message["code"]
            elif message["type"] == "websocket.send":
                found: Document = json.loads(message["text"])
                return found

    def state(self, condition: Callable[[Document], object] = lambda state: True) -> Document:
        """Return the first state for which the condition holds."""
        end = monotonic() + SECONDS
        while True:
            event = self.receive(end - monotonic())
            if event["type"] == "state" and condition(event["state"]):
                state: Document = event["state"]
                return state

    def closed(self) -> int:
        """Wait until the application closes the socket; return the code."""
        try:
            while True:
                self.receive()
        except Closed as closed:
            return closed.code

    def close(self) -> None:
        """Leave, and wait until the application has noticed."""
        self._say({"type": "websocket.disconnect", "code": 1001})
        self._running.result(SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


StartApp = Callable[..., WebApp]


def sqlite_file(folder: Path) -> str:
    """The URL of a database file in a folder."""
    return f"sqlite:///{folder}/web.sqlite3"


@pytest.fixture
def start_app(tmp_path: Path) -> Iterator[StartApp]:
    """Starts applications for this test alone, with a file as their database; they are stopped in the end."""
    running: list[WebApp] = []

    def start(database: str | None = None, **settings: object) -> WebApp:
        running.append(WebApp(database or write_tables(sqlite_file(tmp_path)), **settings))
        return running[-1]

    yield start
    for app in running:
        app.stop()
