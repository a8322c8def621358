"""How pytest runs under ``make mutants``: a plugin for the thousands of short runs that it makes, and for nothing else.

Mutants are functions in the place of others, and Numba cannot compile what stands there, so that all is run as it
stands. A few examples, always the same, do for a property, and one that fails is not made smaller. The quickest tests
come first, because one failure is enough; and a test that takes far more work than it should has failed too, since a
mutant may have taken away what ends a loop. What was remembered before is forgotten: no mutant had a part in it.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, Phase, settings
from mutmut.state import state

sys.modules["numba"] = None  # type: ignore[assignment]  # as if it were not installed

QUICK = "PARLOUR_QUICK_MUTANTS"  # set: the tests that take longest are left out
LONGEST_QUICK_SHARE = 0.0025  # of the time that all take together

settings.register_profile(
    "mutants",
    max_examples=30,
    derandomize=True,
    database=None,
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("mutants")


def seconds(item: pytest.Item) -> float:
    """How long a test took before anything was changed; 0 if that is still to be found out."""
    return state().duration_by_test.get(item.nodeid, 0)


def pytest_sessionstart() -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] in ("parlour", "tests")]:
        for remembering in vars(sys.modules[name]).values():
            if hasattr(remembering, "cache_clear"):
                remembering.cache_clear()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=seconds)
    if QUICK in os.environ:
        longest = LONGEST_QUICK_SHARE * sum(state().duration_by_test.values())
        quick = [item for item in items if seconds(item) <= longest]
        items[:] = quick or items


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    def give_up(*_: object) -> None:
        pytest.fail("it does not end")

    signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, 3 + 5 * seconds(item) if seconds(item) else 600)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
