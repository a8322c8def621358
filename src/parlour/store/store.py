"""The store of matches and of their visitors."""

from __future__ import annotations

import logging
import secrets
import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Double,
    Integer,
    Text,
    bindparam,
    case,
    column,
    delete,
    exists,
    func,
    insert,
    literal,
    literal_column,
    select,
    table,
    update,
)
from sqlalchemy.exc import IntegrityError

from parlour.store.database import Statement
from parlour.store.errors import BadDatabase, DamagedDatabase, DamagedMatch
from parlour.store.seal import find_damage, line_digests, make_seal, read_lines
from parlour.store.tables import VERSION_TABLE, lines, matches, visits
from parlour.view import PLAYERS, PlayerNumber

if TYPE_CHECKING:
    from parlour.store.database import Attempt, Database, TimeSpent
    from parlour.store.listener import NotificationListener

SECONDS_BETWEEN_REFRESHES = 15.0  # interval between refreshes of a process's visits
VISIT_SECONDS = 45.0  # lifetime of a visit without a refresh, when its process has crashed
CLOSING_SECONDS = 0.5  # timeout for ending the visits of this process when the store is closed
DAY = 86400.0
MAX_TIME = 1e12  # seconds since 1970, later than any valid time
MAX_REMOVED_AT_ONCE = 500  # expired matches removed in one transaction, so that it does not delay players

# Statements of every load and every move. Values are not converted: a damaged SQLite file may hold any type.
LOAD = (  # a single statement, so that the lines belong to the match's seq
    select(*matches.c, *lines.c[1:])
    .join_from(matches, lines, lines.c.match == matches.c.id, isouter=True)
    .where(matches.c.id == bindparam("wanted"))
    .order_by(lines.c.number)
)
# Lines are deleted with their match, so lines without a match mean a damaged index.
LOST = select(
    exists().where(lines.c.match == bindparam("wanted")) & ~exists().where(matches.c.id == bindparam("wanted"))
)
STANDING = select(
    matches.c.seq,
    matches.c.touched,
    select(func.count()).select_from(lines).where(lines.c.match == bindparam("wanted")).scalar_subquery(),
    *(
        exists().where(
            visits.c.match == bindparam("wanted"),
            visits.c.seat == literal_column(seat, Integer),
            visits.c.seen >= bindparam("since"),
        )
        for seat in ("0", "1")
    ),
).where(matches.c.id == bindparam("wanted"))
REPLACE = update(matches).where(matches.c.id == bindparam("wanted"), matches.c.seq == bindparam("known"))
ADD_VISIT = insert(visits).from_select(
    ["visit", "match", "seat", "process", "seen"],
    select(
        bindparam("visit", type_=Text),
        matches.c.id,
        bindparam("seat", type_=Integer),
        bindparam("process", type_=Text),
        bindparam("seen", type_=Double),
    ).where(matches.c.id == bindparam("wanted")),
)

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class StoredMatch:
    """A stored match."""

    id: str
    seq: int  # number of the state; every change increments it
    kind: str  # "friend", "computer", "local" or "record"
    head: str  # the tags of its record, as text
    lines: tuple[str, ...]  # the lines of its record, one for each action
    seat_hashes: tuple[bytes | None, bytes | None]  # SHA-256 of each seat's secret; None: the seat is free
    invitation_hash: bytes | None  # SHA-256 of the invitation's secret, while it is open
    offer: str  # the pending offer, e.g. "undo 1"; "" for none
    rematch: str  # the id of the rematch; "" for none
    over: bool
    created_at: float  # seconds since 1970, UTC
    changed_at: float  # time of the last change, likewise

    def seat_hash(self, player: PlayerNumber) -> bytes | None:
        """Return the hash of a player's secret; None if the seat is free."""
        return self.seat_hashes[player - 1]


class Lifetimes(NamedTuple):
    """The seconds after the last change until a match expires."""

    waiting: float = DAY  # while its invitation is open
    playing: float = 30 * DAY
    over: float = 90 * DAY


class Stamp(NamedTuple):
    """An identifier of a state of a match, which also reveals lost lines."""

    seq: int
    changed_at: float
    lines: int


class Standing(NamedTuple):
    """The current state of a match, and the present players."""

    stamp: Stamp
    present: frozenset[PlayerNumber]  # the players with an open page, at any process


class IdTaken(Exception):
    """The id of a new match is in use."""


class Visit(NamedTuple):
    """A page of a seated player, connected to this process."""

    match: str
    player: PlayerNumber


class Store:
    """The store of all matches. Each process has one; it is thread-safe, and must not be used after a fork.

    Every method may raise BadDatabase if the database cannot be reached; then nothing was written. If the connection is
    lost during a commit, methods raise OutcomeUnknown, and the store shows whether the change was made.
    """

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        """Prefer ``open_store``, which also creates the tables."""
        self._database = database
        self._clock = clock
        self._process = secrets.token_hex(8)
        self._visits: dict[str, Visit] = {}
        self._visiting = Lock()  # keeps _visits and the table consistent
        self._callbacks: list[Callable[[str | None], None]] = []
        self._listener: NotificationListener | None = None
        self._starting = Lock()
        engine = database.engine
        self._load, self._lost, self._standing = (Statement(each, engine) for each in (LOAD, LOST, STANDING))
        self._replace = Statement(REPLACE, engine, matches.c.keys())
        self._add_line = Statement(insert(lines), engine, lines.c.keys())
        self._add_visit = Statement(ADD_VISIT, engine)
        self._notify = Statement(select(func.pg_notify(bindparam("channel"), bindparam("payload"))), engine)

    @property
    def database(self) -> Database:
        """The connections and transactions of this store."""
        return self._database

    def check_writable(self) -> None:
        """Raise BadDatabase if the database is locked, full, read-only or does not answer.

        On SQLite this writes a page, because a full disk shows only then.
        """
        if self._database.is_sqlite:
            version = table(VERSION_TABLE, column("version_num"))
            with self._database.writing() as connection:
                connection.execute(update(version).values(version_num=version.c.version_num))
            return
        with self._database.reading() as connection:
            if connection.scalar(select(func.current_setting("transaction_read_only"))) != "off":
                raise self._database.refusal(sqlite3.OperationalError("it is read-only"))

    def time_spent(self) -> TimeSpent:
        """Return the use of the database by this process."""
        return self._database.time_spent

    # Matches

    def add(self, match: StoredMatch, attempt: Attempt | None = None) -> None:
        """Store a new match without notifying listeners.

        Raises:
            IdTaken: its id is in use.
            Busy: the attempt was abandoned.
        """
        with self._database.writing(attempt) as connection:
            _add(connection, match)

    def load(self, id: str) -> StoredMatch | None:
        """Return the current match; None if there is none with this id. Raises DamagedMatch if it is damaged."""
        try:
            rows = self._database.fetch(self._load, wanted=id)
            lost = not rows and self._database.fetch(self._lost, wanted=id)[0][0]
        except DamagedDatabase as error:
            raise DamagedMatch(id, "the database cannot read it") from error
        if lost:
            raise DamagedMatch(id, "only its lines are found")
        return _stored(id, rows) if rows else None

    def standing(self, id: str) -> Standing | None:
        """Return the stamp of the current state of a match and the present players.

        None if there is no such match or the visits cannot be read. ``load`` does not need the visits.
        """
        try:
            rows = self._database.fetch(self._standing, wanted=id, since=self._clock() - VISIT_SECONDS)
        except BadDatabase:
            return None
        if not rows:
            return None
        *stamp, first, second = rows[0]
        return Standing(
            Stamp(*stamp), frozenset(player for player, there in zip(PLAYERS, (first, second), strict=True) if there)
        )

    def replace(
        self,
        before: StoredMatch,
        after: StoredMatch,
        following: StoredMatch | None = None,
        attempt: Attempt | None = None,
    ) -> bool:
        """Replace ``before`` by ``after``, unless the match was changed or removed meanwhile.

        Returns False in that case. After True the change is durable, and listeners have been notified. ``after`` has
        the next seq, and its lines begin with those of ``before``. The same transaction adds the match ``following``.

        Raises:
            IdTaken: the id of ``following`` is in use.
            Busy: the attempt was abandoned; nothing was written.
        """
        known = len(before.lines)
        if (after.id, after.seq, after.lines[:known]) != (before.id, before.seq + 1, before.lines):
            raise ValueError(f"not the next state of match {before.id}")
        row = {**_row(after), "wanted": before.id, "known": before.seq}
        new_lines = _line_rows(after, known)
        with self._database.writing(attempt) as connection:
            cursor = connection.connection.cursor()
            self._replace.execute(cursor, row)
            if cursor.rowcount == 0:
                return False
            self._add_line.execute(cursor, *new_lines)
            if following is not None:
                _add(connection, following)
            self._announce(connection, [after.id])
        self.publish([after.id])
        return True

    def seqs(self, ids: Collection[str]) -> dict[str, int]:
        """Return the current seq of those of these matches that exist."""
        query = select(matches.c.id, matches.c.seq).where(matches.c.id.in_(ids))
        with self._database.reading() as connection:
            return {row.id: row.seq for row in connection.execute(query)}

    def remove(self, match: StoredMatch, attempt: Attempt | None = None) -> bool:
        """Remove a match with its lines and visits. Return False if it was changed or removed meanwhile.

        Listeners are notified of a removal.
        """
        query = delete(matches).where(matches.c.id == match.id, matches.c.seq == match.seq)
        with self._database.writing(attempt) as connection:
            if connection.execute(query).rowcount == 0:
                return False
            self._announce(connection, [match.id])
        self.publish([match.id])
        return True

    def count(self) -> int:
        """Return the number of matches."""
        with self._database.reading() as connection:
            return connection.scalar(select(func.count()).select_from(matches)) or 0

    def newest_change(self) -> float | None:
        """Return the time of the newest change to any match, in seconds since 1970; None if there is no match."""
        numbers = matches.c.touched < MAX_TIME  # a damaged SQLite row may hold text, which sorts after every number
        with self._database.reading() as connection:
            newest: float | None = connection.scalar(select(func.max(matches.c.touched)).where(numbers))
            return newest

    def database_time(self) -> float | None:
        """Return PostgreSQL's own time in seconds since 1970; None for SQLite, which has no clock of its own."""
        if self._database.is_sqlite:
            return None
        with self._database.reading() as connection:
            return float(connection.execute(select(func.extract("epoch", func.now()))).scalar_one())

    def count_expired(self, now: float, lifetimes: Lifetimes) -> int:
        """Return the number of matches that ``remove_expired`` would remove."""
        query = select(func.count()).select_from(matches).where(_is_expired(now, lifetimes))
        with self._database.reading() as connection:
            return connection.scalar(query) or 0

    def remove_expired(self, now: float, lifetimes: Lifetimes) -> int:
        """Remove expired matches and the visits of ended processes; return the number of matches.

        Listeners are notified of these matches, and of those with an ended visit.
        """
        # Skips matches that another process is changing or removing.
        expired = select(matches.c.id).where(_is_expired(now, lifetimes))
        some = expired.limit(MAX_REMOVED_AT_ONCE).with_for_update(skip_locked=True)
        count = 0
        while True:
            with self._database.writing() as connection:
                query = delete(matches).where(matches.c.id.in_(some)).returning(matches.c.id)
                removed = connection.scalars(query).all()
                self._announce(connection, removed)
            self.publish(removed)
            count += len(removed)
            if len(removed) < MAX_REMOVED_AT_ONCE:
                break
        self._end_stale_visits(now)
        return count

    # Presence

    def begin_visit(self, visit: str, id: str, player: PlayerNumber) -> None:
        """Begin a visit with a new id, when a player's page connects to this process.

        Listeners are notified. Does nothing if there is no such match. Call ``end_visit`` in any case.
        """
        self.change_visits({visit: Visit(id, player)}, ())

    def end_visit(self, visit: str) -> None:
        """End a visit, and notify listeners. Does nothing if there is no such visit."""
        self.change_visits({}, [visit])

    def change_visits(self, begun: Mapping[str, Visit], ended: Collection[str]) -> set[str]:
        """Begin and end any number of visits in one transaction; return the matches that were announced to listeners.

        A visit to a match that does not exist is not begun. After BadDatabase ``refresh_visits`` repairs the table.
        """
        try:
            with self._database.held(self._visiting):
                self._visits.update(begun)  # first, so that refresh_visits() can repair the table
                for visit in ended:
                    self._visits.pop(visit, None)
                with self._database.writing() as connection:
                    there = self._insert_visits(connection, begun)
                    query = delete(visits).where(visits.c.visit.in_(ended)).returning(visits.c.match)
                    left = set(connection.scalars(query)) if ended else set()
                    changed = left | {begun[visit].match for visit in there}
                    self._announce(connection, changed)
                for visit in begun.keys() - there:
                    self._visits.pop(visit, None)
        except BadDatabase:
            for visit in ended:  # even if the lock was not available
                self._visits.pop(visit, None)
            raise
        self.publish(changed)
        return changed

    def refresh_visits(self) -> None:
        """Refresh the visits of this process. Call it every SECONDS_BETWEEN_REFRESHES seconds.

        Also ends the visits of processes without a recent refresh, and notifies listeners.
        """
        mine = update(visits).where(visits.c.process == self._process).values(seen=self._clock())
        changed = set()
        with self._database.held(self._visiting):
            with self._database.writing() as connection:
                rows = connection.execute(mine.returning(visits.c.visit, visits.c.match)).all()
                written = {row.visit: row.match for row in rows}
                # Repair the table if a page left while the database was unavailable, or if this process slept so long
                # that another one ended its visits.
                for visit in written.keys() - self._visits.keys():
                    connection.execute(delete(visits).where(visits.c.visit == visit))
                    changed.add(written[visit])
                gone = []
                for visit, where in tuple(self._visits.items()):
                    if visit in written:
                        continue
                    if self._insert_visit(connection, visit, where):
                        changed.add(where.match)
                    else:
                        gone.append(visit)  # its match was removed
                self._announce(connection, changed)
            for visit in gone:
                self._visits.pop(visit, None)
        self.publish(changed)
        self._end_stale_visits(self._clock())

    def _insert_visits(self, connection: Connection, begun: Mapping[str, Visit]) -> set[str]:
        """Insert visits; return those to existing matches."""
        seen = self._clock()
        there = set()
        try:
            with connection.begin_nested():
                cursor = connection.connection.cursor()
                for visit, (id, player) in begun.items():
                    row = {"visit": visit, "wanted": id, "seat": player - 1, "process": self._process, "seen": seen}
                    self._add_visit.execute(cursor, row)
                    if cursor.rowcount:
                        there.add(visit)
                return there
        except (IntegrityError, self._database.driver_integrity_error):  # a match was removed meanwhile
            return {visit for visit, where in begun.items() if self._insert_visit(connection, visit, where)}

    def _insert_visit(self, connection: Connection, visit: str, where: Visit) -> bool:
        """Insert a visit; return False if there is no such match."""
        values = (literal(visit, Text), matches.c.id, literal(where.player - 1), literal(self._process, Text))
        row = select(*values, literal(self._clock())).where(matches.c.id == where.match)
        query = insert(visits).from_select(["visit", "match", "seat", "process", "seen"], row)
        try:
            with connection.begin_nested():  # a failure does not affect the rest of the transaction
                return connection.scalar(query.returning(visits.c.visit)) is not None
        except IntegrityError:  # another process removed the match meanwhile
            return False

    def _end_stale_visits(self, now: float) -> None:
        """End visits without a recent refresh."""
        # Skips visits that another process is refreshing or ending.
        stale = select(visits.c.visit).where(visits.c.seen < now - VISIT_SECONDS).with_for_update(skip_locked=True)
        with self._database.writing() as connection:
            query = delete(visits).where(visits.c.visit.in_(stale)).returning(visits.c.match)
            left = set(connection.scalars(query))
            self._announce(connection, left)
        self.publish(left)

    # Listening

    @property
    def others_are_heard(self) -> bool:
        """Whether listeners are notified of changes by other processes. If not (SQLite), poll ``seqs``."""
        return not self._database.is_sqlite

    def listen(self, heard: Callable[[str | None], None]) -> None:
        """Register a listener, which is called with the id of every match that was changed, visited, left or removed.

        Calls for changes by this process precede the return of their method. On PostgreSQL changes by other processes
        cause calls soon afterwards, and ``heard(None)`` means that any match may have changed during a lost connection.
        Calls come from any thread, and may be repeated.
        """
        self._callbacks.append(heard)
        if self._database.is_sqlite:
            return
        from parlour.store.listener import NotificationListener

        with self._starting:
            if self._listener is None:
                self._listener = NotificationListener(self._database.connect_outside_pool, self._notified)
                self._listener.start()

    def _announce(self, connection: Connection, ids: Collection[str]) -> None:
        """Notify other processes when the transaction is committed."""
        if self._database.is_sqlite:
            return
        from parlour.store.listener import CHANNEL

        rows = [{"channel": CHANNEL, "payload": f"{self._process} {id}"} for id in ids]
        self._notify.execute(connection.connection.cursor(), *rows)

    def _notified(self, payload: str | None) -> None:
        """Handle a notification of PostgreSQL, which may be from this process."""
        if payload is None:
            self.publish([None])
            return
        process, _, id = payload.partition(" ")
        if process != self._process:
            self.publish([id])

    def publish(self, ids: Iterable[str | None]) -> None:
        """Call the listeners for each changed match; None means that any match may have changed."""
        for id in ids:
            for heard in tuple(self._callbacks):
                try:
                    heard(id)
                except Exception:  # the change is stored, and the other listeners are still to be called
                    log.exception("a listener failed")

    def close(self) -> None:
        """End the visits of this process and close the database.

        If the database does not answer in time, the visits expire.
        """
        self._callbacks.clear()
        ending = Thread(target=self._end, name="parlour-ending", daemon=True)
        ending.start()
        ending.join(CLOSING_SECONDS)
        self._database.close()

    def _end(self) -> None:
        if self._listener is not None:
            self._listener.close()
        with suppress(BadDatabase), self._database.held(self._visiting), self._database.writing() as connection:
            query = delete(visits).where(visits.c.process == self._process).returning(visits.c.match)
            self._announce(connection, set(connection.scalars(query)))


def _is_expired(now: float, lifetimes: Lifetimes) -> ColumnElement[bool]:
    """Return the condition that a match has not been changed for its lifetime."""
    last = case(
        (matches.c.over, now - lifetimes.over),
        (matches.c.invite.is_not(None), now - lifetimes.waiting),
        else_=now - lifetimes.playing,
    )
    return matches.c.touched < last


def _stored(id: str, rows: Sequence[tuple[Any, ...]]) -> StoredMatch:
    """Return the match of these rows. Raises DamagedMatch if it is damaged."""
    columns = dict(zip(matches.c.keys(), rows[0], strict=False))
    columns["over"] = {0: False, 1: True}.get(columns["over"])  # SQLite stores numbers
    read = read_lines([(number, text, digest) for *_, number, text, digest in rows if number is not None])
    damage = find_damage(columns, read, columns["seal"]) if columns["id"] == id else "it has another id"
    if damage is not None:
        raise DamagedMatch(id, damage)
    return StoredMatch(
        id=columns["id"],
        seq=columns["seq"],
        kind=columns["kind"],
        head=columns["head"],
        lines=read.texts,
        seat_hashes=(columns["seat_0"], columns["seat_1"]),
        invitation_hash=columns["invite"],
        offer=columns["offer"],
        rematch=columns["rematch"],
        over=columns["over"],
        created_at=columns["created"],
        changed_at=columns["touched"],
    )


def _row(match: StoredMatch) -> dict[str, Any]:
    """Return the columns of a match, without its lines."""
    columns: dict[str, Any] = {
        "id": match.id,
        "seq": match.seq,
        "kind": match.kind,
        "head": match.head,
        "seat_0": match.seat_hashes[0],
        "seat_1": match.seat_hashes[1],
        "invite": match.invitation_hash,
        "offer": match.offer,
        "rematch": match.rematch,
        "over": match.over,
        "created": match.created_at,
        "touched": match.changed_at,
    }
    return {**columns, "seal": make_seal(columns, match.lines)}


def _add(connection: Connection, match: StoredMatch) -> None:
    try:
        connection.execute(insert(matches), _row(match))
    except IntegrityError:
        raise IdTaken(match.id) from None
    if rows := _line_rows(match, 0):
        connection.execute(insert(lines), rows)


def _line_rows(match: StoredMatch, known: int) -> list[dict[str, Any]]:
    """Return the rows of all lines but the first ``known`` ones."""
    digests = line_digests(match.lines)
    return [
        {"match": match.id, "number": number, "text": match.lines[number], "digest": digests[number]}
        for number in range(known, len(match.lines))
    ]
