"""The report of a match as text, with its turning points."""

from __future__ import annotations

from parlour.limit import Limit
from parlour.match import Match
from parlour.options import options_in_words
from parlour.study import grades, report
from parlour.terminal.narration import standing
from parlour.terminal.screen import ProgressLine, Screen, prose_width, reflow
from parlour.text import sentence


def search_report(match: Match, seconds: float) -> report.Report:
    """Return the report of a match, with a progress line; ``seconds`` limits the search of each position."""
    with ProgressLine() as progress:
        return grades.make_report(match, Limit(on_progress=progress), seconds=seconds)


def write_report(match: Match, seconds: float = grades.POSITION_SECONDS, own: int | None = None) -> None:
    """Search and write the report of a match; ``own`` is the reader's player."""
    made = search_report(match, seconds)
    screen, columns = Screen(), prose_width()
    options = options_in_words(match.options if len(match.rounds) == 1 else match.setup.options)
    you = "" if own is None else f" (you are {match.names[own - 1]})"
    screen.say(reflow(f"{match.game.title}: {match.names[0]} - {match.names[1]}{you}", columns), bold=True)
    screen.say(reflow(f"{sentence(options)} {standing(match)}" if options else standing(match), columns))
    for line in report.report_lines(made):
        screen.say(reflow(line.text, columns) if line.text else [""], bold=line.strong)
