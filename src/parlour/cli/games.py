"""The kept games: ``parlour games``, ``resume``, ``export`` and ``import``."""

from __future__ import annotations

import sys
from dataclasses import replace

import click

from parlour import record, saves
from parlour.cli.matches import read_file
from parlour.cli.playing import play_on
from parlour.cli.screen import Screen
from parlour.errors import BadRecord, NoSuchRecord
from parlour.match import Match
from parlour.outcome import result_of
from parlour.players import HUMAN, starts_program
from parlour.text import counted


@click.command("games")
@click.option("--json", "as_json", is_flag=True, help="one JSON document, for programs")
def games_command(as_json: bool) -> None:
    """List the games you have saved and finished, the newest first."""
    kept = list(saves.all_games())
    if as_json:
        import json

        click.echo(json.dumps([_described(number, match) for number, match in kept], indent=2, ensure_ascii=False))
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


def _described(number: int, match: Match | BadRecord) -> dict[str, object]:
    if isinstance(match, BadRecord):
        return {"id": number, "damaged": str(match)}
    setup = match.setup
    return {
        "id": number,
        "game": setup.game.key,
        "date": setup.date,
        "names": list(setup.names),
        "players": list(setup.players),
        "rounds": len(match.rounds),
        "moves": sum(len(round.moves) for round in match.rounds),
        "result": result_of(match.outcome),
        "turn": None if match.outcome else match.turn + 1,
    }


@click.command("resume")
@click.argument("number", metavar="[ID]", required=False)
@click.option("--strict", is_flag=True, help="no hints, and nothing can be taken back")
@click.option("--json", "as_json", is_flag=True, help="one JSON event a line, for programs")
def resume_command(number: str | None, strict: bool, as_json: bool) -> int:
    """Go on with game ID, or with the last one that is not finished."""
    if number is not None:
        found = saves.find(number)
        outcome = saves.load(found).outcome
        if outcome is not None:
            raise NoSuchRecord(f"game {found} is finished; see it with: parlour replay {found}")
        return play_on(found, json=as_json, strict=strict)[1]
    for candidate, match in saves.all_games():
        if isinstance(match, Match) and match.outcome is None:
            return play_on(candidate, json=as_json, strict=strict)[1]
    raise NoSuchRecord("there is no unfinished game; begin one with: parlour play GAME")


@click.command("export")
@click.argument("number", metavar="ID")
@click.option("-o", "--output", metavar="FILE", help="write to this file instead of standard output")
def export_command(number: str, output: str | None) -> None:
    """Write the record of game ID."""
    text = record.write(saves.load(saves.find(number)))
    if output is None or output == "-":
        sys.stdout.buffer.write(text.encode())
    else:
        with open(output, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)


@click.command("import")
@click.argument("file", metavar="FILE")
def import_command(file: str) -> None:
    """Keep the game that FILE records; - reads standard input."""
    match = record.read(read_file(file))
    first, second = (HUMAN if starts_program(kind) else kind for kind in match.setup.players)
    if (first, second) != match.setup.players:  # a stranger's record must not make us run a stranger's command
        match = match.with_setup(replace(match.setup, players=(first, second)))
        click.echo("The engine in this record is not started; that seat is played at the keyboard.", err=True)
    number = saves.add(match)
    more = "replay" if match.outcome is not None else "resume"
    click.echo(f"Kept as game {number}: {match.game.title}, {match.standing}. Go on with: parlour {more} {number}")
