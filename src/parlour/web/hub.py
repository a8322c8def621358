"""Who is listening to which match, and how they hear of changes.

Every event carries the whole state, so a listener that is slow misses states but never the newest one, and whoever
reconnects needs nothing but the next event.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from secrets import token_urlsafe
from typing import NamedTuple

from starlette.concurrency import run_in_threadpool

from parlour.errors import BadDatabase, Busy, NoSuchMatch
from parlour.service.loaded import LoadedMatch
from parlour.service.matches import MatchService
from parlour.store import SECONDS_BETWEEN_REFRESHES
from parlour.web.states import state_document
from parlour.web.writing import write

log = logging.getLogger(__name__)

MOST_LISTENERS = 5000  # of one process
KEEP_ALIVE = 7.0  # seconds of silence before something is sent all the same


class News(NamedTuple):
    """A match as it was seen, and its state as it is sent; written out once for all who see the same."""

    loaded: LoadedMatch
    state: str  # JSON

    def told(self, kind: str) -> str:
        return f'{{"type":"{kind}","seq":{self.loaded.stored.seq},"state":{self.state}}}'


class Listener:
    """One connection that wants to know of a match."""

    def __init__(self, you: tuple[int, ...]) -> None:
        self.you = you
        self.visit = token_urlsafe(12)
        self.news: News | None = None  # not sent yet
        self.gone = False  # there is no such match any more, or the server closes
        self.wake = asyncio.Event()

    def tell(self, news: News | None) -> None:
        self.news, self.gone = news, news is None
        self.wake.set()

    async def events(self) -> AsyncIterator[News | None]:
        """Each state as it comes, None when nothing has happened for a while; ends when there is no more to come."""
        while not self.gone:
            try:
                async with asyncio.timeout(KEEP_ALIVE):  # wait_for of Python 3.11 can lose a cancellation
                    await self.wake.wait()
            except TimeoutError:
                yield None
                continue
            self.wake.clear()
            news, self.news = self.news, None
            if news is not None:
                yield news


class Hub:
    """The listeners of this process."""

    def __init__(self, matches: MatchService) -> None:
        self._matches = matches
        self._listeners: dict[str, set[Listener]] = {}
        self._telling: dict[str, asyncio.Task[None]] = {}  # by match, while its listeners are being told
        self._dirty: set[str] = set()  # changed again meanwhile
        self._attendance: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to listen to the store."""
        loop = asyncio.get_running_loop()

        def heard(id: str | None) -> None:  # in any thread
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._heard, id)

        self._matches.store.listen(heard)
        self._attendance = loop.create_task(self._call_the_roll())

    async def close(self) -> None:
        """Send everybody home."""
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.tell(None)
        tasks = [task for task in (self._attendance, *self._telling.values()) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def check_room(self) -> None:
        """Busy if too many listen already."""
        if sum(map(len, self._listeners.values())) >= MOST_LISTENERS:
            raise Busy("too many are listening here already; try again later")

    async def join(self, id: str, listener: Listener) -> None:
        """Listen to a match from now on; the first event comes at once. ``leave`` it in any case."""
        self._listeners.setdefault(id, set()).add(listener)
        self._heard(id)
        if listener.you:
            with suppress(BadDatabase):  # nobody is told that a player is here, but the player is told what happens
                await run_in_threadpool(self._arrive, listener, id)

    def _arrive(self, listener: Listener, id: str) -> None:
        for seat in listener.you:
            self._matches.store.begin_visit(f"{listener.visit}{seat}", id, seat)

    async def leave(self, id: str, listener: Listener) -> None:
        listeners = self._listeners.get(id, set())
        listeners.discard(listener)
        if not listeners:
            self._listeners.pop(id, None)
        for seat in listener.you:
            with suppress(BadDatabase):  # then the store notices by itself
                await run_in_threadpool(self._matches.store.end_visit, f"{listener.visit}{seat}")

    def _heard(self, id: str | None) -> None:
        for changed in list(self._listeners) if id is None else [id]:
            if changed in self._telling:
                self._dirty.add(changed)
            elif changed in self._listeners:
                self._telling[changed] = asyncio.create_task(self._tell(changed))

    async def _tell(self, id: str) -> None:
        try:
            while True:
                self._dirty.discard(id)
                views = {listener.you for listener in self._listeners.get(id, ())}
                try:
                    states = await run_in_threadpool(self._look, id, views)
                except BadDatabase:  # it will be back
                    await asyncio.sleep(1)
                    continue
                except Exception:  # a mistake of ours; a page that is sent away comes back and sees for itself
                    log.exception("match %s cannot be shown", id)
                    states = None
                for listener in self._listeners.get(id, ()):
                    if states is None or listener.you in states:
                        listener.tell(None if states is None else states[listener.you])
                    else:  # came while we looked
                        self._dirty.add(id)
                if id not in self._dirty:
                    return
        finally:
            del self._telling[id]

    def _look(self, id: str, views: set[tuple[int, ...]]) -> dict[tuple[int, ...], News] | None:
        try:
            loaded = self._matches.load(id)
        except NoSuchMatch:
            return None
        return {
            you: News(loaded, write(state_document(self._matches, replace(loaded, seats=you))).decode())
            for you in views
        }

    async def _call_the_roll(self) -> None:
        """Say now and then that our visitors are still there, and notice whose process has died."""
        while True:
            await asyncio.sleep(SECONDS_BETWEEN_REFRESHES)
            with suppress(BadDatabase):  # what was missed is made up for the next time
                await run_in_threadpool(self._matches.store.refresh_visits)
