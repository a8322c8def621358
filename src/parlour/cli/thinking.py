"""A thread for computers to think in: whoever is tired of waiting need not wait until a search looks up.

A search looks at its limit every few hundredths of a second, but what it compiles first can take seconds.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any, Generic, TypeVar

from parlour.errors import TooBig
from parlour.limit import Limit

R = TypeVar("R")

GRACE = 0.4  # seconds in which work that is hurried may still come to an answer


class _Task(Generic[R]):
    def __init__(self, work: Callable[[], R]) -> None:
        self._work = work
        self.done = Event()
        self.answer: R | None = None
        self.error: Exception | None = None

    def run(self) -> None:
        try:
            self.answer = self._work()
        except Exception as error:
            self.error = error
        self.done.set()


class Thinker:
    """One thread, which lasts: what a computer has found out it knows in the thread that found it."""

    def __init__(self) -> None:
        self._tasks: SimpleQueue[_Task[Any]] = SimpleQueue()
        self.abandoned = False  # it may still be at work that nobody waits for: take another one
        Thread(target=self._work, daemon=True).start()

    def _work(self) -> None:
        while True:
            self._tasks.get().run()

    def think(self, work: Callable[[], R], limit: Limit) -> R:
        """What comes out of the work; TooBig soon after the first Ctrl-C, KeyboardInterrupt at the second."""
        task = _Task(work)
        self._tasks.put(task)
        with _hurried_by_ctrl_c(limit):
            try:
                while not task.done.wait(GRACE):
                    if limit.hurried:  # for a whole pause, or nearly
                        raise TooBig("the search did not stop in time")
            except BaseException:
                self.abandoned = True
                raise
        if task.error is not None:
            raise task.error
        assert task.answer is not None  # or there would be an error
        return task.answer


@contextmanager
def _hurried_by_ctrl_c(limit: Limit) -> Iterator[None]:
    def hurry(number: int, frame: object) -> None:
        if limit.hurried:
            raise KeyboardInterrupt
        limit.hurry()

    before = signal.signal(signal.SIGINT, hurry)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
