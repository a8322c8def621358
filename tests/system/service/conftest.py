"""The service on PostgreSQL; tests/unit/service has SQLite."""

import pytest

from tests.support.store import clock, opened, store

__all__ = ["clock", "opened", "store"]


@pytest.fixture
def url(postgres_url: str) -> str:
    """An empty database."""
    return postgres_url
