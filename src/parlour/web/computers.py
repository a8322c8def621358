"""The computers that play here: whenever one of them is to move, it is asked for its move."""

from __future__ import annotations

import asyncio
import logging

from starlette.concurrency import run_in_threadpool

from parlour import record
from parlour.errors import BadDatabase, Busy, NoSuchMatch, ThinkingFailed, TooBig
from parlour.web.documents import Live
from parlour.web.house import House
from parlour.web.thinking import Thinkers

log = logging.getLogger(__name__)

PATIENCE = 10.0  # seconds that a computer may think
AGAIN_AFTER = 1.0  # seconds, when there was nobody to think
TRIES = 30


class Computers:
    """Asks for the moves of computers, one for each match at a time."""

    def __init__(self, house: House, thinkers: Thinkers) -> None:
        self._house = house
        self._thinkers = thinkers
        self._asked: dict[str, tuple[int, asyncio.Task[None]]] = {}  # by match: the ply, and the asking

    def consider(self, live: Live) -> None:
        """See whether it is a computer's turn. Cheap, so it is done whenever somebody looks at a match: that way a
        computer that was interrupted, with the server or by it, goes on as soon as anyone is interested."""
        id, ply = live.kept.id, len(live.match.log)
        asked = self._asked.get(id)
        if asked is not None and asked[0] < ply:  # the match has gone on: nobody wants that move any more
            asked[1].cancel()
            asked = None
        if live.thinking and asked is None:
            self._asked[id] = ply, asyncio.create_task(self._play(live, id, ply))

    async def _play(self, live: Live, id: str, ply: int) -> None:
        following: Live | None = None
        try:
            following = await self._move(live, id, ply)
        except NoSuchMatch:
            pass
        except Exception:
            log.exception("the computer of match %s did not move", id)
        finally:
            if self._asked.get(id, (None, None))[1] is asyncio.current_task():
                del self._asked[id]
        if following is not None:
            self.consider(following)

    async def _move(self, live: Live, id: str, ply: int) -> Live | None:
        player = live.match.setup.players[live.match.turn]
        question = {"ask": "choose", "record": record.write(live.match)}
        for _ in range(TRIES):
            try:
                try:
                    answer = await self._thinkers.ask(question, seconds=PATIENCE)
                except TooBig:
                    return await run_in_threadpool(self._house.computer_stands_in, id, ply, player)
                return await run_in_threadpool(self._house.computer_plays, id, answer.get("move"), ply)
            except (Busy, ThinkingFailed, BadDatabase):
                await asyncio.sleep(AGAIN_AFTER)
        log.error("the computer of match %s found nobody to think for it", id)
        return None

    async def close(self) -> None:
        tasks = [task for _, task in self._asked.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
