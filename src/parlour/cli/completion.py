"""``parlour completion``: the script that teaches a shell to complete our commands."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion_command(context: click.Context, shell: str) -> None:
    """Print the completion script for a SHELL.

    \b
    bash: eval "$(parlour completion bash)"        in ~/.bashrc
    zsh:  eval "$(parlour completion zsh)"         in ~/.zshrc
    fish: parlour completion fish | source         in ~/.config/fish/config.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None  # the three shells above are click's own
    click.echo(kind(context.find_root().command, {}, "parlour", "_PARLOUR_COMPLETE").source())
