"""``parlour report``: where a game turned."""

from __future__ import annotations

import os

import click

from parlour import record, saves
from parlour.cli.games import read_file, standing
from parlour.cli.screen import Progress, Screen, reflow, width
from parlour.match import Match
from parlour.options import show_options
from parlour.study import report


@click.command("report")
@click.argument("source", metavar="FILE|ID")
@click.option(
    "--seconds",
    type=click.FloatRange(0),
    default=report.SECONDS,
    show_default=True,
    help="how long a position may take before it is left ungraded",
)
@click.option("--json", "as_json", is_flag=True, help="one JSON document, for programs")
def report_command(source: str, seconds: float, as_json: bool) -> None:
    """Say where the game of a record file, or game ID, turned.

    Every decision is graded by what it was exactly worth; - reads standard input.
    """
    kept = source.isdigit() and not os.path.exists(source)
    match = saves.load(saves.find(source)) if kept else record.read(read_file(source))
    with Progress() as progress:
        made = report.make(match, seconds=seconds, progress=progress)
    if as_json:
        from parlour.documents import write_json
        from parlour.documents.report import report_document

        click.echo(write_json(report_document(made)))
        return
    screen, columns = Screen(), min(width(), 80)
    chosen = show_options(match.options if len(match.rounds) == 1 else match.setup.options)
    options = ", ".join(f"{name.replace('_', '-')} {text}" for name, text in chosen.items() if text)
    screen.say(reflow(f"{match.game.title}: {match.names[0]} - {match.names[1]}", columns), bold=True)
    screen.say(reflow(f"{options}. {_result(match)}", columns))
    for line in report.told(made):
        screen.say(reflow(line.text, columns) if line.text else [""], bold=line.strong)


def _result(match: Match) -> str:
    outcome, text = match.outcome, standing(match)
    if outcome is None:
        return f"Not finished: {text}."
    return f"{text}." if outcome.winner is not None else f"{text.capitalize()}."  # a name stays as it is
