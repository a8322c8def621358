"""Every test of the store runs on SQLite and on PostgreSQL."""

from tests.support.store import clock, opened, sqlite_url, started, store, url

__all__ = ["clock", "opened", "sqlite_url", "started", "store", "url"]
