"""One run: a house with servers, clients that play, faults meanwhile, and the history of it all."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import inf
from random import Random

import httpx

from tests.support.histories.checker import Violation, check, summary
from tests.support.histories.clients import Client, Scene, look_around
from tests.support.histories.faults import Faults, House
from tests.support.histories.history import Ending, History, seen_in

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
    house: House,
    seed: str,
    *,
    clients: int,
    plan: Iterable[str] | None = None,
    seconds: float = inf,
    pause: float = 3,
) -> Result:
    """Let clients play in a house while one fault after the other befalls it.

    ``plan``: the kinds of fault, in their order; if left out, any, by chance. It ends with the plan, or after so many
    ``seconds``. ``pause``: seconds before each fault and after the last, on average.
    """
    random = Random(seed)
    scene = await look_around(house.urls)
    faults = Faults(house, random)
    end = time.monotonic() + seconds
    playing = [asyncio.create_task(Client(scene, f"c{number}", f"{seed} {number}").play()) for number in range(clients)]
    try:
        for kind in plan or iter(lambda: random.choice(list(faults.kinds)), None):
            await asyncio.sleep(random.uniform(0.5, 1.5) * pause)
            if time.monotonic() > end or any(task.done() for task in playing):
                break
            await faults.do(kind)
        await asyncio.sleep(pause)
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
    """End the servers, so that nothing goes on that was begun, and start one of them again."""
    for server in house.servers:
        await asyncio.to_thread(server.close)
    await asyncio.to_thread(house.servers[0].start)


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
