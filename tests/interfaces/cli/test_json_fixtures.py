"""The JSON of every command equals its fixture in keys, order and values; its prose is a snapshot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from syrupy.assertion import SnapshotAssertion

from parlour import catalog
from parlour.cli import parlour
from tests.support.command import Run
from tests.support.json_fixtures import (
    commands_with_sources,
    compare,
    game_commands,
    other_commands,
    recorded_sources,
)
from tests.support.more_json_fixtures import more_commands


@pytest.mark.parametrize("key", catalog.keys())
def test_commands_about_a_game(
    run: Callable[..., Run], whole_game: Callable[..., list[str]], snapshot: SnapshotAssertion, key: str
) -> None:
    for name, documents, sources in commands_with_sources(run, lambda run: game_commands(run, whole_game, key)):
        assert compare(name, documents, sources) == snapshot(name=name)


def test_other_commands(run: Callable[..., Run], tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    for name, documents, sources in commands_with_sources(run, lambda run: other_commands(run, tmp_path)):
        assert compare(name, documents, sources) == snapshot(name=name)


def test_more_commands(run: Callable[..., Run], state: Path, snapshot: SnapshotAssertion) -> None:
    for name, documents, sources in commands_with_sources(run, lambda run: more_commands(run, state)):
        assert compare(name, documents, sources) == snapshot(name=name)


def commands_with_json() -> Iterator[str]:
    """Every command that has an option `--json`, or has commands of games with one."""
    with click.Context(parlour) as context:
        for name in parlour.list_commands(context):
            command = parlour.get_command(context, name)
            assert command is not None
            below = (
                [command.get_command(context, key) for key in command.list_commands(context)]
                if isinstance(command, click.Group)
                else []
            )
            parameters = [each for one in (command, *below) if one is not None for each in one.params]
            if any("--json" in parameter.opts for parameter in parameters):
                yield name


def test_every_command_that_writes_json_has_a_fixture() -> None:
    wanted = {f"parlour {name} --json" for name in commands_with_json()}
    assert len(wanted) > 10
    assert wanted <= recorded_sources()
