"""The kept games: ``parlour games``, ``resume``, ``export`` and ``import``."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial

import click

from parlour import record, saves
from parlour.cli.matches import read_file
from parlour.cli.playing import PLAIN_HELP, SECONDS_HELP, or_menu, play_on
from parlour.cli.screen import Screen
from parlour.errors import BadRecord, NoSuchRecord
from parlour.match import Match, new_seed
from parlour.players import HUMAN, starts_program
from parlour.text import counted


@click.command("games")
@click.option("--json", "as_json", is_flag=True, help="one JSON document, for programs")
def games_command(as_json: bool) -> None:
    """List the games you have saved and finished, the newest first."""
    kept = list(saves.all_games())
    if as_json:
        from parlour.documents import write_json
        from parlour.documents.saved import saved_game_document

        click.echo(write_json([saved_game_document(number, match) for number, match in kept], indent=2))
        return
    screen = Screen()
    if not kept:
        screen.say(["No games yet. Begin one with: parlour play GAME"])
    for number, match in kept:
        if isinstance(match, BadRecord):
            screen.say([f"{number:>4}  damaged: {match}"])
            continue
        setup = match.setup
        moves = sum(len(round.moves) for round in match.rounds)
        who = f"{setup.names[0]} - {setup.names[1]}"
        told = f"{match.standing}, {counted(moves, 'move')}"
        screen.say([f"{number:>4}  {setup.date[:10]}  {setup.game.title}, {who}: {told}"])


@click.command("resume")
@click.argument("number", metavar="[ID]", required=False)
@click.option("--strict", is_flag=True, help="no hints, and nothing can be taken back")
@click.option("--seconds", type=click.FloatRange(0), help=SECONDS_HELP)
@click.option("--plain", is_flag=True, help=PLAIN_HELP)
@click.option("--json", "as_json", is_flag=True, help="one JSON event a line, for programs")
def resume_command(number: str | None, strict: bool, seconds: float | None, plain: bool, as_json: bool) -> int:
    """Go on with game ID, or with the last one that is not finished."""
    if number is not None:
        found = saves.find(number)
        outcome = saves.load(found).outcome
        if outcome is not None:
            raise NoSuchRecord(f"game {found} is finished; see it with: parlour replay {found}")
        return or_menu(partial(play_on, found, json=as_json, strict=strict, seconds=seconds, plain=plain))
    for candidate, match in saves.all_games():
        if isinstance(match, Match) and match.outcome is None:
            return or_menu(partial(play_on, candidate, json=as_json, strict=strict, seconds=seconds, plain=plain))
    raise NoSuchRecord("there is no unfinished game; begin one with: parlour play GAME")


@click.command("export")
@click.argument("number", metavar="ID")
@click.option("-o", "--output", metavar="FILE", help="write to this file instead of standard output")
def export_command(number: str, output: str | None) -> None:
    """Write the record of game ID."""
    text = record.write_record(saves.load(saves.find(number)))
    if output is None or output == "-":
        sys.stdout.buffer.write(text.encode())
    else:
        with open(output, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)


@click.command("import")
@click.argument("file", metavar="FILE")
def import_command(file: str) -> None:
    """Keep the game that FILE records; - reads standard input."""
    match = record.read_record(read_file(file))
    if match.outcome is None:
        # A stranger's record must not make us run a stranger's command, and nobody is to know what is dealt next.
        first, second = (HUMAN if starts_program(kind) else kind for kind in match.setup.players)
        if (first, second) != match.setup.players:
            click.echo("The engine in this record is not started; that seat is played at the keyboard.", err=True)
        match = match.with_setup(replace(match.setup, players=(first, second), seed=new_seed()))
    number = saves.add(match)
    more = "replay" if match.outcome is not None else "resume"
    click.echo(f"Kept as game {number}: {match.game.title}, {match.standing}. Go on with: parlour {more} {number}")
