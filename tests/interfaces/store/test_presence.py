"""Who is there, and who hears of it: two stores stand for two processes."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator

import psycopg
import pytest
from sqlalchemy import delete, make_url, select

from parlour.errors import BadDatabase
from parlour.store import SECONDS_BETWEEN_REFRESHES, VISIT_SECONDS, Lifetimes, Store, open_store
from parlour.store.tables import visits
from tests.support.postgres import Server
from tests.support.store import Clock, Opener, Starter, new_match, with_lines


class Ear:
    """Hears, and can be waited for."""

    def __init__(self, store: Store) -> None:
        self._heard: queue.Queue[str | None] = queue.Queue()
        store.listen(self._heard.put)

    def hears(self, within: float = 20.0) -> str | None:
        return self._heard.get(timeout=within)

    def hears_all_of(self, ids: set[str]) -> None:
        while ids:
            ids.discard(self.hears() or "")

    def hears_nothing(self, for_long: float = 0.2) -> None:
        with pytest.raises(queue.Empty):
            self._heard.get(timeout=for_long)


@pytest.fixture
def other(url: str, opened: Opener, store: Store) -> Store:
    """The store of another process."""
    return opened(url)


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Closing waits until the visits have ended, however busy the machine is."""
    monkeypatch.setattr("parlour.store.store.CLOSING_SECONDS", 60.0)


@pytest.mark.usefixtures("unhurried")
def test_both_processes_know_who_is_there(store: Store, other: Store) -> None:
    store.add(new_match("m1"))
    store.add(new_match("m2"))
    store.begin_visit("a", "m1", 0)
    other.begin_visit("b", "m1", 1)
    other.begin_visit("c", "m2", 1)
    for either in (store, other):
        assert either.seats_present("m1") == {0, 1}
        assert either.seats_present("m2") == {1}
        assert either.seats_present("m3") == frozenset()
    store.end_visit("a")
    store.end_visit("a")
    assert other.seats_present("m1") == {1}
    other.close()
    assert store.seats_present("m1") == store.seats_present("m2") == frozenset()


def test_who_has_two_pages_open_is_there_until_both_are_closed(store: Store, other: Store) -> None:
    store.add(new_match())
    store.begin_visit("a", "m1", 0)
    other.begin_visit("b", "m1", 0)
    store.end_visit("a")
    assert store.seats_present("m1") == {0}
    other.end_visit("b")
    assert store.seats_present("m1") == frozenset()


def test_visits_of_a_dead_process_end(store: Store, other: Store, clock: Clock) -> None:
    store.add(new_match())
    store.begin_visit("a", "m1", 0)
    other.begin_visit("b", "m1", 1)  # and is not heard of again
    ear = Ear(store)
    for _ in range(3):
        clock.now += SECONDS_BETWEEN_REFRESHES
        store.refresh_visits()
    assert store.seats_present("m1") == {0, 1}
    ear.hears_nothing(0)
    clock.now += 1
    assert store.seats_present("m1") == {0}
    store.refresh_visits()
    assert ear.hears() == "m1"
    ear.hears_nothing()


def test_a_process_that_only_slept_is_there_again(store: Store, other: Store, clock: Clock) -> None:
    store.add(new_match())
    other.begin_visit("b", "m1", 1)
    clock.now += VISIT_SECONDS + 1
    store.remove_expired(clock.now, Lifetimes())
    with store.database.reading() as connection:
        assert connection.execute(select(visits)).all() == []
    ear = Ear(other)
    other.refresh_visits()
    assert ear.hears() == "m1"
    assert store.seats_present("m1") == {1}
    other.end_visit("b")
    assert store.seats_present("m1") == frozenset()


def test_a_visit_that_could_not_be_ended_is_ended_later(store: Store, clock: Clock) -> None:
    store.add(new_match())
    store.begin_visit("a", "m1", 0)
    store._visits.clear()  # as after a leave() that found no database
    store.refresh_visits()
    assert store.seats_present("m1") == frozenset()


def test_a_match_that_is_removed_in_the_moment_of_a_visit_is_only_gone(store: Store, url: str) -> None:
    """PostgreSQL lets two processes come to this: one has seen the match, the other is removing it."""
    if not url.startswith("postgresql"):
        pytest.skip("SQLite has one writer at a time")
    for id in ("m1", "m2"):
        store.add(new_match(id))
    store.begin_visit("a", "m1", 0)
    store.begin_visit("b", "m2", 1)
    with psycopg.connect(url) as other:
        other.execute("DELETE FROM visits")  # so that both are written anew
        other.commit()
        other.execute("DELETE FROM matches WHERE id = 'm1'")  # and not committed yet
        refreshing = threading.Thread(target=store.refresh_visits)
        refreshing.start()
        wait_for_lock(other)
        other.commit()
        refreshing.join(20)
    assert store.seats_present("m1") == frozenset()
    assert store.seats_present("m2") == {1}, "the others are there"
    store.refresh_visits()
    with psycopg.connect(url) as other:
        other.execute("DELETE FROM matches WHERE id = 'm2'")
        coming = threading.Thread(target=store.begin_visit, args=("c", "m2", 0))
        coming.start()
        wait_for_lock(other)
        other.commit()
        coming.join(20)
    assert store._visits.keys() == {"b"}
    store.refresh_visits()
    assert store._visits == {}


def wait_for_lock(connection: psycopg.Connection) -> None:
    """Wait until somebody else waits for what this transaction holds."""
    waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
    for _ in range(500):
        if connection.execute(waiting).fetchone() != (0,):
            return
        time.sleep(0.01)
    raise AssertionError("nobody waits")


def test_what_a_stalled_database_did_not_take_is_made_up_for(
    sqlite_url: str, opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parlour.store.database.BUSY_SECONDS", 0.1)
    store, other = opened(sqlite_url), opened(sqlite_url)
    store.add(new_match())
    store.begin_visit("a", "m1", 0)
    with other.database.writing():
        with pytest.raises(BadDatabase):
            store.begin_visit("b", "m1", 1)
        with store._visiting, pytest.raises(BadDatabase):  # as if others were waiting for the database already
            store.end_visit("a")
    store.refresh_visits()
    assert store.seats_present("m1") == {1}


def test_nobody_arrives_at_a_match_that_is_gone(store: Store) -> None:
    ear = Ear(store)
    store.begin_visit("a", "m1", 0)
    assert store.seats_present("m1") == frozenset()
    store.end_visit("a")
    ear.hears_nothing()


@pytest.mark.slow
def test_a_killed_process_leaves_its_visits_to_time(url: str, started: Starter) -> None:
    store = open_store(url)
    store.add(new_match())
    process = started("visit", url, "m1")
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    assert store.seats_present("m1") == {0, 1}
    process.kill()
    process.wait()
    assert store.seats_present("m1") == {0, 1}
    assert store.remove_expired(time.time() + VISIT_SECONDS + 1, Lifetimes(playing=float("inf"))) == 0
    assert store.seats_present("m1") == frozenset()
    store.close()


def test_this_process_hears_at_once(store: Store) -> None:
    told: list[str | None] = []
    store.add(new_match())
    store.listen(told.append)
    assert store.replace(new_match(), with_lines(new_match(), "a"))
    assert told == ["m1"]
    store.begin_visit("a", "m1", 0)
    assert told == ["m1", "m1"]
    store.end_visit("a")
    assert told == ["m1", "m1", "m1"]
    assert not store.replace(new_match(), with_lines(new_match(), "b"))
    store.end_visit("a")
    store.refresh_visits()
    assert told == ["m1", "m1", "m1"]


def test_what_is_heard_is_already_stored(store: Store) -> None:
    store.add(new_match())
    one = with_lines(new_match(), "a")
    found = []
    store.listen(lambda id: found.append(store.load(id or "")))
    assert store.replace(new_match(), one)
    assert found == [one]


def test_a_listener_that_fails_harms_nobody(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    def fails(_: str | None) -> None:
        raise RuntimeError("no")

    store.add(new_match())
    store.listen(fails)
    ear = Ear(store)
    assert store.replace(new_match(), with_lines(new_match(), "a"))
    assert ear.hears() == "m1"
    assert "a listener failed" in caplog.text


def test_closing_does_not_wait_for_a_database_that_is_locked(sqlite_url: str, opened: Opener) -> None:
    store, other = open_store(f"{sqlite_url}?timeout=60"), opened(sqlite_url)
    store.add(new_match())
    store.begin_visit("a", "m1", 0)
    with other.database.writing():
        closing = threading.Thread(target=store.close, daemon=True)
        closing.start()
        closing.join(20)
        assert not closing.is_alive()


# On PostgreSQL, other processes hear too.


@pytest.fixture
def pair(postgres_url: str, opened: Opener) -> tuple[Store, Store]:
    return opened(postgres_url), opened(postgres_url)


@pytest.fixture
def no_threads_are_left() -> Iterator[None]:
    yield
    assert [thread.name for thread in threading.enumerate() if "listener" in thread.name] == []


def end_listeners(server: Server, url: str) -> int:
    database = make_url(url).database
    where = f"datname = '{database}' AND query LIKE 'LISTEN%'"
    return len(server.run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {where}"))


@pytest.mark.usefixtures("unhurried")
def test_other_processes_hear(pair: tuple[Store, Store]) -> None:
    one, two = pair
    one.add(new_match())
    ear = Ear(two)
    ear.hears_nothing()
    assert one.replace(new_match(), with_lines(new_match(), "a"))
    assert ear.hears(within=1) == "m1"
    one.begin_visit("a", "m1", 0)
    assert ear.hears(within=1) == "m1"
    one.end_visit("a")
    assert ear.hears(within=1) == "m1"
    one.begin_visit("a", "m1", 0)
    assert ear.hears(within=1) == "m1"
    one.close()  # with a page still open
    assert ear.hears(within=1) == "m1"
    ear.hears_nothing()


def test_what_did_not_happen_is_not_heard(pair: tuple[Store, Store]) -> None:
    one, two = pair
    one.add(new_match())
    one.add(new_match("m2"))
    ear = Ear(two)
    assert not one.replace(new_match(seq=5), with_lines(new_match(seq=5), "a"))
    with pytest.raises(Exception, match="m2"):
        one.replace(new_match(), with_lines(new_match(), "a"), new_match("m2"))
    ear.hears_nothing()


@pytest.mark.slow
def test_all_of_many_are_heard(pair: tuple[Store, Store]) -> None:
    one, two = pair
    ear = Ear(two)
    ids = {f"m{number}" for number in range(200)}
    for id in ids:
        one.add(new_match(id))
        one.replace(new_match(id), with_lines(new_match(id), "a"))
    ear.hears_all_of(ids)


def test_after_a_lost_connection_everything_may_have_changed(
    pair: tuple[Store, Store], postgres_url: str, postgres_server: Server
) -> None:
    one, two = pair
    one.add(new_match())
    ear = Ear(two)
    for ply in range(3):
        assert end_listeners(postgres_server, postgres_url) == 1
        before = one.load("m1")
        assert before is not None
        assert one.replace(before, with_lines(before, f"{ply}"))  # perhaps while nobody listens
        while ear.hears() is not None:
            pass
        before = one.load("m1")
        assert before is not None
        assert one.replace(before, with_lines(before, f"{ply} again"))
        assert ear.hears() == "m1"


@pytest.mark.slow
def test_a_listener_comes_back_when_the_database_does(
    pair: tuple[Store, Store], postgres_url: str, postgres_server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    _, two = pair
    ear = Ear(two)
    database = make_url(postgres_url).database
    postgres_server.run(f"ALTER DATABASE {database} WITH ALLOW_CONNECTIONS false")
    assert end_listeners(postgres_server, postgres_url) == 1
    end = time.monotonic() + 20
    while "not currently accepting connections" not in caplog.text and time.monotonic() < end:
        time.sleep(0.02)
    assert "not currently accepting connections" in caplog.text
    ear.hears_nothing()
    postgres_server.run(f"ALTER DATABASE {database} WITH ALLOW_CONNECTIONS true")
    assert ear.hears() is None


def test_closing_is_prompt_and_leaves_nothing(
    postgres_url: str, postgres_server: Server, no_threads_are_left: None
) -> None:
    store = open_store(postgres_url)
    Ear(store)
    Ear(store)
    began = time.monotonic()
    store.close()
    assert time.monotonic() - began < 2  # it would be 2 for each of them if they did not hear of it
    with psycopg.connect(postgres_server.url("postgres")) as connection:
        name = make_url(postgres_url).database
        for _ in range(200):
            query = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s"
            row = connection.execute(query, [name]).fetchone()
            connection.rollback()  # or the same answer would come again
            if row == (0,):
                break
            time.sleep(0.05)
        assert row == (0,)


@pytest.mark.slow
def test_closing_while_the_database_is_away_is_prompt(postgres_url: str, postgres_server: Server) -> None:
    store = open_store(postgres_url)
    Ear(store)
    store.add(new_match())
    store.begin_visit("a", "m1", 0)
    database = make_url(postgres_url).database
    postgres_server.run(f"ALTER DATABASE {database} WITH ALLOW_CONNECTIONS false")
    postgres_server.run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}'")
    time.sleep(0.3)
    began = time.monotonic()
    store.close()
    assert time.monotonic() - began < 5


@pytest.mark.slow
def test_two_processes_that_put_everything_right_at_once(pair: tuple[Store, Store], clock: Clock) -> None:
    """As after an outage: all visits are stale, and all processes refresh."""
    one, two = pair
    one.add(new_match())
    for number in range(50):
        one.begin_visit(f"a{number}", "m1", 0)
        two.begin_visit(f"b{number}", "m1", 1)
    failures: list[Exception] = []

    def refresh(store: Store) -> None:
        try:
            store.refresh_visits()
        except Exception as error:
            failures.append(error)

    for _ in range(10):
        clock.now += VISIT_SECONDS + 1
        threads = [threading.Thread(target=refresh, args=(store,)) for store in pair]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []
        for store in pair:
            store.refresh_visits()
        assert one.seats_present("m1") == {0, 1}
    with one.database.writing() as connection:
        assert len(connection.execute(delete(visits).returning(visits.c.visit)).all()) == 100
