"""The atlas: a game under many options, as maps of squares."""

from __future__ import annotations

from parlour.lab.atlas import SHADES, Map, lay_out, shown, sweep_command, varied_options
from parlour.lab.measures import Row
from parlour.options import read_options, read_words, say_options, unusual_options
from parlour.score import ValueWord
from parlour.writer import about, document


@document
class ShadeDocument:
    """One thing that a map can show of each square."""

    key: str = about("its name")
    title: str = about("what it is called")
    about: str = about("what it is, in words")


@document
class ChartDocument:
    """Squares in lines, under headings."""

    title: str = about("which options it is for; empty where there is one chart alone")
    across: str = about("the option of the columns; empty: the squares only follow each other")
    down: str = about("the option of the lines")
    columns: list[str] = about("the values of that option")
    lines: list[str] = about("the values of that option")
    places: list[list[int | None]] = about("line by line the numbers of the squares, from 0; null: no game there")


@document
class SquareDocument:
    """A game under its options, and all that was measured of it; null: not known within the time that it had."""

    options: dict[str, str] = about("the options that differ from the book's")
    words: str = about("the options in which the squares differ, in words")
    alike: int = about("how many deals are this same game")
    shades: dict[str, float] = about("how dark it is under each shade, from 0 to 1; left out where that is not known")
    texts: dict[str, str] = about("what it says under each shade")
    value: ValueWord | None = about("with best play, for the player who begins")
    plies: int | None = about("turns until then, passes included; null for a draw")
    first_moves: int | None = about("how many first moves there are")
    keeping: list[str] | None = about("the first moves that keep the value")
    positions: int | None = about("with somebody to move, those with the same future counted once")
    critical_share: float | None = about("of the decisions: those where some move loses value")
    sampled: bool = about("that share comes from sampled games, and not from all positions")
    holding: float | None = about("moves that keep the value, on average over the decisions")
    first: float | None = about("between equals who sometimes err: how likely the player who begins wins")
    drawn: float | None = about("how likely nobody wins")
    turns: float | None = about("how long a game takes, on average")
    critical_turns: float | None = about("turns at which some move loses value, on average")
    measure: float | None = about("how good a contest it is")
    unfinished: str | None = about("what was not found in time, and why")


@document
class MapDocument:
    """The map of a game."""

    game: str = about("its name")
    title: str = about("what it is called")
    error: float = about("how often equal players err, where they are spoken of")
    seconds: float = about("that each square had, at least, before something was left out")
    command: str = about("what measured it, but for the name of the file")
    shades: list[ShadeDocument] = about("what it can show")
    charts: list[ChartDocument] = about("where the squares lie")
    squares: list[SquareDocument] = about("by their numbers")
    best: list[int] = about("the best contests of eight to twenty turns, the best first")


BEST = 5


def map_document(found: Map) -> MapDocument:
    """A map with its layout."""
    game = found.game
    darkest = {
        shade: max((shown(row, shade)[1] or 0.0 for row in found.squares), default=0.0) or 1.0 for shade in SHADES
    }
    numbers = {row.options: number for number, row in enumerate(found.squares)}
    charts, varied = lay_out(game, found.squares), list(varied_options(game, found.squares))
    return MapDocument(
        game=game.key,
        title=game.title,
        error=found.error,
        seconds=found.seconds,
        command=sweep_command(game, found.seconds),
        shades=[ShadeDocument(key=key, title=shade.title, about=shade.about) for key, shade in SHADES.items()],
        charts=[ChartDocument(**chart._asdict()) for chart in charts],
        squares=[_square(found, row, varied, darkest) for row in found.squares],
        best=[numbers[row.options] for row in found.best(BEST)],
    )


def _square(found: Map, row: Row, varied: list[str], darkest: dict[str, float]) -> SquareDocument:
    options = read_options(found.game.options, read_words(row.options))
    said = say_options(options)
    labels = {shade: shown(row, shade) for shade in SHADES}
    words: dict[str, ValueWord] = {"win": "win", "draw": "draw", "loss": "loss"}
    return SquareDocument(
        options=unusual_options(options),
        words=", ".join(said[name] for name in varied),
        alike=row.alike,
        shades={shade: round(dark / darkest[shade], 3) for shade, (_, dark) in labels.items() if dark is not None},
        texts={shade: text for shade, (text, _) in labels.items() if text},
        value=None if row.value is None else words[row.value],
        plies=row.distance,
        first_moves=row.first_moves,
        keeping=None if row.kept_by is None else row.kept_by.split(),
        positions=row.positions,
        critical_share=_short(row.critical_share),
        sampled=row.decisions_from == "games",
        holding=_short(row.holding),
        first=_short(row.first),
        drawn=_short(row.drawn),
        turns=_short(row.turns),
        critical_turns=_short(row.critical_turns),
        measure=_short(row.measure),
        unfinished=row.unfinished,
    )


def _short(number: float | None) -> float | None:
    return None if number is None else round(number, 4)
