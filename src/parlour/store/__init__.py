"""Where the web's matches live: one database, SQLite or PostgreSQL, shared by all the processes that serve them.

A match lies here as the tags and the lines of its record and what the web needs beside them. Nothing here knows a
rule or reads a line: what may be done is decided by whoever calls, and ``Store.replace`` sees to it that it was
decided about the match as it still is.
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
