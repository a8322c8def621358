"""The page as an app: it can be installed, is soon there, opens without the server, and changes versions unnoticed."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from parlour import catalog
from tests.support.browser import BROWSERS, STILL, Visit, Visitor, find_browser, installed, visiting
from tests.support.eventually import eventually
from tests.support.seats import Seat, challenge
from tests.support.server import Server

NOBODY_THERE = (r"net::ERR", r"WebSocket connection", r"failed: ")  # what the browser notes when the server is away
# What this page has loaded, and how much of it came from the server.
LOADED = """() => ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
  .map((entry) => [new URL(entry.name).pathname, entry.transferSize])"""
# Everything that this browser keeps for when the server is away, secrets in headers included.
ALL_KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const answer = await cache.match(request);
      found.push([request.url, ...[...request.headers].flat(), ...[...answer.headers].flat(), await answer.text()]);
    }
  }
  return found.map((texts) => texts.join("\\n"));
}"""


def place_of(page: Page) -> str:
    """Where the files of an open page are."""
    return str(
        page.evaluate("new URL(document.querySelector('script[type=module]').src).pathname.replace('app.js', '')")
    )


def bar(visitor: Visitor) -> str:
    """What is said about the server."""
    return visitor.page.locator("#offline").inner_text() if visitor.page.locator("#offline").is_visible() else ""


# To install.


def test_the_browser_would_install_it(browser: Browser, server: Server, tmp_path: Path) -> None:
    found = find_browser(*BROWSERS)  # the whole browser: installing is none of the headless shell's business
    assert found, "the headless shell alone can't tell"
    context = browser.browser_type.launch_persistent_context(
        tmp_path, executable_path=found, args=["--no-sandbox", "--disable-background-networking"]
    )
    try:
        page = context.new_page()
        page.goto(server.url)
        installed(page)
        devtools = context.new_cdp_session(page)
        assert devtools.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
        assert devtools.send("Page.getAppManifest")["errors"] == []
    finally:
        context.close()


# To load.


def test_what_was_loaded_once_is_not_even_asked_about_again(visit: Visit) -> None:
    visitor = visit(service_workers="allow")
    visitor.arrive("/")
    expect(visitor.page.get_by_test_id("card").first).to_be_visible()
    first = visitor.page.evaluate(LOADED)
    assert len(first) > 15
    assert all(transferred for _, transferred in first)
    installed(visitor.page)
    visitor.page.reload()
    expect(visitor.page.get_by_test_id("card").first).to_be_visible()
    assert {path for path, transferred in visitor.page.evaluate(LOADED) if transferred} == {"/", "/api/games"}


def test_the_font_is_there_and_moves_nothing(visit: Visit) -> None:
    visitor = visit(service_workers="allow")
    visitor.add_script(
        "window.shifted = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries())"
        " window.shifted += entry.value }).observe({ type: 'layout-shift', buffered: true })"
    )
    visitor.arrive("/rules/double-up")
    installed(visitor.page)
    visitor.page.reload()
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text(re.compile("Double Up"))
    assert visitor.page.evaluate("document.fonts.ready.then(() => document.fonts.check('600 20px Fraunces'))")
    assert visitor.page.evaluate("window.shifted") < 0.1


# Without the server.


def test_without_the_server_the_app_shows_what_it_has_until_a_server_has_it_forgotten(
    browser: Browser,
    serve: Callable[..., Server],
) -> None:
    server = serve()
    with visiting(browser, server) as visit, server.client() as client:
        visitor = visit(service_workers="allow", **STILL)
        page = visitor.page
        made = challenge(client, kind="local", game="double-up", names=["Ann", "Ben"], first="1")
        visitor.arrive(f"/m/{made['id']}#seat={made['seat']}")
        visitor.wait_for_turn()
        installed(page)
        visitor.play("2")
        visitor.wait_for_moves(1)
        visitor.arrive("/study/double-up/2.3")
        expect(page.locator(".value").first).to_be_visible()
        visitor.expect_trouble(*NOBODY_THERE)
        server.stop()
        visitor.context.set_offline(True)

        visitor.arrive("/")
        expect(page.get_by_test_id("card")).to_have_count(len(list(catalog.keys())))
        expect(page.get_by_test_id("your-games")).to_contain_text("Ann")
        expect(page.locator("#offline")).to_contain_text("as you last saw them")
        expect(page.locator("#offline")).to_contain_text("playing has to wait")
        page.reload()
        expect(page.get_by_test_id("card").first).to_be_visible()

        visitor.arrive("/rules/pyramid-challenge")  # where this browser never was
        expect(page.get_by_role("heading", level=1)).to_contain_text("Pyramid Challenge")
        expect(page.get_by_role("region", name="Rules")).to_contain_text("pyramid")

        visitor.arrive("/study/double-up/2.3")
        expect(page.locator(".value").first).to_be_visible()
        visitor.arrive("/study/double-up/2.4")
        expect(page.get_by_role("main")).to_contain_text("cannot be reached")

        visitor.arrive(f"/m/{made['id']}")
        expect(page.locator("main")).to_contain_text("Ben")
        expect(page.locator("main button[data-move='3']").first).to_be_visible()
        expect(page.locator("#offline")).to_contain_text("cannot be reached")
        kept = page.evaluate(ALL_KEPT)
        assert len(kept) > 40
        assert not [text for text in kept if made["seat"] in text], "a seat is a secret"

        server.options = ("--unlimited", "--no-offline")
        server.restart()
        visitor.context.set_offline(False)
        expect(page.locator("#offline")).to_be_hidden()
        visitor.wait_for_turn()
        visitor.play("3")
        visitor.wait_for_moves(2)

        # A page of this server unregisters the worker and deletes what it keeps.
        visitor.arrive("/")
        expect(page.get_by_test_id("card").first).to_be_visible()
        count = "navigator.serviceWorker.getRegistrations().then((all) => all.length)"
        eventually(lambda: page.evaluate(count) == 0, "the worker to unregister")
        eventually(lambda: not [n for n in page.evaluate("caches.keys()") if "page" in n], "the caches to be empty")
        page.reload()
        expect(page.get_by_test_id("card").first).to_be_visible()


def test_a_browser_that_keeps_nothing_shows_everything_all_the_same(visit: Visit) -> None:
    """As private windows do, or one whose disk is full."""
    visitor = visit(service_workers="allow")
    visitor.add_script(
        "const no = () => Promise.reject(new DOMException('no room', 'QuotaExceededError'));"
        "CacheStorage.prototype.open = CacheStorage.prototype.match = CacheStorage.prototype.keys = no;"
        "ServiceWorkerContainer.prototype.register = no;"
    )
    visitor.arrive("/study/double-up/2.3")
    expect(visitor.page.locator(".value").first).to_be_visible()
    visitor.arrive("/")
    expect(visitor.page.get_by_test_id("card").first).to_be_visible()
    assert bar(visitor) == ""


def test_only_so_much_is_kept_of_what_was_seen(visit: Visit) -> None:
    visitor = visit()
    visitor.arrive("/")
    expect(visitor.page.get_by_test_id("card").first).to_be_visible()
    left = visitor.page.evaluate(
        """async () => {
          const app = document.querySelector("script[type=module]").src;
          const { keepSeen, lastSeen, forgetSeen } = await import(new URL("offline.js", app));
          for (let n = 0; n < 330; n += 1) await keepSeen(`/api/games/double-up/position?moves=${n}`, { n });
          await keepSeen("/api/qr", { n: 1 });
          await forgetSeen("/api/games/double-up/position?moves=329");
          const path = "/api/games/double-up/position?moves=";
          const seen = await Promise.all([0, 29, 31, 328, 329].map((n) => lastSeen(path + n)));
          return { seen: seen.map((one) => one?.n ?? null), other: (await lastSeen("/api/qr")) ?? null };
        }"""
    )
    assert left == {"seen": [None, None, 31, 328, None], "other": None}


# Another version.


def newer_version(folder: Path) -> Path:
    """A copy of Parlour whose page differs in one file."""
    import parlour

    shutil.copytree(Path(parlour.__file__).parent, folder / "parlour", ignore=shutil.ignore_patterns("__pycache__"))
    with (folder / "parlour" / "web" / "page" / "sound.js").open("a") as file:
        file.write("// as a newer version has it\n")
    return folder


def test_an_upgrade_leaves_open_pages_alone(
    browser: Browser,
    serve: Callable[..., Server],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With a service worker and without one, as in a browser that stores nothing."""
    server = serve()
    with visiting(browser, server) as visit, server.client() as client:
        first, second = (challenge(client, kind="local", game="double-up", first="1") for _ in range(2))
        visitor, home, table = visit(service_workers="allow", **STILL), visit(**STILL), visit(**STILL)
        for each in (visitor, home, table):
            each.expect_trouble(*NOBODY_THERE)
        for each in (home, table):
            each.expect_trouble(r"status of 404.*/static/")
        page = visitor.arrive(f"/m/{first['id']}#seat={first['seat']}")
        visitor.wait_for_turn()
        old = installed(page)
        assert place_of(page) == old
        home.arrive("/")
        expect(home.page.get_by_test_id("card").first).to_be_visible()
        table.arrive(f"/m/{second['id']}#seat={second['seat']}")
        table.wait_for_turn()

        server.stop()
        monkeypatch.setenv("PYTHONPATH", str(newer_version(tmp_path / "new")))
        server.restart()
        new = re.findall(r"/static/\w+/", client.get("/").text)[0]
        assert new != old
        assert client.get(f"{old}report.js").status_code == 404, "the server has the old files no more"

        # A page that was not fetched yet: without a worker the whole app is loaded again.
        home.page.get_by_role("link", name="About", exact=True).click()
        expect(home.page.get_by_role("heading", level=1)).to_have_text("About Parlour")

        page.evaluate("navigator.serviceWorker.getRegistration().then((registration) => registration.update())")
        eventually(lambda: page.evaluate("caches.keys()")[-1].endswith(new), "the new version to be cached")
        # Both matches go on, to the report, by a module that was not fetched yet.
        for each, made in ((visitor, first), (table, second)):
            expect(each.page.get_by_test_id("reconnecting")).to_be_hidden()
            each.play("2")
            each.wait_for_moves(1)
            Seat(client, made["id"], made["seat"]).post("resign", player=1)
            expect(each.page.get_by_role("list", name="Accuracy")).to_be_visible()
            expect(each.status).to_contain_text("Player 2 wins!")
        kind = "performance.getEntriesByType('navigation')[0].type"
        assert table.page.evaluate(kind) == "reload"
        assert page.evaluate(kind) == "navigate", "with a worker nothing is loaded again"
        assert place_of(page) == old

        page.get_by_role("link", name="All games", exact=True).first.click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Number games for two")
        assert place_of(page) == new
        assert len([name for name in page.evaluate("caches.keys()") if name.startswith("parlour-page")]) == 2
