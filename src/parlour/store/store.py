"""The store itself."""

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

SECONDS_BETWEEN_REFRESHES = 15.0  # of the visits of a process
VISIT_SECONDS = 45.0  # after which a visit that nobody refreshed is over: its process is gone
CLOSING_SECONDS = 0.5  # in which a database has to let the visits of a process end when it does
DAY = 86400.0
MAX_TIME = 1e12  # seconds since 1970; no clock shows more
MOST_REMOVED_AT_ONCE = 500  # matches removed in one transaction; players wait no longer than for this

# What every loading and every move executes. The driver's values are taken as they come: what lies in a damaged file of
# SQLite may be of any type.
LOAD = (  # one statement, and so one moment: the lines are those of the match's seq
    select(*matches.c, *lines.c[1:])
    .join_from(matches, lines, lines.c.match == matches.c.id, isouter=True)
    .where(matches.c.id == bindparam("wanted"))
    .order_by(lines.c.number)
)
# Lines go with their match: if there are some without one, a damaged index does not find it.
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
    """A match as it lies in the store."""

    id: str  # public, short
    seq: int  # goes up by one with every change
    kind: str  # "friend", "computer", "local" or "record"
    head: str  # the tags of its record, as text
    lines: tuple[str, ...]  # everything that was done, a record line each
    seat_hashes: tuple[bytes | None, bytes | None]  # SHA-256 of each seat's secret; None: nobody sits there
    invitation_hash: bytes | None  # SHA-256 of the invitation's secret, while it is open
    offer: str  # the pending offer, e.g. "undo 1"; "" for none
    rematch: str  # the id of the match that follows; "" for none
    over: bool
    created_at: float  # seconds since 1970, UTC
    changed_at: float  # the same, of the last change

    def seat_hash(self, player: PlayerNumber) -> bytes | None:
        """Return the hash of a player's secret; None if the seat is free."""
        return self.seat_hashes[player - 1]


class Lifetimes(NamedTuple):
    """For how many seconds a match that nobody changes is kept."""

    waiting: float = DAY  # while its invitation is open
    playing: float = 30 * DAY
    over: float = 90 * DAY


class Stamp(NamedTuple):
    """What tells one state of a match from any other, and from one that has lost lines."""

    seq: int
    changed_at: float
    lines: int


class Standing(NamedTuple):
    """Which state a match is in, and who is there."""

    stamp: Stamp
    present: frozenset[PlayerNumber]  # the players who have a page open, at whichever process


class IdTaken(Exception):
    """A new match cannot have this id: another has it."""


class Visit(NamedTuple):
    """A page of a seated player, connected to this process."""

    match: str
    player: PlayerNumber


class Store:
    """All matches. One for each process, usable from all its threads; not to be carried over a fork.

    Every method may raise BadDatabase, when the database cannot be reached any more: then nothing was written. If the
    connection was lost in the moment of the commit it is OutcomeUnknown: what lies in the store tells.
    """

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        """``open_store`` makes one, and has the tables ready."""
        self._database = database
        self._clock = clock
        self._process = secrets.token_hex(8)
        self._visits: dict[str, Visit] = {}
        self._visiting = Lock()  # what _visits says and what the table says change together
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
        """The connections and transactions below this store."""
        return self._database

    @property
    def own_visits(self) -> frozenset[str]:
        """The visits that this process has begun and not ended."""
        return frozenset(self._visits)

    def check_writable(self) -> None:
        """BadDatabase if nothing can be written: the database is locked, full, read-only or does not answer.

        SQLite is made to write a page, since it does not know before that a disk is full.
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
        """What this process has had of the database since it began."""
        return self._database.time_spent

    # Matches

    def add(self, match: StoredMatch, attempt: Attempt | None = None) -> None:
        """Store a new match; IdTaken if its id is in use, Busy if the attempt was given up. Listeners are not told."""
        with self._database.writing(attempt) as connection:
            _add(connection, match)

    def load(self, id: str) -> StoredMatch | None:
        """The match as it is now; None if there is none with this id. DamagedMatch if it is not as it was written."""
        try:
            rows = self._database.fetch(self._load, wanted=id)
            lost = not rows and self._database.fetch(self._lost, wanted=id)[0][0]
        except DamagedDatabase as error:
            raise DamagedMatch(id, "the database cannot read it") from error
        if lost:
            raise DamagedMatch(id, "nothing but its lines is found")
        return _stored(id, rows) if rows else None

    def standing(self, id: str) -> Standing | None:
        """What tells the present state of a match from any other, and who is there.

        None if it is not found or cannot be told, say because the visits are locked: ``load`` needs nothing of them.
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
        """Put ``after`` in the place of ``before``, unless somebody else changed it first or it is gone.

        Then the answer is False and nothing is written. When True is returned the change is on the disk, and then
        listeners are told. ``after`` is the same match with the next seq, and its lines begin with those of ``before``.
        ``following``, a new match, is added in the same transaction, or IdTaken raised if its id is in use. An
        ``attempt`` that was given up is Busy, and then nothing is written.
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
        """The present seq of each of these matches, without those that are not there."""
        query = select(matches.c.id, matches.c.seq).where(matches.c.id.in_(ids))
        with self._database.reading() as connection:
            return {row.id: row.seq for row in connection.execute(query)}

    def remove(self, match: StoredMatch, attempt: Attempt | None = None) -> bool:
        """Remove a match with all its lines and visits, unless somebody else changed it first or it is gone.

        Then the answer is False and nothing is removed. When True is returned listeners have been told.
        """
        query = delete(matches).where(matches.c.id == match.id, matches.c.seq == match.seq)
        with self._database.writing(attempt) as connection:
            if connection.execute(query).rowcount == 0:
                return False
            self._announce(connection, [match.id])
        self.publish([match.id])
        return True

    def count(self) -> int:
        """How many matches there are."""
        with self._database.reading() as connection:
            return connection.scalar(select(func.count()).select_from(matches)) or 0

    def newest_change(self) -> float | None:
        """Return the time of the newest change to any match, in seconds since 1970; None if there is no match."""
        numbers = matches.c.touched < MAX_TIME  # a damaged SQLite row may hold text, which sorts after every number
        with self._database.reading() as connection:
            newest: float | None = connection.scalar(select(func.max(matches.c.touched)).where(numbers))
            return newest

    def database_time(self) -> float | None:
        """Return PostgreSQL's own time in seconds since 1970; None for SQLite, which has the clock of this machine."""
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
        """Remove the matches that nobody has changed for long, and the visits of processes that are gone.

        The answer is how many matches. Listeners hear of each, and of the matches that somebody is gone from.
        """
        # A match that somebody is just changing, or another process is removing, is passed over.
        expired = select(matches.c.id).where(_is_expired(now, lifetimes))
        some = expired.limit(MOST_REMOVED_AT_ONCE).with_for_update(skip_locked=True)
        count = 0
        while True:
            with self._database.writing() as connection:
                query = delete(matches).where(matches.c.id.in_(some)).returning(matches.c.id)
                removed = connection.scalars(query).all()
                self._announce(connection, removed)
            self.publish(removed)
            count += len(removed)
            if len(removed) < MOST_REMOVED_AT_ONCE:
                break
        self._end_stale_visits(now)
        return count

    # Presence

    def begin_visit(self, visit: str, id: str, player: PlayerNumber) -> None:
        """A page of a seated player has connected to this process; ``visit`` is a new name for that.

        Listeners are told. Nothing happens if there is no such match. ``end_visit`` in any case.
        """
        self.change_visits({visit: Visit(id, player)}, ())

    def end_visit(self, visit: str) -> None:
        """The page is gone. Listeners are told. Nothing happens if there is no such visit."""
        self.change_visits({}, [visit])

    def change_visits(self, begun: Mapping[str, Visit], ended: Collection[str]) -> set[str]:
        """Begin and end any number of visits in one transaction; return the matches that were announced to listeners.

        A visit to a match that does not exist is not begun. After BadDatabase ``refresh_visits`` makes up for it.
        """
        try:
            with self._database.held(self._visiting):
                self._visits.update(begun)  # first of all: refresh_visits() makes up for it
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
            for visit in ended:  # even if the lock was not to be had
                self._visits.pop(visit, None)
            raise
        self.publish(changed)
        return changed

    def refresh_visits(self) -> None:
        """Say that the visits of this process go on; to be called every SECONDS_BETWEEN_REFRESHES seconds.

        Also ends the visits of processes that have not said so for long, and tells listeners.
        """
        mine = update(visits).where(visits.c.process == self._process).values(seen=self._clock())
        told = set()
        with self._database.held(self._visiting):
            with self._database.writing() as connection:
                rows = connection.execute(mine.returning(visits.c.visit, visits.c.match)).all()
                written = {row.visit: row.match for row in rows}
                # Seldom is there anything to put right: a page left while the database was away, or this process slept
                # for so long that another took it for gone.
                for visit in written.keys() - self._visits.keys():
                    connection.execute(delete(visits).where(visits.c.visit == visit))
                    told.add(written[visit])
                gone = []
                for visit, where in tuple(self._visits.items()):
                    if visit in written:
                        continue
                    if self._insert_visit(connection, visit, where):
                        told.add(where.match)
                    else:
                        gone.append(visit)  # with its match
                self._announce(connection, told)
            for visit in gone:
                self._visits.pop(visit, None)
        self.publish(told)
        self._end_stale_visits(self._clock())

    def seats_present(self, id: str) -> frozenset[PlayerNumber]:
        """Return the players of a match who have a page open, at whichever process."""
        standing = self.standing(id)
        return frozenset() if standing is None else standing.present

    def _insert_visits(self, connection: Connection, begun: Mapping[str, Visit]) -> set[str]:
        """Put visits into the table; return those whose match exists."""
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
        except (IntegrityError, self._database.driver_integrity_error):  # a match was removed in this moment
            return {visit for visit, where in begun.items() if self._insert_visit(connection, visit, where)}

    def _insert_visit(self, connection: Connection, visit: str, where: Visit) -> bool:
        """Put a visit into the table, if there is such a match."""
        values = (literal(visit, Text), matches.c.id, literal(where.player - 1), literal(self._process, Text))
        row = select(*values, literal(self._clock())).where(matches.c.id == where.match)
        query = insert(visits).from_select(["visit", "match", "seat", "process", "seen"], row)
        try:
            with connection.begin_nested():  # the rest of the transaction goes on without it
                return connection.scalar(query.returning(visits.c.visit)) is not None
        except IntegrityError:  # another process removed the match in this moment
            return False

    def _end_stale_visits(self, now: float) -> None:
        """End the visits that nobody has refreshed for long."""
        # Those that another process is just refreshing, or ending, are passed over.
        stale = select(visits.c.visit).where(visits.c.seen < now - VISIT_SECONDS).with_for_update(skip_locked=True)
        with self._database.writing() as connection:
            query = delete(visits).where(visits.c.visit.in_(stale)).returning(visits.c.match)
            left = set(connection.scalars(query))
            self._announce(connection, left)
        self.publish(left)

    # Listening

    @property
    def others_are_heard(self) -> bool:
        """Listeners hear of what other processes do. A file of SQLite does not tell: there ``seqs`` has to be asked."""
        return not self._database.is_sqlite

    def listen(self, heard: Callable[[str | None], None]) -> None:
        """From now on ``heard`` is called with the id of every match that was changed, arrived at, left or removed.

        What this process does is heard before the method that does it returns; on PostgreSQL what other processes do
        is heard soon after. ``heard(None)`` means that anything may have happened: the connection had been lost. It is
        called from any thread, and may be called more than once for the same thing.
        """
        self._callbacks.append(heard)
        if self._database.is_sqlite:
            return
        from parlour.store.listener import NotificationListener

        with self._starting:
            if self._listener is None:
                self._listener = NotificationListener(self._database.connect_apart, self._notified)
                self._listener.start()

    def _announce(self, connection: Connection, ids: Collection[str]) -> None:
        """Tell the other processes, when and if the transaction is committed."""
        if self._database.is_sqlite:
            return
        from parlour.store.listener import CHANNEL

        told = [{"channel": CHANNEL, "payload": f"{self._process} {id}"} for id in ids]
        self._notify.execute(connection.connection.cursor(), *told)

    def _notified(self, payload: str | None) -> None:
        """What PostgreSQL passes on, our own voice among it."""
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
                except Exception:  # the change is stored, and the other listeners still need the call
                    log.exception("a listener failed")

    def close(self) -> None:
        """End the visits of this process, and let the database go. The store is of no use any more.

        A database that does not answer is not waited for: the visits lapse by themselves.
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
    """The match that was read; DamagedMatch if it is not as it was written."""
    columns = dict(zip(matches.c.keys(), rows[0], strict=False))
    columns["over"] = {0: False, 1: True}.get(columns["over"])  # SQLite has numbers for these
    read = read_lines([(number, text, digest) for *_, number, text, digest in rows if number is not None])
    damage = find_damage(columns, read, columns["seal"]) if columns["id"] == id else "its name is another"
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
    """The columns of a match, besides its lines."""
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
    """The lines of a match after those that are there already, which are so many."""
    digests = line_digests(match.lines)
    return [
        {"match": match.id, "number": number, "text": match.lines[number], "digest": digests[number]}
        for number in range(known, len(match.lines))
    ]
