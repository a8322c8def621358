"""Long texts at a terminal: those longer than the screen go through a pager."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from parlour.terminal.screen import terminal_size


class _Buffer(io.StringIO):
    """Buffered output for the terminal."""

    paged = False  # whether it went through a pager

    def isatty(self) -> bool:
        return True


@contextmanager
def pager(below: int = 0) -> Iterator[_Buffer]:
    """Collect what is printed and page it at the end, if standard output is a terminal.

    ``below`` is the number of rows that are printed afterwards, such as a prompt, and must fit on the same screen.
    """
    screen, buffer = sys.stdout, _Buffer()
    if not screen.isatty():
        yield buffer
        return
    sys.stdout = buffer
    try:
        yield buffer
    finally:
        sys.stdout = screen
        buffer.paged = page(buffer.getvalue(), below)
        if not buffer.paged:
            sys.stdout.write(buffer.getvalue())
            sys.stdout.flush()


def page(text: str, below: int = 0) -> bool:
    """Page a text that is longer than the screen, less ``below`` rows; return False if it isn't.

    The variable PAGER names the pager; an empty one switches paging off.
    """
    unwanted = os.environ.get("PAGER", "less").strip() in ("", "cat")
    if unwanted or not sys.stdout.isatty() or text.count("\n") + below < terminal_size()[1]:
        return False
    sys.stdout.flush()
    click.echo_via_pager(text)
    return True
