"""``parlour solve`` and ``parlour tabulate``: what is exactly so."""

from __future__ import annotations

from typing import Any

import click

from parlour import referee
from parlour.cli.per_game import HELP, Games, chosen_texts, game_options
from parlour.cli.screen import Progress, Screen
from parlour.documents import write_json
from parlour.documents.solution import about_one_round, solution_document, tabulation_document
from parlour.game import ONGOING, AnyGame, P
from parlour.match import Match, Setup
from parlour.options import O, left_to_chance, show_options
from parlour.rules import Rules
from parlour.solver import Solver, Standing, kept_table
from parlour.solver.solution import VALUES

DEALT_FROM = "1"  # the seed of what chance decides, unless another is given


def in_words(standing: Standing) -> str:
    """win in 7 plies; draw."""
    if standing.plies is None:
        return standing.value
    return f"{standing.value} in {standing.plies} {'ply' if standing.plies == 1 else 'plies'}"


def set_up(game: AnyGame, texts: dict[str, str], seed: str) -> Match:
    """The game at its beginning, dealt."""
    return Match(Setup(game, referee.choose_options(game, texts), seed=seed))


def best_play(rules: Rules[O, P], position: P, solver: Solver) -> list[int]:
    """A line of best play, until the game is over or nobody can win any more."""
    line: list[int] = []
    for move in solver.line(position):
        if rules.settled(position):
            break
        line.append(move)
        position = rules.after(position, move)
    return line


def _solve(game: AnyGame) -> click.Command:
    def run(moves: str | None, position: str | None, outcome: bool, seed: str, json: bool, **given: Any) -> None:
        match = set_up(game, chosen_texts(given), seed)
        if moves is not None and position is not None:
            raise click.UsageError("give either --moves or --position")
        match.play_line((moves or "").split())
        here = match.position if position is None else referee.read_position(game, match.options, position)
        with Progress() as progress:
            solver = Solver(game, match.options, progress=progress)
            choices = [] if outcome else solver.choices(here)
            standing = Standing(VALUES[solver.value(here)], None) if outcome else solver.standing(here)
            lines = {choice.move: solver.line(game.play(match.options, here, choice.move)) for choice in choices[:200]}

        def name(move: int) -> str:
            return referee.name_move(game, match.options, move)

        if json:
            at = match if position is None else None
            play = None if outcome else best_play(match.rules, here, solver)
            found = solution_document(match.rules, here, standing, choices, match=at, lines=lines, line=play)
            click.echo(write_json(found))
            return
        screen = Screen()
        over = game.result(match.options, here) != ONGOING
        if position is None and not over:
            screen.draw(game.view(match.moment), match.legal)
            screen.say([""])
        mover = match.names[match.turn] if position is None else "The player to move"
        screen.say([f"{mover}: {in_words(standing)}" + (": the game is over" if over else "")], bold=True)
        for choice in choices[:200]:
            line = " ".join(name(move) for move in lines[choice.move])
            worth = in_words(Standing(choice.value, choice.plies))
            screen.say([f"  {name(choice.move):>5}  {worth:<17}  {line}".rstrip()])
        if len(choices) > 200:
            screen.say([f"  and {len(choices) - 200:,} more; --json gives all"])
        about = about_one_round(match.rules)
        if about is not None:
            screen.say(["", about])
        screen.say(["", f"Position: {referee.show_position(here)}"])

    return click.Command(
        game.key,
        callback=run,
        help=f"Solve {game.title} from the beginning, or from a position.",
        short_help=game.summary,
        params=[
            *game_options(game),
            click.Option(["--moves"], metavar="MOVES", help='what was played so far, e.g. "5 7 8"'),
            click.Option(["--position"], metavar="TOKEN", help="a position, as solve itself writes it"),
            click.Option(
                ["--outcome"], is_flag=True, help="only who wins, not how soon: much less work in a large game"
            ),
            click.Option(["--seed"], default=DEALT_FROM, metavar="TEXT", help="of what is dealt, if it is not given"),
            click.Option(["--json"], is_flag=True, help="one JSON document, for programs"),
        ],
        context_settings=HELP,
    )


def _tabulate(game: AnyGame) -> click.Command:
    def run(seed: str, json: bool, memory: int, **given: Any) -> None:
        match = set_up(game, chosen_texts(given), seed)
        with Progress() as progress:
            table = kept_table(game, match.options, memory=memory << 20, progress=progress)
        found = table.statistics()
        if json:
            click.echo(write_json(tabulation_document(match.rules, found)))
            return
        screen = Screen()
        dealt = [f"{name} {show_options(match.options)[name]}" for name in left_to_chance(game.options)]
        title = ", ".join([game.title, *dealt])
        screen.say([f"{title}: {found.positions:,} positions with somebody to move, symmetric ones counted once"])
        for value in ("win", "draw", "loss"):
            share = 100 * found.values[value] / found.positions
            screen.say([f"  {value:<4} {found.values[value]:>12,}  {share:5.1f} %"])
        for value in ("win", "loss"):
            counts = sorted(found.plies[value].items())
            screen.say([f"{value} in plies: " + "  ".join(f"{plies}: {count:,}" for plies, count in counts)])
        share = 100 * found.critical / max(found.decisions, 1)
        of = f"{found.critical:,} of {found.decisions:,} decisions"
        screen.say([f"critical (some move loses value): {of}, {share:.1f} %"])
        screen.say([f"longest win: {found.longest} plies"])

    return click.Command(
        game.key,
        callback=run,
        help=f"Count every position of {game.title} by value and distance. The table is kept for the next time.",
        short_help=game.summary,
        params=[
            *game_options(game),
            click.Option(["--seed"], default=DEALT_FROM, metavar="TEXT", help="of what is dealt, if it is not given"),
            click.Option(["--memory"], type=click.IntRange(16), default=3072, show_default=True, help="MB it may take"),
            click.Option(["--json"], is_flag=True, help="one JSON document, for programs"),
        ],
        context_settings=HELP,
    )


solve_command = Games("solve", _solve, help="Say who wins a position, how soon, and what every move is worth.")
tabulate_command = Games("tabulate", _tabulate, help="Count every position of a game by value and distance.")
