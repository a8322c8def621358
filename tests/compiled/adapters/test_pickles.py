"""Pickles of environments: new ones continue where they were, and those from before version 0.2 can still be read."""

from __future__ import annotations

import pickle
import random
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from parlour import catalog
from parlour.adapters.gymnasium import ParlourEnv
from parlour.adapters.pettingzoo import env as pettingzoo_env

OLD = Path(__file__).parents[2] / "fixtures" / "pickles"
every_game = pytest.mark.parametrize("key", catalog.keys())


def load(name: str) -> Any:
    return pickle.loads((OLD / f"{name}.pickle").read_bytes())


def finish(env: ParlourEnv) -> list[int]:
    """Play random legal actions to the end of the game, in a game that is over after a reset; return its moves."""
    chance = random.Random(1)
    if env.match.outcome is not None:
        env.reset(seed=1)
    terminated = False
    while not terminated:
        action = chance.choice(env.action_masks().nonzero()[0].tolist())
        _, reward, terminated, _, info = env.step(action)
        assert "illegal" not in info
        assert info["player"] == env.match.turn
    assert env.match.outcome is not None
    if env.player is not None and env.match.outcome.winner is not None:
        assert reward == (1.0 if env.match.outcome.winner == env.player else -1.0)
    return env.match.round.moves


def finish_agents(env: Any) -> list[int]:
    chance = random.Random(1)
    while env.agents:
        seen, _, terminated, _, _ = env.last()
        env.step(None if terminated else chance.choice(seen["action_mask"].nonzero()[0].tolist()))
    moves: list[int] = env.unwrapped.match.round.moves
    return moves


@every_game
def test_an_old_environment_continues(key: str) -> None:
    against = load(f"gymnasium-random-{key}")
    assert against.player == 2
    assert against.match.setup.players == ("random", "human")
    finish(against)
    _, info = against.reset(seed=2)
    assert (info["player"], against.player) == (2, 2)
    alone = load(f"gymnasium-self-{key}")
    assert alone.player is None
    finish(alone)


@every_game
def test_an_old_environment_of_agents_continues(key: str) -> None:
    env = load(f"pettingzoo-{key}")
    assert env.unwrapped.match.turn == 2
    assert env.agent_selection == "player_1"
    finish_agents(env)
    assert env.unwrapped.match.outcome is not None


@every_game
def test_an_old_state_of_openspiel_continues(key: str) -> None:
    pytest.importorskip("pyspiel")
    state, text = load(f"openspiel-{key}")
    assert str(state) == text
    assert state.legal_actions() == state.match().legal_moves
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    match = state.match()
    assert match.rules.is_over(match.position)
    assert state.returns() == {None: [0, 0], 1: [1, -1], 2: [-1, 1]}[match.round_winner]


@pytest.mark.parametrize("opponent", ["random", None])
@pytest.mark.parametrize("player", [1, 2, "random"])
@every_game
def test_an_environment_continues_where_it_was(key: str, player: Any, opponent: str | None) -> None:
    env = ParlourEnv(key, opponent=opponent, player=player)
    _, info = env.reset(seed=3)
    env.step(int(info["action_mask"].argmax()))
    loaded = pickle.loads(pickle.dumps(env))
    assert (loaded.player, loaded.match.log, loaded.match.turn) == (env.player, env.match.log, env.match.turn)
    assert finish(loaded) == finish(env)


@every_game
def test_an_environment_of_agents_continues_where_it_was(key: str) -> None:
    env = pettingzoo_env(key)
    env.reset(seed=3)
    env.step(int(env.last()[0]["action_mask"].argmax()))
    loaded = pickle.loads(pickle.dumps(env))
    assert finish_agents(loaded) == finish_agents(env)
