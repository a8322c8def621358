"""A contest is measured in compiled code as the definition says."""

from __future__ import annotations

import pytest

from parlour.study import contest
from parlour.study.contest import measure_contest
from tests.support.adapters import needed
from tests.support.contest import check_contest
from tests.support.small import SmallGame, few_games

needed("numba")


@few_games
def test_a_compiled_contest_is_the_same(game: SmallGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contest, "PLAIN_NODES", 0)
    monkeypatch.setattr(contest, "CHUNK", 1)
    monkeypatch.setattr("parlour.kernels.compiled_contest.FIRST_SLOTS", 64)  # so that it has to grow
    check_contest(measure_contest(game.rules), game.rules, 0.2)
