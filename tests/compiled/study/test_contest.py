"""A contest is measured in compiled code as the definition says."""

from __future__ import annotations

import pytest

from parlour.engine.plain import PlainExpectation
from parlour.study.contest import measure_contest
from tests.support.contest import check_contest
from tests.support.small import SmallGame, few_games


@few_games
def test_a_compiled_contest_is_the_same(game: SmallGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PlainExpectation, "chunk", 1)
    monkeypatch.setattr("parlour.engine.sessions.FIRST_SLOTS", 64)  # so that it has to grow
    check_contest(measure_contest(game.rules), game.rules, 0.2)
