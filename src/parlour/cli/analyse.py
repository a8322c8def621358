"""The commands ``solve``, ``tabulate`` and ``report``: exact values of positions and games."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from parlour.cli.matches import read_match
from parlour.cli.options import HELP, GameCommands, chosen_texts, complete_kept, game_options, seconds_option
from parlour.documents.solution import about_one_round, solution_document
from parlour.errors import TooBig
from parlour.game import Game, Move
from parlour.limit import Limit
from parlour.match import Match
from parlour.options import flag, left_to_chance, show_options
from parlour.rules import read_rules, show_position
from parlour.score import Score
from parlour.setup import Setup
from parlour.solver import Analysis, Choice, Solver, kept_table
from parlour.solver.tables import estimate, path_of
from parlour.study import grades
from parlour.terminal.board import show_table
from parlour.terminal.report import search_report, write_report
from parlour.terminal.screen import ProgressLine, Screen, at_terminal, reflow, width
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


class Findings:
    """The results of a search within a limit, the cheapest first: value, choices, distance, lines of best play."""

    def __init__(
        self, match: Match, position: str | None, outcome: bool, limit: Limit, tell: Callable[[str], None]
    ) -> None:
        """Search a position, or only its value with ``outcome``; ``tell`` receives the current step.

        Raises TooBig if not even the value is found.
        """
        self.rules = match.rules
        self.position = match.position if position is None else self.rules.read_position(position)
        self.choices: list[Choice] = []
        self.lines: dict[int, list[Move]] = {}  # best play after each choice
        self.line: list[Move] | None = None  # best play from here
        self.missing = ""  # the first result that was not found
        solver = Solver(self.rules)
        tell("Finding the winner")
        self.score = Score(solver.value(self.position, limit))
        if outcome:
            return
        try:
            self.missing = "the value of every move"
            legal = self.rules.legal(self.position)
            for place, move in enumerate(legal, 1):
                tell(f"Searching move {place} of {len(legal):,}")
                self.choices += solver.choices(self.position, limit, [move])
            self.missing = "how soon"
            tell("Finding the distance")
            self.score = solver.score(self.position, limit)
            self.missing = "the lines of best play"
            tell("Finding lines of best play")
            self.line = solver.line(self.position, limit)
            for choice in self.choices[:MAX_SHOWN_CHOICES]:
                self.lines[choice.move] = solver.line(self.rules.after(self.position, choice.move), limit)
            self.missing = ""
        except TooBig:
            pass


def _solve(game: Game) -> click.Command:
    def run(
        moves: str | None, position: str | None, outcome: bool, seed: str, seconds: float, json: bool,
        **given: str | None,
    ) -> int:  # fmt: skip
        match = _begin(game, chosen_texts(given), seed)
        if moves is not None and position is not None:
            raise click.UsageError("give either --moves or --position")
        match.play_line((moves or "").split())
        with ProgressLine() as progress:
            limit = Limit(seconds, on_progress=progress)
            with _reporting_positions(limit):
                found = Findings(match, position, outcome, limit, progress.tell)
        if json:
            _write_json(match, position, found)
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
            click.Option(["--position"], metavar="TOKEN", help="a position, as solve prints it"),
            click.Option(["--outcome"], is_flag=True, help="only who wins, not how soon: much faster in a large game"),
            click.Option(["--seed"], default=DEFAULT_SEED, metavar="TEXT", help="seed for the deal, if none is given"),
            seconds_option(SOLVE_SECONDS, "time limit; what was found by then is shown"),
            click.Option(["--json"], is_flag=True, help="one JSON document, for programs"),
        ],
        context_settings=HELP,
    )


def _write_json(match: Match, position: str | None, found: Findings) -> None:
    here = match if position is None else None
    analysis = Analysis(
        rules=found.rules,
        position=found.position,
        value=found.score.value,
        plies=found.score.plies,
        choices=found.choices,
        line=found.line,
    )
    click.echo(write_json(solution_document(analysis, match=here, lines=found.lines)))


def _show(match: Match, position: str | None, found: Findings) -> None:
    screen, rules = Screen(), found.rules
    over = rules.is_over(found.position)
    on_board = at_terminal() and position is None  # then moves are named as in a game
    if position is None and not over:
        if on_board:
            show_table(screen, match, match.names, 1)
        else:
            screen.draw(match)
        screen.say([""])
    mover = match.names[match.turn - 1] if position is None else "The player to move"
    screen.say([f"{mover}: {found.score}" + (": the game is over" if over else "")], bold=True)
    for choice in found.choices[:MAX_SHOWN_CHOICES]:
        moves = [choice.move, *found.lines.get(choice.move, ())]
        name, *following = rules.spoken(moves) if on_board else rules.names(moves)
        screen.say([f"  {name:>5}  {choice.score:<17}  {' '.join(following)}".rstrip()])
    if len(found.choices) > MAX_SHOWN_CHOICES:
        screen.say([f"  and {len(found.choices) - MAX_SHOWN_CHOICES:,} more; --json gives all"])
    about = about_one_round(rules)
    if about is not None:
        screen.say(["", *(reflow(about, min(width(), 80)) if at_terminal() else [about])])
    screen.say(["", f"Position: {show_position(found.position)}"])


def _tabulate(game: Game) -> click.Command:
    def run(seed: str, json: bool, memory: int, seconds: float, **given: str | None) -> None:
        match = _begin(game, chosen_texts(given), seed)
        with ProgressLine("Counting") as progress:
            limit = Limit(seconds, memory=memory << 20, on_progress=progress)
            with _reporting_positions(limit):
                if progress.shows and not os.path.exists(path_of(match.rules)):
                    progress.whole = estimate(match.rules)
                table = kept_table(match.rules, limit)
        found = table.statistics()
        if json:
            click.echo(write_json(found))
            return
        screen = Screen()
        dealt = [f"{flag(name)} {show_options(match.options)[name]}" for name in left_to_chance(game.options)]
        title = ", ".join([game.title, *dealt])
        once = f", {game.content.counted_once} counted once" if game.content.counted_once else ""
        screen.say([f"{title}: {found.positions:,} positions with somebody to move{once}"])
        for value, count in found.values.items():
            share = 100 * count / found.positions
            screen.say([f"  {value:<4} {count:>12,}  {share:5.1f} %"])
        for value, counts in found.plies.items():
            by_plies = "  ".join(f"{plies}: {count:,}" for plies, count in sorted(counts.items()))
            screen.say([f"{value} in turns: {by_plies}"])
        share = 100 * found.critical / max(found.decisions, 1)
        of = f"{found.critical:,} of {found.decisions:,} decisions"
        screen.say([f"critical (some move loses value): {of}, {share:.1f} %"])
        screen.say([f"longest win: {found.longest} turns"])

    return click.Command(
        game.key,
        callback=run,
        help=f"Count every position of {game.title} by value and distance. The table is saved.",
        short_help=game.content.summary,
        params=[
            *game_options(game),
            click.Option(["--seed"], default=DEFAULT_SEED, metavar="TEXT", help="seed for the deal, if none is given"),
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
@click.argument("source", metavar="[FILE|ID]", required=False, shell_complete=complete_kept)
@click.option(
    "--seconds",
    type=click.FloatRange(0),
    default=grades.POSITION_SECONDS,
    show_default=True,
    help="time limit per position; beyond it a position is not graded",
)
@click.option("--json", "as_json", is_flag=True, help="one JSON document, for programs")
def report_command(source: str | None, seconds: float, as_json: bool) -> None:
    """Show where a game turned: your last one, game ID or a record FILE.

    Every decision is graded by its exact value. FILE - is standard input.
    """
    match = read_match(source)
    if not as_json:
        write_report(match, seconds)
        return
    from parlour.writer import write_json

    click.echo(write_json(search_report(match, seconds)))
