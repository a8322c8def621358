"""The store of the web's matches: a SQLite or PostgreSQL database that all server processes share.

A stored match has the tags and lines of its record, and the state that the web needs. The store does not interpret
lines and checks no rules. ``Store.replace`` writes a change only if the match has not changed meanwhile (optimistic
concurrency).
"""

from __future__ import annotations

from parlour.store.backup import back_up, new_file
from parlour.store.database import Attempt
from parlour.store.factory import open_existing, open_store
from parlour.store.store import (
    SECONDS_BETWEEN_REFRESHES,
    VISIT_SECONDS,
    IdTaken,
    Lifetimes,
    Stamp,
    Store,
    StoredMatch,
    Visit,
)

__all__ = [
    "SECONDS_BETWEEN_REFRESHES",
    "VISIT_SECONDS",
    "Attempt",
    "IdTaken",
    "Lifetimes",
    "Stamp",
    "Store",
    "StoredMatch",
    "Visit",
    "back_up",
    "new_file",
    "open_existing",
    "open_store",
]
