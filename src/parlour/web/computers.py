"""The computers that play here: whenever one of them is to move, it is asked for its move."""

from __future__ import annotations

import asyncio

from starlette.concurrency import run_in_threadpool

from parlour import record
from parlour.errors import BadDatabase, Busy, NoSuchMatch, ThinkingFailed, TooBig
from parlour.web.documents import Live
from parlour.web.house import House
from parlour.web.thinking import Thinkers

PATIENCE = 20.0  # seconds that a computer may think
AGAIN_AFTER = 1.0  # seconds, when there was nobody to think
TRIES = 30


class Computers:
    """Asks for the moves of computers, each once."""

    def __init__(self, house: House, thinkers: Thinkers) -> None:
        self._house = house
        self._thinkers = thinkers
        self._asked: dict[tuple[str, int], asyncio.Task[None]] = {}

    def consider(self, live: Live) -> None:
        """See whether it is a computer's turn. Cheap, so it is done whenever somebody looks at a match: that way a
        computer that was interrupted, with the server or by it, goes on as soon as anyone is interested."""
        place = (live.kept.id, len(live.match.log))
        if live.thinking and place not in self._asked:
            self._asked[place] = asyncio.create_task(self._play(live, place))

    async def _play(self, live: Live, place: tuple[str, int]) -> None:
        following: Live | None = None
        try:
            following = await self._move(live, *place)
        except (NoSuchMatch, BadDatabase):  # whoever looks next starts it again
            pass
        finally:
            del self._asked[place]
        if following is not None:
            self.consider(following)

    async def _move(self, live: Live, id: str, ply: int) -> Live | None:
        question = {"ask": "choose", "record": record.write(live.match)}
        for _ in range(TRIES):
            try:
                answer = await self._thinkers.ask(question, seconds=PATIENCE)
            except TooBig:
                return await run_in_threadpool(self._house.computer_stands_in, id, ply)
            except (Busy, ThinkingFailed):
                await asyncio.sleep(AGAIN_AFTER)
            else:
                return await run_in_threadpool(self._house.computer_plays, id, answer.get("move"), ply)
        return None

    async def close(self) -> None:
        tasks = list(self._asked.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
