"""Many machines: a cluster of dask.distributed (the extra ``cluster``).

A cluster runs what it is sent, whoever sends it. Dask protects it by TLS: the addresses are then ``tls://`` ones, and
the certificates are found by Dask's own settings. What is lost with a worker, Dask lets another do again.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from textwrap import shorten
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from parlour.errors import MissingExtra, NoWorkers
from parlour.text import clip, counted
from parlour.workers import R, T, chunks_of, run_chunk

if TYPE_CHECKING:
    from distributed import Client

SILENCE = logging.CRITICAL + 1
SETTINGS = {  # of a cluster that is started here
    "distributed.scheduler.worker-saturation": 1.0,  # the longest task first, and none waits at a worker
    "distributed.worker.profile.enabled": False,  # nobody looks at it
}
LOCAL = "local"  # the address of a cluster that is started here, and ends with what it was started for
ANSWER = 5.0  # seconds in which a cluster has to answer
PATIENCE = 20.0  # seconds in which it has to have a worker


class Cluster:
    """The workers of a cluster."""

    def __init__(self, client: Client, address: str) -> None:
        self._client = client
        self._address = address
        self.elsewhere = address != LOCAL
        self.number = max(1, sum(client.nthreads().values()))  # now; others may join

    def run(
        self, function: Callable[[T], R], tasks: Sequence[T], chunk: int = 1, seconds: float | None = None
    ) -> Iterator[tuple[int, R]]:
        """As ``Workers`` has it. NoWorkers if the cluster has gone, or if a task ends every worker that tries it."""
        from distributed import KilledWorker, as_completed

        given_up = 0
        places: dict[Any, int] = {
            self._client.submit(run_chunk, function, some, pure=False, priority=-place): place
            for place, some in chunks_of(tasks, chunk)
        }
        coming = as_completed(places, loop=self._client.loop, timeout=seconds)
        with suppress(TimeoutError):  # then the time is up
            for future in coming:
                place = places.pop(future)
                if future.status == "finished":
                    yield from enumerate(self._result(future), place)
                elif future.status == "error" and isinstance(future.exception(), KilledWorker):
                    given_up += 1
                else:
                    self._result(future)  # raises
                    raise self._gone()
        if given_up:
            raise NoWorkers(
                f"{counted(given_up, 'task')} ended every worker that tried; is there enough memory for each?"
            )

    def _result(self, future: Any) -> Any:
        try:
            return future.result()
        except (CancelledError, OSError):  # which Dask raises when it has lost its scheduler
            raise self._gone() from None
        except ImportError as error:
            raise NoWorkers(f"a worker cannot do it: {error}; install Parlour with the same extras there") from None

    def _gone(self) -> NoWorkers:
        return NoWorkers(f"the cluster at {self._address} is gone")


@contextmanager
def cluster(address: str, jobs: int) -> Iterator[Cluster]:
    """The cluster at an address; ``local``: one of so many processes on this machine, reached from nowhere else.

    MissingExtra without dask.distributed, NoWorkers if no cluster answers there or no worker has joined it.
    """
    try:
        import dask
        from distributed import Client, LocalCluster
    except ImportError:
        raise MissingExtra("a cluster needs dask.distributed", "cluster") from None
    closing: list[Any] = []
    with _quiet():
        try:
            with dask.config.set(SETTINGS):
                if address == LOCAL:
                    here = LocalCluster(
                        n_workers=jobs,
                        threads_per_worker=1,
                        host="127.0.0.1",
                        dashboard_address="127.0.0.1:0",  # any port: None means 8787, and a warning where it is taken
                        memory_limit=0,
                        silence_logs=SILENCE,
                    )
                    closing.append(here)
                else:
                    _check_there(address)
                client = Client(here if address == LOCAL else address, timeout=PATIENCE, set_as_default=False)
            closing.append(client)
            try:
                client.wait_for_workers(1, timeout=PATIENCE)
            except TimeoutError:
                raise NoWorkers(
                    f"no worker has joined the cluster at {address}; start one: dask worker {address}"
                ) from None
            yield Cluster(client, address)
        finally:
            for each in reversed(closing):
                with suppress(Exception):  # a cluster that is gone cannot be left
                    each.close(timeout=2)


@contextmanager
def _quiet() -> Iterator[None]:
    """Dask and what it is made of write nothing: what went wrong is told once, and by us."""
    known = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in ("distributed", "tornado")]
    before = {name: logging.getLogger(name).level for name in (*known, "asyncio")}
    for name in before:
        logging.getLogger(name).setLevel(SILENCE)
    try:
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)


async def _knock(address: str) -> None:
    """Ask a scheduler who it is. A client that finds none there, or something else, is slow to give up and noisy."""
    from distributed import Security
    from distributed.core import connect

    comm = await connect(address, timeout=ANSWER, **Security().get_connection_args("client"))
    try:
        await comm.write({"op": "identity", "reply": True})
        answer = await comm.read()
        if answer.get("type") != "Scheduler":
            raise ValueError("it is not the scheduler of a cluster")
    finally:
        comm.abort()


def _check_there(address: str) -> None:
    """NoWorkers if no cluster answers at an address."""
    try:
        asyncio.run(asyncio.wait_for(_knock(address), 2 * ANSWER))
    except Exception as error:  # whatever is wrong with the address or the certificates, or speaks there instead
        reason = ""
        if isinstance(error, TypeError):  # what Dask makes of a tls:// address
            reason = ": Dask has been told of no certificate for it"
        elif isinstance(error, ValueError):
            reason = f": {shorten(str(error), 120)}"
        raise NoWorkers(f"no cluster answers at {clip(address)}{reason}") from None


def is_unprotected(address: str) -> bool:
    """Whether others than this machine might reach a cluster that asks nobody for a certificate."""
    parts = urlsplit(address if "://" in address else f"tcp://{address}")
    if address == LOCAL or parts.scheme in ("tls", "wss"):
        return False
    host = parts.hostname or ""
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host != "localhost"
