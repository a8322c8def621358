"""Matches in the store: match as they are, changed once, never by halves."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import replace
from threading import Barrier, Event, Thread
from typing import Any

import pytest
from sqlalchemy import insert, make_url, select
from sqlalchemy.exc import IntegrityError

from parlour.store import IdTaken, Lifetimes, Store, StoredMatch
from parlour.store.errors import BadDatabase
from parlour.store.tables import lines, matches, visits
from tests.support.store import Clock, Opener, new_match, seats_present, with_lines, write_tables


def lines_in(store: Store) -> list[str]:
    with store.database.reading() as connection:
        return list(connection.scalars(select(lines.c.text).order_by(lines.c.match, lines.c.number)))


def test_what_goes_in_comes_out(store: Store, url: str, opened: Opener) -> None:
    bare = new_match("bare")
    full = StoredMatch(
        id="full",
        seq=7,
        kind="computer",
        head='[A "ä \' \\ % :x"]\n',
        lines=("1. 3-4", "", "2. ö 'x' %s :y"),
        seat_hashes=(b"\x00" * 32, b"\xff" * 32),
        invitation_hash=b"'\x00;",
        offer="undo 1",
        rematch="next",
        over=True,
        created_at=1_790_000_000.123456,
        changed_at=1_790_000_001.654321,
    )
    store.add(bare)
    store.add(full)
    for reader in (store, opened(url)):
        assert reader.load("bare") == bare
        assert reader.load("full") == full
        assert reader.load("neither") is None
    loaded = store.load("full")
    assert loaded is not None
    assert type(loaded.over) is bool
    assert type(loaded.invitation_hash) is bytes


def test_an_id_is_taken_once(store: Store) -> None:
    first = new_match(lines=("first",))
    store.add(first)
    with pytest.raises(IdTaken):
        store.add(new_match(lines=("second", "third")))
    assert store.load("m1") == first


def test_a_change_needs_the_match_as_it_is(store: Store) -> None:
    zero = new_match()
    store.add(zero)
    one = with_lines(zero, "a", "b", seat_hashes=(b"x", b"y"), invitation_hash=None, offer="undo 1", over=True)
    assert store.replace(zero, one)
    assert store.load("m1") == one
    assert not store.replace(zero, with_lines(zero, "c"))
    assert store.load("m1") == one
    two = replace(one, seq=2, offer="")  # nothing was played, and that is a change too
    assert store.replace(one, two)
    assert store.load("m1") == two
    gone = new_match("gone")
    assert not store.replace(gone, with_lines(gone, "a"))
    assert lines_in(store) == ["a", "b"]


def test_a_rematch_comes_with_the_change_or_not_at_all(store: Store) -> None:
    zero = new_match()
    store.add(zero)
    one, follower = with_lines(zero, "a", rematch="m2"), new_match("m2", lines=("x",))
    assert store.replace(zero, one, follower)
    assert store.load("m1") == one
    assert store.load("m2") == follower
    assert not store.replace(zero, with_lines(zero, "b", rematch="m3"), new_match("m3"))
    assert store.load("m3") is None


@pytest.mark.parametrize("change", [{"id": "m2"}, {"seq": 2}, {"seq": 4}, {"lines": ()}, {"lines": ("b", "c")}])
def test_only_the_next_state_of_the_same_match_is_written(
    sqlite_url: str, opened: Opener, change: dict[str, Any]
) -> None:
    before = new_match(seq=2, lines=("a",))
    store = opened(write_tables(sqlite_url))
    store.add(before)
    with pytest.raises(ValueError, match="next state"):
        store.replace(before, with_lines(before, "b", **change))
    assert store.load("m1") == before


def test_nothing_is_half_written_if_a_line_cannot_be(store: Store) -> None:
    zero = new_match()
    store.add(zero)
    store.add(new_match("m2"))
    with store.database.writing() as connection:
        connection.execute(insert(lines).values(match="m1", number=1, text="there already"))
    told: list[str | None] = []
    store.listen(told.append)
    with pytest.raises(IntegrityError):
        store.replace(zero, with_lines(zero, "a", "b"))
    assert lines_in(store) == ["there already"]
    with store.database.reading() as connection:
        assert list(connection.scalars(select(matches.c.seq).where(matches.c.id == "m1"))) == [0]
    assert told == []


def test_nothing_is_half_written_if_the_rematch_cannot_be(store: Store) -> None:
    zero, other = new_match(), new_match("m2", lines=("of another",))
    store.add(zero)
    store.add(other)
    with pytest.raises(IdTaken):
        store.replace(zero, with_lines(zero, "a", rematch="m2"), new_match("m2", lines=("x", "y")))
    assert store.load("m1") == zero
    assert store.load("m2") == other
    assert lines_in(store) == ["of another"]


def test_of_many_threads_one_wins_each_ply(store: Store) -> None:
    store.add(new_match())
    wins: list[str] = []
    failures: list[BaseException] = []
    together = Barrier(8)

    def play(name: int) -> None:
        try:
            for ply in range(10):
                before = store.load("m1")
                assert before is not None
                assert before.seq == ply
                together.wait(20)
                if store.replace(before, with_lines(before, f"{ply} by {name}")):
                    wins.append(f"{ply} by {name}")
                together.wait(20)
        except BaseException as error:
            failures.append(error)
            together.abort()

    threads = [Thread(target=play, args=(name,)) for name in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    after = store.load("m1")
    assert after is not None
    assert (after.seq, len(after.lines)) == (10, 10)
    assert list(after.lines) == wins


def test_a_match_is_read_as_it_was_at_one_moment(store: Store, url: str, opened: Opener) -> None:
    match = new_match()
    store.add(match)
    reader = opened(url)
    torn: list[StoredMatch | None] = []
    done = Event()

    def read() -> None:
        while not done.is_set():
            now = reader.load("m1")
            if now is None or len(now.lines) != 2 * now.seq:
                torn.append(now)

    thread = Thread(target=read)
    thread.start()
    for _ in range(30):
        after = with_lines(match, "a", "b")
        assert store.replace(match, after)
        match = after
    done.set()
    thread.join()
    assert torn == []


def test_sqlite_is_set_up_to_lose_nothing(sqlite_url: str, opened: Opener) -> None:
    store = opened(write_tables(sqlite_url))
    for transaction in (store.database.reading, store.database.writing):
        with transaction() as connection:
            settings = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
            values = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in settings]
            assert values == ["wal", 2, 1, 5000]


def test_a_writer_waits_for_another_process(sqlite_url: str, opened: Opener) -> None:
    one, two = opened(write_tables(sqlite_url)), opened(sqlite_url)
    one.add(new_match())
    with one.database.writing():
        assert two.load("m1") == new_match()  # and a reader does not
        thread = Thread(target=two.add, args=(new_match("m2"),))
        thread.start()
        thread.join(0.05)
        assert thread.is_alive()
    thread.join()
    assert one.load("m2") == new_match("m2")


def test_a_writer_does_not_wait_for_ever_for_another_thread(
    sqlite_url: str, opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parlour.store.database.BUSY_SECONDS", 0.05)
    store = opened(write_tables(sqlite_url))
    told: list[str] = []

    def write() -> None:
        with pytest.raises(BadDatabase) as caught:
            store.add(new_match())
        told.append(str(caught.value))

    with store.database.writing():
        threads = [Thread(target=write, daemon=True) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
    path = make_url(sqlite_url).database
    assert told == [f"the database {path} cannot be used: database is locked"] * 3
    store.add(new_match())


def test_a_file_that_is_removed_or_replaced_takes_no_more_matches(sqlite_url: str, opened: Opener) -> None:
    store = opened(write_tables(sqlite_url))
    store.add(new_match())
    path = make_url(sqlite_url).database or ""
    os.rename(path, f"{path}.moved")
    for _ in range(2):
        with pytest.raises(BadDatabase, match="its file was removed or replaced"):
            store.add(new_match("m2"))  # it would go nowhere
        with open(path, "w"):  # and into this one even less
            pass
    os.rename(f"{path}.moved", path)
    store.add(new_match("m2"))


def test_a_store_that_is_closed_says_so(url: str, opened: Opener) -> None:
    store = opened(url)
    store.close()
    with pytest.raises(BadDatabase, match="it has been closed"):
        store.add(new_match())
    with pytest.raises(BadDatabase, match="it has been closed"):
        store.load("m1")


def test_a_store_in_memory(opened: Opener) -> None:
    store = opened("sqlite://")
    store.add(new_match())
    threads = [Thread(target=store.add, args=(new_match(f"t{number}"),)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(store.load(f"t{number}") for number in range(20))
    zero = store.load("m1")
    assert zero is not None
    assert store.replace(zero, with_lines(zero, "a"))
    assert not store.replace(zero, with_lines(zero, "b"))
    assert store.load("m1") == with_lines(zero, "a")
    assert opened("sqlite://").load("m1") is None


def test_a_connection_is_not_waited_for_for_ever(url: str, opened: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.store.database.BUSY_SECONDS", 0.05)
    store = opened(url)
    told: list[str] = []

    def read() -> None:
        with pytest.raises(BadDatabase) as caught, store.database.reading():
            pass
        told.append(str(caught.value))

    with ExitStack() as taken:
        for _ in range(15):
            taken.enter_context(store.database.reading())
        thread = Thread(target=read, daemon=True)
        thread.start()
        thread.join(20)
        assert len(told) == 1
        assert "QueuePool limit" in told[0]


DAY = 86400.0


@pytest.mark.parametrize(
    ("more", "days"),
    [
        ({"invitation_hash": b"open"}, 1),
        ({}, 30),
        ({"over": True}, 90),
        ({"over": True, "invitation_hash": b"open"}, 90),
    ],
)
def test_idle_matches_are_removed(store: Store, clock: Clock, more: dict[str, Any], days: float) -> None:
    store.add(new_match(changed_at=clock.now, lines=("a", "b"), **more))
    store.add(new_match("other", changed_at=clock.now + 400 * DAY, lines=("c",)))
    store.begin_visit("v", "m1", 1)
    told: list[str | None] = []
    store.listen(told.append)
    assert store.remove_expired(clock.now + days * DAY, Lifetimes()) == 0
    assert store.load("m1") is not None
    assert store.remove_expired(clock.now + days * DAY + 1, Lifetimes()) == 1
    assert store.load("m1") is None
    assert store.load("other") is not None
    assert lines_in(store) == ["c"]
    assert set(told) == {"m1"}
    assert seats_present(store, "m1") == frozenset()
    store.refresh_visits()  # the page is still open, but there is nothing to come back to
    with store.database.reading() as connection:
        assert connection.execute(select(visits)).all() == []


def test_lifetimes_can_be_chosen_and_many_are_removed(
    store: Store, url: str, opened: Opener, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parlour.store.store.MAX_REMOVED_AT_ONCE", 7)
    for number in range(30):
        store.add(new_match(f"m{number}"))
    other = opened(url)
    lifetimes = Lifetimes(waiting=1, playing=10, over=100)
    assert store.remove_expired(new_match().changed_at + 10, lifetimes) == 0
    counts: list[int] = []
    sweeper = Thread(target=lambda: counts.append(other.remove_expired(new_match().changed_at + 11, lifetimes)))
    sweeper.start()
    counts.append(store.remove_expired(new_match().changed_at + 11, lifetimes))
    sweeper.join()
    counts.append(store.remove_expired(new_match().changed_at + 11, lifetimes))
    assert sum(counts) == 30
