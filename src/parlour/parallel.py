"""Parallel work on any ``concurrent.futures.Executor``: the processes of this machine, or a Dask cluster.

Dask needs the extra ``cluster``. A Dask cluster runs whatever code a client sends. TLS protects it: its address then
starts with ``tls://``, and the certificates come from Dask's own configuration.
"""

from __future__ import annotations

import ipaddress
import logging
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from multiprocessing import resource_tracker
from queue import Empty, SimpleQueue
from textwrap import shorten
from threading import Lock, Thread, local
from time import monotonic
from typing import Any, TypeVar
from urllib.parse import urlsplit

from parlour.errors import MissingExtra, NoWorkers
from parlour.text import clip, counted

T = TypeVar("T")
R = TypeVar("R")

MAX_ATTEMPTS = 2  # times that a task may kill its process
LOCAL_CLUSTER = "local"  # the address that starts a Dask cluster on this machine
CONNECT_TIMEOUT = 5.0  # seconds
POLL_SECONDS = 0.5
JOIN_TIMEOUT = 20.0  # seconds to wait for the first worker of a cluster
SILENT = logging.CRITICAL + 1


def cores() -> int:
    """Return the number of processors available to this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run(
    function: Callable[[T], R],
    tasks: Sequence[T],
    executor: Executor | None = None,
    chunk: int = 1,
    seconds: float | None = None,
) -> Iterator[tuple[int, R]]:
    """Yield the index of each task and the function's result for it, in order of completion.

    None runs the tasks in this process. ``chunk`` is the number of consecutive tasks sent together, which saves time if
    they are short. Results that are not available after ``seconds`` are left out.

    Raises:
        NoWorkers: tasks killed their worker processes, or the executor is gone. The other tasks are finished first.
    """
    if executor is None:
        end = None if seconds is None else monotonic() + seconds
        for index, task in enumerate(tasks):
            if end is not None and monotonic() >= end:
                return
            yield index, function(task)
        return
    futures: dict[Future[list[R]], int] = {}
    done: SimpleQueue[Future[list[R]]] = SimpleQueue()
    end = None if seconds is None else monotonic() + seconds
    failed = 0
    try:
        for start in range(0, len(tasks), chunk):
            future = executor.submit(_run_chunk, function, tasks[start : start + chunk])
            futures[future] = start
            future.add_done_callback(done.put)
        while futures and (end is None or monotonic() < end):
            try:
                # Without a timeout, a Ctrl-C that arrives just before the wait would only be noticed after it.
                future = done.get(timeout=POLL_SECONDS)
            except Empty:
                continue
            start = futures.pop(future)
            error = None if future.cancelled() else future.exception()
            if isinstance(error, BrokenExecutor) or type(error).__name__ == "KilledWorker":  # the latter is Dask's
                failed += 1
            else:
                yield from enumerate(_result(future), start)
    finally:
        for future in futures:
            future.cancel()
    if failed:
        raise NoWorkers(
            f"{counted(failed, 'task')} ended every worker process that tried; is there enough memory for each?"
        )


def _run_chunk(function: Callable[[T], R], tasks: Sequence[T]) -> list[R]:
    return [function(task) for task in tasks]


def _result(future: Future[list[R]]) -> list[R]:
    try:
        return future.result()
    except (CancelledError, ConnectionError):  # a Dask client cancels its futures when the scheduler is gone
        raise NoWorkers("the connection to the workers is lost") from None
    except ImportError as error:
        raise NoWorkers(f"a worker cannot do it: {error}; install Parlour with the same extras there") from None


# Processes of this machine.


class ProcessExecutor(ThreadPoolExecutor):
    """An executor of worker processes. If one dies, its task is repeated once, and the others continue.

    Each thread manages a process of its own, because a ``ProcessPoolExecutor`` fails as a whole. Leaving the ``with``
    block by an exception, such as Ctrl-C, kills all processes.
    """

    def __init__(self, jobs: int) -> None:
        if hasattr(signal, "pthread_sigmask"):
            resource_tracker.ensure_running()  # in a thread, its start would unblock Ctrl-C again
        super().__init__(jobs, initializer=_block_interrupts)
        self._own = local()
        self._starting = Lock()  # held while a process may start
        self._killed = False
        self._other_children = multiprocessing.active_children()

    def submit(self, fn: Callable[..., R], /, *args: Any, **kwargs: Any) -> Future[R]:
        return super().submit(self._attempt, partial(fn, *args, **kwargs))

    def _attempt(self, call: Callable[[], R]) -> R:
        for attempt in range(1, MAX_ATTEMPTS + 1):
            try:
                with self._starting:
                    if self._killed:
                        raise BrokenExecutor
                    if not hasattr(self._own, "pool"):
                        spawn = multiprocessing.get_context("spawn")
                        self._own.pool = ProcessPoolExecutor(1, spawn, initializer=_exit_with_parent)
                    future: Future[R] = self._own.pool.submit(call)
                return future.result()
            except BrokenExecutor:
                if attempt == MAX_ATTEMPTS or self._killed:
                    raise
                del self._own.pool
        raise AssertionError

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is not None:
            with self._starting:
                self._killed = True
            self.shutdown(wait=False, cancel_futures=True)
            for child in multiprocessing.active_children():
                if child not in self._other_children:
                    child.terminate()
        self.shutdown()


def _block_interrupts() -> None:
    """Block Ctrl-C in the processes that this thread starts; a terminal sends it to all processes."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def _exit_with_parent() -> None:
    """Exit when the parent process ends, even if that is killed."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=watch, daemon=True).start()


# Dask clusters.


@contextmanager
def dask_executor(address: str, jobs: int) -> Iterator[tuple[Executor, int]]:
    """Connect to a Dask cluster, or start one of ``jobs`` processes if the address is ``local``.

    Yields its executor and the number of workers at the start; more may join.

    Raises:
        MissingExtra: dask.distributed is not installed.
        NoWorkers: no cluster answers at the address, no worker has joined it, or it is gone.
    """
    try:
        import dask
        from distributed import Client, LocalCluster
    except ImportError:
        raise MissingExtra("a cluster needs dask.distributed", "cluster") from None
    with ExitStack() as closing:
        closing.enter_context(_silent_logs())
        closing.enter_context(dask.config.set({"distributed.worker.profile.enabled": False}))
        cluster: Any = address
        if address == LOCAL_CLUSTER:
            cluster = LocalCluster(
                n_workers=jobs,
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",  # any free port; None means 8787, with a warning if it is taken
                memory_limit=0,
                silence_logs=SILENT,
            )
            closing.callback(_close, cluster)
        else:
            _check_scheduler(address)
        client = Client(cluster, timeout=JOIN_TIMEOUT, set_as_default=False)
        closing.callback(_close, client)
        try:
            client.wait_for_workers(1, timeout=JOIN_TIMEOUT)
        except TimeoutError:
            raise NoWorkers(
                f"no worker has joined the cluster at {address}; start one: dask worker {address}"
            ) from None
        yield client.get_executor(pure=False), max(1, sum(client.nthreads().values()))


def _close(resource: Any) -> None:
    with suppress(Exception):  # closing fails if the cluster is gone
        resource.close(timeout=2)


@contextmanager
def _silent_logs() -> Iterator[None]:
    """Silence the log messages of Dask and its dependencies; Parlour reports errors itself."""
    known = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in ("distributed", "tornado")]
    before = {name: logging.getLogger(name).level for name in (*known, "asyncio")}
    for name in before:
        logging.getLogger(name).setLevel(SILENT)
    try:
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)


def _check_scheduler(address: str) -> None:
    """Raise NoWorkers unless a Dask scheduler answers. A Dask client would wait forever for another kind of server."""
    import asyncio

    try:
        asyncio.run(asyncio.wait_for(_identify(address), 2 * CONNECT_TIMEOUT))
    except Exception as error:  # bad addresses, bad certificates, other servers
        reason = ""
        if isinstance(error, TypeError):  # Dask raises it for a tls:// address
            reason = ": no certificate for it is configured in Dask"
        elif isinstance(error, ValueError):
            reason = f": {shorten(str(error), 120)}"
        raise NoWorkers(f"no cluster answers at {clip(address)}{reason}") from None


async def _identify(address: str) -> None:
    from distributed import Security
    from distributed.core import connect

    comm = await connect(address, timeout=CONNECT_TIMEOUT, **Security().get_connection_args("client"))
    try:
        await comm.write({"op": "identity", "reply": True})
        answer = await comm.read()
        if answer.get("type") != "Scheduler":
            raise ValueError("it is not the scheduler of a cluster")
    finally:
        comm.abort()


def is_unprotected(address: str) -> bool:
    """Return whether a cluster is reachable from other machines without a certificate."""
    parts = urlsplit(address if "://" in address else f"tcp://{address}")
    if address == LOCAL_CLUSTER or parts.scheme in ("tls", "wss"):
        return False
    host = parts.hostname or ""
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host != "localhost"
