"""The command ``leaderboard``: comparison of language models."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

import click

from parlour.evals import leaderboard
from parlour.evals.instances import POLICIES
from parlour.evals.leaderboard import Run, Terms, UnfinishedLog
from parlour.evals.metrics import MEASURES, PERFECT, RANDOM, Estimate
from parlour.terminal.screen import Screen
from parlour.text import cleaned, clip, counted, sentence

ALL = "all"
CELL_WIDTH = 18  # columns of a score
MAX_MODEL = 100  # characters of a model's name and settings


@click.command("leaderboard")
@click.argument("logs", metavar="LOGS...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--policy",
    type=click.Choice([*POLICIES, ALL]),
    help="how illegal answers count  [default: as each run declares]",
)
@click.option(
    "--plot",
    "picture",
    metavar="FILE",
    type=click.Path(dir_okay=False, writable=True),
    help="draw points and accuracy to this SVG or PNG file",
)
@click.option(
    "--csv",
    "table",
    metavar="FILE",
    type=click.Path(dir_okay=False, writable=True),
    help="write every score to this file",
)
@click.option(
    "--records",
    metavar="FOLDER",
    type=click.Path(file_okay=False),
    help="write every game's record to this folder",
)
def leaderboard_command(
    logs: tuple[str, ...], policy: str | None, picture: str | None, table: str | None, records: str | None
) -> None:
    """Compare language models by the logs of their runs.

    Every score is followed by its 95 % confidence interval. Below the models are the expected scores of random and
    perfect play in the same games. docs/evals.md explains the scores.
    """
    runs, unfinished = leaderboard.read_runs(logs)
    screen = Screen()
    for terms, same in leaderboard.by_terms(runs):
        for chosen in POLICIES if policy == ALL else [policy]:
            _print_table(screen, terms, same, chosen)
    if unfinished:
        screen.say([*(_unfinished(log) for log in unfinished), ""])
    if table is not None:
        with open(table, "w", encoding="utf-8", newline="") as file:
            leaderboard.write_csv(file, runs)
    if records is not None:
        screen.say([f"{counted(leaderboard.write_records(records, runs), 'record')} in {clip(records)}"])
    if picture is not None:
        from parlour.evals.leaderboard import plot

        plot(picture, runs, None if policy == ALL else policy)


def _print_table(screen: Screen, terms: Terms, runs: Sequence[Run], policy: str | None) -> None:
    """Print a group of comparable runs; without a policy, each run is scored under the one it declares."""
    rows = [(cleaned(run.model, MAX_MODEL), run, policy or run.policy) for run in runs]
    shown = [name for name in MEASURES if any(run.estimate(under, name) for _, run, under in rows)]
    wide = max(len(name) for name in (*(row[0] for row in rows), f"{PERFECT} play"))
    screen.say([terms.description], bold=True)
    screen.say([sentence(terms.versions)])
    for under in dict.fromkeys(under for _, _, under in rows):
        screen.say([f"Policy {under}: {POLICIES[under]}."])
    screen.say(
        [f"{'':{wide}}  {'games':>5}  {''.join(MEASURES[name].title.ljust(CELL_WIDTH) for name in shown)}".rstrip()]
    )
    for model, run, under in rows:
        games = sum(game.counted[under].games for game in run.games)
        cells = "".join(_cell(run.estimate(under, name)).ljust(CELL_WIDTH) for name in shown)
        screen.say([f"{model:{wide}}  {games:>5g}  {cells}".rstrip()])
    for word in (RANDOM, PERFECT):
        expected = [[run.expected(under, name, word) for name in shown] for _, run, under in rows]
        lines = (
            "".join(("" if value is None else f"{value:.2f}").ljust(CELL_WIDTH) for value in each) for each in expected
        )
        for cells in dict.fromkeys(lines):  # several if the models played different games
            screen.say([f"{word + ' play':{wide}}  {'':>5}  {cells}".rstrip()])
    for model, run, _ in rows:
        if run.unscored:
            screen.say([sentence(f"{model}: {counted(run.unscored, 'sample')} without a score")])
    screen.say([""])


def _unfinished(log: UnfinishedLog) -> str:
    left = f"{counted(log.games, 'game')} counted" if log.games else "no game counted"
    name, model = cleaned(PurePath(log.path).name), cleaned(log.model, MAX_MODEL)
    return f"{name} did not finish ({model}, status {log.status}): {left}."


def _cell(found: Estimate | None) -> str:
    return "" if found is None else f"{found.value:.2f} {found.low:.2f}-{found.high:.2f}"
