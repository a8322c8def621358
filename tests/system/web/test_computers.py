"""Computers whose search processes hang."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from parlour.limit import Limit
from parlour.service.matches import MatchService
from parlour.service.searches import choose_move
from parlour.store import open_store
from parlour.web import messages
from parlour.web.computers import Computers
from parlour.web.pool import Pool
from parlour.web.turns import Turns
from tests.support.asgi import sqlite_file
from tests.support.computers import ANN, against, moves
from tests.support.eventually import eventually_async


@pytest.mark.parametrize("level", ["level:2", "perfect"])
def test_a_computer_whose_process_is_stopped_for_too_long_is_asked_again_and_stays_who_it_is(
    tmp_path: Path, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time limit is a last resort against a search that hangs, and no reason for another computer."""

    async def run() -> None:
        matches, pool = MatchService(open_store(sqlite_file(tmp_path))), Pool(1)
        playing = Computers(matches, pool, Turns())
        try:
            for kind in (messages.ChooseQuestion, messages.ProveQuestion):
                monkeypatch.setattr(kind, "seconds", 0.1)
            monkeypatch.setattr("parlour.web.pool.OVERTIME_SECONDS", 0.1)
            monkeypatch.setattr("parlour.web.pool.GIVE_UP_SECONDS", 0.1)
            loaded, _ = against(matches, level)
            expected = choose_move(loaded.match, Limit())
            playing.move_if_due(loaded, ANN)
            await eventually_async(lambda: pool.processes)
            (stopped,) = pool.processes
            os.kill(stopped, signal.SIGSTOP)
            await eventually_async(lambda: stopped not in pool.processes)
            monkeypatch.undo()
            await eventually_async(lambda: moves(matches, loaded.id))
            after = matches.load(loaded.id).match
            assert after.setup.players == ("human", level)
            assert [after.rules.name(move) for move in after.round.moves] == [expected]
        finally:
            await playing.close()
            await pool.close()
            matches.store.close()

    asyncio.run(run())
