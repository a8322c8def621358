"""The commands ``sweep`` and ``atlas``."""

from __future__ import annotations

import csv
import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import ceil
from typing import TYPE_CHECKING, Any

import click

from parlour.cli.options import CLUSTER_HELP, HELP, GameCommands, chosen_executor
from parlour.errors import BadSweep, MissingExtra, NoWorkers
from parlour.files import write_whole
from parlour.game import Game
from parlour.installation import own_command
from parlour.lab.measures import DEFAULT_METHOD, FIELDS, MEASURES, Budget, Method, Row, columns_of
from parlour.lab.results import MEMORY, open_results
from parlour.lab.sweep import (
    DEFAULT_MEMORY,
    Combinations,
    Forecast,
    Machine,
    Sweep,
    check_disk,
    check_measures,
    combine,
    head_of,
    missing_tasks,
    run,
    share_memory,
)
from parlour.options import declared, flag, read_options, show_options, show_words, unusual_options
from parlour.parallel import LOCAL_CLUSTER, cores
from parlour.terminal.screen import Screen, any_width, width
from parlour.text import counted
from parlour.writer import write_json

if TYPE_CHECKING:
    from parlour.lab.atlas import Map


MAX_SHOWN_ROWS = 60  # larger sweeps are only counted


def _sweep(game: Game) -> click.Command:
    def sweep(
        measures: str | None,
        error: float,
        games: int,
        seed: int,
        seconds: float,
        memory: int | None,
        jobs: int | None,
        cluster: str | None,
        output: str | None,
        table: str | None,
        document: str | None,
        **given: tuple[str, ...],
    ) -> None:
        found = combine(game, {name.removeprefix("option_"): texts for name, texts in given.items()})
        settings = Method(measures=read_measures(measures), error=error, games=games, seed=seed)
        path = output or MEMORY
        check_disk(path, len(found.rules))
        machine = _machine(cluster, min(jobs or cores(), len(found.rules)), None if memory is None else memory << 20)
        budget = Budget(seconds, machine.memory)
        head = head_of(found.rules[0], settings)
        with open_results(path, head) as results:
            tasks = missing_tasks(game, found, settings, budget, results)
            if tasks:
                with chosen_executor(cluster, min(machine.jobs, len(tasks))) as (executor, workers):
                    forecast = Forecast([guess for _, guess in tasks], budget, workers)
                    with _resumable(output), _progress(forecast, len(tasks)) as note:
                        run([task for task, _ in tasks], results, executor, note)
            swept = {show_words(rules.options) for rules in found.rules}
            rows = [row for row in results if row.words in swept]
        if table is not None:
            write_whole(table, csv_of(game, rows).encode())
        if document is not None:
            whole = Sweep(game=game, settings=settings, left_out=found.left_out, rows=rows)
            write_whole(document, (write_json(whole, indent=2) + "\n").encode())
        _print_rows(game, rows, found, len(tasks), output)

    return click.Command(
        game.key,
        callback=sweep,
        help=f"""Measure {game.title} under every combination of options: who wins, how close, which choices matter.

        An option takes a list of values and ranges, like 4-8,10, and can be repeated.""",
        short_help=f"Measure {game.title} under every combination of options.",
        params=[
            *_lists_of_options(game),
            click.Option(
                ["--measure", "measures"], metavar="LIST",
                help=f"metrics, separated by commas: {', '.join(MEASURES)}  [default: all]",
            ),
            click.Option(
                ["--error"], type=click.FloatRange(0, 1), default=DEFAULT_METHOD.error, show_default=True,
                help="error rate of both players, for the contest",
            ),
            click.Option(
                ["--games"], type=click.IntRange(2, 1_000_000), default=DEFAULT_METHOD.games, show_default=True,
                help="games to sample if there are too many positions to measure",
            ),
            click.Option(
                ["--seed"],
                type=click.IntRange(0),
                default=DEFAULT_METHOD.seed,
                show_default=True,
                help="seed for the samples",
            ),
            click.Option(
                ["--seconds"], type=click.FloatRange(0), default=600.0, show_default=True,
                help="time limit per row; metrics that take longer are skipped and listed in the row",
            ),
            click.Option(
                ["--memory"], metavar="MB", type=click.IntRange(1),
                help="memory limit per row  [default: a share of the free memory, at most 3072]",
            ),
            click.Option(
                ["--jobs"], metavar="N", type=click.IntRange(1, 1000),
                help="number of processes  [default: one per core]",
            ),
            click.Option(["--cluster"], metavar="ADDRESS", help=CLUSTER_HELP),
            click.Option(
                ["-o", "--output"], metavar="FILE",
                help="save every row in this SQLite file, or resume the sweep in it",
            ),
            click.Option(["--csv", "table"], metavar="FILE", help="also write the rows as CSV"),
            click.Option(["--json", "document"], metavar="FILE", help="also write the rows as JSON"),
        ],
        context_settings=HELP,
    )  # fmt: skip


sweep_command = GameCommands("sweep", _sweep, help="Measure a game under every combination of options.")


def _lists_of_options(game: Game) -> list[click.Option]:
    """Return the options of a game as options of a command that take lists."""
    defaults = show_options(game.defaults)
    return [
        click.Option(
            [f"--{flag(name)}", f"option_{name}"], metavar="LIST", multiple=True,
            help=f"{kind.help}  [{kind.allowed}; default: {defaults[name] or 'one of each kind'}]",
        )
        for name, kind in declared(game.options).items()
    ]  # fmt: skip


def read_measures(text: str | None) -> tuple[str, ...]:
    """Parse a comma-separated list of metrics; None is all. Raises BadOptions if one is unknown."""
    if text is None:
        return tuple(MEASURES)
    return check_measures([word.strip() for word in text.split(",")])


def _machine(cluster: str | None, jobs: int, memory: int | None) -> Machine:
    """Return the resources of this machine, or defaults for the unknown machines of a cluster."""
    if cluster in (None, LOCAL_CLUSTER):
        return share_memory(jobs, memory)
    return Machine(jobs, memory or DEFAULT_MEMORY)


@contextmanager
def _resumable(output: str | None) -> Iterator[None]:
    """Print how to resume the sweep if it is interrupted."""
    hint = "" if output is None else f"every finished row is in {output}; the same command resumes"
    try:
        yield
    except KeyboardInterrupt:
        click.echo(f"\nparlour: {hint}" if hint else "", err=True)
        raise
    except (BadSweep, NoWorkers) as error:
        raise type(error)(f"{error}; {hint}" if hint else str(error)) from None


@contextmanager
def _progress(forecast: Forecast, rows: int) -> Iterator[Callable[[int, Row], None]]:
    """Show the progress and the remaining time on standard error, if it is a terminal."""
    if not sys.stderr.isatty() or not rows:
        yield lambda place, row: forecast.note(place, row.seconds)
        return
    bar: Any
    with click.progressbar(
        length=rows, label="Measuring", file=sys.stderr, show_eta=False, show_pos=True,
        item_show_func=lambda _: time_left(forecast.seconds),
    ) as bar:  # fmt: skip

        def note(place: int, row: Row) -> None:
            forecast.note(place, row.seconds)
            bar.update(1)

        yield note


def time_left(seconds: float | None) -> str:
    """Return the remaining time as text."""
    if seconds is None:
        return ""
    if seconds < 90:
        return f"about {ceil(seconds)} s left"
    return f"about {ceil(seconds / 60)} min left" if seconds < 5400 else f"about {seconds / 3600:.1f} h left"


# Output.


def csv_of(game: Game, rows: Sequence[Row]) -> str:
    """Return the rows as CSV, with a column for each option and metric."""
    names = list(declared(game.options))
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([*(f"option_{name}" for name in names), *FIELDS])
    for row in rows:
        writer.writerow([*(row.options.get(name, "") for name in names), *columns_of(row).values()])
    return file.getvalue()


def _print_rows(game: Game, rows: Sequence[Row], found: Combinations, measured: int, output: str | None) -> None:
    screen = Screen()
    if len(rows) <= MAX_SHOWN_ROWS:
        screen.say(table_of(rows))
        screen.say([""])
    parts = [f"{game.title}: {counted(len(rows), 'row')}"]
    if measured < len(rows):
        parts.append(f"{len(rows) - measured:,} of them measured before")
    if found.left_out:
        parts.append(f"{counted(found.left_out, 'combination')} left out as invalid")
    short = sum(bool(row.unfinished) for row in rows)
    if short:
        parts.append(f"{short:,} of them incomplete, for lack of time or memory")
    screen.say([", ".join(parts) + (f": {output}" if output is not None else "")])


COLUMNS: dict[str, Callable[[Row], str | None]] = {
    "best play": lambda row: (
        None if row.value is None else f"{row.value}{f' in {row.distance}' if row.distance else ''}"
    ),
    "first moves": lambda row: _of(row.keeping_first_moves, row.first_moves),
    "positions": lambda row: None if row.positions is None else f"{row.positions:,}",
    "critical": lambda row: _percent(row.critical_share, row.critical_low, row.critical_high),
    "hold": lambda row: None if row.holding is None else f"{row.holding:.1f}",
    "first": lambda row: _percent(row.first),
    "drawn": lambda row: _percent(row.drawn),
    "second": lambda row: _percent(row.second),
    "turns": lambda row: None if row.turns is None else f"{row.turns:.1f}",
    "measure": lambda row: None if row.measure is None else f"{row.measure:.2f}",
}
# Left out of a narrow terminal, in this order.
OPTIONAL_COLUMNS = ("hold", "first", "second", "turns", "positions", "drawn")


def _of(part: int | None, whole: int | None) -> str | None:
    return None if part is None else f"{part} of {whole}"


def _percent(share: float | None, low: float | None = None, high: float | None = None) -> str | None:
    if share is None:
        return None
    return f"{share:.0%}" if low is None or high is None else f"{low:.0%} to {high:.0%}"


def table_of(rows: Sequence[Row]) -> list[str]:
    """Return the rows as a text table: the options that vary and the metrics, with a dash for unknown values.

    A narrow terminal shows fewer metrics.
    """
    texts = [row.options for row in rows]
    names = [name for name in texts[0] if len({each.get(name) for each in texts}) > 1] or list(texts[0])
    columns = {flag(name): [each.get(name, "") for each in texts] for name in names}
    for title, show in COLUMNS.items():
        cells = [show(row) for row in rows]
        if any(cell is not None for cell in cells):
            columns[title] = [cell or "-" for cell in cells]
    widths = {title: max(map(len, [title, *cells])) for title, cells in columns.items()}
    for title in OPTIONAL_COLUMNS:
        if any_width() or sum(widths.values()) + 2 * len(widths) - 2 <= width():
            break
        widths.pop(title, None)
    lines = [list(widths), *zip(*(columns[title] for title in widths), strict=True)]
    return ["  ".join(cell.rjust(size) for cell, size in zip(line, widths.values(), strict=True)) for line in lines]


DEFAULT_BEST = 10  # listed games


def _atlas(game: Game) -> click.Command:
    def run(sweep: str | None, output: str | None, best: int) -> None:
        from parlour.lab.atlas import read_map, shipped_map

        found = shipped_map(game) if sweep is None else read_map(sweep, game)
        if output is not None:
            _draw(found, output)
            return

        screen = Screen()
        rows = found.best_rows(best)
        if rows:
            head, *lines = table_of(found.rows)  # all rows, to show the options in which any differ
            by_options = dict(zip((row.words for row in found.rows), lines, strict=True))
            screen.say(["The closest games:", "", head, *(by_options[row.words] for row in rows), ""])
            texts = unusual_options(read_options(game.options, rows[0].options))
            words = " ".join(f"--{flag(name)} {text}" for name, text in texts.items())
            screen.say([f"Play the best: {own_command()} play {game.key} {words}".rstrip()])
        summary = f"{game.title}: {counted(len(found.rows), 'combination')}"
        if found.left_out:
            summary += f", {found.left_out} of them incomplete, for lack of time or memory"
        screen.say([summary])

    return click.Command(
        game.key,
        callback=run,
        help=f"Show which options of {game.title} make the best games, or draw maps of all.",
        short_help=f"Show which options of {game.title} make the best games.",
        params=[
            click.Option(["--sweep"], metavar="FILE", help="a file of parlour sweep  [default: the built-in atlas]"),
            click.Option(["-o", "--output"], metavar="FOLDER", help="draw SVG maps of all combinations to this folder"),
            click.Option(
                ["--best"], metavar="N", type=click.IntRange(1, 1000), default=DEFAULT_BEST, show_default=True,
                help="number of games to list",
            ),
        ],
        context_settings=HELP,
    )  # fmt: skip


atlas_command = GameCommands("atlas", _atlas, help="Show which options make the best games; draw maps.")


def _draw(found: Map, folder: str) -> None:
    from parlour.lab.atlas import SHADES

    try:
        from parlour.lab.atlas import draw_map

        pictures = {f"{found.game.key}-{shade}.svg": draw_map(found, shade) for shade in SHADES}
    except ModuleNotFoundError:
        raise MissingExtra("pictures need matplotlib", "plots") from None
    os.makedirs(folder, exist_ok=True)
    for name, picture in pictures.items():
        write_whole(os.path.join(folder, name), picture)
        click.echo(os.path.join(folder, name))
