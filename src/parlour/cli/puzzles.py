"""``parlour puzzles``: the archive of puzzles, to look through, to take away, and to make again."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

import click

from parlour import catalog
from parlour.cli.files import write_whole
from parlour.cli.working import CLUSTER_HELP, chosen_workers
from parlour.errors import MissingExtra
from parlour.installation import own_command
from parlour.study.archive_file import archive, read_archive
from parlour.terminal.screen import Screen
from parlour.text import counted
from parlour.workers import cores


@click.group("puzzles", context_settings={"help_option_names": ["-h", "--help"]})
def puzzles_command() -> None:
    """The archive of puzzles: list it, export it, make it again."""


@puzzles_command.command("list")
@click.argument("game", required=False)
@click.option("--grade", type=click.IntRange(1, 5), help="only puzzles of this grade")
def list_command(game: str | None, grade: int | None) -> None:
    """How many puzzles there are, by game and grade."""
    held, screen = archive(), Screen()
    keys = catalog.keys() if game is None else [catalog.find_key(game)]
    grades = range(1, 6) if grade is None else [grade]
    for key in keys:
        by_grade = [f"{len(held.select(key, each)):>5} of grade {each}" for each in grades]
        screen.say([f"{catalog.find_game(key).title:<24}{','.join(by_grade)}"])
    screen.say(["", f"{counted(len(held), 'puzzle')} in all. Solve one with: {own_command()} puzzle"])


@puzzles_command.command("export")
@click.option("-o", "--output", metavar="FILE", help="write to this file instead of standard output")
@click.option("--game", help="only puzzles of this game")
@click.option("--grade", type=click.IntRange(1, 5), help="only puzzles of this grade")
def export_command(output: str | None, game: str | None, grade: int | None) -> None:
    """Write the puzzles for programs, one JSON object a line."""
    from parlour.writer import write_json

    held = archive()
    key = None if game is None else catalog.find_key(game)
    entries = held.select(key, grade)
    with _written(output) as file:
        for entry in entries:
            file.write(write_json(held.find(entry.id)) + "\n")


@puzzles_command.command("make")
@click.option("-o", "--output", metavar="FILE", required=True, help="the file to write")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="the same seed gives the same file")
@click.option("--keep", metavar="FILE", help="an archive whose puzzles keep their numbers; new ones come after them")
@click.option("--processes", type=click.IntRange(1, 64), default=cores(), show_default="one for each core")
@click.option("--cluster", metavar="ADDRESS", help=CLUSTER_HELP)
def make_command(output: str, seed: int, keep: str | None, processes: int, cluster: str | None) -> None:
    """Make the archive anew from all games; it takes some minutes."""
    try:
        from parlour.study.making import make_archive
    except ImportError:
        raise MissingExtra("making puzzles needs NumPy", "batch") from None
    kept = None
    if keep is not None:
        with open(keep, "rb") as file:
            kept = read_archive(file.read())
    with chosen_workers(cluster, processes) as workers:
        data = make_archive(seed, workers, kept, lambda line: click.echo(line, err=True))
    write_whole(output, data)
    click.echo(f"{counted(len(read_archive(data)), 'puzzle')}, {len(data):,} bytes: {output}")


@contextmanager
def _written(output: str | None) -> Iterator[IO[str]]:
    if output is None or output == "-":
        yield sys.stdout
    else:
        with open(output, "w", encoding="utf-8", newline="\n") as file:
            yield file
