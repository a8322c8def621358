"""The removal of expired matches, guarded against a wrong clock."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from parlour.store import Lifetimes, Store

MAX_CLOCK_DIFFERENCE = 86400.0  # seconds
HOLD_SECONDS = 86400.0  # pause of all removals after a check in which the clock was implausible

log = logging.getLogger(__name__)


class Expiry:
    """Removes expired matches, but only while the clock of this machine is plausible.

    Each removal compares the clock with the clock of the database, if it has one, and with the time since the last
    removal. The first one compares it with the newest change in the store. After a difference of more than a day
    nothing is removed for 24 hours, because a machine with a wrong clock would remove every live match. A store that
    really has not changed for days is cleaned after those 24 hours.
    """

    def __init__(
        self,
        store: Store,
        lifetimes: Lifetimes,
        clock: Callable[[], float] | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """``clock`` returns seconds since 1970, ``monotonic`` seconds since an arbitrary moment."""
        self._store = store
        self._lifetimes = lifetimes
        self._clock = clock or time.time
        self._monotonic = monotonic
        self._last_check: tuple[float, float] | None = None  # clock and monotonic
        self._held_until = float("-inf")  # monotonic

    def remove(self) -> int:
        """Remove the expired matches; return their number."""
        now, running = self._clock(), self._monotonic()
        problem = self._find_clock_problem(now, running)
        self._last_check = now, running
        if problem is not None:
            self._held_until = running + HOLD_SECONDS
            if expired := self._store.count_expired(now, self._lifetimes):
                log.warning(
                    "%d matches look expired, but %s; nothing is removed for %d hours: check the clock of this machine",
                    expired,
                    problem,
                    HOLD_SECONDS / 3600,
                )
        if running < self._held_until:
            return 0
        removed = self._store.remove_expired(now, self._lifetimes)
        if removed:
            log.info("removed %d expired match%s", removed, "" if removed == 1 else "es")
        return removed

    def _find_clock_problem(self, now: float, running: float) -> str | None:
        """Return why the clock may be wrong; None if it is plausible."""
        database = self._store.database_time()
        if database is not None and abs(now - database) > MAX_CLOCK_DIFFERENCE:
            return f"the clock is {_difference(now, database)} the database's clock"
        if self._last_check is not None:
            expected = self._last_check[0] + running - self._last_check[1]
            if abs(now - expected) > MAX_CLOCK_DIFFERENCE:
                return f"the clock is {_difference(now, expected)} where it should be"
            return None
        newest = self._store.newest_change()
        if newest is not None and abs(now - newest) > MAX_CLOCK_DIFFERENCE:
            return f"the clock is {_difference(now, newest)} the newest stored change"
        return None


def _difference(clock: float, other: float) -> str:
    """Return a text such as "31 days ahead of"."""
    days = abs(clock - other) / 86400
    return f"{days:.0f} day{'' if round(days) == 1 else 's'} {'ahead of' if clock > other else 'behind'}"
