"""The board as lines of text for a terminal, drawn from a view.

A mark beside a number shows its owner, because colour alone is not enough. ``describe_board`` puts the board into words
for screen readers and plain terminals.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import NamedTuple

from parlour.game import opponent
from parlour.picture import Paint, grid_labels, text_width
from parlour.terminal.screen import wrap
from parlour.view import GRID, LINE, POOL, PYRAMID, Group, PlayerNumber, Tile, View, spell

MAX_SEQUENCE_ROWS = 3  # longer sequences show only their end
MIN_REMARK_COLUMNS = 24  # the minimum width of a remark beside a grid; otherwise it goes below


class Signs(NamedTuple):
    """The characters to draw with."""

    marks: tuple[str, str]  # the mark of the viewer or player 1, and the other player's
    empty: str  # an empty place
    step: str  # follows the difference between two numbers
    more: str  # omitted numbers
    top: str  # the left corner, line, crossing and right corner of a frame
    middle: str
    bottom: str
    side: str


UNICODE = Signs(("●", "◆"), "·", "→", "…", "┌─┬┐", "├─┼┤", "└─┴┘", "│")
ASCII = Signs(("X", "O"), "_", "", "...", "+-++", "+-++", "+-++", "|")


class Sight(NamedTuple):
    """The viewer of a board, and the style of the drawing."""

    names: tuple[str, str]  # the names of the players
    own: PlayerNumber  # the player whose mark comes first
    columns: int  # the maximum width of a line
    signs: Signs
    paint: Paint

    def mark(self, player: PlayerNumber) -> str:
        return self.signs.marks[0 if player == self.own else 1]

    @property
    def legend(self) -> str:
        """The marks with the players' names."""
        return "  ".join(f"{self.mark(player)} {self.names[player - 1]}" for player in (self.own, opponent(self.own)))


class _Line:
    """A line under construction: painted characters and their width in columns."""

    def __init__(self, sight: Sight) -> None:
        self._paint = sight.paint
        self.shown = ""
        self.width = 0
        self.note = ""  # a note to add at the end

    def add(self, text: str, owner: PlayerNumber | None = None, weight: str = "") -> _Line:
        if text:
            self.shown += self._paint(text, owner, weight) if text.strip() else text
            self.width += text_width(text)
        return self

    def pad(self, width: int) -> _Line:
        return self.add(" " * (width - self.width))


def draw_board(
    view: View, legal: Container[int], sight: Sight, name: Callable[[int], str], typed_as_shown: bool
) -> list[str]:
    """Return the board as lines, if possible no wider than the terminal.

    ``typed_as_shown``: players type the text in the cells of a grid, so it needs no labels.
    """
    return _Drawing(legal, sight, name, typed_as_shown).lines(view)


class _Drawing:
    """A board that is being drawn."""

    def __init__(self, legal: Container[int], sight: Sight, name: Callable[[int], str], typed_as_shown: bool) -> None:
        self.legal = legal
        self.sight = sight
        self.name = name
        self.typed_as_shown = typed_as_shown

    def lines(self, view: View) -> list[str]:
        lines: list[_Line] = []
        legend = "" if any(group.owner is not None for group in view) else self.sight.legend
        margin = max((text_width(group.title) + 2 for group in view if group.owner is not None), default=0)
        pyramids = [group for group in view if group.shape == PYRAMID]
        if pyramids:
            lines += self._side_by_side([self._pyramid(group) for group in pyramids])
        for group in view:
            if group.shape == PYRAMID:
                continue
            note = "   ".join(filter(None, [group.note, legend if group is view[0] else ""]))
            if group.shape == POOL:
                lines += self._pool(group)
            elif group.shape == GRID:
                lines += self._grid(group, [text for text in (legend, group.note) if text])
            else:
                lines += self._sequence(group, margin, note)
        self._add_notes(lines)
        return [line.shown.rstrip() for line in lines]

    def _add_notes(self, lines: list[_Line]) -> None:
        """Add the notes to their lines, aligned in one column."""
        column = max((line.width for line in lines if line.note), default=0) + 4
        for line in lines:
            if line.note:
                room = column + text_width(line.note) <= self.sight.columns
                line.pad(column if room else line.width + 4).add(line.note, None, "dim")

    def _new(self, text: str = "") -> _Line:
        return _Line(self.sight).add(text)

    def _mark(self, tile: Tile) -> str:
        return "" if tile.owner is None else self.sight.mark(tile.owner)

    def _pool(self, group: Group) -> list[_Line]:
        tiles = _tiles(group)
        size = max((len(tile.text + tile.note) for tile in tiles), default=0) + 1
        across = max(1, (self.sight.columns + 1) // (size + 1))
        lines = []
        for at in range(0, len(tiles), across):
            line = self._new()
            for tile in tiles[at : at + across]:
                line.add(" " if line.width else "")
                weight = "bold" if tile.owner is not None or tile.move in self.legal else "dim"
                line.add((self._mark(tile) + tile.text + tile.note).rjust(size), tile.owner, weight)
            lines.append(line)
        return lines

    def _sequence(self, group: Group, margin: int, note: str) -> list[_Line]:
        """Return a line of numbers with the steps between them, and a note after or below it."""
        head = self._new()
        if group.owner is not None:
            head.add(f"{self.sight.mark(group.owner)} {group.title}", group.owner, "bold").pad(margin)
        if head.width > self.sight.columns // 2:
            lines, indent = [head, self._new("  ")], 2
        else:
            lines, indent = [head], head.width
        for tile in _tiles(group):
            mark = self._mark(tile) if group.owner is None else ""
            step = f"{tile.note}{self.sight.signs.step} " if tile.note else ""
            text = mark + (tile.text or self.sight.signs.empty)
            gap = 2 if indent and lines[-1].width == indent else 1 if lines[-1].width > indent else 0
            if lines[-1].width + gap + len(step + text) > self.sight.columns:
                lines.append(self._new(" " * indent))
                gap = 2 if indent else 0
            weight = "bold" if tile.won or not tile.text else ""
            lines[-1].add(" " * gap).add(step, None, "dim").add(text, tile.owner, weight or "bold")
        if len(lines) > MAX_SEQUENCE_ROWS:
            lines = lines[-MAX_SEQUENCE_ROWS:]
            lines.insert(0, self._new(" " * indent + self.sight.signs.more))
        if all(tile.won for tile in _tiles(group)) and group.owner is not None:
            note = "complete"
        if note and group.owner is not None and lines[-1].width + 4 + len(note) <= self.sight.columns:
            lines[-1].note = note
        elif note:
            lines.append(self._new(" " * indent + ("  " if indent else "")).add(note, None, "dim"))
        return lines

    def _pyramid(self, group: Group) -> list[_Line]:
        size = max(1, *(len(tile.text) for tile in _tiles(group)))
        base = max(map(len, group.rows))
        pitch = 4 if (4 * base + 2) * 2 <= self.sight.columns and size < 4 else size + 1 + (size + 1) % 2
        title = f"{self.sight.mark(group.owner or 1)} {group.title}"
        width = max(base * pitch - pitch + size, text_width(title), text_width(group.note))
        lines = []
        for row in group.rows:
            drawn = (len(row) - 1) * pitch + size
            line = self._new(" " * ((width - drawn) // 2))
            for place, tile in enumerate(row):
                line.add(" " * (pitch - size) if place else "")
                text = (tile.text or self.sight.signs.empty).rjust(size)
                line.add(text, tile.owner, "bold" if tile.text else "dim")
            lines.append(line)
        for text, weight in ((title, "bold"), (group.note, "dim")):
            owner = group.owner if weight == "bold" else None
            lines.append(self._new(" " * ((width - text_width(text)) // 2)).add(text, owner, weight))
        return [line.pad(width) for line in lines]

    def _side_by_side(self, blocks: list[list[_Line]]) -> list[_Line]:
        widths = [block[0].width for block in blocks]
        gap = min(10, (self.sight.columns - sum(widths)) // max(1, len(blocks)))
        if gap < 2 or len({len(block) for block in blocks}) > 1:  # one below the other
            return [line for block in blocks for line in block if line.shown.strip()]
        lines = []
        for parts in zip(*blocks, strict=True):
            line = self._new("  " if gap >= 4 else "")
            for place, part in enumerate(parts):
                line.add(" " * gap if place else "")
                line.shown += part.shown
                line.width += part.width
            lines.append(line)
        return [line for line in lines if line.shown.strip()]

    def _grid(self, group: Group, remarks: list[str]) -> list[_Line]:
        """Return a grid in a frame, with remarks beside it or below."""
        signs = self.sight.signs
        across, down = ([], []) if self.typed_as_shown else grid_labels(group, self.name)
        longest = max(len(self._cell(tile)) for tile in _tiles(group))
        count = max(map(len, group.rows))
        margin = max(map(len, down), default=0) + 2
        size = longest + 2
        if (size + 1) * count + 1 + margin > self.sight.columns:
            size = max(longest, (self.sight.columns - margin - 1) // count - 1)
        ruled = len(group.rows) <= 4  # whether to draw lines between the rows

        def rule(shape: str) -> _Line:
            line = shape[2].join([shape[1] * size] * count)
            return self._new(" " * margin).add(f"{shape[0]}{line}{shape[3]}", None, "dim")

        lines = [rule(signs.top)]
        for y, row in enumerate(group.rows):
            if y and ruled:
                lines.append(rule(signs.middle))
            line = self._new().add((down[y] if down else "").rjust(margin - 1), None, "dim").pad(margin)
            line.add(signs.side, None, "dim")
            for tile in row:
                line.add(self._cell(tile).center(size), tile.owner, "" if tile.owner is None else "bold")
                line.add(signs.side, None, "dim")
            lines.append(line)
        lines.append(rule(signs.bottom))
        if across:
            labels = self._new(" " * (margin + 1))
            for label in across:
                labels.add(label.center(size + 1), None, "dim")
            lines.append(labels)
        return self._beside(lines, remarks)

    def _cell(self, tile: Tile) -> str:
        text = (self._mark(tile) or " ") + tile.text
        return f"[{text}]" if tile.won else f" {text} "

    def _beside(self, lines: list[_Line], remarks: list[str]) -> list[_Line]:
        width = max(line.width for line in lines)
        room = self.sight.columns - width - 4
        if room < MIN_REMARK_COLUMNS:
            return [*lines, *(self._new(text) for remark in remarks for text in wrap(remark, self.sight.columns, 0))]
        texts = [text for remark in remarks for text in wrap(remark, room, 0)]
        begin = max(0, (len(lines) - len(texts)) // 2)
        for line, text in zip(lines[begin:], texts, strict=False):
            line.pad(width + 4).add(text, None, "dim")
        return lines


def _tiles(group: Group) -> list[Tile]:
    return [tile for row in group.rows for tile in row]


# In words.


def describe_board(view: View, sight: Sight) -> list[str]:
    """Return the board as sentences, without signs that a screen reader skips."""
    return [line for group in view for line in _sentences(group, sight)]


def _sentences(group: Group, sight: Sight) -> list[str]:
    note = f" {group.note[:1].upper()}{group.note[1:]}." if group.note else ""
    if group.shape == POOL:
        free = [tile for tile in _tiles(group) if tile.owner is None]
        texts = [tile.text + (f" ({tile.note})" if tile.note else "") for tile in free]
        numbers = spell([int(text) for text in texts]) if all(map(str.isdigit, texts)) else ", ".join(texts)
        return [f"Left: {numbers or 'nothing'}.{note}"]
    if group.shape == LINE:
        texts = [_named(tile, group, sight) for tile in _tiles(group) if tile.text]
        return [f"{group.title}: {', '.join(texts) or 'nothing yet'}.{note}"]
    if group.shape == PYRAMID:
        rows = [" ".join(tile.text or "empty" for tile in row) for row in reversed(group.rows)]
        return [f"{group.title}, from the bottom: {'; '.join(rows)}.{note}"]
    rows = [", ".join(_named(tile, group, sight) for tile in row) for row in group.rows]
    return [*(f"Row {number}: {row}." for number, row in enumerate(rows, 1)), *([note.strip()] if note else [])]


def _named(tile: Tile, group: Group, sight: Sight) -> str:
    """Return the text of a tile and, if its group doesn't show it, its owner."""
    words = [] if tile.owner is None or group.owner is not None else [sight.names[tile.owner - 1]]
    if tile.won and group.owner is None:
        words.append("wins")
    return f"{tile.text} ({', '.join(words)})" if words else tile.text
