"""The archive of puzzles, and the puzzle of the day.

The archive is one compressed file that comes with Parlour: a line that says what it is and how to make it again, a line
for each game under its options, and a line for each puzzle. A puzzle is found by its number or its id, and read when it
is wanted. Numbers and ids stay for ever: a new edition adds puzzles at the end.

The puzzle of a day follows from the date alone. Each day of the week has its grade, and the puzzles of a grade follow
each other in the order of their numbers, in which the games take turns; after the last comes the first again.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import cache, cached_property
from importlib import resources

from parlour.arguments import as_index
from parlour.catalog import find_game
from parlour.errors import BadArchive, BadArgument, NoSuchPuzzle
from parlour.game import Game, Move
from parlour.options import read_words
from parlour.rules import Rules, read_rules
from parlour.score import Value
from parlour.study.puzzle import Features, Puzzle, read_stages, write_stages
from parlour.text import clip, counted
from parlour.writer import about, document, fields_of, hidden

FORMAT = 1
FILE = "puzzles.gz"
GRADES = range(1, 6)
FIRST_DAY = date(2026, 1, 1)  # of daily puzzle 1
GRADE_OF_WEEKDAY = (1, 2, 2, 3, 3, 4, 5)  # from Monday to Sunday
GOALS = {"w": Value.WIN, "d": Value.DRAW}


@document
class Entry:
    """A summary of a puzzle; `find` reads the rest."""

    id: str = about("the ID of the puzzle")
    number: int = about("the number in the archive")
    game: str = about("the name of the game")
    grade: int = about("the grade, from 1 (easiest) to 5")
    source: int = hidden()  # the place of its game and options
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
        """``sources`` are games with their options, as text."""
        self.head = head  # how it was made
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
        """The puzzle with a number or an id; NoSuchPuzzle if there is none."""
        text = word.strip().lower().removeprefix("#")
        if text.isascii() and text.isdigit() and len(text) < 7:
            if 1 <= int(text) <= len(self):
                return self._read(self.entries[int(text) - 1])
            raise NoSuchPuzzle(f"there is no puzzle {int(text)}; they are numbered from 1 to {len(self)}")
        if text in self._by_id:
            return self._read(self._by_id[text])
        raise NoSuchPuzzle(f"there is no puzzle {clip(word)!r}; a number from 1 to {len(self)}, or an id of 8 letters")

    def select(self, game: str | None = None, grade: int | None = None) -> list[Entry]:
        """The puzzles of a game, of a grade, or of both."""
        return [
            entry
            for entry in (self.entries if grade is None else self._by_grade.get(grade, ()))
            if game is None or entry.game == game
        ]

    def daily(self, day: date) -> Puzzle:
        """The puzzle of a day; NoSuchPuzzle before the first."""
        if day < FIRST_DAY:
            raise NoSuchPuzzle(f"there was no daily puzzle on {day}; the first was on {FIRST_DAY}")
        entries = self._by_grade[GRADE_OF_WEEKDAY[day.weekday()]]
        return self._read(entries[_earlier_days_of_its_grade(day) % len(entries)])

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
    """A game under its options, as a line of the archive has them: ``double-up limit=20``."""
    game, _, options = text.partition(" ")
    return read_rules(find_game(game), read_words(options))


def _earlier_days_of_its_grade(day: date) -> int:
    """How many daily puzzles of the same grade came before that of a day."""
    grade = GRADE_OF_WEEKDAY[day.weekday()]
    weeks, rest = divmod((day - FIRST_DAY).days, 7)
    later = [GRADE_OF_WEEKDAY[(FIRST_DAY.weekday() + n) % 7] for n in range(rest)]
    return weeks * GRADE_OF_WEEKDAY.count(grade) + later.count(grade)


def daily_number(day: date) -> int:
    """The number of the daily puzzle of a day, counted from 1."""
    return (day - FIRST_DAY).days + 1


def day_of(number: int) -> date:
    """The day of a daily puzzle."""
    return FIRST_DAY + timedelta(days=number - 1)


def daily_list(held: Archive, newest: date, days: Iterable[date]) -> DailyList:
    """Return the daily puzzles of some days in short."""
    listed = []
    for day in days:
        puzzle = held.daily(day)
        entry = DailyEntry(daily=daily_number(day), date=day.isoformat(), game=puzzle.game.key, grade=puzzle.grade)
        listed.append(entry)
    return DailyList(newest=daily_number(newest), days=listed)


def newest_day(now: datetime | None = None) -> date:
    """The latest date that has begun anywhere on Earth: where clocks are 14 hours ahead of UTC."""
    return ((now or datetime.now(UTC)).astimezone(UTC) + timedelta(hours=14)).date()


def read_day(text: str, now: datetime | None = None) -> date:
    """The day that is named, by its date or by the number of its puzzle; NoSuchPuzzle if it has no puzzle yet."""
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


def write_archive(head: dict[str, object], sources: Sequence[str], puzzles: Iterable[Puzzle]) -> bytes:
    """The archive as a file."""
    places = {source: place for place, source in enumerate(sources)}
    lines = list(sources)
    for puzzle in puzzles:
        source = places[source_of(puzzle.rules)]
        goal = next(letter for letter, value in GOALS.items() if value is puzzle.goal)
        features = " ".join(map(str, fields_of(puzzle.features).values()))
        moves = ".".join(map(str, puzzle.moves))
        fields = (puzzle.number, puzzle.id, source, puzzle.grade, goal, puzzle.kind, features, moves)
        lines.append("\t".join([*map(str, fields), write_stages(puzzle.stages)]))
    body = "".join(f"{line}\n" for line in lines).encode()
    head = {**head, "format": FORMAT, "sources": len(sources), "sha256": hashlib.sha256(body).hexdigest()}
    compressor = zlib.compressobj(9, wbits=31)  # as gzip, without a time, so that the same puzzles make the same file
    return compressor.compress(json.dumps(head).encode() + b"\n" + body) + compressor.flush()


def source_of(rules: Rules) -> str:
    """A game under its options, as a line of the archive has them."""
    return " ".join([rules.game.key, *(f"{name}={text}" for name, text in rules.option_texts.items())])


def read_archive(data: bytes) -> Archive:
    """The archive that a file holds; BadArchive if it is damaged."""
    try:
        first, _, body = zlib.decompress(data, 31).partition(b"\n")
        head = json.loads(first)
        if head["format"] != FORMAT:
            raise BadArchive(f"the archive of puzzles has format {head['format']}, and this Parlour reads {FORMAT}")
        if hashlib.sha256(body).hexdigest() != head["sha256"]:
            raise BadArchive("the archive of puzzles is damaged; install Parlour again")
        lines = body.decode().splitlines()
        sources = lines[: head["sources"]]
        games = [source.partition(" ")[0] for source in sources]
        entries = []
        for line in lines[head["sources"] :]:
            number, id, source, grade, rest = line.split("\t", 4)
            game = games[int(source)]
            entries.append(Entry(id=id, number=int(number), game=game, grade=int(grade), source=int(source), rest=rest))
    except (zlib.error, ValueError, KeyError, IndexError, TypeError) as error:
        if isinstance(error, BadArchive):
            raise
        raise BadArchive("the archive of puzzles is damaged; install Parlour again") from None
    return Archive(head, sources, entries)


@cache
def archive() -> Archive:
    """The puzzles that come with Parlour."""
    return read_archive(resources.files("parlour.study").joinpath(FILE).read_bytes())


def share_line(number: int, title: str, tries: int, hints: int, streak: int) -> str:
    """A result to share: in words, and without a spoiler."""
    helped = "no hint" if not hints else counted(hints, "hint")
    day = f" Day {streak} in a row." if streak > 1 else ""
    attempt = "at the first try" if tries == 1 else f"in {tries} tries"
    return f"Parlour daily {number}, {title}: solved {attempt}, {helped}.{day}"


# For programs.


def find_puzzle(which: int | str) -> Puzzle:
    """Return a puzzle of the archive by its number or id.

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
