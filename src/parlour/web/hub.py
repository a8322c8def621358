"""Who is listening to which match, and how they hear of changes.

Every event carries the whole state, so a listener that is slow misses states but never the newest one, and whoever
reconnects needs nothing but the next event.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterable
from dataclasses import replace
from functools import partial
from itertools import islice
from secrets import token_urlsafe
from typing import Literal, NamedTuple

from parlour.documents.match import MatchEvent, State
from parlour.service.errors import NoSuchMatch
from parlour.service.loaded import LoadedMatch
from parlour.service.matches import MatchService
from parlour.service.new_matches import SeatHashes
from parlour.store import SECONDS_BETWEEN_REFRESHES, Visit
from parlour.store.errors import BadDatabase, Busy, DamagedMatch
from parlour.view import PlayerNumber
from parlour.web.states import state_document
from parlour.web.turns import Turns
from parlour.web.wire import write

log = logging.getLogger(__name__)

MOST_LISTENERS = 5000  # of one process
KEEP_ALIVE_SECONDS = 7.0  # of silence before something is sent all the same
SECONDS_EACH = 0.001  # for every listener of a match, before they are sent its next state
MAX_LOADS = 2  # matches loaded at the same time
ARRIVAL_SECONDS = 10.0  # to load the match of a page that connects
MAX_VISITS_AT_ONCE = 100  # written in one transaction
FIRST_STATE_SECONDS = 0.5  # wait for a slow database to write a visit, before the page is sent its first state
RELOAD_SECONDS = 1.0  # before a match is loaded again when the database was away
LOOK_SECONDS = 0.5  # between two looks for what other processes did, where the store does not tell


class StateEvent:
    """A match as it was loaded, for all who see the same of it: what is sent is written out once."""

    def __init__(self, loaded: LoadedMatch, state: State) -> None:
        self.loaded = loaded
        self._state = state
        self._messages: dict[str, str] = {}

    def message(self, kind: Literal["full", "state"]) -> str:
        """The event as it is sent."""
        if kind not in self._messages:
            event = MatchEvent(type=kind, seq=self.loaded.stored.seq, state=self._state)
            self._messages[kind] = write(event).decode()
        return self._messages[kind]


class Listener:
    """One connection that wants to know of a match."""

    def __init__(self, seats: tuple[PlayerNumber, ...], seat_hashes: SeatHashes = (None, None)) -> None:
        """``seat_hashes``: of the match when its secret was shown."""
        self.seats = seats  # of whoever is connected
        self._shown = [seat_hashes[player - 1] for player in seats]
        self.visit = token_urlsafe(12)  # what the store calls this connection
        self._next: StateEvent | None = None  # not sent yet
        self._gone = False
        self._wake = asyncio.Event()

    def has_seats(self, event: StateEvent) -> bool:
        """Whether the secret that was shown still fits the seats; of whoever watches none is wanted."""
        return [event.loaded.stored.seat_hash(player) for player in self.seats] == self._shown

    def send(self, event: StateEvent) -> None:
        """Let this be the next event, instead of one that was not sent yet."""
        self._next = event
        self._wake.set()

    def send_away(self) -> None:
        """Let nothing more come: there is no such match any more, or the server closes."""
        self._next, self._gone = None, True
        self._wake.set()

    async def events(self) -> AsyncIterator[StateEvent | None]:
        """Each state as it comes, None when nothing has happened for a while; ends when there is no more to come."""
        while not self._gone:
            try:
                async with asyncio.timeout(KEEP_ALIVE_SECONDS):  # wait_for of Python 3.11 can lose a cancellation
                    await self._wake.wait()
            except TimeoutError:
                yield None
                continue
            self._wake.clear()
            event, self._next = self._next, None
            if event is not None:
                yield event


class HubSnapshot(NamedTuple):
    """The work of a hub at one moment."""

    listeners: int  # connections
    followed: int  # matches whose changes by other processes are looked for
    updates: int  # matches whose state is being loaded or sent
    visits: int  # arrivals and departures that are not written yet

    @property
    def idle(self) -> bool:
        """Whether every state is sent and every visit is written."""
        return not self.updates and not self.visits


class Hub:
    """The listeners of this process."""

    def __init__(self, matches: MatchService, turns: Turns) -> None:
        self._matches = matches
        self._turns = turns
        self._listeners: dict[str, set[Listener]] = {}  # by match
        self._updates: dict[str, asyncio.Task[None]] = {}  # by match, while its listeners are sent its state
        self._changed_again: set[str] = set()  # matches, since that began
        self._sent: dict[str, int] = {}  # by match: the seq of the state that its listeners were sent last
        self._begun: dict[str, Visit] = {}  # visits that are not written yet, by their names
        self._ended: list[str] = []  # the same of visits that are over
        self._writing: asyncio.Task[None] | None = None  # while visits are written
        self._closed = False
        self._arrivals = asyncio.Semaphore(MAX_LOADS)  # loads for pages that connect: moves go between them
        self._loads = asyncio.Semaphore(MAX_LOADS)  # the same for states that are sent
        self._background: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to listen to the store."""
        loop = asyncio.get_running_loop()

        def changed(id: str | None) -> None:  # in any thread
            if id is not None and id not in self._listeners:  # whoever comes later is sent what there is then
                return
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._changed, id)

        self._matches.store.listen(changed)
        self._background.append(loop.create_task(self._refresh_visits()))
        if not self._matches.store.others_are_heard:
            self._background.append(loop.create_task(self._look_for_others()))

    async def close(self) -> None:
        """Send everybody away."""
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.send_away()
        self._closed = True
        tasks = [*self._background, *self._updates.values(), *([self._writing] if self._writing else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @property
    def listeners(self) -> int:
        """How many listen, to whichever match."""
        return sum(map(len, self._listeners.values()))

    def snapshot(self) -> HubSnapshot:
        """Return the work in progress."""
        visits = len(self._begun) + len(self._ended) + (self._writing is not None)
        return HubSnapshot(self.listeners, len(self._sent), len(self._updates), visits)

    def check_room(self) -> None:
        """Busy if too many listen already."""
        if self.listeners >= MOST_LISTENERS:
            raise Busy("too many are listening here already; try again later")

    async def load(self, owner: str, id: str, secret: str | None) -> LoadedMatch:
        """Load a match for a page that connects; Busy if that takes too long."""
        try:
            async with asyncio.timeout(ARRIVAL_SECONDS), self._arrivals:
                return await self._turns.run(owner, partial(self._matches.load, id, secret))
        except TimeoutError:
            raise Busy(f"the server is busy: no answer within {ARRIVAL_SECONDS:g} seconds; try again") from None

    def add(self, id: str, listener: Listener) -> None:
        """Add a listener to a match; the first event comes soon. ``remove`` them in any case.

        The first event of a seated player comes when the store knows that the player is there, so that the match is
        loaded and sent once and not twice.
        """
        self._listeners.setdefault(id, set()).add(listener)
        if listener.seats:
            self._begun |= {f"{listener.visit}{player}": Visit(id, player) for player in listener.seats}
            self._write_visits()
        else:
            self._changed(id)

    def remove(self, id: str, listener: Listener) -> None:
        """Let somebody listen no more, whether or not they did."""
        listeners = self._listeners.get(id, set())
        listeners.discard(listener)
        if not listeners:
            self._listeners.pop(id, None)
            self._sent.pop(id, None)
        for visit in (f"{listener.visit}{player}" for player in listener.seats):
            if self._begun.pop(visit, None) is None:
                self._ended.append(visit)
        self._write_visits()

    def _write_visits(self) -> None:
        """Write which players have come and gone, soon."""
        if (self._begun or self._ended) and self._writing is None and not self._closed:
            self._writing = asyncio.create_task(self._write_all_visits())

    async def _write_all_visits(self) -> None:
        """Write the visits that have begun and ended, all that there are in one transaction.

        When hundreds of pages come at the same moment, because a server was restarted, a few transactions are enough,
        and a move waits for one of them at most.
        """
        try:
            while self._begun or self._ended:
                begun = dict(islice(self._begun.items(), MAX_VISITS_AT_ONCE))
                ended = self._ended[:MAX_VISITS_AT_ONCE]
                for visit in begun:
                    del self._begun[visit]
                del self._ended[: len(ended)]
                ids = {where.match for where in begun.values()}
                write = self._turns.run("visits", partial(self._matches.store.change_visits, begun, ended))
                writing = asyncio.ensure_future(write)
                try:
                    await asyncio.wait([writing], timeout=FIRST_STATE_SECONDS)
                    if not writing.done():
                        self._changed_all(ids)
                        ids = set()
                    ids -= await writing
                except BadDatabase:  # other pages don't see this player arrive; the player still gets states
                    pass
                except Exception:  # a bug of ours must not stop later arrivals from being written
                    log.exception("who is there cannot be written")
                finally:
                    writing.cancel()
                self._changed_all(ids)
        finally:
            self._writing = None

    def _changed_all(self, ids: Iterable[str]) -> None:
        for id in ids:
            self._changed(id)

    def _changed(self, id: str | None) -> None:
        """A match has changed; None: any may have."""
        for changed in list(self._listeners) if id is None else [id]:
            if changed in self._updates:
                self._changed_again.add(changed)
            elif changed in self._listeners:
                self._updates[changed] = asyncio.create_task(self._update(changed))

    async def _update(self, id: str) -> None:
        """Send everybody who listens to a match its state, until it is the newest or nobody listens any more."""
        try:
            while id in self._listeners:
                self._changed_again.discard(id)
                views = {listener.seats for listener in self._listeners.get(id, ())}
                try:
                    async with self._loads:
                        events = await self._turns.run(id, partial(self._events, id, views))
                except BadDatabase:  # it will be back
                    await asyncio.sleep(RELOAD_SECONDS)
                    continue
                except Exception:  # a mistake of ours; a page that is sent away comes back and sees for itself
                    log.exception("match %s cannot be shown", id)
                    events = None
                if events and id in self._listeners:
                    self._sent[id] = next(iter(events.values())).loaded.stored.seq
                for listener in self._listeners.get(id, ()):
                    if events is None:
                        listener.send_away()
                    elif listener.seats in events:
                        event = events[listener.seats]
                        if listener.has_seats(event):
                            listener.send(event)
                        else:  # it was renewed: whoever has the new secret comes back with it
                            listener.send_away()
                    else:  # came while the match was being loaded
                        self._changed_again.add(id)
                await asyncio.sleep(SECONDS_EACH * len(self._listeners.get(id, ())))
                if id not in self._changed_again:
                    return
        finally:
            del self._updates[id]

    def _events(
        self, id: str, views: set[tuple[PlayerNumber, ...]]
    ) -> dict[tuple[PlayerNumber, ...], StateEvent] | None:
        """The state of a match as each of these seats sees it; None if there is no such match any more."""
        try:
            loaded = self._matches.load(id)
        except NoSuchMatch:
            return None
        except DamagedMatch as error:  # whoever is sent away comes back, and is told
            log.error("%s", error)
            return None
        events = {}
        for seats in views:
            view = replace(loaded, seats=seats)
            events[seats] = StateEvent(view, state_document(self._matches, view))
            events[seats].message("state")  # written out here, and not in the event loop
        return events

    async def _refresh_visits(self) -> None:
        """Say now and then that our visitors are still there, and notice whose process has died."""
        while True:
            await asyncio.sleep(SECONDS_BETWEEN_REFRESHES)
            try:
                await self._turns.run("", self._matches.store.refresh_visits)
            except BadDatabase:  # what was missed is made up for the next time
                pass
            except Exception:  # a mistake of ours; without this nobody would ever be seen to leave again
                log.exception("who is there cannot be refreshed")

    async def _look_for_others(self) -> None:
        """Notice what another process has done to a match that somebody listens to: ``parlour mcp``, for one."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if not self._sent:
                continue
            try:
                seqs = await self._turns.run("", partial(self._matches.store.seqs, list(self._sent)))
            except BadDatabase:  # it will be back
                continue
            except Exception:  # a mistake of ours; without this nobody would ever hear of others again
                log.exception("what other processes did cannot be seen")
                continue
            for id, sent in list(self._sent.items()):
                if seqs.get(id) != sent:
                    self._changed(id)
