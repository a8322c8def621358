"""What the adapters promise: the conformance tests of each library, and the same story as everywhere else."""

from __future__ import annotations

import importlib
import os
from typing import Any

import pytest

import parlour
from parlour.rules import Rules
from tests.support.small import TINY

SMALL = TINY
EXTREME: dict[str, list[dict[str, Any]]] = {
    "double-up": [{"limit": 2}, {"limit": 3000}],
    "increasing-differences": [{"length": 2, "range": 2}, {"length": 30, "range": 60}],
    "pyramid-challenge": [{"base": 2, "highest": 2, "copies": 1}, {"base": 10, "highest": 60}],
    "sequence-builder": [{"length": 2, "pool": 2}, {"length": 30, "pool": 60, "increments": range(1, 21)}],
    "sequence-spot": [{"deal": "lively"}, {"deal": "winnable", "max_rounds": 1}],
}
games = parlour.list_games()
every_game = pytest.mark.parametrize("key", [game.key for game in games])
default_and_extreme = pytest.mark.parametrize(
    ("key", "options"), [(game.key, options) for game in games for options in [{}, *EXTREME.get(game.key, [])]]
)


def needed(module: str) -> Any:
    """A library that an extra brings; without it the tests are skipped, or fail where PARLOUR_TEST_ALL is set."""
    try:
        return importlib.import_module(module)
    except ImportError:
        if os.environ.get("PARLOUR_TEST_ALL"):
            raise
        pytest.skip(f"{module} is not installed", allow_module_level=True)


def small(key: str) -> dict[str, Any]:
    """Options under which every position can be looked at."""
    return SMALL.get(key, {})


def ways_to(rules: Rules) -> dict[Any, tuple[int, ...]]:
    """Every position with somebody to move that play can lead to, each with moves that lead there."""
    found: dict[Any, tuple[int, ...]] = {rules.start: ()}
    todo = [rules.start]
    while todo:
        position = todo.pop()
        for move in rules.legal(position):
            child = rules.after(position, move)
            if child not in found and not rules.is_over(child):
                found[child] = (*found[position], move)
                todo.append(child)
    return found
