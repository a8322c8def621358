"""Threads for what the server itself has to do, which those who ask take in turns.

A thread waits for the database, replays a few moves and writes a document; what takes longer goes to the worker
processes (``pool``). Nobody has more than a few threads at once, or more than so many requests waiting, and whoever has
had a thread stands last again: so nobody waits for all that somebody else has asked.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import thread_time
from typing import Any, NamedTuple, TypeVar

from parlour.store.errors import Busy

T = TypeVar("T")
Charge = Callable[[str, float], None]

MOST_THREADS = 16  # they wait for the database more than they do anything
THREADS_EACH = 1  # that one owner has at the same time
MOST_WAITING = 100  # pieces of work of one owner


class _Work(NamedTuple):
    """Something to be done in a thread."""

    do: Callable[[], Any]
    done: asyncio.Future[Any]


class Turns:
    """The threads of a server. To be used in one event loop."""

    def __init__(self, charge: Charge | None = None, threads: int = MOST_THREADS, each: int = THREADS_EACH) -> None:
        """``charge`` is told the owner of each piece of work and the seconds of the processor that it took."""
        self._charge = charge
        self._free = threads
        self._each = each
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="parlour-turns")
        self._waiting: dict[str, deque[_Work]] = {}  # by owner; whose turn it is stands first
        self._running: Counter[str] = Counter()

    async def run(self, owner: str, do: Callable[[], T]) -> T:
        """What comes of it, done in a thread when it is this owner's turn; Busy if too much of theirs waits already.

        Whoever is cancelled while it waits has given it up. What has begun goes on to its end, but nobody hears of it.
        """
        if len(self._waiting.get(owner, ())) >= MOST_WAITING:
            raise Busy("too many requests from your address are waiting; wait for some of them")
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(owner, deque()).append(_Work(do, done))
        self._dispatch()
        return await done

    def _dispatch(self) -> None:
        """Let those whose turn it is have the threads that are free."""
        while self._free:
            owner = next((owner for owner in self._waiting if self._running[owner] < self._each), None)
            if owner is None:
                return
            waiting = self._waiting.pop(owner)
            work = waiting.popleft()
            if waiting:
                self._waiting[owner] = waiting  # who has had one stands last
            if not work.done.done():
                self._begin(owner, work)

    def _begin(self, owner: str, work: _Work) -> None:
        self._free -= 1
        self._running[owner] += 1
        loop = asyncio.get_running_loop()

        def measured() -> tuple[Any, BaseException | None, float]:
            begun = thread_time()
            try:
                return work.do(), None, thread_time() - begun
            except BaseException as error:
                return None, error, thread_time() - begun

        def ended(running: asyncio.Future[tuple[Any, BaseException | None, float]]) -> None:
            self._free += 1
            self._running[owner] -= 1
            if not self._running[owner]:
                del self._running[owner]
            if not running.cancelled():
                found, error, seconds = running.result()
                if self._charge is not None:
                    self._charge(owner, seconds)
                if not work.done.done():
                    work.done.set_result(found) if error is None else work.done.set_exception(error)
            self._dispatch()

        loop.run_in_executor(self._threads, measured).add_done_callback(ended)

    def close(self) -> None:
        """Begin nothing more. Nobody is waited for: a thread may wait for a database that does not answer."""
        for waiting in self._waiting.values():
            for work in waiting:
                work.done.cancel()
        self._waiting.clear()
        self._threads.shutdown(wait=False, cancel_futures=True)
