"""``parlour engine``: serve other programs."""

from __future__ import annotations

import sys

import click

from parlour import players
from parlour.cli.completing import complete_player
from parlour.errors import UnknownPlayer
from parlour.gtp.server import THINKING_SECONDS, Engine, serve
from parlour.secrets import new_seed


@click.command("engine")
@click.option(
    "--player",
    default="perfect",
    show_default=True,
    metavar="PLAYER",
    help="who chooses the moves it is asked for",
    shell_complete=complete_player,
)
@click.option("--seed", metavar="TEXT", help="the same seed and the same commands give the same replies")
@click.option(
    "--seconds",
    type=click.FloatRange(0),
    default=THINKING_SECONDS,
    show_default=True,
    help="how long a move or a value may take",
)
def engine_command(player: str, seed: str | None, seconds: float) -> int:
    """Choose moves for another program.

    It sends commands to standard input, one a line, and reads the replies from standard output; list_commands lists
    them. The protocol is in the style of GTP, by which programs play Go. Another Parlour speaks it as well:

    \b
    parlour play double-up --p1 "engine:parlour engine" --p2 random
    """
    loaded = players.load(player)
    if loaded is None:
        raise UnknownPlayer(f"{player!r} is not a player for an engine: nobody can be asked here")
    engine = Engine(loaded, seed if seed is not None else new_seed(), seconds)
    try:
        if sys.stdin is not None:
            serve(engine, sys.stdin.buffer, sys.stdout)
    except KeyboardInterrupt:
        return 130
    return 0
