"""What somebody has solved, kept on their own device: the daily puzzles, the grade, the mistakes, the exams.

It is one small JSON file, and goes from one device to another as it is: the browser keeps and exports the same.
``progress_file`` has it on the disk.

A streak is the number of daily puzzles that were solved one after the other, each on its own day. All dates are those
of the player's own calendar.
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
IN_A_ROW = 2  # puzzles after which the grade changes
DAYS = (1, 3, 7, 16, 35)  # from one box to the next
MOST = 20_000  # entries of each kind


class Result(NamedTuple):
    """How one puzzle went. The first time counts."""

    tries: int  # 1: at the first; 0: given up
    hints: int
    date: str = ""  # on which it was over: "2027-02-16"; of a puzzle that is no daily it need not be known

    @property
    def solved(self) -> bool:
        return self.tries > 0

    @property
    def clean(self) -> bool:
        """At the first try, without a hint."""
        return self.tries == 1 and not self.hints

    @property
    def failed(self) -> bool:
        return self.tries != 1


class Mistake(NamedTuple):
    """A turning point of your own games, to be practised until it is known."""

    question: Mapping[str, Any]  # as `parlour.study.practice` writes it
    box: int  # how often it was right in a row: 0 to 5
    due: str  # the day on which it comes back; empty: it is known by now
    date: str = ""  # on which it was made, or practised last


class Sitting(NamedTuple):
    """An exam, begun or passed: the names of all answers, right and wrong, in their order, lead back to where it is."""

    answers: tuple[str, ...]
    passed: str  # the date; empty: not yet


@dataclass(frozen=True)
class Progress:
    """Everything that is kept."""

    daily: Mapping[int, Result] = field(default_factory=dict)  # by the number of the daily puzzle
    puzzles: Mapping[str, Result] = field(default_factory=dict)  # by id
    grade: int = GRADES[0]  # of the next puzzle
    run: int = 0  # clean ones in a row; below 0: failed ones
    mistakes: Mapping[str, Mistake] = field(default_factory=dict)  # by the id of the position
    exams: Mapping[str, Sitting] = field(default_factory=dict)  # by game, options and side
    looked: int = 0  # the last game of this device that was looked through for mistakes


# Changes. Each gives a new progress.


def with_daily(progress: Progress, number: int, result: Result) -> Progress:
    """A daily puzzle is over; the first time counts."""
    return replace(progress, daily={number: result, **progress.daily})


def with_puzzle(progress: Progress, id: str, result: Result) -> Progress:
    """A puzzle is over: two clean ones in a row raise the grade, two failed ones lower it. The first time counts."""
    if id in progress.puzzles:
        return progress
    step = 1 if result.clean else -1 if result.failed else 0
    run = (progress.run if progress.run * step > 0 else 0) + step
    grade = progress.grade
    if abs(run) >= IN_A_ROW:
        grade, run = min(max(grade + step, GRADES[0]), GRADES[-1]), 0
    return replace(progress, puzzles={**progress.puzzles, id: result}, grade=grade, run=run)


def with_mistake(progress: Progress, id: str, question: Mapping[str, Any], today: date) -> Progress:
    """A mistake was made: it is asked from today on. One that is being practised stays where it is."""
    known = progress.mistakes.get(id)
    if known is not None and known.due:
        return progress
    day = today.isoformat()
    return replace(progress, mistakes={**progress.mistakes, id: Mistake(question, 0, day, day)})


def with_practice(progress: Progress, id: str, *, right: bool, today: date) -> Progress:
    """A mistake was practised. If right, it comes back after 1, 3, 7, 16 and 35 days, and no more; else after one."""
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
    """The mistakes to practise today: the longest due first, and those of one day in the order they were made in.

    One that would come back later than any can was practised while the clock was wrong: it is due as well.
    """
    now, latest = today.isoformat(), (today + timedelta(days=DAYS[-1])).isoformat()
    due = [id for id, each in progress.mistakes.items() if each.due and not now < each.due <= latest]
    return sorted(due, key=lambda id: progress.mistakes[id].due)


def without_mistake(progress: Progress, id: str) -> Progress:
    """A mistake that cannot be asked any more is forgotten."""
    return replace(progress, mistakes={key: each for key, each in progress.mistakes.items() if key != id})


def with_looked(progress: Progress, number: int) -> Progress:
    """A game of this device was looked through."""
    return replace(progress, looked=max(progress.looked, number))


def with_sitting(progress: Progress, exam: str, sitting: Sitting) -> Progress:
    """An exam has come so far."""
    return replace(progress, exams={**progress.exams, exam: sitting})


def merged(one: Progress, other: Progress) -> Progress:
    """This device and another together: nothing that was solved on either is lost.

    Of a puzzle met on both, what was solved on its own day counts, then what was solved at all, then what came first.
    Of two grades it is the higher one. Of a mistake, what was practised last counts; of an exam, the one that was
    passed, then the one with more answers. The page does the same (progress.js).
    """

    def better(number: int | str, a: Result, b: Result) -> Result:
        return min(a, b, key=lambda each: (not _on_its_day(number, each), not each.solved, *_order(each)))

    def later(_: str, a: Mistake, b: Mistake) -> Mistake:
        return max(a, b, key=lambda each: (each.date, each.box, each.due, _plain(each.question)))

    def further(_: str, a: Sitting, b: Sitting) -> Sitting:
        return max(a, b, key=lambda each: (bool(each.passed), len(each.answers), each))

    return Progress(
        _united(one.daily, other.daily, better),
        _united(one.puzzles, other.puzzles, better),
        max(one.grade, other.grade),
        0,
        _united(one.mistakes, other.mistakes, later),
        _united(one.exams, other.exams, further),
        one.looked,  # the games are those of this device
    )


def _on_its_day(number: int | str, result: Result) -> bool:
    """Whether this is a daily puzzle, and was solved on its own day."""
    return isinstance(number, int) and result.solved and result.date == day_of(number).isoformat()


def _order(result: Result) -> tuple[str, int, int]:
    return result.date, result.tries, result.hints


def _plain(question: Mapping[str, Any]) -> str:
    return json.dumps(question, sort_keys=True, separators=(",", ":"))


def _united(one: Mapping[Any, Any], other: Mapping[Any, Any], choose: Callable[[Any, Any, Any], Any]) -> dict[Any, Any]:
    both = {key: choose(key, one[key], other[key]) for key in one.keys() & other.keys()}
    return {**one, **other, **both}


# What it comes to.


class DailyStatistics(NamedTuple):
    """The daily puzzles in numbers."""

    played: int
    solved: int
    first_try: int  # of them
    streak: int
    longest: int  # streak ever


def statistics(progress: Progress, today: date) -> DailyStatistics:
    """The daily puzzles in numbers, as of a day."""
    runs = _runs(progress)
    # A clock that was set back takes no streak away: one that ends after today goes on as well.
    going = [length for last, length in runs if last >= daily_number(today) - 1]
    return DailyStatistics(
        len(progress.daily),
        sum(result.solved for result in progress.daily.values()),
        sum(result.tries == 1 for result in progress.daily.values()),
        max(going, default=0),
        max((length for _, length in runs), default=0),
    )


def _runs(progress: Progress) -> list[tuple[int, int]]:
    """Daily puzzles solved on their days one after the other: the last number and how many."""
    in_time = sorted(number for number, result in progress.daily.items() if _on_its_day(number, result))
    runs: list[tuple[int, int]] = []
    for number in in_time:
        if runs and runs[-1][0] == number - 1:
            runs[-1] = number, runs[-1][1] + 1
        else:
            runs.append((number, 1))
    return runs


def clock_went_back(progress: Progress, today: date) -> str | None:
    """The day on which something was solved that is still to come by the clock; None if there is none."""
    newest = max((result.date for result in (*progress.daily.values(), *progress.puzzles.values())), default="")
    return newest if newest > today.isoformat() else None


# As text.


def write_progress(progress: Progress) -> str:
    """Progress as JSON."""
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


def _named(entry: Result | Mistake | Sitting) -> dict[str, object]:
    return dict(zip(names_of(type(entry)), entry, strict=True))


def read_progress(text: str) -> Progress:
    """The progress that a text holds; ParlourError if it holds none. What is missing has not been begun."""
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
            {exam: _sitting(given) for exam, given in exams.items()},
            _number(whole.get("looked", 0)),
        )
    except (KeyError, TypeError, AttributeError, RecursionError, ValueError) as error:
        reason = f"{type(error).__name__} {error}" if isinstance(error, KeyError | TypeError) else str(error)
        raise ParlourError(f"this is not Parlour's progress: {reason[:100]}") from None


def _table(whole: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = whole.get(name, {})
    if not isinstance(found, dict) or len(found) > MOST:
        raise ValueError(f"{name!r} must be an object of at most {MOST:,} entries")
    return found


def _number(given: object, least: int = 0) -> int:
    number = int(given) if isinstance(given, str | int) else -1
    if not least <= number <= 1_000_000:
        raise ValueError(f"{given!r} is not a number that could stand there")
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


def _sitting(given: Mapping[str, Any]) -> Sitting:
    return Sitting(tuple(map(str, given["answers"])), _day(given["passed"]) if given["passed"] else "")
