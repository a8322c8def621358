"""Expired matches are removed, unless the clock may be wrong."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from parlour.service.expiry import Expiry
from parlour.store import Lifetimes, Store, open_store
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


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    url = f"sqlite:///{tmp_path}/web.sqlite3" if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    store = open_store(url)
    yield store
    store.close()


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[Store]:
    """For tests in which real days pass: PostgreSQL has a clock of its own."""
    store = open_store(f"sqlite:///{tmp_path}/web.sqlite3")
    yield store
    store.close()


def fill(store: Store, changed_at: float, prefix: str, number: int = 20) -> None:
    for count in range(number):
        store.add(new_match(f"{prefix}{count}", changed_at=changed_at))


def test_a_wrong_clock_at_the_start_removes_nothing(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    machine = Machine()
    fill(store, machine.now - 60, "live")
    machine.now += LIFETIME + DAY
    assert machine.expiry(store).remove() == 0
    assert store.count() == 20
    assert "20 matches look expired" in caplog.text
    assert "check the clock of this machine" in caplog.text


def test_expired_matches_are_removed_and_counted_in_the_log(store: Store, caplog: pytest.LogCaptureFixture) -> None:
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


def test_a_store_without_changes_for_weeks_is_cleaned_after_a_day(sqlite: Store) -> None:
    machine = Machine()
    fill(sqlite, machine.now - 40 * DAY, "old")
    expiry = machine.expiry(sqlite)
    removed = []
    for _ in range(25):
        removed.append(expiry.remove())
        machine.passes(HOUR)
    assert removed == [0] * 24 + [20]


def test_matches_expire_on_time_while_nothing_changes_for_weeks(sqlite: Store) -> None:
    machine = Machine()
    fill(sqlite, machine.now, "live")
    expiry = machine.expiry(sqlite)
    days = 0
    while expiry.remove() == 0:
        machine.passes(DAY)
        days += 1
    assert days == 31  # the first check after the lifetime


def test_a_clock_that_jumps_while_the_server_runs_removes_nothing_for_a_day(sqlite: Store) -> None:
    machine = Machine()
    fill(sqlite, machine.now, "live")
    expiry = machine.expiry(sqlite)
    assert expiry.remove() == 0
    machine.passes(HOUR)
    machine.now += LIFETIME + DAY
    fill(sqlite, machine.now, "wrong", 1)  # a change that has the wrong time
    for _ in range(24):
        assert expiry.remove() == 0
        machine.passes(HOUR)
    assert expiry.remove() == 20


def test_nothing_is_removed_as_long_as_the_clock_of_postgresql_disagrees(postgres_url: str) -> None:
    store = open_store(postgres_url)
    machine = Machine()
    fill(store, machine.now, "live")
    machine.now += LIFETIME + DAY
    fill(store, machine.now, "wrong", 1)  # the newest change agrees with the wrong clock
    expiry = machine.expiry(store)
    for _ in range(50):
        assert expiry.remove() == 0
        machine.passes(HOUR)
    assert store.count() == 21
    store.close()


def test_a_damaged_date_does_not_hide_the_newest_change(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/web.sqlite3")
    machine = Machine()
    fill(store, machine.now, "live", 2)
    with store._database.writing() as connection:
        connection.exec_driver_sql("UPDATE matches SET touched = 'x' WHERE id = 'live0'")
    assert store.newest_change() == machine.now
    store.close()
