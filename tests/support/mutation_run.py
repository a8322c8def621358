"""The pytest plugin of ``make mutants``, for thousands of short runs.

Changed rules are not in the compiled engines, so tests run in pure Python. Only where the code around the engines is
changed do they use the shipped ones, whose digest then matches no source. Property tests try a few fixed examples and
don't shrink failures. The quickest tests run first, because one failure is enough. A test that takes far longer than
usual fails, since the change may have made a loop endless. Caches are cleared, because they were filled by unchanged
code.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, Phase, settings
from mutmut.state import state

ENGINES = "PARLOUR_ENGINES_OF_MUTANTS"  # set: the shipped engines are used
if ENGINES in os.environ:
    from parlour.engine import artefacts

    artefacts.read = lambda game, path: path.read_bytes()
else:
    sys.modules["wasmtime"] = None  # type: ignore[assignment]  # as if it were not installed

if not hasattr(pytest.Item, "_nodeid"):  # mutmut 3.8 reads it, and pytest 9.2 no longer has it
    pytest.Item._nodeid = property(lambda item: item.nodeid)  # type: ignore[attr-defined]

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
