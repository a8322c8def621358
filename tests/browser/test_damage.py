"""The page of a match that is damaged: it says so, whether it was open before or is opened now."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from tests.support.browser import Visit
from tests.support.seats import Seat, challenge
from tests.support.server import Server
from tests.support.sqlite import execute

REASON = "is damaged: lines written: 1, lines left: 0"


def test_the_page_says_that_a_match_is_damaged(
    serve: Callable[..., Server],
    visit: Visit,
    tmp_path: Path,
) -> None:
    server = serve()
    with server.client() as client:
        made = challenge(client, "local", game="double-up", first="1")
        assert Seat(client, made["id"], made["seat"]).post("move", move="2", ply=0).status_code == 200
        before, after = visit(at=server), visit(at=server)
        page = before.arrive(f"/m/{made['id']}#seat={made['seat']}")
        before.wait_for_moves(1)
        execute(tmp_path / "web.sqlite3", "DELETE FROM lines WHERE match = ?", made["id"])
        for visitor in (before, after):
            visitor.expect_trouble("status of 500")
        page.reload()
        expect(page.get_by_role("heading", level=1)).to_have_text("That did not work")
        expect(page.get_by_text(REASON)).to_be_visible()
        other = after.arrive(f"/m/{made['id']}")
        expect(other.get_by_text(REASON)).to_be_visible()
