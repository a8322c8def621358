"""The atlas: maps of a game under many options at once, as data and as SVG.

A map shows the rows of a sweep. The atlas that comes with Parlour has a map of each game with atlas options in its
content. It is one data file with a line for each map and a line for each square. It leaves out the costs of the sweep,
so that the same games always make the same file. Drawings need the extra ``plots``.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import resources
from itertools import product
from math import nan
from typing import TYPE_CHECKING, Any

from parlour.catalog import find_game
from parlour.datafile import read_datafile, write_datafile
from parlour.errors import BadOptions
from parlour.fields import about, document, hidden, written
from parlour.game import Game
from parlour.installation import own_command
from parlour.lab.measures import COSTS, FIELDS, Row, columns_of, row_of
from parlour.lab.results import read_results
from parlour.options import Number, declared, flag, read_options, say_options, unusual_options
from parlour.score import Value
from parlour.study.contest import TURNS
from parlour.version import __version__

FORMAT = 1
FILE = "atlas.gz"
STORED = [name for name in FIELDS if name not in COSTS]  # the stored fields of a row, in this order
PER_LINE = 20  # squares in a line, if at most one option varies
BEST = 5  # number of best contests in the JSON of a map


@document
class Shade:
    """A quantity that a map can show for each square."""

    key: str = about("the key")
    title: str = about("the title")
    about: str = about("a short description")


SHADES = {
    shade.key: shade
    for shade in (
        Shade(
            key="contest",
            title="Contest",
            about="how good a contest it makes: the turns that decide something, times the openness",
        ),
        Shade(
            key="winner",
            title="Who wins",
            about="with best play: 1, the player who begins; 2, the other; =, nobody",
        ),
        Shade(
            key="critical",
            title="Decisions",
            about="in how many of a hundred decisions some move loses value",
        ),
        Shade(key="turns", title="Length", about="turns of a game between equals who sometimes err"),
        Shade(key="first", title="First moves", about="how many first moves keep the value"),
    )
}


@document
class Chart:
    """Squares arranged in lines."""

    title: str = about('the options of the chart: "steps of 2, 3 or 5"; empty if it is the only one')
    across: str = about("the option of the columns; empty if the squares are just listed")
    down: str = about("the option of the lines")
    columns: list[str] = about("the values of the option `across`")
    lines: list[str] = about("the values of the option `down`")
    places: list[list[int | None]] = about(
        "for each line the indices of its squares, from 0; null where the options make no game"
    )


@document
class Square:
    """A row as shown on a map: rounded, with labels; null: not known within the time limit.

    It repeats the fields of ``Row`` that a page shows, with fewer digits: a map has several hundred squares.
    """

    options: dict[str, str] = about("the options that differ from the book's")
    words: str = about("the options that distinguish the square from the others, as text")
    alike: int = about("the number of deals that are this same game")
    shades: dict[str, float] = about("the darkness under each shade, from 0 to 1; left out where it is not known")
    texts: dict[str, str] = about("the label under each shade")
    value: Value | None = about("the value with best play, for the player who begins")
    plies: int | None = about("the number of turns with best play, passes included; null for a draw")
    first_moves: int | None = about("the number of first moves")
    keeping: list[str] | None = about("the number of first moves that keep the value")
    positions: int | None = about("positions with a player to move, those with the same canonical form counted once")
    critical_share: float | None = about("the share of decisions at which some move loses value")
    sampled: bool = about("whether `critical_share` and `holding` come from sampled games instead of all positions")
    holding: float | None = about("the number of moves that keep the value, on average over the decisions")
    first: float | None = about("between equals who sometimes err: the share of games that the player who begins wins")
    drawn: float | None = about("between equals who sometimes err: the share of drawn games")
    turns: float | None = about("between equals who sometimes err: the number of turns in a game, on average")
    critical_turns: float | None = about("the number of turns at which some move loses value, on average")
    measure: float | None = about("the quality of the contest")
    unfinished: str | None = about("the measures that were not found in time, and why")


@document
class Map:
    """The map of a game."""

    game: Game = about("the name of the game")

    @property
    @written
    def title(self) -> str:
        """the title of the game"""
        return self.game.title

    error: float = about("the error rate of equal players: 0.2 is one turn in five")
    seconds: float = about("the minimum time limit of a square, before a measure was left out")

    @property
    @written
    def command(self) -> str:
        """the command that measured the map, without the name of the file"""
        return sweep_command(self.game, self.seconds)

    @property
    @written
    def shades(self) -> list[Shade]:
        """the quantities that the map can show"""
        return list(SHADES.values())

    @property
    @written
    def charts(self) -> list[Chart]:
        """the arrangement of the squares"""
        return lay_out(self.game, self.rows)

    @property
    @written
    def squares(self) -> list[Square]:
        """the squares, in the order of their indices"""
        darkest = {
            shade: max((shown(row, shade)[1] or 0.0 for row in self.rows), default=0.0) or 1.0 for shade in SHADES
        }
        varied = list(varied_options(self.game, self.rows))
        return [_square(self.game, row, varied, darkest) for row in self.rows]

    @property
    @written
    def best(self) -> list[int]:
        """the indices of the best contests of eight to twenty turns, the best first"""
        numbers = {row.words: number for number, row in enumerate(self.rows)}
        return [numbers[row.words] for row in self.best_rows(BEST)]

    version: int = hidden()  # the version of the measured rules
    rows: tuple[Row, ...] = hidden()  # one for each square

    @property
    def left_out(self) -> int:
        """The number of squares with a measure that did not fit the budget."""
        return sum(bool(row.unfinished) for row in self.rows)

    def best_rows(self, most: int) -> list[Row]:
        """Return the best contests among games of suitable length."""
        shortest, longest = TURNS
        known = [row for row in self.rows if row.measure is not None and row.turns is not None]
        suitable = [row for row in known if shortest <= (row.turns or 0) <= longest]
        return sorted(suitable, key=lambda row: -(row.measure or 0))[:most]


def shown(row: Row, shade: str) -> tuple[str, float | None]:
    """Return the label and the darkness of a square under a shade; an empty label and None if it is not known."""
    if shade == "winner" and row.value is not None:
        return {Value.WIN: ("1", 1.0), Value.DRAW: ("=", 0.5), Value.LOSS: ("2", 0.0)}[row.value]
    if shade == "contest" and row.measure is not None:
        return f"{row.measure:.1f}", row.measure
    if shade == "critical" and row.critical_share is not None:
        return f"{100 * row.critical_share:.0f}", row.critical_share
    if shade == "turns" and row.turns is not None:
        return f"{row.turns:.0f}", row.turns
    if shade == "first" and row.keeping_first_moves is not None and row.first_moves:
        return str(row.keeping_first_moves), row.keeping_first_moves / row.first_moves
    return "", None


def _square(game: Game, row: Row, varied: list[str], darkest: Mapping[str, float]) -> Square:
    options = read_options(game.options, row.options)
    said = say_options(options)
    labels = {shade: shown(row, shade) for shade in SHADES}
    return Square(
        options=unusual_options(options),
        words=", ".join(said[name] for name in varied),
        alike=row.alike,
        shades={shade: round(dark / darkest[shade], 3) for shade, (_, dark) in labels.items() if dark is not None},
        texts={shade: text for shade, (text, _) in labels.items() if text},
        value=row.value,
        plies=row.distance,
        first_moves=row.first_moves,
        keeping=row.kept_by,
        positions=row.positions,
        critical_share=_rounded(row.critical_share),
        sampled=row.decisions_from == "games",
        holding=_rounded(row.holding),
        first=_rounded(row.first),
        drawn=_rounded(row.drawn),
        turns=_rounded(row.turns),
        critical_turns=_rounded(row.critical_turns),
        measure=_rounded(row.measure),
        unfinished=columns_of(row)["unfinished"],
    )


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 4)


def lay_out(game: Game, squares: Sequence[Row]) -> list[Chart]:
    """Return the charts of a map.

    The two numbers with the most values are the axes, and each combination of the other options has a chart.
    """
    texts = [row.options for row in squares]
    kinds, values = declared(game.options), varied_options(game, squares)
    varied = list(values)
    axes = sorted((name for name in varied if isinstance(kinds[name], Number)), key=lambda name: -len(values[name]))[:2]
    others = [name for name in varied if name not in axes]
    if not axes or (len(axes) == 1 and not others):
        return [_in_lines(squares, axes, texts)]
    across, down = axes[0], axes[1] if len(axes) > 1 else ""
    places = {tuple(each.get(name) for name in varied): number for number, each in enumerate(texts)}
    charts = []
    for chosen in product(*(values[name] for name in others)):
        here = dict(zip(others, chosen, strict=True))
        lines = [
            [places.get(tuple({**here, across: x, down: y}[name] for name in varied)) for x in values[across]]
            for y in (values[down] if down else [""])
        ]
        said = say_options(read_options(game.options, here))
        title = ", ".join(said[name] for name in others)
        charts.append(
            Chart(
                title=title,
                across=flag(across),
                down=flag(down),
                columns=values[across],
                lines=values[down] if down else [""],
                places=lines,
            )
        )
    return [_trimmed(chart) for chart in charts if any(place is not None for line in chart.places for place in line)]


def varied_options(game: Game, squares: Sequence[Row]) -> dict[str, list[str]]:
    """Return the options that differ between squares, with their values."""
    texts = [row.options for row in squares]
    values = {name: _in_order(each[name] for each in texts if name in each) for name in declared(game.options)}
    return {name: found for name, found in values.items() if len(found) > 1}


def _in_order(texts: Iterable[str]) -> list[str]:
    """Return the texts without duplicates: numbers in numeric order, then the others."""
    return sorted(set(texts), key=lambda text: (not text.isdigit(), int(text) if text.isdigit() else 0, text))


def _in_lines(squares: Sequence[Row], axes: Sequence[str], texts: Sequence[Mapping[str, str]]) -> Chart:
    """Return a chart of squares in the order of one option, or of their quality if there is none."""
    numbers = list(range(len(squares)))
    if axes:
        numbers.sort(key=lambda number: int(texts[number][axes[0]]))
    else:
        numbers.sort(key=lambda number: -(squares[number].measure or 0))
    lines: list[list[int | None]] = [[*numbers[begin : begin + PER_LINE]] for begin in range(0, len(numbers), PER_LINE)]
    lines[-1] += [None] * (PER_LINE - len(lines[-1])) if len(lines) > 1 else []
    heads = [texts[line[0] or 0].get(axes[0], "") if axes else "" for line in lines]
    down = f"{flag(axes[0])} from" if axes else ""
    return Chart(title="", across="", down=down, columns=[""] * len(lines[0]), lines=heads, places=lines)


def _trimmed(chart: Chart) -> Chart:
    """Return a chart without empty lines and columns."""
    lines = [number for number, line in enumerate(chart.places) if any(place is not None for place in line)]
    columns = [number for number in range(len(chart.columns)) if any(line[number] is not None for line in chart.places)]
    return replace(
        chart,
        columns=[chart.columns[number] for number in columns],
        lines=[chart.lines[number] for number in lines],
        places=[[chart.places[line][column] for column in columns] for line in lines],
    )


def read_map(path: str, game: Game) -> Map:
    """Return the map of a sweep's file.

    Raises:
        BadSweep: it is not the file of a sweep.
        BadOptions: it belongs to another game, or has no rows.
    """
    with read_results(path) as results:
        if results.head.game.key != game.key:
            raise BadOptions(f"{path} is a sweep of {results.head.game.title}, not of {game.title}")
        rows = tuple(results)
    if not rows:
        raise BadOptions(f"{path} has no rows yet")
    seconds = min(row.allowed_seconds for row in rows)
    return Map(game=game, version=game.version, error=results.head.settings.error, seconds=seconds, rows=rows)


def write_atlas(maps: Sequence[Map]) -> bytes:
    """Return maps as a file."""
    lines: list[object] = []
    for each in maps:
        about_map = {"game": each.game.key, "version": each.version, "error": each.error, "seconds": each.seconds}
        lines.append({**about_map, "squares": len(each.rows)})
        lines += [list(map(columns_of(row).get, STORED)) for row in each.rows]
    body = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    return write_datafile({"parlour": __version__, "fields": STORED}, body, FORMAT)


def read_atlas(data: bytes) -> dict[str, Map]:
    """Return the maps of a file by game; BadArchive if it is damaged."""
    return read_datafile(data, "the atlas", FORMAT, _maps)


def _maps(head: dict[str, Any], body: list[str]) -> dict[str, Map]:
    lines, names = iter(body), head["fields"]
    maps = {}
    for line in lines:
        own: dict[str, Any] = json.loads(line)
        found = (dict(zip(names, json.loads(next(lines)), strict=True)) for _ in range(own["squares"]))
        rows = tuple(row_of(columns) for columns in found)
        game = find_game(own["game"])
        maps[game.key] = Map(game=game, version=own["version"], error=own["error"], seconds=own["seconds"], rows=rows)
    return maps


@cache
def atlas() -> dict[str, Map]:
    """Return the maps that come with Parlour, by game."""
    return read_atlas(resources.files("parlour.lab").joinpath(FILE).read_bytes())


def shipped_map(game: Game) -> Map:
    """Return the map of a game that comes with Parlour; BadOptions if there is none."""
    if game.key not in atlas():
        raise BadOptions(f"the atlas has no map of {game.title}; make one: {own_command()} sweep {game.key}")
    return atlas()[game.key]


def sweep_options(game: Game) -> dict[str, list[str]] | None:
    """Return the values of each option in the atlas; None if the game is not in it."""
    if game.content.atlas is None:
        return None
    given: dict[str, list[str]] = {}
    for word in game.content.atlas:
        name, _, text = word.partition("=")
        given.setdefault(name, []).append(text)
    return given


def sweep_command(game: Game, seconds: float) -> str:
    """Return the command that measures the map of a game."""
    words = [f"--{flag(name)} {text}" for name, texts in (sweep_options(game) or {}).items() for text in texts]
    return " ".join(["parlour sweep", game.key, *words, f"--seconds {seconds:g}", "-o FILE"])


if TYPE_CHECKING:
    from matplotlib.axes import Axes

SQUARE = 0.34  # inches
COLOURS = {"winner": "RdYlBu", "contest": "YlGn", "critical": "YlOrBr", "turns": "PuBu", "first": "YlGn"}


def draw_map(found: Map, shade: str) -> bytes:
    """Return one shade of a map as SVG."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    charts = lay_out(found.game, found.rows)
    shades = [dark for row in found.rows if (dark := shown(row, shade)[1]) is not None]
    darkest = 1.0 if shade in ("winner", "first") else max(shades, default=1.0) or 1.0
    wide = max(len(chart.columns) for chart in charts)
    heights = [len(chart.lines) + 2.4 for chart in charts]
    # The salt makes the IDs in the SVG reproducible.
    with mpl.rc_context({"svg.hashsalt": "parlour", "svg.fonttype": "none", "font.size": 8, "axes.titlesize": 9}):
        figure = Figure(figsize=((wide + 3) * SQUARE, (sum(heights) + 1.5) * SQUARE), layout="constrained")
        axes = figure.subplots(len(charts), 1, squeeze=False, height_ratios=heights)[:, 0]
        for each, chart in zip(axes, charts, strict=True):
            _draw_chart(each, chart, found, shade, darkest)
        figure.suptitle(f"{found.game.title}: {SHADES[shade].title.lower()}")
        figure.supxlabel(SHADES[shade].about, fontsize=7)
        file = io.BytesIO()
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": "Parlour"})
    return b"\n".join(line.rstrip() for line in file.getvalue().splitlines()) + b"\n"


def _draw_chart(axes: Axes, chart: Chart, found: Map, shade: str, darkest: float) -> None:
    rows = [[None if place is None else shown(found.rows[place], shade) for place in line] for line in chart.places]
    grid = [[nan if not each or each[1] is None else each[1] / darkest for each in line] for line in rows]
    axes.pcolormesh(grid, cmap=COLOURS[shade], vmin=0, vmax=1.25, edgecolors="white", linewidth=0.5)
    for y, line in enumerate(rows):
        for x, each in enumerate(line):
            if each is not None:
                axes.text(x + 0.5, y + 0.5, each[0] or "?", ha="center", va="center", fontsize=6)
    axes.set_aspect("equal", anchor="W")
    axes.invert_yaxis()
    axes.set_xticks([x + 0.5 for x in range(len(chart.columns))], chart.columns)
    axes.set_yticks([y + 0.5 for y in range(len(chart.lines))], chart.lines)
    axes.set(xlabel=chart.across, ylabel=chart.down, title=chart.title)
    axes.tick_params(length=0)
    axes.set_frame_on(False)
