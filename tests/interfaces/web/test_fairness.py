"""Nobody is starved: routes say what they cost, addresses take turns, and what was replayed is not replayed again."""

from __future__ import annotations

import asyncio
import re
import threading
from pathlib import Path
from time import sleep, thread_time

import pytest
from starlette.routing import BaseRoute, Match

from bench import rude
from parlour import record
from parlour.service.commands import Play, Rename, TakeBack
from parlour.service.errors import TooManyRequests
from parlour.service.matches import MatchService
from parlour.service.new_matches import MatchRequest, match_on_one_device
from parlour.service.replays import Replays
from parlour.store import Stamp, open_store
from parlour.store.errors import Busy
from parlour.web.app import all_routes, make_app
from parlour.web.costs import FINE, Budgets, Rate, Rates, declared_cost
from parlour.web.pages import files_path
from parlour.web.turns import MOST_WAITING, Turns
from tests.support import ROOT

MADE = {  # for the attacks: matches, and where the files are
    **{name: {"id": "2" * 10, "seat": "s" * 22} for name in ("long", "small", "friends", "over")},
    "files": f"{files_path()}/",
}


def test_every_route_says_what_it_costs() -> None:
    store = open_store("sqlite://")
    routes = all_routes(make_app(store))
    assert len(routes) > 40
    assert [route for route in routes if declared_cost(route) is None] == []
    store.close()


def test_the_bench_attacks_every_route() -> None:
    store = open_store("sqlite://")
    routes = all_routes(make_app(store))
    asked = [attack.ask() for attack in rude.all_attacks(MADE).values() for _ in range(20)]
    scopes = [
        {"type": "websocket" if one.upgrade else "http", "method": one.method, "path": one.path.partition("?")[0]}
        for one in asked
    ]
    attacked = {
        next((endpoint(route) for route in routes if route.matches({**scope, "headers": []})[0] is Match.FULL), None)
        for scope in scopes
    }
    assert [route for route in routes if endpoint(route) not in attacked] == []
    store.close()


def endpoint(route: BaseRoute) -> object:
    """What answers at a route; of some there are many, and one answers at all of them."""
    return getattr(route, "endpoint", route)


def test_attacks_at_once_are_of_attacks_that_there_are() -> None:
    named = {name for parts in rude.TOGETHER.values() for name in parts if name}
    assert named <= rude.all_attacks(MADE).keys()


def test_owners_take_turns_and_have_only_so_many_threads() -> None:
    begun: list[str] = []
    running: dict[str, int] = {"many": 0, "few": 0}
    most: dict[str, int] = {"many": 0, "few": 0}
    lock = threading.Lock()

    def work(owner: str) -> None:
        with lock:
            begun.append(owner)
            running[owner] += 1
            most[owner] = max(most[owner], running[owner])
        sleep(0.02)
        with lock:
            running[owner] -= 1

    async def scenario() -> None:
        turns = Turns(threads=2, each=2)
        many = [asyncio.create_task(turns.run("many", lambda: work("many"))) for _ in range(20)]
        await asyncio.sleep(0)
        await turns.run("few", lambda: work("few"))
        assert begun.count("many") <= 6, "whoever comes later does not wait for all that was there before"
        await asyncio.gather(*many)
        turns.close()

    asyncio.run(scenario())
    assert most["many"] <= 2


def test_what_an_owner_has_waiting_is_bounded_and_what_others_have_is_not() -> None:
    free = threading.Event()

    async def scenario() -> None:
        turns = Turns(threads=4, each=1)
        waiting = [asyncio.create_task(turns.run("many", free.wait)) for _ in range(MOST_WAITING + 1)]
        await asyncio.sleep(0)
        with pytest.raises(Busy, match="from your address are waiting"):
            await turns.run("many", free.wait)
        assert await turns.run("few", lambda: 7) == 7
        free.set()
        await asyncio.gather(*waiting)
        turns.close()

    asyncio.run(scenario())


def test_an_error_is_told_and_what_is_given_up_is_not_begun() -> None:
    done: list[int] = []
    free = threading.Event()

    def fail() -> None:
        raise KeyError("no")

    async def scenario() -> None:
        turns = Turns(threads=1)
        with pytest.raises(KeyError):
            await turns.run("", fail)
        first = asyncio.create_task(turns.run("one", free.wait))
        given_up = asyncio.create_task(turns.run("one", lambda: done.append(1)))
        await asyncio.sleep(0)
        given_up.cancel()
        free.set()
        await first
        assert await turns.run("two", lambda: 2) == 2
        turns.close()

    asyncio.run(scenario())
    assert done == []


def test_the_processor_s_time_is_charged_to_its_owner() -> None:
    charged: list[tuple[str, float]] = []

    def burn() -> None:
        end = thread_time() + 0.05
        while thread_time() < end:
            pass

    async def scenario() -> None:
        turns = Turns(lambda owner, seconds: charged.append((owner, seconds)))
        await turns.run("one", burn)
        await turns.run("two", lambda: sleep(0.05))
        turns.close()

    asyncio.run(scenario())
    (one, burnt), (two, slept) = charged
    assert (one, two) == ("one", "two")
    assert slept < 0.05 <= burnt


def test_a_few_costly_requests_count_like_many_cheap_ones() -> None:
    budgets = Budgets(Rates(processor=Rate(1, 0.5)))
    budgets.spend("one", "look")
    budgets.charge("one", 3)
    with pytest.raises(TooManyRequests) as refused:
        budgets.spend("one", "look")
    assert refused.value.wait == 4, "two seconds too many, of which half a one comes back each second"
    budgets.spend("two", "look")


def test_without_limits_nobody_is_refused() -> None:
    budgets = Budgets(None)
    budgets.charge("one", 1000)
    for _ in range(1000):
        budgets.spend("one", "create")


def test_a_refusal_costs_connections_but_never_more_than_there_are() -> None:
    budgets = Budgets(Rates(connect=Rate(FINE + 1, 1)))
    budgets.fine("one")
    budgets.spend("one", "connect")
    for _ in range(3):
        budgets.fine("one")
    with pytest.raises(TooManyRequests) as refused:
        budgets.spend("one", "connect")
    assert refused.value.wait == 1
    budgets.spend("two", "connect")


@pytest.fixture
def service(tmp_path: Path) -> MatchService:
    return MatchService(open_store(f"sqlite:///{tmp_path}/web.sqlite3"))


def test_what_was_replayed_is_what_a_replay_from_the_start_gives(
    service: MatchService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = service.add(match_on_one_device(MatchRequest("sequence-spot", {}), ("Ann", "Ben"), "1"))
    id, seat = made.loaded.id, made.seat
    elsewhere = MatchService(open_store(f"sqlite:///{tmp_path}/web.sqlite3"))  # as another process
    from_the_start: list[str] = []
    original = record.read_record
    monkeypatch.setattr(record, "read_record", lambda text: from_the_start.append(text) or original(text))

    def check() -> None:
        loaded = service.load(id)
        truth = original("\n".join((loaded.stored.head, *loaded.stored.lines)))
        assert (loaded.match.log, loaded.match.rounds) == (truth.log, truth.rounds)
        assert loaded.match.setup == truth.setup

    for number in range(6):
        place = elsewhere if number % 2 else service
        loaded = place.load(id)
        place.apply(id, seat, Play(loaded.match.legal_names[0], loaded.ply))
        check()
    ply = service.load(id).ply
    elsewhere.apply(id, seat, TakeBack(ply))
    check()
    assert len(from_the_start) == 2, "each process replayed it once, and then only what was new"
    elsewhere.apply(id, seat, Rename("Anna", 1))
    check()
    assert service.load(id).match.names[0] == "Anna"
    for place in (service, elsewhere):
        place.store.close()


def test_only_so_much_is_remembered(service: MatchService) -> None:
    replays = Replays(most_lines=50)
    stored = [
        service.add(match_on_one_device(MatchRequest("double-up", {}), ("Ann", "Ben"), "1")).loaded.stored
        for _ in range(5)
    ]
    for one in stored:
        replays.replay(one)
    known = [replays.find(one.id, Stamp(one.seq, one.changed_at, 0)) is not None for one in stored]
    assert known == [False, False, False, True, True]
    assert replays.find(stored[-1].id, Stamp(2, stored[-1].changed_at, 0)) is None, "another state"
    service.store.close()


def test_every_promise_names_tests_that_there_are() -> None:
    page = (ROOT / "docs" / "trust.md").read_text("utf-8")
    named = set(re.findall(r"`([a-z/]*test_\w+\.py)`", page))
    assert len(named) > 20
    assert [name for name in named if not list((ROOT / "tests").glob(f"*/{name}"))] == [], "in no layer"
