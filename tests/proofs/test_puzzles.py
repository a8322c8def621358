"""Large samples of the archive's puzzles, proved again from the rules alone."""

from __future__ import annotations

import pytest

from parlour import catalog
from tests.support.puzzles import check_features, prove_some


@pytest.mark.parametrize("game", catalog.keys())
def test_a_large_sample_of_puzzles_is_proved_by_an_independent_search(game: str) -> None:
    prove_some(game, 60)


@pytest.mark.parametrize("game", catalog.keys())
def test_the_features_of_many_puzzles_are_what_they_say(game: str) -> None:
    assert check_features(game, 20) >= 1
