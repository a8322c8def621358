"""Tests of the removal of expired matches; each layer runs them on its own database."""

from __future__ import annotations

import logging
import time

import pytest

from parlour.service.expiry import Expiry
from parlour.store import Lifetimes, Store
from tests.support.store import new_match

HOUR, DAY = 3600.0, 86400.0
LIFETIME = Lifetimes().playing


class Machine:
    """A machine with a clock that can be set wrong."""

    def __init__(self) -> None:
        self.now = time.time()
        self.running = 50.0

    def passes(self, seconds: float) -> None:
        self.now += seconds
        self.running += seconds

    def expiry(self, store: Store) -> Expiry:
        """A server process that starts now."""
        return Expiry(store, Lifetimes(), lambda: self.now, lambda: self.running)


def fill(store: Store, changed_at: float, prefix: str, number: int = 20) -> None:
    for count in range(number):
        store.add(new_match(f"{prefix}{count}", changed_at=changed_at))


class ExpiryTests:
    """Needs the fixture `store`."""

    def test_a_wrong_clock_at_the_start_removes_nothing(self, store: Store, caplog: pytest.LogCaptureFixture) -> None:
        machine = Machine()
        fill(store, machine.now - 60, "live")
        machine.now += LIFETIME + DAY
        assert machine.expiry(store).remove() == 0
        assert store.count() == 20
        assert "20 matches look expired" in caplog.text
        assert "check the clock of this machine" in caplog.text

    def test_expired_matches_are_removed_and_counted_in_the_log(
        self, store: Store, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.INFO)
        machine = Machine()
        fill(store, machine.now - 60, "live", 3)
        fill(store, machine.now - LIFETIME - 60, "old", 4)
        expiry = machine.expiry(store)
        assert expiry.remove() == 4
        assert store.count() == 3
        assert caplog.messages == ["removed 4 expired matches"]
        assert expiry.remove() == 0
        assert len(caplog.messages) == 1
