"""Who is there, and who hears of it: two stores stand for two processes."""

from __future__ import annotations

import threading

import pytest
from sqlalchemy import select

from parlour.store import SECONDS_BETWEEN_REFRESHES, VISIT_SECONDS, Lifetimes, Store, open_store
from parlour.store.errors import BadDatabase
from parlour.store.tables import visits
from tests.support.store import Clock, Ear, Opener, new_match, seats_present, with_lines, write_tables


@pytest.fixture
def other(url: str, opened: Opener, store: Store) -> Store:
    """The store of another process."""
    return opened(url)


@pytest.mark.usefixtures("unhurried")
def test_both_processes_know_who_is_there(store: Store, other: Store) -> None:
    store.add(new_match("m1"))
    store.add(new_match("m2"))
    store.begin_visit("a", "m1", 1)
    other.begin_visit("b", "m1", 2)
    other.begin_visit("c", "m2", 2)
    for either in (store, other):
        assert seats_present(either, "m1") == {1, 2}
        assert seats_present(either, "m2") == {2}
        assert seats_present(either, "m3") == frozenset()
    store.end_visit("a")
    store.end_visit("a")
    assert seats_present(other, "m1") == {2}
    other.close()
    assert seats_present(store, "m1") == seats_present(store, "m2") == frozenset()


def test_who_has_two_pages_open_is_there_until_both_are_closed(store: Store, other: Store) -> None:
    store.add(new_match())
    store.begin_visit("a", "m1", 1)
    other.begin_visit("b", "m1", 1)
    store.end_visit("a")
    assert seats_present(store, "m1") == {1}
    other.end_visit("b")
    assert seats_present(store, "m1") == frozenset()


def test_visits_of_a_dead_process_end(store: Store, other: Store, clock: Clock) -> None:
    store.add(new_match())
    store.begin_visit("a", "m1", 1)
    other.begin_visit("b", "m1", 2)  # and is not heard of again
    ear = Ear(store)
    for _ in range(3):
        clock.now += SECONDS_BETWEEN_REFRESHES
        store.refresh_visits()
    assert seats_present(store, "m1") == {1, 2}
    ear.hears_nothing(0)
    clock.now += 1
    assert seats_present(store, "m1") == {1}
    store.refresh_visits()
    assert ear.hears() == "m1"
    ear.hears_nothing(0.02)


def test_a_process_that_only_slept_is_there_again(store: Store, other: Store, clock: Clock) -> None:
    store.add(new_match())
    other.begin_visit("b", "m1", 2)
    clock.now += VISIT_SECONDS + 1
    store.remove_expired(clock.now, Lifetimes())
    with store.database.reading() as connection:
        assert connection.execute(select(visits)).all() == []
    ear = Ear(other)
    other.refresh_visits()
    assert ear.hears() == "m1"
    assert seats_present(store, "m1") == {2}
    other.end_visit("b")
    assert seats_present(store, "m1") == frozenset()


def unreachable() -> None:
    raise BadDatabase("the database is away")


def test_a_visit_that_could_not_be_ended_is_ended_later(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.add(new_match())
    store.begin_visit("a", "m1", 1)
    with monkeypatch.context() as away:
        away.setattr(store.database, "writing", unreachable)
        with pytest.raises(BadDatabase):
            store.end_visit("a")
    store.refresh_visits()
    assert seats_present(store, "m1") == frozenset()


def test_what_a_stalled_database_did_not_take_is_made_up_for(
    sqlite_url: str, opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parlour.store.database.BUSY_SECONDS", 0.02)
    store, other = opened(write_tables(sqlite_url)), opened(sqlite_url)
    store.add(new_match())
    store.begin_visit("a", "m1", 1)
    with other.database.writing():
        with pytest.raises(BadDatabase):
            store.begin_visit("b", "m1", 2)
        with store._visiting, pytest.raises(BadDatabase):  # as if others were waiting for the database already
            store.end_visit("a")
    store.refresh_visits()
    assert seats_present(store, "m1") == {2}


def test_nobody_arrives_at_a_match_that_is_gone(store: Store) -> None:
    ear = Ear(store)
    store.begin_visit("a", "m1", 1)
    assert seats_present(store, "m1") == frozenset()
    store.end_visit("a")
    ear.hears_nothing(0.02)


def test_this_process_hears_at_once(store: Store) -> None:
    told: list[str | None] = []
    store.add(new_match())
    store.listen(told.append)
    assert store.replace(new_match(), with_lines(new_match(), "a"))
    assert told == ["m1"]
    store.begin_visit("a", "m1", 1)
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


def test_closing_does_not_wait_for_a_database_that_is_locked(
    sqlite_url: str, opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parlour.store.store.CLOSING_SECONDS", 0.05)
    store, other = open_store(f"{sqlite_url}?timeout=60"), opened(sqlite_url)
    store.add(new_match())
    store.begin_visit("a", "m1", 1)
    with other.database.writing():
        closing = threading.Thread(target=store.close, daemon=True)
        closing.start()
        closing.join(20)
        assert not closing.is_alive()
