"""``parlour list``: the games there are."""

from __future__ import annotations

import sys
from dataclasses import replace

import click

from parlour import catalog
from parlour.installation import own_command
from parlour.terminal.screen import Screen


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="one JSON document, for programs")
def list_command(as_json: bool) -> None:
    """List the games."""
    games = catalog.list_games()
    if as_json:
        from parlour.documents.games import game_document
        from parlour.writer import write_json

        found = [game_document(game) for game in games]
        for at, each in enumerate(found):  # this command has null where the web has an empty text
            options = [replace(option, default=option.default or None) for option in each.options]
            found[at] = replace(each, options=options)
        click.echo(write_json(found, indent=2))
        return
    screen = Screen()
    for game in games:
        screen.say([game.key], bold=True)
        screen.say([f"    {game.content.summary}"])
    if sys.stdout.isatty():
        screen.say(["", f"Play one: {own_command()} play GAME. Read its rules: {own_command()} rules GAME."])
