"""What the terminal shows: lines no wider than it is, colour where that helps, and the table drawn from a game's view.

Nothing depends on colour: what it says is also said by a word or a sign.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Container
from typing import IO

import click

from parlour.view import GRID, LINE, POOL, PYRAMID, Group, Tile, View

SEAT_COLOURS = ("cyan", "magenta")


def coloured(stream: IO[str]) -> bool:
    """Whether colour is wanted on a stream."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()


def width() -> int:
    """Columns to write in; at least 20, whatever the terminal claims."""
    return max(shutil.get_terminal_size((80, 24)).columns, 20)


def program() -> str:
    """How to call Parlour from here: by its name, or by its path where the shell would not find it."""
    own = sys.argv[0]
    if os.path.basename(own) != "parlour" or shutil.which("parlour"):
        return "parlour"
    return os.path.relpath(own)


def endless() -> bool:
    """Lines may be as long as they like: they go to a program or a file, and nobody has set COLUMNS."""
    return not sys.stdout.isatty() and not os.environ.get("COLUMNS")


class Screen:
    """Standard output, as lines of text."""

    def __init__(self) -> None:
        self.colour = coloured(sys.stdout)

    def style(self, text: str, colour: str | None = None, *, bold: bool = False, dim: bool = False) -> str:
        if not self.colour or not (colour or bold or dim):
            return text
        return click.style(text, fg=colour, bold=bold or None, dim=dim or None)

    def say(self, lines: list[str], colour: str | None = None, *, bold: bool = False) -> None:
        """Print lines, wrapped where they are too wide."""
        for line in lines:
            for piece in [line] if endless() else wrap(line, width()):
                sys.stdout.write(self.style(piece, colour, bold=bold) + "\n" if piece else "\n")

    def draw(self, view: View, legal: Container[int]) -> None:
        """Print the table."""
        for row in self._drawn(view, legal):
            sys.stdout.write(row + "\n")

    def _drawn(self, view: View, legal: Container[int]) -> list[str]:
        margin = max(len(group.title) for group in view) + 2
        rows: list[str] = []
        beside: list[list[tuple[str, str]]] = []  # pyramids stand side by side; each line with and without colour
        for group in view:
            if group.shape == PYRAMID:
                beside.append(self._pyramid(group))
                continue
            if beside:
                rows += [*_join(beside), ""]
                beside = []
            if group.shape == GRID:
                rows += self._grid(group)
            else:
                cells = [self._tile(group, tile, legal) for tile in group.rows[0]]
                title = self._owned(group.title.ljust(margin), group.owner)
                rows += _flow(title, margin, cells, 10 if group.shape == POOL else len(cells))
        return [*rows, *_join(beside)]

    def _owned(self, text: str, owner: int | None, *, bold: bool = False) -> str:
        return self.style(text, None if owner is None else SEAT_COLOURS[owner], bold=bold)

    def _tile(self, group: Group, tile: Tile, legal: Container[int]) -> tuple[str, int]:
        """One tile of a pool or a line, and how wide it is without its colour."""
        if group.shape == LINE:
            text = f"{tile.note} {tile.text}" if tile.note else tile.text or "_"
            step = self.style(tile.note, dim=True) + " " if tile.note else ""
            return step + self._owned(tile.text or "_", tile.owner, bold=True), len(text)
        size = max(len(t.text + t.note) for t in group.rows[0]) + 2
        if tile.owner is not None:
            return self._owned(".".center(size), tile.owner), size
        text = tile.text + tile.note
        if tile.move is not None and tile.move not in legal:
            return self.style(f"({text})".center(size), dim=True), size
        return self.style(text.center(size), bold=True), size

    def _grid(self, group: Group) -> list[str]:
        """A grid with its rows and columns numbered; a marked cell shows marker and number."""
        rows = ["      " + "".join(f"{column:<5}" for column in range(1, len(group.rows[0]) + 1)).rstrip()]
        for number, tiles in enumerate(group.rows, 1):
            cells = (
                self._owned(f"{tile.note}{tile.text}".ljust(5), tile.owner, bold=tile.owner is not None)
                for tile in tiles
            )
            rows.append(f"  {number}   " + "".join(cells).rstrip())
        return rows

    def _pyramid(self, group: Group) -> list[tuple[str, str]]:
        size = max([len(tile.text) for row in group.rows for tile in row] + [1])
        lines = [(group.title, self._owned(group.title, group.owner))]
        for row in group.rows:
            indent = " " * ((len(group.rows) - len(row)) * (size + 2) // 2)
            plain = indent + "".join(f"[{tile.text:>{size}}]" for tile in row)
            lines.append((plain, self._owned(plain, group.owner)))
        return lines


class Progress:
    """At a terminal, shows how many positions were searched while the work goes on; elsewhere it shows nothing."""

    def __init__(self) -> None:
        self._shows = sys.stderr is not None and sys.stderr.isatty()
        self._shown = False

    def __call__(self, positions: int) -> None:
        if self._shows:
            self._shown = True
            sys.stderr.write(f"\r{positions:,} positions searched ... ")
            sys.stderr.flush()

    def wipe(self) -> None:
        """Before anything else is written, and when the work is done."""
        if self._shown:
            self._shown = False
            sys.stderr.write("\r" + " " * 50 + "\r")
            sys.stderr.flush()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *error: object) -> None:
        self.wipe()


def _join(columns: list[list[tuple[str, str]]]) -> list[str]:
    """Blocks of equal height, side by side."""
    widths = [max(len(plain) for plain, _ in block) for block in columns]
    if sum(widths) + 4 * len(widths) > width():  # not enough room: one below the other
        return [shown for block in columns for _, shown in block]
    rows = []
    for line in zip(*columns, strict=True):
        parts = [shown + " " * (size - len(plain) + 4) for (plain, shown), size in zip(line, widths, strict=True)]
        rows.append("".join(parts).rstrip())
    return rows


def _flow(title: str, margin: int, cells: list[tuple[str, int]], most: int) -> list[str]:
    """A title and cells after it, going on below where the line is full or holds the most it may."""
    rows, room, count = [title], width() - margin, 0
    if room < width() // 2:  # a long name has a line of its own
        rows, margin = [title, "  "], 2
        room = width() - margin
    for shown, size in cells:
        if room < size or count == most:
            rows.append(" " * margin)
            room, count = width() - margin, 0
        rows[-1] += shown + " "
        room -= size + 1
        count += 1
    return [row.rstrip() for row in rows]


def fit_prompt(prompt: str, room: int = 12) -> list[str]:
    """A prompt with room to type after it; where it is too wide, lines to say first and a short prompt."""
    if endless() or len(prompt) + room <= width():
        return [prompt]
    return [*wrap(prompt.rstrip(), width()), "> "]


def wrap(line: str, columns: int, hang: int = 2) -> list[str]:
    """A line in pieces of at most so many columns; what follows the first is indented by ``hang`` more."""
    if len(line) <= columns:
        return [line]
    import textwrap  # seldom needed

    indent = " " * (len(line) - len(line.lstrip()) + hang)
    return textwrap.wrap(line, columns, subsequent_indent=indent, break_on_hyphens=False)


def reflow(text: str, columns: int) -> list[str]:
    """Prose in which paragraphs and "- " items fill the given columns."""
    lines: list[str] = []
    for block in text.strip().split("\n\n"):
        paragraphs: list[str] = []
        for line in block.splitlines():
            if (
                paragraphs
                and not line.startswith("- ")
                and (line.startswith(" ") or not paragraphs[-1].startswith("- "))
            ):
                paragraphs[-1] += " " + line.strip()
            else:
                paragraphs.append(line)
        for paragraph in paragraphs:
            lines += wrap(paragraph, columns, 2 if paragraph.startswith("- ") else 0)
        lines.append("")
    return lines[:-1]
