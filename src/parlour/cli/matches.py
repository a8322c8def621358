"""Matches as arguments of commands: saved games and record files."""

from __future__ import annotations

import os
import stat
import sys
from time import monotonic, sleep

from parlour import record, saves
from parlour.errors import BadRecord, NoSuchRecord
from parlour.installation import own_command
from parlour.match import Match
from parlour.terminal.screen import at_terminal
from parlour.text import clip

MOST_RECORD_BYTES = record.MOST_RECORD_CHARACTERS
WRITER_SECONDS = 5.0  # the wait for the writer of a named pipe


def read_match(source: str | None) -> Match:
    """Return the match of a saved game's number, of a record file (- is standard input), or with None the last game.

    A number is always that of a saved game; ``./5`` names a file.
    """
    if source is None:
        return _last_game()
    if source.isdigit():
        return saves.load(saves.find(source))
    return record.read_record(read_file(source))


def _last_game() -> Match:
    """Return the saved game that was played last: a finished one if there is any; at a terminal the user's own first.

    Raises:
        NoSuchRecord: no game is saved.
    """
    best: tuple[tuple[bool, bool], Match] | None = None
    for number in sorted(saves.numbers(), key=lambda number: (_changed(number), number), reverse=True):
        try:
            match = saves.load(number)
        except (BadRecord, OSError):
            continue
        rank = (not (at_terminal() and saves.is_aside(number, match)), match.outcome is not None)
        if best is None or rank > best[0]:
            best = rank, match
        if best[0] == (True, True):
            break
    if best is None:
        raise NoSuchRecord(f"no game is saved yet; play one with: {own_command()} play GAME")
    return best[1]


def _changed(number: int) -> int:
    try:
        return os.stat(saves.path_of(number)).st_mtime_ns
    except OSError:
        return 0


def read_file(path: str) -> str:
    """The text of a file that may be a record; - is standard input. BadRecord if it is longer than any record."""
    if path == "-":
        data = sys.stdin.buffer.read(MOST_RECORD_BYTES + 1) if sys.stdin is not None else b""
    elif stat.S_ISFIFO(os.stat(path).st_mode):
        data = _read_pipe(path)
    else:
        with open(path, "rb") as file:
            if os.fstat(file.fileno()).st_size > MOST_RECORD_BYTES:
                raise _too_long(path)
            data = file.read(MOST_RECORD_BYTES + 1)
    if len(data) > MOST_RECORD_BYTES:
        raise _too_long(path)
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise BadRecord(f"{clip(path)!r} is not a Parlour record: it is not text in UTF-8") from None


def _too_long(path: str) -> BadRecord:
    return BadRecord(f"{clip(path)!r} is too long for a Parlour record; at most {MOST_RECORD_BYTES:,} bytes")


def _read_pipe(path: str) -> bytes:
    """Return the data of a named pipe; wait a few seconds for a writer, which opening alone would do without end."""
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb", buffering=0) as pipe:
        end = monotonic() + WRITER_SECONDS
        while (data := pipe.read(MOST_RECORD_BYTES + 1)) == b"":  # None if nothing is written yet
            if monotonic() > end:
                raise BadRecord(f"the pipe {clip(path)!r} has no writer")
            sleep(0.02)
        os.set_blocking(pipe.fileno(), True)
        data = data or b""
        while len(data) <= MOST_RECORD_BYTES and (more := pipe.read(MOST_RECORD_BYTES + 1 - len(data))):
            data += more
        return data
