"""The commands ``engine`` and ``mcp``, for other programs."""

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

    The program sends commands to standard input, one per line, and reads the replies from standard output.
    list_commands lists the commands. The protocol resembles GTP, the protocol of Go programs. To play an engine:

    \b
    parlour play double-up --p1 "engine:parlour engine" --p2 random
    """
    loaded = players.load(player)
    if loaded is None:
        raise UnknownPlayer(f"an engine cannot be {player!r}: there is no keyboard")
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
    help="where to store matches: a URL as for parlour serve, or an SQLite file; by default in memory, lost at exit",
)
@click.option(
    "--aids",
    type=click.Choice(["none", "hints", "analysis"]),
    default="analysis",
    show_default=True,
    help="help that players can ask for; analysis includes hints",
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

    This is a Model Context Protocol (MCP) server on standard input and output: add this command to the settings of
    your MCP client. With the --database of parlour serve, you can watch the matches in the browser.
    """
    from parlour.adapters.mcp import AIDS, make_server, make_tools, serve
    from parlour.service.matches import MatchService
    from parlour.store import open_store

    # Exit directly on Ctrl-C, because a thread blocks on reading input. Every move is already on the disk.
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    store = open_store(url_of(database) if database else "sqlite://")
    if sys.stdin is not None and sys.stdin.isatty():
        click.echo("parlour mcp is for programs: input is read as MCP requests", err=True)
    try:
        matches = MatchService(store)
        matches.remove_expired()
        serve(make_server(make_tools(matches, AIDS[AIDS.index(aids)], seconds)), store)
    finally:
        store.close()
    return 0
