"""Notifications from PostgreSQL about changes by other processes."""

from __future__ import annotations

import logging
import selectors
import socket
from collections.abc import Callable
from contextlib import closing
from threading import Event, Thread
from typing import Any

import psycopg

CHANNEL = "parlour"
FIRST_BACKOFF_SECONDS = 0.1  # wait before the first reconnection; it doubles each time
MAX_BACKOFF_SECONDS = 5.0

log = logging.getLogger(__name__)


class NotificationListener:
    """A thread with its own connection that forwards the notifications of the channel.

    It calls ``heard`` with each payload, and with None after a lost connection is restored, because notifications may
    have been missed.
    """

    def __init__(self, connect: Callable[[], psycopg.Connection[Any]], heard: Callable[[str | None], None]) -> None:
        self._connect = connect
        self._heard = heard
        self._listening = Event()
        self._closed = Event()
        self._waker, self._wake_end = socket.socketpair()  # closing the second wakes the thread
        self._thread = Thread(target=self._run, name="parlour-listener", daemon=True)

    def start(self) -> None:
        """Start the thread, and wait until it receives notifications, for at most 10 seconds.

        If connecting takes longer, ``heard(None)`` follows.
        """
        self._thread.start()
        self._listening.wait(10)

    def close(self) -> None:
        self._closed.set()
        self._wake_end.close()
        self._thread.join(2)  # it may be connecting to a host that does not answer

    def _run(self) -> None:
        backoff = FIRST_BACKOFF_SECONDS
        missed = False
        with self._waker:
            while not self._closed.is_set():
                try:
                    with closing(self._connect()) as connection:
                        connection.execute(f"LISTEN {CHANNEL}")
                        backoff = FIRST_BACKOFF_SECONDS
                        self._listening.set()
                        if missed:
                            self._heard(None)
                        self._forward(connection)
                except (psycopg.Error, OSError) as error:
                    missed = True
                    log.warning(
                        "the connection for PostgreSQL notifications failed, trying again in %s s: %s", backoff, error
                    )
                self._closed.wait(backoff)
                backoff = min(backoff * 2, MAX_BACKOFF_SECONDS)

    def _forward(self, connection: psycopg.Connection[Any]) -> None:
        """Forward notifications until the listener is closed or the connection is lost."""
        with selectors.DefaultSelector() as selector:
            selector.register(connection.fileno(), selectors.EVENT_READ)
            selector.register(self._waker, selectors.EVENT_READ)
            while not self._closed.is_set():
                for notification in connection.notifies(timeout=0):
                    self._heard(notification.payload)
                selector.select()
