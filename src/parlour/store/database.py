"""A database as the store uses it: reading, writing, and one kind of error.

The same statements run on SQLite and PostgreSQL. What differs between the two, besides the listening of
``listener.py``, stands in this file.
"""

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

from parlour.folders import make_private
from parlour.installation import install_command
from parlour.store.errors import BadDatabase, Busy, DamagedDatabase, OutcomeUnknown

if TYPE_CHECKING:
    import psycopg

KNOWN_URLS = "write sqlite:///path/to/file or postgresql://user:password@host/name"
BUSY_SECONDS = 5.0  # to wait for another writer of a SQLite file, and for a connection of the pool
MOST_DATABASE_CONNECTIONS = 15  # to PostgreSQL, of one process; and one more to listen

# For every connection to PostgreSQL that the URL does not say it of: neither a host that does not answer nor a
# connection that was cut without a word may keep anybody waiting for long.
POSTGRESQL_ARGUMENTS = {
    "application_name": "parlour",
    "connect_timeout": 10,
    "keepalives_idle": 15,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
# And neither may a table that somebody else keeps locked. What the URL has as options comes after these, and wins.
TIME_LIMITS = "-c statement_timeout=5000 -c lock_timeout=3000"


class Attempt:
    """One try to store something, which whoever asked for it can give up: it is stored or given up, never both."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._given_up = False
        self._storing = False

    def give_up(self) -> bool:
        """True: nothing will be stored any more. False: it is too late to know, the commit has begun."""
        with self._lock:
            self._given_up = self._given_up or not self._storing
            return self._given_up

    def begin_commit(self) -> None:
        """From here on it cannot be given up; Busy if it was."""
        with self._lock:
            if self._given_up:
                raise Busy("given up, because it took too long; nothing was done")
            self._storing = True


class TimeSpent(NamedTuple):
    """What a process has had of its database."""

    uses: int = 0  # transactions, of reading and of writing
    seconds: float = 0.0  # from asking until the answer was there, waiting for a connection included


class Statement:
    """A statement as the driver wants it, written out once.

    What every move executes goes to the driver itself: SQLAlchemy takes several times as long to prepare a statement as
    SQLite to execute it.
    """

    def __init__(self, statement: ClauseElement, engine: Engine, columns: Sequence[str] = ()) -> None:
        """``columns``: what an update or an insertion writes."""
        written = statement.compile(engine, column_keys=list(columns) or None)
        self._text = str(written)
        self._order: Sequence[str] | None = getattr(written, "positiontup", None)  # None: the driver knows the names

    def execute(self, cursor: Any, *rows: Mapping[str, Any]) -> None:
        """Execute it once for each of these rows of values."""
        for row in rows:
            cursor.execute(self._text, row if self._order is None else [row[name] for name in self._order])


class Database:
    """An engine and its ways. All that goes wrong with it is a BadDatabase, but for an IntegrityError."""

    def __init__(self, text: str) -> None:
        """Nothing is connected yet. BadDatabase if the URL is none that we know."""
        self.url = _read(text)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        try:
            self.engine = self._sqlite() if self.is_sqlite else self._postgresql()
        except ImportError:
            raise BadDatabase(f"PostgreSQL needs psycopg; install it with: {install_command('postgres')}") from None
        except (SQLAlchemyError, ValueError, TypeError):
            raise BadDatabase(f"the URL of the database makes no sense; {KNOWN_URLS}") from None
        self._driver = self.engine.dialect.loaded_dbapi
        self.driver_integrity_error: type[Exception] = self._driver.IntegrityError  # raised by a Statement
        self._writing = self.engine.execution_options(begin="BEGIN IMMEDIATE")
        # SQLite has one writer at a time. Threads wait for each other here; inside SQLite they would wait by trying
        # again after ever longer sleeps, and twenty of them keep an unlucky one for ten times as long as this.
        self._one_writer = Lock() if self.is_sqlite else None
        self._file: tuple[int, int] | None = None  # of SQLite, as it was when it was opened
        self._closed = False
        self.time_spent = TimeSpent()
        self._counting = Lock()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with self._refusing(), self.engine.connect() as connection:
            yield connection

    def fetch(self, statement: Statement, **values: Any) -> list[Any]:
        """The rows that one statement reads. There is no transaction around it: by itself it sees one moment."""
        with self._refusing(), closing(self.engine.raw_connection()) as connection:
            driver: Any = connection.driver_connection
            if not self.is_sqlite:  # there it is as it should be
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
        """Reading, all of it as things are at the first statement, and without a limit of time for any."""
        with self._refusing(), self.engine.connect() as connection:
            if not self.is_sqlite:
                connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
                self._lift_time_limits(connection)
            yield connection

    @contextmanager
    def writing(self, attempt: Attempt | None = None) -> Iterator[Connection]:
        """A transaction, committed at the end and rolled back by an exception.

        It sees nothing that is not committed, and on SQLite nobody else writes until it ends. When this returns, what
        was written is on the disk. After an error nothing is, with one exception: OutcomeUnknown says that the database
        went away while it was to commit. An ``attempt`` that was given up by then is not committed: Busy.
        """
        turn: AbstractContextManager[None] = self.held(self._one_writer) if self._one_writer else nullcontext()
        with self._refusing(), turn, self._writing.connect() as connection, connection.begin() as transaction:
            yield connection
            if attempt is not None:
                attempt.begin_commit()
            try:
                transaction.commit()
            except (SQLAlchemyError, sqlite3.Error) as error:
                if self._surely_not_committed(error):
                    raise
                raise OutcomeUnknown("the database went away in the moment of writing") from error

    def _surely_not_committed(self, error: Exception) -> bool:
        """Whether the database itself has said that it did not commit."""
        told = getattr(error, "orig", None) or error
        if self.is_sqlite:  # locked or full: the transaction is rolled back. An error of the disk may come too late
            return getattr(told, "sqlite_errorname", "") in ("SQLITE_BUSY", "SQLITE_FULL", "SQLITE_CONSTRAINT")
        state = getattr(told, "sqlstate", None)  # None: the connection is gone; 08 and 57: the server is going
        return state is not None and not state.startswith(("08", "57"))

    @contextmanager
    def held(self, lock: Lock) -> Iterator[None]:
        """Hold a lock under which others use this database. If it does not answer them they keep it: BadDatabase."""
        if not lock.acquire(timeout=BUSY_SECONDS):
            raise self.refusal(sqlite3.OperationalError("database is locked"))  # as SQLite would say
        try:
            yield
        finally:
            lock.release()

    def close(self) -> None:
        """From now on everything is a BadDatabase. Nobody is waited for."""
        self._closed = True
        self.engine.dispose()

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        begun = time.monotonic()
        try:
            self._check()
            yield
        except IntegrityError:
            raise
        except self._driver.IntegrityError as error:
            raise IntegrityError(None, None, error) from error
        # What SQLite says of a damaged schema need not be UTF-8.
        except (SQLAlchemyError, sqlite3.Error, self._driver.Error, UnicodeDecodeError) as error:
            raise self.refusal(error) from error
        finally:
            with self._counting:
                uses, seconds = self.time_spent
                self.time_spent = TimeSpent(uses + 1, seconds + time.monotonic() - begun)

    def _check(self) -> None:
        if self._closed:
            raise sqlite3.ProgrammingError("it has been closed")
        # What is written into a file that has no name any more is lost when the server ends.
        if self._file is not None and _identity(self.url.database) != self._file:
            raise sqlite3.OperationalError("its file was removed or replaced while it was open")

    def refusal(self, error: Exception) -> BadDatabase:
        """The one clear error for whatever the driver said. No password is in it."""
        told = getattr(error, "orig", None) or getattr(error, "strerror", None) or error
        reason = " ".join(str(told).split())
        for secret in (self.url.password, self.url.query.get("password")):
            if secret:
                reason = reason.replace(str(secret), "***")
        name = self.url.database or ("in memory" if self.is_sqlite else "of the user's name")
        if _means_damage(told):
            return DamagedDatabase(f"the database {name} is damaged: {reason[:400]}; 'parlour check' examines it")
        return BadDatabase(f"the database {name} cannot be used: {reason[:400]}")

    # SQLite

    def _sqlite(self) -> Engine:
        arguments: dict[str, Any] = {"check_same_thread": False, "isolation_level": None}
        if "timeout" not in self.url.query:
            arguments["timeout"] = BUSY_SECONDS
        pool: dict[str, Any] = {"pool_timeout": BUSY_SECONDS}
        if self._in_memory():
            pool |= {"poolclass": QueuePool, "pool_size": 1, "max_overflow": 0}  # one connection, one thread at a time
        engine = create_engine(self.url, connect_args=arguments, hide_parameters=True, **pool)
        event.listen(engine, "connect", _prepare)
        event.listen(engine, "begin", _begin)
        return engine

    def _in_memory(self) -> bool:
        name = self.url.database or ":memory:"
        return ":memory:" in name or self.url.query.get("mode") == "memory"

    def check_file(self) -> None:
        """BadDatabase if there is no such file of SQLite: whoever connects would make it."""
        name = self.url.database or ""
        if self.is_sqlite and not name.startswith("file:") and not os.path.isfile(name):
            raise BadDatabase(f"there is no database {name or 'in memory'} to be read")

    def prepare_file(self) -> None:
        """Make the directory of a SQLite file, and let readers not wait for the writer (WAL), which the file remembers.

        Nothing to do for a database that is not a file of ours.
        """
        if not self.is_sqlite or self._in_memory():
            return
        name = self.url.database or ""
        if not name.startswith("file:") and (directory := os.path.dirname(name)):
            os.makedirs(directory, mode=0o700, exist_ok=True)
        if not name.startswith("file:") and not os.path.exists(name):
            make_private(name)  # what SQLite writes beside it is as private
        # Outside a transaction. While another process does the same, SQLite refuses at once, whatever timeout is set.
        end = time.monotonic() + BUSY_SECONDS
        with self._refusing(), closing(self.engine.raw_connection()) as connection:
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
            connect_args=self._more_arguments(),
            hide_parameters=True,
            pool_size=MOST_DATABASE_CONNECTIONS,
            max_overflow=0,  # which would be closed after each use: to connect costs PostgreSQL more than a move does
            pool_timeout=BUSY_SECONDS,
            pool_pre_ping=True,  # a connection that did not survive a restart of the server is replaced
            isolation_level="READ COMMITTED",  # a lost race is a row not found, whatever is usual at this server
        )

    def _more_arguments(self) -> dict[str, Any]:
        more: dict[str, Any] = {key: value for key, value in POSTGRESQL_ARGUMENTS.items() if key not in self.url.query}
        return {**more, "options": f"{TIME_LIMITS} {self.url.query.get('options', '')}"}

    def connect_apart(self) -> psycopg.Connection[Any]:
        """A connection to PostgreSQL that is not in the pool, for listening."""
        import psycopg

        positional, named = self.engine.dialect.create_connect_args(self.url)
        return psycopg.connect(*positional, **{**named, **self._more_arguments(), "autocommit": True})

    def _lift_time_limits(self, connection: Connection) -> None:
        for limit in ("statement_timeout", "lock_timeout"):
            connection.execute(select(func.set_config(limit, "0", True)))  # until the transaction ends

    def lock(self, connection: Connection, number: int) -> None:
        """Nobody else gets past this line with the same number until the transaction ends, and that may take long."""
        if not self.is_sqlite:  # there, whoever writes is alone
            self._lift_time_limits(connection)
            connection.execute(select(func.pg_advisory_xact_lock(number)))


def _read(text: str) -> URL:
    """The URL, if it is of a kind that we know. What it says is not repeated: some of it may be a password."""
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise BadDatabase(f"the URL of the database makes no sense; {KNOWN_URLS}") from None
    if url.drivername == "postgres":  # so it is called by many a host of databases
        url = url.set(drivername="postgresql")
    if url.get_backend_name() == "sqlite":
        if url.drivername not in {"sqlite", "sqlite+pysqlite"}:
            raise BadDatabase(f"SQLite is read by Python itself, not {url.get_driver_name()[:40]!r}; {KNOWN_URLS}")
        if url.host or url.port or url.username or url.password:
            raise BadDatabase("a SQLite file is on no host; write sqlite:///relative/path or sqlite:////absolute/path")
        return url
    if url.get_backend_name() != "postgresql":
        raise BadDatabase(f"no database of the kind {url.get_backend_name()[:40]!r} is known; {KNOWN_URLS}")
    if url.drivername not in {"postgresql", "postgresql+psycopg"}:
        raise BadDatabase(f"PostgreSQL is spoken to through psycopg, not {url.get_driver_name()[:40]!r}; {KNOWN_URLS}")
    if "@" in (url.host or ""):  # the rest of a password, which would be told as an unknown host
        raise BadDatabase("the URL of the database has more than one @; write those of the password as %40")
    return url.set(drivername="postgresql+psycopg")


def _means_damage(told: object) -> bool:
    """Whether what the driver said is that the data are damaged, and not only out of reach."""
    if isinstance(told, UnicodeDecodeError):
        return True
    if isinstance(told, sqlite3.Error):
        kind = getattr(told, "sqlite_errorcode", 0) & 0xFF
        return kind == sqlite3.SQLITE_CORRUPT or "Could not decode to UTF-8" in str(told)
    return getattr(told, "sqlstate", None) in ("XX001", "XX002")  # data and index corrupted, says PostgreSQL


def _identity(path: str | None) -> tuple[int, int] | None:
    """Which file it is that has this name, if there is one."""
    try:
        found = os.stat(path or "")
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _prepare(connection: sqlite3.Connection, _: object) -> None:
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")  # NORMAL would lose the last moves in a power cut
    except (sqlite3.Error, UnicodeDecodeError):  # not a database at all, or a damaged one
        connection.close()  # which SQLAlchemy leaves open
        raise


def _begin(connection: Connection) -> None:
    # Left to itself the sqlite3 module begins at the first statement that writes; by then what was read may be old.
    begin = connection.get_execution_options().get("begin", "BEGIN")
    connection.connection.cursor().execute(begin)
