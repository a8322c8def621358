"""OpenSpiel's value iteration in every position of Sequence Spot, for one grid and for two dealt ones."""

from __future__ import annotations

import pytest

from tests.support.adapters import needed

needed("pyspiel")
from tests.support.openspiel import value_iteration_finds_the_winner  # noqa: E402


@pytest.mark.parametrize("name", ["parlour_sequence_spot(grid=276951438)", "parlour_sequence_spot(deals=2)"])
def test_value_iteration_finds_the_winner_in_every_position(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    value_iteration_finds_the_winner(name, monkeypatch)
