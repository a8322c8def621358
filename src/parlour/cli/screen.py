"""What the terminal shows: lines no wider than it is, colour where that helps, and the table drawn from a game's view.

Nothing depends on colour: what it says is also said by a word or a sign.
"""

from __future__ import annotations

import os
import sys
from typing import IO

import click

from parlour.kernels import can_compile
from parlour.match import Match
from parlour.picture import draw_rows

SEAT_COLOURS = ("cyan", "magenta")


def wants_colour(stream: IO[str]) -> bool:
    """Whether colour is wanted on a stream."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()


def width() -> int:
    """Columns to write in; at least 20, whatever the terminal claims."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns):
        return max(int(columns), 20)
    try:
        return max(os.get_terminal_size(sys.__stdout__.fileno()).columns or 80, 20)  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):  # it is closed, or no terminal
        return 80


def own_command() -> str:
    """How to call Parlour from here: by its name, or by its path where the shell would not find it."""
    own = sys.argv[0]
    # As shutil.which would; but shutil loads all that can compress, for which nobody is to wait.
    paths = [os.path.join(folder, "parlour") for folder in os.get_exec_path()]
    is_found = any(os.path.isfile(path) and os.access(path, os.X_OK) for path in paths)
    return "parlour" if os.path.basename(own) != "parlour" or is_found else os.path.relpath(own)


def any_width() -> bool:
    """Lines may be as long as they like: they go to a program or a file, and nobody has set COLUMNS."""
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
        """Print the table."""
        for row in draw_rows(match.rules.view(match.moment), match.legal, match.rules.name, width(), self._paint):
            sys.stdout.write(row + "\n")

    def _paint(self, text: str, owner: int | None, weight: str) -> str:
        colour = None if owner is None else SEAT_COLOURS[owner]
        return self.style(text, colour, bold=weight == "bold", dim=weight == "dim")


LONG_SEARCH = 200_000  # positions; some three seconds, where nothing is compiled
ADVICE = "parlour: this is up to 90 times as fast with Numba: pip install 'parlour[fast]'"


class Progress:
    """At a terminal, shows how many positions were searched while the work goes on.

    Where the work is long, and Numba is missing, it says once what would help, at a terminal or not.
    """

    def __init__(self) -> None:
        self._shows = sys.stderr is not None and sys.stderr.isatty()
        self._shown = False
        self._advised = False

    def __call__(self, positions: int) -> None:
        if positions >= LONG_SEARCH and not self._advised:
            self._advised = True
            if not can_compile():
                self.wipe()
                click.echo(ADVICE, err=True)
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


def fit_prompt(prompt: str, room: int = 12) -> list[str]:
    """A prompt with room to type after it; where it is too wide, lines to say first and a short prompt."""
    if any_width() or len(prompt) + room <= width():
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
