"""The service on SQLite in memory; tests/system/service has PostgreSQL."""

import pytest

from tests.support.store import clock, opened, store

__all__ = ["clock", "opened", "store"]


@pytest.fixture
def url() -> str:
    """An empty database."""
    return "sqlite://"
