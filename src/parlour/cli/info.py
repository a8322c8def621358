"""The commands ``list``, ``rules`` and ``explain``."""

from __future__ import annotations

import sys
from dataclasses import replace

import click

from parlour import catalog
from parlour.cli.options import HELP, GameCommands, chosen_texts, game_argument, game_options, seconds_option
from parlour.game import Game
from parlour.installation import own_command
from parlour.limit import Limit
from parlour.options import declared, flag, show_options
from parlour.rules import read_rules
from parlour.terminal.pager import pager
from parlour.terminal.screen import ProgressLine, Screen, prose_width, reflow
from parlour.writer import write_json


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="one JSON document, for programs")
def list_command(as_json: bool) -> None:
    """List the games."""
    games = catalog.list_games()
    if as_json:
        from parlour.documents.games import game_document

        documents = [game_document(game) for game in games]
        for place, document in enumerate(documents):  # this command writes null where the server writes ""
            options = [replace(option, default=option.default or None) for option in document.options]
            documents[place] = replace(document, options=options)
        click.echo(write_json(documents, indent=2))
        return
    screen = Screen()
    for game in games:
        screen.say([game.key], bold=True)
        screen.say([f"    {game.content.summary}"])
    if sys.stdout.isatty():
        screen.say(["", f"Play one: {own_command()} play GAME. Read its rules: {own_command()} rules GAME."])


@click.command("rules")
@game_argument
@click.option("--json", "as_json", is_flag=True, help="one JSON document, for programs")
def rules_command(game: str, as_json: bool) -> None:
    """Show the rules and options of GAME."""
    found = catalog.find_game(game)
    if as_json:
        from parlour.documents.games import rules_document

        click.echo(write_json(rules_document(found), indent=2))
        return
    with pager():
        _print_rules(found)


def _print_rules(game: Game) -> None:
    columns = prose_width()
    screen = Screen()
    screen.say([game.title], bold=True)
    screen.say(["", *reflow(game.content.rules_text, columns), "", "Options"])
    defaults = show_options(game.defaults)
    for name, kind in declared(game.options).items():
        default = f", default {defaults[name]}" if defaults[name] else ""
        text = f"--{flag(name)}: {kind.help} ({kind.allowed}{default})"
        screen.say(reflow(f"- {text}", columns))
    if game.content.variants:
        screen.say(["", "Worth trying"])
    for variant in game.content.variants:
        flags = " ".join(f"--{flag(name)} {text}" for name, text in variant.options.items())
        about = "; ".join(filter(None, [variant.character, variant.why]))
        screen.say(reflow(f"- {flags}: {about}", columns))
    command = own_command()
    screen.say(["", f"Who wins, and how: {command} explain {game.key}", f"Play it: {command} play {game.key}"])


def _explain(game: Game) -> click.Command:
    from parlour.study.explain import QUESTION_SECONDS, explain_lines, explanation_of  # slow

    def run(seed: str, seconds: float, as_json: bool, **given: str | None) -> None:
        rules = read_rules(game, chosen_texts(given))
        screen, columns = Screen(), prose_width()
        with ProgressLine() as progress:
            lines = explain_lines(rules, Limit(on_progress=progress), seed=seed, seconds=seconds)
            if as_json:
                explanation = explanation_of(rules, lines)
                progress.wipe()
                click.echo(write_json(explanation, indent=2))
                return
            for line in lines:
                progress.wipe()
                screen.say(reflow(line.text, columns) if line.text else [""], bold=line.strong)

    return click.Command(
        game.key,
        callback=run,
        help=f"Explain who wins {game.title} under the given options, how, and how soon.",
        short_help=game.content.summary,
        params=[
            *game_options(game),
            click.Option(["--seed"], default="1", show_default=True, metavar="TEXT", help="seed for samples"),
            seconds_option(QUESTION_SECONDS, "time limit per question; samples get four times as long"),
            click.Option(["--json", "as_json"], is_flag=True, help="one JSON document, for programs"),
        ],
        context_settings=HELP,
    )


explain_command = GameCommands("explain", _explain, help="Explain who wins a game, how, and how soon.")
