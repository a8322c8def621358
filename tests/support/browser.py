"""Visitors with a real browser, who record every console error, failed request and request to another host."""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import (
    Browser,
    CDPSession,
    ConsoleMessage,
    Error,
    Locator,
    Page,
    Request,
    WebError,
    WebSocketRoute,
    expect,
    sync_playwright,
)

from tests.support import ROOT
from tests.support.seats import challenge
from tests.support.server import Server

# The headless shell is Chromium's engine without the windows, toolbars and services of the whole browser, which take
# at least a quarter of the CPU time of these tests.
SHELL = "chromium-headless-shell"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
NARROW: dict[str, Any] = {**PHONE, "viewport": {"width": 360, "height": 740}}
LOW: dict[str, Any] = {**PHONE, "viewport": {"width": 740, "height": 360}}  # a phone on its side
ZOOMED: dict[str, Any] = {"viewport": {"width": 640, "height": 400}}  # 1280x800 at 200 %
STILL: dict[str, Any] = {"reduced_motion": "reduce"}  # no animations; refutations wait for a key
OTHER_HOST = "parlour.test"  # this machine, by a name that does not say so
BLOCKED = "Service Worker registration blocked"  # the note about Playwright's own doing
BLANK = "/manifest.json"  # an address of the server at which no script runs
DOUBLE_TAP = 0.6  # seconds; a browser counts two taps within half a second as one double tap
REFUSED = r"status of 4\d\d"  # the console's note about a refused request
DEAD_LINE = (
    r"ERR_CONNECTION_REFUSED|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|WebSocket|ERR_INCOMPLETE"
)
TIMEOUT = 60_000  # milliseconds: long, because the machine may be busy
expect.set_options(timeout=TIMEOUT)

# All announcements to screen readers, in order.
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
    """A person with a browser context of their own.

    Contexts are dear (a new one costs Chromium two seconds of CPU time), so `visiting` hands out used ones after
    `reset`. Changes that a context can't undo go through methods of this class, which set `spoiled`: such a context
    is closed after its test.
    """

    def __init__(self, browser: Browser, **options: Any) -> None:
        self.touches = bool(options.get("has_touch"))
        self.workers = options.setdefault("service_workers", "block") == "allow"
        self.spoiled = False
        self.home = ""
        self.problems: list[str] = []
        self.expected: list[str] = []
        self.requests: list[str] = []
        self._pressed = (-9.0, -9.0, 0.0)  # place and time of the last press on a tile
        self.context = browser.new_context(locale="en-GB", **options)
        self.context.set_default_timeout(TIMEOUT)
        self.context.add_init_script(LISTEN)
        self.context.on("console", self._console)
        self.context.on("weberror", self._error)
        self.context.on("request", self._request)
        self.context.on("requestfailed", self._failed)
        self.page = self.context.new_page()

    def reset(self, home: str, viewport: Mapping[str, int], reduced_motion: Any) -> None:
        """Forget the test before and set up the screen, at a blank page of the server `home`."""
        for page in self.context.pages:
            if page is not self.page:
                page.close()
        self.home = home
        self.context.set_offline(False)
        self.context.clear_permissions()
        self.page.unroute_all(behavior="ignoreErrors")
        self.context.unroute_all(behavior="ignoreErrors")
        self.page.emulate_media(media="screen", color_scheme="light", reduced_motion=reduced_motion)
        self.page.set_viewport_size({"width": viewport["width"], "height": viewport["height"]})
        if self.page.url != home + BLANK:
            self.page.goto(home + BLANK)
        self.page.evaluate("localStorage.clear(); sessionStorage.clear()")
        self.problems.clear()
        self.expected.clear()
        self.requests.clear()

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and (self.workers or BLOCKED not in message.text):
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
        """Allow problems that a test causes on purpose, such as a refusal or a dead line."""
        self.expected += patterns

    def check(self) -> None:
        unexpected = [found for found in self.problems if not any(re.search(each, found) for each in self.expected)]
        assert not unexpected, "\n".join(unexpected)

    # Changes that spoil the context for other tests.

    def add_script(self, script: str) -> None:
        """Run a script at the beginning of every page."""
        self.spoiled = True
        self.context.add_init_script(script)

    def install_clock(self) -> Any:
        """Take over the time of all pages that are opened from now on."""
        self.spoiled = True
        self.page.clock.install()
        return self.page.clock

    def route_sockets(self, handler: Callable[[WebSocketRoute], Any], page: Page | None = None) -> None:
        """Handle the WebSockets of matches."""
        self.spoiled = True
        (page or self.page).route_web_socket(re.compile("/socket$"), handler)

    def devtools(self) -> CDPSession:
        self.spoiled = True
        return self.context.new_cdp_session(self.page)

    # Going and doing.

    def arrive(self, path: str, page: Page | None = None) -> Page:
        """Open a path of the server, or a whole address."""
        page = page or self.page
        page.goto(path if ":" in path.partition("/")[0] else self.home + path)
        return page

    def store(self, **items: Any) -> None:
        """Have the browser remember these items (`parlour.` is put before their names) before a page is opened."""
        if not self.page.url.endswith(BLANK):
            self.arrive(BLANK)
        texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in items.items()}
        self.page.evaluate(
            "items => Object.entries(items).forEach(([name, text]) => localStorage.setItem(`parlour.${name}`, text))",
            texts,
        )

    def resize(self, device: Mapping[str, Any]) -> None:
        """Give the window the size of this device, and wait until the page is laid out."""
        self.page.set_viewport_size(device["viewport"])
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

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
        """Press the tile of a move.

        Two quick taps at the same place would count as a double tap, which plays once; so the second is a click.
        """
        tile = self.tile(move)
        if not self.touches:
            tile.click()
            return
        tile.scroll_into_view_if_needed()
        box = tile.bounding_box()
        assert box is not None
        place = (box["x"] // 20, box["y"] // 20)
        near = all(abs(now - then) <= 1 for now, then in zip(place, self._pressed[:2], strict=True))
        if near and time.monotonic() < self._pressed[2] + DOUBLE_TAP:
            tile.click()
        else:
            tile.tap()
        self._pressed = (*place, time.monotonic())

    def try_to_play(self, move: str) -> None:
        """Choose a tile that says it is disabled."""
        self.press(self.tile(move), force=True)

    def hurry(self) -> None:
        """Make the pauses of the open page a twentieth as long."""
        self.page.evaluate(
            """() => {
              if (window.unhurried) return;
              window.unhurried = window.setTimeout;
              window.setTimeout = (action, delay, ...rest) => window.unhurried(action, delay / 20, ...rest);
            }"""
        )

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


def find_browser(*names: str) -> str | None:
    """Return the path of the first of these programs that is installed."""
    return next(filter(None, map(shutil.which, names)), None)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of a worker. Without one the tests are skipped, or fail if all tests are wanted."""
    found = find_browser(SHELL, *BROWSERS)
    if found is None:
        why = f"NO BROWSER: none of {', '.join((SHELL, *BROWSERS))} is on the PATH, so the page was not tried at all"
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


class Waiting:
    """Visitors whose contexts can be used again: desktops and phones without further options."""

    def __init__(self) -> None:
        self.idle: list[Visitor] = []

    def take(self, touches: bool) -> Visitor | None:
        found = next((visitor for visitor in self.idle if visitor.touches == touches), None)
        if found is not None:
            self.idle.remove(found)
        return found

    def leave(self, visitor: Visitor) -> None:
        """Keep a context for the next test, at a page without scripts.

        The page is one of the same server: at any other site, such as about:blank, Chromium ends the renderer process
        and the next test pays for a new one.
        """
        visitor.expected.append("")
        try:
            visitor.page.goto(visitor.home + BLANK)
        except Error:  # the test has ended its server
            visitor.page.goto("about:blank")
        self.idle.append(visitor)


@pytest.fixture(scope="package")
def waiting(browser: Browser) -> Waiting:
    return Waiting()


@contextmanager
def visiting(browser: Browser, server: Server, waiting: Waiting | None = None) -> Iterator[Visit]:
    """Bring visitors; fail at the end if one of them met a problem that the test did not expect."""
    visitors: list[Visitor] = []
    reusable: list[Visitor] = []

    def visit(device: dict[str, Any] = DESKTOP, at: Server | str | None = None, **more: Any) -> Visitor:
        home = at if isinstance(at, str) else (at or server).url
        motion = more.pop("reduced_motion", "no-preference")
        visitor = None if more or waiting is None else waiting.take(bool(device.get("has_touch")))
        if visitor is None:
            visitor = Visitor(browser, **device, **more)
        if waiting is not None and not more:
            reusable.append(visitor)
        visitors.append(visitor)
        visitor.reset(home, device["viewport"], motion)
        return visitor

    try:
        yield visit
        for visitor in visitors:
            visitor.check()
    finally:
        for visitor in visitors:
            if waiting is not None and visitor in reusable and not visitor.spoiled:
                waiting.leave(visitor)
            else:
                visitor.context.close()


@pytest.fixture
def visit(browser: Browser, server: Server, waiting: Waiting) -> Iterator[Visit]:
    with visiting(browser, server, waiting) as visit:
        yield visit


def path_of(url: str) -> str:
    parts = urlsplit(url)
    return parts.path + (f"?{parts.query}" if parts.query else "")


# Friends at a match.


def sit_down(host: Visitor, guest: Visitor, game: str = "sequence-builder", **more: Any) -> tuple[Visitor, Visitor]:
    """Bring two friends to a match made through the API; the host begins."""
    with httpx.Client(base_url=host.home, timeout=30) as client:
        made = challenge(client, game=game, **{"first": "me", **more})
    host.arrive(f"/m/{made['id']}#seat={made['seat']}")
    expect(host.page.get_by_test_id("player-2")).to_contain_text("not here yet")
    guest.arrive(f"/m/{made['id']}#join={made['invite']}")
    for visitor in (host, guest):
        expect(visitor.page.get_by_test_id("board")).to_be_visible()
    host.wait_for_turn()
    return host, guest


def alternate(first: Visitor, second: Visitor, *moves: str) -> None:
    """Play moves in turn; both see each before the next."""
    done = len(first.glance()["moves"])
    for index, move in enumerate(moves):
        (first, second)[index % 2].play(move)
        first.wait_for_moves(done + index + 1)
        second.wait_for_moves(done + index + 1)


# Checks of a page.

AXE = (ROOT / "tests" / "browser" / "vendor" / "axe.min.js").read_text("utf-8")
RUN_AXE = r"""async (rules) => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"], ...rules });
  const told = ({ html, failureSummary }) => `  ${html.slice(0, 200)}\n  ${failureSummary}`;
  return violations.map(({ id, help, nodes }) => [`${id}: ${help}`, ...nodes.map(told)].join("\n"));
}"""
CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}


def barriers(page: Page) -> list[str]:
    """Return what axe objects to: by all rules in light colours, by those about colours in dark ones."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found: list[str] = []
    for colours, rules in (("light", {}), ("dark", CONTRAST)):
        page.emulate_media(color_scheme=colours, reduced_motion="reduce")  # or colours are judged while they change
        found += [f"{colours}: {each}" for each in page.evaluate(RUN_AXE, rules)]
    page.emulate_media(color_scheme="light")
    return found


def too_wide(page: Page) -> list[str]:
    """Return the elements that make the page scroll sideways."""
    wide: list[str] = page.evaluate(
        """() => {
          const width = document.documentElement.clientWidth;
          if (document.documentElement.scrollWidth <= width && document.body.scrollWidth <= width) return [];
          return ["sideways: " + document.documentElement.scrollWidth, ...[...document.querySelectorAll("body *")]
            .filter((element) => element.getBoundingClientRect().right > width + 0.5)
            .map((element) => element.outerHTML.slice(0, 120)).slice(0, 5)];
        }"""
    )
    return wide


# The progress that the page saves.


def kept(visitor: Visitor) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(visitor.kept()["parlour.progress"])
    return found


def ask(page: Page, code: str, *given: object) -> Any:
    """Call a function with the page's own module of progress and these arguments."""
    return page.evaluate(
        f"""async (given) => {{
          const address = document.querySelector('link[href*="/progress.js"]').href;
          return ({code})(await import(address), ...given);
        }}""",
        list(given),
    )


def installed(page: Page) -> str:
    """Wait until the service worker has everything it needs without the server; return the folder of its files."""
    folder: str = page.evaluate(
        """async () => {
          const { serviceWorker } = navigator;
          await serviceWorker.ready;
          if (!serviceWorker.controller)
            await new Promise((done) => serviceWorker.addEventListener("controllerchange", done, { once: true }));
          return (await caches.keys()).filter((name) => name.startsWith("parlour-page")).at(-1).split(" ")[1];
        }"""
    )
    return folder
