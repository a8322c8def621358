"""The commands for saved games: ``games``, ``resume``, ``replay``, ``export`` and ``import``."""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from dataclasses import replace
from functools import partial

import click

from parlour import catalog, record, saves
from parlour.cli.matches import read_file, read_match
from parlour.cli.options import complete_game, complete_player, complete_saved, complete_unfinished
from parlour.cli.play import PLAIN_HELP, SECONDS_HELP, or_menu
from parlour.errors import BadRecord, NoSuchRecord
from parlour.installation import own_command
from parlour.match import Match
from parlour.players import HUMAN, starts_program
from parlour.secrets import new_seed
from parlour.terminal import narration
from parlour.terminal.pager import pager
from parlour.terminal.play import SessionSettings, resume
from parlour.terminal.screen import Screen, any_width, at_terminal, width, wrap
from parlour.text import clip, counted

NARROW_MARGIN, WIDE_MARGIN = 6, 24  # hanging indent of a game: its number, or its number and date
MIN_WIDE_COLUMNS = 70  # narrowest terminal with the wide margin


@click.command("games")
@click.argument("numbers", metavar="[ID]...", nargs=-1, shell_complete=complete_saved)
@click.option("--game", metavar="GAME", help="only this game", shell_complete=complete_game)
@click.option("--unfinished", "over", flag_value="no", help="only unfinished games")
@click.option("--finished", "over", flag_value="yes", help="only finished games")
@click.option(
    "--against", metavar="WHO", help="only games with this player, such as Ben, level or level:2",
    shell_complete=complete_player,
)  # fmt: skip
@click.option("--all", "everything", is_flag=True, help="include games played by programs or by computers alone")
@click.option("--delete", is_flag=True, help="delete the games with these IDs permanently; 3-9 means 3 to 9")
@click.option("--yes", is_flag=True, help="delete without asking")
@click.option("--json", "as_json", is_flag=True, help="one JSON document with all games, for programs")
def games_command(
    numbers: tuple[str, ...],
    game: str | None,
    over: str | None,
    against: str | None,
    everything: bool,
    delete: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """List or delete your games.

    Unfinished games come first. IDs select games to list or, with --delete, to delete.
    """
    if delete:
        _delete(numbers, yes)
        return
    if yes:
        raise click.UsageError("--yes needs --delete")
    wanted = set(_numbers(numbers)) if numbers else None
    key = catalog.find_key(game) if game is not None else None
    games = [
        (number, match)
        for number, match in saves.all_games()
        if (wanted is None or number in wanted) and _matches(match, key, over, against)
    ]
    if as_json:
        from parlour.documents.saved import saved_game_document
        from parlour.writer import write_json

        click.echo(write_json([saved_game_document(number, match) for number, match in games], indent=2))
        return
    shown = [
        (number, match)
        for number, match in games
        if everything or numbers or isinstance(match, BadRecord) or not saves.is_hidden(number, match)
    ]
    _list(shown, len(games) - len(shown), chosen=bool(wanted or key or over or against))


def _matches(match: Match | BadRecord, key: str | None, over: str | None, against: str | None) -> bool:
    """Return whether a game matches the filters; a damaged one matches only if there are none."""
    if isinstance(match, BadRecord):
        return not (key or over or against)
    words = {word.casefold() for word in (*match.names, *match.setup.players)}
    words |= {word.partition(":")[0] for word in words}
    return (
        (key is None or match.game.key == key)
        and (over is None or (match.outcome is not None) == (over == "yes"))
        and (against is None or against.casefold() in words)
    )


def _list(games: list[tuple[int, Match | BadRecord]], aside: int, *, chosen: bool) -> None:
    with pager():
        screen = Screen()
        if not games:
            none = "You have no such game." if chosen else f"No games yet. Begin one with: {own_command()} play GAME"
            screen.say([none])
        unfinished = [game for game in games if _is_unfinished(game[1])]
        finished = [game for game in games if not _is_unfinished(game[1])]
        for heading, group in (("Unfinished", unfinished), ("Finished", finished)):
            if group and unfinished and finished and sys.stdout.isatty():
                screen.say([heading], bold=True)
            for number, match in group:
                _say_line(screen, _line(number, match))
        if aside:
            were = "was" if aside == 1 else "were"
            screen.say([f"{aside:,} more {were} played by programs or by computers alone: {own_command()} games --all"])


def _say_line(screen: Screen, line: str) -> None:
    """Print the line of a game, wrapped with a hanging indent."""
    hang = WIDE_MARGIN if width() >= MIN_WIDE_COLUMNS else NARROW_MARGIN
    indent = len(line) - len(line.lstrip())
    screen.say([line] if any_width() else wrap(line, width(), hang - indent))


def _is_unfinished(match: Match | BadRecord) -> bool:
    return isinstance(match, Match) and match.outcome is None


def _line(number: int, match: Match | BadRecord) -> str:
    if isinstance(match, BadRecord):
        return f"{number:>4}  damaged: {match}"
    setup = match.setup
    moves = counted(sum(len(round.moves) for round in match.rounds), "move")
    first, second = (
        name if word == HUMAN else f"{name} ({word})" for name, word in zip(setup.names, setup.players, strict=True)
    )
    title = narration.title(setup.rules)
    return f"{number:>4}  {_local_time(setup.date)}  {title}, {first} - {second}: {match.standing}, {moves}"


def _local_time(date: str) -> str:
    """Return a date in local time, or unchanged if it can't be read."""
    from datetime import datetime

    try:
        return datetime.fromisoformat(date).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError):
        return clip(date)


def _numbers(words: tuple[str, ...]) -> list[int]:
    """Return the numbers of saved games, given as numbers or ranges like 3-9.

    Raises:
        NoSuchRecord: there is no such game.
    """
    found: list[int] = []
    for word in words:
        if bounds := re.fullmatch(r"([0-9]{1,9})-([0-9]{1,9})", word):
            low, high = map(int, bounds.groups())
            inside = [number for number in saves.numbers() if low <= number <= high]
            if not inside:
                raise saves.no_such_record(word)
            found += inside
        else:
            found.append(saves.find(word))
    return list(dict.fromkeys(found))


def _delete(words: tuple[str, ...], yes: bool) -> None:
    numbers = _numbers(words)
    if not numbers:
        raise click.UsageError(f"name the games to delete: {own_command()} games --delete ID ...")
    if not yes:
        if not at_terminal():
            raise click.UsageError("cannot ask for confirmation here; use --yes")
        for number in numbers:
            Screen().say([_line(number, _load(number))])
        click.confirm(f"Delete {'this game' if len(numbers) == 1 else 'these games'} permanently?", abort=True)
    for number in numbers:
        saves.delete(number)
    subject = f"Game {numbers[0]} is" if len(numbers) == 1 else f"{counted(len(numbers), 'game')} are"
    click.echo(f"{subject} deleted.")


def _load(number: int) -> Match | BadRecord:
    try:
        return saves.load(number)
    except BadRecord as error:
        return error


@click.command("resume")
@click.argument("number", metavar="[ID]", required=False, shell_complete=complete_unfinished)
@click.option("--strict", is_flag=True, help="no hints and no undo")
@click.option("--seconds", type=click.FloatRange(0), help=SECONDS_HELP)
@click.option("--plain", is_flag=True, help=PLAIN_HELP)
@click.option("--json", "as_json", is_flag=True, help="one JSON event per line, for programs")
def resume_command(number: str | None, strict: bool, seconds: float | None, plain: bool, as_json: bool) -> int:
    """Resume an unfinished game: your last one, or the one with this ID."""
    settings = SessionSettings(as_json, strict, seconds, plain)
    if number is not None:
        found = saves.find(number)
        outcome = saves.load(found).outcome
        if outcome is not None:
            raise NoSuchRecord(f"game {found} is finished; see it with: {own_command()} replay {found}")
        return or_menu(partial(resume, found, settings))
    candidates = list(saves.unfinished())
    if at_terminal():  # the user's own games first
        candidates.sort(key=lambda game: saves.is_hidden(*game))
    for candidate, _ in candidates:
        return or_menu(partial(resume, candidate, settings))
    raise NoSuchRecord(f"there is no unfinished game; begin one with: {own_command()} play GAME")


@click.command("replay")
@click.argument("source", metavar="[FILE|ID]", required=False, shell_complete=complete_saved)
@click.option("--json", "as_json", is_flag=True, help="every board of every round as one JSON document, for programs")
def replay_command(source: str | None, as_json: bool) -> None:
    """Step through a game move by move.

    Shows your last game, the saved game ID or a record FILE (a file named 5 is ./5). At a terminal, press Enter to go
    forward, b to go back, q to quit, or enter the number of a step. In a pipe, prints the whole game.
    """
    match = read_match(source)
    if as_json:
        from parlour.documents.table import replay_document
        from parlour.writer import write_json

        click.echo(write_json([replay_document(match, round) for round in range(len(match.rounds))], indent=2))
        return
    from parlour.terminal.replay import replay  # the other commands don't need it

    replay(match)


@click.command("export")
@click.argument("number", metavar="ID", shell_complete=complete_saved)
@click.option("-o", "--output", metavar="FILE", help="write to this file instead of standard output")
@click.option("--force", is_flag=True, help="overwrite an existing file")
def export_command(number: str, output: str | None, force: bool) -> None:
    """Write the record of a saved game."""
    text = record.write_record(saves.load(saves.find(number)))
    if output is None or output == "-":
        sys.stdout.buffer.write(text.encode())
    else:
        if os.path.isfile(output) and not force:
            if not at_terminal():
                raise click.UsageError(f"{clip(output)!r} already exists; use --force to overwrite it")
            click.confirm(f"{clip(output)} already exists. Overwrite it?", abort=True)
        with open(output, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)


@click.command("import")
@click.argument("file", metavar="FILE")
@click.option("--force", is_flag=True, help="import the game even if it is already saved")
def import_command(file: str, force: bool) -> None:
    """Import a game from a record FILE (- for standard input)."""
    match = record.read_record(read_file(file))
    if match.outcome is None:
        # The record must neither start a command on this machine nor reveal the next deals.
        first, second = (HUMAN if starts_program(kind) else kind for kind in match.setup.players)
        if (first, second) != match.setup.players:
            click.echo("The engine in this record was not started; type its moves yourself.", err=True)
        match = match.with_setup(replace(match.setup, players=(first, second), seed=new_seed()))
    number = None if force else _find_saved(match)
    status = "Imported as game {}" if number is None else "Already saved as game {}"
    number = saves.add(match) if number is None else number
    more = "replay" if match.outcome is not None else "resume"
    game = f"{status.format(number)}: {match.game.title}, {match.standing}"
    click.echo(f"{game}. Continue with: {own_command()} {more} {number}")


def _find_saved(match: Match) -> int | None:
    """Return the ID of a saved game with the same record; unfinished ones are compared without their seeds."""
    wanted = _without_seed(record.write_record(match), match.outcome is None)
    for number in saves.numbers():
        with suppress(BadRecord, OSError):
            if _without_seed(saves.text_of(number), match.outcome is None) == wanted:
                return number
    return None


def _without_seed(text: str, is_unfinished: bool) -> str:
    return re.sub(r'^\[Seed "[^\n]*\n', "", text, count=1, flags=re.MULTILINE) if is_unfinished else text
