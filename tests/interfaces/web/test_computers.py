"""When computers are asked for their moves, and for whom, by a pool that answers when it is told to."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from fastapi import FastAPI

from parlour import record
from parlour.rules import rules_of
from parlour.score import Value
from parlour.service.commands import ComputerMove, Play, ReplaceComputer, Resign, TakeBack
from parlour.service.errors import SearchFailed
from parlour.service.matches import MatchService
from parlour.store import open_store
from parlour.store.errors import BadDatabase, Busy
from parlour.study.hints import Hint
from parlour.web import computers, messages
from parlour.web.app import make_app
from parlour.web.compression import Encoded
from parlour.web.computers import Computers
from parlour.web.messages import ChosenMove
from parlour.web.pool import Pool
from parlour.web.turns import Turns
from parlour.writer import write_json
from tests.support.computers import ANN, against, moves
from tests.support.eventually import eventually_async
from tests.support.store import write_tables

HINT = Hint(
    rules=rules_of("double-up"),
    rung=1,
    text="You are winning.",
    value=Value.WIN,
    legal=None,
    keeping=None,
    region=None,
    move=None,
    plies=None,
)


class Question:
    """What was asked, by whom, and the answer that is waited for."""

    def __init__(self, question: messages.Question[Any], owner: str) -> None:
        self.kind, self.owner = question.ask, owner
        self.moves = record.read_record(question.record).round.moves
        self.answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()


class Asking:
    """A pool that only notes what it is asked. ``errors`` are what it says first."""

    def __init__(self, *errors: Exception) -> None:
        self.asked: list[Question] = []
        self._errors = list(errors)

    async def ask(self, question: messages.Question[Any], *, owner: str = "", **_: Any) -> Any:
        self.asked.append(Question(question, owner))
        if self._errors:
            raise self._errors.pop()
        return await self.asked[-1].answer

    async def ask_json(self, question: messages.Question[Any], **how: Any) -> Encoded:
        return Encoded(write_json(await self.ask(question, **how)).encode())


@pytest.fixture
def url(tmp_path: Path) -> str:
    return write_tables(f"sqlite:///{tmp_path}/web.sqlite3")


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits before trying again."""
    monkeypatch.setattr(computers, "RETRY_SECONDS", 0.0)


def with_computers(url: str, pool: Asking, work: Callable[[MatchService, Computers], Awaitable[None]]) -> None:
    async def run() -> None:
        matches = MatchService(open_store(url))
        playing = Computers(matches, cast(Pool, pool), Turns())
        try:
            await work(matches, playing)
        finally:
            await playing.close()
            matches.store.close()

    asyncio.run(run())


# Asked once, and written sooner or later.


def test_what_a_computer_has_found_is_written_when_the_database_is_back(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = Asking()

    async def work(matches: MatchService, playing: Computers) -> None:
        loaded, _ = against(matches)
        away = 2 * computers.MOST_FAILURES  # times
        change = matches.store.replace

        def broken(*kept: Any) -> bool:
            nonlocal away
            away -= 1
            if away >= 0:
                raise BadDatabase("nobody there")
            return change(*kept)

        monkeypatch.setattr(matches.store, "replace", broken)
        playing.move_if_due(loaded, ANN)
        await eventually_async(lambda: pool.asked)
        pool.asked[0].answer.set_result(ChosenMove(move="7"))
        await eventually_async(lambda: moves(matches, loaded.id) == [7])
        assert len(pool.asked) == 1, "the search is not repeated"

    with_computers(url, pool, work)


def test_a_computer_waits_for_a_pool_that_is_busy_and_tries_a_few_times_if_it_fails(url: str) -> None:
    patient = Asking(*[Busy("later")] * (2 * computers.MOST_FAILURES))

    async def wait(matches: MatchService, playing: Computers) -> None:
        loaded, _ = against(matches)
        playing.move_if_due(loaded, ANN)
        await eventually_async(lambda: len(patient.asked) > 2 * computers.MOST_FAILURES)
        patient.asked[-1].answer.set_result(ChosenMove(move="7"))
        await eventually_async(lambda: moves(matches, loaded.id) == [7])

    with_computers(url, patient, wait)
    failing = Asking(*[SearchFailed("broke off")] * computers.MOST_FAILURES)

    async def give_up(matches: MatchService, playing: Computers) -> None:
        loaded, _ = against(matches)
        playing.move_if_due(loaded, ANN)
        await eventually_async(lambda: playing.idle)
        assert len(failing.asked) == computers.MOST_FAILURES
        playing.move_if_due(loaded, ANN)  # somebody is interested again
        await eventually_async(lambda: len(failing.asked) > computers.MOST_FAILURES)

    with_computers(url, failing, give_up)


def test_only_the_perfect_player_needs_a_proof_and_without_one_an_easier_moves(url: str) -> None:
    pool = Asking()

    async def work(matches: MatchService, playing: Computers) -> None:
        loaded, _ = against(matches, "perfect")
        playing.move_if_due(loaded, ANN)
        await eventually_async(lambda: pool.asked)
        pool.asked[0].answer.set_result(ChosenMove(move=None, unproved=True))
        await eventually_async(lambda: len(pool.asked) == 2)
        assert [(question.kind, question.owner) for question in pool.asked] == [("prove", ANN), ("choose", ANN)]
        assert matches.load(loaded.id).match.setup.players == ("human", "level:5")

    with_computers(url, pool, work)


# A match that has gone on.


def test_a_move_that_nobody_wants_any_more_is_given_up(url: str) -> None:
    pool = Asking()

    async def work(matches: MatchService, playing: Computers) -> None:
        loaded, seat = against(matches, first="me")
        id = loaded.id
        for answered, command in enumerate((TakeBack(1), Resign()), 1):
            before = matches.load(id)
            asked = matches.apply(id, seat, Play("5", before.ply))
            playing.move_if_due(asked, ANN)
            playing.move_if_due(asked, ANN)
            playing.move_if_due(before, ANN)  # it was seen earlier and comes late: nothing follows from it
            await eventually_async(lambda answered=answered: len(pool.asked) == answered)  # type: ignore[misc]
            question = pool.asked[-1]
            after = matches.apply(id, seat, command)
            assert not question.answer.done()
            playing.move_if_due(after, ANN)
            await eventually_async(question.answer.cancelled)
            assert playing.idle
        assert len(pool.asked) == 2

    with_computers(url, pool, work)


def test_another_search_takes_the_place_of_one_that_is_given_up(url: str) -> None:
    pool = Asking()

    async def work(matches: MatchService, playing: Computers) -> None:
        loaded, seat = against(matches, first="me")
        id = loaded.id
        playing.move_if_due(matches.apply(id, seat, Play("5", 0)), ANN)
        await eventually_async(lambda: pool.asked)
        matches.apply(id, seat, TakeBack(1))
        playing.move_if_due(matches.apply(id, seat, Play("6", 2)), ANN)
        await eventually_async(lambda: len(pool.asked) == 2)
        assert pool.asked[0].answer.cancelled()
        pool.asked[1].answer.set_result(ChosenMove(move="8"))
        await eventually_async(lambda: moves(matches, id) == [6, 8])

    with_computers(url, pool, work)


def test_a_move_found_before_a_take_back_is_not_played_after_it(url: str) -> None:
    matches = MatchService(open_store(url))
    loaded, seat = against(matches, first="me")
    id = loaded.id
    matches.apply(id, seat, Play("5", 0))
    matches.apply(id, seat, TakeBack(1))
    matches.apply(id, seat, Play("6", 2))
    assert matches.apply(id, None, ComputerMove("7", 1)).computer_to_move, "that was the answer to another move"
    matches.apply(id, None, ReplaceComputer("level:3", 1))
    assert moves(matches, id) == [6]
    assert matches.load(id).match.setup.players[1] == "level:3"
    matches.apply(id, None, ComputerMove("7", 3))
    assert moves(matches, id) == [6, 7]
    matches.store.close()


# What a page hears of.


class Page:
    """A page that is connected, without a network between."""

    def __init__(self) -> None:
        self.sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.received: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def state(self) -> dict[str, Any]:
        """The next one."""
        async with asyncio.timeout(20):
            while True:
                event = json.loads((await self.received.get()).get("text", "{}"))
                if event.get("type") == "state":
                    state: dict[str, Any] = event["state"]
                    return state


@asynccontextmanager
async def connected(app: FastAPI, id: str, seat: str) -> AsyncIterator[Page]:
    page = Page()
    path = f"/api/matches/{id}/socket"
    scope = {"type": "websocket", "path": path, "raw_path": path.encode(), "query_string": b"", "headers": []}
    scope |= {"scheme": "ws", "client": (ANN, 1), "server": ("here", 80), "subprotocols": [], "asgi": {"version": "3"}}
    page.sent.put_nowait({"type": "websocket.connect"})
    page.sent.put_nowait({"type": "websocket.receive", "text": json.dumps({"seat": seat})})

    async def send(message: Any) -> None:
        page.received.put_nowait(message)

    serving = asyncio.create_task(app(scope, page.sent.get, send))
    try:
        yield page
    finally:
        page.sent.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await serving


def with_app(url: str, pool: Asking, work: Callable[[FastAPI, MatchService], Awaitable[None]]) -> None:
    """An application, and another process that shares its store."""

    async def run() -> None:
        elsewhere = MatchService(open_store(url))
        app = make_app(open_store(url))
        async with app.router.lifespan_context(app):
            app.state.pool = pool
            app.state.computers = playing = Computers(app.state.matches, cast(Pool, pool), Turns())
            try:
                await work(app, elsewhere)
            finally:
                await playing.close()
                elsewhere.store.close()

    asyncio.run(run())


def test_what_is_done_at_another_process_ends_a_search_and_begins_one(url: str) -> None:
    pool = Asking()

    async def work(app: FastAPI, elsewhere: MatchService) -> None:
        loaded, seat = against(elsewhere, first="me")
        id = loaded.id
        async with connected(app, id, seat) as page:
            assert not (await page.state())["thinking"]
            elsewhere.apply(id, seat, Play("5", 0))
            app.state.matches.store.publish([id])  # as PostgreSQL would
            await eventually_async(lambda: pool.asked)
            assert (pool.asked[0].owner, pool.asked[0].moves) == (ANN, [5])
            elsewhere.apply(id, seat, Resign())
            app.state.matches.store.publish([id])
            await eventually_async(pool.asked[0].answer.cancelled)
        assert len(pool.asked) == 1

    with_app(url, pool, work)


def test_a_computer_that_gave_up_goes_on_when_a_page_hears_of_the_match(url: str) -> None:
    pool = Asking(*[SearchFailed("broke off")] * computers.MOST_FAILURES)

    async def work(app: FastAPI, elsewhere: MatchService) -> None:
        loaded, seat = against(elsewhere)
        id = loaded.id
        async with connected(app, id, seat) as page:
            assert (await page.state())["thinking"]
            # That the player is here is news as well, and may come only now.
            await eventually_async(lambda: app.state.computers.idle or len(pool.asked) > computers.MOST_FAILURES)
            app.state.matches.store.publish([None])  # the line to the database was lost, and is there again
            await eventually_async(lambda: len(pool.asked) > computers.MOST_FAILURES)
            pool.asked[-1].answer.set_result(ChosenMove(move="7"))
            while (state := await page.state())["thinking"]:
                pass
            assert state["table"]["moves"] == ["7"]

    with_app(url, pool, work)


def test_a_question_belongs_to_the_address_it_comes_from(url: str) -> None:
    pool = Asking()

    async def work(app: FastAPI, elsewhere: MatchService) -> None:
        transport = httpx.ASGITransport(app, client=(ANN, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            body = {"game": "double-up", "first": "you", "level": "perfect"}
            assert (await client.post("/api/challenge/computer", json=body)).status_code == 201
            studying = asyncio.create_task(client.get("/api/games/double-up/hint"))
            await eventually_async(lambda: len(pool.asked) == 2)
            assert [(question.kind, question.owner) for question in pool.asked] == [("prove", ANN), ("hint", ANN)]
            pool.asked[1].answer.set_result(HINT)
            assert (await studying).status_code == 200

    with_app(url, pool, work)
