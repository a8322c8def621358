"""``parlour report``: where a game turned."""

from __future__ import annotations

import click

from parlour.cli.matches import read_match, tell_standing
from parlour.cli.screen import Progress, Screen, reflow, width
from parlour.limit import Limit
from parlour.options import options_in_words
from parlour.study import report
from parlour.text import sentence


@click.command("report")
@click.argument("source", metavar="FILE|ID")
@click.option(
    "--seconds",
    type=click.FloatRange(0),
    default=report.POSITION_SECONDS,
    show_default=True,
    help="how long a position may take before it is left ungraded",
)
@click.option("--json", "as_json", is_flag=True, help="one JSON document, for programs")
def report_command(source: str, seconds: float, as_json: bool) -> None:
    """Say where the game of a record file, or game ID, turned.

    Every decision is graded by what it was exactly worth; - reads standard input.
    """
    match = read_match(source)
    with Progress() as progress:
        made = report.make_report(match, Limit(on_progress=progress), seconds=seconds)
    if as_json:
        from parlour.documents import write_json
        from parlour.documents.report import report_document

        click.echo(write_json(report_document(made)))
        return
    screen, columns = Screen(), min(width(), 80)
    options = options_in_words(match.options if len(match.rounds) == 1 else match.setup.options)
    screen.say(reflow(f"{match.game.title}: {match.names[0]} - {match.names[1]}", columns), bold=True)
    screen.say(reflow(f"{sentence(options)} {tell_standing(match)}" if options else tell_standing(match), columns))
    for line in report.told(made):
        screen.say(reflow(line.text, columns) if line.text else [""], bold=line.strong)
