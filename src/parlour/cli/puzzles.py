"""The commands ``daily``, ``puzzle`` and ``practise``, and ``puzzles`` for the archive."""

from __future__ import annotations

import sys
from datetime import date
from typing import IO

import click

from parlour import catalog, saves
from parlour.cli.matches import read_match
from parlour.cli.options import complete_game, complete_saved
from parlour.errors import ParlourError
from parlour.files import write_whole
from parlour.installation import own_command
from parlour.study import progress_file
from parlour.study.archive import read_day
from parlour.study.archive_file import archive
from parlour.study.progress import due_mistakes, merged, statistics, write_progress
from parlour.study.puzzle import Puzzle
from parlour.terminal.puzzles import (
    choose_puzzle,
    describe_streak,
    find_mistakes,
    load_progress,
    practise_due,
    solve_daily,
    solve_puzzles,
)
from parlour.terminal.screen import Screen
from parlour.text import counted

GRADE = click.IntRange(1, 5)


@click.command("daily")
@click.argument("day", metavar="[DATE|NUMBER]", required=False)
@click.option("--statistics", "as_statistics", is_flag=True, help="show how many puzzles you solved, and your streak")
@click.option("--export", "to_file", metavar="FILE", help="export your progress to a file (- for standard output)")
@click.option("--import", "from_file", metavar="FILE", help="merge progress exported by another device or the browser")
@click.option("--json", "as_json", is_flag=True, help="the puzzle with its answer, for programs")
def daily_command(
    day: str | None, as_statistics: bool, to_file: str | None, from_file: str | None, as_json: bool
) -> None:
    """Solve today's puzzle, or the one of another day.

    Name the day by its DATE, like 2026-11-17, or by the NUMBER of its puzzle.
    """
    if sum([as_statistics, to_file is not None, from_file is not None, as_json]) > 1:
        raise click.UsageError("use only one of --statistics, --export, --import and --json")
    wanted = date.today() if day is None else read_day(day)
    if to_file is not None:
        _export_progress(to_file)
    elif from_file is not None:
        _import_progress(from_file)
    elif as_statistics:
        _print_statistics()
    elif as_json:
        _print_json(archive().daily(wanted), wanted)
    else:
        solve_daily(wanted)


def _print_statistics() -> None:
    progress = load_progress()
    found = statistics(progress, date.today())
    Screen().say(
        [
            f"Daily puzzles played: {found.played}",
            f"Solved: {found.solved}, {found.first_try} of them at the first try",
            f"Days in a row: {found.streak}",
            f"Longest streak: {found.longest}",
            f"Other puzzles solved: {sum(result.solved for result in progress.puzzles.values())}",
            f"Your grade: {progress.grade} of 5",
            f"Mistakes to practise today: {len(due_mistakes(progress, date.today()))}",
        ]
    )


def _export_progress(path: str) -> None:
    text = write_progress(load_progress())
    if path == "-":
        sys.stdout.write(text)
        return
    write_whole(path, text.encode())
    click.echo(f"Your progress is in {path}. Read it elsewhere with: {own_command()} daily --import {path}")


def _import_progress(path: str) -> None:
    other = progress_file.read_file(path)
    load_progress()  # warns if the saved progress is damaged
    with progress_file.changing() as change:
        before = change.progress
        change.progress = merged(before, other)
        added = len(change.progress.daily) - len(before.daily)
    click.echo(f"{counted(added, 'daily puzzle')} added. {describe_streak(change.progress)}")


def _print_json(puzzle: Puzzle, day: date | None) -> None:
    from parlour.documents.puzzles import show_puzzle
    from parlour.writer import write_json

    click.echo(write_json(show_puzzle(puzzle, day)))


@click.command("puzzle")
@click.argument("game", required=False, shell_complete=complete_game)
@click.option("--grade", type=GRADE, help="from 1 (the easiest) to 5  [default: your own]")
@click.option("--id", "word", metavar="ID", help="this puzzle, by its ID or its number in the archive")
@click.option("--json", "as_json", is_flag=True, help="the puzzle with its answer, for programs")
def puzzle_command(game: str | None, grade: int | None, word: str | None, as_json: bool) -> None:
    """Solve puzzles of GAME, or of all games, at your grade.

    Your grade rises after two puzzles in a row solved at the first try without hints. It falls after two in a row with
    a wrong move or given up.
    """
    key = None if game is None else catalog.find_key(game)
    if word is not None and (game is not None or grade is not None):
        raise click.UsageError("--id names one puzzle; leave out the game and the grade")
    puzzle = archive().find(word) if word is not None else choose_puzzle(load_progress(), key, grade)
    if as_json:
        _print_json(puzzle, None)
    else:
        solve_puzzles(key, grade, puzzle)


@click.command("practise")
@click.argument("source", metavar="[FILE|ID]", required=False, shell_complete=complete_saved)
def practise_command(source: str | None) -> None:
    """Practise the mistakes you made in your own games.

    Searches your last finished game, a saved game ID or a record FILE for mistakes, then asks you those due today. A
    mistake comes back after 1, 3, 7, 16 and 35 days as long as you solve it at the first try; otherwise the intervals
    start over.
    """
    searched = load_progress().looked
    if source is not None:
        find_mistakes(read_match(source), 0)
    else:
        _search_last_game(searched)
    practise_due()


def _search_last_game(searched: int) -> None:
    """Search the last finished game for mistakes, if its number is above ``searched``."""
    for number in reversed(saves.numbers()):
        if number <= searched:
            return
        try:
            match = saves.load(number)
        except (ParlourError, OSError):
            continue
        if match.outcome is not None and not saves.is_hidden(number, match):
            find_mistakes(match, number)
            return


@click.group("puzzles", context_settings={"help_option_names": ["-h", "--help"]})
def puzzles_command() -> None:
    """List or export the puzzle archive."""


@puzzles_command.command("list")
@click.argument("game", required=False)
@click.option("--grade", type=GRADE, help="only puzzles of this grade")
def list_command(game: str | None, grade: int | None) -> None:
    """Count the puzzles by game and grade."""
    puzzles, screen = archive(), Screen()
    grades = range(1, 6) if grade is None else [grade]
    for key in catalog.keys() if game is None else [catalog.find_key(game)]:
        by_grade = [f"{len(puzzles.select(key, each)):>5} of grade {each}" for each in grades]
        screen.say([f"{catalog.find_game(key).title:<24}{','.join(by_grade)}"])
    screen.say(["", f"{counted(len(puzzles), 'puzzle')} in all. Solve one with: {own_command()} puzzle"])


@puzzles_command.command("export")
@click.option(
    "-o", "--output", metavar="FILE", type=click.File("w", "utf-8"), default="-",
    help="write to this file instead of standard output",
)  # fmt: skip
@click.option("--game", help="only puzzles of this game")
@click.option("--grade", type=GRADE, help="only puzzles of this grade")
def export_command(output: IO[str], game: str | None, grade: int | None) -> None:
    """Export the puzzles as JSON, one object per line."""
    from parlour.writer import write_json

    puzzles = archive()
    entries = puzzles.select(None if game is None else catalog.find_key(game), grade)
    for entry in entries:
        output.write(write_json(puzzles.find(entry.id)) + "\n")
