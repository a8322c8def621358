"""Hearing from PostgreSQL what other processes have done."""

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
FIRST_PAUSE_SECONDS = 0.1  # before the connection is tried again; twice as long each time, up to
LONGEST_PAUSE_SECONDS = 5.0

log = logging.getLogger(__name__)


class NotificationListener:
    """A thread with a connection of its own that passes on what is said on the channel.

    ``heard`` is called with each payload, and with None when the connection had been lost and is there again:
    something may have been said in the meantime.
    """

    def __init__(self, connect: Callable[[], psycopg.Connection[Any]], heard: Callable[[str | None], None]) -> None:
        self._connect = connect
        self._heard = heard
        self._listening = Event()
        self._closed = Event()
        self._bell, self._ring = socket.socketpair()  # wakes the thread from waiting for PostgreSQL
        self._thread = Thread(target=self._run, name="parlour-listener", daemon=True)

    def start(self) -> None:
        """From when this returns nothing is missed, unless it takes long to connect: then None will be heard."""
        self._thread.start()
        self._listening.wait(10)

    def close(self) -> None:
        self._closed.set()
        self._ring.close()
        self._thread.join(2)  # not for ever: it may be connecting to a host that does not answer

    def _run(self) -> None:
        pause = FIRST_PAUSE_SECONDS
        missed = False
        with self._bell:
            while not self._closed.is_set():
                try:
                    with closing(self._connect()) as connection:
                        connection.execute(f"LISTEN {CHANNEL}")
                        pause = FIRST_PAUSE_SECONDS
                        self._listening.set()
                        if missed:
                            self._heard(None)
                        self._attend(connection)
                except (psycopg.Error, OSError) as error:
                    missed = True
                    log.warning("PostgreSQL is not heard, trying again in %s s: %s", pause, error)
                self._closed.wait(pause)
                pause = min(pause * 2, LONGEST_PAUSE_SECONDS)

    def _attend(self, connection: psycopg.Connection[Any]) -> None:
        """Pass on everything until the listener is closed or the connection lost."""
        with selectors.DefaultSelector() as selector:
            selector.register(connection.fileno(), selectors.EVENT_READ)
            selector.register(self._bell, selectors.EVENT_READ)
            while not self._closed.is_set():
                for notification in connection.notifies(timeout=0):
                    self._heard(notification.payload)
                selector.select()
