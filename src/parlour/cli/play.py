"""``parlour play GAME``: one sub-command for each game, with the options that the game declares."""

from __future__ import annotations

from functools import partial

import click

from parlour import players
from parlour.cli.completing import complete_player
from parlour.cli.per_game import HELP, GameCommands, chosen_texts, game_options
from parlour.cli.playing import COMPUTER, PLAIN_HELP, SECONDS_HELP, Manner, or_menu, play_new, set_up
from parlour.cli.screen import at_terminal
from parlour.game import Game
from parlour.players import HUMAN


class PlayerOption(click.Option):
    """An option that takes the word of a player; whoever loads it refuses what is none."""

    def __init__(self, flag: str, text: str) -> None:
        """``{known}`` in the text stands for the words there are."""
        self._text = text
        super().__init__(
            [flag], metavar="PLAYER", default=HUMAN, show_default=True, help=text, shell_complete=complete_player
        )

    def get_help_record(self, context: click.Context) -> tuple[str, str] | None:
        self.help = self._text.format(known=players.known())  # not before somebody reads it: no prompt waits for that
        return super().get_help_record(context)


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
        if at_terminal() and (p1 == HUMAN) != (p2 == HUMAN):  # there the only person is "You"
            name1, name2 = name1 or (None if p1 == HUMAN else COMPUTER), name2 or (None if p2 == HUMAN else COMPUTER)
        setup = set_up(game.key, chosen_texts(given), (p1, p2), (name1, name2), first, seed)
        manner = Manner(json, strict, seconds, plain, tossed=first == "toss")
        return or_menu(partial(play_new, setup, manner))

    return click.Command(
        game.key,
        callback=run,
        help=f"Play {game.title}.\n\n{game.summary}",
        short_help=game.summary,
        params=[
            *game_options(game),
            PlayerOption("--p1", "who plays as Player 1: {known}"),
            PlayerOption("--p2", "who plays as Player 2, likewise"),
            click.Option(["--name1"], metavar="NAME", help="what Player 1 is called"),
            click.Option(["--name2"], metavar="NAME", help="what Player 2 is called"),
            click.Option(
                ["--first"], type=click.Choice(["1", "2", "toss"]), default="1", show_default=True, help="who begins"
            ),
            click.Option(["--seed"], metavar="TEXT", help="the same seed gives the same deals, toss and random moves"),
            click.Option(["--strict"], is_flag=True, help="no hints, and nothing can be taken back"),
            click.Option(["--seconds"], type=click.FloatRange(0), help=SECONDS_HELP),
            click.Option(["--plain"], is_flag=True, help=PLAIN_HELP),
            click.Option(["--json"], is_flag=True, help="one JSON event a line, for programs"),
        ],
        context_settings=HELP,
    )


class PlayCommands(GameCommands):
    """``parlour play``; without a game the menu asks for one."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        if not args and at_terminal() and not context.resilient_parsing:
            from parlour.cli.menu import menu

            context.exit(menu())
        return super().parse_args(context, args)


play_command = PlayCommands(
    "play", _command, help="Play a game. Every game has options of its own: parlour play GAME --help."
)
