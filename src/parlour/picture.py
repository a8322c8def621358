"""Pictures of a board: plain characters for terminals and ``print``, and SVG for notebooks, files and link previews.

A picture is drawn from a view, without knowledge of games or rules. Nothing depends on colour alone: Player 1 has discs
and Player 2 diamonds, and tiles that cannot be chosen have brackets or dashes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Sequence
from functools import cache
from typing import NamedTuple
from unicodedata import category, east_asian_width

from parlour.game import PASS
from parlour.view import GRID, LINE, PLAYERS, POOL, PYRAMID, Group, PlayerNumber, Tile, View

TEXT_COLUMNS = 80  # characters of a line of text
POOL_COLUMNS = 10  # tiles of a pool in a row


class FramedMove(NamedTuple):
    """The last move, which a picture frames."""

    player: PlayerNumber  # the player who made it
    move: int
    name: str  # the name of the move


class Picture(NamedTuple):
    """The visible state of a match."""

    title: str  # the game, its options, the round
    view: View
    legal: Sequence[int]  # the legal moves
    name: Callable[[int], str]  # the name of a move
    standing: str  # the player to move, or the outcome
    player: PlayerNumber | None = None  # the player to move, or the winner
    last: FramedMove | None = None
    names: tuple[str, str] = ("Player 1", "Player 2")  # the names of the players

    def text(self) -> str:
        """Return the board in plain characters, with brackets around illegal tiles and dots for taken ones."""
        return "\n".join([self.title, *draw_rows(self.view, self.legal, self.name), self.standing])

    def svg(self) -> str:
        """Return an SVG document, readable on light and dark backgrounds."""
        return _Drawing(self).document()

    def card(self, title: str, terms: str) -> str:
        """Return a link preview: an SVG document of 1200 by 630 with another title."""
        return _Drawing(self._replace(view=tuple(map(_shortened, self.view)))).card(title, terms)


# Plain characters.

Paint = Callable[[str, PlayerNumber | None, str], str]  # arguments: a text, its owner, and "", "bold" or "dim"


def _unpainted(text: str, owner: int | None, weight: str) -> str:
    return text


def draw_rows(
    view: View,
    legal: Container[int],
    name: Callable[[int], str],
    columns: int = TEXT_COLUMNS,
    paint: Paint = _unpainted,
) -> list[str]:
    """Return the board as lines of at most ``columns`` characters, if possible; ``paint`` adds colour codes."""
    return _Rows(legal, name, columns, paint).of(view)


class _Rows:
    """A text renderer of groups of tiles."""

    def __init__(self, legal: Container[int], name: Callable[[int], str], columns: int, paint: Paint) -> None:
        self.legal = legal
        self.name = name
        self.columns = columns
        self.paint = paint

    def of(self, view: View) -> list[str]:
        margin = max((text_width(group.title) for group in view), default=0) + 2
        rows: list[str] = []
        beside: list[list[tuple[str, int]]] = []  # lines of pyramids, with their widths, to be joined
        for group in view:
            if group.shape == PYRAMID:
                beside.append(self._pyramid(group))
                continue
            if beside:
                rows += [*self._join(beside), ""]
                beside = []
            if group.shape == GRID:
                rows += self._grid(group)
            else:
                cells = [self._tile(group, tile) for tile in _tiles(group)]
                title = self.paint(_padded(group.title, margin), group.owner, "")
                rows += self._flow(title, margin, cells, POOL_COLUMNS if group.shape == POOL else len(cells))
        return [*rows, *self._join(beside)]

    def _tile(self, group: Group, tile: Tile) -> tuple[str, int]:
        """Return a tile of a pool or a line, and its width without colour codes."""
        if group.shape == LINE:
            text = f"{tile.note} {tile.text}" if tile.note else tile.text or "_"
            step = self.paint(tile.note, None, "dim") + " " if tile.note else ""
            return step + self.paint(tile.text or "_", tile.owner, "bold"), len(text)
        size = max(len(t.text + t.note) for t in _tiles(group)) + 2
        if tile.owner is not None:
            return self.paint(".".center(size), tile.owner, ""), size
        text = tile.text + tile.note
        if tile.move is not None and tile.move not in self.legal:
            return self.paint(f"({text})".center(size), None, "dim"), size
        return self.paint(text.center(size), None, "bold"), size

    def _grid(self, group: Group) -> list[str]:
        """Return a grid with labelled rows and columns; a marked cell shows marker and number."""
        across, down = grid_labels(group, self.name)
        longest = max(len(tile.note + tile.text) for tile in _tiles(group))
        margin = max(map(len, down), default=1)
        room = (self.columns - margin - 5) // len(across)
        size = max(longest + 1, min(max(5, longest + 2), room))
        rows = [" " * (margin + 5) + "".join(label.ljust(size) for label in across).rstrip()]
        for label, tiles in zip(down, group.rows, strict=True):
            cells = (
                self.paint(f"{tile.note}{tile.text}".ljust(size), tile.owner, "" if tile.owner is None else "bold")
                for tile in tiles
            )
            rows.append(f"  {label:<{margin}}   " + "".join(cells).rstrip())
        return rows

    def _pyramid(self, group: Group) -> list[tuple[str, int]]:
        size = max(1, *(len(tile.text) for tile in _tiles(group)))
        lines = [(self.paint(group.title, group.owner, ""), text_width(group.title))]
        for row in group.rows:
            indent = " " * ((len(group.rows) - len(row)) * (size + 2) // 2)
            plain = indent + "".join(f"[{tile.text:>{size}}]" for tile in row)
            lines.append((self.paint(plain, group.owner, ""), len(plain)))
        return lines

    def _join(self, blocks: list[list[tuple[str, int]]]) -> list[str]:
        """Return blocks of equal height side by side."""
        widths = [max(width for _, width in block) for block in blocks]
        if sum(widths) + 4 * len(widths) > self.columns:  # too wide: one below the other
            return [shown for block in blocks for shown, _ in block]
        return [
            "".join(
                shown + " " * (size - width + 4) for (shown, width), size in zip(line, widths, strict=True)
            ).rstrip()
            for line in zip(*blocks, strict=True)
        ]

    def _flow(self, title: str, margin: int, cells: list[tuple[str, int]], most: int) -> list[str]:
        """Return a title and the cells after it, in lines of at most ``most`` cells."""
        rows, room, count = [title], self.columns - margin, 0
        if room < self.columns // 2:  # a long title has a line of its own
            rows, margin = [title, "  "], 2
            room = self.columns - margin
        for shown, size in cells:
            if room < size or count == most:
                rows.append(" " * margin)
                room, count = self.columns - margin, 0
            rows[-1] += shown + " "
            room -= size + 1
            count += 1
        return [row.rstrip() for row in rows]


# Shared by both renderers.


def _tiles(group: Group) -> list[Tile]:
    return [tile for row in group.rows for tile in row]


def text_width(text: str) -> int:
    """Return the columns of a text: two for a wide letter, none for a mark or a joiner."""
    return sum(
        0 if category(letter) in ("Mn", "Me", "Cf") else 2 if east_asian_width(letter) in "WF" else 1 for letter in text
    )


def _padded(text: str, width: int) -> str:
    return text + " " * (width - text_width(text))


def grid_labels(group: Group, name: Callable[[int], str]) -> tuple[list[str], list[str]]:
    """Return the labels of the columns and rows of a grid: the common parts of the names of their cells.

    Cells called ``2,1`` and ``2,2`` are in row 2, cells called ``a1`` and ``a2`` in column a. The text of a cell that
    is not a move counts as its name. Without such names rows and columns are counted.
    """
    height, width = len(group.rows), max(map(len, group.rows), default=0)
    named: dict[tuple[int, int], list[str]] = {}
    for y, row in enumerate(group.rows):
        for x, tile in enumerate(row):
            parts = re.findall(r"[^\W\d_]+|\d+", tile.text if tile.move is None else name(tile.move))
            if tile.move is not None or len(parts) == 2:
                named[y, x] = parts
    if named and all(len(parts) == 2 for parts in named.values()):
        for row_part in (0, 1):
            down = [{parts[row_part] for (y, _), parts in named.items() if y == at} for at in range(height)]
            across = [{parts[1 - row_part] for (_, x), parts in named.items() if x == at} for at in range(width)]
            if all(len(found) <= 1 for found in [*down, *across]):  # empty without a named cell
                return ["".join(found) for found in across], ["".join(found) for found in down]
    return [str(x) for x in range(1, width + 1)], [str(y) for y in range(1, height + 1)]


# SVG.

TILE = 40  # units; a picture is as large as its board needs
GAP = 6
PADDING = 20
MAX_ROW_WIDTH = 10 * (TILE + GAP)
LETTER = 0.64  # the average width of a letter, as a share of the font size
CARD = (1200, 630)  # units of a link preview
CARD_EDGE = 40
CARD_TILES = 40  # the maximum of a pool or a line
CARD_DIGITS = 14  # the maximum of a number
CARD_TEXT_WIDTH = 400  # the texts are to the left of the board
SERIF = "'Iowan Old Style', Palatino, 'Book Antiqua', Georgia, serif"
SANS = "Seravek, 'Gill Sans', Ubuntu, Calibri, 'Segoe UI', 'DejaVu Sans', sans-serif"


class _Colours(NamedTuple):
    fill: str
    stroke: str = "none"


# Colours on light and dark backgrounds.
PAINTS = {
    "felt": (_Colours("#e3e8d3", "#a9b58c"), _Colours("#12281f", "#3d6650")),
    "ink": (_Colours("#221f19"), _Colours("#efe8d6")),
    "soft": (_Colours("#5a5243"), _Colours("#b9b19c")),
    "tile-ink": (_Colours("#221f19"), _Colours("#1b1a15")),
    "free": (_Colours("#fffcf3", "#1c5140"), _Colours("#ece2c9", "#9ed7b8")),
    "plain": (_Colours("#fffcf3", "#cdbd96"), _Colours("#ece2c9", "#a8946a")),
    "barred": (_Colours("none", "#8c8068"), _Colours("none", "#6f8278")),
    "p1": (_Colours("#a5311c", "#a5311c"), _Colours("#f0977a", "#f0977a")),
    "p1-ink": (_Colours("#fff8ee"), _Colours("#2a0f07")),
    "p1-place": (_Colours("none", "#a5311c"), _Colours("none", "#f0977a")),
    "p2": (_Colours("#fcf8ed", "#174f66"), _Colours("#12281f", "#86cbe2")),
    "p2-ink": (_Colours("#174f66"), _Colours("#86cbe2")),
    "p2-place": (_Colours("none", "#174f66"), _Colours("none", "#86cbe2")),
    "last": (_Colours("none", "#221f19"), _Colours("none", "#efe8d6")),
    "won": (_Colours("#f2c94c", "#8a6a00"), _Colours("#8a6a00", "#f2c94c")),
}
CARD_PAINTS = {  # the colours of a card, for any background
    "baize": _Colours("#1d4a39"),
    "card-ink": _Colours("#f6efdf"),
    "card-soft": _Colours("#b8ccb8"),
    "card-p1": _Colours("#e2714f", "#e2714f"),
    "card-p2": _Colours("none", "#f6efdf"),
}
LIGHT = {**{name: light for name, (light, _) in PAINTS.items()}, **CARD_PAINTS}
DASHED = ("barred", "p1-place", "p2-place")
DARK = "".join(f".parlour-{name}{{fill:{dark.fill};stroke:{dark.stroke}}}" for name, (_, dark) in PAINTS.items())


class _Block(NamedTuple):
    """A part of a picture, with its upper left corner at the origin."""

    width: float
    height: float
    parts: list[str]


class _Drawing:
    """An SVG renderer of a picture."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.last = _last_tiles(picture)

    def document(self) -> str:
        picture = self.picture
        title, _, options = picture.title.partition(", ")
        blocks = [self._heading(title, options), *self._groups(), self._standing()]
        width = max(block.width for block in blocks) + 2 * PADDING
        drawn, y = [], float(PADDING)
        for block in blocks:
            drawn.append(f'<g transform="translate({PADDING},{y:g})">{"".join(block.parts)}</g>')
            y += block.height + 16
        height = y - 16 + PADDING
        spoken = f"{picture.title}: {picture.standing}"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}"'
            f' height="{height:g}" role="img" aria-label="{_escaped(spoken)}" style="max-width:100%;height:auto">'
            f"<style>@media (prefers-color-scheme:dark){{{DARK}}}</style>"
            f"<title>{_escaped(spoken)}</title>"
            + _shape(f'rect x="1" y="1" width="{width - 2:g}" height="{height - 2:g}" rx="14"', "felt", 2)
            + "".join(drawn)
            + "</svg>"
        )

    def card(self, title: str, terms: str) -> str:
        """Return a card with texts on the left and the board on the right."""
        picture, (width, height) = self.picture, CARD
        top, parts = CARD_EDGE + 18.0, [_shape(f'rect width="{width}" height="{height}"', "baize", 0)]
        parts.append(_player_shape(1, CARD_EDGE, top, 44, 44, "card-p1", 0))
        parts.append(_player_shape(2, CARD_EDGE + 24, top, 44, 44, "card-p2", 5))
        parts.append(_text("Parlour", CARD_EDGE + 84, top + 34, 34, "card-ink", font=SERIF, bold=True, middle=False))
        top += 128
        for text, size, most, kind in ((title, 54, 3, "card-ink"), (terms, 26, 2, "card-soft")):
            for line in _wrapped(text, size, most):
                parts.append(_text(line, CARD_EDGE, top, size, kind, font=SERIF, bold=True, middle=False))
                top += size * 1.14
        foot = height - CARD_EDGE - 14.0
        for line in reversed(_wrapped(picture.standing, 30, 3)):
            parts.append(_text(line, CARD_EDGE, foot, 30, "card-ink", font=SERIF, bold=True, middle=False))
            foot -= 38
        foot -= 14
        for player in reversed(PLAYERS):
            name = _clipped(picture.names[player - 1], 28, CARD_TEXT_WIDTH - 40)
            parts.append(
                _player_shape(player, CARD_EDGE, foot - 22, 26, 26, f"card-p{player}", 4 if player == 2 else 0)
            )
            parts.append(_text(name, CARD_EDGE + 40, foot, 28, "card-soft", font=SERIF, bold=True, middle=False))
            foot -= 44
        left = CARD_EDGE + CARD_TEXT_WIDTH + 30
        across, down = width - left - CARD_EDGE, height - 2 * CARD_EDGE
        parts.append(
            _shape(f'rect x="{left}" y="{CARD_EDGE}" width="{across}" height="{down}" rx="28"', "felt", 3)
            + self._fitted(left + 34, CARD_EDGE + 30, across - 68, down - 60)
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
            f"{''.join(parts)}</svg>"
        )

    def _fitted(self, x: float, y: float, width: float, height: float) -> str:
        """Return the board scaled to a rectangle and centred in it."""
        blocks, drawn, down = [*self._groups()], [], 0.0
        for block in blocks:
            drawn.append(f'<g transform="translate(0,{down:g})">{"".join(block.parts)}</g>')
            down += block.height + 16
        size = (max(block.width for block in blocks), down - 16)
        scale = min(width / size[0], height / size[1])
        left, top = x + (width - scale * size[0]) / 2, y + (height - scale * size[1]) / 2
        return f'<g transform="translate({left:g},{top:g}) scale({scale:g})">{"".join(drawn)}</g>'

    def _heading(self, title: str, options: str) -> _Block:
        parts = [_text(title, 0, 18, 20, "ink", font=SERIF, bold=True, middle=False)]
        if options:
            parts.append(_text(options, 0, 38, 12, "soft", middle=False))
        return _Block(max(_width(title, 20), _width(options, 12)), 42 if options else 22, parts)

    def _standing(self) -> _Block:
        picture = self.picture
        parts, left = [], 0.0
        if picture.player is not None:
            parts.append(_player_shape(picture.player, 0, 3, 16, 16, f"p{picture.player}", 2))
            left = 24.0
        parts.append(_text(picture.standing, left, 17, 16, "ink", bold=True, middle=False))
        return _Block(left + _width(picture.standing, 16), 22, parts)

    def _groups(self) -> Iterator[_Block]:
        beside: list[_Block] = []  # pyramids to be joined
        for group in self.picture.view:
            if not _tiles(group):
                continue
            if group.shape == PYRAMID:
                beside.append(self._pyramid(group))
                continue
            if beside:
                yield _side_by_side(beside)
                beside = []
            yield self._grid(group) if group.shape == GRID else self._row(group)
        if beside:
            yield _side_by_side(beside)

    def _titled(self, group: Group, width: float, height: float, parts: list[str]) -> _Block:
        """Return a group's tiles below its title."""
        title, left = [], 0.0
        if group.owner is not None:
            title.append(_player_shape(group.owner, 0, 1, 12, 12, f"p{group.owner}", 2))
            left = 18.0
        title.append(_text(group.title, left, 12, 13, "ink", bold=True, middle=False))
        shifted = f'<g transform="translate(0,22)">{"".join(parts)}</g>'
        return _Block(max(width, left + _width(group.title, 13)), height + 22, [*title, shifted])

    def _row(self, group: Group) -> _Block:
        """Return a pool in rows of equal length, or a line that wraps."""
        tiles = _tiles(group)
        steps = 30 if group.shape == LINE and any(tile.note for tile in tiles) else 0  # room for the step to a number
        size = max(self._tile_width(group, tile) for tile in tiles) + steps + GAP
        room = max(1, int(MAX_ROW_WIDTH // size))
        columns = min(room, len(tiles))
        if group.shape == POOL and len(tiles) > POOL_COLUMNS <= room:  # minimise the gaps in the last row
            columns = min(range(POOL_COLUMNS, POOL_COLUMNS // 2, -1), key=lambda count: -len(tiles) % count)
        left = steps if len(tiles) > columns else 0
        parts = []
        for place, tile in enumerate(tiles):
            x, y = left + place % columns * size, place // columns * (TILE + GAP)
            if steps and tile.note:
                parts.append(_text(tile.note, x - (steps + GAP) / 2, y + TILE / 2, 12, "soft"))
            parts.append(self._tile(group, tile, x, y, size - steps - GAP))
        lines = -(-len(tiles) // columns)
        return self._titled(group, left + columns * size - steps - GAP, lines * (TILE + GAP) - GAP, parts)

    def _grid(self, group: Group) -> _Block:
        across, down = grid_labels(group, self.picture.name)
        size = max(self._tile_width(group, tile) for tile in _tiles(group)) + GAP
        left = max(_width(label, 12) for label in down) + 10
        parts = [_text(label, left + x * size + (size - GAP) / 2, 6, 12, "soft") for x, label in enumerate(across)]
        for y, (label, row) in enumerate(zip(down, group.rows, strict=True)):
            top = 18 + y * (TILE + GAP)
            parts.append(_text(label, left / 2 - 4, top + TILE / 2, 12, "soft"))
            parts += [self._tile(group, tile, left + x * size, top, size - GAP) for x, tile in enumerate(row)]
        return self._titled(group, left + len(across) * size - GAP, 18 + len(down) * (TILE + GAP) - GAP, parts)

    def _pyramid(self, group: Group) -> _Block:
        size = max(self._tile_width(group, tile) for tile in _tiles(group)) + GAP
        longest = max(map(len, group.rows))
        parts = []
        for y, row in enumerate(group.rows):
            left = (longest - len(row)) * size / 2
            parts += [
                self._tile(group, tile, left + x * size, y * (TILE + GAP), size - GAP) for x, tile in enumerate(row)
            ]
        return self._titled(group, longest * size - GAP, len(group.rows) * (TILE + GAP) - GAP, parts)

    def _tile_width(self, group: Group, tile: Tile) -> float:
        note = 0 if group.shape == LINE or tile.owner is not None else _width(tile.note, 11)
        slope = 12 if tile.owner == 2 and len(tile.text) > 2 else 0  # the width that a diamond loses at its sides
        return max(TILE, _width(tile.text, 16) + note + slope + 12)

    def _tile(self, group: Group, tile: Tile, x: float, y: float, width: float) -> str:
        """Return a tile: its shape, its text, and its frame if the last move chose it."""
        note = tile.note if group.shape != LINE and tile.owner is None else ""  # the shape shows the owner
        if tile.owner is not None:
            kind, ink = f"p{tile.owner}", f"p{tile.owner}-ink"
            ground = _player_shape(tile.owner, x + 1, y + 1, width - 2, TILE - 2, kind, 2.5)
        elif group.owner is not None and not tile.text and tile.move is None:  # an empty place in a player's group
            kind, ink = f"p{group.owner}-place", "ink"
            ground = _player_shape(group.owner, x + 1, y + 1, width - 2, TILE - 2, kind, 1)
        else:
            kind = self._kind(tile)
            ink = "soft" if kind == "barred" else "tile-ink"
            ground = _box(x + 1, y + 1, width - 2, TILE - 2, kind, 2 if kind == "free" else 1)
        around = (x - 2.5, y - 2.5, width + 5, TILE + 5)
        parts = [
            "" if tile.move is None else f"<title>{_escaped(self.picture.name(tile.move))}</title>",
            _box(*around, "won", 2) if tile.won else "",
            ground,
            _box(*around, "last", 2) if any(tile is last for last in self.last) else "",
        ]
        middle = x + (width - _width(note, 11)) / 2
        if tile.text:
            parts.append(_text(tile.text, middle, y + TILE / 2, 16, ink, bold=kind not in ("barred", "plain")))
        if note:
            right = middle + _width(tile.text, 16) / 2
            parts.append(_text(note, right + _width(note, 11) / 2, y + TILE / 2 + 3, 11, ink))
        return f"<g>{''.join(parts)}</g>"

    def _kind(self, tile: Tile) -> str:
        if tile.move is None:
            return "plain" if tile.text else "barred"
        if tile.move in self.picture.legal:
            return "free"
        return "plain" if not self.picture.legal else "barred"  # no tile is barred after the end


def _last_tiles(picture: Picture) -> list[Tile]:
    """Return the tiles to frame for the last move: the chosen one, and the placed one in groups without moves."""
    last, found = picture.last, []
    if last is None or last.move == PASS:
        return []
    for group in picture.view:
        tiles = _tiles(group)
        chosen = [tile for tile in tiles if tile.move == last.move]
        if chosen:
            found.append(chosen[0])
        if all(tile.move is None for tile in tiles):
            put_down = [row for row in group.rows if any(_is_of(tile, last) for tile in row)]
            found += [tile for tile in reversed(put_down[0]) if _is_of(tile, last)][:1] if put_down else []
    return found


def _is_of(tile: Tile, last: FramedMove) -> bool:
    return (tile.owner, tile.text) == (last.player, last.name)


def _side_by_side(blocks: Sequence[_Block]) -> _Block:
    parts, left = [], 0.0
    for block in blocks:
        parts.append(f'<g transform="translate({left:g},0)">{"".join(block.parts)}</g>')
        left += block.width + 40
    return _Block(left - 40, max(block.height for block in blocks), parts)


def _shape(element: str, kind: str, stroke: float) -> str:
    light = LIGHT[kind]
    dashes = ' stroke-dasharray="4 3"' if kind in DASHED else ""
    return (
        f'<{element} class="parlour-{kind}" fill="{light.fill}" stroke="{light.stroke}"'
        f' stroke-width="{stroke:g}"{dashes}/>'
    )


def _box(x: float, y: float, width: float, height: float, kind: str, stroke: float) -> str:
    return _shape(f'rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="7"', kind, stroke)


def _player_shape(
    player: PlayerNumber, x: float, y: float, width: float, height: float, kind: str, stroke: float
) -> str:
    """Return a disc for Player 1 or a diamond for Player 2, stretched to the width."""
    if player == 1:
        place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{height / 2:g}"'
        return _shape(f"rect {place}", kind, stroke)
    half = height / 2
    points = ((x, y + half), (x + half, y), (x + width - half, y), (x + width, y + half))
    below = ((x + width - half, y + height), (x + half, y + height))
    corners = " ".join(f"{a:g},{b:g}" for a, b in (*points, *below))
    return _shape(f'polygon points="{corners}" stroke-linejoin="round"', kind, stroke)


def _text(
    text: str,
    x: float,
    y: float,
    size: int,
    kind: str,
    *,
    font: str = SANS,
    bold: bool = False,
    middle: bool = True,
) -> str:
    """Return a text centred on a point, or, if not ``middle``, starting at a point on its base line."""
    place = f'x="{x:g}" y="{y:g}"' + (' dy=".35em" text-anchor="middle"' if middle else "")
    weight = ' font-weight="600"' if bold else ""
    light = LIGHT[kind]
    return (
        f'<text {place} class="parlour-{kind}" fill="{light.fill}" font-family="{font}" font-size="{size}"{weight}>'
        f"{_escaped(text)}</text>"
    )


def _width(text: str, size: int) -> float:
    return text_width(text) * size * LETTER


def _shortened(group: Group) -> Group:
    """Return a group for a card: the end of a long line, the beginning of a long pool, and long numbers clipped."""
    tiles = [
        tile if len(tile.text) <= CARD_DIGITS else tile._replace(text=tile.text[: CARD_DIGITS - 1] + "…")
        for tile in _tiles(group)
    ]
    if group.shape not in (LINE, POOL):
        return group
    if len(tiles) > CARD_TILES:
        more = Tile("…")
        tiles = [more, *tiles[1 - CARD_TILES :]] if group.shape == LINE else [*tiles[: CARD_TILES - 1], more]
    return group._replace(rows=(tuple(tiles),))


def _clipped(text: str, size: int, room: float) -> str:
    """Return a text, shortened to a width."""
    if _width(text, size) <= room:
        return text
    end = len(text)
    while end and _width(text[:end] + "…", size) > room:
        end -= 1
    return text[:end].rstrip() + "…"


def _wrapped(text: str, size: int, most: int) -> list[str]:
    """Return a text in at most ``most`` lines of a card; longer ones end in an ellipsis."""
    lines: list[str] = []
    for word in text.split():
        if lines and (len(lines) == most or _width(f"{lines[-1]} {word}", size) <= CARD_TEXT_WIDTH):
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return [_clipped(line, size, CARD_TEXT_WIDTH) for line in lines]


def _escaped(text: str) -> str:
    """Return any text escaped for XML."""
    from html import escape  # slow to import, and the terminal does not need it

    return escape(_no_xml().sub("\ufffd", text))


@cache
def _no_xml() -> re.Pattern[str]:
    """Return the pattern of characters that XML forbids; compiling it is slower than drawing a board."""
    return re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
