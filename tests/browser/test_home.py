"""The first page, setting up, rules and the smaller pages, in real browsers at the sizes people have."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from parlour import catalog
from tests.support.browser import DESKTOP, LOW, NARROW, REFUSED, STILL, ZOOMED, Visit, Visitor, barriers, too_wide
from tests.support.seats import challenge

Document = dict[str, Any]


def bottoms(page: Page, what: str) -> list[float]:
    """Where each of them ends, from the top of the page."""
    found: list[float] = page.evaluate(
        "what => [...document.querySelectorAll(what)].map((each) => each.getBoundingClientRect().bottom + scrollY)",
        what,
    )
    return found


# What to play, in one press.


def test_the_first_page_of_a_desktop_shows_every_game_without_scrolling(visit: Visit, client: httpx.Client) -> None:
    visitor = visit(DESKTOP, **STILL)
    page = visitor.arrive("/")
    expect(page.get_by_test_id("card")).to_have_count(len(catalog.keys()))
    assert page.title() == "Number games for two · Parlour"
    assert len(bottoms(page, "[data-testid=play-computer]")) == len(catalog.keys())
    assert max(bottoms(page, "[data-testid=play-computer], [data-testid=contest], [data-testid=book]")) <= 800
    for card in client.get("/api/games").json()["games"]:
        assert card["known"] not in page.locator("main").inner_text(), "who wins is not given away"
    assert not too_wide(page)
    assert not barriers(page)
    visitor.resize(ZOOMED)
    assert bottoms(page, ".segments")[0] <= page.evaluate("innerHeight")
    assert not too_wide(page)


def test_the_first_page_of_a_phone_takes_two_screens_at_most(visit: Visit) -> None:
    visitor = visit(NARROW, **STILL)
    page = visitor.arrive("/")
    expect(page.get_by_test_id("card")).to_have_count(len(catalog.keys()))
    plays = bottoms(page, "[data-testid=play-computer]")
    assert plays[0] <= 740 * 0.7
    assert max(plays) <= 2 * 740
    assert not too_wide(page)
    assert not barriers(page)
    visitor.resize(LOW)
    assert bottoms(page, ".segments")[0] <= page.evaluate("innerHeight")
    assert not too_wide(page)


def test_setup_and_rules_show_who_wins_on_request_only(visit: Visit, client: httpx.Client) -> None:
    visitor = visit()
    games = client.get("/api/games").json()["games"]
    for path in ("/play/double-up", "/rules/double-up"):
        page = visitor.arrive(path)
        known = page.get_by_text(next(card["known"] for card in games if card["key"] == "double-up"))
        page.get_by_text("Show what is known").wait_for()
        expect(known).to_be_hidden()
        page.get_by_text("Show what is known").click()
        expect(known).to_be_visible()


def state_of(client: httpx.Client, page: Page) -> Document:
    page.wait_for_url("**/m/*")
    state: Document = client.get(f"/api/matches/{page.url.split('/m/')[1]}").json()
    return state


@pytest.mark.parametrize("device", [DESKTOP, NARROW], ids=["desktop", "phone"])
def test_one_press_plays_in_the_way_that_was_chosen(visit: Visit, client: httpx.Client, device: Document) -> None:
    visitor = visit(device)
    for way, kind in (("Friend by link", "friend"), ("One device", "local"), ("Computer", "computer")):
        page = visitor.begin("double-up", way)
        state = state_of(client, page)
        assert (state["kind"], state["table"]["options"]["limit"]) == (kind, "100")
        visitor.arrive("/")
        expect(page.get_by_label(way, exact=True)).to_be_checked()  # it is remembered
        expect(page.get_by_label("How strong")).to_have_count(1 if kind == "computer" else 0)


def test_the_level_is_remembered(visit: Visit, client: httpx.Client) -> None:
    visitor = visit()
    page = visitor.arrive("/")
    page.get_by_label("How strong").select_option("level:4")
    state = state_of(client, visitor.begin("sequence-builder"))
    assert [player["computer"] for player in state["players"] if player["computer"]] == ["level:4"]
    page = visitor.arrive("/play/pyramid-challenge")
    expect(page.get_by_label("How strong")).to_have_value("level:4")


def test_each_card_offers_its_best_contest(visit: Visit, client: httpx.Client) -> None:
    visitor = visit()
    for card in client.get("/api/games").json()["games"]:
        page = visitor.arrive("/")
        contest = page.locator(f'[data-game="{card["key"]}"]').get_by_test_id("contest")
        expect(contest).to_contain_text(card["variants"][0]["title"])
        contest.click()
        options = state_of(client, page)["table"]["options"]
        assert card["variants"][0]["options"].items() <= options.items()


def test_one_press_deals_what_can_be_won_and_says_so(visit: Visit, client: httpx.Client) -> None:
    visitor = visit()
    page = visitor.arrive("/")
    card = page.locator('[data-game="sequence-spot"]')
    expect(card.get_by_test_id("play-computer")).to_contain_text("winnable grids")
    assert page.get_by_test_id("book").count() == 1
    assert state_of(client, visitor.begin("sequence-spot"))["table"]["options"]["deal"] == "winnable"
    visitor.arrive("/")
    card.get_by_test_id("book").click()
    assert state_of(client, page)["table"]["options"]["deal"] == "any"


def test_a_refusal_stands_on_the_card_that_was_pressed(visit: Visit) -> None:
    visitor = visit()
    visitor.expect_trouble(REFUSED, "503")
    page = visitor.arrive("/")
    page.route("**/api/challenge/*", lambda route: route.fulfill(status=400, json={"code": "x", "error": "no room"}))
    card = page.locator('[data-game="pyramid-challenge"]')
    card.get_by_test_id("play-computer").click()
    expect(card.locator(".refusal")).to_have_text("No room.")
    expect(card.get_by_test_id("play-computer")).to_be_enabled()


# Your games.


def sit_at(visitor: Visitor, made: list[Document], results: Document | None = None, **more: Any) -> None:
    """Open the first page in a browser that has these seats."""
    visitor.store(seats={each["id"]: each["seat"] for each in made}, results=results or {}, **more)
    visitor.arrive("/")


@pytest.mark.parametrize("device", [DESKTOP, NARROW], ids=["desktop", "phone"])
def test_your_games_say_against_whom_and_when_and_what_waits_comes_first(
    visit: Visit,
    client: httpx.Client,
    device: Document,
) -> None:
    visitor = visit(device, **STILL)
    against = {"kind": "computer", "game": "double-up", "name": "Ann"}
    mine = challenge(client, **against, first="me", level="level:3", options={"limit": "300"})
    over = challenge(client, **against, first="me", level="level:1")
    seat = {"Authorization": f"Bearer {over['seat']}"}
    assert client.post(f"/api/matches/{over['id']}/resign", json={}, headers=seat).status_code == 200
    waiting = challenge(client, kind="open", game="sequence-builder", name="Ann")
    shared = challenge(client, kind="local", game="pyramid-challenge", names=["Ann", "Ben"], first="1")
    page = visitor.page
    sit_at(visitor, [mine, over, waiting, shared], {"double-up": {"level:3": [4, 7, 0]}, "x": {"level:3": [0, 0, 1]}})
    listed = page.get_by_test_id("your-games").locator(".yours > li")
    expect(listed).to_have_count(4)
    levels = {level["key"]: level["title"] for level in client.get("/api/games").json()["levels"]}
    said = [" ".join(text.split()) for text in listed.all_inner_texts()]
    assert re.search(
        rf"^Double Up .*300.* against Computer \({levels['level:3']}\), today at \d\d:\d\d Your turn", said[0]
    )
    assert {text.split(" against")[0].split(" Ann")[0] for text in said[1:3]} == {
        "Pyramid Challenge",
        "Sequence Builder",
    }
    assert any("Ann and Ben, today at" in text for text in said[1:3])
    assert any("Waiting for somebody to join" in text for text in said[1:3])
    assert re.search(rf"^Double Up against Computer \({levels['level:1']}\), today at .* You (lost|lose)", said[3])
    assert len(set(said)) == 4
    # What waits is also where the page begins.
    expect(page.get_by_test_id("go-on").get_by_role("link").first).to_have_text("Your turn: Double Up against Computer")
    expect(page.get_by_test_id("go-on")).to_be_in_viewport(ratio=1)
    expect(page.get_by_test_id("records")).to_have_text(f"{levels['level:3']} 4 won, 7 lost, 1 drawn")
    assert max(bottoms(page, "[data-testid=play-computer]")) <= (800 if device is DESKTOP else 2 * 740)
    assert not too_wide(page)
    assert not barriers(page)
    page.get_by_role("link", name="and 2 more").click()
    expect(page.get_by_role("heading", name="Your games")).to_be_in_viewport()
    visitor.press(page.get_by_test_id("go-on").get_by_role("link").first)
    page.wait_for_url(f"**/m/{mine['id']}")


def test_your_games_show_the_pieces_of_the_board(visit: Visit, client: httpx.Client) -> None:
    """Red is the player, in either seat; two on one device keep their pieces over a rematch."""
    against = {"kind": "computer", "game": "double-up", "level": "random"}
    first = challenge(client, **against, first="me")
    second = challenge(client, **against, first="you")
    shared = challenge(client, kind="local", game="double-up", names=["Ann", "Ben"], first="1")
    visitor = visit()
    page = visitor.page
    sit_at(visitor, [first, second, shared], series={shared["id"]: [0, 1, 1]})
    looks = ((first, ["p2"]), (second, ["p2"]), (shared, ["p2", "p1"]))
    for made, expected in looks:
        marks = page.locator(f'[data-match="{made["id"]}"] .pair .mark')
        expect(marks).to_have_count(len(expected))
        for mark, look in zip(marks.all(), expected, strict=True):
            expect(mark).to_have_class(f"mark {look}")
    for made, expected in looks:
        visitor.arrive(f"/m/{made['id']}")
        for player, look in zip((1, 2) if made is shared else made["state"]["you"], expected, strict=True):
            seat = player if made is shared else 3 - player
            expect(page.get_by_test_id(f"player-{seat}").locator(".mark")).to_have_class(f"mark {look}")


def test_how_one_has_done_is_said_where_the_computer_is_chosen(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    sit_at(visitor, [], {"double-up": {"level:2": [4, 7, 0]}, "sequence-spot": {"level:2": [0, 0, 2]}})
    expect(page.locator("#level-help")).to_contain_text("You against it: 4 won, 7 lost, 2 drawn.")
    visitor.arrive("/play/double-up")
    expect(page.locator("#level-help")).to_contain_text("You against it: 4 won, 7 lost.")
    visitor.arrive("/play/pyramid-challenge")
    expect(page.locator("#level-help")).not_to_contain_text("You against it")


# Setting up.


@pytest.mark.parametrize("device", [DESKTOP, NARROW], ids=["desktop", "phone"])
def test_what_is_not_chosen_is_not_shown(visit: Visit, device: Document) -> None:
    page = visit(device, **STILL).arrive("/play/sequence-builder")
    page.get_by_label("Computer", exact=True).check()
    expect(page.get_by_label("How strong")).to_be_visible()
    expect(page.get_by_label("Second name")).to_be_hidden()
    page.get_by_label("One device", exact=True).check()
    expect(page.get_by_label("How strong")).to_be_hidden()
    expect(page.get_by_label("Second name")).to_be_visible()
    page.get_by_label("Friend by link", exact=True).check()
    expect(page.get_by_label("Second name")).to_be_hidden()
    expect(page.get_by_role("button", name="Play a friend")).to_be_visible()
    expect(page.get_by_label("Increments")).to_be_hidden()
    page.get_by_label("Computer", exact=True).check()
    assert not barriers(page)
    assert not too_wide(page)


# Everywhere.

PAGES = {
    "/play/double-up": "Play Double Up · Parlour",
    "/rules/sequence-spot": "Rules of Sequence Spot · Parlour",
    "/rules/double-up": "Rules of Double Up · Parlour",
    "/study/sequence-spot/start": "Sequence Spot: study · Parlour",
    "/import": "Import a record · Parlour",
    "/about": "About · Parlour",
    "/no/such/page": "Not found · Parlour",
}


TECHNICAL = re.compile(r"\[\d|\bpl(y|ies)\b")  # a list of Python, or the word ply
# A link or an emphasis inside a sentence without a space before or after it.
JOINED = r"""[...document.querySelectorAll("main :is(p, dd, li) > :is(a, strong, code, em)")].flatMap((each) => {
  const before = each.previousSibling?.nodeType === 3 ? each.previousSibling.data.slice(-1) : " ";
  const after = each.nextSibling?.nodeType === 3 ? each.nextSibling.data.slice(0, 1) : " ";
  return /\w/.test(before) || /\w/.test(after) ? [each.parentElement.innerText] : [];
})"""


def test_every_page_has_its_title_fits_every_screen_and_separates_its_words(visit: Visit) -> None:
    for screens in ((DESKTOP, ZOOMED), (NARROW, LOW)):
        visitor = visit(screens[0])
        visitor.expect_trouble(REFUSED)
        for path, title in PAGES.items():
            page = visitor.arrive(path)
            expect(page).to_have_title(title)
            expect(page.get_by_role("heading", level=1)).to_be_visible()
            assert page.evaluate(JOINED) == [], path
            assert not TECHNICAL.search(page.locator("main").inner_text()), path
            for device in reversed(screens):
                visitor.resize(device)
                assert not too_wide(page), (path, device)


@pytest.mark.parametrize("game", catalog.keys())
def test_no_list_of_python_and_no_ply_is_shown(visit: Visit, client: httpx.Client, game: str) -> None:
    visitor = visit()
    tables = client.get(f"/api/games/{game}").json()["demo"]
    for path in (f"/rules/{game}", tables[-1]["study"], tables[-2]["study"], f"/play/{game}"):
        page = visitor.arrive(path)
        page.get_by_role("heading", level=1).wait_for()
        if path.startswith("/study"):
            page.locator(".verdict").or_(page.get_by_text("nothing left to choose")).wait_for()
        if path.startswith("/rules"):
            page.get_by_role("button", name="To the end").click()
        text = page.locator("main").inner_text()
        assert not TECHNICAL.search(text), text


def test_the_study_board_opens_on_a_grid_worth_studying(visit: Visit, client: httpx.Client) -> None:
    visitor = visit()
    page = visitor.arrive("/study/sequence-spot/start")
    expect(page.locator(".verdict")).to_contain_text("draws with best play")
    table = client.get("/api/games/sequence-spot/position").json()
    assert not table["settled"]
    lines = next(group["note"] for group in table["view"]).removeprefix("still open: ").split(", ")
    assert len(lines) >= 4
    visitor.play(table["legal"][4])
    expect(page.locator(".worth-group .value.loss").first).to_be_visible()  # one can go wrong at once
