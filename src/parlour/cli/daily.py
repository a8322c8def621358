"""``parlour daily``, ``parlour puzzle`` and ``parlour practise``: one position, and the move to be found in it."""

from __future__ import annotations

import sys
from datetime import date
from random import Random

import click

from parlour import catalog, saves
from parlour.cli.matches import read_match
from parlour.cli.options import complete_game, complete_kept
from parlour.cli.solving import Desk, in_words, named, solve
from parlour.errors import BadOptions, ParlourError
from parlour.files import write_whole
from parlour.installation import own_command
from parlour.limit import Limit
from parlour.match import Match
from parlour.players import people_of
from parlour.study import progress as kept
from parlour.study import progress_file
from parlour.study.archive import Archive, daily_number, read_day, share_line
from parlour.study.archive_file import archive
from parlour.study.progress import Progress, Result
from parlour.study.puzzle import Puzzle
from parlour.terminal.keyboard import Keyboard, Quit
from parlour.terminal.screen import ProgressLine, Screen
from parlour.text import counted

LOOK_SECONDS = 5.0  # that a position of your own game may take


# The puzzle of the day.


@click.command("daily")
@click.argument("day", metavar="[DATE|NUMBER]", required=False)
@click.option("--statistics", is_flag=True, help="how many you have solved, and how many in a row")
@click.option("--export", "to_file", metavar="FILE", help="write all your progress to a file; - is standard output")
@click.option("--import", "from_file", metavar="FILE", help="add the progress of another device, or of the browser")
@click.option("--json", "as_json", is_flag=True, help="the puzzle with its whole answer, for programs")
def daily_command(day: str | None, statistics: bool, to_file: str | None, from_file: str | None, as_json: bool) -> int:
    """Solve the puzzle of the day, or that of another day.

    DATE is one like 2026-11-17, NUMBER that of a daily puzzle.
    """
    if sum([statistics, to_file is not None, from_file is not None, as_json]) > 1:
        raise click.UsageError("one of --statistics, --export, --import and --json at a time")
    if to_file is not None:
        return _export(to_file)
    if from_file is not None:
        return _import(from_file)
    if statistics:
        return _tell_statistics()
    wanted = date.today() if day is None else read_day(day)
    if as_json:
        return _write_json(archive().daily(wanted), wanted)
    return solve_daily(wanted)


def solve_daily(day: date, keyboard: Keyboard | None = None) -> int:
    """Solve the puzzle of a day, and others after it if somebody likes; the exit code of the command."""
    puzzle, number, before = archive().daily(day), daily_number(day), load_progress()
    desk = Desk(keyboard)
    desk.say(f"Parlour daily {number}, {day:%A} {day.day} {day:%B %Y}", bold=True)
    earlier = before.daily.get(number)
    if earlier is not None:
        _say_earlier(desk, before, number, puzzle, earlier)
    result = _ask(desk, puzzle, f"daily {number}")
    if isinstance(result, int):
        return result
    with progress_file.changing() as progress:
        progress[0] = kept.with_daily(progress[0], number, result)
        after = progress[0]
    if earlier is None:
        if result.solved:
            desk.copyable(_share(after, number, puzzle, result))
        desk.say(_standing(after))
    if not desk.wants_more("More puzzles? Enter: yes, q: leave: "):
        return 0
    return solve_puzzles(None, None, keyboard=desk.keyboard)


def _say_earlier(desk: Desk, progress: Progress, number: int, puzzle: Puzzle, earlier: Result) -> None:
    if earlier.solved:
        desk.copyable(_share(progress, number, puzzle, earlier))
    else:
        desk.say("You gave this one up.")
    desk.say(f"That was on {earlier.date}; this time is for fun.")


def _share(progress: Progress, number: int, puzzle: Puzzle, result: Result) -> str:
    streak = kept.statistics(progress, date.today()).streak if number == daily_number(date.today()) else 0
    return share_line(number, puzzle.rules.game.title, result.tries, result.hints, streak)


def _standing(progress: Progress) -> str:
    found = kept.statistics(progress, date.today())
    return f"{counted(found.solved, 'daily puzzle')} solved; {found.streak} in a row, {found.longest} at best."


def _tell_statistics() -> int:
    progress, screen = load_progress(), Screen()
    found = kept.statistics(progress, date.today())
    due = len(kept.due_mistakes(progress, date.today()))
    screen.say(
        [
            f"Daily puzzles played: {found.played}",
            f"Solved: {found.solved}, {found.first_try} of them at the first try",
            f"Days in a row: {found.streak}",
            f"Longest streak: {found.longest}",
            f"Other puzzles solved: {sum(result.solved for result in progress.puzzles.values())}",
            f"Your grade: {progress.grade} of 5",
            f"Mistakes to practise today: {due}",
        ]
    )
    return 0


def _export(path: str) -> int:
    text = kept.write_progress(load_progress())
    if path == "-":
        sys.stdout.write(text)
        return 0
    write_whole(path, text.encode())
    click.echo(f"Your progress is in {path}. Read it elsewhere with: {own_command()} daily --import {path}")
    return 0


def _import(path: str) -> int:
    other = progress_file.read_file(path)
    load_progress()  # which says what may be wrong with our own
    with progress_file.changing() as progress:
        before = progress[0]
        progress[0] = kept.merged(before, other)
        added = len(progress[0].daily) - len(before.daily)
    click.echo(f"{counted(added, 'daily puzzle')} added. {_standing(progress[0])}")
    return 0


def load_progress() -> Progress:
    """What is kept, after a word about what is wrong with it."""
    progress, complaint = progress_file.load()
    if complaint:
        click.echo(f"parlour: {complaint}", err=True)
    if (later := kept.clock_went_back(progress, date.today())) is not None:
        click.echo(
            f"parlour: your clock says {date.today()}, but you have solved something on {later}; nothing is lost by it",
            err=True,
        )
    return progress


# Any puzzle.


@click.command("puzzle")
@click.argument("game", required=False, shell_complete=complete_game)
@click.option("--grade", type=click.IntRange(1, 5), help="1, the easiest, to 5  [default: your own]")
@click.option("--id", "word", metavar="ID", help="this one, by its id or its number in the archive")
@click.option("--json", "as_json", is_flag=True, help="the puzzle with its whole answer, for programs")
def puzzle_command(game: str | None, grade: int | None, word: str | None, as_json: bool) -> int:
    """Solve a puzzle of one GAME or any, as hard as suits you.

    Two in a row at the first try and without a hint, and the next is a grade harder; two in a row with a
    wrong move, or given up, and it is a grade easier.
    """
    key = None if game is None else catalog.find_key(game)
    if word is not None and (game is not None or grade is not None):
        raise click.UsageError("--id names one puzzle; leave out the game and the grade")
    puzzle = archive().find(word) if word is not None else _choose(archive(), load_progress(), key, grade)
    if as_json:
        return _write_json(puzzle, None)
    return solve_puzzles(key, grade, puzzle)


def solve_puzzles(
    game: str | None, grade: int | None, first: Puzzle | None = None, keyboard: Keyboard | None = None
) -> int:
    """Solve one puzzle after the other as long as somebody likes; the exit code of the command."""
    desk = Desk(keyboard)
    puzzle = first or _choose(archive(), load_progress(), game, grade)
    while True:
        result = _ask(desk, puzzle, f"puzzle --id {puzzle.id}")
        if isinstance(result, int):
            return result
        with progress_file.changing() as progress:
            before = progress[0].grade
            progress[0] = kept.with_puzzle(progress[0], puzzle.id, result)
            after = progress[0]
        if after.grade != before:
            desk.say(f"Your grade {'rises' if after.grade > before else 'falls'} to {after.grade}.", bold=True)
        if not desk.wants_more("Another one? Enter: yes, q: leave: "):
            return 0
        puzzle = _choose(archive(), after, game, grade)


def _choose(held: Archive, progress: Progress, game: str | None, grade: int | None) -> Puzzle:
    """A puzzle that was not met before, where there is one; of the grade nearest to the one wanted."""
    wanted = grade or progress.grade
    grades = [wanted] if grade else sorted(range(1, 6), key=lambda each: (abs(each - wanted), each))
    for each in grades:
        entries = held.select(game, each)
        fresh = [entry for entry in entries if entry.id not in progress.puzzles]
        if entries:
            return held.find(Random().choice(fresh or entries).id)
    has = sorted({entry.grade for entry in held.select(game)})
    raise BadOptions(f"there is no puzzle of grade {wanted} for {game}; its grades: {', '.join(map(str, has))}")


def _ask(desk: Desk, puzzle: Puzzle, again: str) -> Result | int:
    """How a puzzle went; the exit code if somebody leaves before. ``again`` is the command that asks the same."""
    rules = puzzle.rules
    desk.say(f"{named(rules)}. Grade {puzzle.grade} of 5; puzzle {puzzle.number}, {puzzle.id}.", bold=True)
    desk.say(rules.summary)
    try:
        attempt = solve(desk, puzzle)
    except Quit as left:
        desk.copyable(f"Come back to it with: {own_command()} {again}")
        return left.exit_code
    desk.say(in_words(attempt), bold=True)
    return Result(attempt.tries, attempt.hints, date.today().isoformat())


def _write_json(puzzle: Puzzle, day: date | None) -> int:
    from parlour.documents.puzzles import show_puzzle
    from parlour.writer import write_json

    click.echo(write_json(show_puzzle(puzzle, day)))
    return 0


# Your own mistakes.


@click.command("practise")
@click.argument("source", metavar="[FILE|ID]", required=False, shell_complete=complete_kept)
def practise_command(source: str | None) -> int:
    """Practise the turning points of your own games.

    Without FILE or ID your last finished game is looked through, and what is due today is asked: a mistake comes back
    after 1, 3, 7, 16 and 35 days as long as you get it right at the first try, and from the start if not.
    """
    load_progress()
    if source is not None:
        learn_from(read_match(source), 0)
    else:
        _look_at_last_game()
    return practise_due(looked=source is not None)


def practise(match: Match, number: int, keyboard: Keyboard) -> None:
    """Practise what can be learnt from a match that is just over, and whatever else is due."""
    load_progress()
    try:
        learn_from(match, number)
    except KeyboardInterrupt:  # stops the search, not the session
        click.echo("Stopped.")
        return
    practise_due(keyboard, looked=True)


def _look_at_last_game() -> None:
    looked = progress_file.load().progress.looked
    for number in reversed(saves.numbers()):
        if number <= looked:
            return
        try:
            match = saves.load(number)
        except (ParlourError, OSError):
            continue
        if match.outcome is not None and not saves.is_aside(number, match):
            learn_from(match, number)
            return


def learn_from(match: Match, number: int) -> int:
    """Keep the turning points of the people in a match; how many there are. ``number`` of the game, 0: none of ours."""
    from parlour.study.practice import mistakes_of
    from parlour.writer import plain

    with ProgressLine() as progress_line:
        found = list(mistakes_of(match, people_of(match.setup), LOOK_SECONDS, Limit(on_progress=progress_line)))
    with progress_file.changing() as progress:
        for each in found:
            progress[0] = kept.with_mistake(progress[0], each.id, plain(each.question), date.today())
        progress[0] = kept.with_looked(progress[0], number)
    number_found = counted(len(found), "turning point") + " of yours" if found else "No mistakes of yours were found"
    click.echo(f"{number_found} in this game of {match.game.title}.")
    return len(found)


def practise_due(keyboard: Keyboard | None = None, *, looked: bool = False) -> int:
    """Ask what is due today; the exit code of the command. ``looked``: a game has just been searched for mistakes."""
    from parlour.study.practice import read_exercise

    desk, today = Desk(keyboard), date.today()
    due = kept.due_mistakes(progress_file.load().progress, today)
    if not due:
        desk.say(_nothing_due(progress_file.load().progress, looked=looked))
        return 0
    for place, id in enumerate(due, 1):
        try:
            question = read_exercise(progress_file.load().progress.mistakes[id].question)
        except ParlourError as error:
            desk.say(f"One of them is left out for good: {error}.", "yellow")
            with progress_file.changing() as progress:
                progress[0] = kept.without_mistake(progress[0], id)
            continue
        desk.say(f"Mistake {place} of {len(due)}: {named(question.rules)}.", bold=True)
        try:
            attempt = solve(desk, question)
        except Quit as left:
            return left.exit_code
        right = attempt.tries == 1 and not attempt.hints
        with progress_file.changing() as progress:
            progress[0] = kept.with_practice(progress[0], id, right=right, today=today)
            due_next = progress[0].mistakes[id].due
        desk.say(
            f"{in_words(attempt)} {f'It comes back on {due_next}.' if due_next else 'You know it now.'}", bold=True
        )
        desk.say("")
    desk.say("That was all for today.")
    return 0


def _nothing_due(progress: Progress, *, looked: bool) -> str:
    days = [each.due for each in progress.mistakes.values() if each.due]
    if days:
        return f"Nothing is due today; the next mistake comes back on {min(days)}."
    if looked or progress.looked:
        return "Nothing to practise: you have no mistakes to repeat."
    return "Nothing to practise: play a game against the computer first."
