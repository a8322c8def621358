"""``parlour play GAME``: one sub-command for each game, with the options that the game declares."""

from __future__ import annotations

import click

from parlour import catalog
from parlour.cli.playing import play_new, set_up
from parlour.errors import UnknownGame
from parlour.game import AnyGame
from parlour.options import declared, show_options
from parlour.players import KINDS


class Games(click.Group):
    """One command for each game; a game is called by its key or an unambiguous part of it."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(catalog.keys())

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        return _command(catalog.load(name))

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            key = catalog.find(args[0])
        except UnknownGame as error:
            raise click.UsageError(str(error), context) from None
        return key, self.get_command(context, key), args[1:]


def game_options(game: AnyGame) -> list[click.Option]:
    """The game's own options, as the command line takes them."""
    options = []
    defaults = show_options(game.options())
    for name, kind in declared(game.options).items():
        default = f"  [{kind.allowed}; default: {defaults[name]}]" if defaults[name] else f"  [{kind.allowed}]"
        options.append(
            click.Option([f"--{name.replace('_', '-')}", f"option_{name}"], metavar="X", help=kind.help + default)
        )
    return options


def chosen_texts(given: dict[str, str | None]) -> dict[str, str]:
    """Which of the game's own options were given, as text."""
    return {
        name.removeprefix("option_"): text
        for name, text in given.items()
        if name.startswith("option_") and text is not None
    }


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
        context_settings={"help_option_names": ["-h", "--help"]},
    )


@click.command(
    "play", cls=Games, subcommand_metavar="GAME [OPTIONS]...", context_settings={"help_option_names": ["-h", "--help"]}
)
def play_command() -> None:
    """Play a game. Every game has options of its own: parlour play GAME --help."""
