"""The commands ``play``, with a subcommand for each game, and ``learn``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import click
from click.core import ParameterSource

from parlour import catalog, players
from parlour.cli.options import HELP, GameCommands, chosen_texts, complete_player, game_argument, game_options
from parlour.errors import BadOptions
from parlour.game import Game
from parlour.installation import own_command
from parlour.match import Match
from parlour.players import HUMAN
from parlour.terminal.narration import COMPUTER
from parlour.terminal.play import MenuWanted, SessionSettings, play_new, set_up
from parlour.terminal.screen import Screen, at_terminal

SECONDS_HELP = "time limit per move of the computer  [default: depends on the player]"
PLAIN_HELP = "print plain lines instead of redrawing the screen"


def or_menu(play: Callable[[], tuple[Match, int]]) -> int:
    """Play, and open the menu if the player wants another game; return the exit code."""
    try:
        return play()[1]
    except MenuWanted:
        from parlour.terminal.menu import menu

        return menu()


class PlayerOption(click.Option):
    """An option for a player, which is checked when the player is loaded. ``{known}`` in its help lists the players."""

    def __init__(self, flag: str, text: str) -> None:
        self._text = text
        super().__init__(
            [flag], metavar="PLAYER", default=HUMAN, show_default=True, help=text, shell_complete=complete_player
        )

    def get_help_record(self, context: click.Context) -> tuple[str, str] | None:
        self.help = self._text.format(known=players.known())  # only when help is shown: slow
        return super().get_help_record(context)


def _apply_preferences(
    context: click.Context, kinds: tuple[str, str], names: tuple[str | None, str | None], first: str
) -> tuple[tuple[str, str], tuple[str | None, str | None], str]:
    """Adapt preferences to the command line; return the players, their names and who begins.

    Preferences describe you and your opponent. If the command line makes Player 1 a computer, you are Player 2. A
    computer never gets a name from the preferences.
    """
    preferred = {name for name in context.params if context.get_parameter_source(name) is ParameterSource.DEFAULT_MAP}
    p1, p2 = kinds
    name1, name2 = names
    if p1 != HUMAN:
        you = name1 if "name1" in preferred else None
        name1 = None if "name1" in preferred else name1
        p2 = HUMAN if "p2" in preferred else p2
        if p2 == HUMAN:
            name2 = you if name2 is None or "name2" in preferred else name2
            first = {"1": "2", "2": "1"}.get(first, first) if "first" in preferred else first
    if p2 != HUMAN and "name2" in preferred:
        name2 = None
    if at_terminal() and (p1 == HUMAN) != (p2 == HUMAN):  # the only person is shown as "You"
        name1, name2 = name1 or (None if p1 == HUMAN else COMPUTER), name2 or (None if p2 == HUMAN else COMPUTER)
    return (p1, p2), (name1, name2), first


def _command(game: Game) -> click.Command:
    def run(
        p1: str,
        p2: str,
        name1: str | None,
        name2: str | None,
        first: str,
        seed: str | None,
        strict: bool,
        seconds: float | None,
        plain: bool,
        json: bool,
        **given: str | None,
    ) -> int:
        kinds, names, first = _apply_preferences(click.get_current_context(), (p1, p2), (name1, name2), first)
        setup = set_up(game.key, chosen_texts(given), kinds, names, first, seed, strict)
        settings = SessionSettings(json, strict, seconds, plain, tossed=first == "toss")
        return or_menu(partial(play_new, setup, settings))

    return click.Command(
        game.key,
        callback=run,
        help=f"Play {game.title}.\n\n{game.content.summary}",
        short_help=game.content.summary,
        params=[
            *game_options(game),
            PlayerOption("--p1", "who plays as Player 1: {known}"),
            PlayerOption("--p2", "who plays as Player 2: the same choices"),
            click.Option(["--name1"], metavar="NAME", help="name of Player 1"),
            click.Option(["--name2"], metavar="NAME", help="name of Player 2"),
            click.Option(
                ["--first"], type=click.Choice(["1", "2", "toss"]), default="1", show_default=True, help="who begins"
            ),
            click.Option(["--seed"], metavar="TEXT", help="the same seed gives the same deals, toss and random moves"),
            click.Option(["--strict"], is_flag=True, help="no hints and no undo"),
            click.Option(["--seconds"], type=click.FloatRange(0), help=SECONDS_HELP),
            click.Option(["--plain"], is_flag=True, help=PLAIN_HELP),
            click.Option(["--json"], is_flag=True, help="one JSON event per line, for programs"),
        ],
        context_settings=HELP,
    )


class PlayCommands(GameCommands):
    """``parlour play``; without a game the menu asks for one."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        if not args and at_terminal() and not context.resilient_parsing:
            from parlour.terminal.menu import menu

            context.exit(menu())
        return super().parse_args(context, args)


play_command = PlayCommands("play", _command, help="Play a game.")


@click.command("learn")
@game_argument
def learn_command(game: str) -> int:
    """Learn GAME in two minutes by playing it."""
    found = catalog.find_game(game)
    rules = f"{own_command()} rules {found.key}"
    if not at_terminal():
        raise click.UsageError(f"a lesson needs a terminal; read the rules with: {rules}")
    if found.content.lesson is None:
        raise BadOptions(f"there is no lesson for {found.title}; read its rules with: {rules}")
    from parlour.terminal.keyboard import Keyboard
    from parlour.terminal.lesson import teach

    if teach(found, found.content.lesson, Keyboard()):
        Screen().say(["", f"Now play it: {own_command()} play {found.key}"])
    return 0
