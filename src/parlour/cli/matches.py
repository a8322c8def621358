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

MAX_RECORD_BYTES = record.MAX_RECORD_LENGTH
PIPE_TIMEOUT = 5.0  # seconds to wait for the writer of a named pipe


def read_match(source: str | None) -> Match:
    """Return the match with the ID of a saved game, in a record file (``-`` is standard input), or the last one.

    Digits are always an ID; ``./5`` is a file.
    """
    if source is None:
        return _last_game()
    if source.isdigit():
        return saves.load(saves.find(source))
    return record.read_record(read_file(source))


def _last_game() -> Match:
    """Return the last saved game; prefer finished games and, at a terminal, the user's own.

    Raises:
        NoSuchRecord: no game is saved.
    """
    best: tuple[tuple[bool, bool], Match] | None = None
    for number in sorted(saves.numbers(), key=lambda number: (_changed(number), number), reverse=True):
        try:
            match = saves.load(number)
        except (BadRecord, OSError):
            continue
        rank = (not (at_terminal() and saves.is_hidden(number, match)), match.outcome is not None)
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
    """Return the text of a file, or of standard input for ``-``.

    Raises:
        BadRecord: the file is too long for a record, or not UTF-8.
    """
    if path == "-":
        data = sys.stdin.buffer.read(MAX_RECORD_BYTES + 1) if sys.stdin is not None else b""
    elif stat.S_ISFIFO(os.stat(path).st_mode):
        data = _read_pipe(path)
    else:
        with open(path, "rb") as file:
            if os.fstat(file.fileno()).st_size > MAX_RECORD_BYTES:
                raise _too_long(path)
            data = file.read(MAX_RECORD_BYTES + 1)
    if len(data) > MAX_RECORD_BYTES:
        raise _too_long(path)
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise BadRecord(f"{clip(path)!r} is not a Parlour record: it is not text in UTF-8") from None


def _too_long(path: str) -> BadRecord:
    return BadRecord(f"{clip(path)!r} is too long for a Parlour record; at most {MAX_RECORD_BYTES:,} bytes")


def _read_pipe(path: str) -> bytes:
    """Return the data of a named pipe. Opening it without O_NONBLOCK would wait for a writer without a timeout."""
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb", buffering=0) as pipe:
        end = monotonic() + PIPE_TIMEOUT
        while (data := pipe.read(MAX_RECORD_BYTES + 1)) == b"":  # None if nothing is written yet
            if monotonic() > end:
                raise BadRecord(f"the pipe {clip(path)!r} has no writer")
            sleep(0.02)
        os.set_blocking(pipe.fileno(), True)
        data = data or b""
        while len(data) <= MAX_RECORD_BYTES and (more := pipe.read(MAX_RECORD_BYTES + 1 - len(data))):
            data += more
        return data
