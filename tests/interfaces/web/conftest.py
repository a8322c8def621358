"""The web application in this process: one for all tests that do not mind each other, or one for a test alone."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.support.asgi import WebApp, start_app

__all__ = ["start_app"]


@pytest.fixture(scope="session")
def app() -> Iterator[WebApp]:
    """An application that many tests share. Its database is in memory."""
    with WebApp() as app:
        yield app


@pytest.fixture
def client(app: WebApp) -> Iterator[httpx.Client]:
    with app.client() as client:
        yield client
