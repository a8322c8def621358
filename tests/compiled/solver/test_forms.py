"""The compiled solver against minimax, at every position of every small game."""

from __future__ import annotations

from tests.support.forms import check_scores, check_table
from tests.support.small import SmallGame, small_games


@small_games
def test_the_compiled_search_scores_every_position_as_minimax_does(game: SmallGame) -> None:
    check_scores(game.rules, game.truth, game.positions[:200], runtime="wasm")


@small_games
def test_a_compiled_table_knows_every_position(game: SmallGame) -> None:
    check_table(game.rules, game.truth, runtime="wasm")
