"""The web application in this process: one for all tests that do not mind each other, or one for a test alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.asgi import StartApp, WebApp, sqlite_file


@pytest.fixture(scope="session")
def app() -> Iterator[WebApp]:
    """An application that many tests share. Its database is in memory."""
    with WebApp() as app:
        yield app


@pytest.fixture
def client(app: WebApp) -> Iterator[httpx.Client]:
    with app.client() as client:
        yield client


@pytest.fixture
def start_app(tmp_path: Path) -> Iterator[StartApp]:
    """Starts applications for this test alone, with a file as their database; they are stopped in the end."""
    running: list[WebApp] = []

    def start(database: str | None = None, **settings: object) -> WebApp:
        running.append(WebApp(database or sqlite_file(tmp_path), **settings))
        return running[-1]

    yield start
    for app in running:
        app.stop()
