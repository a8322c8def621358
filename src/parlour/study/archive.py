"""The puzzle archive and the daily puzzle.

The archive is a text with a line for each game and its options, and a line for each puzzle; ``archive_file`` has the
archive of the package. A puzzle is parsed when it is requested. Numbers and IDs are permanent: a new edition adds
puzzles at the end.

The daily puzzle depends only on the date. Each weekday has a grade. The puzzles of a grade appear in the order of their
numbers, which alternate between the games, and start again after the last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from functools import cached_property
from time import time
from typing import Any

from parlour.catalog import find_game
from parlour.errors import BadArchive, NoSuchPuzzle
from parlour.fields import about, document, hidden
from parlour.game import Move
from parlour.options import read_words
from parlour.rules import Rules, read_rules
from parlour.score import Value
from parlour.study.puzzle import Features, Puzzle, read_stages
from parlour.text import clip, counted

GRADES = range(1, 6)
FIRST_DAY = date(2026, 1, 1)  # date of daily puzzle 1
GRADE_OF_WEEKDAY = (1, 2, 2, 3, 3, 4, 5)  # from Monday to Sunday
GOALS = {"w": Value.WIN, "d": Value.DRAW}


@document
class Entry:
    """A summary of a puzzle; `find` reads the rest."""

    id: str = about("the ID of the puzzle")
    number: int = about("the number in the archive")
    game: str = about("the name of the game")
    grade: int = about("the grade, from 1 (easiest) to 5")
    source: int = hidden()  # index of the game and its options
    rest: str = hidden()  # the rest of the puzzle, as in the file


@document
class PuzzleList:
    """Puzzles of the archive."""

    count: int = about("the number of matching puzzles")
    puzzles: Sequence[Entry] = about("the requested part of them, by number")


@document
class DailyEntry:
    """A daily puzzle in a list, without the puzzle itself."""

    daily: int = about("the number of the daily puzzle")
    date: str = about("the date")
    game: str = about("the name of the game")
    grade: int = about("the grade, from 1 (easiest) to 5")


@document
class DailyList:
    """Daily puzzles, the newest first."""

    newest: int = about("the number of the newest daily puzzle")
    days: Sequence[DailyEntry] = about("the requested part of the daily puzzles")


class Archive:
    """Puzzles in the order of their numbers."""

    def __init__(self, head: dict[str, object], sources: Sequence[str], entries: Sequence[Entry]) -> None:
        """``sources`` are games with their options as text."""
        self.head = head  # the command that made it, and other facts
        self.sources = sources
        self.entries = entries
        self._rules: dict[int, Rules] = {}

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Puzzle]:
        return map(self._read, self.entries)

    @cached_property
    def _by_id(self) -> dict[str, Entry]:
        return {entry.id: entry for entry in self.entries}

    @cached_property
    def _by_grade(self) -> dict[int, list[Entry]]:
        return {grade: [entry for entry in self.entries if entry.grade == grade] for grade in GRADES}

    def find(self, word: str) -> Puzzle:
        """Return the puzzle with a number or an ID; NoSuchPuzzle if there is none."""
        text = word.strip().lower().removeprefix("#")
        if text.isascii() and text.isdigit() and len(text) < 7:
            if 1 <= int(text) <= len(self):
                return self._read(self.entries[int(text) - 1])
            raise NoSuchPuzzle(f"there is no puzzle {int(text)}; they are numbered from 1 to {len(self)}")
        if text in self._by_id:
            return self._read(self._by_id[text])
        raise NoSuchPuzzle(
            f"there is no puzzle {clip(word)!r}; give a number from 1 to {len(self)} or an ID of 8 letters"
        )

    def select(self, game: str | None = None, grade: int | None = None) -> list[Entry]:
        """Return the puzzles of a game, of a grade, or of both."""
        return [
            entry
            for entry in (self.entries if grade is None else self._by_grade.get(grade, ()))
            if game is None or entry.game == game
        ]

    def daily(self, day: date) -> Puzzle:
        """Return the daily puzzle of a date; NoSuchPuzzle before the first."""
        if day < FIRST_DAY:
            raise NoSuchPuzzle(f"there was no daily puzzle on {day}; the first was on {FIRST_DAY}")
        entries = self._by_grade[GRADE_OF_WEEKDAY[day.weekday()]]
        return self._read(entries[_count_earlier_days(day) % len(entries)])

    def _read(self, entry: Entry) -> Puzzle:
        try:
            goal, kind, features, moves, stages = entry.rest.split("\t")
            choices, decisions, depth, trap, latest = features.split()
            return Puzzle(
                id=entry.id,
                number=entry.number,
                rules=self._rules_of(entry.source),
                moves=tuple(Move(int(digits)) for digits in moves.split(".")) if moves else (),
                goal=GOALS[goal],
                stages=read_stages(stages),
                grade=entry.grade,
                kind=kind,
                features=Features(
                    choices=int(choices),
                    decisions=int(decisions),
                    depth=int(depth),
                    trap=float(trap),
                    latest=int(latest),
                ),
            )
        except (ValueError, KeyError) as error:
            raise BadArchive(
                f"puzzle {entry.number} cannot be read: {clip(str(error))}; install Parlour again"
            ) from None

    def _rules_of(self, source: int) -> Rules:
        if source not in self._rules:
            self._rules[source] = rules_of_source(self.sources[source])
        return self._rules[source]


def rules_of_source(text: str) -> Rules:
    """Return the rules of a source such as ``double-up limit=20``."""
    game, _, options = text.partition(" ")
    return read_rules(find_game(game), read_words(options))


def _count_earlier_days(day: date) -> int:
    """Return the number of days before a day with the same grade."""
    grade = GRADE_OF_WEEKDAY[day.weekday()]
    weeks, rest = divmod((day - FIRST_DAY).days, 7)
    later = [GRADE_OF_WEEKDAY[(FIRST_DAY.weekday() + n) % 7] for n in range(rest)]
    return weeks * GRADE_OF_WEEKDAY.count(grade) + later.count(grade)


def daily_number(day: date) -> int:
    """Return the number of the daily puzzle of a date, counted from 1."""
    return (day - FIRST_DAY).days + 1


def day_of(number: int) -> date:
    """Return the date of a daily puzzle by its number."""
    return FIRST_DAY + timedelta(days=number - 1)


def daily_list(archive: Archive, newest: date, days: Iterable[date]) -> DailyList:
    """Return a list of the daily puzzles of some dates."""
    listed = [(day, archive.daily(day)) for day in days]
    entries = [
        DailyEntry(daily=daily_number(day), date=day.isoformat(), game=puzzle.rules.game.key, grade=puzzle.grade)
        for day, puzzle in listed
    ]
    return DailyList(newest=daily_number(newest), days=entries)


def newest_day(now: float | None = None) -> date:
    """Return the current date 14 hours ahead of UTC, the latest on Earth; ``now`` is in seconds since 1970."""
    return date(1970, 1, 1) + timedelta(hours=14, seconds=time() if now is None else now)


def read_day(text: str, now: float | None = None) -> date:
    """Return the day of a date or of the number of a daily puzzle; NoSuchPuzzle if the day has none."""
    newest = newest_day(now)
    word = text.strip().removeprefix("#")
    try:
        day = day_of(int(word)) if word.isascii() and word.isdigit() and len(word) < 7 else date.fromisoformat(word)
    except (ValueError, OverflowError):
        raise NoSuchPuzzle(f"{clip(text)!r} is not a date like {newest}, nor the number of a daily puzzle") from None
    if day > newest:
        raise NoSuchPuzzle(f"the puzzle for {day} is not out yet; the newest is for {newest}")
    if day < FIRST_DAY:
        raise NoSuchPuzzle(f"there was no daily puzzle on {day}; the first was on {FIRST_DAY}")
    return day


def source_of(rules: Rules) -> str:
    """Return the source of a game and its options."""
    return " ".join([rules.game.key, *(f"{name}={text}" for name, text in rules.option_texts.items())])


def archive_of(head: dict[str, Any], lines: Sequence[str]) -> Archive:
    """Return the archive in the lines of a file."""
    sources = lines[: head["sources"]]
    games = [source.partition(" ")[0] for source in sources]
    entries = []
    for line in lines[head["sources"] :]:
        number, id, source, grade, rest = line.split("\t", 4)
        game = games[int(source)]
        entries.append(Entry(id=id, number=int(number), game=game, grade=int(grade), source=int(source), rest=rest))
    return Archive(head, sources, entries)


def describe_solution(tries: int, hints: int) -> str:
    """Return how a puzzle was solved, without a full stop."""
    how = "at the first try" if tries == 1 else f"in {tries} tries"
    return f"solved {how}, {counted(hints, 'hint') if hints else 'no hint'}"


def share_line(number: int, title: str, tries: int, hints: int, streak: int) -> str:
    """Return the result of a daily puzzle as a line to share, without spoilers."""
    day = f" Day {streak} in a row." if streak > 1 else ""
    return f"Parlour daily {number}, {title}: {describe_solution(tries, hints)}.{day}"
