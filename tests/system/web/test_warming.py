"""The study board has its first answers ready before anybody asks."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from parlour.errors import TooBig
from parlour.web import chores
from parlour.web.app import _warm_up
from parlour.web.games import shipped_lines
from parlour.web.messages import SolveQuestion
from parlour.web.pool import Pool
from tests.support.eventually import eventually_async


def test_whoever_asks_meanwhile_goes_first() -> None:
    async def ask_between() -> Any:
        pool = Pool(1, seconds=60)
        warming = asyncio.create_task(_warm_up(pool))
        try:
            await eventually_async(lambda: pool.busy)
            lines = {line.game: line for line in shipped_lines() if not line.options}
            question = SolveQuestion(record=chores.check_line(lines["sequence-spot"]).record)
            answer = await pool.ask_json(question, owner="somebody")
            return answer.json, warming.done()
        finally:
            warming.cancel()
            await asyncio.gather(warming, return_exceptions=True)
            await pool.close()

    answer, done = asyncio.run(ask_between())
    assert b'"choices":[{' in answer
    assert not done, "all answers were ready first"


def test_a_game_without_an_end_is_refused_at_once() -> None:
    async def ask() -> None:
        pool = Pool(1, seconds=60)
        [line] = (line for line in shipped_lines() if "none" in line.options.values())
        try:
            with pytest.raises(TooBig):
                await pool.ask(SolveQuestion(record=chores.check_line(line).record))
        finally:
            await pool.close()

    asyncio.run(ask())
