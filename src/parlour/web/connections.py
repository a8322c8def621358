"""Connections: how many an address may have, how long one may be silent, and how much it may say.

A connection that has sent no whole request after a few seconds is closed, and so is one that talks without asking. An
address has so many connections and no more; when all together are as many as there can be, whoever has the most makes
room. So silent and half-open ones end by themselves, and lock nobody out. From a proxy that we trust come the
connections of everybody: it counts them itself.
"""

from __future__ import annotations

import asyncio
import socket
from collections import defaultdict
from collections.abc import Collection
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from parlour.service.errors import TooManyRequests
from parlour.store.errors import Busy
from parlour.web.costs import Budgets
from parlour.web.limits import client_network
from parlour.web.refusals import Refusal
from parlour.web.wire import write

REQUEST_SECONDS = 15.0  # from the first moment of a connection, or the first byte of a request, to the end of its head
UNHEARD_SECONDS = 30.0  # in which a client has to confirm what was sent, or the connection is gone
MOST_CONNECTIONS_EACH = 300  # connections of one address: its pages and streams, and a few more
MOST_PIECES = 50  # in which a request comes,
BYTES_FOR_A_PIECE = 500  # and another for so many bytes: a packet of the network has three times as many
MOST_UNWANTED = 1 << 20  # bytes after an answer that are no request: the rest of a body that was refused
MOST_SAID = 6000  # bytes on a socket, where a page says once whose seat it has
SAID_EACH_SECOND = 50  # more of them: answers to our pings


class TrustedHosts:
    """The proxies whose X-Forwarded-For is believed: addresses, networks such as 10.0.0.0/8, or ``*`` for all.

    What is trusted is what uvicorn trusts, whose own class for this is private.
    """

    def __init__(self, hosts: Collection[str]) -> None:
        self._all = list(hosts) == ["*"]
        self._names = frozenset(hosts)  # addresses, and names of Unix sockets
        self._networks = [network for host in hosts if (network := _network(host)) is not None]

    def __contains__(self, host: str) -> bool:
        if self._all or (host and host in self._names):
            return True
        try:
            address = ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self._networks)


def _network(text: str) -> IPv4Network | IPv6Network | None:
    """Return the network, or the one address, that a text names; None if it names neither."""
    try:
        return ip_network(text)
    except ValueError:
        return None


class Connections:
    """The connections of a server, by address."""

    def __init__(self, budgets: Budgets, most: int | None = None, trusted: Collection[str] = ()) -> None:
        """``most`` of all together, None for no bound; what is ``trusted`` is not counted by address."""
        self._budgets = budgets
        self.most = most
        self._trusted = TrustedHosts(trusted)
        self._by_address: dict[str, dict[asyncio.Transport, None]] = defaultdict(dict)  # the oldest first
        self._addresses: dict[asyncio.Transport, str] = {}

    def admit(self, transport: asyncio.Transport) -> bool:
        """Count a new connection; False if there is no room for it. TooManyRequests if they come too fast."""
        host = (transport.get_extra_info("peername") or ("",))[0]
        address = client_network(host)
        if self._budgets.rates is not None and host not in self._trusted:
            self._budgets.spend(address, "connect")
            if len(self._by_address.get(address, ())) >= MOST_CONNECTIONS_EACH:
                return False
        if self.most is not None and len(self._addresses) >= self.most:
            greatest = max(self._by_address, key=lambda other: len(self._by_address[other]))
            if greatest == address:
                return False
            oldest = next(iter(self._by_address[greatest]))
            self.leave(oldest)
            oldest.abort()
        self._by_address[address][transport] = None
        self._addresses[transport] = address
        return True

    def leave(self, transport: asyncio.Transport) -> None:
        """A connection has ended; nothing happens if it was not counted."""
        address = self._addresses.pop(transport, None)
        if address is not None:
            del self._by_address[address][transport]
            if not self._by_address[address]:
                del self._by_address[address]


def protocols_for(connections: Connections) -> dict[str, Any]:
    """The settings with which uvicorn keeps to all this."""

    class CountedHttp(H11Protocol):
        """HTTP on a connection that is counted, and has to say something."""

        _counted = False
        _pieces = _heard = 0  # pieces and bytes since the last answer
        _unwanted = 0
        _silence: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            try:
                self._counted = connections.admit(transport)
            except TooManyRequests:  # to say so would cost more than it is worth
                transport.abort()
                return
            if not self._counted:
                transport.write(NO_ROOM)
                transport.close()
                return
            _notice_silence(transport.get_extra_info("socket"))
            self._expect_request()

        def data_received(self, data: bytes) -> None:
            if not self._counted:
                return
            if self._silence is None and self._between_requests:
                self._expect_request()
            self._pieces, self._heard = self._pieces + 1, self._heard + len(data)
            if self._pieces > MOST_PIECES + self._heard // BYTES_FOR_A_PIECE:
                self.transport.abort()
                return
            self._unwanted += len(data)
            super().data_received(data)
            if not self._between_requests or self.transport.get_protocol() is not self:
                self._request_came()
            elif self._unwanted > MOST_UNWANTED:
                self.transport.abort()

        def on_response_complete(self) -> None:
            self._pieces = self._heard = 0
            super().on_response_complete()

        def connection_lost(self, exc: Exception | None) -> None:
            self._request_came()
            connections.leave(self.transport)
            super().connection_lost(exc)

        @property
        def _between_requests(self) -> bool:
            return self.cycle is None or self.cycle.response_complete

        def _expect_request(self) -> None:
            self._silence = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

        def _request_came(self) -> None:
            self._unwanted = 0
            if self._silence is not None:
                self._silence.cancel()
                self._silence = None

    class CountedWebSocket(WebSocketsSansIOProtocol):
        """A WebSocket, which is counted since it was an HTTP connection, and has little to say."""

        _may_say = float(MOST_SAID)
        _heard_at: float | None = None  # None before the request to open it

        def data_received(self, data: bytes) -> None:
            if self._heard_at is not None:
                more = (self.loop.time() - self._heard_at) * SAID_EACH_SECOND
                self._may_say = min(MOST_SAID, self._may_say + more) - len(data)
            self._heard_at = self.loop.time()
            if self._may_say < 0:
                self.transport.abort()
            else:
                super().data_received(data)

        def connection_lost(self, exc: Exception | None) -> None:
            connections.leave(self.transport)
            super().connection_lost(exc)

    return {"http": CountedHttp, "ws": CountedWebSocket}


def _notice_silence(connection: socket.socket) -> None:
    """Let the system notice when there is nobody at the other end any more."""
    if hasattr(socket, "TCP_USER_TIMEOUT") and connection.family != socket.AF_UNIX:  # Linux
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(UNHEARD_SECONDS * 1000))


def _refusal() -> bytes:
    """What somebody is told for whom there is no room, without reading what they want."""
    reason = "too many connections are open at your address, or at this server; close some of them"
    body = write(Refusal(code=Busy.code, error=reason))
    head = f"HTTP/1.1 {Busy.status} Service Unavailable\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body


NO_ROOM = _refusal()
