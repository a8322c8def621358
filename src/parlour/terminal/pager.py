"""Long texts at a terminal: what is longer than the screen goes through a pager, everything else is just printed."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from parlour.terminal.screen import terminal_size


class _Held(io.StringIO):
    """Output that is held back for the terminal."""

    paged = False  # whether it went through a pager in the end

    def isatty(self) -> bool:
        return True


@contextmanager
def pager(below: int = 0) -> Iterator[_Held]:
    """Hold back what is printed inside, and show it at the end; only where standard output is a terminal.

    ``below`` is the number of rows that are printed afterwards, such as a prompt, and must fit on the same screen.
    """
    screen, held = sys.stdout, _Held()
    if not screen.isatty():
        yield held
        return
    sys.stdout = held
    try:
        yield held
    finally:
        sys.stdout = screen
        held.paged = page(held.getvalue(), below)
        if not held.paged:
            sys.stdout.write(held.getvalue())
            sys.stdout.flush()


def page(text: str, below: int = 0) -> bool:
    """Page a text that is longer than the screen, less ``below`` rows; return False if it isn't or can't be paged.

    The variable PAGER names the pager; an empty one switches paging off.
    """
    command = os.environ.get("PAGER", "less").strip()
    if text.count("\n") + below < terminal_size()[1] or command in ("", "cat"):
        return False
    import shlex
    import shutil

    words = shlex.split(command)
    if not words or shutil.which(words[0]) is None:
        return False
    sys.stdout.flush()
    # F: don't wait if the text fits the screen; R: colours; X: the text stays on the screen afterwards.
    run_pager(words, text, {"LESS": "RX" if below else "FRX", **os.environ})
    return True


def run_pager(words: list[str], text: str, environment: dict[str, str]) -> None:
    """Run a pager on the terminal until the reader leaves it."""
    import subprocess

    with subprocess.Popen(words, stdin=subprocess.PIPE, env=environment, text=True, encoding="utf-8") as process:
        try:
            process.communicate(text)
        except KeyboardInterrupt:  # which the pager has seen as well, and deals with as it likes
            process.wait()
