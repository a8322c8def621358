"""Listeners: they hear the newest state, and go when they are sent away."""

from __future__ import annotations

import asyncio

import pytest

from parlour.service.creating import MatchRequest, match_on_one_device
from parlour.service.matches import MatchService
from parlour.store import open_store
from parlour.web.hub import Listener, StateEvent
from parlour.web.states import state_document


@pytest.fixture
def event() -> StateEvent:
    matches = MatchService(open_store("sqlite://"))
    loaded = matches.add(match_on_one_device(MatchRequest("double-up", {}), (None, None), "1")).loaded
    made = StateEvent(loaded, state_document(matches, loaded))
    matches.store.close()
    return made


@pytest.mark.parametrize("steps", range(6))
def test_a_listener_that_is_sent_away_goes_even_if_news_come_in_the_same_moment(event: StateEvent, steps: int) -> None:
    """However many steps the event loop takes between the two."""

    async def scenario() -> bool:
        listener = Listener(())

        async def follow() -> None:
            async for _ in listener.events():
                pass

        following = asyncio.create_task(follow())
        await asyncio.sleep(0.05)  # it waits for news
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
