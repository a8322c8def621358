"""``parlour report``: where a game turned."""

from __future__ import annotations

import click

from parlour.cli.completing import complete_kept
from parlour.cli.matches import read_match, tell_standing
from parlour.limit import Limit
from parlour.match import Match
from parlour.options import options_in_words
from parlour.study import grades, report
from parlour.terminal.screen import ProgressLine, Screen, reflow, width
from parlour.text import sentence


@click.command("report")
@click.argument("source", metavar="[FILE|ID]", required=False, shell_complete=complete_kept)
@click.option(
    "--seconds",
    type=click.FloatRange(0),
    default=grades.POSITION_SECONDS,
    show_default=True,
    help="how long a position may take before it is left ungraded",
)
@click.option("--json", "as_json", is_flag=True, help="one JSON document, for programs")
def report_command(source: str | None, seconds: float, as_json: bool) -> None:
    """Show where the game of a record file, game ID, or your last game turned.

    Every decision is graded by what it was exactly worth; - reads standard input.
    """
    match = read_match(source)
    if not as_json:
        tell_report(match, seconds)
        return
    from parlour.writer import write_json

    click.echo(write_json(_make(match, seconds)))


def _make(match: Match, seconds: float) -> report.Report:
    with ProgressLine() as progress:
        return grades.make_report(match, Limit(on_progress=progress), seconds=seconds)


def tell_report(match: Match, seconds: float = grades.POSITION_SECONDS, own: int | None = None) -> None:
    """Write where a match turned; ``seconds`` for each position. ``own``: the player of the one who reads it."""
    made = _make(match, seconds)
    screen, columns = Screen(), min(width(), 80)
    options = options_in_words(match.options if len(match.rounds) == 1 else match.setup.options)
    you = "" if own is None else f" (you are {match.names[own - 1]})"
    screen.say(reflow(f"{match.game.title}: {match.names[0]} - {match.names[1]}{you}", columns), bold=True)
    screen.say(reflow(f"{sentence(options)} {tell_standing(match)}" if options else tell_standing(match), columns))
    for line in report.report_lines(made):
        screen.say(reflow(line.text, columns) if line.text else [""], bold=line.strong)
