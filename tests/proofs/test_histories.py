"""Short runs with real servers, real databases and real faults: what the clients saw has to be possible.

``python -m bench.histories`` does the same for as long as one likes, with more kinds of fault.
"""

from __future__ import annotations

import asyncio

import pytest

from tests.support.histories.checker import summary
from tests.support.histories.faults import House
from tests.support.histories.run import Result, play


def run(database: str, servers: int, plan: list[str]) -> Result:
    house = House(database, servers, with_disk=False)
    try:
        result = asyncio.run(play(house, "short", clients=8, plan=plan, pause=1.5))
    finally:
        house.close()
    assert result.violations == [], "\n".join(result.lines())
    assert sorted(result.faults.elements()) == sorted(plan)
    counts = summary(result.history)
    assert counts["done"] > 10, counts
    return result


@pytest.mark.parametrize(
    ("database", "servers", "plan"),
    [
        ("sqlite", 1, ["kill a server", "kill a worker", "kill a server"]),
        ("postgresql", 2, ["kill a server", "kill a worker", "freeze the database for long"]),
    ],
    ids=["sqlite and kills", "postgresql, two servers, kills and a long freeze"],
)
def test_histories_with_faults_have_nothing_impossible(database: str, servers: int, plan: list[str]) -> None:
    run(database, servers, plan)
