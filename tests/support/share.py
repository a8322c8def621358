"""A seeded share of parametrised tests: the same cases in every process that knows the seed."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random


def choose_share(ids: Iterable[str], fraction: float, seed: int) -> set[str]:
    """Return the node ids of a random share of the cases of each test function, at least one of each.

    The choice depends on the ids and the seed only, not on their order, so that all workers of a run make the same.
    """
    cases: dict[str, list[str]] = {}
    for id in ids:
        cases.setdefault(id.partition("[")[0], []).append(id)
    chosen: set[str] = set()
    for function, found in cases.items():
        number = max(1, round(fraction * len(found)))
        chosen.update(Random(f"{seed} {function}").sample(sorted(found), min(number, len(found))))
    return chosen
