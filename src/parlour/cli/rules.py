"""``parlour rules GAME``: the rules in our own words."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from parlour import catalog
from parlour.cli.screen import Screen, reflow, width
from parlour.options import declared, flag, read_words, show_options


def complete_game(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(key) for key in catalog.keys() if key.startswith(incomplete)]


@click.command("rules")
@click.argument("game", shell_complete=complete_game)
def rules_command(game: str) -> None:
    """Tell the rules of GAME, with its options."""
    found = catalog.find_game(game)
    columns = min(width(), 80)
    screen = Screen()
    screen.say([found.title], bold=True)
    screen.say(["", *reflow(found.rules_text, columns), "", "Options"])
    defaults = show_options(found.defaults)
    for name, kind in declared(found.options).items():
        default = f", default {defaults[name]}" if defaults[name] else ""
        text = f"--{flag(name)}: {kind.help} ({kind.allowed}{default})"
        screen.say(reflow(f"- {text}", columns))
    if found.variants:
        screen.say(["", "Worth trying"])
    for variant in found.variants:
        words = " ".join(f"--{flag(name)} {text}" for name, text in read_words(variant.options).items())
        screen.say(reflow(f"- {words}: {variant.why}", columns))
    if found.known:
        screen.say(["", *reflow(f"What is known: {found.known}", columns)])
    screen.say(["", f"Play it: parlour play {found.key}"])
