"""Output at a terminal: wrapped lines, colours and progress.

Nothing depends on colour alone; there is always a word or a sign as well.
"""

from __future__ import annotations

import os
import sys
from time import monotonic
from typing import IO, TYPE_CHECKING

import click

from parlour.match import Match

if TYPE_CHECKING:
    from threading import Event

TEXT_COLUMNS = 80  # the maximum width of prose
PLAYER_COLOURS = ("cyan", "magenta")
MIN_TYPING_COLUMNS = 12  # room for the answer after a prompt


def wants_colour(stream: IO[str]) -> bool:
    """Return whether to write colours to a stream."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()


def width() -> int:
    """Return the columns to write in, at least 20."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns):
        return max(int(columns), 20)
    try:
        return max(os.get_terminal_size(sys.__stdout__.fileno()).columns or 80, 20)  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):  # closed, or not a terminal
        return 80


def prose_width() -> int:
    """Return the columns for prose: those of the terminal, at most 80."""
    return min(width(), TEXT_COLUMNS)


def at_terminal() -> bool:
    """Return whether a person types and reads here."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def terminal_size() -> tuple[int, int]:
    """Return the columns and rows of the terminal, at least 20 and 5."""
    try:
        size = os.get_terminal_size(sys.__stdout__.fileno())  # type: ignore[union-attr]
        rows = size.lines
    except (AttributeError, ValueError, OSError):  # closed, or not a terminal
        rows = 24
    return width(), max(rows or 24, 5)


def can_redraw() -> bool:
    """Return whether boards can be drawn and redrawn in place."""
    return os.environ.get("TERM", "dumb") != "dumb" and os.environ.get("PARLOUR_PLAIN", "") in ("", "0")


def any_width() -> bool:
    """Return whether lines may have any length: they go to a program or a file, and COLUMNS is not set."""
    return not sys.stdout.isatty() and not os.environ.get("COLUMNS")


class Screen:
    """Standard output, as lines of text."""

    def __init__(self) -> None:
        self.colour = wants_colour(sys.stdout)

    def style(self, text: str, colour: str | None = None, *, bold: bool = False, dim: bool = False) -> str:
        if not self.colour or not (colour or bold or dim):
            return text
        return click.style(text, fg=colour, bold=bold or None, dim=dim or None)

    def say(self, lines: list[str], colour: str | None = None, *, bold: bool = False) -> None:
        """Print lines, wrapped where they are too wide."""
        for line in lines:
            for piece in [line] if any_width() else wrap(line, width()):
                sys.stdout.write(self.style(piece, colour, bold=bold) + "\n" if piece else "\n")

    def draw(self, match: Match) -> None:
        """Print the board of a match as text."""
        from parlour.picture import draw_rows  # slow to load

        for row in draw_rows(match.rules.view(match.moment), match.legal_moves, match.rules.name, width(), self.paint):
            sys.stdout.write(row + "\n")

    def paint(self, text: str, owner: int | None, weight: str) -> str:
        colour = None if owner is None else PLAYER_COLOURS[owner - 1]
        return self.style(text, colour, bold=weight == "bold", dim=weight == "dim")


TICK = 0.5  # seconds between two updates


class ProgressLine:
    """A line on standard error, at a terminal, with the task, its time and its progress, updated twice a second."""

    def __init__(self, what: str = "Searching") -> None:
        self.what = what  # the task; it may change
        self.whole = 0  # the approximate number of positions; 0 if unknown
        self.shows = sys.stderr is not None and sys.stderr.isatty()
        self._begin = self._quiet_until = 0.0
        self._positions = 0
        self._shown = 0  # characters on the line
        self._done: Event | None = None

    def __call__(self, positions: int) -> None:
        self._positions = positions

    def tell(self, what: str) -> None:
        """Change the task shown."""
        self.what = what

    @property
    def text(self) -> str:
        """The text of the line."""
        share = min(99, 100 * self._positions // self.whole) if self.whole else 0
        done = f", about {share} % done" if share else ""
        searched = f", {self._positions:,} positions" if self._positions else ""
        return f"{self.what} ... {monotonic() - self._begin:.0f} s{searched}{done}"

    def wipe(self) -> None:
        """Erase the line, before other output and at the end."""
        self._quiet_until = monotonic() + TICK
        if self._shown:
            sys.stderr.write("\r" + " " * self._shown + "\r")
            sys.stderr.flush()
            self._shown = 0

    def _show(self) -> None:
        text = self.text[: width() - 1]
        sys.stderr.write("\r" + text.ljust(self._shown))
        sys.stderr.flush()
        self._shown = len(text)

    def __enter__(self) -> ProgressLine:
        self._begin = monotonic()
        if self.shows:
            from threading import Event, Thread

            self._done = done = Event()

            def tick() -> None:
                while not done.wait(TICK):
                    if monotonic() >= self._quiet_until:
                        self._show()

            self._thread = Thread(target=tick, daemon=True)
            self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._done is not None:
            self._done.set()
            self._thread.join()
        self.wipe()


def fit_prompt(prompt: str) -> list[str]:
    """Return a prompt that leaves room to type; if it is too wide, lines to print first and a short prompt."""
    if any_width() or len(prompt) + MIN_TYPING_COLUMNS <= width():
        return [prompt]
    return [*wrap(prompt.rstrip(), width()), "> "]


def wrap(line: str, columns: int, hang: int = 2) -> list[str]:
    """Return a line in pieces of at most ``columns``; further pieces are indented by ``hang`` more."""
    if len(line) <= columns:
        return [line]
    import textwrap  # rarely needed

    indent = " " * (len(line) - len(line.lstrip()) + hang)
    return textwrap.wrap(line, columns, subsequent_indent=indent, break_on_hyphens=False)


def reflow(text: str, columns: int) -> list[str]:
    """Return prose as lines; paragraphs and "- " items fill the columns."""
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
