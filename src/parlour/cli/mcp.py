"""``parlour mcp``: the games as tools for language models."""

from __future__ import annotations

import os
import signal
import sys

import click

from parlour.cli.databases import url_of


@click.command("mcp")
@click.option(
    "--database",
    metavar="URL",
    envvar="PARLOUR_DATABASE",
    show_envvar=True,
    help="where matches are kept, as for parlour serve, or a SQLite file; by default in memory, for this program alone",
)
@click.option(
    "--aids",
    type=click.Choice(["none", "hints", "analysis"]),
    default="analysis",
    show_default=True,
    help="what players may ask for: nothing, hints, or hints and what every move is exactly worth",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0, min_open=True),
    default=10.0,
    show_default=True,
    help="how long a hint or an analysis may take",
)
def mcp_command(database: str | None, aids: str, seconds: float) -> int:
    """Offer the games as tools to a language model.

    It speaks the Model Context Protocol over standard input and output: name this command in the settings of the
    program that talks to the model. With the --database of parlour serve, the matches can be watched in the browser.
    """
    from parlour.adapters.mcp import AIDS, make_server, make_tools, serve
    from parlour.service.matches import MatchService
    from parlour.store import open_store

    # A thread waits for the next line and cannot be woken: Ctrl-C ends the process here. What was done is on the disk.
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    store = open_store(url_of(database) if database else "sqlite://")
    if sys.stdin is not None and sys.stdin.isatty():
        click.echo("parlour mcp is for a program to talk to; what you type here is taken for its requests", err=True)
    try:
        matches = MatchService(store)
        matches.remove_expired()
        serve(make_server(make_tools(matches, AIDS[AIDS.index(aids)], seconds)), store)
    finally:
        store.close()
    return 0
