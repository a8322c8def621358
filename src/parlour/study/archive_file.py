"""The archive of puzzles that comes with Parlour: one compressed file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from functools import cache
from importlib import resources

from parlour.arguments import as_index
from parlour.catalog import find_game
from parlour.datafile import read_datafile, write_datafile
from parlour.errors import BadArgument
from parlour.game import Game
from parlour.study.archive import GOALS, GRADES, Archive, archive_of, newest_day, read_day, source_of
from parlour.study.puzzle import Puzzle, write_stages
from parlour.text import clip
from parlour.writer import fields_of

FORMAT = 1
FILE = "puzzles.gz"


def write_archive(head: dict[str, object], sources: Sequence[str], puzzles: Iterable[Puzzle]) -> bytes:
    """Return an archive as a file."""
    places = {source: place for place, source in enumerate(sources)}
    lines = list(sources)
    for puzzle in puzzles:
        source = places[source_of(puzzle.rules)]
        goal = next(letter for letter, value in GOALS.items() if value is puzzle.goal)
        features = " ".join(map(str, fields_of(puzzle.features).values()))
        moves = ".".join(map(str, puzzle.moves))
        fields = (puzzle.number, puzzle.id, source, puzzle.grade, goal, puzzle.kind, features, moves)
        lines.append("\t".join([*map(str, fields), write_stages(puzzle.stages)]))
    body = "".join(f"{line}\n" for line in lines)
    return write_datafile({**head, "sources": len(sources)}, body, FORMAT)


def read_archive(data: bytes) -> Archive:
    """Return the archive in a file; BadArchive if it is damaged."""
    return read_datafile(data, "the archive of puzzles", FORMAT, archive_of)


@cache
def archive() -> Archive:
    """Return the archive that comes with Parlour."""
    return read_archive(resources.files("parlour.study").joinpath(FILE).read_bytes())


def find_puzzle(which: int | str) -> Puzzle:
    """Return a puzzle of the archive by its number or ID.

    Raises:
        NoSuchPuzzle: there is none.

    >>> import parlour
    >>> puzzle = parlour.find_puzzle(1)
    >>> puzzle.id == parlour.find_puzzle(puzzle.id).id
    True
    """
    return archive().find(str(which))


def daily_puzzle(day: date | str | None = None) -> Puzzle:
    """Return the puzzle of a day, a date or its ISO text, or of today.

    Raises:
        BadArgument: this is not a day.
        NoSuchPuzzle: there was none on that day, or it is still to come.

    >>> import parlour
    >>> from datetime import date
    >>> parlour.daily_puzzle(date(2026, 11, 1)).number == parlour.daily_puzzle(date(2026, 11, 1)).number
    True
    """
    if isinstance(day, datetime):
        day = day.date()
    if not isinstance(day, date | str | None):
        raise BadArgument(f"a date is needed, not {clip(repr(day))}; like date(2026, 11, 1) or '2026-11-01'")
    return archive().daily(newest_day() if day is None else read_day(str(day)))


def list_puzzles(game: str | Game | None = None, grade: int | None = None) -> list[Puzzle]:
    """Return the puzzles of the archive in the order of their numbers, of one game or grade if given.

    Raises:
        UnknownGame: there is no such game.
        BadArgument: the grade is not a whole number from 1 to 5.

    >>> import parlour
    >>> {puzzle.grade for puzzle in parlour.list_puzzles("double-up", grade=2)}
    {2}
    """
    found = archive()
    if grade is not None and as_index(grade) not in GRADES:
        raise BadArgument(f"bad grade {clip(repr(grade))}; give a whole number from {GRADES[0]} to {GRADES[-1]}")
    key = None if game is None else find_game(game).key
    return [found.find(entry.id) for entry in found.select(key, as_index(grade))]
