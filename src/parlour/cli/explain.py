"""``parlour explain GAME``: what is known about a game."""

from __future__ import annotations

import click

from parlour.cli.per_game import HELP, GameCommands, chosen_texts, game_options, seconds_option
from parlour.game import Game
from parlour.limit import Limit
from parlour.rules import read_rules
from parlour.study.explain import QUESTION_SECONDS, explain_lines, explanation_of
from parlour.terminal.screen import ProgressLine, Screen, reflow, width
from parlour.writer import write_json


def _explain(game: Game) -> click.Command:
    def run(seed: str, seconds: float, as_json: bool, **given: str | None) -> None:
        rules = read_rules(game, chosen_texts(given))
        screen, columns = Screen(), min(width(), 80)
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
        help=f"Say what is known about {game.title} under the given options.",
        short_help=game.content.summary,
        params=[
            *game_options(game),
            click.Option(["--seed"], default="1", show_default=True, metavar="TEXT", help="of what is only sampled"),
            seconds_option(QUESTION_SECONDS, "how long one question may take; a sample may take four times as long"),
            click.Option(["--json", "as_json"], is_flag=True, help="one JSON document, for programs"),
        ],
        context_settings=HELP,
    )


explain_command = GameCommands("explain", _explain, help="Say what is known about a game: who wins, how, and how soon.")
