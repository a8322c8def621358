"""The commands ``engine`` and ``mcp``, which other programs talk to."""

from __future__ import annotations

import os
import signal
import sys

import click

from parlour import players
from parlour.cli.options import complete_player, url_of
from parlour.errors import UnknownPlayer
from parlour.gtp.server import THINKING_SECONDS, Engine, serve
from parlour.secrets import new_seed


@click.command("engine")
@click.option(
    "--player",
    default="perfect",
    show_default=True,
    metavar="PLAYER",
    help="the player that chooses the moves",
    shell_complete=complete_player,
)
@click.option("--seed", metavar="TEXT", help="the same seed and the same commands give the same replies")
@click.option(
    "--seconds",
    type=click.FloatRange(0),
    default=THINKING_SECONDS,
    show_default=True,
    help="time limit for a move or a value",
)
def engine_command(player: str, seed: str | None, seconds: float) -> int:
    """Choose moves for another program.

    The program sends commands to standard input, one per line, and reads the replies from standard output;
    list_commands lists them. The protocol resembles GTP, which Go programs use. Another Parlour speaks it as well:

    \b
    parlour play double-up --p1 "engine:parlour engine" --p2 random
    """
    loaded = players.load(player)
    if loaded is None:
        raise UnknownPlayer(f"{player!r} is not a player for an engine: there is no keyboard")
    engine = Engine(loaded, seed if seed is not None else new_seed(), seconds)
    try:
        if sys.stdin is not None:
            serve(engine, sys.stdin.buffer, sys.stdout)
    except KeyboardInterrupt:
        return 130
    return 0


@click.command("mcp")
@click.option(
    "--database",
    metavar="URL",
    envvar="PARLOUR_DATABASE",
    show_envvar=True,
    help="where to store matches, as for parlour serve, or an SQLite file; by default in memory, for this program only",
)
@click.option(
    "--aids",
    type=click.Choice(["none", "hints", "analysis"]),
    default="analysis",
    show_default=True,
    help="help for players: none, hints, or hints and the exact value of every move",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0, min_open=True),
    default=10.0,
    show_default=True,
    help="time limit for a hint or an analysis",
)
def mcp_command(database: str | None, aids: str, seconds: float) -> int:
    """Offer the games as tools to a language model.

    This is a Model Context Protocol server on standard input and output: name this command in the settings of the
    model's client. With the --database of parlour serve, the matches can be watched in the browser.
    """
    from parlour.adapters.mcp import AIDS, make_server, make_tools, serve
    from parlour.service.matches import MatchService
    from parlour.store import open_store

    # Exit directly on Ctrl-C, because a thread blocks on the next line. Every move is already on the disk.
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    store = open_store(url_of(database) if database else "sqlite://")
    if sys.stdin is not None and sys.stdin.isatty():
        click.echo("parlour mcp is for programs: what you type here is read as their requests", err=True)
    try:
        matches = MatchService(store)
        matches.remove_expired()
        serve(make_server(make_tools(matches, AIDS[AIDS.index(aids)], seconds)), store)
    finally:
        store.close()
    return 0
