"""The command ``parlour``: one file for each command, loaded when it is called."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any

import click

from parlour.errors import ParlourError
from parlour.folders import config_file
from parlour.text import clip, did_you_mean, nearest
from parlour.version import __version__

# Command: the module that holds it, under the command's own name. In the order of the help page.
COMMANDS = {
    "play": "play",
    "learn": "lessons",
    "daily": "daily",
    "puzzle": "daily",
    "practise": "daily",
    "master": "master",
    "invite": "remote",
    "join": "remote",
    "list": "info",
    "rules": "info",
    "games": "saved",
    "resume": "saved",
    "replay": "replay",
    "export": "saved",
    "import": "saved",
    "solve": "analyse",
    "tabulate": "analyse",
    "report": "analyse",
    "explain": "info",
    "certify": "proofs",
    "verify": "proofs",
    "sweep": "lab",
    "atlas": "lab",
    "tournament": "tournament",
    "leaderboard": "leaderboard",
    "puzzles": "puzzles",
    "serve": "server",
    "backup": "server",
    "check": "server",
    "salvage": "server",
    "engine": "agents",
    "mcp": "agents",
    "config": "preferences",
    "completion": "preferences",
    "manual": "manual",
}


class Commands(click.Group):
    """The commands above, each imported only when it is needed."""

    def list_commands(self, context: click.Context) -> list[str]:
        return [*COMMANDS]  # the module that holds the command `list` hides the one of that name

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"parlour.cli.{COMMANDS[name]}"), f"{name}_command")
        return command

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        word = args[0]
        if word not in COMMANDS and not word.startswith("-") and not context.resilient_parsing:
            if word == "help":
                from parlour.cli.options import one_of_the_games

                every, one = f"{context.command_path} --help", f"{context.command_path} COMMAND --help"
                raise click.UsageError(f"'{every}' lists the commands, '{one}' explains one; {one_of_the_games()}")
            near = did_you_mean(nearest(word, COMMANDS))
            raise click.UsageError(f"there is no command {clip(word)!r}{near}", context)
        return super().resolve_command(context, args)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        from parlour.cli.options import list_in_full

        list_in_full(self, context, formatter)


class _Preferences(dict[str, Any]):
    """What ``parlour play`` takes where the command line says nothing, by game; only a person has preferences."""

    def get(self, key: str, default: Any = None) -> Any:
        from parlour.terminal.screen import at_terminal

        if not (at_terminal() and os.path.exists(config_file())):
            return {}
        from parlour.cli.preferences import load  # not needed by most

        found = load()
        found.complain()
        return found.defaults_for(key)


EXAMPLES = """\b
Examples:
  parlour play double-up             two players at this keyboard
  parlour play spot --p2 random      against the computer
  parlour rules pyramid              how a game goes
  parlour resume                     go on with the last game
"""


@click.group(
    cls=Commands, invoke_without_command=True, epilog=EXAMPLES, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, "--version", prog_name="parlour")
@click.pass_context
def parlour(context: click.Context) -> None:
    """Five two-player number games.

    Without a command: at a terminal a menu, elsewhere this page.
    """
    if context.invoked_subcommand == "play":
        context.default_map = {"play": _Preferences()}
    if context.invoked_subcommand is None:
        from parlour.terminal.screen import at_terminal

        if at_terminal():
            from parlour.cli.menu import menu

            context.exit(menu())
        click.echo(context.get_help())


def main() -> None:
    """Run the command; whatever goes wrong is one line on standard error."""
    if sys.stdout is None or sys.stderr is None:  # closed by whoever called us
        nowhere = open(os.devnull, "w")  # noqa: SIM115  (open as long as we run)
        sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere
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
    except (click.Abort, KeyboardInterrupt):
        click.echo("", err=True)
        code = 130
    except BrokenPipeError:  # whoever read our output has gone
        _drop_output()
        code = 1
    except OSError as error:
        _drop_output()
        code = _fail(f"{error.strerror or error}" + (f": {error.filename}" if error.filename else ""), 1)
    sys.exit(code if isinstance(code, int) else 0)


def _drop_output() -> None:
    """Nothing more can be written, not even what waits to be."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, code: int) -> int:
    sys.stdout.flush()
    lines = [f"parlour: {message}"]
    if sys.stderr.isatty():  # which would break it in the middle of a word
        from parlour.terminal.screen import width, wrap

        lines = wrap(lines[0], width())
    click.echo("\n".join(lines), err=True)
    return code
