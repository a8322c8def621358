"""Who is there, on PostgreSQL: other processes hear of it too. Two stores stand for two processes."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import psycopg
import pytest
from sqlalchemy import delete, make_url

from parlour.store import VISIT_SECONDS, Store, open_store
from parlour.store.tables import visits
from tests.support.eventually import eventually
from tests.support.postgres import Server
from tests.support.store import Clock, Ear, Opener, new_match, seats_present, with_lines


def test_a_match_that_is_removed_in_the_moment_of_a_visit_is_only_gone(postgres_url: str, opened: Opener) -> None:
    """PostgreSQL lets two processes come to this: one has seen the match, the other is removing it."""
    store = opened(postgres_url)
    for id in ("m1", "m2"):
        store.add(new_match(id))
    store.begin_visit("a", "m1", 1)
    store.begin_visit("b", "m2", 2)
    with psycopg.connect(postgres_url) as other:
        other.execute("DELETE FROM visits")  # so that both are written anew
        other.commit()
        other.execute("DELETE FROM matches WHERE id = 'm1'")  # and not committed yet
        refreshing = threading.Thread(target=store.refresh_visits)
        refreshing.start()
        wait_for_lock(other)
        other.commit()
        refreshing.join(20)
    assert seats_present(store, "m1") == frozenset()
    assert seats_present(store, "m2") == {2}, "the others are there"
    store.refresh_visits()
    with psycopg.connect(postgres_url) as other:
        other.execute("DELETE FROM matches WHERE id = 'm2'")
        coming = threading.Thread(target=store.begin_visit, args=("c", "m2", 1))
        coming.start()
        wait_for_lock(other)
        other.commit()
        coming.join(20)
    assert set(store._visits) == {"b"}
    store.refresh_visits()
    assert not store._visits


def wait_for_lock(connection: psycopg.Connection) -> None:
    """Wait until another transaction waits for what this one holds."""
    waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
    eventually(lambda: connection.execute(waiting).fetchone() != (0,))


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
    one.begin_visit("a", "m1", 1)
    assert ear.hears(within=1) == "m1"
    one.end_visit("a")
    assert ear.hears(within=1) == "m1"
    one.begin_visit("a", "m1", 1)
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


def test_a_listener_comes_back_when_the_database_does(
    pair: tuple[Store, Store], postgres_url: str, postgres_server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    _, two = pair
    ear = Ear(two)
    database = make_url(postgres_url).database
    postgres_server.run(f"ALTER DATABASE {database} WITH ALLOW_CONNECTIONS false")
    assert end_listeners(postgres_server, postgres_url) == 1
    eventually(lambda: "not currently accepting connections" in caplog.text)
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
        connection.autocommit = True  # or the same answer would come again
        query = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s"
        eventually(lambda: connection.execute(query, [name]).fetchone() == (0,))


def test_closing_while_the_database_is_away_is_prompt(postgres_url: str, postgres_server: Server) -> None:
    store = open_store(postgres_url)
    Ear(store)
    store.add(new_match())
    store.begin_visit("a", "m1", 1)
    database = make_url(postgres_url).database
    postgres_server.run(f"ALTER DATABASE {database} WITH ALLOW_CONNECTIONS false")
    postgres_server.run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}'")
    with psycopg.connect(postgres_server.url("postgres"), autocommit=True) as connection:
        query = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s"
        eventually(lambda: connection.execute(query, [database]).fetchone() == (0,))
    began = time.monotonic()
    store.close()
    assert time.monotonic() - began < 5


def test_two_processes_that_put_everything_right_at_once(pair: tuple[Store, Store], clock: Clock) -> None:
    """As after an outage: all visits are stale, and all processes refresh."""
    one, two = pair
    one.add(new_match())
    for number in range(50):
        one.begin_visit(f"a{number}", "m1", 1)
        two.begin_visit(f"b{number}", "m1", 2)
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
        assert seats_present(one, "m1") == {1, 2}
    with one.database.writing() as connection:
        assert len(connection.execute(delete(visits).returning(visits.c.visit)).all()) == 100
