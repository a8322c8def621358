"""Whoever does much work at once: the processes of this machine, or a cluster (``workers.cluster``).

Both are asked in the same way: a function, which any process can import, and tasks for it. The answers come as they are
found.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from math import inf
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Protocol, TypeVar

from parlour.errors import NoWorkers

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

T = TypeVar("T")
R = TypeVar("R")


class Workers(Protocol):
    """Some that work at the same time."""

    @property
    def number(self) -> int: ...  # of them
    @property
    def elsewhere(self) -> bool: ...  # on other machines, with clocks of their own

    def run(
        self, function: Callable[[T], R], tasks: Sequence[T], chunk: int = 1, seconds: float | None = None
    ) -> Iterator[tuple[int, R]]:
        """What the function makes of each task, with the task's place, as it comes.

        The first tasks are begun first. ``chunk``: so many neighbours go together, which saves time where tasks are
        short. After ``seconds`` nothing more is waited for.
        """
        ...


def cores() -> int:
    """How many processes can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def chunks_of(tasks: Sequence[T], size: int) -> list[tuple[int, Sequence[T]]]:
    """The tasks in chunks, each with the place of its first."""
    return [(place, tasks[place : place + size]) for place in range(0, len(tasks), size)]


def run_chunk(function: Callable[[T], R], tasks: Sequence[T]) -> list[R]:
    """What the function makes of each task."""
    return [function(task) for task in tasks]


class Alone:
    """This very process."""

    number = 1
    elsewhere = False

    def run(
        self, function: Callable[[T], R], tasks: Sequence[T], chunk: int = 1, seconds: float | None = None
    ) -> Iterator[tuple[int, R]]:
        """As ``Workers`` has it."""
        end = inf if seconds is None else monotonic() + seconds
        for place, task in enumerate(tasks):
            if monotonic() >= end:
                return
            yield place, function(task)


class Processes:
    """Some processes of this machine."""

    elsewhere = False

    def __init__(self, pool: ProcessPoolExecutor, number: int) -> None:
        self._pool = pool
        self.number = number

    def run(
        self, function: Callable[[T], R], tasks: Sequence[T], chunk: int = 1, seconds: float | None = None
    ) -> Iterator[tuple[int, R]]:
        """As ``Workers`` has it."""
        from concurrent.futures import as_completed

        with _without_interrupts():
            places = {self._pool.submit(run_chunk, function, some): place for place, some in chunks_of(tasks, chunk)}
        with suppress(TimeoutError):
            for future in as_completed(places, timeout=seconds):
                yield from enumerate(future.result(), places.pop(future))


@contextmanager
def processes(number: int) -> Iterator[Workers]:
    """So many processes, ended when their work is done or given up; one is this very process."""
    if number == 1:
        yield Alone()
        return
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    others = multiprocessing.active_children()
    pool = ProcessPoolExecutor(number, multiprocessing.get_context("spawn"), initializer=_follow_parent)
    try:
        yield Processes(pool, number)
    except BaseException as error:
        for child in multiprocessing.active_children():
            if child not in others:
                child.terminate()
        if isinstance(error, BrokenProcessPool):
            raise NoWorkers("a process that worked for this one was ended from outside") from None
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _follow_parent() -> None:
    """End with the process that started this one, even if that is killed and can tell nobody."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=watch, daemon=True).start()


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Processes that start in here hear no Ctrl-C, which a terminal sends to all: they leave when they are told to."""
    if not hasattr(signal, "pthread_sigmask"):  # another system, where it has to go without
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # and what starts in here begins with it
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
