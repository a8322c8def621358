"""Examination of the matches in a store, and recovery of damaged ones."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

from parlour import record
from parlour.documents.saved import Examination, Problem
from parlour.errors import BadRecord
from parlour.limit import Limit, limit_of
from parlour.store import Store, StoredMatch
from parlour.store.errors import DamagedMatch
from parlour.store.recovery import count_unsealed, find_file_damage, find_ids, read_remains


class Salvaged(NamedTuple):
    """The recovery of a match into a copy."""

    id: str
    lines: int | None  # recovered lines; None: none could be recovered
    damage: str | None  # None: the match is intact


def examine(store: Store, limit: Limit | None = None) -> Examination:
    """Check the file of a store, and that every match is unaltered and follows the rules.

    When the time limit expires, the remaining matches are not read.
    """
    limit = limit_of(limit)
    problems = [Problem(where="the file", what=what) for what in find_file_damage(store)]
    ids = find_ids(store)
    count = left = 0
    for done, id in enumerate(ids):
        if limit.time_is_up:
            left = len(ids) - done
            break
        match, damage = _read(store, id)
        count += match is not None or damage is not None
        if damage is not None:
            problems.append(Problem(where=f"match {id}", what=damage))
    return Examination(count=count, left=left, unsealed=count_unsealed(store), problems=problems)


def salvage(store: Store, copy: Store) -> Iterator[Salvaged]:
    """Copy every match of a store to another one: damaged matches up to the damage."""
    for id in find_ids(store):
        match, damage = _read(store, id)
        if damage is not None:
            match = _recover(store, id)
        if match is not None:
            copy.add(match)
        if match is not None or damage is not None:
            yield Salvaged(id, None if match is None else len(match.lines), damage)


def _read(store: Store, id: str) -> tuple[StoredMatch | None, str | None]:
    """Return a match, or a description of its damage; neither if it was removed meanwhile."""
    try:
        match = store.load(id)
        if match is not None:
            record.read_record("\n".join((match.head, *match.lines)))
        return match, None
    except DamagedMatch as error:
        return None, error.reason
    except BadRecord as error:
        return None, str(error)


def _recover(store: Store, id: str) -> StoredMatch | None:
    """Return the part of a match before its damage; None if its beginning cannot be read."""
    columns, lines = read_remains(store, id)
    now = time.time()
    known = cast(dict[str, Any], {"seq": 0, "created": now, "touched": now, **columns})
    if not {"kind", "head", "seat_0", "seat_1", "invite"} <= known.keys():
        return None
    try:
        match, _ = record.read_beginning("\n".join((known["head"], *lines.texts)))
    except BadRecord:
        return None
    return StoredMatch(
        id=id,
        seq=known["seq"] + 1,
        kind=known["kind"],
        head=known["head"],
        lines=lines.texts[: len(match.log)],
        seat_hashes=(known["seat_0"], known["seat_1"]),
        invitation_hash=known["invite"],
        offer="",
        rematch="",
        over=match.outcome is not None,
        created_at=known["created"],
        changed_at=known["touched"],
    )
