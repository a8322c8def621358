"""Random walks through matches of every game. tests/unit/service/test_rights.py has two games."""

from __future__ import annotations

import pytest

from parlour import catalog
from tests.support.rights import check_walk


@pytest.mark.parametrize("game", catalog.keys())
def test_what_is_listed_is_what_can_be_done(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check_walk(game, monkeypatch)
