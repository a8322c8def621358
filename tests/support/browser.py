"""Real browsers for the tests of the page: people with a screen of their own, who notice everything that goes wrong."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, WebError, expect, sync_playwright

from tests.support.server import Server

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
NARROW: dict[str, Any] = {**PHONE, "viewport": {"width": 360, "height": 740}}
OTHER_HOST = "parlour.test"  # this machine, by a name that does not say so
DOUBLE_CLICK = 0.6  # seconds; to a browser it is half a second
PATIENCE = 20_000  # milliseconds: the machine may be busy, and nothing here waits without need
expect.set_options(timeout=PATIENCE)

# Everything that is told to those who listen, in the order of its telling.
LISTEN = """
window.heard = [];
document.addEventListener("DOMContentLoaded", () => {
  for (const id of ["polite", "urgent"]) {
    const region = document.getElementById(id);
    if (!region) continue; // a blank page
    const note = () => window.heard.push(region.textContent.trim());
    new MutationObserver(note).observe(region, { childList: true, characterData: true, subtree: true });
  }
});
"""
GLANCE = """() => ({
  status: document.querySelector("#status")?.innerText.trim() ?? "",
  moves: [...document.querySelectorAll("[data-testid=moves] li")].map((item) => item.innerText.trim()),
  legal: [...document.querySelectorAll("main button[data-move]:not([aria-disabled]):not([disabled])")]
    .map((tile) => tile.dataset.move),
  over: Boolean(document.querySelector("#status .result")),
})"""


class Visitor:
    """Somebody with a browser of their own. Trouble nobody asked for fails the test at its end."""

    def __init__(self, browser: Browser, home: str, device: dict[str, Any]) -> None:
        self.home = home
        self.touches = bool(device.get("has_touch"))
        self.problems: list[str] = []
        self.expected: list[str] = []
        self.requests: list[str] = []
        self._pressed = (-9.0, -9.0, 0.0)  # where and when a tile was pressed last
        self.context = browser.new_context(base_url=home, locale="en-GB", **device)
        self.context.set_default_timeout(PATIENCE)
        self.context.add_init_script(LISTEN)
        self.context.on("console", self._console)
        self.context.on("weberror", self._error)
        self.context.on("request", self._request)
        self.context.on("requestfailed", self._failed)
        self.page = self.context.new_page()

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.problems.append(f"console: {message.text} ({message.location.get('url')})")

    def _error(self, error: WebError) -> None:
        self.problems.append(f"exception: {error.error}")

    def _request(self, request: Request) -> None:
        self.requests.append(request.url)
        if not request.url.startswith((self.home + "/", "data:")):
            self.problems.append(f"another host: {request.url}")
        if request.headers.get("referer") not in (None, "", request.url):  # a worker's own address is told to it
            self.problems.append(f"referrer: {request.headers['referer']} told to {request.url}")

    def _failed(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # given up by the page itself, or a download
            self.problems.append(f"failed: {request.url}: {request.failure}")

    def expect_trouble(self, *patterns: str) -> None:
        """What goes wrong on purpose: the browser notes every refusal, and a dead line, in its console."""
        self.expected += patterns

    def check(self) -> None:
        unexpected = [found for found in self.problems if not any(re.search(each, found) for each in self.expected)]
        assert not unexpected, "\n".join(unexpected)

    # Going and doing.

    def arrive(self, path: str) -> Page:
        self.page.goto(path)
        return self.page

    def press(self, what: Locator, **how: Any) -> None:
        """As the device has it."""
        if self.touches:
            what.tap(**how)
        else:
            what.click(**how)

    def press_button(self, name: str, **where: Any) -> None:
        self.press(self.page.get_by_role("button", name=name, exact=True), **where)

    def begin(self, game: str, way: str = "Computer") -> Page:
        """From the first page to a match: with whom, and one press on the card of the game."""
        self.arrive("/")
        self.page.get_by_label(way, exact=True).check()
        self.press(self.page.locator(f'[data-game="{game}"] .button.primary'))
        self.page.wait_for_url("**/m/*")
        return self.page

    def open_more(self) -> None:
        """What stands beside the board on a large screen is behind a button on a small one."""
        more = self.page.get_by_test_id("more")
        if more.is_visible() and more.get_attribute("aria-expanded") == "false":
            self.press(more)

    def close_more(self) -> None:
        more = self.page.get_by_test_id("more")
        if more.is_visible() and more.get_attribute("aria-expanded") == "true":
            self.press(more)

    def in_menu(self, what: str) -> Locator:
        """Something in the menu of a match, which is opened for it, by its test id."""
        if not self.page.get_by_role("dialog").is_visible():
            self.press(self.page.get_by_test_id("menu"))
        return self.page.get_by_test_id(what)

    def resign(self) -> None:
        self.open_more()
        self.press_button("Resign")
        self.press_button("Confirm resignation")

    def tile(self, move: str) -> Locator:
        return self.page.locator(f'main button[data-move="{move}"]').first

    def play(self, move: str) -> None:
        """As a person does: who presses the same place again at once has pressed twice, and that plays once."""
        tile = self.tile(move)
        tile.scroll_into_view_if_needed()
        box = tile.bounding_box()
        assert box is not None
        place = (box["x"] // 20, box["y"] // 20)
        if all(abs(now - then) <= 1 for now, then in zip(place, self._pressed[:2], strict=True)):
            time.sleep(max(0.0, self._pressed[2] + DOUBLE_CLICK - time.monotonic()))
        self.press(tile)
        self._pressed = (*place, time.monotonic())

    def try_to_play(self, move: str) -> None:
        """Choose a tile that says it is disabled."""
        self.press(self.tile(move), force=True)

    # Seeing.

    def glance(self) -> dict[str, Any]:
        """How things stand: status, moves, legal moves, over."""
        seen: dict[str, Any] = self.page.evaluate(GLANCE)
        return seen

    @property
    def status(self) -> Locator:
        return self.page.locator("#status")

    def wait_for_moves(self, count: int) -> None:
        """Until at least so many moves are listed."""
        self.page.wait_for_function(
            "count => document.querySelectorAll('[data-testid=moves] li').length >= count", arg=count
        )

    def wait_for_turn(self) -> dict[str, Any]:
        """Until it is one's turn, or the game is over."""
        self.page.wait_for_function(
            "() => document.querySelector('#status .result')"
            " || document.querySelector('main button[data-move]:not([aria-disabled])')"
        )
        return self.glance()

    def heard(self) -> list[str]:
        told: list[str] = self.page.evaluate("window.heard")
        return told

    def kept(self) -> dict[str, str]:
        """All that the browser has stored."""
        stored: dict[str, str] = self.page.evaluate("({...localStorage, ...sessionStorage})")
        return stored

    @property
    def secrets(self) -> str:
        return str(self.page.evaluate("localStorage.getItem('parlour.seats') ?? '{}'"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser of this machine. Without one these tests prove nothing, so they say that they did not run."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        why = f"NO BROWSER: none of {', '.join(BROWSERS)} is on the PATH, so the page was not tried at all"
        if os.environ.get("PARLOUR_TEST_ALL"):
            pytest.fail(why)
        pytest.skip(why)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found,
            args=[
                "--no-sandbox",
                "--disable-background-networking",
                f"--host-resolver-rules=MAP {OTHER_HOST} 127.0.0.1",
            ],
        )
        yield browser
        browser.close()


Visit = Callable[..., Visitor]


@contextmanager
def visiting(browser: Browser, server: Server) -> Iterator[Visit]:
    """Bring visitors; when they leave it is asked whether anything was wrong."""
    visitors: list[Visitor] = []

    def visit(device: dict[str, Any] = DESKTOP, at: Server | None = None, **more: Any) -> Visitor:
        visitor = Visitor(browser, (at or server).url, {**device, **more})
        visitors.append(visitor)
        return visitor

    try:
        yield visit
        for visitor in visitors:
            visitor.check()
    finally:
        for visitor in visitors:
            visitor.context.close()


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Visit]:
    with visiting(browser, server) as visit:
        yield visit


def path_of(url: str) -> str:
    parts = urlsplit(url)
    return parts.path + (f"?{parts.query}" if parts.query else "")


def until(happens: Callable[[], bool], what: str, seconds: float = PATIENCE / 1000) -> None:
    """Wait for something that no page tells."""
    end = time.monotonic() + seconds
    while not happens():
        assert time.monotonic() < end, f"waited in vain until {what}"
        time.sleep(0.02)
