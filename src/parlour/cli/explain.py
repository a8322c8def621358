"""``parlour explain GAME``: what is known about a game."""

from __future__ import annotations

from typing import Any

import click

from parlour import referee
from parlour.cli.per_game import HELP, Games, chosen_texts, game_options
from parlour.cli.screen import Progress, Screen, reflow, width
from parlour.game import AnyGame
from parlour.study.explain import SECONDS, explain


def _explain(game: AnyGame) -> click.Command:
    def run(seed: str, seconds: float, **given: Any) -> None:
        options = referee.choose_options(game, chosen_texts(given))
        screen, columns = Screen(), min(width(), 80)
        with Progress() as progress:
            for line in explain(game, options, seed=seed, seconds=seconds, progress=progress):
                progress.wipe()
                screen.say(reflow(line.text, columns) if line.text else [""], bold=line.strong)

    return click.Command(
        game.key,
        callback=run,
        help=f"Tell what is known about {game.title} under the given options.",
        short_help=game.summary,
        params=[
            *game_options(game),
            click.Option(["--seed"], default="1", show_default=True, metavar="TEXT", help="of what is only sampled"),
            click.Option(
                ["--seconds"],
                type=click.FloatRange(0),
                default=SECONDS,
                show_default=True,
                help="how long one question may take",
            ),
        ],
        context_settings=HELP,
    )


explain_command = Games("explain", _explain, help="Tell what is known about a game: who wins, how, and how soon.")
