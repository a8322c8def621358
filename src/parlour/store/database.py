"""Connections and transactions, the same for SQLite and PostgreSQL, with one type of error."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import URL, Connection, Engine, QueuePool, create_engine, event, func, make_url, select
from sqlalchemy.exc import ArgumentError, IntegrityError, SQLAlchemyError
from sqlalchemy.sql.expression import ClauseElement

from parlour.files import make_private
from parlour.installation import install_command
from parlour.store.errors import BadDatabase, Busy, DamagedDatabase, OutcomeUnknown

if TYPE_CHECKING:
    import psycopg

KNOWN_URLS = "write sqlite:///path/to/file or postgresql://user:password@host/name"
BUSY_SECONDS = 5.0  # timeout for the lock of a SQLite file, and for a connection of the pool
MAX_DATABASE_CONNECTIONS = 15  # connections of a process to PostgreSQL, besides the listener's

# Defaults for connections to PostgreSQL, to detect lost connections soon. The URL can override them.
POSTGRESQL_ARGUMENTS = {
    "application_name": "parlour",
    "connect_timeout": 10,
    "keepalives_idle": 15,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
# Time limits of statements, for locked tables. The options in the URL follow them and override them.
TIME_LIMITS = "-c statement_timeout=5000 -c lock_timeout=3000"


class Attempt:
    """A write that another thread can abandon until its commit begins."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._given_up = False
        self._storing = False

    def give_up(self) -> bool:
        """Abandon the attempt. Return False if the commit has begun, so that the outcome is unknown."""
        with self._lock:
            self._given_up = self._given_up or not self._storing
            return self._given_up

    def begin_commit(self) -> None:
        """Begin the commit. Raises Busy if the attempt was abandoned."""
        with self._lock:
            if self._given_up:
                raise Busy("abandoned after a timeout; nothing was done")
            self._storing = True


class TimeSpent(NamedTuple):
    """The use of the database by this process."""

    uses: int = 0  # transactions and single statements
    seconds: float = 0.0  # their total duration, including the wait for a connection


class Statement:
    """A statement compiled once for the driver.

    It bypasses SQLAlchemy, which takes several times as long to prepare a statement as SQLite to execute it.
    """

    def __init__(self, statement: ClauseElement, engine: Engine, columns: Sequence[str] = ()) -> None:
        """``columns`` are the columns that an update or insertion writes."""
        compiled = statement.compile(engine, column_keys=list(columns) or None)
        self._text = str(compiled)
        self._order: Sequence[str] | None = getattr(compiled, "positiontup", None)  # None: the driver takes names

    def execute(self, cursor: Any, *rows: Mapping[str, Any]) -> None:
        """Execute the statement once for each row of values."""
        for row in rows:
            cursor.execute(self._text, row if self._order is None else [row[name] for name in self._order])


class Database:
    """A connection pool with transactions. All its errors are BadDatabase, except IntegrityError."""

    def __init__(self, text: str) -> None:
        """Create the pool without connecting. Raises BadDatabase if the URL is not supported."""
        self.url = _parse_url(text)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        try:
            self.engine = self._sqlite() if self.is_sqlite else self._postgresql()
        except ImportError:
            raise BadDatabase(f"PostgreSQL needs psycopg; install it with: {install_command('postgres')}") from None
        except (SQLAlchemyError, ValueError, TypeError):
            raise BadDatabase(f"the URL of the database is invalid; {KNOWN_URLS}") from None
        self._driver = self.engine.dialect.loaded_dbapi
        self.driver_integrity_error: type[Exception] = self._driver.IntegrityError  # raised by a Statement
        self._writing = self.engine.execution_options(begin="BEGIN IMMEDIATE")
        # SQLite allows one writer at a time. This lock is fairer than SQLite's retries with growing sleeps, which make
        # an unlucky one of twenty threads wait ten times as long.
        self._one_writer = Lock() if self.is_sqlite else None
        self._file: tuple[int, int] | None = None  # identity of the SQLite file when it was opened
        self._closed = False
        self.time_spent = TimeSpent()
        self._counting = Lock()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with self._converting_errors(), self.engine.connect() as connection:
            yield connection

    def fetch(self, statement: Statement, **values: Any) -> list[Any]:
        """Return the rows of one statement, without a transaction: a single statement is consistent by itself."""
        with self._converting_errors(), closing(self.engine.raw_connection()) as connection:
            driver: Any = connection.driver_connection
            if not self.is_sqlite:  # SQLite autocommits already
                driver.autocommit = True
            try:
                with closing(connection.cursor()) as cursor:
                    statement.execute(cursor, values)
                    return list(cursor.fetchall())
            finally:
                if not self.is_sqlite and not driver.closed:
                    driver.autocommit = False

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """Open a read transaction that sees one snapshot, without time limits for its statements."""
        with self._converting_errors(), self.engine.connect() as connection:
            if not self.is_sqlite:
                connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
                self._lift_time_limits(connection)
            yield connection

    @contextmanager
    def writing(self, attempt: Attempt | None = None) -> Iterator[Connection]:
        """Open a transaction that is committed at the end and rolled back by an exception.

        It sees only committed data, and on SQLite no other transaction writes meanwhile. A commit is durable. After an
        error nothing was changed, except possibly after OutcomeUnknown.

        Raises:
            OutcomeUnknown: the connection was lost during the commit.
            Busy: the ``attempt`` was abandoned.
        """
        turn: AbstractContextManager[None] = self.held(self._one_writer) if self._one_writer else nullcontext()
        with self._converting_errors(), turn, self._writing.connect() as connection, connection.begin() as transaction:
            yield connection
            if attempt is not None:
                attempt.begin_commit()
            try:
                transaction.commit()
            except (SQLAlchemyError, sqlite3.Error) as error:
                if self._surely_not_committed(error):
                    raise
                raise OutcomeUnknown("the connection to the database was lost during the commit") from error

    def _surely_not_committed(self, error: Exception) -> bool:
        """Return whether the database has reported that it did not commit."""
        cause = getattr(error, "orig", None) or error
        if self.is_sqlite:  # a full or locked database rolls back; other errors may follow the commit
            return getattr(cause, "sqlite_errorname", "") in ("SQLITE_BUSY", "SQLITE_FULL", "SQLITE_CONSTRAINT")
        state = getattr(cause, "sqlstate", None)  # None: lost connection; 08 and 57: server shutdown
        return state is not None and not state.startswith(("08", "57"))

    @contextmanager
    def held(self, lock: Lock) -> Iterator[None]:
        """Hold a lock. Raises BadDatabase if its holder does not release it in time."""
        if not lock.acquire(timeout=BUSY_SECONDS):
            raise self.refusal(sqlite3.OperationalError("database is locked"))  # SQLite's own message
        try:
            yield
        finally:
            lock.release()

    def close(self) -> None:
        """Close the pool without waiting. All later uses raise BadDatabase."""
        self._closed = True
        self.engine.dispose()

    @contextmanager
    def _converting_errors(self) -> Iterator[None]:
        begun = time.monotonic()
        try:
            self._check()
            yield
        except IntegrityError:
            raise
        except self._driver.IntegrityError as error:
            raise IntegrityError(None, None, error) from error
        # SQLite's message about a damaged schema need not be UTF-8.
        except (SQLAlchemyError, sqlite3.Error, self._driver.Error, UnicodeDecodeError) as error:
            raise self.refusal(error) from error
        finally:
            with self._counting:
                uses, seconds = self.time_spent
                self.time_spent = TimeSpent(uses + 1, seconds + time.monotonic() - begun)

    def _check(self) -> None:
        if self._closed:
            raise sqlite3.ProgrammingError("it has been closed")
        # A deleted file disappears with its last writes when the server exits.
        if self._file is not None and _identity(self.url.database) != self._file:
            raise sqlite3.OperationalError("its file was removed or replaced while it was open")

    def refusal(self, error: Exception) -> BadDatabase:
        """Convert an error of the driver to a BadDatabase, without passwords."""
        cause = getattr(error, "orig", None) or getattr(error, "strerror", None) or error
        reason = " ".join(str(cause).split())
        for secret in (self.url.password, self.url.query.get("password")):
            if secret:
                reason = reason.replace(str(secret), "***")
        name = self.url.database or ("in memory" if self.is_sqlite else "of the user's name")
        if _is_damage(cause):
            return DamagedDatabase(f"the database {name} is damaged: {reason[:400]}; 'parlour check' examines it")
        return BadDatabase(f"the database {name} cannot be used: {reason[:400]}")

    # SQLite

    def _sqlite(self) -> Engine:
        arguments: dict[str, Any] = {"check_same_thread": False, "isolation_level": None}
        if "timeout" not in self.url.query:
            arguments["timeout"] = BUSY_SECONDS
        pool: dict[str, Any] = {"pool_timeout": BUSY_SECONDS}
        if self._in_memory():
            # A single connection, used by one thread at a time.
            pool |= {"poolclass": QueuePool, "pool_size": 1, "max_overflow": 0}
        engine = create_engine(self.url, connect_args=arguments, hide_parameters=True, **pool)
        event.listen(engine, "connect", _configure)
        event.listen(engine, "begin", _begin)
        return engine

    def _in_memory(self) -> bool:
        name = self.url.database or ":memory:"
        return ":memory:" in name or self.url.query.get("mode") == "memory"

    def check_file(self) -> None:
        """Raise BadDatabase if the SQLite file does not exist. Connecting would create it."""
        name = self.url.database or ""
        if self.is_sqlite and not name.startswith("file:") and not os.path.isfile(name):
            raise BadDatabase(f"there is no database {name or 'in memory'}")

    def prepare_file(self) -> None:
        """Create the directory of a SQLite file, and set its journal mode to WAL, so that readers don't wait.

        Does nothing for other databases.
        """
        if not self.is_sqlite or self._in_memory():
            return
        name = self.url.database or ""
        if not name.startswith("file:") and (directory := os.path.dirname(name)):
            os.makedirs(directory, mode=0o700, exist_ok=True)
        if not name.startswith("file:") and not os.path.exists(name):
            make_private(name)  # SQLite gives its other files the same permissions
        # Outside a transaction. SQLite ignores the timeout here while another process does the same, so retry.
        end = time.monotonic() + BUSY_SECONDS
        with self._converting_errors(), closing(self.engine.raw_connection()) as connection:
            while True:
                try:
                    connection.cursor().execute("PRAGMA journal_mode = WAL")
                    break
                except sqlite3.OperationalError as error:
                    if "locked" not in str(error) or time.monotonic() > end:
                        raise
                    time.sleep(0.02)
        if not name.startswith("file:"):
            self._file = _identity(name)

    # PostgreSQL

    def _postgresql(self) -> Engine:
        return create_engine(
            self.url,
            connect_args=self._connect_arguments(),
            hide_parameters=True,
            pool_size=MAX_DATABASE_CONNECTIONS,
            max_overflow=0,  # overflow connections close after each use, and connecting costs more than a move
            pool_timeout=BUSY_SECONDS,
            pool_pre_ping=True,  # replaces connections that a restart of the server has cut
            isolation_level="READ COMMITTED",  # the server may have another default
        )

    def _connect_arguments(self) -> dict[str, Any]:
        given: dict[str, Any] = {key: value for key, value in POSTGRESQL_ARGUMENTS.items() if key not in self.url.query}
        return {**given, "options": f"{TIME_LIMITS} {self.url.query.get('options', '')}"}

    def connect_outside_pool(self) -> psycopg.Connection[Any]:
        """Return a connection to PostgreSQL outside the pool, for the listener."""
        import psycopg

        positional, named = self.engine.dialect.create_connect_args(self.url)
        return psycopg.connect(*positional, **{**named, **self._connect_arguments(), "autocommit": True})

    def _lift_time_limits(self, connection: Connection) -> None:
        for limit in ("statement_timeout", "lock_timeout"):
            connection.execute(select(func.set_config(limit, "0", True)))  # until the transaction ends

    def lock(self, connection: Connection, number: int) -> None:
        """Take an advisory lock until the transaction ends. Waits without a time limit."""
        if not self.is_sqlite:  # SQLite has one writer anyway
            self._lift_time_limits(connection)
            connection.execute(select(func.pg_advisory_xact_lock(number)))


def _parse_url(text: str) -> URL:
    """Parse a supported URL. Error messages don't quote it, because it may contain a password."""
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise BadDatabase(f"the URL of the database is invalid; {KNOWN_URLS}") from None
    if url.drivername == "postgres":  # many database hosts call it this
        url = url.set(drivername="postgresql")
    if url.get_backend_name() == "sqlite":
        if url.drivername not in {"sqlite", "sqlite+pysqlite"}:
            raise BadDatabase(
                f"SQLite needs no driver besides Python, not {url.get_driver_name()[:40]!r}; {KNOWN_URLS}"
            )
        if url.host or url.port or url.username or url.password:
            raise BadDatabase("a SQLite file has no host; write sqlite:///relative/path or sqlite:////absolute/path")
        return url
    if url.get_backend_name() != "postgresql":
        raise BadDatabase(f"the kind of database {url.get_backend_name()[:40]!r} is not supported; {KNOWN_URLS}")
    if url.drivername not in {"postgresql", "postgresql+psycopg"}:
        raise BadDatabase(f"PostgreSQL needs the driver psycopg, not {url.get_driver_name()[:40]!r}; {KNOWN_URLS}")
    if "@" in (url.host or ""):  # the rest of a password, which the error for an unknown host would show
        raise BadDatabase("the URL of the database has more than one @; write those in the password as %40")
    return url.set(drivername="postgresql+psycopg")


def _is_damage(cause: object) -> bool:
    """Return whether an error of the driver means damaged data."""
    if isinstance(cause, UnicodeDecodeError):
        return True
    if isinstance(cause, sqlite3.Error):
        kind = getattr(cause, "sqlite_errorcode", 0) & 0xFF
        return kind == sqlite3.SQLITE_CORRUPT or "Could not decode to UTF-8" in str(cause)
    return getattr(cause, "sqlstate", None) in ("XX001", "XX002")  # data_corrupted and index_corrupted


def _identity(path: str | None) -> tuple[int, int] | None:
    """Return the device and inode of a file; None if it does not exist."""
    try:
        found = os.stat(path or "")
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _configure(connection: sqlite3.Connection, _: object) -> None:
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")  # NORMAL would lose the last moves in a power cut
    except (sqlite3.Error, UnicodeDecodeError):  # not a database, or a damaged one
        connection.close()  # SQLAlchemy leaves it open
        raise


def _begin(connection: Connection) -> None:
    # By default sqlite3 begins a transaction only at the first write, so earlier reads may be outdated.
    begin = connection.get_execution_options().get("begin", "BEGIN")
    connection.connection.cursor().execute(begin)
