"""Matches that were loaded lately, replayed: what was computed for a line of a record stays right for ever."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import NamedTuple

from parlour import record
from parlour.match import Match
from parlour.store import Stamp, StoredMatch

MOST_KEPT_LINES = 100_000  # of all these matches together, which are some 60 MB


class Replayed(NamedTuple):
    """A match as it was stored, and the same replayed. Nobody changes either."""

    stored: StoredMatch
    match: Match


class Replays:
    """A few matches that need not be replayed from the start, usable from several threads at once.

    Nothing here is believed to be the present state of a match: the store says which state that is.
    """

    def __init__(self, most_lines: int = MOST_KEPT_LINES) -> None:
        self._most_lines = most_lines
        self._lines = 0
        self._known: OrderedDict[str, Replayed] = OrderedDict()  # by id; what was used last stands last
        self._lock = Lock()

    def find(self, id: str, stamp: Stamp) -> Replayed | None:
        """The match in the state that has this stamp of the store, if it is here."""
        with self._lock:
            known = self._known.get(id)
            if known is None or _stamp(known.stored) != stamp:
                return None
            self._known.move_to_end(id)
            return known

    def replay(self, stored: StoredMatch) -> Match:
        """The match of what is stored; only lines that are new since the last time are played."""
        with self._lock:
            known = self._known.get(stored.id)
        if known is not None and known.stored.head == stored.head and _begins_with(stored, known.stored):
            match = known.match.copy()
            for line in stored.lines[len(known.stored.lines) :]:
                record.repeat_line(match, line)
        else:
            match = record.read_record("\n".join((stored.head, *stored.lines)))
        self.keep(stored, match)
        return match

    def keep(self, stored: StoredMatch, match: Match) -> None:
        """Remember a state and its match, which nobody is to change any more."""
        with self._lock:
            self._forget(stored.id)
            self._known[stored.id] = Replayed(stored, match)
            self._lines += _size(stored)
            while self._lines > self._most_lines:
                self._forget(next(iter(self._known)))

    def _forget(self, id: str) -> None:
        known = self._known.pop(id, None)
        if known is not None:
            self._lines -= _size(known.stored)


def _begins_with(stored: StoredMatch, known: StoredMatch) -> bool:
    return stored.lines[: len(known.lines)] == known.lines


def _stamp(stored: StoredMatch) -> Stamp:
    return Stamp(stored.seq, stored.changed_at, len(stored.lines))


def _size(stored: StoredMatch) -> int:
    return len(stored.lines) + 20  # for what every match has
