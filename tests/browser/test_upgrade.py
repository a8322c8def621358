"""A page that is open while the server is upgraded goes on, also in a browser that keeps nothing of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import parlour
from tests.support.browser import visiting
from tests.support.seats import Seat, challenge
from tests.support.server import Server

DEAD_LINE = r"WebSocket connection|net::ERR|failed: .*/api/"
GONE = r"status of 404.*/static/"
KEEPS_NOTHING = "Service Worker registration blocked"


@pytest.fixture
def upgrade(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Server], None]:
    """Start a server anew as another version, whose page differs in one file."""

    def upgrade(server: Server) -> None:
        ours = Path(parlour.__file__).parent
        shutil.copytree(ours, tmp_path / "new" / "parlour", ignore=shutil.ignore_patterns("__pycache__"))
        with (tmp_path / "new" / "parlour" / "web" / "page" / "sound.js").open("a") as file:
            file.write("// as a newer version has it\n")
        server.stop()
        monkeypatch.setenv("PYTHONPATH", str(tmp_path / "new"))
        server.restart()

    return upgrade


@pytest.mark.slow
def test_an_open_page_loads_itself_anew_when_it_needs_what_is_gone(
    browser: Browser,
    serve: Callable[..., Server],
    upgrade: Callable[[Server], None],
) -> None:
    server = serve()
    with visiting(browser, server) as visit, server.client() as client:
        old = client.get("/").text
        made = challenge(client, kind="local", game="double-up", first="1")
        home, table = visit(service_workers="block"), visit(service_workers="block")
        for visitor in (home, table):
            visitor.expect_trouble(DEAD_LINE, GONE, KEEPS_NOTHING)
        home.arrive("/")
        expect(home.page.get_by_test_id("card").first).to_be_visible()
        table.arrive(f"/m/{made['id']}#seat={made['seat']}")
        table.wait_for_turn()
        upgrade(server)
        assert client.get("/").text != old
        # Going on to a page that was not fetched yet.
        home.page.get_by_role("link", name="About", exact=True).click()
        expect(home.page.get_by_role("heading", level=1)).to_have_text("About Parlour")
        # Playing on, to the report, which was not fetched yet either.
        expect(table.page.get_by_test_id("reconnecting")).to_be_hidden()
        table.play("2")
        table.wait_for_moves(1)
        Seat(client, made["id"], made["seat"]).post("resign", player=1)
        expect(table.page.get_by_role("list", name="Accuracy")).to_be_visible()
        expect(table.status).to_contain_text("Player 2 wins!")
        assert table.page.evaluate("performance.getEntriesByType('navigation')[0].type") == "reload"
