"""``parlour manual``: the manual page, made from the commands themselves, so that it is never behind them."""

from __future__ import annotations

import inspect
import shutil
import subprocess
import sys
from collections.abc import Iterator

import click

from parlour import catalog
from parlour.cli.options import GameCommands
from parlour.version import __version__

FILES = {
    "~/.config/parlour/config.toml": "Your preferences; under XDG_CONFIG_HOME if that is set.",
    "~/.local/state/parlour/games/": "The games you have played, a file each; under XDG_STATE_HOME if that is set.",
    "~/.local/state/parlour/seats/": "Your seats in matches on servers, which nobody else is to read; likewise.",
}
ENVIRONMENT = {
    "NO_COLOR, FORCE_COLOR": "No colour at a terminal, and colour for a pipe; any value but an empty one.",
    "COLUMNS, LINES": "The size of the screen, where it is not the terminal's own.",
    "PAGER": "What shows texts that are longer than the screen; less if it is not set, nothing if it is empty.",
}
EXIT_STATUS = {
    "0": "The game was played to its end, or you left it; or the command did what it was asked.",
    "1": "It failed: input ended in the middle of a game, a record is damaged, a file cannot be read.",
    "2": "It was asked wrongly: an unknown command, game, player or option.",
    "130": "Ctrl-C.",
}


@click.command("manual")
@click.pass_context
def manual_command(context: click.Context) -> None:
    """Show the manual page.

    Into a file or a pipe it is written for man: parlour manual > parlour.1.
    """
    page = manual(context.find_root().command)
    if not (sys.stdout.isatty() and shutil.which("man")):
        click.echo(page)
        return
    subprocess.run(["man", "-l", "-"], input=page, text=True, encoding="utf-8", check=False)


def manual(command: click.Command) -> str:
    """The manual page of a group of commands, in the language of man."""
    assert isinstance(command, click.Group)
    context = click.Context(command, info_name="parlour")
    lines = [
        f'.TH PARLOUR 1 "" "Parlour {__version__}" "Parlour"',
        ".SH NAME",
        "parlour \\- " + _text(_short(command)),
        ".SH SYNOPSIS",
        ".B parlour",
        "[\\fICOMMAND\\fR [\\fIARGUMENT\\fR]...]",
        ".SH DESCRIPTION",
        *_prose(command.help or ""),
        *_prose(inspect.cleandoc(command.epilog or "")),
        ".SH COMMANDS",
    ]
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        if found is not None:
            lines += _command(found, click.Context(found, info_name=name, parent=context))
    for title, entries in (("FILES", FILES), ("ENVIRONMENT", ENVIRONMENT), ("EXIT STATUS", EXIT_STATUS)):
        lines.append(f".SH {title}")
        for term, text in entries.items():
            lines += [".TP", f".B {_text(term)}", _text(text)]
    return "\n".join(lines)


def _command(command: click.Command, context: click.Context) -> Iterator[str]:
    pieces = " ".join(command.collect_usage_pieces(context))
    yield f'.SS "{_text(f"{context.command_path} {pieces}")}"'
    yield from _prose(command.help or "")
    yield from _options(command, context, set())
    if not isinstance(command, GameCommands):
        if isinstance(command, click.Group):
            for name in command.list_commands(context):
                if found := command.get_command(context, name):
                    yield from _command(found, click.Context(found, info_name=name, parent=context))
        return
    games = [(key, command.get_command(context, key)) for key in catalog.keys()]
    of_game = {
        key: (found, click.Context(found, info_name=key, parent=context)) for key, found in games if found is not None
    }
    shared = set.intersection(*(_names(found, inner) for found, inner in of_game.values()))
    first, inner = next(iter(of_game.values()))
    yield from _options(first, inner, _names(first, inner) - shared)
    for found, inner in of_game.values():
        if _names(found, inner) - shared:
            yield from (".PP", f".B {_text(found.name or '')}", ".RS")
            yield from _options(found, inner, shared)
            yield ".RE"


def _names(command: click.Command, context: click.Context) -> set[str]:
    return {parameter.opts[0] for parameter in command.get_params(context)}


def _options(command: click.Command, context: click.Context, without: set[str]) -> Iterator[str]:
    for parameter in command.get_params(context):
        if not isinstance(parameter, click.Option) or parameter.opts[0] in without or "--help" in parameter.opts:
            continue
        told = parameter.get_help_record(context)
        if told is not None:
            yield from (".TP", f".B {_text(told[0])}", _text(" ".join(told[1].split())))


def _short(command: click.Command) -> str:
    text = command.get_short_help_str(limit=1000)
    return text[:1].lower() + text[1:].rstrip(".")


def _prose(text: str) -> Iterator[str]:
    """Paragraphs; what follows click's sign for it keeps its lines."""
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        lines = paragraph.strip("\n").splitlines()
        yield ".PP"
        if lines and lines[0].strip() == "\b":
            yield from (".nf", *map(_text, lines[1:]), ".fi")
        else:
            yield _text(" ".join(line.strip() for line in lines))


def _text(text: str) -> str:
    """A text in which nothing means anything to man."""
    safe = text.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    return f"\\&{safe}" if safe.startswith((".", "'")) else safe
