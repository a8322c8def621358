"""The JSON of every command equals its fixture in keys, order and values; its prose is a snapshot."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from parlour import catalog
from tests.support.command import Run
from tests.support.json_fixtures import compare, game_commands, other_commands


@pytest.mark.parametrize("key", catalog.keys())
def test_commands_about_a_game(
    run: Callable[..., Run], whole_game: Callable[..., list[str]], snapshot: SnapshotAssertion, key: str
) -> None:
    for name, documents in game_commands(run, whole_game, key):
        assert compare(name, documents) == snapshot(name=name)


def test_other_commands(run: Callable[..., Run], tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    for name, documents in other_commands(run, tmp_path):
        assert compare(name, documents) == snapshot(name=name)
