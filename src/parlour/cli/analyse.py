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

DEALT_FROM = "1"  # the seed of what chance decides, unless another is given
SOLVE_SECONDS = 60.0  # that an answer may take, unless another time is given
TABULATE_SECONDS = 600.0
MOST_SHOWN_CHOICES = 200  # choices that are shown, each with a line of best play


def _begin(game: Game, texts: dict[str, str], seed: str) -> Match:
    """The game at its beginning, dealt."""
    return Match(Setup(read_rules(game, texts), seed=seed))


@contextmanager
def _telling_the_work(limit: Limit) -> Iterator[None]:
    """Where nothing is found out within a limit, say with it how many positions were searched."""
    try:
        yield
    except TooBig as error:
        searched = f"; {limit.spent:,} positions were searched by then" if limit.spent else ""
        raise TooBig(f"{error}{searched}") from None


class Findings:
    """What is found out about a position within a limit, the cheapest first; TooBig if that is nothing."""

    def __init__(
        self, match: Match, position: str | None, outcome: bool, limit: Limit, tell: Callable[[str], None]
    ) -> None:
        """``outcome``: only who wins is asked for. ``tell`` is told what is being looked for."""
        self.rules = match.rules
        self.position = match.position if position is None else self.rules.read_position(position)
        self.choices: list[Choice] = []
        self.lines: dict[int, list[Move]] = {}  # best play after each choice
        self.line: list[Move] | None = None  # best play from here
        self.missing = ""  # what was not found out, if anything was not
        solver = Solver(self.rules)
        tell("Finding out who wins")
        self.score = Score(solver.value(self.position, limit))
        if outcome:
            return
        try:
            self.missing = "what every move is worth"
            legal = self.rules.legal(self.position)
            for place, move in enumerate(legal, 1):
                tell(f"Looking at move {place} of {len(legal):,}")
                self.choices += solver.choices(self.position, limit, [move])
            self.missing = "how soon"
            tell("Finding out how soon")
            self.score = solver.score(self.position, limit)
            self.missing = "the lines of best play"
            tell("Looking for lines of best play")
            self.line = solver.line(self.position, limit)
            for choice in self.choices[:MOST_SHOWN_CHOICES]:
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
            with _telling_the_work(limit):
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
            click.Option(["--moves"], metavar="MOVES", help='what was played so far, e.g. "5 7 8"'),
            click.Option(["--position"], metavar="TOKEN", help="a position, as solve itself writes it"),
            click.Option(
                ["--outcome"], is_flag=True, help="only who wins, not how soon: much less work in a large game"
            ),
            click.Option(["--seed"], default=DEALT_FROM, metavar="TEXT", help="of what is dealt, if it is not given"),
            seconds_option(SOLVE_SECONDS, "how long it may take; what is found out by then is shown"),
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
    seen = at_terminal() and position is None  # as at the table: a cell is called by the number in it
    if position is None and not over:
        if seen:
            show_table(screen, match, match.names, 1)
        else:
            screen.draw(match)
        screen.say([""])
    mover = match.names[match.turn - 1] if position is None else "The player to move"
    screen.say([f"{mover}: {found.score}" + (": the game is over" if over else "")], bold=True)
    for choice in found.choices[:MOST_SHOWN_CHOICES]:
        moves = [choice.move, *found.lines.get(choice.move, ())]
        name, *following = rules.spoken(moves) if seen else rules.names(moves)
        screen.say([f"  {name:>5}  {choice.score:<17}  {' '.join(following)}".rstrip()])
    if len(found.choices) > MOST_SHOWN_CHOICES:
        screen.say([f"  and {len(found.choices) - MOST_SHOWN_CHOICES:,} more; --json gives all"])
    about = about_one_round(rules)
    if about is not None:
        screen.say(["", *(reflow(about, min(width(), 80)) if at_terminal() else [about])])
    screen.say(["", f"Position: {show_position(found.position)}"])


def _tabulate(game: Game) -> click.Command:
    def run(seed: str, json: bool, memory: int, seconds: float, **given: str | None) -> None:
        match = _begin(game, chosen_texts(given), seed)
        with ProgressLine("Counting") as progress:
            limit = Limit(seconds, memory=memory << 20, on_progress=progress)
            with _telling_the_work(limit):
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
        help=f"Count every position of {game.title} by value and distance. The table is kept for the next time.",
        short_help=game.content.summary,
        params=[
            *game_options(game),
            click.Option(["--seed"], default=DEALT_FROM, metavar="TEXT", help="of what is dealt, if it is not given"),
            click.Option(["--memory"], type=click.IntRange(16), default=3072, show_default=True, help="MB it may take"),
            seconds_option(TABULATE_SECONDS, "how long it may take"),
            click.Option(["--json"], is_flag=True, help="one JSON document, for programs"),
        ],
        context_settings=HELP,
    )


solve_command = GameCommands("solve", _solve, help="Say who wins, how soon, and what every move is worth.")
tabulate_command = GameCommands("tabulate", _tabulate, help="Count every position of a game by value and distance.")


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
    """Show where a game turned: your last one, game ID or a record FILE.

    Every decision is graded by its exact value. FILE - is standard input.
    """
    match = read_match(source)
    if not as_json:
        write_report(match, seconds)
        return
    from parlour.writer import write_json

    click.echo(write_json(search_report(match, seconds)))
