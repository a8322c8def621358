"""gg-bench: its interface by our rules, and each difference that docs/gg-bench.md tells of, shown.

Of gg-bench's own environments nothing is run here: what a test shows is what ours does where they do something else.
"""

from __future__ import annotations

import copy
import random
import re
from typing import Any

import pytest

import parlour
from parlour.errors import BadOptions, TooBig
from tests.support import ROOT
from tests.support.adapters import every_game, needed, small, ways_to

needed("gymnasium")
import numpy as np  # noqa: E402
from gymnasium.spaces import Box  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402

from parlour.adapters.ggbench import GgBenchEnv, custom_env  # noqa: E402

PAGE = ROOT / "docs" / "gg-bench.md"


def made(key: str, *actions: int, **options: Any) -> GgBenchEnv:
    """An environment after these actions, none of which has ended the game."""
    env = custom_env(key, **options)()
    env.reset(seed=1)
    for action in actions:
        _, reward, terminated, _, _ = env.step(action)
        assert (reward, terminated) == (0, False)
    return env


# The interface.


@every_game
def test_it_has_the_interface_of_the_harness(key: str) -> None:
    env = custom_env(key)()
    assert type(env).__name__ == "CustomEnv"
    check_env(env, skip_render_check=True)
    assert isinstance(env.observation_space, Box)
    assert env.observation_space.dtype == np.int32
    seen, info = env.reset(seed=3)
    assert (seen in env.observation_space, info) == (True, {})
    assert isinstance(env.render(), str)
    assert parlour.find_game(key).title in env.render()


@every_game
def test_the_valid_moves_are_the_referees_in_every_position(key: str) -> None:
    env = custom_env(key, **small(key))()
    env.reset(seed=1)
    rules = env.match.rules
    for position, moves in ways_to(rules).items():
        env.reset(seed=1)
        for move in moves:
            env.step(move)
        assert env.valid_moves() == list(rules.legal(position))


@every_game
def test_there_is_always_something_to_do_and_the_players_alternate(key: str) -> None:
    """What the harness takes for granted: its search fails where there is no move, and it counts turns by itself."""
    chance = random.Random(1)
    for seed in range(60):
        env = custom_env(key)()
        env.reset(seed=seed)
        player = 1
        for _ in range(500):
            assert env.current_player == player
            valid = env.valid_moves()
            assert valid == sorted(valid) != []
            _, reward, terminated, truncated, _ = env.step(chance.choice(valid))
            player = 3 - player
            assert not truncated
            if terminated:
                assert reward in (1, 0, -1)
                break
            assert reward == 0
        assert env.done or key == "sequence-spot"
        if env.done:
            assert env.valid_moves() == []
            assert env.step(1)[1:3] == (0, True)


def test_a_copy_is_where_it_was_and_goes_its_own_way() -> None:
    env = made("increasing-differences", 5, 7)
    twin = copy.deepcopy(env)
    twin.step(8)
    assert (env.match.round.moves, twin.match.round.moves) == ([5, 7], [5, 7, 8])


def test_descriptions_go_with_the_environment() -> None:
    numbered, named = custom_env("double-up", limit=30), custom_env("sequence-spot")
    assert "up to 30 (usually up to 100)" in numbered.description
    for game in parlour.list_games():
        assert "costs you nothing" not in custom_env(game).description, "an invalid action loses the game"
    assert "the number that you choose" in numbered.actions
    assert "4 for 2,1" in named.actions


def test_what_makes_no_environment_is_refused() -> None:
    with pytest.raises(BadOptions):
        custom_env("double-up", limit=1)()
    with pytest.raises(TooBig):
        custom_env("double-up", limit=None)()


# Where theirs differ, row by row of the page.


def test_all_invalid_actions_are_told_by_the_referee_and_leave_the_table_alone() -> None:
    env = made("double-up", 2, 4)
    _, reward, terminated, _, info = env.step(9)
    assert (reward, terminated) == (-10, True)
    assert "9 is more than 8" in info["invalid"]
    assert env.match.round.moves == [2, 4]
    assert env.step(5)[1:3] == (0, True), "nothing goes on after it"


def test_all_numbers_are_their_own_actions() -> None:
    env = made("double-up", 2, 4)
    assert env.valid_moves() == [5, 6, 7, 8]
    assert re.search(r"Next\s+5 +6 +7 +8\n", env.render())


def test_all_say_whose_turn_it_is() -> None:
    for game in parlour.list_games():
        assert made(game.key).render().endswith("Player 1 to move")


def test_922_observations_are_boxes_of_any_size() -> None:
    env = made("increasing-differences", length=5, range=60)
    assert isinstance(env.observation_space, Box)
    assert env.valid_moves() == list(range(1, 61))


def test_922_numbers_stand_apart_on_the_table() -> None:
    assert re.search(r"\b18 +19 +20\b", made("increasing-differences").render())


def test_922_whoever_cannot_move_loses_and_is_the_one_to_move() -> None:
    env = custom_env("increasing-differences", length=4, range=6)()
    env.reset()
    rewards = [env.step(action)[1] for action in (1, 3, 6, 4)]
    assert rewards[:3] == [0, 0, 0]
    assert (rewards[3], env.current_player, env.done) == (1, 1, True)
    assert env.match.outcome == parlour.Outcome(2, "won")


def test_278_the_grid_follows_from_the_seed() -> None:
    grids = []
    for seed in (1, 1, 2):
        env = custom_env("sequence-spot")()
        env.reset(seed=seed)
        grids.append(env.match.rules.option_texts["grid"])
    assert grids[0] == grids[1] != grids[2]


def test_278_a_full_grid_is_followed_by_another_and_the_other_player_begins() -> None:
    env = made("sequence-spot", *(1, 2, 3, 5, 4, 6, 8, 7), grid="1,8,9,7,6,5,2,4,3")
    _, reward, terminated, _, _ = env.step(9)
    assert (reward, terminated) == (0, False)
    assert len(env.match.rounds) == 2
    assert env.current_player == 2
    assert env.valid_moves() == list(range(1, 10))


def test_278_the_table_shows_the_numbers_beneath_the_markers() -> None:
    env = made("sequence-spot", 1, 5, grid="2,7,6,9,5,1,4,3,8")
    assert "X2" in env.render()
    assert "O5" in env.render()


def test_278_a_line_needs_three_markers_of_ones_own() -> None:
    env = made("sequence-spot", 1, 5, 2, 4, grid="1,2,4,3,5,6,7,8,9")
    assert env.step(9)[1:3] == (0, False), "the diagonal is 1, 5, 9, but the other player has the 5"


def test_645_whoever_is_stuck_passes() -> None:
    env = made("pyramid-challenge", 6, 1, 6, 2, 6, 3)
    assert env.valid_moves() == [0]
    assert env.step(0)[1:3] == (0, False)
    assert env.current_player == 2
    assert env.valid_moves() == [1, 3]


def test_645_two_that_are_stuck_have_drawn() -> None:
    env = made("pyramid-challenge", 6, 6, 6, 6, 6)
    assert env.step(6)[1:3] == (0, True)
    assert env.match.outcome == parlour.Outcome(None, "drawn")


def test_645_the_second_player_can_win() -> None:
    env = made("pyramid-challenge", 6, 1, 6, 2, 6, 3, 0, 1, 0, 1, 0)
    assert env.step(2)[1:3] == (1, True)
    assert env.match.outcome == parlour.Outcome(2, "won")


def test_892_the_limit_is_part_of_the_rules_and_holds() -> None:
    env = made("double-up", 2, 4, 8, 16, 32, 64, 128, 256, 512, limit=1000)
    assert env.valid_moves()[-1] == 1000
    assert env.action_space.n == 1001
    assert env.step(1000)[1:3] == (1, True)
    assert "up to 1000" in type(env).description


def test_892_a_game_may_take_as_long_as_it_takes() -> None:
    env = made("double-up", *range(2, 1000), limit=1000)
    assert env.step(1000)[1:3] == (1, True)


def test_55_whoever_is_stuck_passes() -> None:
    env = made("sequence-builder", 20, 1)
    assert env.valid_moves() == [0]
    assert env.step(0)[1:3] == (0, False)
    assert env.valid_moves() == [2, 3, 4]


def test_55_when_both_are_stuck_the_longer_sequence_wins() -> None:
    env = made("sequence-builder", 20, 18)
    env.step(0)
    assert env.step(19)[1:3] == (1, True), "18, 19 beats 20"


def test_55_equal_lengths_are_a_draw() -> None:
    env = made("sequence-builder", 3, length=3, pool=3, increments=[1])
    assert env.step(2)[1:3] == (0, True)
    assert env.match.outcome == parlour.Outcome(None, "drawn")


def test_55_the_second_player_can_win() -> None:
    env = made("sequence-builder", 20, 1, 0, 2, 0, 3, 0)
    assert env.step(4)[1:3] == (1, True)


def test_55_three_is_a_step_that_is_allowed() -> None:
    assert 8 in made("sequence-builder", 5, 20).valid_moves()


# The page.


def test_every_difference_on_the_page_has_its_test() -> None:
    named = re.findall(r"`(test_\w+)`", PAGE.read_text(encoding="utf-8"))
    here = {name for name in globals() if re.match(r"test_(all|922|278|645|892|55)_", name)}
    assert set(named) == here
    assert len(named) == len(set(named))
