"""Long texts at a terminal: what is longer than the screen goes through a pager, everything else is just printed."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from parlour.cli.screen import terminal_size


class _Held(io.StringIO):
    """What would go to the terminal."""

    def isatty(self) -> bool:
        return True


@contextmanager
def pager() -> Iterator[None]:
    """Hold back what is printed inside, and show it at the end; only where standard output is a terminal."""
    screen = sys.stdout
    if not screen.isatty():
        yield
        return
    sys.stdout = held = _Held()
    try:
        yield
    finally:
        sys.stdout = screen
        _show(held.getvalue())


def _show(text: str) -> None:
    """Print a text, or page it where it is longer than the screen. PAGER says by what; an empty one by nothing."""
    command = os.environ.get("PAGER", "less").strip()
    if text.count("\n") < terminal_size()[1] or command in ("", "cat") or not _page(command, text):
        sys.stdout.write(text)
        sys.stdout.flush()


def _page(command: str, text: str) -> bool:
    """Hand a text to a pager; False if there is none such."""
    import shlex
    import shutil
    import subprocess

    words = shlex.split(command)
    if not words or shutil.which(words[0]) is None:
        return False
    sys.stdout.flush()
    # F: no paging of what fits; R: colours; X: the text stays on the screen afterwards.
    environment = {"LESS": "FRX", **os.environ}
    with subprocess.Popen(words, stdin=subprocess.PIPE, env=environment, text=True, encoding="utf-8") as process:
        try:
            process.communicate(text)
        except KeyboardInterrupt:  # which the pager has seen as well, and deals with as it likes
            process.wait()
    return True
