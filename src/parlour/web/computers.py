"""The computers that play here: whenever one of them is to move, it is asked for its move."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from starlette.concurrency import run_in_threadpool

from parlour import players, record
from parlour.errors import BadDatabase, Busy, NoSuchMatch, ThinkingFailed, TooBig
from parlour.service.commands import Command, ComputerMove, ReplaceComputer
from parlour.service.loaded import LoadedMatch
from parlour.service.matches import MatchService
from parlour.web.thinking import Thinkers

log = logging.getLogger(__name__)

PATIENCE = 10.0  # seconds that a computer may think
AGAIN_AFTER = 1.0  # seconds, when there was nobody to think, or nobody to write it down
TRIES = 30  # for a search that breaks off


class Computers:
    """Asks for the moves of computers, one for each match at a time."""

    def __init__(self, matches: MatchService, thinkers: Thinkers) -> None:
        self._matches = matches
        self._thinkers = thinkers
        self._asked: dict[str, tuple[int, asyncio.Task[None]]] = {}  # by match: the ply, and the asking

    def consider(self, loaded: LoadedMatch, owner: str) -> None:
        """See whether it is a computer's turn; ``owner`` is who looks, and whose question that is then.

        Cheap, so it is done whenever somebody looks at a match or hears of it: that way a computer that was
        interrupted, with the server or by it, goes on as soon as anyone is interested.
        """
        id, ply = loaded.id, len(loaded.match.log)
        if id in self._asked:
            begun, asking = self._asked[id]
            if ply > begun or (ply == begun and not loaded.computer_to_move):
                asking.cancel()  # the match has gone on, here or elsewhere: nobody wants that move any more
                del self._asked[id]
        if loaded.computer_to_move and id not in self._asked:
            self._asked[id] = ply, asyncio.create_task(self._play(loaded, id, ply, owner))

    async def _play(self, loaded: LoadedMatch, id: str, ply: int, owner: str) -> None:
        following: LoadedMatch | None = None
        try:
            following = await self._move(loaded, id, ply, owner)
        except NoSuchMatch:
            pass
        except Exception:
            log.exception("the computer of match %s did not move", id)
        finally:
            if self._asked.get(id, (None, None))[1] is asyncio.current_task():
                del self._asked[id]
        if following is not None:
            self.consider(following, owner)

    async def _move(self, loaded: LoadedMatch, id: str, ply: int, owner: str) -> LoadedMatch:
        """What has become of the match, with the computer's move or an easier computer in its place."""
        player = loaded.match.setup.players[loaded.match.turn]
        ask = "prove" if players.find(player).needs_proof else "choose"
        question = {"ask": ask, "record": record.write(loaded.match)}
        try:
            answer = await self._answer(question, owner)
            command: Command = ComputerMove(answer.get("move"), ply)
        except TooBig:
            command = ReplaceComputer(player, ply)
        while True:  # what was found is found: when the database is back, it is written
            try:
                return await run_in_threadpool(self._matches.apply, id, None, command)
            except (Busy, BadDatabase):
                await asyncio.sleep(AGAIN_AFTER)

    async def _answer(self, question: dict[str, Any], owner: str) -> dict[str, Any]:
        failed = 0
        while True:
            try:
                return await self._thinkers.ask(question, owner=owner, seconds=PATIENCE)
            except Busy:  # it will be less so
                pass
            except ThinkingFailed:
                failed += 1
                if failed == TRIES:
                    raise
            await asyncio.sleep(AGAIN_AFTER)

    async def close(self) -> None:
        tasks = [task for _, task in self._asked.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
