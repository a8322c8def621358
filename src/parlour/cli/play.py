"""``parlour play GAME``: one sub-command for each game, with the options that the game declares."""

from __future__ import annotations

import click

from parlour.cli.per_game import HELP, Games, chosen_texts, game_options
from parlour.cli.playing import play_new, set_up
from parlour.game import AnyGame
from parlour.players import KINDS


def _command(game: AnyGame) -> click.Command:
    kinds = click.Choice(KINDS)

    def run(
        p1: str,
        p2: str,
        name1: str | None,
        name2: str | None,
        first: str,
        seed: str | None,
        json: bool,
        **given: str | None,
    ) -> int:
        setup = set_up(game.key, chosen_texts(given), (p1, p2), (name1, name2), first, seed)
        return play_new(setup, json=json)[1]

    return click.Command(
        game.key,
        callback=run,
        help=f"Play {game.title}.\n\n{game.summary}",
        short_help=game.summary,
        params=[
            *game_options(game),
            click.Option(["--p1"], type=kinds, default="human", show_default=True, help="who plays as Player 1"),
            click.Option(["--p2"], type=kinds, default="human", show_default=True, help="who plays as Player 2"),
            click.Option(["--name1"], metavar="NAME", help="what Player 1 is called"),
            click.Option(["--name2"], metavar="NAME", help="what Player 2 is called"),
            click.Option(
                ["--first"], type=click.Choice(["1", "2", "toss"]), default="1", show_default=True, help="who begins"
            ),
            click.Option(["--seed"], metavar="TEXT", help="the same seed gives the same deals, toss and random moves"),
            click.Option(["--json"], is_flag=True, help="one JSON event a line, for programs"),
        ],
        context_settings=HELP,
    )


play_command = Games("play", _command, help="Play a game. Every game has options of its own: parlour play GAME --help.")
