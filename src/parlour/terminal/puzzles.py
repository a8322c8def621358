"""Sessions of exercises: the daily puzzle, puzzles of the archive, and your own mistakes."""

from __future__ import annotations

import sys
from contextlib import suppress
from datetime import date
from random import Random

from parlour.errors import BadOptions, ParlourError
from parlour.installation import own_command
from parlour.limit import Limit
from parlour.match import Match
from parlour.players import people_of
from parlour.study import progress as progress_data
from parlour.study import progress_file
from parlour.study.archive import daily_number, share_line
from parlour.study.archive_file import archive
from parlour.study.progress import Progress, Result
from parlour.study.puzzle import Puzzle
from parlour.terminal import narration
from parlour.terminal.exercise import ExerciseBoard, ExerciseSession, describe, wants_more
from parlour.terminal.keyboard import Keyboard, Quit
from parlour.terminal.screen import ProgressLine
from parlour.text import counted

POSITION_SECONDS = 5.0  # time limit for each position of your own game


def load_progress() -> Progress:
    """Return the saved progress; warn on standard error if something is wrong with it."""
    progress, warning = progress_file.load()
    warnings = [warning] if warning else []
    if (later := progress_data.clock_went_back(progress, date.today())) is not None:
        warnings.append(f"your clock says {date.today()}, but you have solved something on {later}; nothing is lost")
    for each in warnings:
        print(f"parlour: {each}", file=sys.stderr)
    return progress


# Puzzles.


def solve_daily(day: date, keyboard: Keyboard | None = None) -> None:
    """Ask the puzzle of a day, and offer others after it; Quit if the person leaves."""
    puzzle, number, before = archive().daily(day), daily_number(day), load_progress()
    board = ExerciseBoard(keyboard)
    board.say(f"Parlour daily {number}, {day:%A} {day.day} {day:%B %Y}", bold=True)
    earlier = before.daily.get(number)
    if earlier is not None:
        if earlier.solved:
            board.copyable(_share(before, number, puzzle, earlier))
        else:
            board.say("You gave this one up.")
        board.say(f"That was on {earlier.date}; this time is for fun.")
    result = _ask(board, puzzle, f"daily {number}")
    with progress_file.changing() as change:
        change.progress = after = progress_data.with_daily(change.progress, number, result)
    if earlier is None:
        if result.solved:
            board.copyable(_share(after, number, puzzle, result))
        board.say(describe_streak(after))
    if wants_more(board, "More puzzles? (Enter: yes, q: leave)"):
        solve_puzzles(None, None, keyboard=board.keyboard)


def _share(progress: Progress, number: int, puzzle: Puzzle, result: Result) -> str:
    streak = progress_data.statistics(progress, date.today()).streak if number == daily_number(date.today()) else 0
    return share_line(number, puzzle.rules.game.title, result.tries, result.hints, streak)


def describe_streak(progress: Progress) -> str:
    """Return the number of daily puzzles solved, and the streaks."""
    found = progress_data.statistics(progress, date.today())
    return f"{counted(found.solved, 'daily puzzle')} solved. Streak {found.streak}, best {found.longest}."


def solve_puzzles(
    game: str | None, grade: int | None, first: Puzzle | None = None, keyboard: Keyboard | None = None
) -> None:
    """Ask puzzles until the person leaves, which raises Quit or ends the function."""
    board = ExerciseBoard(keyboard)
    puzzle = first or choose_puzzle(load_progress(), game, grade)
    while True:
        result = _ask(board, puzzle, f"puzzle --id {puzzle.id}")
        with progress_file.changing() as change:
            before = change.progress.grade
            change.progress = after = progress_data.with_puzzle(change.progress, puzzle.id, result)
        if after.grade != before:
            board.say(f"Your grade {'rises' if after.grade > before else 'falls'} to {after.grade}.", bold=True)
        if not wants_more(board, "Another one? (Enter: yes, q: leave)"):
            return
        puzzle = choose_puzzle(after, game, grade)


def choose_puzzle(progress: Progress, game: str | None, grade: int | None) -> Puzzle:
    """Return a random puzzle of the given grade, by default one nearest to your own; a new one if possible.

    Raises:
        BadOptions: the game has no puzzle of this grade.
    """
    puzzles = archive()
    grades = sorted({entry.grade for entry in puzzles.select(game)})
    wanted = grade or min(grades, key=lambda each: (abs(each - progress.grade), each), default=progress.grade)
    entries = puzzles.select(game, wanted)
    if not entries:
        has = ", ".join(map(str, grades))
        raise BadOptions(f"there is no puzzle of grade {wanted} for {game}; its grades: {has}")
    unseen = [entry for entry in entries if entry.id not in progress.puzzles]
    return puzzles.find(Random().choice(unseen or entries).id)


def _ask(board: ExerciseBoard, puzzle: Puzzle, command: str) -> Result:
    """Ask a puzzle, and return its result; ``command`` asks it again. Quit if the person leaves."""
    title = narration.title(puzzle.rules)
    board.say(f"{title}. Grade {puzzle.grade} of 5; puzzle {puzzle.number}, {puzzle.id}.", bold=True)
    board.say(puzzle.rules.summary)
    try:
        result = ExerciseSession(board, puzzle).solve()
    except (Quit, KeyboardInterrupt) as left:
        if isinstance(left, KeyboardInterrupt):
            board.interrupt()
        board.copyable(f"Come back to it with: {own_command()} {command}")
        raise
    board.say(describe(result), bold=True)
    return result


# Your own mistakes.


def practise(match: Match, number: int, keyboard: Keyboard) -> None:
    """Search a match that has just ended for mistakes, and ask all that are due."""
    load_progress()
    find_mistakes(match, number)
    with suppress(Quit):
        practise_due(keyboard)


def find_mistakes(match: Match, number: int) -> None:
    """Save the mistakes of the people in a match, to be practised. Ctrl-C stops the search.

    ``number`` is the number of the saved game, 0 if it isn't one.
    """
    from parlour.study.grades import mistakes_of  # loads the solver
    from parlour.writer import plain

    found = []
    with ProgressLine() as progress_line:
        try:
            for each in mistakes_of(match, people_of(match.setup), POSITION_SECONDS, Limit(on_progress=progress_line)):
                found.append(each)
            what = f"{counted(len(found), 'turning point')} of yours" if found else "No mistakes of yours were found"
            ended = f"{what} in this game of {match.game.title}."
        except KeyboardInterrupt:
            number, ended = 0, "Stopped."  # the game is searched again the next time
    with progress_file.changing() as change:
        for each in found:
            change.progress = progress_data.with_mistake(change.progress, each.id, plain(each.question), date.today())
        change.progress = progress_data.with_looked(change.progress, number)
    print(ended)


def practise_due(keyboard: Keyboard | None = None) -> None:
    """Ask the mistakes that are due today; Quit if the person leaves."""
    from parlour.study.puzzle import read_exercise

    board, today = ExerciseBoard(keyboard), date.today()
    saved = progress_file.load().progress
    mistakes, due = saved.mistakes, progress_data.due_mistakes(saved, today)
    if not due:
        days = [each.due for each in mistakes.values() if each.due]
        board.say(
            f"Nothing is due today; the next mistake comes back on {min(days)}."
            if days
            else "You have no mistakes to practise; they come from your own games."
        )
        return
    for place, id in enumerate(due, 1):
        try:
            exercise = read_exercise(mistakes[id].question)
        except ParlourError as error:
            board.say(f"A mistake can't be asked any more and was removed: {error}.", "yellow")
            with progress_file.changing() as change:
                change.progress = progress_data.without_mistake(change.progress, id)
            continue
        board.say(f"Mistake {place} of {len(due)}: {narration.title(exercise.rules)}.", bold=True)
        result = ExerciseSession(board, exercise).solve()
        with progress_file.changing() as change:
            change.progress = progress_data.with_practice(change.progress, id, right=result.clean, today=today)
            next_day = change.progress.mistakes[id].due
        next_time = f"It comes back on {next_day}." if next_day else "You know it now."
        board.say(f"{describe(result)} {next_time}", bold=True)
        board.say("")
    board.say("That was all for today.")
