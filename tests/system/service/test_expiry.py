"""Expired matches are removed from PostgreSQL, whose clock is asked as well."""

from __future__ import annotations

from parlour.store import Store
from tests.support.expiry import DAY, HOUR, LIFETIME, ExpiryTests, Machine, fill


class TestExpiryOnPostgresql(ExpiryTests):
    """The same tests as on SQLite."""


def test_nothing_is_removed_as_long_as_the_clock_of_postgresql_disagrees(store: Store) -> None:
    machine = Machine()
    fill(store, machine.now, "live")
    machine.now += LIFETIME + DAY
    fill(store, machine.now, "wrong", 1)  # the newest change agrees with the wrong clock
    expiry = machine.expiry(store)
    for _ in range(50):
        assert expiry.remove() == 0
        machine.passes(HOUR)
    assert store.count() == 21
