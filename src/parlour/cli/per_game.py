"""Commands that go by game: one sub-command for each, with the options that the game declares."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

import click

from parlour import catalog
from parlour.cli.completing import complete_game
from parlour.errors import UnknownGame
from parlour.game import Game
from parlour.options import declared, flag, show_options

T = TypeVar("T")

HELP = {"help_option_names": ["-h", "--help"]}


class GameCommands(click.Group):
    """One sub-command for each game; a game is called by its key or an unambiguous part of it."""

    def __init__(self, name: str, make: Callable[[Game], click.Command], help: str) -> None:
        super().__init__(name, subcommand_metavar="GAME [OPTIONS]...", context_settings=HELP, help=help)
        self._make = make

    def list_commands(self, context: click.Context) -> list[str]:
        return list(catalog.keys())

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        return self._make(catalog.find_game(name))

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            key = catalog.find_key(args[0])
        except UnknownGame as error:
            if context.resilient_parsing:  # somebody asks for completions
                return None, None, []
            raise click.UsageError(str(error), context) from None
        return key, self.get_command(context, key), args[1:]

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        list_in_full(self, context, formatter, "Games")

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(context, args)
        except click.NoSuchOption as error:
            raise click.UsageError(
                f"options go after the game: {context.command_path} GAME {error.option_name}", context
            ) from None


def game_argument(function: Callable[..., T]) -> Callable[..., T]:
    """Declare the argument GAME of a command; without it the command is refused with a list of the games."""
    return click.argument("game", metavar="GAME", required=False, callback=_check_given, shell_complete=complete_game)(
        function
    )


def _check_given(context: click.Context, parameter: click.Parameter, game: str | None) -> str | None:
    if game is None and not context.resilient_parsing:
        raise click.UsageError(f"which game? {context.command_path} {one_of_the_games()}", context)
    return game


def one_of_the_games() -> str:
    return f"GAME takes one of: {', '.join(catalog.keys())}"


def list_in_full(
    group: click.Group, context: click.Context, formatter: click.HelpFormatter, title: str = "Commands"
) -> None:
    """The commands of a group with a whole sentence each; click would cut them off at the end of the line."""
    found = ((name, group.get_command(context, name)) for name in group.list_commands(context))
    rows = [(name, command.get_short_help_str(limit=1000)) for name, command in found if command is not None]
    with formatter.section(title):
        formatter.write_dl(rows)


def game_options(game: Game) -> list[click.Option]:
    """The game's own options, as the command line takes them."""
    options = []
    defaults = show_options(game.defaults)
    for name, kind in declared(game.options).items():
        default = f"  [{kind.allowed}; default: {defaults[name]}]" if defaults[name] else f"  [{kind.allowed}]"
        options.append(click.Option([f"--{flag(name)}", f"option_{name}"], metavar="X", help=kind.help + default))
    return options


def seconds_option(default: float, text: str) -> click.Option:
    """An option that bounds how long a command may take."""
    return click.Option(["--seconds"], type=click.FloatRange(0), default=default, show_default=True, help=text)


def chosen_texts(given: Mapping[str, str | None]) -> dict[str, str]:
    """Which of the game's own options were given, as text."""
    options = {name.removeprefix("option_"): text for name, text in given.items() if name.startswith("option_")}
    return {name: text for name, text in options.items() if text is not None}
