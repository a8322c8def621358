"""PettingZoo: its own conformance tests, and what they do not ask for."""

from __future__ import annotations

import copy
import pickle
import warnings
from functools import partial
from typing import Any

import pytest

import parlour
from parlour.errors import BadOptions, IllegalMove, ParlourError, TooBig, UnknownGame, UnreadableMove
from tests.support.adapters import default_and_extreme, every_game, needed, small, ways_to

pettingzoo = needed("pettingzoo")
import numpy as np  # noqa: E402

with warnings.catch_warnings():  # it imports games of its own in a way that it has deprecated
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, render_test, seed_test

from parlour.adapters.pettingzoo import env, raw_env  # noqa: E402

# PettingZoo knows by name the environments that may have dictionaries for observations, and not ours; before the first
# move of a pyramid every number is 0, and an agent that is not to move has an empty mask.
expected_warnings = pytest.mark.filterwarnings("ignore:Observation|Action mask|The observation:UserWarning")


def first_legal(environment: Any) -> int:
    return int(environment.observe(environment.agent_selection)["action_mask"].argmax())


@expected_warnings
@default_and_extreme
def test_it_passes_pettingzoos_own_tests(key: str, options: dict[str, Any]) -> None:
    api_test(env(key, **options), num_cycles=60)
    seed_test(partial(env, key, **options), num_cycles=30)


@expected_warnings
@every_game
def test_it_can_be_rendered(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(partial(env, key))
    assert "to move" in capsys.readouterr().out, "the human mode prints the table"


@expected_warnings
def test_a_whole_match_passes_too() -> None:
    whole = partial(env, "sequence-spot", whole_match=True, max_rounds=4)
    api_test(whole(), num_cycles=200)
    seed_test(whole)


def play_out(environment: Any, seed: int) -> None:
    environment.reset(seed=seed)
    for agent in environment.agent_iter():
        seen, _, terminated, _, _ = environment.last()
        environment.step(None if terminated else environment.action_space(agent).sample(seen["action_mask"]))


def test_a_match_goes_on_until_somebody_wins() -> None:
    whole = env("sequence-spot", whole_match=True, deal="winnable")
    whole.reset()
    whole.action_space("player_0").seed(1)
    whole.action_space("player_1").seed(2)
    rounds = []
    for seed in range(20):
        play_out(whole, seed)
        match = whole.unwrapped.match
        assert match.outcome is not None
        assert match.outcome.winner is not None
        rounds.append(len(match.rounds))
    assert max(rounds) > 1, "some first rounds are drawn"


@every_game
def test_a_copy_keeps_the_state_and_goes_its_own_way(key: str) -> None:
    one = env(key)
    one.reset(seed=3)
    one.step(first_legal(one))
    other = copy.deepcopy(one)
    unpacked = pickle.loads(pickle.dumps(one))
    for twin in (other, unpacked):
        for agent in one.agents:
            for part in ("observation", "action_mask"):
                assert np.array_equal(twin.observe(agent)[part], one.observe(agent)[part])
    before = one.unwrapped.match.round.moves.copy()
    other.step(first_legal(other))
    assert one.unwrapped.match.round.moves == before
    assert len(other.unwrapped.match.round.moves) == len(before) + 1


@every_game
def test_it_is_registered(key: str) -> None:
    name = f"parlour/{parlour.find_game(key).title.replace(' ', '')}-v0"
    assert pettingzoo.make("aec", name).unwrapped.match.game.key == key


def test_the_seed_deals_what_it_deals_everywhere() -> None:
    spot = raw_env("sequence-spot")
    spot.reset(seed=7)
    assert spot.match.options == parlour.new_match("sequence-spot", seed=7).options
    row = spot.observe("player_0")["observation"]
    grid = [int("".join(map(str, row[place : place + 4][::-1])), 2) for place in range(len(row) - 36, len(row), 4)]
    assert ",".join(map(str, grid)) == spot.match.rules.option_texts["grid"], "the grid is in the observation"
    spot.reset()
    second = spot.match.options
    spot.reset(seed=7)
    spot.reset()
    assert spot.match.options == second, "what follows a seed is settled by it as well"


def test_a_pass_is_an_action() -> None:
    stuck = raw_env("pyramid-challenge")
    stuck.reset()
    for number in (6, 1, 6, 1, 6, 2):
        stuck.step(number)
    assert stuck.observe("player_0")["action_mask"].nonzero()[0].tolist() == [0]
    stuck.step(0)
    assert stuck.agent_selection == "player_1"


def test_rewards_are_for_who_has_won() -> None:
    game = raw_env("double-up", limit=4)
    game.reset()
    game.step(2)
    game.step(4)
    assert game.rewards == {"player_0": -1, "player_1": 1}
    assert game.terminations == {"player_0": True, "player_1": True}
    assert not game.observe(game.agent_selection)["action_mask"].any()


def test_an_action_that_is_not_allowed_is_refused_or_ends_the_game(caplog: pytest.LogCaptureFixture) -> None:
    raw = raw_env("double-up")
    raw.reset()
    with pytest.raises(IllegalMove, match="the double of"):
        raw.step(7)
    assert raw.match.round.moves == []
    assert raw.agent_selection == "player_0"
    checked = env("double-up")
    checked.reset()
    with pytest.raises(AssertionError, match="action is not in action space"):
        checked.step(101)
    with pytest.raises(AssertionError, match="action is not in action space"):
        checked.step("2")
    assert checked.unwrapped.match.log == []
    checked.step(7)
    assert "Illegal move" in caplog.text
    assert checked.rewards == {"player_0": -1, "player_1": 0}
    assert all(checked.terminations.values())
    for _ in range(2):
        checked.step(None)
    assert checked.agents == []


@pytest.mark.parametrize("action", [np.int64(2), np.uint8(2), np.array(2)])
@pytest.mark.parametrize("make", [env, raw_env])
def test_an_action_may_be_a_number_of_numpys(make: Any, action: Any) -> None:
    game = make("double-up")
    game.reset()
    game.step(action)
    assert game.unwrapped.match.round.moves == [2]


@pytest.mark.parametrize("action", [np.array([2]), np.array([[2]]), np.array([2, 3]), np.array(2.0), [2]])
def test_an_array_is_no_action(action: Any) -> None:
    checked = env("double-up")
    checked.reset()
    with pytest.raises(AssertionError, match="action is not in action space"):
        checked.step(action)
    raw = raw_env("double-up")
    raw.reset()
    with pytest.raises(UnreadableMove, match="a move is a whole number"):
        raw.step(action)
    assert checked.unwrapped.match.log == raw.match.log == []


def test_what_makes_no_environment_is_refused() -> None:
    with pytest.raises(UnknownGame):
        env("chess")
    with pytest.raises(BadOptions, match="unknown option 'limt'"):
        env("double-up", limt=3)
    with pytest.raises(TooBig, match="set a limit"):
        env("double-up", limit=None)
    with pytest.raises(ParlourError, match="bad render_mode 'svg'"):
        env("double-up", render_mode="svg")
    with pytest.raises(AttributeError, match="before reset"):
        env("double-up").agents  # noqa: B018


@every_game
def test_one_step_after_another_says_what_the_referee_says(key: str) -> None:
    """In every reachable position: the mask has the legal moves, and nothing is seen but what is there."""
    game = raw_env(key, **small(key))
    rules, observer = game.match.rules, game._episode.observer
    ways = ways_to(rules)
    assert len(ways) > 8
    for position, moves in ways.items():
        game.reset()
        for move in moves:
            game.step(move)
        view = game.observe(game.agent_selection)
        assert view["action_mask"].nonzero()[0].tolist() == list(rules.legal(position))
        assert tuple(observer.encoding.decode(view["observation"])) == position
