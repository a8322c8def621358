"""Large samples of the archive's puzzles, proved again from the rules alone."""

from __future__ import annotations

import pytest

from parlour import catalog
from parlour.study.archive_file import archive
from parlour.study.puzzle import puzzle_id
from tests.support.puzzles import check_features, prove_some, start_of


@pytest.mark.parametrize("game", catalog.keys())
def test_a_large_sample_of_puzzles_is_proved_by_an_independent_search(game: str) -> None:
    prove_some(game, 60)


@pytest.mark.parametrize("game", catalog.keys())
def test_the_features_of_many_puzzles_are_what_they_say(game: str) -> None:
    assert check_features(game, 20) >= 1


def test_every_way_to_a_puzzle_is_legal_and_every_id_is_the_digest_of_its_position() -> None:
    for puzzle in archive():
        assert puzzle_id(puzzle.rules, start_of(puzzle)) == puzzle.id
