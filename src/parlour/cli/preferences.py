"""The commands ``config`` and ``completion``."""

from __future__ import annotations

import os

import click

from parlour import catalog, players
from parlour.errors import ParlourError
from parlour.files import config_file
from parlour.installation import own_command
from parlour.options import declared, flag, unflag
from parlour.terminal.preferences import FIRST, KEYS, Preferences, check_key, load, reason_of, set_value, text_of


def _complete_key(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    own = [f"{key}.{flag(name)}" for key in catalog.keys() for name in declared(catalog.find_game(key).options)]
    return [key for key in [*KEYS, *own] if key.startswith(incomplete)]


def _complete_value(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    values: dict[str, list[str]] = {
        "opponent": [players.HUMAN, *(kind.word for kind in players.offered())],
        "first": list(FIRST),
        "plain": ["true", "false"],
    }
    return [value for value in values.get(context.params.get("key", ""), []) if value.startswith(incomplete)]


ABOUT = {key: each["about"] for key, each in KEYS.items()} | {"GAME.OPTION": "an option of a game"}
CONFIG_HELP = "\n".join([
    "Show your preferences, or set KEY to VALUE.\n",
    "\b",
    "Defaults at a terminal; the command line overrides them:",
    *(f"  {key:<13} {about}" for key, about in ABOUT.items()),
])  # fmt: skip


@click.command("config", help=CONFIG_HELP)
@click.argument("key", required=False, shell_complete=_complete_key)
@click.argument("value", required=False, shell_complete=_complete_value)
@click.option("--unset", is_flag=True, help="remove the value of KEY")
def config_command(key: str | None, value: str | None, unset: bool) -> None:
    """Show or change the preferences."""
    if key is None:
        _show()
        return
    if value is None and not unset:
        section, _, name = key.rpartition(".")
        if section:
            key = f"{catalog.find_key(section)}.{flag(unflag(name))}"
        else:
            check_key(key)
        click.echo(_settings(load()).get(key, "not set"))
        return
    if value is not None and unset:
        raise click.UsageError("use either a value or --unset")
    try:
        set_value(key, value)
    except ParlourError:
        raise
    except ValueError as error:
        raise click.ClickException(f"{config_file()}: {reason_of(error)}; fix the file in an editor first") from None


def _show() -> None:
    preferences = load()
    settings = _settings(preferences)
    missing = "" if os.path.exists(config_file()) else " (no such file yet)"
    click.echo(f"{config_file()}{missing}")
    for key, value in settings.items():
        click.echo(f"  {key} = {value}")
    if not settings:
        click.echo(f"  Nothing is set. For example: {own_command()} config name Ann")
    preferences.complain()


def _settings(preferences: Preferences) -> dict[str, str]:
    """Return all settings as text, by key."""
    own = {key: getattr(preferences, key) for key in KEYS}
    shown = {key: text_of(value) for key, value in own.items() if value is not None}
    for game, texts in preferences.options.items():
        shown |= {f"{game}.{flag(name)}": text for name, text in texts.items()}
    return shown


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion_command(context: click.Context, shell: str) -> None:
    """Print the completion script of a shell.

    \b
    bash: eval "$(parlour completion bash)"        in ~/.bashrc
    zsh:  eval "$(parlour completion zsh)"         in ~/.zshrc
    fish: parlour completion fish | source         in ~/.config/fish/config.fish
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None  # click knows the three shells
    click.echo(kind(context.find_root().command, {}, "parlour", "_PARLOUR_COMPLETE").source())
