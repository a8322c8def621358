"""``parlour backup``: a copy of the web's matches, while they are played."""

from __future__ import annotations

import click

from parlour.cli.databases import needs_web, url_of
from parlour.cli.serve import default_database
from parlour.text import counted


@click.command("backup")
@click.option(
    "--database",
    metavar="URL",
    envvar="PARLOUR_DATABASE",
    show_envvar=True,
    help="the database, as for parlour serve, or a SQLite file; by default your own",
)
@click.argument("file", metavar="FILE")
def backup_command(database: str | None, file: str) -> None:
    """Copy a server's matches into a new FILE, while it runs."""
    try:
        from parlour.store import back_up
    except ModuleNotFoundError as missing:
        raise needs_web(missing) from None
    count = back_up(url_of(database) if database else default_database(), file)
    click.echo(f"{counted(count, 'match', 'matches')} copied to {file}")
