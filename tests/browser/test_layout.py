"""What is in view without scrolling, on every screen and in every game: the table, whose turn it is, the actions."""

from __future__ import annotations

import itertools
from random import Random
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

import parlour
from parlour import catalog
from tests.support.browser import DESKTOP, LOW, NARROW, STILL, ZOOMED, Visit, Visitor, sit_down
from tests.support.seats import challenge

DESKS = {"desk": DESKTOP, "desk at 200 %": ZOOMED}
PHONES = {"phone": NARROW, "phone on its side": LOW}
GRID = "2,7,6,9,5,1,4,3,8"  # one of Sequence Spot's that somebody can win
SMALLEST = 24  # CSS pixels of a button, as WCAG 2.2 asks; a hundred numbers have no more room on a phone
SMALLEST_OF_FEW = 40  # where there are so few that a thumb has room
MOST_SHIFT = 0.05  # what search engines call good is 0.1

# Every game as the book has it and in each variant it ships.
TABLES = [(key, "") for key in catalog.keys()] + [
    (key, variant.words) for key in catalog.keys() for variant in catalog.find_game(key).content.variants
]

# Of each thing that has to be in view: where it is, and whether something else lies over its middle.
MEASURE = """(what) => [...document.querySelectorAll(what)].filter((each) => each.offsetParent !== null).map((each) => {
  const { left, top, right, bottom, width, height } = each.getBoundingClientRect();
  const above = document.elementFromPoint(left + width / 2, top + height / 2);
  const name = each.getAttribute("aria-label") || each.innerText || each.className;
  return { name, left, top, right, bottom, width, height,
    covered: !(above && (each.contains(above) || above.contains(each))) };
})"""


def options_of(game: str, given: str) -> dict[str, str]:
    options = dict(pair.split("=") for pair in given.split())
    return {**options, "grid": GRID} if game == "sequence-spot" else options


def some_moves(game: str, options: dict[str, str], most: int = 6) -> list[str]:
    """The beginning of a game that goes on afterwards."""
    random = Random(11)
    chosen: dict[str, Any] = {name.replace("-", "_"): text for name, text in options.items()}
    match = parlour.new_match(game, **chosen)
    moves: list[str] = []
    while len(moves) < most:
        rules, position = match.rules, match.position
        legal = [move for move in match.legal_moves[:60] if not rules.is_over(rules.after(position, move))]
        if not legal:
            break
        move = random.choice(legal)
        moves.append(match.rules.name(move))
        match.play(move)
    return moves


def open_table(visitor: Visitor, game: str, given: str, most: int = 6) -> Page:
    options = options_of(game, given)
    with httpx.Client(base_url=visitor.home, timeout=30) as client:
        made = challenge(client, "local", game=game, options=options, moves=some_moves(game, options, most), first="1")
    page = visitor.arrive(f"/m/{made['id']}#seat={made['seat']}")
    page.get_by_test_id("board").wait_for()
    visitor.wait_for_turn()
    return page


def assert_in_view(page: Page, *whats: str) -> None:
    size = page.viewport_size
    assert size is not None
    for what in whats:
        found = page.evaluate(MEASURE, what)
        assert found, f"there is no {what}"
        for box in found:
            inside = box["left"] >= -1 and box["right"] <= size["width"] + 1
            inside = inside and box["top"] >= -1 and box["bottom"] <= size["height"] + 1
            assert inside, (what, box)
            assert min(box["width"], box["height"]) > 0, (what, box)
            assert not box["covered"], (what, box)


def assert_nothing_scrolls(page: Page) -> None:
    scroll = "({ scrollHeight, scrollWidth }) => [scrollHeight - innerHeight, scrollWidth - innerWidth]"
    down, sideways = page.locator("html").evaluate(scroll)
    assert max(down - 1, sideways) <= 0, (down, sideways)


@pytest.mark.parametrize(("game", "given"), TABLES, ids=lambda each: each or "book")
def test_the_whole_table_is_in_view(visit: Visit, game: str, given: str) -> None:
    desk, phone = visit(DESKTOP, **STILL), visit(NARROW, **STILL)
    for visitor, screens in ((desk, DESKS), (phone, PHONES)):
        open_table(visitor, game, given)
        for screen, device in screens.items():
            visitor.resize(device)
            check_table(visitor.page, screen)
    phone.resize(NARROW)
    phone.expect_trouble("status of 422")  # a game without a limit cannot be solved
    check_values(phone.page, given)


def check_table(page: Page, screen: str) -> None:
    """Assert that the players, the status, the tiles and the actions are in view and large enough."""
    try:
        assert_in_view(page, "h1", "[data-testid=player-1]", "[data-testid=player-2]", "#status", ".action-bar .button")
        assert_in_view(page, ".shared :is(.pool, .grid) :is(.tile, .dial *:not(p, label))")
        if page.locator(".seat .group").count():
            assert_in_view(page, ".seat .tile")
        assert_nothing_scrolls(page)
        buttons = page.evaluate(MEASURE, "main button.tile")
        least = SMALLEST if len(buttons) > 30 or screen != "phone" else SMALLEST_OF_FEW
        for box in buttons:
            assert min(box["width"], box["height"]) >= least, box
    except AssertionError as error:
        error.add_note(f"on the screen: {screen}")
        raise


def check_values(page: Page, given: str) -> None:
    """Assert that the values fit on the tiles of a phone."""
    page.get_by_test_id("values").tap()
    expect(page.get_by_test_id("values")).to_have_attribute("aria-pressed", "true")
    if given == "limit=none":  # its values are unknown, and the page says so in view
        expect(page.get_by_test_id("notice")).to_be_in_viewport()
        return
    if page.get_by_test_id("dial").count():
        return
    worth = page.locator(".tile .worth")
    worth.or_(page.get_by_test_id("unsolved")).first.wait_for()
    assert_in_view(page, ".shared .tile", "#status", ".action-bar .button")
    assert page.evaluate(
        """() => [...document.querySelectorAll(".tile .worth")].every((worth) => {
          const [inner, outer] = [worth.getBoundingClientRect(), worth.closest(".tile").getBoundingClientRect()];
          return inner.left >= outer.left - 1 && inner.right <= outer.right + 1 && inner.bottom <= outer.bottom + 1;
        })"""
    )


TYPING = [(640, 400), (683, 330), (720, 450), (900, 450), (960, 540)]  # desktops at 200 % and at 150 %
# Of the move field and its button: which of them lie under something else. None if the form is not shown.
COVERED_FORM = """() => {
  const form = document.querySelector(".move-form");
  if (getComputedStyle(form).display === "none") return null;
  return [...form.querySelectorAll("input, button")].filter((each) => {
    const { left, top, width, height } = each.getBoundingClientRect();
    return !each.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  }).map((each) => each.tagName);
}"""


def test_nothing_lies_over_the_move_field(visit: Visit) -> None:
    page = open_table(visit(DESKTOP, **STILL), "increasing-differences", "")
    actions = ".action-bar .button"
    for width, height in TYPING:
        page.set_viewport_size({"width": width, "height": height})
        assert not page.evaluate(COVERED_FORM), (width, height)
        assert_in_view(page, actions)
        page.keyboard.press("m")
        expect(page.locator("#move-input")).to_be_focused()
        assert page.evaluate(COVERED_FORM) == [], (width, height)
        assert_in_view(page, actions, "#move-input")
        page.locator("h1").focus()
        page.keyboard.press("Escape")
    page.set_viewport_size({"width": 640, "height": 400})
    expect(page.locator("#move-input")).to_be_hidden()
    page.get_by_test_id("more").click()
    page.get_by_test_id("type").click()
    expect(page.locator("#move-input")).to_be_focused()


# Large numbers.

# What does not fit: text that leaves its tile, tiles that overlap, a slanted ring, a dial with numbers that touch or
# are cut off.
MISFITS = """() => {
  const box = (each) => each.getBoundingClientRect();
  const text = (each) => { const range = document.createRange(); range.selectNodeContents(each); return box(range); };
  const before = (a, b) => a.right <= b.left + 1 || a.bottom <= b.top + 1;
  const apart = (a, b) => before(a, b) || before(b, a);
  const wrong = [];
  const tiles = [...document.querySelectorAll(".board .tile")];
  tiles.forEach((tile, index) => {
    const [outer, inner] = [box(tile), text(tile.querySelector(".number"))];
    const inside = inner.left >= outer.left - 1 && inner.right <= outer.right + 1;
    if (!inside || inner.height > 40 || inner.top < outer.top - 1) wrong.push(`text of ${tile.innerText}`);
    if (tiles.slice(0, index).some((other) => !apart(box(other), outer))) wrong.push(`overlap at ${tile.innerText}`);
  });
  for (const tile of document.querySelectorAll(".tile.last.long-7"))
    if (getComputedStyle(tile, "::after").rotate !== "none") wrong.push("ring");
  const input = document.querySelector("#dial-number");
  if (input && input.scrollWidth > input.clientWidth) wrong.push("dial");
  const ends = [...document.querySelectorAll(".dial-ends > span")].map(text);
  const near = (a, b) => !apart({ ...a.toJSON(), right: a.right + 4 }, b);
  if (ends.some((a, index) => ends.slice(index + 1).some((b) => near(a, b)))) wrong.push("ends");
  return wrong;
}"""


def test_numbers_of_seven_digits_fit(visit: Visit) -> None:
    visitors = visit(NARROW, **STILL), visit(DESKTOP, **STILL)
    with httpx.Client(base_url=visitors[0].home, timeout=30) as client:
        for count in (17, 22, 23):  # moves; the last number has six or seven digits
            moves = [str(2**power) for power in range(1, count + 1)]
            made = challenge(client, "local", game="double-up", options={"limit": "none"}, moves=moves, first="1")
            paths = [f"/m/{made['id']}#seat={made['seat']}"]
            paths += [f"/study/double-up/{'.'.join(moves)}?limit=none"] if count == 23 else []
            for visitor, path in itertools.product(visitors, paths):
                visitor.expect_trouble("status of 422")  # a game without a limit cannot be solved
                page = visitor.arrive(path)
                page.get_by_test_id("dial").wait_for()
                assert page.evaluate(MISFITS) == [], (path, page.viewport_size)


# Notes and offers.

LEGAL = "main button.tile.legal"
# The legal tiles whose centre lies under something else.
COVERED_TILES = """() => [...document.querySelectorAll("main button.tile.legal")].filter((tile) => {
  const { left, top, width, height } = tile.getBoundingClientRect();
  return !tile.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}).map((tile) => tile.dataset.move)"""


def places(page: Page) -> list[dict[str, float]]:
    return [{name: box[name] for name in ("left", "top", "right", "bottom")} for box in page.evaluate(MEASURE, LEGAL)]


@pytest.mark.parametrize("game", catalog.keys())
def test_an_offer_covers_no_legal_tile(visit: Visit, game: str) -> None:
    host, guest = sit_down(visit(**STILL), visit(NARROW, **STILL), game=game, options=options_of(game, ""))
    host.play(host.glance()["legal"][0])
    guest.wait_for_moves(1)
    page = guest.page
    before = places(page)
    assert before
    host.press_button("Ask to take back")
    offer = page.get_by_test_id("offer")
    expect(offer).to_be_visible()
    assert places(page) == before
    for width, height in ((360, 740), (740, 360), (1280, 800), (640, 400), (320, 568)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(COVERED_TILES) == [], (width, height)
        assert_in_view(page, "[data-testid=offer] .button", ".action-bar .button")
        accept, decline = (page.get_by_role("button", name=name).bounding_box() for name in ("Accept", "Decline"))
        assert accept is not None
        assert decline is not None
        assert accept["y"] == decline["y"]


def test_a_pass_is_explained_above_the_tiles_for_a_while(visit: Visit) -> None:
    visitor = visit(NARROW, **STILL)
    page = visitor.page
    clock = visitor.install_clock()
    with httpx.Client(base_url=visitor.home, timeout=30) as client:
        moves = ["9", "5", "9", "7", "9"]
        made = challenge(client, "local", game="pyramid-challenge", moves=moves, first="1")
    visitor.arrive(f"/m/{made['id']}#seat={made['seat']}")
    visitor.play(visitor.wait_for_turn()["legal"][0])
    notice = page.get_by_test_id("notice")
    expect(notice).to_contain_text("Player 1 passed: 9 + 9 = 18 is more than 9")
    visitor.wait_for_turn()
    assert page.locator(LEGAL).count() > 0
    assert page.evaluate(COVERED_TILES) == []
    clock.run_for(9_000)
    expect(notice).to_be_hidden()


def test_more_comes_up_over_the_board_and_goes_again(visit: Visit) -> None:
    phone, desk = visit(NARROW, **STILL), visit(DESKTOP, **STILL)
    page = open_table(phone, "increasing-differences", "")
    for device in PHONES.values():
        phone.resize(device)
        expect(page.get_by_test_id("resign")).to_be_hidden()
        phone.open_more()
        assert_in_view(page, "#moves-heading", ".steps .button")
        page.get_by_test_id("resign").scroll_into_view_if_needed()
        assert_in_view(page, "[data-testid=resign]")
        page.keyboard.press("Escape")
        expect(page.get_by_test_id("resign")).to_be_hidden()
    assert not open_table(desk, "increasing-differences", "").get_by_test_id("more").is_visible()


@pytest.mark.parametrize("game", ["increasing-differences", "double-up"])
@pytest.mark.parametrize("device", [NARROW, DESKTOP], ids=["phone", "desk"])
def test_nothing_jumps_from_move_to_move(visit: Visit, device: dict[str, Any], game: str) -> None:
    visitor = visit(device, **STILL)
    page = open_table(visitor, game, "", most=2)  # the end is a moment of its own
    page.evaluate(
        """() => {
          window.shift = 0;
          const add = (entries) => entries.forEach((entry) => { window.shift += entry.value; });
          window.shifts = new PerformanceObserver((list) => add(list.getEntries()));
          window.shifts.observe({ type: "layout-shift" });
          window.shifted = async () => {
            for (let n = 0; n < 3; n += 1) await new Promise(requestAnimationFrame);
            add(window.shifts.takeRecords());
            return window.shift;
          };
        }"""
    )
    done = len(visitor.glance()["moves"])
    for count in (1, 2):
        seen = visitor.wait_for_turn()
        if not seen["legal"]:
            break
        visitor.play(seen["legal"][0])
        visitor.wait_for_moves(done + count)
    assert page.evaluate("window.shifted()") < MOST_SHIFT
