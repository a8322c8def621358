"""A real scheduler and real workers: what they find out is the same, whoever dies or joins; and TLS."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from parlour.errors import MissingExtra
from parlour.lab.results import read_results
from parlour.parallel import dask_executor, is_unprotected
from tests.support.command import Run, command, run_process
from tests.support.docs import DOCS, blocks
from tests.support.eventually import eventually
from tests.support.sweeps import wait_for_writes

pytest.importorskip("distributed")

SWEEP = ("sweep", "increasing-differences", "--length", "3-7", "--range", "8-10")
ROWS = 15


def digests(path: Path) -> dict[str, str]:
    with read_results(str(path)) as results:
        return {row.words: row.digest for row in results}


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


class Machines:
    """A scheduler on this machine, and workers as if they were elsewhere."""

    def __init__(self, scheme: str = "tcp", environment: dict[str, str] | None = None) -> None:
        self.address = f"{scheme}://127.0.0.1:{free_port()}"
        self._environment = {**os.environ, **(environment or {})}
        self._started: list[subprocess.Popen[bytes]] = []
        port = self.address.rpartition(":")[2]
        self.scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", port, "--protocol", scheme, "--no-dashboard"
        )
        eventually(self._answers, "the scheduler", seconds=60)

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        dask = [sys.executable, "-m", "dask", *arguments]
        process = subprocess.Popen(
            dask,
            env=self._environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._started.append(process)
        return process

    def _answers(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", int(self.address.rpartition(":")[2])), 1).close()
        except OSError:
            return False
        return True

    def join(self) -> subprocess.Popen[bytes]:
        """One worker more, without a nanny that would start it again."""
        options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
        return self._start("worker", self.address, *options)

    @property
    def workers(self) -> list[subprocess.Popen[bytes]]:
        """The workers that run."""
        return [process for process in self._started if process is not self.scheduler and process.poll() is None]

    def end(self) -> None:
        for process in reversed(self._started):
            process.kill()
            process.wait()


@contextmanager
def machines(scheme: str = "tcp", environment: dict[str, str] | None = None) -> Iterator[Machines]:
    there = Machines(scheme, environment)
    try:
        yield there
    finally:
        there.end()


@pytest.fixture(scope="module")
def truth(tmp_path_factory: pytest.TempPathFactory, run: Callable[..., Run]) -> dict[str, str]:
    """What the same sweep finds out in one process."""
    path = tmp_path_factory.mktemp("truth") / "rows.sqlite"
    assert run(*SWEEP, "--jobs", "1", "-o", str(path)).code == 0
    found = digests(path)
    assert len(found) == ROWS
    return found


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short timeouts for commands in this process."""
    monkeypatch.setattr("parlour.parallel.CONNECT_TIMEOUT", 1.0)
    monkeypatch.setattr("parlour.parallel.JOIN_TIMEOUT", 2.0)


def start(*arguments: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command(*arguments),
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        env={**os.environ, **environment},
    )


@pytest.fixture(scope="module")
def shared() -> Iterator[Machines]:
    """A scheduler with a worker."""
    with machines() as there:
        there.join()
        yield there


def test_a_worker_that_is_killed_loses_nothing_and_one_that_joins_helps(
    tmp_path: Path, truth: dict[str, str], shared: Machines
) -> None:
    path = tmp_path / "rows.sqlite"
    there = shared
    workers = there.workers
    running = start(*SWEEP, "--cluster", there.address, "-o", str(path))
    wait_for_writes(path, 3, running)
    there.join()
    for worker in workers:
        worker.send_signal(signal.SIGKILL)
        worker.wait()
    _, said = running.communicate(timeout=120)
    assert (running.returncode, said) == (0, "")
    assert digests(path) == truth


def test_a_cluster_without_workers_or_that_goes_is_one_line_and_the_rest_is_done_elsewhere(
    tmp_path: Path, truth: dict[str, str], run: Callable[..., Run], hurried: None
) -> None:
    path = tmp_path / "rows.sqlite"
    with machines() as there:
        lonely = run(*SWEEP, "--cluster", there.address, "-o", str(tmp_path / "none.sqlite"))
        assert (lonely.code, lonely.err) == (
            1,
            f"parlour: no worker has joined the cluster at {there.address}; start one: dask worker {there.address}\n",
        )
        there.join()
        running = start(*SWEEP, "--cluster", there.address, "-o", str(path))
        wait_for_writes(path, 3, running)
        there.scheduler.kill()
        _, said = running.communicate(timeout=120)
        assert running.returncode == 1
        gone = "the connection to the workers is lost"
        assert said == f"parlour: {gone}; every finished row is in {path}; the same command resumes\n"
        refused = run(*SWEEP, "--cluster", there.address, "-o", str(path))
        assert (refused.code, refused.err) == (1, f"parlour: no cluster answers at {there.address}\n")
    before = digests(path)
    assert 0 < len(before) < ROWS
    done = run(*SWEEP, "--jobs", "1", "-o", str(path))
    assert f"{len(before)} of them measured before" in done.out
    assert digests(path) == truth


def test_a_cluster_on_this_machine(tmp_path: Path, truth: dict[str, str]) -> None:
    path = tmp_path / "rows.sqlite"
    done = run_process(*SWEEP, "--cluster", "local", "--jobs", "2", "-o", str(path))
    assert (done.code, done.err) == (0, "")
    assert digests(path) == truth


def test_a_tournament_is_played_on_a_cluster_as_at_home(run: Callable[..., Run], shared: Machines) -> None:
    call = ("tournament", "double-up", "sequence-builder", "--players", "random,level:2", "--games", "6", "--seed", "5")
    away = run(*call, "--cluster", shared.address)
    assert (away.code, away.err) == (0, "")
    assert away.out == run(*call, "--jobs", "1").out


DEADLY = """
import os
from parlour.errors import NoWorkers
from parlour.parallel import dask_executor, run

if __name__ == "__main__":
    with dask_executor("local", 1) as (executor, _):
        found = []
        try:
            found += run(os._exit, [1], executor)
        except NoWorkers as error:
            print(error)
        print(list(run(abs, [-5], executor)))
"""


def test_a_task_that_ends_every_worker_is_given_up_and_others_are_done(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(DEADLY)
    done = subprocess.run(
        [sys.executable, str(tmp_path / "script.py")], capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "1 task ended every worker process that tried; is there enough memory for each?\n[(0, 5)]\n"


# TLS, by Dask's own settings.


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Dask's settings as docs/laboratory.md has them, with certificates that were made for this."""
    from distributed import Security

    folder = tmp_path_factory.mktemp("certificates")
    own = Security.temporary()
    (folder / "ca.pem").write_text(own.tls_ca_file)
    (folder / "own.pem").write_text(own.tls_scheduler_cert)
    (folder / "own.key").write_text(own.tls_scheduler_key)
    (settings,) = (block.text for block in blocks(DOCS / "laboratory.md") if block.file == "parlour.yaml")
    (folder / "parlour.yaml").write_text(settings.replace("/etc/parlour", str(folder)))
    return {"DASK_CONFIG": str(folder / "parlour.yaml")}


def test_a_protected_cluster_works_for_whoever_has_a_certificate_and_for_nobody_else(
    tmp_path: Path, certificates: dict[str, str], run: Callable[..., Run], hurried: None
) -> None:
    call = ("sweep", "double-up", "--limit", "10-14", "-o", str(tmp_path / "rows.sqlite"))
    with machines("tls", certificates) as there:
        there.join()
        stranger = run(*call, "--cluster", there.address)
        said = f"no cluster answers at {there.address}: no certificate for it is configured in Dask"
        assert (stranger.code, stranger.err) == (1, f"parlour: {said}\n")
        assert not list(tmp_path.glob("rows*"))
        plain = run(*call, "--cluster", there.address.replace("tls", "tcp"))
        assert (plain.code, len(plain.err.splitlines())) == (1, 1)
        known = run_process(*call, "--cluster", there.address, env=certificates)  # Dask reads its settings at the start
        assert (known.code, known.err) == (0, "")
    assert len(digests(tmp_path / "rows.sqlite")) == 5


# Addresses.


def test_without_its_extra_it_says_which_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtra, match=r"pip install .*\[cluster\]'$"), dask_executor("local", 1):
        pass


@pytest.mark.parametrize(
    ("address", "unprotected"),
    [
        ("local", False),
        ("127.0.0.1:8786", False),
        ("tcp://127.0.0.1:8786", False),
        ("tcp://[::1]:8786", False),
        ("localhost:8786", False),
        ("tls://laboratory.example:8786", False),
        ("tcp://laboratory.example:8786", True),
        ("192.0.2.7:8786", True),
        ("ws://192.0.2.7:8786", True),
    ],
)
def test_an_address_that_others_can_reach_is_warned_of(address: str, unprotected: bool) -> None:
    assert is_unprotected(address) is unprotected


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("127.0.0.1:9", "no cluster answers at 127.0.0.1:9"),
        ("nowhere", "no cluster answers at nowhere: missing port number in address 'nowhere'"),
        ("odd://127.0.0.1:9", "no cluster answers at odd://127.0.0.1:9: unknown address scheme 'odd'"),
    ],
)
def test_an_address_where_nobody_is_is_one_line(
    address: str, said: str, tmp_path: Path, run: Callable[..., Run], hurried: None
) -> None:
    refused = run("sweep", "double-up", "--limit", "10", "--cluster", address, "-o", str(tmp_path / "rows.sqlite"))
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.startswith(f"parlour: {said}")
    assert len(refused.err.splitlines()) == 1
    assert not list(tmp_path.glob("rows*"))
