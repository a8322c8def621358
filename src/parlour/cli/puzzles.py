"""The command ``puzzles``: the puzzle archive."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

import click

from parlour import catalog
from parlour.installation import own_command
from parlour.study.archive_file import archive
from parlour.terminal.screen import Screen
from parlour.text import counted


@click.group("puzzles", context_settings={"help_option_names": ["-h", "--help"]})
def puzzles_command() -> None:
    """List or export the puzzle archive."""


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


@contextmanager
def _written(output: str | None) -> Iterator[IO[str]]:
    if output is None or output == "-":
        yield sys.stdout
    else:
        with open(output, "w", encoding="utf-8", newline="\n") as file:
            yield file
