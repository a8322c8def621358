"""The command ``help``."""

from __future__ import annotations

from contextlib import suppress

import click

from parlour import catalog
from parlour.cli import COMMANDS, GROUPS
from parlour.errors import UnknownGame
from parlour.terminal.pager import pager


def _complete_command(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    return [] if context.params.get("words") else [name for name in COMMANDS if name.startswith(incomplete)]


@click.command("help")
@click.argument("words", metavar="[COMMAND|GAME]", nargs=-1, shell_complete=_complete_command)
@click.pass_context
def help_command(context: click.Context, words: tuple[str, ...]) -> None:
    """List all commands, or show how to use one.

    With the name of a game, show how to play it.
    """
    found = context.find_root()
    if words and words[0] not in COMMANDS:
        with suppress(UnknownGame):
            words = ("play", catalog.find_key(words[0]), *words[1:])
    for word in words:
        if not isinstance(found.command, click.Group):
            raise click.UsageError(f"{found.command_path} has no command {word!r}", found)
        name, command, _ = found.command.resolve_command(found, [word])
        assert command is not None  # resolve_command raises UsageError instead
        found = click.Context(command, info_name=name, parent=found, **command.context_settings)
    with pager():
        click.echo(found.get_help() if words else list_commands(found))


def list_commands(context: click.Context) -> str:
    """Return the commands under their headings, one line each."""
    group = context.command
    assert isinstance(group, click.Group)
    formatter = context.make_formatter()
    for heading, names in GROUPS.items():
        commands = [command for name in names if (command := group.get_command(context, name))]
        with formatter.section(heading):
            formatter.write_dl([(str(command.name), command.get_short_help_str(limit=1000)) for command in commands])
    return f"{formatter.getvalue().strip()}\n\nHow to use one: {context.command_path} help COMMAND"
