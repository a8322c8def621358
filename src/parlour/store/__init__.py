"""Where the web's matches live: one database, SQLite or PostgreSQL, shared by all the processes that serve them.

A match lies here as the tags and the lines of its record and what the web needs beside them. Nothing here knows a
rule or reads a line: what may be done is decided by whoever calls, and ``Store.change`` sees to it that it was
decided about the match as it still is.
"""

from __future__ import annotations

from parlour.store.opening import open_store
from parlour.store.store import PRESENCE_EVERY, PRESENCE_LASTS, Kept, Policy, Store, Taken

__all__ = ["PRESENCE_EVERY", "PRESENCE_LASTS", "Kept", "Policy", "Store", "Taken", "open_store"]
