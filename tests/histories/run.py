"""One run: a house with servers, clients that play, faults meanwhile, and the history of it all."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import httpx

from tests.histories.checker import Violation, check, summary
from tests.histories.clients import Client, Scene, look_around
from tests.histories.faults import Faults, House
from tests.histories.history import Ending, History, seen_in

SETTLING_SECONDS = 90.0  # in which clients come to an end when everything is mended


@dataclass(frozen=True)
class Result:
    """What came of a run."""

    history: History
    faults: Counter[str]
    violations: list[Violation]
    tracebacks: int  # in the servers' logs

    def lines(self) -> list[str]:
        """The same in words."""
        counts = summary(self.history)
        faults = ", ".join(f"{kind} {count}" for kind, count in sorted(self.faults.items())) or "none"
        told = [
            f"{counts['matches']:,} matches, {counts['operations']:,} operations, {counts['states']:,} states seen",
            f"attempts: {counts['done']:,} done, {counts['refused']:,} refused, {counts['unknown']:,} unknown",
            f"faults: {faults}",
            f"violations: {len(self.violations)}",
        ]
        told += [f"  {violation.kind}: {violation.match}: {violation.about}" for violation in self.violations[:40]]
        return told


async def play(
    house: House, seed: str, *, clients: int, seconds: float, plan: Sequence[str] | None = None, pause: float = 3
) -> Result:
    """Let clients play in a house for so many seconds, with a fault every few seconds.

    ``plan``: the faults, in this order; by chance if left out. ``pause``: seconds between two of them, on average.
    """
    random = Random(seed)
    scene = await look_around(house.urls)
    faults = Faults(house, random)
    end = time.monotonic() + seconds
    playing = [asyncio.create_task(Client(scene, f"c{number}", f"{seed} {number}").play()) for number in range(clients)]
    planned = list(plan or ())
    try:
        while time.monotonic() < end and not any(task.done() for task in playing):
            await asyncio.sleep(random.uniform(0.5, 1.5) * pause)
            if plan is None:
                await faults.do(random.choice(list(faults.kinds)))
            elif planned:
                await faults.do(planned.pop(0))
        scene.over = True
        async with asyncio.timeout(SETTLING_SECONDS):
            await asyncio.gather(*playing)
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    await settle(house)
    scene.history.endings = await endings(scene)
    tracebacks = sum(log.count("Traceback") for log in house.logs())
    return Result(scene.history, faults.counts, check(scene.history), tracebacks)


async def settle(house: House) -> None:
    """End the servers and start them again: nothing that was begun goes on after that."""
    for server in house.servers:
        await asyncio.to_thread(server.close)
        await asyncio.to_thread(server.start)


async def endings(scene: Scene) -> list[Ending]:
    """What became of every match that anybody has heard of."""
    found = []
    async with httpx.AsyncClient(base_url=scene.urls[0], timeout=60) as client:
        for match in scene.matches:
            record = await client.get(f"/api/matches/{match}/record")
            state = await client.get(f"/api/matches/{match}")
            if {record.status_code, state.status_code} == {200}:
                found.append(Ending(match, record.text, seen_in(state.json())))
            else:
                assert {record.status_code, state.status_code} == {404}, (record, state)
                found.append(Ending(match, None, None))
    return found
