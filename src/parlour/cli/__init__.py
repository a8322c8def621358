"""The command ``parlour``. The module of a subcommand is imported when the subcommand is used."""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module
from typing import Any

import click

from parlour.errors import ParlourError
from parlour.files import config_file
from parlour.text import clip, did_you_mean, nearest
from parlour.version import __version__

# Subcommands by help heading, each with its module. The module defines NAME_command.
GROUPS = {
    "Play": {
        "play": "play",
        "learn": "play",
        "resume": "saved",
        "games": "saved",
        "replay": "saved",
        "invite": "online",
        "join": "online",
    },
    "Train": {
        "daily": "puzzles",
        "puzzle": "puzzles",
        "practise": "puzzles",
        "master": "exams",
        "puzzles": "puzzles",
    },
    "Study": {
        "list": "info",
        "rules": "info",
        "explain": "info",
        "solve": "analyse",
        "tabulate": "analyse",
        "report": "analyse",
        "sweep": "lab",
        "atlas": "lab",
    },
    "Prove": {"certify": "proofs", "verify": "proofs"},
    "Compete": {"tournament": "tournament", "leaderboard": "leaderboard"},
    "Serve": {"serve": "server", "backup": "server", "check": "server", "salvage": "server"},
    "For programs": {"engine": "agents", "mcp": "agents", "export": "saved", "import": "saved"},
    "Set up": {"config": "preferences", "completion": "preferences", "help": "help"},
}
COMMANDS = {name: module for group in GROUPS.values() for name, module in group.items()}


class Commands(click.Group):
    """A group that imports a subcommand on first use."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"parlour.cli.{COMMANDS[name]}"), f"{name}_command")
        return command

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-") and not context.resilient_parsing:
            suggestion = did_you_mean(nearest(name, COMMANDS))
            raise click.UsageError(f"there is no command {clip(name)!r}{suggestion}", context)
        return super().resolve_command(context, args)

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the names of the commands, one group per line; ``parlour help`` explains each."""
        with formatter.section("Commands"):
            formatter.write_dl([(heading, ", ".join(names)) for heading, names in GROUPS.items()])
        super(click.Group, self).format_options(context, formatter)


class _PlayDefaults(dict[str, Any]):
    """The user's defaults for ``parlour play``, by game; empty unless at a terminal."""

    def get(self, key: str, default: Any = None) -> Any:
        from parlour.terminal.screen import at_terminal

        if not (at_terminal() and os.path.exists(config_file())):
            return {}
        from parlour.terminal.preferences import load  # slow, and only needed if there is a file

        preferences = load()
        preferences.complain()
        return preferences.defaults_for(key)


EXAMPLES = """\b
Examples:
  parlour play double-up --p2 level:2    play against the computer
  parlour help                           all commands, one line each
  parlour help play                      how to use one command
"""


@click.group(
    cls=Commands, invoke_without_command=True, epilog=EXAMPLES, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, "--version", prog_name="parlour")
@click.pass_context
def parlour(context: click.Context) -> None:
    """Five two-player number games. Without a command, opens a menu (in a pipe: prints this help)."""
    if context.invoked_subcommand == "play":
        context.default_map = {"play": _PlayDefaults()}
    if context.invoked_subcommand is None:
        from parlour.terminal.screen import at_terminal

        if at_terminal():
            from parlour.terminal.menu import menu

            context.exit(menu())
        click.echo(context.get_help())


def main() -> None:
    """Run a command and exit. Every error is one line on standard error."""
    if sys.stdout is None or sys.stderr is None:  # the parent process has closed them
        devnull = open(os.devnull, "w")  # noqa: SIM115  (open until exit)
        sys.stdout, sys.stderr = sys.stdout or devnull, sys.stderr or devnull
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = parlour.main(prog_name="parlour", standalone_mode=False)
        sys.stdout.flush()
    except ParlourError as error:
        code = _fail(str(error), error.exit_code)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        code = 2
    except click.UsageError as error:
        where = f" (see {error.ctx.command_path} --help)" if error.ctx else ""
        code = _fail(" ".join(error.format_message().split()).rstrip(".") + where, 2)
    except click.ClickException as error:
        code = _fail(error.format_message(), error.exit_code)
    except (click.Abort, KeyboardInterrupt):  # click has ended the line
        code = 130
    except BrokenPipeError:  # the reader closed the pipe
        _drop_output()
        code = 1
    except OSError as error:
        _drop_output()
        code = _fail(f"{error.strerror or error}" + (f": {error.filename}" if error.filename else ""), 1)
    gc.freeze()  # saves the collection of all modules at exit, a tenth of a short run
    sys.exit(code if isinstance(code, int) else 0)


def _drop_output() -> None:
    """Discard buffered output if it can't be written."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, code: int) -> int:
    """Print an error message and return the exit code."""
    sys.stdout.flush()
    lines = [f"parlour: {message}"]
    if sys.stderr.isatty():  # a terminal breaks long lines in the middle of a word
        from parlour.terminal.screen import width, wrap

        lines = wrap(lines[0], width())
    click.echo("\n".join(lines), err=True)
    return code
