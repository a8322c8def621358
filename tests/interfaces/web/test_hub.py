"""Listeners: they hear the newest state, and go when they are sent away."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from time import monotonic

import pytest

from parlour.service.commands import Delete, Play, Rename
from parlour.service.loaded import LoadedMatch
from parlour.service.matches import MatchService
from parlour.service.new_matches import MatchRequest, match_on_one_device
from parlour.store import open_store
from parlour.view import PLAYERS
from parlour.web.hub import Hub, HubSnapshot, Listener, StateEvent
from parlour.web.states import state_document
from parlour.web.turns import Turns
from tests.support.asgi import StartApp
from tests.support.eventually import eventually, eventually_async
from tests.support.seats import challenge
from tests.support.store import seats_present


@pytest.fixture(scope="module")
def event() -> StateEvent:
    matches = MatchService(open_store("sqlite://"))
    loaded = matches.add(match_on_one_device(MatchRequest("double-up", {}), (None, None), "1")).loaded
    made = StateEvent(loaded, state_document(matches, loaded))
    matches.store.close()
    return made


def test_nothing_is_left_of_readers_that_leave(start_app: StartApp) -> None:
    """Neither a listener nor a task: whether they leave before the first line, after it, or in mid-wait."""
    app = start_app("sqlite://")
    hub, store = app.state.hub, app.state.matches.store

    async def tasks() -> set[object]:
        return {task for task in asyncio.all_tasks() if task is not asyncio.current_task()}

    with app.client() as client:
        made = challenge(client, "local", game="double-up")
        seat = {"Authorization": f"Bearer {made['seat']}"}
        before = app.run(tasks())
        for pause in ("before the first line", "after it", "in mid-wait") * 5:
            with client.stream("GET", f"/api/matches/{made['id']}/stream", headers=seat) as stream:
                if pause != "before the first line":
                    next(stream.iter_lines())
                if pause == "in mid-wait":
                    eventually(lambda: hub.snapshot().idle)
    eventually(lambda: hub.snapshot() == HubSnapshot(0, 0, 0, 0) and not app.run(tasks()) - before)
    assert seats_present(store, made["id"]) == frozenset()


def test_a_database_that_is_away_is_not_asked_for_those_who_have_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.web.hub.RELOAD_SECONDS", 0.05)

    async def scenario() -> None:
        matches = MatchService(open_store("sqlite://"))
        made = matches.add(match_on_one_device(MatchRequest("double-up", {}), (None, None), "1"))
        turns, tried = Turns(), asyncio.Event()
        loop, load = asyncio.get_running_loop(), matches.load

        def noticed(*args: str) -> LoadedMatch:
            loop.call_soon_threadsafe(tried.set)
            return load(*args)

        monkeypatch.setattr(matches, "load", noticed)
        hub, listener = Hub(matches, turns), Listener(())
        matches.store.close()
        hub.add(made.loaded.id, listener)
        await asyncio.wait_for(tried.wait(), 20)
        await asyncio.sleep(0)
        assert not hub.snapshot().idle, "it will be tried again"
        hub.remove(made.loaded.id, listener)
        await eventually_async(lambda: hub.snapshot().idle)
        turns.close()

    asyncio.run(scenario())


def test_the_more_listen_the_less_often_they_hear_but_always_of_the_last_change(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("parlour.web.hub.SECONDS_EACH", 0.02)
    pause, changes, loads = 0.06, 10, 0

    async def scenario() -> None:
        nonlocal loads
        matches, turns = MatchService(open_store("sqlite://")), Turns()
        made = matches.add(match_on_one_device(MatchRequest("double-up", {}), (None, None), "1"))
        id, hub, listeners = made.loaded.id, Hub(matches, turns), [Listener(()) for _ in range(3)]
        load = matches.load

        def counted(*args: str) -> LoadedMatch:
            nonlocal loads
            loads += 1
            return load(*args)

        monkeypatch.setattr(matches, "load", counted)
        for listener in listeners:
            hub.add(id, listener)
        hub.start()
        begun = monotonic()
        for number in range(changes):
            matches.apply(id, made.seat, Rename(f"N{number}", 1))
            await asyncio.sleep(0.01)  # between which others have their turn
        loads -= changes  # of those who changed it
        await eventually_async(lambda: hub.snapshot().idle)
        assert loads <= 3 + (monotonic() - begun) / pause
        event = await anext(listeners[0].events())
        assert event is not None
        assert event.loaded.match.names[0] == f"N{changes - 1}"
        await hub.close()
        turns.close()
        matches.store.close()

    asyncio.run(scenario())


@pytest.mark.parametrize("steps", range(6))
def test_a_listener_that_is_sent_away_goes_even_if_news_come_in_the_same_moment(event: StateEvent, steps: int) -> None:
    """However many steps the event loop takes between the two."""

    async def scenario() -> bool:
        listener = Listener(())

        async def follow() -> None:
            async for _ in listener.events():
                pass

        following = asyncio.create_task(follow())
        for _ in range(5):
            await asyncio.sleep(0)  # it waits for news
        listener.send(event)
        for _ in range(steps):
            await asyncio.sleep(0)
        following.cancel()
        await asyncio.wait([following], timeout=1)
        gone = following.done()
        listener.send_away()  # or the test would not end either
        await asyncio.wait([following])
        return gone

    assert asyncio.run(scenario())


def test_what_another_process_does_in_the_same_file_is_heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of SQLite tells nobody: it is looked at, but only for matches that somebody listens to."""
    monkeypatch.setattr("parlour.web.hub.LOOK_SECONDS", 0.02)
    url = f"sqlite:///{tmp_path}/web.sqlite3"

    async def scenario() -> None:
        here, elsewhere, turns = MatchService(open_store(url)), MatchService(open_store(url)), Turns()
        made = here.add(match_on_one_device(MatchRequest("double-up", {}), (None, None), "1"))
        hub, listener = Hub(here, turns), Listener(())
        hub.start()
        hub.add(made.loaded.id, listener)
        events = listener.events()
        async with asyncio.timeout(20):
            first = await anext(events)
            assert first is not None
            assert first.loaded.ply == 0
            elsewhere.apply(made.loaded.id, made.seat, Play("2", 0))
            second = await anext(events)
            assert second is not None
            assert second.loaded.match.round.moves == [2]
            elsewhere.apply(made.loaded.id, made.seat, Delete())
            assert [event async for event in events] == [], "there is no such match any more"
        hub.remove(made.loaded.id, listener)
        assert hub.snapshot().followed == 0
        await hub.close()
        turns.close()
        here.store.close()
        elsewhere.store.close()

    asyncio.run(scenario())


def test_pages_that_come_together_are_written_together_and_loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a restart all pages of a server connect in the same moment."""

    async def scenario() -> None:
        matches, turns = MatchService(open_store("sqlite://")), Turns()
        made = [matches.add(match_on_one_device(MatchRequest("double-up", {}), (None, None), "1")) for _ in range(50)]
        calls: Counter[str] = Counter()

        def count(owner: object, name: str) -> None:
            real = getattr(owner, name)

            def counted(*args: object) -> object:
                calls[name] += 1
                return real(*args)

            monkeypatch.setattr(owner, name, counted)

        count(matches, "load")
        count(matches.store, "change_visits")
        hub = Hub(matches, turns)
        hub.start()
        listeners = {each.loaded.id: Listener(PLAYERS, each.loaded.stored.seat_hashes) for each in made}
        for id, listener in listeners.items():
            hub.add(id, listener)
        async with asyncio.timeout(20):
            for listener in listeners.values():
                event = await anext(listener.events())
                assert event is not None
                assert event.loaded.present == {1, 2}
        assert calls == {"load": 50, "change_visits": 1}
        for id, listener in listeners.items():
            hub.remove(id, listener)
        await eventually_async(lambda: not any(seats_present(matches.store, id) for id in listeners))
        assert calls["change_visits"] == 2
        await hub.close()
        turns.close()
        matches.store.close()

    asyncio.run(scenario())


def test_a_player_sees_the_match_although_nothing_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parlour.web.hub.FIRST_STATE_SECONDS", 0.02)
    url = f"sqlite:///{tmp_path}/web.sqlite3"

    async def scenario() -> None:
        matches, turns = MatchService(open_store(url)), Turns()
        made = matches.add(match_on_one_device(MatchRequest("double-up", {}), (None, None), "1"))
        hub, listener = Hub(matches, turns), Listener(PLAYERS, made.loaded.stored.seat_hashes)
        with closing(sqlite3.connect(tmp_path / "web.sqlite3", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            hub.add(made.loaded.id, listener)
            async with asyncio.timeout(4):  # SQLite waits for the other writer for five seconds
                event = await anext(listener.events())
        assert event is not None
        assert event.loaded.id == made.loaded.id
        hub.remove(made.loaded.id, listener)
        await hub.close()
        turns.close()
        matches.store.close()

    asyncio.run(scenario())
