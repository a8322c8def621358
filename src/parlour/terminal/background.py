"""A search thread that Ctrl-C can abandon.

A search checks its limit every few hundredths of a second, but compiling before it can take seconds.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any, Generic, TypeVar

from parlour.errors import TooBig
from parlour.limit import Limit

R = TypeVar("R")

POLL = 0.05  # seconds between two checks for Ctrl-C
GRACE = 0.4  # seconds that a hurried search has to answer


class _Task(Generic[R]):
    """Work for the thread, and its result."""

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


class SearchThread:
    """A lasting thread for searches, because a computer reuses its results only in the thread that found them."""

    def __init__(self) -> None:
        self._tasks: SimpleQueue[_Task[Any]] = SimpleQueue()
        self.abandoned = False  # it may still search; use another one
        Thread(target=self._work, daemon=True).start()

    def _work(self) -> None:
        while True:
            self._tasks.get().run()

    def run(self, work: Callable[[], R], limit: Limit, ctrl_c: CtrlC) -> R:
        """Run the work in the thread and return its result.

        Raises:
            TooBig: no result came soon after the first Ctrl-C.
            KeyboardInterrupt: Ctrl-C was pressed twice.
        """
        task = _Task(work)
        self._tasks.put(task)
        waited = 0.0  # seconds since the first Ctrl-C
        while not task.done.wait(POLL):
            waited += POLL if limit.hurried else 0
            self.abandoned = waited > GRACE or ctrl_c.pressed > 1
            if ctrl_c.pressed > 1:
                raise KeyboardInterrupt
            if self.abandoned:
                raise TooBig("the search did not stop in time")
        if task.error is not None:
            raise task.error
        assert task.answer is not None  # there would be an error
        return task.answer


class CtrlC:
    """A handler that counts Ctrl-C in a block; each press hurries the limit and interrupts nothing."""

    def __init__(self, limit: Limit) -> None:
        self.pressed = 0
        self._limit = limit

    def __enter__(self) -> CtrlC:
        self._before = signal.signal(signal.SIGINT, self._press)
        return self

    def _press(self, number: int, frame: object) -> None:
        self.pressed += 1
        self._limit.hurry()

    def __exit__(self, *error: object) -> None:
        signal.signal(signal.SIGINT, self._before)
