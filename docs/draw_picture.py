"""Draws the pictures in ``docs/pictures``: real games at a real terminal, as its screen was at the end.

Run it with: make picture

A scene starts ``parlour`` at a pseudo-terminal, types a player's moves against a seeded opponent and keeps what the
terminal showed. The same scene always gives the same file, so a test can tell when a picture is out of date.
"""

from __future__ import annotations

import html
import io
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import pexpect
import pyte
from rich.console import Console
from rich.style import Style
from rich.terminal_theme import TerminalTheme
from rich.text import Text

import parlour

PICTURES = Path(__file__).parent / "pictures"
COLUMNS = 80


ROWS = 24
PROMPT = "> "  # what stands before whatever the player types


class Scene(NamedTuple):
    """One picture: what was called, and what the player typed."""

    command: str
    typed: tuple[str, ...]
    alternative: str  # what the picture shows, in words


SCENES = {
    "increasing-differences": Scene(
        command="parlour play increasing-differences --p2 random --name2 Computer --seed 1114",
        typed=("10", "12", "9", "16"),
        alternative="The end of a game of Increasing Differences at the terminal: 16 completes the sequence and wins.",
    ),
}


def screen_of(scene: Scene) -> list[Text]:
    """What stands on the terminal at the end of the game, line by line, with its colours."""
    screen = pyte.Screen(COLUMNS, ROWS)
    with tempfile.TemporaryDirectory() as state:
        terminal = pexpect.spawn(
            sys.executable,
            ["-m", *scene.command.split()],
            env={
                "PATH": os.environ.get("PATH", os.defpath),
                "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
                "XDG_STATE_HOME": state,
                "XDG_CONFIG_HOME": state,
                "INPUTRC": os.devnull,  # nobody's own key bindings
                "TERM": "xterm",
                "LC_ALL": "C.UTF-8",
            },
            encoding="utf-8",
            timeout=30,
            dimensions=(ROWS, COLUMNS),
        )
        seen = io.StringIO()
        terminal.logfile_read = seen
        for line in scene.typed:
            terminal.expect_exact(PROMPT)
            terminal.sendline(line)
        terminal.expect_exact("Again")
        terminal.expect_exact(PROMPT)
        pyte.Stream(screen).feed(seen.getvalue())
        terminal.sendline("quit")
        terminal.expect(pexpect.EOF)
        terminal.close()
    if terminal.exitstatus != 0:
        raise RuntimeError(f"this scene does not come to its end:\n{seen.getvalue()}")
    lines = [_line(screen, row) for row in range(ROWS)]
    while not lines[-1].plain.strip():
        lines.pop()
    return lines


def _line(screen: pyte.Screen, row: int) -> Text:
    """One line of a terminal."""
    line = Text()
    for column in range(COLUMNS):
        letter = screen.buffer[row][column]
        colour = None if letter.fg == "default" else letter.fg.replace("brown", "yellow")
        line.append(letter.data, Style(color=colour, bold=letter.bold or None))
    line.rstrip()
    return line


# Soft colours on a dark ground. The order is the terminal's: black, red, green, yellow, blue, magenta, cyan, white.
THEME = TerminalTheme(
    (24, 26, 33),
    (205, 209, 219),
    [(70, 75, 90), (224, 108, 117), (152, 195, 121), (229, 192, 123),
     (97, 175, 239), (224, 145, 221), (86, 199, 205), (205, 209, 219)],
)  # fmt: skip

# Rich fills in what stands in braces. No font is fetched: the monospaced one of whoever looks at it will do.
FRAME = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="ALTERNATIVE">
<title>ALTERNATIVE</title>
<style>
.{unique_id}-matrix, .{unique_id}-title {{
  font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: {char_height}px; font-variant-ligatures: none; white-space: pre;
}}
.{unique_id}-title {{ font-size: 15px }}
{styles}
</style>
{chrome}
<g class="{unique_id}-matrix" transform="translate({terminal_x}, {terminal_y})">
{backgrounds}
{matrix}
</g>
</svg>
"""


def draw(name: str) -> str:
    """The picture of a scene, as SVG."""
    scene = SCENES[name]
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    for line in screen_of(scene):
        console.print(line, soft_wrap=True, highlight=False)
    frame = FRAME.replace("ALTERNATIVE", scene.alternative)
    picture = console.export_svg(title=scene.command, theme=THEME, code_format=frame, unique_id=name)
    written = _TEXT.sub(_trimmed, picture).splitlines()
    return "\n".join(line.strip() for line in written if line.strip()) + "\n"


NO_BREAK = "\xa0"  # what rich makes of a space
_TEXT = re.compile(r'<text class="(\S+-r\d+)" x="([\d.]+)" y="([\d.]+)" textLength="([\d.]+)"[^>]*>(.*?)</text>', re.S)


def _trimmed(found: re.Match[str]) -> str:
    """A piece of text on a line of its own, without the spaces around it: some programs that draw SVG drop those."""
    style, x, y, length, content = found.groups()
    text = html.unescape(content)
    words = text.strip()
    if not words:
        return ""
    column = float(length) / len(text)
    left = float(x) + column * (len(text) - len(text.lstrip()))
    place = f'x="{left:g}" y="{y}" textLength="{column * len(words):g}"'
    return f'\n<text class="{style}" {place}>{html.escape(words, quote=False).replace(NO_BREAK, "&#160;")}</text>'


def draw_match() -> str:
    """The table that the tour of the Python interface begins with, as SVG."""
    match = parlour.new_match("increasing-differences", range=15, names=("Ann", "Ben"))
    match.play_line("5 7 8 9 12")
    return match.svg() + "\n"


def main() -> None:
    """Draw every picture anew."""
    PICTURES.mkdir(exist_ok=True)
    for name, picture in {**{name: draw(name) for name in SCENES}, "match": draw_match()}.items():
        (PICTURES / f"{name}.svg").write_text(picture, encoding="utf-8")
        print(f"docs/pictures/{name}.svg")


if __name__ == "__main__":
    main()
