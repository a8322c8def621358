"""A cache of replayed matches. The lines of a record never change, so a longer match continues a cached replay."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import NamedTuple

from parlour import record
from parlour.match import Match
from parlour.store import Stamp, StoredMatch

MAX_CACHED_LINES = 100_000  # lines of all cached matches, about 60 MB


class Replayed(NamedTuple):
    """A stored match and its replay, both immutable."""

    stored: StoredMatch
    match: Match


class Replays:
    """A thread-safe LRU cache of replayed matches. Entries may be older than the store."""

    def __init__(self, most_lines: int = MAX_CACHED_LINES) -> None:
        self._most_lines = most_lines
        self._lines = 0
        self._known: OrderedDict[str, Replayed] = OrderedDict()  # key: id; the most recently used is the last
        self._lock = Lock()

    def find(self, id: str, stamp: Stamp) -> Replayed | None:
        """Return the cached match if it has this stamp, None otherwise."""
        with self._lock:
            known = self._known.get(id)
            if known is None or _stamp(known.stored) != stamp:
                return None
            self._known.move_to_end(id)
            return known

    def replay(self, stored: StoredMatch) -> Match:
        """Return the replay of a stored match. Only lines that are not in the cache are played."""
        with self._lock:
            known = self._known.get(stored.id)
        if known is not None and known.stored.head == stored.head and _begins_with(stored, known.stored):
            match = known.match.copy()
            for line in stored.lines[len(known.stored.lines) :]:
                record.repeat_line(match, line)
        else:
            match = record.read_record("\n".join((stored.head, *stored.lines)))
        self.store(stored, match)
        return match

    def store(self, stored: StoredMatch, match: Match) -> None:
        """Cache a stored match and its replay, which the caller must not change afterwards."""
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
    return len(stored.lines) + 20  # lines as heavy as the rest of a match
