"""Take the pictures of the page that README and docs show: a real server, a real browser, a real game.

Run it with: make photographs
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, sync_playwright

PICTURES = Path(__file__).parent / "pictures"
DESKTOP = {"width": 1200, "height": 800}
PHONE = {"width": 390, "height": 844}


def board_in_play(url: str) -> dict[str, Any]:
    """A match of two friends on one device, six moves into it."""
    challenge = {"game": "increasing-differences", "names": ["Ann", "Ben"], "first": "1"}
    made = httpx.post(f"{url}/api/challenge/local", json={**challenge, "moves": ["9", "12", "11", "7", "4", "14"]})
    made.raise_for_status()
    document: dict[str, Any] = made.json()
    return document


def finished_game(url: str) -> dict[str, Any]:
    """A match that turned twice."""
    challenge = {"game": "double-up", "names": ["Ann", "Ben"], "first": "1"}
    moves = ["2", "3", "4", "5", "10", "11", "20", "23", "25", "49"]
    made = httpx.post(f"{url}/api/challenge/local", json={**challenge, "moves": moves})
    made.raise_for_status()
    document: dict[str, Any] = made.json()
    seat = {"Authorization": f"Bearer {document['seat']}"}
    httpx.post(f"{url}/api/matches/{document['id']}/resign", json={"player": 1}, headers=seat).raise_for_status()
    return document


def take(
    browser: Browser, address: str, name: str, *, size: dict[str, int], scheme: str, until: str, press: str = ""
) -> None:
    """Photograph a page once it shows a text; ``press``: after that button."""
    context = browser.new_context(
        viewport=size,  # type: ignore[arg-type]
        color_scheme=scheme,  # type: ignore[arg-type]
        device_scale_factor=1.5,
        has_touch=size is PHONE,
        is_mobile=size is PHONE,
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(address)
    page.get_by_text(until).first.wait_for()
    if press:
        page.get_by_role("button", name=press).click()
    page.wait_for_timeout(500)
    page.screenshot(path=PICTURES / f"{name}.png")
    context.close()


def main() -> None:
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        sys.exit("Chromium is not installed")
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        database = f"sqlite:///{home}/web.sqlite3"
        command = [sys.executable, "-m", "parlour", "serve", "--port", "0", "--database", database]
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert server.stdout is not None
        try:
            found = re.search(r"http://[^/\s]+", server.stdout.readline())
            assert found is not None
            url = found[0]
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            take(browser, f"{url}/", "web-home", size=DESKTOP, scheme="light", until="Pyramid Challenge")
            match = board_in_play(url)
            address = f"{url}/m/{match['id']}#seat={match['seat']}"
            take(browser, address, "web-match", size=DESKTOP, scheme="light", until="Ann's turn")
            take(browser, address, "web-phone", size=PHONE, scheme="dark", until="Ann's turn")
            take(
                browser, f"{url}/study/sequence-builder/start", "web-study", size=DESKTOP, scheme="dark", until="loses"
            )
            over = finished_game(url)
            report = f"{url}/m/{over['id']}#seat={over['seat']}"
            take(
                browser,
                report,
                "web-report",
                size={"width": 1200, "height": 900},
                scheme="light",
                until="Show the moment",
                press="See where it turned",
            )
            browser.close()
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
