"""The atlas: a game under many options at once, laid out as maps of squares.

A map comes from a sweep. The atlas that is shipped holds one for each game whose file says which options are worth
mapping; it is one compressed file with a line that says what it is, and for each map a line about it and one for each
square. What a sweep cost is left out, so that the same games make the same file.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache
from importlib import resources
from itertools import product
from typing import Any, NamedTuple

from parlour.catalog import find_game
from parlour.errors import BadArchive, BadOptions
from parlour.game import Game
from parlour.installation import own_command
from parlour.lab.measures import COSTS, Row
from parlour.lab.results import read_results
from parlour.options import Number, declared, flag, read_options, read_words, say_options
from parlour.study.contest import TURNS
from parlour.version import __version__

FORMAT = 1
FILE = "atlas.gz"
KEPT = [field.name for field in fields(Row) if field.name not in COSTS]  # of a row, in this order
WIDE = 20  # squares in a line, where they follow one option or none


class Map(NamedTuple):
    """Many squares of one game."""

    game: Game
    version: int  # of its rules, when it was measured
    error: float  # how often equal players err
    seconds: float  # that each square had, at least, before something was left out
    squares: tuple[Row, ...]

    @property
    def left_out(self) -> int:
        """Squares of which something did not fit the budget."""
        return sum(square.unfinished is not None for square in self.squares)

    def best(self, most: int) -> list[Row]:
        """The best contests among those that take as long as one should."""
        shortest, longest = TURNS
        known = [row for row in self.squares if row.measure is not None and row.turns is not None]
        handy = [row for row in known if shortest <= (row.turns or 0) <= longest]
        return sorted(handy, key=lambda row: -(row.measure or 0))[:most]


class Shade(NamedTuple):
    """One thing that a map can show of each square."""

    title: str
    about: str


SHADES = {
    "contest": Shade("Contest", "how good a contest it makes: the turns that decide something, times the openness"),
    "winner": Shade("Who wins", "with best play: 1, the player who begins; 2, the other; =, nobody"),
    "critical": Shade("Decisions", "in how many of a hundred decisions some move loses value"),
    "turns": Shade("Length", "turns of a game between equals who sometimes err"),
    "first": Shade("First moves", "how many first moves keep the value"),
}


def shown(row: Row, shade: str) -> tuple[str, float | None]:
    """What a square says under a shade, and how dark it is, from 0 up; nothing and None if it is not known."""
    if shade == "winner" and row.value is not None:
        return {"win": ("1", 1.0), "draw": ("=", 0.5), "loss": ("2", 0.0)}[row.value]
    if shade == "contest" and row.measure is not None:
        return f"{row.measure:.1f}", row.measure
    if shade == "critical" and row.critical_share is not None:
        return f"{100 * row.critical_share:.0f}", row.critical_share
    if shade == "turns" and row.turns is not None:
        return f"{row.turns:.0f}", row.turns
    if shade == "first" and row.keeping_first_moves is not None and row.first_moves:
        return str(row.keeping_first_moves), row.keeping_first_moves / row.first_moves
    return "", None


# Where the squares lie.


class Chart(NamedTuple):
    """One map on paper: squares in lines, under headings."""

    title: str  # which options it is for, where there are several: "steps of 2, 3 or 5"
    across: str  # what the columns are; empty: they only follow each other
    down: str
    columns: list[str]
    lines: list[str]
    places: list[list[int | None]]  # the squares by their numbers, line by line; None: there is no such game


def lay_out(game: Game, squares: Sequence[Row]) -> list[Chart]:
    """The charts of a map: by the two numbers that vary most, with one chart for each of the other options."""
    texts = [read_words(row.options) for row in squares]
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
        charts.append(Chart(title, flag(across), flag(down), values[across], values[down] if down else [""], lines))
    return [_trimmed(chart) for chart in charts if any(place is not None for line in chart.places for place in line)]


def varied_options(game: Game, squares: Sequence[Row]) -> dict[str, list[str]]:
    """The options in which the squares differ, each with its values."""
    texts = [read_words(row.options) for row in squares]
    values = {name: _in_order(each[name] for each in texts if name in each) for name in declared(game.options)}
    return {name: found for name, found in values.items() if len(found) > 1}


def _in_order(texts: Iterable[str]) -> list[str]:
    """Each text once, numbers by their size and whatever is none of them at the end."""
    return sorted(set(texts), key=lambda text: (not text.isdigit(), int(text) if text.isdigit() else 0, text))


def _in_lines(squares: Sequence[Row], axes: Sequence[str], texts: Sequence[Mapping[str, str]]) -> Chart:
    """Squares that follow one option, or the measure where there is none to follow."""
    numbers = list(range(len(squares)))
    if axes:
        numbers.sort(key=lambda number: int(texts[number][axes[0]]))
    else:
        numbers.sort(key=lambda number: -(squares[number].measure or 0))
    lines: list[list[int | None]] = [[*numbers[begin : begin + WIDE]] for begin in range(0, len(numbers), WIDE)]
    lines[-1] += [None] * (WIDE - len(lines[-1])) if len(lines) > 1 else []
    heads = [texts[line[0] or 0].get(axes[0], "") if axes else "" for line in lines]
    return Chart("", "", f"{flag(axes[0])} from" if axes else "", [""] * len(lines[0]), heads, lines)


def _trimmed(chart: Chart) -> Chart:
    """A chart without lines and columns that have no square."""
    lines = [number for number, line in enumerate(chart.places) if any(place is not None for place in line)]
    columns = [number for number in range(len(chart.columns)) if any(line[number] is not None for line in chart.places)]
    return chart._replace(
        columns=[chart.columns[number] for number in columns],
        lines=[chart.lines[number] for number in lines],
        places=[[chart.places[line][column] for column in columns] for line in lines],
    )


# Files.


def read_map(path: str, game: Game) -> Map:
    """The map that the file of a sweep makes; BadSweep if it is none, BadOptions if it is of another game."""
    with read_results(path) as results:
        if results.head.game.key != game.key:
            raise BadOptions(f"{path} is a sweep of {results.head.game.title}, not of {game.title}")
        rows = tuple(results)
    if not rows:
        raise BadOptions(f"{path} has no rows yet")
    return Map(game, game.version, results.head.settings.error, min(row.allowed_seconds for row in rows), rows)


def write_atlas(maps: Sequence[Map]) -> bytes:
    """Maps as the file that is shipped."""
    lines: list[object] = []
    for each in maps:
        about = {"game": each.game.key, "version": each.version, "error": each.error, "seconds": each.seconds}
        lines.append({**about, "squares": len(each.squares)})
        lines += [[getattr(row, name) for name in KEPT] for row in each.squares]
    body = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines).encode()
    head = {"format": FORMAT, "parlour": __version__, "fields": KEPT, "sha256": hashlib.sha256(body).hexdigest()}
    compressor = zlib.compressobj(9, wbits=31)  # as gzip, without a time
    return compressor.compress(json.dumps(head).encode() + b"\n" + body) + compressor.flush()


def read_atlas(data: bytes) -> dict[str, Map]:
    """The maps of a file, by game; BadArchive if it is damaged."""
    try:
        first, _, body = zlib.decompress(data, 31).partition(b"\n")
        head = json.loads(first)
        if head["format"] != FORMAT:
            raise BadArchive(f"the atlas has format {head['format']}, and this Parlour reads {FORMAT}")
        if hashlib.sha256(body).hexdigest() != head["sha256"]:
            raise BadArchive("the atlas is damaged; install Parlour again")
        lines = iter(body.decode().splitlines())
        return {found.game.key: found for found in _maps(lines, head["fields"])}
    except (zlib.error, ValueError, KeyError, TypeError, StopIteration) as error:
        if isinstance(error, BadArchive):
            raise
        raise BadArchive("the atlas is damaged; install Parlour again") from None


def _maps(lines: Iterator[str], names: Sequence[str]) -> Iterator[Map]:
    for line in lines:
        about: dict[str, Any] = json.loads(line)
        rows = [Row(**dict(zip(names, json.loads(next(lines)), strict=True))) for _ in range(about["squares"])]
        yield Map(find_game(about["game"]), about["version"], about["error"], about["seconds"], tuple(rows))


@cache
def atlas() -> dict[str, Map]:
    """The maps that come with Parlour, by game."""
    return read_atlas(resources.files("parlour.lab").joinpath(FILE).read_bytes())


def shipped_map(game: Game) -> Map:
    """The map of a game that comes with Parlour; BadOptions if there is none."""
    if game.key not in atlas():
        raise BadOptions(f"the atlas has no map of {game.title}; make one: {own_command()} sweep {game.key}")
    return atlas()[game.key]


def sweep_options(game: Game) -> dict[str, list[str]] | None:
    """What is swept for the atlas: the values of each option that the game's file names; None: it is not in it."""
    if game.content.atlas is None:
        return None
    given: dict[str, list[str]] = {}
    for word in game.content.atlas:
        name, _, text = word.partition("=")
        given.setdefault(name, []).append(text)
    return given


def sweep_command(game: Game, seconds: float) -> str:
    """The command that measures the squares of a game's map."""
    words = [f"--{flag(name)} {text}" for name, texts in (sweep_options(game) or {}).items() for text in texts]
    return " ".join(["parlour sweep", game.key, *words, f"--seconds {seconds:g}", "-o FILE"])
