"""Expired matches are removed, unless the clock may be wrong."""

from __future__ import annotations

from parlour.store import Store
from tests.support.expiry import DAY, HOUR, LIFETIME, ExpiryTests, Machine, fill


class TestExpiryOnSqlite(ExpiryTests):
    """In memory."""


def test_a_store_without_changes_for_weeks_is_cleaned_after_a_day(store: Store) -> None:
    machine = Machine()
    fill(store, machine.now - 40 * DAY, "old")
    expiry = machine.expiry(store)
    removed = []
    for _ in range(25):
        removed.append(expiry.remove())
        machine.passes(HOUR)
    assert removed == [0] * 24 + [20]


def test_matches_expire_on_time_while_nothing_changes_for_weeks(store: Store) -> None:
    machine = Machine()
    fill(store, machine.now, "live")
    expiry = machine.expiry(store)
    days = 0
    while expiry.remove() == 0:
        machine.passes(DAY)
        days += 1
    assert days == 31  # the first check after the lifetime


def test_a_clock_that_jumps_while_the_server_runs_removes_nothing_for_a_day(store: Store) -> None:
    machine = Machine()
    fill(store, machine.now, "live")
    expiry = machine.expiry(store)
    assert expiry.remove() == 0
    machine.passes(HOUR)
    machine.now += LIFETIME + DAY
    fill(store, machine.now, "wrong", 1)  # a change that has the wrong time
    for _ in range(24):
        assert expiry.remove() == 0
        machine.passes(HOUR)
    assert expiry.remove() == 20


def test_a_damaged_date_does_not_hide_the_newest_change(store: Store) -> None:
    machine = Machine()
    fill(store, machine.now, "live", 2)
    with store.database.writing() as connection:
        connection.exec_driver_sql("UPDATE matches SET touched = 'x' WHERE id = 'live0'")
    assert store.newest_change() == machine.now
