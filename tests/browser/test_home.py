"""The first page, setting up, rules and the smaller pages, in real browsers at the sizes people have."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from parlour import catalog
from tests.browser.test_manners import AXE, too_wide
from tests.support.browser import DESKTOP, NARROW, Visit, Visitor, visiting
from tests.support.marks import every_game, quickly
from tests.support.seats import challenge
from tests.support.server import Server

Document = dict[str, Any]
LOW: dict[str, Any] = {**NARROW, "viewport": {"width": 740, "height": 360}}
ZOOMED: dict[str, Any] = {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2}  # 1280x800 at 200 %
SCREENS = {"desktop": DESKTOP, "phone": NARROW, "low": LOW, "zoomed": ZOOMED}
REFUSED = r"status of 4\d\d"


@pytest.fixture(scope="module")
def screens(browser: Browser, server: Server) -> Iterator[dict[str, Visitor]]:
    """Visitors with a screen of each size, who let themselves be looked into."""
    with visiting(browser, server) as visit:
        found = {name: visit(device, bypass_csp=True, reduced_motion="reduce") for name, device in SCREENS.items()}
        for visitor in found.values():
            visitor.context.add_init_script(AXE)
        yield found


def bottoms(page: Page, what: str) -> list[float]:
    """Where each of them ends, from the top of the page."""
    found: list[float] = page.evaluate(
        "what => [...document.querySelectorAll(what)].map((each) => each.getBoundingClientRect().bottom + scrollY)",
        what,
    )
    return found


def barriers(page: Page) -> list[str]:
    """What keeps people out, in light and in dark colours."""
    found: list[str] = []
    for colours in ("light", "dark"):
        page.emulate_media(color_scheme=colours, reduced_motion="reduce")
        found += page.evaluate(
            r"""async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
              .map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 200))].join("\n"))"""
        )
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    return found


# What to play, in one press.


@pytest.mark.slow
def test_every_game_is_one_press_away_without_scrolling_on_a_desktop(screens: dict[str, Visitor]) -> None:
    page = screens["desktop"].arrive("/")
    expect(page.get_by_test_id("card")).to_have_count(len(catalog.keys()))
    assert len(bottoms(page, "[data-testid=play-computer]")) == len(catalog.keys())
    assert max(bottoms(page, "[data-testid=play-computer], [data-testid=contest], [data-testid=book]")) <= 800


@pytest.mark.slow
def test_on_a_phone_it_takes_two_thumbs_at_most(screens: dict[str, Visitor]) -> None:
    page = screens["phone"].arrive("/")
    expect(page.get_by_test_id("card")).to_have_count(len(catalog.keys()))
    plays = bottoms(page, "[data-testid=play-computer]")
    assert plays[0] <= 740 * 0.7
    assert max(plays) <= 2 * 740
    for screen in ("low", "zoomed"):
        page = screens[screen].arrive("/")
        page.get_by_test_id("card").first.wait_for()
        assert bottoms(page, ".segments")[0] <= page.evaluate("innerHeight")


@quickly("screen", SCREENS, "phone")
@pytest.mark.slow
def test_the_first_page_lets_everybody_in(screens: dict[str, Visitor], screen: str) -> None:
    page = screens[screen].arrive("/")
    page.get_by_test_id("card").last.wait_for()
    assert not too_wide(page)
    assert not barriers(page)
    assert page.title() == "Number games for two · Parlour"


@pytest.mark.slow
def test_nothing_is_given_away_at_the_door(screens: dict[str, Visitor], client: httpx.Client) -> None:
    games = client.get("/api/games").json()["games"]
    page = screens["desktop"].arrive("/")
    page.get_by_test_id("card").last.wait_for()
    for card in games:
        assert card["known"] not in page.locator("main").inner_text()
    for path in ("/play/double-up", "/rules/double-up"):
        page = screens["desktop"].arrive(path)
        known = page.get_by_text(next(card["known"] for card in games if card["key"] == "double-up"))
        page.get_by_text("Show what is known").wait_for()
        expect(known).to_be_hidden()
        page.get_by_text("Show what is known").click()
        expect(known).to_be_visible()


def state_of(client: httpx.Client, page: Page) -> Document:
    page.wait_for_url("**/m/*")
    state: Document = client.get(f"/api/matches/{page.url.split('/m/')[1]}").json()
    return state


@quickly("screen", ["desktop", "phone"], "desktop")
def test_one_press_plays_in_the_way_that_was_chosen(
    screens: dict[str, Visitor], client: httpx.Client, screen: str
) -> None:
    visitor = screens[screen]
    for way, kind in (("Friend by link", "friend"), ("One device", "local"), ("Computer", "computer")):
        page = visitor.begin("double-up", way)
        state = state_of(client, page)
        assert (state["kind"], state["table"]["options"]["limit"]) == (kind, "100")
        page.goto("/")
        expect(page.get_by_label(way, exact=True)).to_be_checked()  # it is remembered
        expect(page.get_by_label("How strong")).to_have_count(1 if kind == "computer" else 0)


@pytest.mark.slow
def test_the_level_is_remembered(screens: dict[str, Visitor], client: httpx.Client) -> None:
    visitor = screens["desktop"]
    page = visitor.arrive("/")
    page.get_by_label("How strong").select_option("level:4")
    state = state_of(client, visitor.begin("sequence-builder"))
    assert [player["computer"] for player in state["players"] if player["computer"]] == ["level:4"]
    page = visitor.arrive("/play/pyramid-challenge")
    expect(page.get_by_label("How strong")).to_have_value("level:4")
    page.get_by_label("How strong").select_option("level:2")


@pytest.mark.slow
def test_each_card_offers_its_best_contest(screens: dict[str, Visitor], client: httpx.Client) -> None:
    visitor = screens["desktop"]
    for card in client.get("/api/games").json()["games"]:
        page = visitor.arrive("/")
        contest = page.locator(f'[data-game="{card["key"]}"]').get_by_test_id("contest")
        expect(contest).to_contain_text(card["variants"][0]["title"])
        contest.click()
        options = state_of(client, page)["table"]["options"]
        assert card["variants"][0]["options"].items() <= options.items()


@pytest.mark.slow
def test_one_press_deals_what_can_be_won_and_says_so(screens: dict[str, Visitor], client: httpx.Client) -> None:
    visitor = screens["desktop"]
    page = visitor.arrive("/")
    card = page.locator('[data-game="sequence-spot"]')
    expect(card.get_by_test_id("play-computer")).to_contain_text("winnable grids")
    assert page.get_by_test_id("book").count() == 1
    assert state_of(client, visitor.begin("sequence-spot"))["table"]["options"]["deal"] == "winnable"
    visitor.arrive("/")
    card.get_by_test_id("book").click()
    assert state_of(client, page)["table"]["options"]["deal"] == "any"


@pytest.mark.slow
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


def sit_at(page: Page, made: list[Document], results: Document | None = None) -> None:
    """Let the browser have these seats."""
    page.goto("/about")
    page.evaluate(
        "([seats, results]) => { localStorage.setItem('parlour.seats', seats);"
        " localStorage.setItem('parlour.results', results); }",
        [json.dumps({each["id"]: each["seat"] for each in made}), json.dumps(results or {})],
    )
    page.goto("/")


@quickly("device", [DESKTOP, NARROW], DESKTOP, ids=["desktop", "phone"])
@pytest.mark.slow
def test_your_games_say_against_whom_and_when_and_what_waits_comes_first(
    visit: Visit,
    client: httpx.Client,
    device: Document,
) -> None:
    visitor = visit(device, bypass_csp=True, reduced_motion="reduce")
    visitor.context.add_init_script(AXE)
    against = {"kind": "computer", "game": "double-up", "name": "Ann"}
    mine = challenge(client, **against, first="me", level="level:3", options={"limit": "300"})
    over = challenge(client, **against, first="me", level="level:1")
    seat = {"Authorization": f"Bearer {over['seat']}"}
    assert client.post(f"/api/matches/{over['id']}/resign", json={}, headers=seat).status_code == 200
    waiting = challenge(client, kind="open", game="sequence-builder", name="Ann")
    shared = challenge(client, kind="local", game="pyramid-challenge", names=["Ann", "Ben"], first="1")
    page = visitor.page
    sit_at(page, [mine, over, waiting, shared], {"double-up": {"level:3": [4, 7, 0]}, "x": {"level:3": [0, 0, 1]}})
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


@pytest.mark.slow
def test_your_games_show_the_pieces_of_the_board(visit: Visit, client: httpx.Client) -> None:
    """Red is the player, in either seat; two on one device keep their pieces over a rematch."""
    against = {"kind": "computer", "game": "double-up", "level": "random"}
    first = challenge(client, **against, first="me")
    second = challenge(client, **against, first="you")
    shared = challenge(client, kind="local", game="double-up", names=["Ann", "Ben"], first="1")
    visitor = visit()
    page = visitor.page
    sit_at(page, [first, second, shared])
    page.evaluate("id => localStorage.setItem('parlour.series', JSON.stringify({ [id]: [0, 1, 1] }))", shared["id"])
    for made, expected in ((first, ["p2"]), (second, ["p2"]), (shared, ["p2", "p1"])):
        visitor.arrive("/")
        marks = page.locator(f'[data-match="{made["id"]}"] .pair .mark')
        expect(marks).to_have_count(len(expected))
        for mark, look in zip(marks.all(), expected, strict=True):
            expect(mark).to_have_class(f"mark {look}")
        visitor.arrive(f"/m/{made['id']}")
        for player, look in zip((1, 2) if made is shared else made["state"]["you"], expected, strict=True):
            seat = player if made is shared else 3 - player
            expect(page.get_by_test_id(f"player-{seat}").locator(".mark")).to_have_class(f"mark {look}")


@pytest.mark.slow
def test_how_one_has_done_is_said_where_the_computer_is_chosen(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    sit_at(page, [], {"double-up": {"level:2": [4, 7, 0]}, "sequence-spot": {"level:2": [0, 0, 2]}})
    expect(page.locator("#level-help")).to_contain_text("You against it: 4 won, 7 lost, 2 drawn.")
    page.goto("/play/double-up")
    expect(page.locator("#level-help")).to_contain_text("You against it: 4 won, 7 lost.")
    page.goto("/play/pyramid-challenge")
    expect(page.locator("#level-help")).not_to_contain_text("You against it")


# Setting up.


@quickly("screen", ["desktop", "phone"], "desktop")
@pytest.mark.slow
def test_what_is_not_chosen_is_not_shown(screens: dict[str, Visitor], screen: str) -> None:
    page = screens[screen].arrive("/play/sequence-builder")
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


@pytest.mark.slow
def test_every_level_has_a_word(client: httpx.Client) -> None:
    for level in client.get("/api/games").json()["levels"]:
        assert level["about"]
        assert not level["about"].endswith(".")  # it is made a sentence of


# Everywhere.

PAGES = {
    "/play/double-up": "Play Double Up · Parlour",
    "/rules/sequence-spot": "Rules of Sequence Spot · Parlour",
    "/study/sequence-spot/start": "Sequence Spot: study · Parlour",
    "/import": "Import a record · Parlour",
    "/about": "About · Parlour",
    "/no/such/page": "Not found · Parlour",
}


@quickly("path", PAGES, "/rules/sequence-spot")
@pytest.mark.slow
def test_every_page_has_its_title_and_fits_every_screen(
    visit: Visit,
    path: str,
) -> None:
    for device in SCREENS.values():
        visitor = visit(device)
        visitor.expect_trouble(REFUSED)
        page = visitor.arrive(path)
        expect(page).to_have_title(PAGES[path])
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert not too_wide(page)


@pytest.mark.slow
def test_words_do_not_run_into_each_other(visit: Visit) -> None:
    visitor = visit()
    visitor.expect_trouble(REFUSED)
    for path in ("/about", "/import", "/no/such/page", "/play/double-up", "/rules/double-up"):
        page = visitor.arrive(path)
        page.get_by_role("heading", level=1).wait_for()
        # A link or an emphasis inside a sentence has a space before and after it, or something that needs none.
        joined = page.evaluate(
            r"""[...document.querySelectorAll("main :is(p, dd, li) > :is(a, strong, code, em)")].flatMap((each) => {
              const before = each.previousSibling?.nodeType === 3 ? each.previousSibling.data.slice(-1) : " ";
              const after = each.nextSibling?.nodeType === 3 ? each.nextSibling.data.slice(0, 1) : " ";
              return /\w/.test(before) || /\w/.test(after) ? [each.parentElement.innerText] : [];
            })"""
        )
        assert not joined


@every_game
@pytest.mark.slow
def test_no_list_of_python_and_no_ply_is_shown(visit: Visit, client: httpx.Client, game: str) -> None:
    visitor = visit()
    tables = client.get(f"/api/games/{game}").json()["demo"]
    for path in (f"/rules/{game}", tables[-1]["study"], tables[-2]["study"], f"/play/{game}", "/about"):
        page = visitor.arrive(path)
        page.get_by_role("heading", level=1).wait_for()
        if path.startswith("/study"):
            page.locator(".verdict").or_(page.get_by_text("nothing left to choose")).wait_for()
        if path.startswith("/rules"):
            page.get_by_role("button", name="To the end").click()
        text = page.locator("main").inner_text()
        assert not re.search(r"\[\d|\bpl(y|ies)\b", text), text


@pytest.mark.slow
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
