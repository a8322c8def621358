"""``parlour check`` and ``parlour salvage``: whether what is kept is as it was written, and what can be kept of it."""

from __future__ import annotations

from contextlib import ExitStack, closing
from itertools import takewhile

import click

from parlour import record, saves
from parlour.cli.databases import needs_web, url_of
from parlour.documents.checked import Examination, Problem
from parlour.errors import BadRecord
from parlour.installation import own_command
from parlour.limit import Limit
from parlour.text import counted
from parlour.writer import write_json


@click.command("check")
@click.argument("database", metavar="[URL|FILE]", required=False)
@click.option(
    "--seconds",
    type=click.FloatRange(0),
    help="how long it may take; what is found by then is shown  [default: any time]",
)
@click.option("--json", "as_json", is_flag=True, help="one JSON document, for programs")
def check_command(database: str | None, seconds: float | None, as_json: bool) -> int:
    """Examine the database of a server, or your saved games.

    With a URL or an SQLite FILE it is that database; without either, your saved games.

    Says what is damaged, a line each; the exit code is 1 if anything is, or if there was no time for all. A database of
    an earlier version is brought up to date first.
    """
    limit = Limit(seconds)
    found = _examine_games(limit) if database is None else _examine_database(database, limit)
    if as_json:
        click.echo(write_json(found, indent=2))
    else:
        for problem in found.problems:
            click.echo(f"{problem.where}: {problem.what}")
        things = counted(found.count, "saved game") if database is None else counted(found.count, "match", "matches")
        unsealed = f"; {found.unsealed:,} of an earlier version, not sealed yet" if found.unsealed else ""
        click.echo(f"{things} examined, {counted(len(found.problems), 'problem')} found{unsealed}")
    if found.left:
        click.echo(
            f"parlour: {seconds:g} seconds were not enough for {found.left:,} more; --seconds allows more", err=True
        )
    return 1 if found.problems or found.left else 0


@click.command("salvage")
@click.argument("damaged", metavar="URL|FILE|ID")
@click.argument("new", metavar="[NEW]", required=False)
def salvage_command(damaged: str, new: str | None) -> int:
    """Copy what is whole of a damaged database.

    The web's database at URL, or in the SQLite FILE, is copied to NEW: each match up to where it is damaged.

    NEW is a file that is not there yet, or the URL of an empty database. With the ID of a saved game instead, that is
    kept up to the damage as a new game. What is damaged is left as it is.
    """
    if new is None:
        if not damaged.isdigit():
            raise click.UsageError(f"say where to keep what is left: {own_command()} salvage DATABASE NEW")
        return _salvage_game(damaged)
    return _salvage_database(damaged, new)


def _examine_games(limit: Limit) -> Examination:
    kept = list(takewhile(lambda _: not limit.time_is_up, saves.all_games()))
    problems = [
        Problem(where=f"game {number}", what=str(match))
        for number, match in reversed(kept)
        if isinstance(match, BadRecord)
    ]
    return Examination(count=len(kept), left=len(saves.numbers()) - len(kept), unsealed=0, problems=problems)


def _examine_database(database: str, limit: Limit) -> Examination:
    try:
        from parlour.service.checking import examine
        from parlour.store import open_existing
    except ModuleNotFoundError as missing:
        raise needs_web(missing) from None
    with closing(open_existing(url_of(database))) as store:
        return examine(store, limit)


def _salvage_game(word: str) -> int:
    number = saves.find(word)
    with open(saves.path_of(number), "rb") as file:
        data = file.read()
    whole_lines = data[: data.rfind(b"\n") + 1]  # a last one that was cut short was never announced
    match, damage = record.read_beginning(whole_lines.decode(errors="replace"))
    if damage is None:
        click.echo(f"game {number} is not damaged")
        return 0
    added = saves.add(match)
    click.echo(f"game {number} is damaged: {damage}")
    click.echo(
        f"Kept as game {added}, up to there: {match.game.title}, {match.standing}, {counted(len(match.log), 'line')}."
    )
    return 0


def _salvage_database(damaged: str, new: str) -> int:
    try:
        from parlour.service.checking import salvage
        from parlour.store import new_file, open_existing, open_store
        from parlour.store.errors import BadDatabase
    except ModuleNotFoundError as missing:
        raise needs_web(missing) from None
    whole = cut = lost = 0
    with ExitStack() as ending:
        old = ending.enter_context(closing(open_existing(url_of(damaged))))
        place = url_of(ending.enter_context(new_file(new))) if "://" not in new else new
        copy = ending.enter_context(closing(open_store(place)))
        if copy.count():
            raise BadDatabase("there are matches in the new database already; it has to be empty")
        for id, lines, damage in salvage(old, copy):
            if damage is None:
                whole += 1
                continue
            cut, lost = cut + (lines is not None), lost + (lines is None)
            kept = "nothing could be kept" if lines is None else f"kept up to line {lines}"
            click.echo(f"match {id}: {damage}; {kept}")
    click.echo(f"{counted(whole, 'match', 'matches')} kept whole, {cut:,} up to the damage, {lost:,} lost")
    return 1 if lost else 0
