"""Sessions of exercises: the daily puzzle, puzzles of the archive, and your own mistakes."""

from __future__ import annotations

import sys
from datetime import date
from random import Random

from parlour.errors import BadOptions, ParlourError
from parlour.installation import own_command
from parlour.limit import Limit
from parlour.match import Match
from parlour.players import people_of
from parlour.study import progress_file
from parlour.study.archive import daily_number, share_line
from parlour.study.archive_file import archive
from parlour.study.progress import (
    Progress,
    Result,
    clock_went_back,
    due_mistakes,
    statistics,
    with_daily,
    with_looked,
    with_mistake,
    with_practice,
    with_puzzle,
    without_mistake,
)
from parlour.study.puzzle import Puzzle
from parlour.terminal import narration
from parlour.terminal.exercise import ExerciseBoard, ExerciseSession
from parlour.terminal.keyboard import Keyboard, Quit
from parlour.terminal.screen import ProgressLine
from parlour.text import counted

POSITION_SECONDS = 5.0  # time limit for each position of your own game


def load_progress() -> Progress:
    """Return the saved progress; warn on standard error if something is wrong with it."""
    progress, warning = progress_file.load()
    if warning:
        print(f"parlour: {warning}", file=sys.stderr)
    if (later := clock_went_back(progress, date.today())) is not None:
        print(
            f"parlour: your clock says {date.today()}, but you have solved something on {later}; nothing is lost",
            file=sys.stderr,
        )
    return progress


# Puzzles.


def solve_daily(day: date, keyboard: Keyboard | None = None) -> int:
    """Ask the puzzle of a day, and offer others after it; return the exit code of the command."""
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
    if isinstance(result, int):
        return result
    with progress_file.changing() as progress:
        progress[0] = after = with_daily(progress[0], number, result)
    if earlier is None:
        if result.solved:
            board.copyable(_share(after, number, puzzle, result))
        board.say(standing(after))
    if not board.wants_more("More puzzles? (Enter: yes, q: leave)"):
        return 0
    return solve_puzzles(None, None, keyboard=board.keyboard)


def _share(progress: Progress, number: int, puzzle: Puzzle, result: Result) -> str:
    streak = statistics(progress, date.today()).streak if number == daily_number(date.today()) else 0
    return share_line(number, puzzle.rules.game.title, result.tries, result.hints, streak)


def standing(progress: Progress) -> str:
    """Return the number of daily puzzles solved, and the streaks."""
    found = statistics(progress, date.today())
    return f"{counted(found.solved, 'daily puzzle')} solved. Streak {found.streak}, best {found.longest}."


def solve_puzzles(
    game: str | None, grade: int | None, first: Puzzle | None = None, keyboard: Keyboard | None = None
) -> int:
    """Ask puzzles until the person leaves; return the exit code of the command."""
    board = ExerciseBoard(keyboard)
    puzzle = first or choose_puzzle(load_progress(), game, grade)
    while True:
        result = _ask(board, puzzle, f"puzzle --id {puzzle.id}")
        if isinstance(result, int):
            return result
        with progress_file.changing() as progress:
            before = progress[0].grade
            progress[0] = after = with_puzzle(progress[0], puzzle.id, result)
        if after.grade != before:
            board.say(f"Your grade {'rises' if after.grade > before else 'falls'} to {after.grade}.", bold=True)
        if not board.wants_more("Another one? (Enter: yes, q: leave)"):
            return 0
        puzzle = choose_puzzle(after, game, grade)


def choose_puzzle(progress: Progress, game: str | None, grade: int | None) -> Puzzle:
    """Return a random puzzle of the wanted grade or, without one, the nearest to your own; a new one if possible.

    Raises:
        BadOptions: the game has no puzzle of this grade.
    """
    puzzles, wanted = archive(), grade or progress.grade
    grades = [wanted] if grade else sorted(range(1, 6), key=lambda each: (abs(each - wanted), each))
    for each in grades:
        entries = puzzles.select(game, each)
        unseen = [entry for entry in entries if entry.id not in progress.puzzles]
        if entries:
            return puzzles.find(Random().choice(unseen or entries).id)
    has = sorted({entry.grade for entry in puzzles.select(game)})
    raise BadOptions(f"there is no puzzle of grade {wanted} for {game}; its grades: {', '.join(map(str, has))}")


def _ask(board: ExerciseBoard, puzzle: Puzzle, command: str) -> Result | int:
    """Ask a puzzle; return its result, or the exit code if the person leaves. ``command`` asks it again."""
    title = narration.title(puzzle.rules)
    board.say(f"{title}. Grade {puzzle.grade} of 5; puzzle {puzzle.number}, {puzzle.id}.", bold=True)
    board.say(puzzle.rules.summary)
    try:
        result = ExerciseSession(board, puzzle).solve()
    except Quit as quit:
        board.copyable(f"Come back to it with: {own_command()} {command}")
        return quit.exit_code
    board.say(str(result), bold=True)
    return Result(result.tries, result.hints, date.today().isoformat())


# Your own mistakes.


def practise(match: Match, number: int, keyboard: Keyboard) -> None:
    """Search a match that has just ended for mistakes, and ask all mistakes that are due."""
    load_progress()
    find_mistakes(match, number)
    practise_due(keyboard, searched=True)


def find_mistakes(match: Match, number: int) -> None:
    """Save the mistakes of the people in a match, to be practised. Ctrl-C stops the search.

    ``number`` is the number of the saved game, 0 if it isn't one.
    """
    from parlour.study.grades import mistakes_of  # loads the solver
    from parlour.writer import plain

    found, stopped = [], False
    with ProgressLine() as progress_line:
        try:
            for each in mistakes_of(match, people_of(match.setup), POSITION_SECONDS, Limit(on_progress=progress_line)):
                found.append(each)
        except KeyboardInterrupt:
            stopped = True
    with progress_file.changing() as progress:
        for each in found:
            progress[0] = with_mistake(progress[0], each.id, plain(each.question), date.today())
        if not stopped:
            progress[0] = with_looked(progress[0], number)
    if stopped:
        print("Stopped.")
    else:
        what = f"{counted(len(found), 'turning point')} of yours" if found else "No mistakes of yours were found"
        print(f"{what} in this game of {match.game.title}.")


def practise_due(keyboard: Keyboard | None = None, *, searched: bool = False) -> int:
    """Ask the mistakes that are due today; return the exit code of the command.

    ``searched``: a game has just been searched for mistakes.
    """
    from parlour.study.puzzle import read_exercise

    board, today = ExerciseBoard(keyboard), date.today()
    saved = progress_file.load().progress
    due = due_mistakes(saved, today)
    if not due:
        board.say(_nothing_due(saved, searched=searched))
        return 0
    for place, id in enumerate(due, 1):
        try:
            exercise = read_exercise(progress_file.load().progress.mistakes[id].question)
        except ParlourError as error:
            board.say(f"A mistake can't be asked any more and was removed: {error}.", "yellow")
            with progress_file.changing() as progress:
                progress[0] = without_mistake(progress[0], id)
            continue
        board.say(f"Mistake {place} of {len(due)}: {narration.title(exercise.rules)}.", bold=True)
        try:
            result = ExerciseSession(board, exercise).solve()
        except Quit as quit:
            return quit.exit_code
        right = result.tries == 1 and not result.hints
        with progress_file.changing() as progress:
            progress[0] = with_practice(progress[0], id, right=right, today=today)
            due_next = progress[0].mistakes[id].due
        board.say(f"{result} {f'It comes back on {due_next}.' if due_next else 'You know it now.'}", bold=True)
        board.say("")
    board.say("That was all for today.")
    return 0


def _nothing_due(progress: Progress, *, searched: bool) -> str:
    days = [each.due for each in progress.mistakes.values() if each.due]
    if days:
        return f"Nothing is due today; the next mistake comes back on {min(days)}."
    if searched or progress.looked:
        return "Nothing to practise: you have no mistakes to repeat."
    return "Nothing to practise: play a game against the computer first."
