"""``parlour rules GAME``: the rules in our own words."""

from __future__ import annotations

import click

from parlour import catalog
from parlour.cli.per_game import game_argument
from parlour.game import Game
from parlour.installation import own_command
from parlour.options import declared, flag, show_options
from parlour.terminal.pager import pager
from parlour.terminal.screen import Screen, reflow, width


@click.command("rules")
@game_argument
@click.option("--json", "as_json", is_flag=True, help="one JSON document, for programs")
def rules_command(game: str, as_json: bool) -> None:
    """Show the rules of GAME, with its options."""
    found = catalog.find_game(game)
    if as_json:
        from parlour.documents.games import rules_document
        from parlour.writer import write_json

        click.echo(write_json(rules_document(found), indent=2))
        return
    with pager():
        _tell(found)


def _tell(found: Game) -> None:
    columns = min(width(), 80)
    screen = Screen()
    screen.say([found.title], bold=True)
    screen.say(["", *reflow(found.content.rules_text, columns), "", "Options"])
    defaults = show_options(found.defaults)
    for name, kind in declared(found.options).items():
        default = f", default {defaults[name]}" if defaults[name] else ""
        text = f"--{flag(name)}: {kind.help} ({kind.allowed}{default})"
        screen.say(reflow(f"- {text}", columns))
    if found.content.variants:
        screen.say(["", "Worth trying"])
    for variant in found.content.variants:
        words = " ".join(f"--{flag(name)} {text}" for name, text in variant.options.items())
        about = "; ".join(filter(None, [variant.character, variant.why]))
        screen.say(reflow(f"- {words}: {about}", columns))
    command = own_command()
    screen.say(["", f"Who wins, and how: {command} explain {found.key}", f"Play it: {command} play {found.key}"])
