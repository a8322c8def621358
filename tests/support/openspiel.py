"""OpenSpiel's value iteration on our games, compared with minimax. Needs pyspiel."""

from __future__ import annotations

import importlib
import sys
from math import inf
from types import ModuleType
from typing import Any

import pyspiel
import pytest

import parlour.adapters.openspiel  # noqa: F401  (registers our games)
from tests.support.naive import minimax


def load_value_iteration(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return OpenSpiel's value iteration, which imports a solver for simultaneous moves that we don't install."""
    try:
        importlib.import_module("cvxpy")
    except ImportError:
        name = "open_spiel.python.algorithms.lp_solver"
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    return importlib.import_module("open_spiel.python.algorithms.value_iteration").value_iteration


def every_state(game: Any, most: float = inf) -> list[Any]:
    """One state for each position and player to move, finished ones included; up to ``most`` states."""
    found: dict[Any, Any] = {}
    todo = [game.new_initial_state()]
    while todo and len(found) < most:
        state = todo.pop()
        key = (state.deal, state.position, len(state.moves) % 2)
        if key not in found:
            found[key] = state
            todo += [] if state.is_terminal() else [state.child(action) for action in state.legal_actions()]
    return list(found.values())


def value_iteration_finds_the_winner(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare OpenSpiel's value with ours in every position of a game."""
    value_iteration = load_value_iteration(monkeypatch)
    game = pyspiel.load_game(name)
    theirs = value_iteration(game, -1, 0.01, cyclic_game=True)
    worth = [minimax(game.dealt(deal)) for deal in range(game.deals)]
    finished = 0
    for state in every_state(game):
        if not state.is_chance_node():
            for_mover = worth[state.deal or 0](state.position).value
            assert theirs[str(state)] == (-for_mover if len(state.moves) % 2 else for_mover), str(state)
            finished += state.is_terminal()
    assert finished
