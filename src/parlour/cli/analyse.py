"""The commands ``solve``, ``tabulate`` and ``report``: exact values of positions and games."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

import click

from parlour.cli.matches import read_match
from parlour.cli.options import HELP, GameCommands, chosen_texts, complete_saved, game_options, seconds_option
from parlour.documents.solution import about_one_round, solution_document
from parlour.errors import TooBig
from parlour.game import Game, Move, P
from parlour.limit import Limit
from parlour.match import Match
from parlour.options import O, flag, left_to_chance, show_options
from parlour.rules import Rules, read_rules, show_position
from parlour.score import Score
from parlour.setup import Setup
from parlour.solver import Analysis, Choice, Solver, kept_table
from parlour.solver.tables import estimate, path_of
from parlour.study import grades
from parlour.terminal.board import write_board
from parlour.terminal.report import search_report, write_report
from parlour.terminal.screen import ProgressLine, Screen, at_terminal, prose_width, reflow
from parlour.writer import write_json

DEFAULT_SEED = "1"  # for deals
SOLVE_SECONDS = 60.0  # default time limit
TABULATE_SECONDS = 600.0  # default time limit
MAX_SHOWN_CHOICES = 200  # each with a line of best play


def _begin(game: Game, texts: dict[str, str], seed: str) -> Match:
    """Return a new match, dealt from the seed."""
    return Match(Setup(read_rules(game, texts), seed=seed))


@contextmanager
def _reporting_positions(limit: Limit) -> Iterator[None]:
    """Add the number of searched positions to TooBig."""
    try:
        yield
    except TooBig as error:
        searched = f"; {limit.spent:,} positions were searched by then" if limit.spent else ""
        raise TooBig(f"{error}{searched}") from None


class Findings(NamedTuple):
    """The results of a search, as far as its limit allowed."""

    analysis: Analysis
    lines: dict[int, list[Move]]  # best play after each choice
    missing: str  # the first step that was not finished; empty if all were


def search(rules: Rules[O, P], position: P, limit: Limit, report: Callable[[str], None], *, outcome: bool) -> Findings:
    """Solve a position: value, choices, distance and lines of best play, or only the value with ``outcome``.

    ``report`` receives the current step. Raises TooBig if not even the value is found.
    """
    solver = Solver(rules)
    report("Finding the winner")
    score = Score(solver.value(position, limit))
    choices: list[Choice] = []
    line: list[Move] | None = None
    lines: dict[int, list[Move]] = {}
    missing = ""
    with suppress(TooBig):
        if not outcome:
            missing = "the value of every move"
            legal = rules.legal(position)
            for place, move in enumerate(legal, 1):
                report(f"Searching move {place} of {len(legal):,}")
                choices += solver.choices(position, limit, [move])
            missing = "how soon"
            report("Finding the distance")
            score = solver.score(position, limit)
            missing = "the lines of best play"
            report("Finding lines of best play")
            line = solver.line(position, limit)
            for choice in choices[:MAX_SHOWN_CHOICES]:
                lines[choice.move] = solver.line(rules.after(position, choice.move), limit)
            missing = ""
    analysis = Analysis(
        rules=rules, position=position, value=score.value, plies=score.plies, choices=choices, line=line
    )
    return Findings(analysis, lines, missing)


def _solve(game: Game) -> click.Command:
    def run(
        moves: str | None, position: str | None, outcome: bool, seed: str, seconds: float, json: bool,
        **given: str | None,
    ) -> int:  # fmt: skip
        match = _begin(game, chosen_texts(given), seed)
        if moves is not None and position is not None:
            raise click.UsageError("give either --moves or --position")
        match.play_line((moves or "").split())
        rules = match.rules
        searched = match.position if position is None else rules.read_position(position)
        with ProgressLine() as progress:
            limit = Limit(seconds, on_progress=progress)
            with _reporting_positions(limit):
                found = search(rules, searched, limit, progress.tell, outcome=outcome)
        if json:
            here = match if position is None else None
            click.echo(write_json(solution_document(found.analysis, match=here, lines=found.lines)))
        else:
            _show(match, position, found)
        if found.missing:
            more = f"parlour: {seconds:g} seconds were not enough for {found.missing}; --seconds allows more"
            click.echo(more, err=True)
        return 1 if found.missing else 0

    return click.Command(
        game.key,
        callback=run,
        help=f"Solve {game.title} from the beginning, or from a position.",
        short_help=game.content.summary,
        params=[
            *game_options(game),
            click.Option(["--moves"], metavar="MOVES", help='the moves so far, like "5 7 8"'),
            click.Option(["--position"], metavar="TOKEN", help="a position, in the format that solve prints"),
            click.Option(["--outcome"], is_flag=True, help="only show who wins: much faster in large games"),
            click.Option(["--seed"], default=DEFAULT_SEED, metavar="TEXT", help="seed for the deal"),
            seconds_option(SOLVE_SECONDS, "time limit; shows what was found by then"),
            click.Option(["--json"], is_flag=True, help="one JSON document, for programs"),
        ],
        context_settings=HELP,
    )


def _show(match: Match, position: str | None, found: Findings) -> None:
    screen, analysis = Screen(), found.analysis
    rules, choices = analysis.rules, analysis.choices
    over = rules.is_over(analysis.position)
    on_board = at_terminal() and position is None  # name moves as in a game
    if position is None and not over:
        if on_board:
            write_board(match)
        else:
            screen.draw(match)
        screen.say([""])
    mover = match.names[match.turn - 1] if position is None else "The player to move"
    screen.say([f"{mover}: {analysis.score}" + (": the game is over" if over else "")], bold=True)
    for choice in choices[:MAX_SHOWN_CHOICES]:
        moves = [choice.move, *found.lines.get(choice.move, ())]
        name, *following = rules.spoken(moves) if on_board else rules.names(moves)
        screen.say([f"  {name:>5}  {choice.score:<17}  {' '.join(following)}".rstrip()])
    if len(choices) > MAX_SHOWN_CHOICES:
        screen.say([f"  and {len(choices) - MAX_SHOWN_CHOICES:,} more; --json gives all"])
    about = about_one_round(rules)
    if about is not None:
        screen.say(["", *(reflow(about, prose_width()) if at_terminal() else [about])])
    screen.say(["", f"Position: {show_position(analysis.position)}"])


def _tabulate(game: Game) -> click.Command:
    def run(seed: str, json: bool, memory: int, seconds: float, **given: str | None) -> None:
        match = _begin(game, chosen_texts(given), seed)
        with ProgressLine("Counting") as progress:
            limit = Limit(seconds, memory=memory << 20, on_progress=progress)
            with _reporting_positions(limit):
                if progress.shows and not os.path.exists(path_of(match.rules)):
                    progress.whole = estimate(match.rules)
                table = kept_table(match.rules, limit)
        statistics = table.statistics()
        if json:
            click.echo(write_json(statistics))
            return
        screen = Screen()
        dealt = [f"{flag(name)} {show_options(match.options)[name]}" for name in left_to_chance(game.options)]
        title = ", ".join([game.title, *dealt])
        once = f", {game.content.counted_once} counted once" if game.content.counted_once else ""
        screen.say([f"{title}: {statistics.positions:,} positions with a player to move{once}"])
        for value, count in statistics.values.items():
            share = 100 * count / statistics.positions
            screen.say([f"  {value:<4} {count:>12,}  {share:5.1f} %"])
        for value, counts in statistics.plies.items():
            by_plies = "  ".join(f"{plies}: {count:,}" for plies, count in sorted(counts.items()))
            screen.say([f"{value} in turns: {by_plies}"])
        share = 100 * statistics.critical / max(statistics.decisions, 1)
        of = f"{statistics.critical:,} of {statistics.decisions:,} decisions"
        screen.say([f"critical (some move loses value): {of}, {share:.1f} %"])
        screen.say([f"longest win: {statistics.longest} turns"])

    return click.Command(
        game.key,
        callback=run,
        help=f"Count every position of {game.title} by value and distance. The table is saved.",
        short_help=game.content.summary,
        params=[
            *game_options(game),
            click.Option(["--seed"], default=DEFAULT_SEED, metavar="TEXT", help="seed for the deal"),
            click.Option(
                ["--memory"], type=click.IntRange(16), default=3072, show_default=True, help="memory limit in MB"
            ),
            seconds_option(TABULATE_SECONDS, "time limit"),
            click.Option(["--json"], is_flag=True, help="one JSON document, for programs"),
        ],
        context_settings=HELP,
    )


solve_command = GameCommands("solve", _solve, help="Show who wins, how soon, and the value of every move.")
tabulate_command = GameCommands("tabulate", _tabulate, help="Count every position of a game by value and distance.")


@click.command("report")
@click.argument("source", metavar="[FILE|ID]", required=False, shell_complete=complete_saved)
@click.option(
    "--seconds",
    type=click.FloatRange(0),
    default=grades.POSITION_SECONDS,
    show_default=True,
    help="time limit per position; positions that take longer are not graded",
)
@click.option("--json", "as_json", is_flag=True, help="one JSON document, for programs")
def report_command(source: str | None, seconds: float, as_json: bool) -> None:
    """Find the mistakes and turning points of a game.

    Grades every decision of your last game, a saved game ID or a record FILE (- for standard input) by its exact value.
    """
    match = read_match(source)
    if not as_json:
        write_report(match, seconds)
        return
    click.echo(write_json(search_report(match, seconds)))
