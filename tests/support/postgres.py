"""A real PostgreSQL server for the tests: started by them, reached by nobody else, stopped at their end.

A conftest that imports ``postgres_server`` and ``postgres_url`` has them; whoever asks for ``postgres_url`` gets an
empty database of its own. Without PostgreSQL such a test is skipped, or fails where PARLOUR_TEST_ALL is set.
"""

from __future__ import annotations

import glob
import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import pytest

from tests.support.eventually import eventually
from tests.support.processes import children

OWNER = "parlour"
# Nothing here needs to outlive a power cut.
SETTINGS = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "shared_buffers=16MB", "max_connections=60")


class Server(NamedTuple):
    """A running server."""

    directory: str  # where its socket is; it listens to nothing else
    pid: int
    spare: list[str]  # databases that are empty again: to make one takes much longer than to empty it

    def url(self, database: str) -> str:
        return f"postgresql://{OWNER}@/{database}?host={self.directory}"

    def run(self, statement: str, database: str = "postgres") -> list[Any]:
        """Run one statement as the owner of everything, outside any transaction."""
        import psycopg

        connection = psycopg.connect(host=self.directory, user=OWNER, dbname=database, autocommit=True)
        with closing(connection):
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []


SERVER = pytest.StashKey[Server]()


@pytest.fixture(scope="session")
def postgres_server(request: pytest.FixtureRequest) -> Iterator[Server]:
    stash = request.config.stash
    if SERVER in stash:  # another conftest imported this fixture too, and its server is still there
        yield stash[SERVER]
        return
    directory = tempfile.mkdtemp(prefix="parlour-postgres-")  # not in pytest's, where only we ourselves may go
    try:
        with Path(directory, "log").open("wb") as log:
            process = start(directory, log.fileno())
            try:
                stash[SERVER] = Server(directory, process.pid, [])
                wait_until_it_answers(stash[SERVER], process)
                yield stash[SERVER]
            finally:
                del stash[SERVER]
                process.send_signal(signal.SIGINT)  # "fast": whoever is still connected is thrown out
                process.wait(30)
    finally:
        shutil.rmtree(directory)


@pytest.fixture
def postgres_url(postgres_server: Server) -> Iterator[str]:
    """The URL of an empty database for this test alone."""
    if not postgres_server.spare:
        postgres_server.spare.append(f"test_{secrets.token_hex(6)}")
        postgres_server.run(f"CREATE DATABASE {postgres_server.spare[-1]}")
    name = postgres_server.spare.pop()
    yield postgres_server.url(name)
    postgres_server.run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
    postgres_server.run(f"ALTER DATABASE {name} RESET ALL")
    postgres_server.run(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS true")
    postgres_server.run("DROP SCHEMA public CASCADE", name)
    postgres_server.run("CREATE SCHEMA public", name)
    postgres_server.spare.append(name)


def program(name: str) -> str:
    """Where a program of PostgreSQL is; the newest, if there are several."""
    places = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda place: int(place.split("/")[4]), reverse=True)
    found = shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), *places]))
    if found is None:
        missing(f"PostgreSQL is not installed: there is no {name}")
    return found


def missing(what: str) -> NoReturn:
    if os.environ.get("PARLOUR_TEST_ALL"):
        pytest.fail(what)
    pytest.skip(f"NOT TESTED: {what}")


def other_user() -> dict[str, Any]:
    """Root may not run PostgreSQL: as whom to start it instead."""
    if os.getuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        try:
            user = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    missing("root may not run PostgreSQL, and there is no user postgres or nobody")


def start(directory: str, log: int) -> subprocess.Popen[bytes]:
    try:
        import psycopg  # noqa: F401
    except ImportError:
        missing("psycopg is not installed")
    user = other_user()
    data = os.path.join(directory, "data")
    os.mkdir(data, mode=0o700)
    if user:
        for path in (directory, data):
            os.chown(path, user["user"], user["group"])
    quiet: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log, "cwd": directory, **user}
    make = [program("initdb"), "--pgdata", data, "--username", OWNER, "--auth", "trust", "--no-sync"]
    made = subprocess.run([*make, "--encoding", "UTF8", "--locale", "C"], check=False, **quiet)
    assert made.returncode == 0, Path(directory, "log").read_text()
    settings = [part for setting in SETTINGS for part in ("-c", setting)]
    serve = [program("postgres"), "-D", data, "-k", directory, "-c", "listen_addresses=", *settings]
    return subprocess.Popen(serve, **quiet)


def wait_until_it_answers(server: Server, process: subprocess.Popen[bytes]) -> None:
    import psycopg

    def answers() -> bool:
        assert process.poll() is None, Path(server.directory, "log").read_text()
        try:
            server.run("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    eventually(answers, "PostgreSQL to answer", 30)


@contextmanager
def postgresql_is_frozen(server: Server) -> Iterator[None]:
    """Stop the process that starts others, then all that it has started."""
    stopped = [server.pid]
    os.kill(server.pid, signal.SIGSTOP)
    try:
        stopped += children(server.pid)
        for number in stopped[1:]:
            os.kill(number, signal.SIGSTOP)
        yield
    finally:
        for number in stopped:
            os.kill(number, signal.SIGCONT)
