"""Matches that commands are given, as a record file or by their number, and how they stand."""

from __future__ import annotations

import os
import sys

from parlour import record, saves
from parlour.errors import BadRecord
from parlour.match import Match
from parlour.text import clip, sentence


def read_match(source: str) -> Match:
    """The match of a record file, or the kept game of this number; - is standard input."""
    if source.isdigit() and not os.path.exists(source):
        return saves.load(saves.find(source))
    return record.read_record(read_file(source))


def read_file(path: str) -> str:
    """The text of a file that may be a record; - is standard input."""
    if path == "-":
        data = sys.stdin.buffer.read() if sys.stdin is not None else b""
    else:
        with open(path, "rb") as file:
            data = file.read()
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise BadRecord(f"{clip(path)!r} is no Parlour record: it is not text in UTF-8") from None


def tell_standing(match: Match) -> str:
    """How a match stands, as a sentence."""
    outcome = match.outcome
    if outcome is None:
        return f"Not finished: {match.standing}."
    return f"{match.standing}." if outcome.winner is not None else sentence(match.standing)  # a name stays as it is
