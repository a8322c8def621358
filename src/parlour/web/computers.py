"""The computers that play here: whenever one of them is to move, it is asked for its move."""

from __future__ import annotations

import asyncio
import logging
from functools import partial

from parlour import players, record
from parlour.errors import TooBig
from parlour.service.commands import ComputerMove, MatchCommand, ReplaceComputer
from parlour.service.errors import NoSuchMatch, SearchFailed
from parlour.service.loaded import LoadedMatch
from parlour.service.matches import MatchService
from parlour.store.errors import BadDatabase, Busy, DamagedDatabase, DamagedMatch, OutcomeUnknown
from parlour.web.messages import ChooseQuestion, ChosenMove, ProveQuestion, Question
from parlour.web.pool import Pool
from parlour.web.turns import Turns

log = logging.getLogger(__name__)

RETRY_SECONDS = 1.0  # after which it is tried again, when there was nobody to think, or nobody to write it down
MOST_FAILURES = 30  # of a search, before the computer is left until somebody looks again


class Computers:
    """Asks for the moves of computers, one for each match at a time."""

    def __init__(self, matches: MatchService, pool: Pool, turns: Turns) -> None:
        self._matches = matches
        self._pool = pool
        self._turns = turns
        self._searches: dict[str, tuple[int, asyncio.Task[None]]] = {}  # by match: the ply, and the task that asks

    def move_if_due(self, loaded: LoadedMatch, owner: str) -> None:
        """Ask for a computer's move if it is its turn; ``owner`` is who looks, and whose question that is then.

        Cheap, so it is done whenever somebody looks at a match or hears of it: that way a computer that was
        interrupted, with the server or by it, goes on as soon as anyone is interested.
        """
        id, ply = loaded.id, loaded.ply
        if id in self._searches:
            begun, search = self._searches[id]
            if ply > begun or (ply == begun and not loaded.computer_to_move):
                search.cancel()  # the match has gone on, here or elsewhere: nobody wants that move any more
                del self._searches[id]
        if loaded.computer_to_move and id not in self._searches:
            self._searches[id] = ply, asyncio.create_task(self._search(loaded, id, ply, owner))

    async def _search(self, loaded: LoadedMatch, id: str, ply: int, owner: str) -> None:
        following: LoadedMatch | None = None
        try:
            following = await self._move(loaded, id, ply, owner)
        except NoSuchMatch:
            pass
        except (DamagedMatch, DamagedDatabase) as error:
            log.error("the computer of match %s did not move: %s", id, error)
        except Exception:
            log.exception("the computer of match %s did not move", id)
        finally:
            if self._searches.get(id, (None, None))[1] is asyncio.current_task():
                del self._searches[id]
        if following is not None:
            self.move_if_due(following, owner)

    async def _move(self, loaded: LoadedMatch, id: str, ply: int, owner: str) -> LoadedMatch:
        """What has become of the match, with the computer's move or an easier computer in its place."""
        player = loaded.match.setup.players[loaded.match.turn - 1]
        kind = ProveQuestion if players.find_kind(player).needs_proof else ChooseQuestion
        question = kind(record=record.write_record(loaded.match))
        answer = await self._ask(question, owner)
        command: MatchCommand = ReplaceComputer(player, ply) if answer.unproved else ComputerMove(answer.move, ply)
        while True:  # what was found is found: when the database is back, it is written
            try:
                return await self._turns.run(owner, partial(self._matches.apply, id, None, command))
            except DamagedDatabase:  # which no waiting repairs
                raise
            except (Busy, BadDatabase, OutcomeUnknown):
                await asyncio.sleep(RETRY_SECONDS)

    async def _ask(self, question: Question[ChosenMove], owner: str) -> ChosenMove:
        """The answer, however busy the pool is; SearchFailed if they fail again and again."""
        failed = 0
        while True:
            try:
                return await self._pool.ask(question, owner=owner)
            except Busy:  # it will be less so
                pass
            except (SearchFailed, TooBig):  # TooBig: the last resort of the pool against a search that hangs
                failed += 1
                if failed == MOST_FAILURES:
                    raise
            await asyncio.sleep(RETRY_SECONDS)

    @property
    def idle(self) -> bool:
        """Whether no move of a computer is being searched for."""
        return not self._searches

    async def close(self) -> None:
        tasks = [task for _, task in self._searches.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
