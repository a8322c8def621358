"""``parlour list``: the games there are."""

from __future__ import annotations

import sys

import click

from parlour import catalog
from parlour.cli.screen import Screen
from parlour.options import declared, show_options


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="one JSON document, for programs")
def list_command(as_json: bool) -> None:
    """List the games."""
    games = [catalog.load(key) for key in catalog.keys()]
    if as_json:
        import json

        document = []
        for game in games:
            defaults = show_options(game.defaults)
            options = [
                {"name": name, "default": defaults[name] or None, "allowed": kind.allowed, "help": kind.help}
                for name, kind in declared(game.options).items()
            ]
            document.append(
                {
                    "key": game.key,
                    "title": game.title,
                    "version": game.version,
                    "summary": game.summary,
                    "options": options,
                }
            )
        click.echo(json.dumps(document, indent=2))
        return
    screen = Screen()
    for game in games:
        screen.say([game.key], bold=True)
        screen.say([f"    {game.summary}"])
    if sys.stdout.isatty():
        screen.say(["", "Play one: parlour play GAME. Read its rules: parlour rules GAME."])
