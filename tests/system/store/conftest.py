"""Stores on PostgreSQL, and processes that use a store."""

from tests.support.store import clock, opened, sqlite_url, started, store, unhurried, url

__all__ = ["clock", "opened", "sqlite_url", "started", "store", "unhurried", "url"]
