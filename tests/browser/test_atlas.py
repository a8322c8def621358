"""The atlas in real browsers: from a map to a square, from a square to a game."""

from __future__ import annotations

import httpx
from playwright.sync_api import expect

from tests.support.browser import NARROW, Visit, too_wide


def test_a_square_tells_its_facts_and_is_played_at_once(visit: Visit, client: httpx.Client) -> None:
    found = client.get("/api/atlas/double-up").raise_for_status().json()
    visitor = visit()
    page = visitor.arrive("/atlas")
    facts = page.get_by_test_id("facts")
    best = found["squares"][found["best"][0]]
    expect(facts.get_by_role("heading", level=2)).to_have_text(best["words"].capitalize())
    square = next(number for number, each in enumerate(found["squares"]) if each["options"] == {"limit": "57"})
    page.locator(f"#square-{square}").click()
    expect(facts.get_by_role("heading", level=2)).to_have_text("Up to 57")
    known = found["squares"][square]
    expect(facts).to_contain_text(f"Measure of the contest: {known['measure']:.2f}.")
    worth = facts.get_by_text("With best play")
    expect(worth).to_be_hidden()  # whoever wants to know who wins asks
    facts.get_by_text("Show what is known").click()
    expect(worth).to_contain_text(f"in {known['plies']} moves")
    assert page.url.endswith("/atlas/double-up?limit=57")
    facts.get_by_role("radio", name="One device").check()
    facts.get_by_test_id("play-local").click()
    page.get_by_test_id("board").wait_for()
    state = client.get(f"/api/matches/{page.url.rpartition('/')[2].partition('#')[0]}").json()
    assert (state["table"]["game"], state["table"]["options"]) == ("double-up", {"limit": "57"})


def test_an_address_leads_to_its_square_and_shades_to_what_they_show(visit: Visit, client: httpx.Client) -> None:
    found = client.get("/api/atlas/double-up").json()
    page = visit().arrive("/atlas/double-up?limit=20")
    facts = page.get_by_test_id("facts")
    expect(facts.get_by_role("heading", level=2)).to_have_text("Up to 20")
    pressed = page.locator(".square[aria-pressed=true]")
    number = int((pressed.get_attribute("id") or "").removeprefix("square-"))
    for shade in found["shades"]:
        page.get_by_role("radio", name=shade["title"], exact=True).check()
        expect(pressed).to_have_text(found["squares"][number]["texts"][shade["key"]])
    page.get_by_role("radio", name="Sequence Spot").click()
    page.wait_for_url("**/atlas/sequence-spot")
    expect(page.locator(".square")).to_have_count(153)


def test_the_map_goes_by_keyboard(visit: Visit) -> None:
    page = visit().arrive("/atlas/double-up?limit=50")
    focused = "document.activeElement.getAttribute('aria-label')"
    page.locator(".square[aria-pressed=true]").focus()
    for key, limit in (("ArrowRight", 51), ("ArrowDown", 71), ("ArrowLeft", 70), ("ArrowUp", 50), ("ArrowUp", 30)):
        page.keyboard.press(key)
        assert page.evaluate(focused).startswith(f"up to {limit}:")
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    assert page.evaluate(focused).startswith("up to 10:")  # there is no further line
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("facts").get_by_role("heading", level=2)).to_have_text("Up to 10")
    assert page.locator(".square[tabindex='0']").count() == 1  # one stop for the Tab key


def test_a_phone_scrolls_the_map_and_not_the_page(visit: Visit) -> None:
    visitor = visit(NARROW)
    for game in ("double-up", "increasing-differences", "sequence-builder"):
        page = visitor.arrive(f"/atlas/{game}")
        page.get_by_test_id("facts").wait_for()
        assert too_wide(page) == [], game


def test_an_unknown_map_is_refused(visit: Visit) -> None:
    visitor = visit()
    visitor.expect_trouble("404")
    visitor.arrive("/atlas/chess").get_by_role("heading", level=1).wait_for()
