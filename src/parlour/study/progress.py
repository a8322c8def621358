"""A player's progress: daily puzzles, grade, mistakes and exams, as saved on the player's device.

It is one small JSON file. The browser saves and exports the same format. ``progress_file`` reads and writes the file.

A streak is a run of daily puzzles on successive days, each solved on its own day. All dates are those of the player's
calendar.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any, NamedTuple

from parlour.errors import ParlourError
from parlour.fields import names_of
from parlour.study.archive import GRADES, daily_number, day_of

FORMAT = 1
IN_A_ROW = 2  # clean or failed puzzles before the grade changes
DAYS = (1, 3, 7, 16, 35)  # interval of each box, in days
MAX_ENTRIES = 20_000  # entries of each kind


class Result(NamedTuple):
    """The first result of a puzzle."""

    tries: int  # number of tries; 0: given up
    hints: int
    date: str = ""  # the day of the result, as "2027-02-16"; only daily puzzles need it

    @property
    def solved(self) -> bool:
        return self.tries > 0

    @property
    def clean(self) -> bool:
        """Whether it was solved at the first try without a hint."""
        return self.tries == 1 and not self.hints

    @property
    def failed(self) -> bool:
        return self.tries != 1


class Mistake(NamedTuple):
    """A turning point of the player's games, to practise until it is known."""

    question: Mapping[str, Any]  # the exercise, as JSON
    box: int  # number of right answers in a row, 0 to 5
    due: str  # the day of the next practice; empty: it is known
    date: str = ""  # the day of the mistake or of the last practice


class SavedExam(NamedTuple):
    """An exam in progress or passed."""

    answers: tuple[str, ...]  # the names of all answers, right and wrong, in order
    passed: str  # the day it was passed; empty: not yet


@dataclass(frozen=True)
class Progress:
    """All saved progress."""

    daily: Mapping[int, Result] = field(default_factory=dict)  # keys: numbers of daily puzzles
    puzzles: Mapping[str, Result] = field(default_factory=dict)  # keys: IDs
    grade: int = GRADES[0]  # grade of the next puzzle
    run: int = 0  # number of clean puzzles in a row; negative: failed ones
    mistakes: Mapping[str, Mistake] = field(default_factory=dict)  # keys: IDs of positions
    exams: Mapping[str, SavedExam] = field(default_factory=dict)  # keys: game, options and side
    looked: int = 0  # the last game on this device that was searched for mistakes


# Changes. Each function returns a new progress.


def with_daily(progress: Progress, number: int, result: Result) -> Progress:
    """Add the result of a daily puzzle, unless there is one."""
    return replace(progress, daily={number: result, **progress.daily})


def with_puzzle(progress: Progress, id: str, result: Result) -> Progress:
    """Add the first result of a puzzle. Two clean puzzles in a row raise the grade, two failed ones lower it."""
    if id in progress.puzzles:
        return progress
    step = 1 if result.clean else -1 if result.failed else 0
    run = (progress.run if progress.run * step > 0 else 0) + step
    grade = progress.grade
    if abs(run) >= IN_A_ROW:
        grade, run = min(max(grade + step, GRADES[0]), GRADES[-1]), 0
    return replace(progress, puzzles={**progress.puzzles, id: result}, grade=grade, run=run)


def with_mistake(progress: Progress, id: str, question: Mapping[str, Any], today: date) -> Progress:
    """Add a mistake, due today, unless it is being practised already."""
    known = progress.mistakes.get(id)
    if known is not None and known.due:
        return progress
    day = today.isoformat()
    return replace(progress, mistakes={**progress.mistakes, id: Mistake(question, 0, day, day)})


def with_practice(progress: Progress, id: str, *, right: bool, today: date) -> Progress:
    """Move a mistake to its next box, or back to the first. After the last interval in DAYS it is known."""
    known = progress.mistakes[id]
    if not right:
        box, due = 0, (today + timedelta(days=DAYS[0])).isoformat()
    elif known.box >= len(DAYS):
        box, due = known.box, ""
    else:
        box, due = known.box + 1, (today + timedelta(days=DAYS[known.box])).isoformat()
    mistake = Mistake(known.question, box, due, today.isoformat())
    return replace(progress, mistakes={**progress.mistakes, id: mistake})


def due_mistakes(progress: Progress, today: date) -> list[str]:
    """Return the mistakes to practise today, the longest due first.

    A mistake with an impossibly late date was practised while the clock was wrong, and is due as well.
    """
    now, latest = today.isoformat(), (today + timedelta(days=DAYS[-1])).isoformat()
    due = [id for id, each in progress.mistakes.items() if each.due and not now < each.due <= latest]
    return sorted(due, key=lambda id: progress.mistakes[id].due)


def without_mistake(progress: Progress, id: str) -> Progress:
    """Remove a mistake that can no longer be practised."""
    return replace(progress, mistakes={key: each for key, each in progress.mistakes.items() if key != id})


def with_looked(progress: Progress, number: int) -> Progress:
    """Record that a game was searched for mistakes."""
    return replace(progress, looked=max(progress.looked, number))


def with_exam(progress: Progress, exam: str, saved: SavedExam) -> Progress:
    """Save the state of an exam."""
    return replace(progress, exams={**progress.exams, exam: saved})


def merged(one: Progress, other: Progress) -> Progress:
    """Return the combined progress of this device and another, without losing any solution.

    For a puzzle on both devices, a solution on its own day wins, then any solution, then the earlier result. The higher
    grade wins, the mistake that was practised last, and the exam that was passed or has more answers. progress.js in
    the page does the same.
    """

    def better(number: int | str, a: Result, b: Result) -> Result:
        return min(a, b, key=lambda each: (not _on_its_day(number, each), not each.solved, each.date, *each[:2]))

    def newer(_: str, a: Mistake, b: Mistake) -> Mistake:
        def rank(each: Mistake) -> tuple[str, int, str, str]:
            question = json.dumps(each.question, sort_keys=True, separators=(",", ":"))
            return each.date, each.box, each.due, question

        return max(a, b, key=rank)

    def further(_: str, a: SavedExam, b: SavedExam) -> SavedExam:
        return max(a, b, key=lambda each: (bool(each.passed), len(each.answers), each))

    return Progress(
        _united(one.daily, other.daily, better),
        _united(one.puzzles, other.puzzles, better),
        max(one.grade, other.grade),
        0,
        _united(one.mistakes, other.mistakes, newer),
        _united(one.exams, other.exams, further),
        one.looked,  # games are numbered per device
    )


def _on_its_day(number: int | str, result: Result) -> bool:
    """Return whether a result is of a daily puzzle on its own day."""
    return isinstance(number, int) and result.solved and result.date == day_of(number).isoformat()


def _united(one: Mapping[Any, Any], other: Mapping[Any, Any], choose: Callable[[Any, Any, Any], Any]) -> dict[Any, Any]:
    """Return the entries of both; ``choose`` selects between two with the same key."""
    both = {key: choose(key, one[key], other[key]) for key in one.keys() & other.keys()}
    return {**one, **other, **both}


# Statistics.


class DailyStatistics(NamedTuple):
    """Statistics of daily puzzles."""

    played: int
    solved: int
    first_try: int  # number solved at the first try
    streak: int
    longest: int  # the longest streak


def statistics(progress: Progress, today: date) -> DailyStatistics:
    """Return the statistics of daily puzzles on a day."""
    runs = _runs(progress)
    # A streak that ends after today counts, because the clock may have been set back.
    current = [length for last, length in runs if last >= daily_number(today) - 1]
    return DailyStatistics(
        len(progress.daily),
        sum(result.solved for result in progress.daily.values()),
        sum(result.tries == 1 for result in progress.daily.values()),
        max(current, default=0),
        max((length for _, length in runs), default=0),
    )


def _runs(progress: Progress) -> list[tuple[int, int]]:
    """Return the streaks, each as the number of its last daily puzzle and its length."""
    in_time = sorted(number for number, result in progress.daily.items() if _on_its_day(number, result))
    runs: list[tuple[int, int]] = []
    for number in in_time:
        if runs and runs[-1][0] == number - 1:
            runs[-1] = number, runs[-1][1] + 1
        else:
            runs.append((number, 1))
    return runs


def clock_went_back(progress: Progress, today: date) -> str | None:
    """Return the date of the latest result if it is in the future; None otherwise."""
    newest = max((result.date for result in (*progress.daily.values(), *progress.puzzles.values())), default="")
    return newest if newest > today.isoformat() else None


# As text.


def write_progress(progress: Progress) -> str:
    """Return progress as JSON."""
    whole = {
        "format": FORMAT,
        "daily": {str(number): _named(result) for number, result in sorted(progress.daily.items())},
        "puzzles": {id: _named(result) for id, result in progress.puzzles.items()},
        "grade": progress.grade,
        "run": progress.run,
        "mistakes": {id: _named(each) for id, each in progress.mistakes.items()},
        "exams": {exam: _named(each) for exam, each in progress.exams.items()},
        "looked": progress.looked,
    }
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def _named(entry: Result | Mistake | SavedExam) -> dict[str, object]:
    return dict(zip(names_of(type(entry)), entry, strict=True))


def read_progress(text: str) -> Progress:
    """Return the progress in a text; missing parts are empty.

    Raises:
        ParlourError: the text holds no progress.
    """
    try:
        whole = json.loads(text)
        if whole["format"] != FORMAT:
            raise ParlourError(f"it has format {whole['format']!r}, and this Parlour reads {FORMAT}")
        parts = [_table(whole, name) for name in ("daily", "puzzles", "mistakes", "exams")]
        daily, puzzles, mistakes, exams = parts
        return Progress(
            {_number(number, 1): _dated(_result(given)) for number, given in daily.items()},
            {id: _result(given) for id, given in puzzles.items()},
            min(max(_number(whole.get("grade", GRADES[0])), GRADES[0]), GRADES[-1]),
            _number(whole.get("run", 0), -IN_A_ROW),
            {id: _mistake(given) for id, given in mistakes.items()},
            {exam: _exam(given) for exam, given in exams.items()},
            _number(whole.get("looked", 0)),
        )
    except (KeyError, TypeError, AttributeError, RecursionError, ValueError) as error:
        reason = f"{type(error).__name__} {error}" if isinstance(error, KeyError | TypeError) else str(error)
        raise ParlourError(f"this is not Parlour's progress: {reason[:100]}") from None


def _table(whole: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = whole.get(name, {})
    if not isinstance(found, dict) or len(found) > MAX_ENTRIES:
        raise ValueError(f"{name!r} must be an object of at most {MAX_ENTRIES:,} entries")
    return found


def _number(given: object, least: int = 0) -> int:
    number = int(given) if isinstance(given, str | int) else -1
    if not least <= number <= 1_000_000:
        raise ValueError(f"{given!r} is not a valid number")
    return number


def _day(given: str) -> str:
    return date.fromisoformat(given).isoformat()


def _result(given: Mapping[str, Any]) -> Result:
    return Result(_number(given["tries"]), _number(given["hints"]), _day(given["date"]) if given.get("date") else "")


def _dated(result: Result) -> Result:
    if not result.date:
        raise ValueError("a daily puzzle without a date")
    return result


def _mistake(given: Mapping[str, Any]) -> Mistake:
    if not isinstance(given["question"], dict):
        raise ValueError("a mistake without a question")
    box = min(_number(given["box"]), len(DAYS))
    return Mistake(given["question"], box, *(_day(given[name]) if given.get(name) else "" for name in ("due", "date")))


def _exam(given: Mapping[str, Any]) -> SavedExam:
    return SavedExam(tuple(map(str, given["answers"])), _day(given["passed"]) if given["passed"] else "")
