"""Write the man pages of all commands: parlour.1, parlour-play.1, parlour-play-double-up.1 and so on.

python tools/man_pages.py FOLDER
"""

from __future__ import annotations

import re
import sys

import click
import click_man.core

from parlour.cli import parlour
from parlour.version import __version__


def write_man_pages(folder: str) -> None:
    """Write a page for every command to an existing folder."""
    click_man.core.write_man_pages("parlour", _loaded(parlour, None), version=__version__, target_dir=folder)


def _loaded(command: click.Command, parent: click.Context | None) -> click.Command:
    """Return a command as click-man reads it: all subcommands loaded, help texts in the language of man."""
    context = click.Context(command, info_name=command.name, parent=parent)
    command.short_help = command.get_short_help_str(limit=1000)
    command.help = re.sub(r"\x08\n((?:.*\S.*\n?)+)", r".nf\n\1\n.fi\n", command.help or "")
    if isinstance(command, click.Group):
        found = ((name, command.get_command(context, name)) for name in command.list_commands(context))
        command.commands = {name: _loaded(inner, context) for name, inner in found if inner is not None}
    return command


if __name__ == "__main__":
    write_man_pages(sys.argv[1])
