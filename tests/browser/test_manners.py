"""How the page behaves for everybody: by keyboard, by ear, on a small screen, on paper, on a slow line."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from parlour import catalog
from tests.support.browser import DESKTOP, NARROW, PHONE, REFUSED, STILL, Visit, Visitor, barriers, too_wide
from tests.support.seats import Seat, challenge
from tests.support.server import Server

FIRST_VISIT = 70_000  # bytes over the wire, headers and font included
OPTIONS: dict[str, dict[str, str]] = {"sequence-spot": {"grid": "2,1,4,7,5,3,6,9,8"}}


def play_out(client: httpx.Client, made: dict[str, Any]) -> None:
    """Both sides of a match on one device, to the end."""
    random = Random(7)
    headers = {"Authorization": f"Bearer {made['seat']}"}
    state = made["state"]
    while state["status"] != "over":
        if state["status"] == "between":
            state = client.post(f"/api/matches/{made['id']}/resign", json={"player": 1}, headers=headers).json()
            continue
        move = {"ply": state["ply"], "move": random.choice(state["table"]["legal"])}
        state = client.post(f"/api/matches/{made['id']}/move", json=move, headers=headers).json()


@pytest.fixture(scope="package")
def tables(server: Server) -> dict[str, str]:
    """Addresses of matches in every state."""
    with server.client() as client:
        waiting = challenge(client, game="double-up", name="Ann")
        playing = challenge(client, game="increasing-differences", name="Ann", first="me", moves=["5", "9", "11"])
        client.post(f"/api/matches/{playing['id']}/join", json={"invite": playing["invite"], "name": "Bob"})
        over = challenge(client, kind="local", game="sequence-builder", names=["Ann", "Bob"], first="1")
        play_out(client, over)
        found = {
            "waiting": f"/m/{waiting['id']}#seat={waiting['seat']}",
            "playing": f"/m/{playing['id']}#seat={playing['seat']}",
            "watching": f"/m/{playing['id']}",
            "over": f"/m/{over['id']}",
        }
        for game in catalog.keys():
            found[game] = table_of(client, game)
        return found


def table_of(client: httpx.Client, game: str) -> str:
    """Return the address of a new match on one device."""
    made = challenge(client, kind="local", game=game, options=OPTIONS.get(game, {}), first="1")
    return f"/m/{made['id']}#seat={made['seat']}"


# Where each page is ready to be looked at.
PAGES: dict[str, tuple[str, str]] = {
    "home": ("/", "[data-testid=card]"),
    **{f"set-up of {game}": (f"/play/{game}", ".variants") for game in catalog.keys()},
    **{f"rules of {game}": (f"/rules/{game}", "[data-testid=board]") for game in catalog.keys()},
    **{game: (game, "[data-testid=board]") for game in catalog.keys()},
    "waiting": ("waiting", ".invitation"),
    "playing": ("playing", "[data-testid=board]"),
    "watching": ("watching", "[data-testid=watching]"),
    "over": ("over", ".accuracy"),
    "study": ("/study/increasing-differences/5.9.11.10", ".verdict"),
    "study of a grid": ("/study/sequence-spot/1,1.2,2?grid=2,1,4,7,5,3,6,9,8", ".verdict"),
    "atlas": ("/atlas/increasing-differences", "[data-testid=facts]"),
    "atlas of grids": ("/atlas/sequence-spot", "[data-testid=facts]"),
    "import": ("/import", "#record"),
    "about": ("/about", "h1"),
    "nothing": ("/no/such/page", "h1"),
    "no such match": ("/m/0000000000", "h1:has-text('Not here')"),
}


def arrive(visitor: Visitor, tables: dict[str, str], name: str) -> Page:
    path, ready = PAGES[name]
    page = visitor.arrive(tables.get(path, path))
    page.locator(ready).first.wait_for()
    return page


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_no_barriers_and_does_not_scroll_sideways(visit: Visit, tables: dict[str, str], name: str) -> None:
    devices = (DESKTOP, PHONE) if name in {"home", "playing", "over", "study"} else (DESKTOP,)
    for visitor in [visit(device, **STILL) for device in devices]:
        visitor.expect_trouble(REFUSED)  # two of the pages are about something that is not there
        page = arrive(visitor, tables, name)
        assert not barriers(page)
        assert page.get_by_role("heading", level=1).count() == 1
        assert page.title().endswith("Parlour")
        visitor.resize(NARROW)
        assert page.evaluate("innerWidth") == 360
        assert not too_wide(page)


# By keyboard alone.

FOCUS = """() => {
  const at = document.activeElement;
  const shows = (element) => element && getComputedStyle(element).outlineStyle !== "none"
    && parseFloat(getComputedStyle(element).outlineWidth) >= 2;
  const box = at.getBoundingClientRect();
  return {
    tag: at.tagName, id: at.id, move: at.dataset?.move ?? null,
    name: at.getAttribute("aria-label") || at.labels?.[0]?.innerText || at.innerText || "",
    visible: (shows(at) || shows(at.nextElementSibling)) && box.bottom > 0 && box.top < innerHeight,
  };
}"""


class Keys:
    """Somebody without a mouse. Where the focus is can always be seen."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def focus(self) -> dict[str, Any]:
        at: dict[str, Any] = self.page.evaluate(FOCUS)
        return at

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def tab_to(self, name: str, back: bool = False) -> None:
        met = []
        for _ in range(150):
            self.press("Shift+Tab" if back else "Tab")
            at = self.focus
            if at["tag"] != "BODY":
                assert at["visible"], at
            met.append(at["name"].strip())
            if re.search(name, met[-1]):
                return
        raise AssertionError(f"{name} was not met among {met}")


def test_a_whole_game_by_keyboard(visit: Visit) -> None:
    visitor = visit()
    page = visitor.arrive("/")
    page.get_by_test_id("card").first.wait_for()
    keys = Keys(page)
    keys.press("Tab")
    assert "Skip" in keys.focus["name"]
    keys.press("Enter")
    keys.tab_to("^Options of Increasing Differences$")
    keys.press("Enter")
    page.wait_for_url("**/play/increasing-differences")
    page.locator(".variants").wait_for()
    assert keys.focus["tag"] == "H1"  # a new page begins at its heading
    keys.tab_to("Toss for it|I begin")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_label("I begin")).to_be_checked()
    keys.tab_to("^All options$")
    if not page.get_by_label("Range", exact=True).is_visible():
        keys.press("Enter")
    keys.tab_to("^Range$")
    keys.press("ControlOrMeta+a")
    page.keyboard.type("8")
    keys.tab_to("^Play the computer$", back=True)
    keys.press("Enter")
    page.wait_for_url("**/m/*")
    visitor.wait_for_turn()
    assert keys.focus["tag"] == "H1"
    find_the_tiles(keys)
    for typed in [False, True] * 10:
        seen = visitor.wait_for_turn()
        if seen["over"]:
            break
        choose(keys, seen["legal"][-1], typed)
        page.wait_for_function(
            "n => document.querySelectorAll('[data-testid=moves] li').length > n || document.querySelector('.result')",
            arg=len(seen["moves"]),
        )
        assert keys.focus["tag"] != "BODY", "the focus was lost by a move"
    page.locator("#status .result").wait_for()
    page.locator(".accuracy").wait_for()
    assert keys.focus["tag"] != "BODY", "the focus was lost by the last move"
    count = len(visitor.glance()["moves"])
    keys.press("ArrowLeft")
    expect(page.locator(".steps-at")).to_have_text(f"Move {count - 1} of {count}")
    keys.press("ArrowRight")
    expect(page.locator(".steps-at")).to_have_text(f"Move {count} of {count}")


def find_the_tiles(keys: Keys) -> None:
    """`m` and `/` go to where moves are typed; a tile is reached by Tab, and others from there by arrows."""
    for key in ("m", "/"):
        keys.press(key)
        assert keys.focus["id"] == "move-input"
        assert keys.page.get_by_label("Type a move").input_value() == ""
        keys.tab_to("free", back=True)
    start = keys.focus["move"]
    keys.press("ArrowRight")
    assert keys.focus["move"] not in {None, start}
    keys.press("ArrowLeft")
    assert keys.focus["move"] == start


def choose(keys: Keys, move: str, typed: bool) -> None:
    """Make a move without a mouse."""
    if typed:
        keys.press("m")
        keys.page.keyboard.type(move)
    else:
        if keys.focus["move"] is None:
            if keys.focus["id"] != "move-input":
                keys.press("m")
            keys.tab_to("free|not possible|taken|last", back=True)
        keys.press("Home")
        for _ in range(30):
            if keys.focus["move"] == move:
                break
            keys.press("ArrowRight")
        assert keys.focus["move"] == move
    keys.press("Enter")


def test_a_button_pressed_again_and_again_keeps_the_focus(visit: Visit, tables: dict[str, str]) -> None:
    visitor = visit()
    page = visitor.arrive("/study/sequence-builder/5.9")
    page.locator(".verdict").wait_for()
    keys = Keys(page)
    keys.tab_to("^Hint$")
    for count in (1, 2):
        keys.press("Enter")
        expect(page.get_by_test_id("hints").locator("li")).to_have_count(count)
        page.wait_for_function("() => !document.querySelector('[data-testid=hint]').innerText.includes('Looking')")
        assert "hint" in keys.focus["name"]
    page = arrive(visitor, tables, "over")
    keys.tab_to("^One move back$")
    for _ in range(40):
        if page.locator(".steps-at").inner_text().startswith("Start"):
            break
        before = page.locator(".steps-at").inner_text()
        keys.press("Enter")
        expect(page.locator(".steps-at")).not_to_have_text(before)
        assert keys.focus["tag"] != "BODY", before
    expect(page.locator(".steps-at")).to_contain_text("Start")


def test_help_opens_and_closes_by_key_and_the_focus_comes_back(visit: Visit) -> None:
    visitor = visit()
    page = visitor.arrive("/study/double-up/2.3")
    page.locator(".verdict").wait_for()
    keys = Keys(page)
    keys.tab_to("free")
    before = keys.focus["move"]
    keys.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_be_visible()
    expect(dialog).to_contain_text("a hint")
    assert page.evaluate("document.activeElement.closest('dialog') !== null")
    keys.press("u")  # is no undo while the help is open
    keys.press("Escape")
    expect(dialog).to_be_hidden()
    assert keys.focus["move"] == before
    assert page.url.endswith("/2.3")
    # Not while something is typed.
    keys.press("m")
    page.keyboard.type("?")
    expect(page.get_by_label("Type a move")).to_have_value("?")
    assert not dialog.is_visible()
    page.get_by_test_id("help").click()
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_test_id("help")).to_be_focused()


@pytest.mark.parametrize("game", catalog.keys())
def test_choosing_a_tile_does_not_lose_the_focus(visit: Visit, client: httpx.Client, game: str) -> None:
    visitor = visit()
    page = visitor.arrive(table_of(client, game))
    keys = Keys(page)
    for done in range(3):
        legal = visitor.wait_for_turn()["legal"]
        visitor.tile(legal[len(legal) // 2]).focus()
        keys.press("Space" if done % 2 else "Enter")
        visitor.wait_for_moves(done + 1)
        page.wait_for_function("() => document.querySelector('main button[data-move]:not([aria-disabled])')")
        at = keys.focus
        assert at["tag"] != "BODY"
        assert at["visible"], at
    keys.press("u")
    expect(page.get_by_test_id("moves").locator("li")).to_have_count(2)
    assert keys.focus["tag"] != "BODY"


def test_resigning_by_keyboard_can_be_thought_over(visit: Visit, server: Server) -> None:
    visitor = visit()
    with server.client() as client:
        made = challenge(client, kind="computer", game="double-up", level="level:1", first="me")
    page = visitor.arrive(f"/m/{made['id']}#seat={made['seat']}")
    visitor.wait_for_turn()
    keys = Keys(page)
    keys.tab_to("^Resign$")
    keys.press("Enter")
    page.get_by_role("button", name="Confirm resignation").wait_for()
    assert keys.focus["name"].strip() == "Keep playing"  # a second Enter does no harm
    keys.press("Escape")
    expect(page.get_by_role("button", name="Resign", exact=True)).to_be_visible()
    assert keys.focus["tag"] != "BODY"
    visitor.wait_for_turn()


# On a small screen.


def several(client: httpx.Client, game: str, most: int, **options: str) -> list[str]:
    """The moves of a long game."""
    random = Random(3)
    moves: list[str] = []
    while len(moves) < most:
        table = client.get(
            f"/api/games/{game}/position", params={"moves": ".".join(moves) or "start", **options}
        ).json()
        if not table["turn"]:
            return moves[:-1]
        moves.append(table["legal"][0] if game == "double-up" else random.choice(table["legal"]))
    return moves


LARGEST = [
    ("sequence-builder", {"pool": "60", "length": "30"}, 12),
    ("increasing-differences", {"range": "60", "length": "30"}, 8),
    ("pyramid-challenge", {"base": "10", "highest": "60"}, 20),
    ("pyramid-challenge", {"base": "10", "highest": "60", "copies": "1"}, 12),
    ("double-up", {"limit": "none"}, 40),
    ("double-up", {"limit": "1000000"}, 0),
]


@pytest.mark.parametrize(("game", "options", "most"), LARGEST)
def test_the_largest_games_fit_on_a_phone(
    visit: Visit, server: Server, game: str, options: dict[str, str], most: int
) -> None:
    with server.client() as client:
        moves = several(client, game, most, **options)
        if game == "double-up" and options["limit"] == "none":
            moves += [str(int(moves[-1]) * 2**power) for power in range(1, 30)]
        made = challenge(
            client,
            kind="local",
            game=game,
            options=options,
            moves=moves,
            first="1",
            names=["Wolfeschlegelsteinhausenberge", "Ἀριστοφάνης ὁ Βυζάντιος"],
        )
    visitor = visit(PHONE)
    page = visitor.arrive(f"/m/{made['id']}#seat={made['seat']}")
    page.get_by_test_id("board").wait_for()
    expect(page.get_by_test_id("moves").locator("li")).to_have_count(len(moves))
    for device in (PHONE, NARROW):
        visitor.resize(device)
        assert not too_wide(page)


@pytest.mark.parametrize("game", catalog.keys())
def test_the_longest_names_fit_and_tiles_can_be_hit_with_a_finger(visit: Visit, server: Server, game: str) -> None:
    desk, phone = visit(), visit(PHONE)
    with httpx.Client(base_url=server.url, timeout=30) as client:
        options = OPTIONS.get(game, {})
        made = challenge(client, "local", game=game, names=["W" * 30, "M" * 30], first="1", options=options)
        seat = Seat(client, made["id"], made["seat"])
        for visitor in (desk, phone):
            visitor.arrive(f"/m/{made['id']}#seat={made['seat']}").get_by_test_id("board").wait_for()
        check_tiles(phone.page)
        sizes = ((desk, DESKTOP), (phone, NARROW), (phone, PHONE))
        for visitor, device in sizes:
            visitor.resize(device)
            assert not too_wide(visitor.page), device
        seat.post("resign", player=1)
        for visitor, device in sizes:
            visitor.resize(device)
            expect(visitor.page.get_by_role("list", name="Accuracy")).to_be_visible()
            assert not too_wide(visitor.page), device


def check_tiles(page: Page) -> None:
    """Assert that tiles and buttons are large enough for a finger."""
    boxes = page.get_by_test_id("tile").evaluate_all(
        """tiles => tiles.map((tile) => {
          const { width, height } = tile.getBoundingClientRect();
          return [tile.getAttribute("aria-label"), Math.min(width, height)];
        })"""
    )
    assert boxes
    least = 40 if len(boxes) <= 60 else 30  # a hundred of them have no more room
    assert [box for box in boxes if box[1] < least] == []
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    small = page.evaluate(
        """() => [...document.querySelectorAll("button, main input, select, nav a")]
          .filter((element) => element.offsetParent)
          .map((element) => [element.outerHTML.slice(0, 80), element.getBoundingClientRect()])
          .filter(([, box]) => Math.min(box.width, box.height) < 24).map(([what]) => what)"""
    )
    assert not small


# On a slow line, on paper, and without being moved about.


def test_the_first_visit_is_small_and_asks_for_no_solving(visit: Visit) -> None:
    visitor = visit(PHONE, service_workers="allow")
    page = visitor.page
    session = visitor.devtools()
    sizes: dict[str, float] = {}
    session.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
    session.send("Network.enable")
    visitor.arrive("/")
    expect(page.get_by_test_id("card")).to_have_count(len(catalog.keys()))
    expect(page.get_by_role("button", name="Play the computer").first).to_be_enabled()
    page.wait_for_load_state("networkidle")
    assert 10_000 < sum(sizes.values()) < FIRST_VISIT, sizes
    assert not any(word in url for url in visitor.requests for word in ("/solve", "/hint", "/report", "/why"))


def test_paper_shows_the_game_and_no_controls(visit: Visit, tables: dict[str, str]) -> None:
    visitor = visit()
    page = arrive(visitor, tables, "over")
    page.emulate_media(media="print")
    for what in ("nav", "header", "footer", ".steps", ".actions", "[data-testid=theme]"):
        for element in page.locator(what).all():
            assert not element.is_visible(), what
    for name in (
        "Rematch",
        "Undo",
        "Download the record",
        "Copy the record",
        "Print",
        "Show the moment",
        "Keys",
        "Sound",
    ):
        assert not any(button.is_visible() for button in page.get_by_text(name, exact=True).all()), name
    for what in ("h1", "#status", "[data-testid=board]", "[data-testid=moves]", ".accuracy", ".chart", ".decisions"):
        expect(page.locator(what).first, what).to_be_visible()
    page.emulate_media(media="screen")
    page = arrive(visitor, tables, "playing")
    page.emulate_media(media="print")
    assert not page.locator("#move-input").is_visible()
    assert page.get_by_test_id("board").is_visible()


def test_nothing_moves_for_those_who_want_it_so(visit: Visit, client: httpx.Client) -> None:
    visitor = visit(reduced_motion="reduce")
    visitor.install_clock()
    page = visitor.arrive("/")
    page.get_by_test_id("card").first.wait_for()
    boards = "[...document.querySelectorAll('.card-board')].map((board) => board.innerText).join()"
    before = page.evaluate(boards)
    page.clock.run_for(12_000)
    assert page.evaluate(boards) == before
    assert page.evaluate("document.getAnimations().length") == 0
    page = visitor.arrive(table_of(client, "double-up"))
    visitor.wait_for_turn()
    visitor.play(visitor.glance()["legal"][0])
    assert page.evaluate("document.getAnimations().length") == 0
    visitor.wait_for_moves(1)
    assert page.evaluate("document.getAnimations().length") == 0
    page = visitor.arrive("/study/increasing-differences/start?length=12&range=39")
    page.get_by_test_id("solving").wait_for()
    assert page.evaluate("document.getAnimations().length") == 0


def test_a_board_of_the_first_page_plays_only_while_somebody_points_at_it(visit: Visit) -> None:
    visitor = visit()
    visitor.install_clock()
    page = visitor.arrive("/")
    card = page.get_by_test_id("card").first
    card.wait_for()
    boards = "[...document.querySelectorAll('.card-board')].map((board) => board.innerText)"
    before = page.evaluate(boards)
    page.clock.run_for(12_000)
    assert page.evaluate(boards) == before
    card.hover()
    page.clock.run_for(4_000)
    moved = page.evaluate(boards)
    assert moved[0] != before[0]
    assert moved[1:] == before[1:]
    page.mouse.move(0, 0)
    page.clock.run_for(4_000)
    assert page.evaluate(boards) == before
