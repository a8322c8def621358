"""Stores, which tests of one kind or another open."""

from tests.support.store import clock, opened, sqlite_url, store, unhurried, url

__all__ = ["clock", "opened", "sqlite_url", "store", "unhurried", "url"]
