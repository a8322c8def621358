"""``parlour atlas``: which options of a game make the best contest, and maps of all that were measured."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from parlour.cli.per_game import HELP, GameCommands
from parlour.errors import MissingExtra
from parlour.files import write_whole
from parlour.game import Game
from parlour.installation import own_command
from parlour.options import flag, read_options, unusual_options
from parlour.terminal.screen import Screen
from parlour.text import counted

if TYPE_CHECKING:
    from parlour.lab.atlas import Map

BEST = 10  # contests that are named


def _command(game: Game) -> click.Command:
    def run(sweep: str | None, output: str | None, best: int) -> None:
        from parlour.lab.atlas import read_map, shipped_map

        found = shipped_map(game) if sweep is None else read_map(sweep, game)
        if output is not None:
            _draw(found, output)
            return
        from parlour.cli.sweep import table_of

        screen = Screen()
        rows = found.best_rows(best)
        if rows:
            head, *lines = table_of(found.rows)  # all rows at once: it shows the options in which they differ
            by_options = dict(zip((row.words for row in found.rows), lines, strict=True))
            screen.say(["The best contests, by their measure:", "", head, *(by_options[row.words] for row in rows), ""])
            texts = unusual_options(read_options(game.options, rows[0].options))
            words = " ".join(f"--{flag(name)} {text}" for name, text in texts.items())
            screen.say([f"Play the best: {own_command()} play {game.key} {words}".rstrip()])
        said = f"{game.title}: {counted(len(found.rows), 'square')}"
        if found.left_out:
            said += f", {found.left_out} of them incomplete, for want of time or memory"
        screen.say([said])

    return click.Command(
        game.key,
        callback=run,
        help=f"Show which options of {game.title} make the best contest; or draw maps of all that were measured.",
        short_help=f"The best contests of {game.title}, and maps of it.",
        params=[
            click.Option(["--sweep"], metavar="FILE", help="of this sweep  [default: of the atlas that is shipped]"),
            click.Option(["-o", "--output"], metavar="FOLDER", help="draw the maps here as SVG files, instead"),
            click.Option(
                ["--best"], metavar="N", type=click.IntRange(1, 1000), default=BEST, show_default=True,
                help="how many contests to name",
            ),
        ],
        context_settings=HELP,
    )  # fmt: skip


atlas_command = GameCommands("atlas", _command, help="Show which options of a game make the best contest; draw maps.")


def _draw(found: Map, folder: str) -> None:
    from parlour.lab.atlas import SHADES

    try:
        from parlour.lab.drawing import draw_map

        pictures = {f"{found.game.key}-{shade}.svg": draw_map(found, shade) for shade in SHADES}
    except ModuleNotFoundError:
        raise MissingExtra("pictures need matplotlib", "plots") from None
    os.makedirs(folder, exist_ok=True)
    for name, picture in pictures.items():
        write_whole(os.path.join(folder, name), picture)
        click.echo(os.path.join(folder, name))
