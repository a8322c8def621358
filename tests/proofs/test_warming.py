"""The study board has its first answers ready before anybody asks."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from parlour.web import chores
from parlour.web.app import _warm_up
from parlour.web.games import shipped_lines
from parlour.web.messages import SolveQuestion
from parlour.web.pool import Pool


def test_every_shipped_game_is_answered_from_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask_all() -> list[bytes]:
        pool = Pool(2, seconds=60)
        try:
            await _warm_up(pool)
            monkeypatch.setattr(pool, "_job", None)  # nothing is thought about any more
            answers = []
            for line in shipped_lines():
                if "none" in line.options.values():  # a game that need not end is refused, and that takes no time
                    continue
                legal = chores.position(line).legal
                for moves in ([], legal[:1], legal[-1:]):
                    record = chores.check_line(replace(line, moves=moves)).record
                    answers.append((await pool.ask_json(SolveQuestion(record=record))).json)
            return answers
        finally:
            await pool.close()

    answers = asyncio.run(ask_all())
    assert len(answers) > 30
    assert all(b'"choices":[{' in answer for answer in answers)
