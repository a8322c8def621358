"""Models of known strength in hundreds of games: their scores are those that random and perfect play can expect."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.adapters import needed

needed("inspect_ai")
from tests.support.evaluations import (  # noqa: E402
    is_at_the_ceiling,
    is_on_the_floor,
    lands_where_expected,
    run_task,
    solves_puzzles_by_chance,
)


@pytest.mark.parametrize("disguise", ["plain", "relabelled"])
def test_a_perfect_model_lands_on_the_ceiling(tmp_path: Path, disguise: str) -> None:
    is_at_the_ceiling(run_task("double_up", "parlour/perfect", tmp_path, epochs=2, games=12, disguise=disguise))


def test_a_random_model_lands_on_the_floor(tmp_path: Path) -> None:
    is_on_the_floor(run_task("double_up", "parlour/random", tmp_path, epochs=4, games=16, opponent="level:1"))


@pytest.mark.parametrize("model", ["random", "perfect"])
def test_in_every_game_floor_and_ceiling_are_where_the_models_land(tmp_path: Path, model: str) -> None:
    lands_where_expected(run_task("suite", f"parlour/{model}", tmp_path, epochs=2, games=6), model)


def test_a_random_model_solves_puzzles_by_chance(tmp_path: Path) -> None:
    solves_puzzles_by_chance(run_task("puzzles", "parlour/random", tmp_path, epochs=4, puzzles=30))
