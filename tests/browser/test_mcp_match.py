"""A match that a language model plays through ``parlour mcp``, watched in the browser."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.support.adapters import needed
from tests.support.browser import Visit
from tests.support.server import Server

needed("mcp")
from tests.support.mcp_client import connected  # noqa: E402


def test_the_page_shows_the_moves_of_an_mcp_match_while_they_are_played(server: Server, visit: Visit) -> None:
    with connected(server.database) as session:
        made = session.ask("start_game", game="sequence-builder", opponent="self", first="me", name="Ann")
        watcher = visit()
        watcher.arrive(made["position"]["watch"])
        for number, move in enumerate(("9", "3", "11"), 1):
            session.ask("play", match=made["match"], seat=made["seat"], move=move)
            watcher.wait_for_moves(number)
        assert [text.split()[-1] for text in watcher.glance()["moves"]] == ["9", "3", "11"]
        session.ask("resign", match=made["match"], seat=made["seat"])
        expect(watcher.status).to_contain_text("resigned")
