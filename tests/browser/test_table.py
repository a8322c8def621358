"""One sees and hears what happened at the table: the answer, a pass and its reason, the end, the score of a series."""

from __future__ import annotations

import itertools
import math
import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import (
    DEAD_LINE,
    NARROW,
    PHONE,
    REFUSED,
    STILL,
    Visit,
    Visitor,
    alternate,
    path_of,
    sit_down,
)
from tests.support.seats import Seat, challenge, wait_until

# When the list of moves grew, in milliseconds, and the status then.
WATCH = """() => {
  window.seen = [];
  const look = () => {
    const moves = document.querySelectorAll("[data-testid=moves] li").length;
    if (moves === (window.seen.at(-1)?.moves ?? 0)) return;
    window.seen.push({ moves, at: performance.now(), status: document.querySelector("#status").innerText });
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""
# An AudioContext and a Notification that note what they are asked for.
NOTE_SOUNDS = """
window.sounds = [];
const Real = window.AudioContext;
window.AudioContext = class extends Real {
  createOscillator() { const tone = super.createOscillator(); window.sounds.push(tone.frequency); return tone; }
};
"""
NOTE_NOTIFICATIONS = """
window.notified = [];
window.Notification = class {
  static permission = "default";
  static asked = 0;
  static async requestPermission() { this.asked += 1; this.permission = "granted"; return "granted"; }
  constructor(title, { body }) { window.notified.push(`${title}: ${body}`); }
};
ServiceWorkerRegistration.prototype.showNotification = async (title, how) => new Notification(title, how);
"""


def against_computer(visitor: Visitor, game: str, level: str = "level:1", first: str = "me", **more: Any) -> Page:
    with httpx.Client(base_url=visitor.home, timeout=30) as client:
        made = challenge(client, "computer", game=game, level=level, first=first, **more)
    page = visitor.arrive(f"/m/{made['id']}#seat={made['seat']}")
    visitor.wait_for_turn()
    return page


def two_here(visitor: Visitor, game: str, **more: Any) -> Page:
    with httpx.Client(base_url=visitor.home, timeout=30) as client:
        made = challenge(client, "local", game=game, first="1", **more)
    page = visitor.arrive(f"/m/{made['id']}#seat={made['seat']}")
    visitor.wait_for_turn()
    return page


# What happened.


def test_the_answer_comes_a_moment_after_ones_own_move_and_is_said(visit: Visit) -> None:
    visitor = visit(NARROW)
    page = against_computer(visitor, "increasing-differences", level="random")
    page.evaluate(WATCH)
    visitor.play("5")
    visitor.wait_for_moves(2)
    own, answer = page.evaluate("window.seen")
    assert (own["moves"], answer["moves"]) == (1, 2)
    assert "You took 5" in own["status"]
    assert answer["at"] - own["at"] > 350
    expect(visitor.status).to_contain_text(re.compile(r"Computer took \d+\."))
    expect(visitor.status).to_contain_text("Your turn")
    assert any(re.search(r"Computer took \d+\. Your turn\.", told) for told in visitor.heard())


def test_the_server_does_not_wait_for_the_page(client: httpx.Client) -> None:
    """The answer of a computer is there long before a page shows it."""
    made = challenge(client, "computer", game="double-up", level="random", first="me")
    seat = Seat(client, made["id"], made["seat"])
    assert seat.move("2", ply=0).elapsed.total_seconds() < 5
    wait_until(seat, lambda state: len(state["table"]["moves"]) == 2)


def test_whoever_takes_back_before_the_answer_is_shown_takes_back_all(visit: Visit) -> None:
    visitor = visit(NARROW)
    page = against_computer(visitor, "double-up", level="random")
    visitor.play("2")
    visitor.wait_for_moves(1)
    visitor.press_button("Undo")
    expect(page.get_by_test_id("moves").locator("li")).to_have_count(0)
    assert visitor.wait_for_turn()["legal"] == ["2"]
    assert page.get_by_test_id("notice").count() == 0


def test_a_pass_is_explained_and_stays_to_be_read(visit: Visit) -> None:
    visitor = visit(NARROW)
    page = against_computer(visitor, "pyramid-challenge", level="random", moves=["9", "5", "9", "7"])
    page.evaluate(WATCH)
    visitor.play("9")
    notice = page.get_by_test_id("notice")
    expect(notice).to_contain_text("You passed: 9 + 9 = 18 is more than 9")
    expect(page.get_by_test_id("player-1")).to_contain_text("stuck")
    assert sum("You passed: 9 + 9" in told for told in visitor.heard()) == 1
    visitor.wait_for_moves(8)
    seen = [(each["moves"], each["at"]) for each in page.evaluate("window.seen")]
    passed, after = (min(at for moves, at in seen if moves >= least) for least in (7, 8))
    assert after - passed > 2000  # the first pass, and then the next move
    expect(notice).to_contain_text("You passed")  # until something is done about it
    visitor.press_button("All right")
    expect(notice).to_be_hidden()


ENDS = [
    ("sequence-builder", {"length": "3"}, ["5", "9", "6", "10", "7"], ["5", "6", "7"], "Ann completed 5, 6, 7."),
    (
        "increasing-differences",
        {"length": "3"},
        ["5", "9", "6", "10", "8"],
        ["5", "6", "8"],
        "Ann completed 5, 6, 8.",
    ),
    (
        "sequence-spot",
        {"grid": "2,7,6,9,5,1,4,3,8"},
        ["2,1", "1,2", "2,2", "3,1", "2,3"],
        ["9", "5", "1"],
        "Ann lined up 9, 5, 1, in steps of 4.",
    ),
    ("double-up", {"limit": "3"}, ["2", "3"], ["3"], "Ann could not go beyond 3."),
    ("pyramid-challenge", {"base": "2"}, ["3", "9", "4", "9", "7"], ["7", "3", "4"], "Ann completed the pyramid."),
]


@pytest.mark.parametrize(("game", "options", "moves", "won", "told"), ENDS, ids=[end[0] for end in ENDS])
def test_the_end_is_drawn_and_told(
    visit: Visit,
    game: str,
    options: dict[str, str],
    moves: list[str],
    won: list[str],
    told: str,
) -> None:
    visitor = visit(NARROW)
    page = two_here(visitor, game, options=options, moves=moves[:-1], names=["Ann", "Bob"])
    visitor.play(moves[-1])
    winner = "Bob" if game == "double-up" else "Ann"
    expect(visitor.status.locator(".result")).to_have_text(f"{winner} wins!")
    expect(visitor.status.locator(".said")).to_have_text(told)
    assert page.locator(":is(.line, .grid, .pyramid) .tile.won").all_inner_texts() == won
    if page.locator(".pool [data-move]").filter(has_text=won[0]).locator(".face").count():
        # What was taken from the pool still lies there, and is marked there too.
        assert sorted(page.locator(".pool .tile.won").all_inner_texts()) == sorted(won)
    for what in ("Rematch", re.compile("^See (the report|where it turned)$")):
        expect(page.get_by_role("button", name=what)).to_be_in_viewport()
    assert f"{winner} wins! {told}" in visitor.heard()
    # It can be taken back, where nobody else has a say in it.
    visitor.press_button("Undo")
    visitor.wait_for_turn()
    expect(page.locator(".tile.won")).to_have_count(0)


STROKES = [
    (["2,1", "1,2", "2,2", "3,1", "2,3"], (1, 0)),  # 9 5 1
    (["1,2", "1,1", "2,2", "2,1", "3,2"], (0, 1)),  # 7 5 3
    (["1,1", "1,2", "2,2", "2,1", "3,3"], (1, 1)),  # 2 5 8
    (["1,3", "1,2", "2,2", "2,1", "3,1"], (-1, 1)),  # 6 5 4
]


def test_a_stroke_goes_through_the_cells_that_have_won(visit: Visit) -> None:
    """Each of the three has its part, which lies in the direction of the line and reaches to the next cell."""
    visitor = visit(NARROW, **STILL)
    for moves, way in STROKES:
        grid = {"grid": "2,7,6,9,5,1,4,3,8"}
        page = two_here(visitor, "sequence-spot", options=grid, moves=moves[:-1], names=["Ann", "Bob"])
        visitor.play(moves[-1])
        expect(page.locator(".grid .tile.won")).to_have_count(3)
        check_stroke(page, way)


def check_stroke(page: Page, way: tuple[int, int]) -> None:
    parts = page.locator(".grid .tile.won").evaluate_all(
        """tiles => tiles.map((tile) => {
          const part = getComputedStyle(tile, "::before"), box = tile.getBoundingClientRect();
          const turn = part.rotate === "none" ? 0 : Number.parseFloat(part.rotate);
          return { x: box.x, y: box.y, long: Number.parseFloat(part.width), turn };
        })"""
    )
    for here, there in itertools.pairwise(parts):
        dx, dy = there["x"] - here["x"], there["y"] - here["y"]
        assert here["long"] >= math.hypot(dx, dy), "no gap between one part and the next"
        assert math.tan(math.radians(here["turn"] - math.degrees(math.atan2(dy, dx)))) == pytest.approx(0, abs=0.05)
        assert ((dx > 1) - (dx < -1), (dy > 1) - (dy < -1)) == way


def test_tiles_fly_unless_somebody_wants_nothing_to_move(visit: Visit) -> None:
    for motion, moved in (("no-preference", True), ("reduce", False)):
        visitor = visit(NARROW, reduced_motion=motion)
        page = two_here(visitor, "increasing-differences")
        page.evaluate(
            """() => {
              window.flights = 0;
              const real = Element.prototype.animate;
              Element.prototype.animate = function (...how) {
                if (this.classList.contains("flying")) window.flights += 1;
                return real.apply(this, how);
              };
            }"""
        )
        visitor.play("7")
        visitor.wait_for_moves(1)
        assert page.evaluate("window.flights") == int(moved)
        expect(page.locator(".flying")).to_have_count(0)  # afterwards only the board is there
        expect(visitor.status).to_contain_text("took 7")


# People and their series.


def test_one_stays_who_one_is_over_rematches_and_the_score_goes_on(visit: Visit) -> None:
    visitor = visit(NARROW)
    page = against_computer(visitor, "double-up", options={"limit": "2"}, name="Ann")
    mine = page.locator(".plate.p1")
    expect(mine).to_contain_text("Ann")
    visitor.play("2")
    expect(visitor.status).to_have_text("You win! Computer could not go beyond 2.")
    expect(page.get_by_test_id("score-1")).to_contain_text("1")
    before = page.url
    visitor.press_button("Rematch")
    page.wait_for_url(lambda url: url != before)
    expect(visitor.status).to_have_text("You lose. You could not go beyond 2.")
    expect(mine).to_contain_text("Ann")  # in the second seat now, and still the disc
    expect(page.get_by_test_id("player-2")).to_contain_text("Ann")
    for seat in (1, 2):
        expect(page.get_by_test_id(f"score-{seat}")).to_have_text("won in this series: 1")
    assert page.evaluate("JSON.parse(localStorage['parlour.results'])") == {"double-up": {"level:1": [1, 1, 0]}}
    page.reload()
    expect(page.get_by_test_id("score-2")).to_have_text("won in this series: 1")
    assert page.evaluate("JSON.parse(localStorage['parlour.results'])") == {"double-up": {"level:1": [1, 1, 0]}}


def test_the_way_to_a_rematch_is_shown_while_it_is_played(visit: Visit, client: httpx.Client) -> None:
    made = challenge(client, "local", game="double-up", first="1")
    old = Seat(client, made["id"], made["seat"])
    assert old.post("resign", player=1).status_code == 200
    visitor, watcher = visit(), visit(NARROW)
    watcher.arrive(f"/m/{old.id}")
    expect(watcher.status.locator(".result")).to_be_visible()
    rematch = Seat(client, old.post("rematch").json()["rematch"], made["seat"])
    begun = watcher.page.get_by_test_id("rematch-begun")
    expect(begun).to_contain_text("A rematch has begun.")
    watcher.press(begun.get_by_role("button", name="All right"))
    expect(begun).to_be_hidden()
    page = visitor.arrive(f"/m/{old.id}#seat={made['seat']}")
    begun = page.get_by_test_id("rematch-begun")
    visitor.press(begun.get_by_role("link", name="Go to it"))
    page.wait_for_url(f"**/m/{rematch.id}")
    assert visitor.wait_for_turn()["legal"] == ["2"]
    assert rematch.post("resign", player=1).status_code == 200
    with page.expect_response(lambda answer: path_of(answer.url) == f"/api/matches/{rematch.id}") as answer:
        visitor.arrive(f"/m/{old.id}")
    assert answer.value.json()["status"] == "over"
    expect(page.get_by_role("list", name="Accuracy")).to_be_visible()
    assert begun.count() == 0


def test_two_on_one_device_keep_their_colours_over_a_rematch(visit: Visit) -> None:
    visitor = visit(NARROW)
    page = two_here(visitor, "double-up", options={"limit": "2"}, names=["Ann", "Bob"])
    visitor.play("2")
    expect(visitor.status.locator(".result")).to_have_text("Ann wins!")
    before = page.url
    visitor.press_button("Rematch")
    page.wait_for_url(lambda url: url != before)
    expect(page.locator(".plate.p1")).to_contain_text("Ann")
    expect(page.locator(".plate.p2")).to_contain_text("Bob")
    expect(page.locator(".plate.p1 .plate-score")).to_have_text("won in this series: 1")


def test_whoever_wants_it_is_told_elsewhere_that_it_is_their_turn(visit: Visit) -> None:
    host, guest = visit(), visit(PHONE, service_workers="allow")
    guest.add_script(NOTE_NOTIFICATIONS)
    sit_down(host, guest, game="double-up", name="Ann")
    assert guest.page.evaluate("Notification.asked") == 0  # not before it is pressed
    guest.press(guest.in_menu("notify"))
    expect(guest.page.get_by_test_id("notify")).to_have_text("Tell me when it is my turn: on")
    guest.page.keyboard.press("Escape")
    guest.page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true })")
    host.play("2")
    guest.wait_for_moves(1)
    assert guest.page.evaluate("window.notified") == ["Double Up: Ann doubled 1 to 2. Your turn."]


def test_three_sounds_are_off_until_they_are_wanted(visit: Visit) -> None:
    visitor = visit(NARROW)
    visitor.add_script(NOTE_SOUNDS)
    page = two_here(visitor, "double-up", options={"limit": "3"})
    visitor.play("2")
    visitor.wait_for_moves(1)
    assert page.evaluate("window.sounds.length") == 0
    visitor.press(visitor.in_menu("menu-sound"))
    page.keyboard.press("Escape")
    assert page.evaluate("window.sounds.length") == 1  # a move, so that one knows what it is like
    visitor.play("3")
    expect(visitor.status.locator(".result")).to_be_visible()
    assert page.evaluate("window.sounds.length") == 4  # the end has three notes


# Large choices.


def test_a_hundred_numbers_keep_their_places_and_one_out_of_reach_says_why(visit: Visit) -> None:
    visitor = visit(NARROW)
    visitor.expect_trouble(REFUSED)
    page = two_here(visitor, "double-up", moves=["2", "3", "5"])
    assert page.locator(".whole .tile").count() == 100
    assert visitor.glance()["legal"] == ["6", "7", "8", "9", "10"]
    where = visitor.tile("50").bounding_box()
    visitor.try_to_play("50")
    expect(page.get_by_test_id("refused")).to_contain_text("50")
    visitor.play("10")
    visitor.wait_for_moves(4)
    assert visitor.tile("50").bounding_box() == where


def test_a_number_out_of_hundreds_is_set_by_steps_by_the_slider_or_typed(visit: Visit) -> None:
    visitor = visit(NARROW)
    visitor.expect_trouble(REFUSED)
    page = two_here(visitor, "double-up", options={"limit": "1000"}, moves=["2", "4", "8", "16", "32", "64"])
    dial = page.get_by_test_id("dial")
    for name in ("10 more", "1 more", "1 less", "1 more"):
        visitor.press_button(name)
    visitor.press_button("Play 76")
    visitor.wait_for_moves(7)
    slider = dial.get_by_role("slider")
    slider.fill("152")
    expect(dial.get_by_role("textbox")).to_have_value("152")
    visitor.press_button("1 more")  # no further than there is
    visitor.press_button("Play 152")
    visitor.wait_for_moves(8)
    dial.get_by_role("textbox").fill("400")
    visitor.press_button("Play 400")
    expect(page.get_by_test_id("refused")).to_contain_text("400 is more than 304")
    dial.get_by_role("textbox").fill("200")
    dial.get_by_role("textbox").press("Enter")
    visitor.wait_for_moves(9)


def test_numbers_too_large_for_a_slider_are_typed(visit: Visit) -> None:
    visitor = visit(NARROW)
    moves = [str(2**power) for power in range(1, 60)]
    page = two_here(visitor, "double-up", options={"limit": "none"}, moves=moves)
    dial = page.get_by_test_id("dial")
    assert dial.get_by_role("slider").count() == 0
    dial.get_by_role("textbox").fill(str(2**60))
    dial.get_by_role("textbox").press("Enter")
    visitor.wait_for_moves(60)


def test_a_cell_goes_by_the_number_in_it(visit: Visit) -> None:
    visitor = visit(NARROW)
    visitor.expect_trouble(REFUSED)
    page = two_here(visitor, "sequence-spot", options={"grid": "2,7,6,9,5,1,4,3,8"}, names=["Ann", "Bob"])
    visitor.play("1,2")
    visitor.wait_for_moves(1)
    expect(visitor.status).to_contain_text("Ann marked 7.")
    expect(page.get_by_test_id("moves").locator("li")).to_have_text("7")
    assert page.locator(".grid .tile").all_inner_texts() == list("276951438")  # and no letters on them
    visitor.tile("1,2").click(force=True)  # a second tap at the same place would be a double tap
    expect(page.get_by_test_id("refused")).to_contain_text("7")


def test_values_are_a_sign_on_the_tile_and_words_beside_it(visit: Visit) -> None:
    visitor = visit()
    page = against_computer(visitor, "double-up", options={"limit": "20"}, moves=["2", "3"])
    visitor.press_button("Values")
    tile = visitor.tile("5")
    expect(tile.locator(".worth")).to_contain_text(re.compile("[▲▼]"))
    expect(tile).to_have_attribute("title", re.compile(r"^(wins|loses)\sin\s\d+\smoves?$"))
    expect(tile).to_have_attribute("aria-label", re.compile(r"^5, (wins|loses)\sin\s\d+\smoves?, free"))
    visitor.press_button("Values")
    expect(page.locator(".worth")).to_have_count(0)


def test_typing_is_behind_a_key_where_one_has_only_fingers(visit: Visit) -> None:
    visitor = visit(NARROW)
    page = two_here(visitor, "increasing-differences")
    expect(page.locator("#move-input")).to_be_hidden()
    visitor.open_more()
    visitor.press(page.get_by_test_id("type"))
    expect(page.locator("#move-input")).to_be_focused()
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    visitor.wait_for_moves(1)


# Offline.


def test_coming_back_online_sends_what_is_kept_at_once(visit: Visit) -> None:
    host, guest = visit(), visit(PHONE)
    clock = guest.install_clock()
    sit_down(host, guest, game="double-up")
    guest.expect_trouble(DEAD_LINE)
    alternate(host, guest, "2")
    guest.context.set_offline(True)
    guest.play("4")
    expect(guest.status).to_contain_text("4 is kept, and sent as soon as possible.")
    clock.run_for(4_000)  # by now it would wait for seconds until the next attempt
    guest.page.evaluate("addEventListener('online', () => { window.back = performance.now(); })")
    guest.page.evaluate(WATCH)
    guest.context.set_offline(False)
    host.wait_for_moves(2)
    guest.wait_for_moves(2)
    shown = next(each["at"] for each in guest.page.evaluate("window.seen") if each["moves"] == 2)
    assert shown - guest.page.evaluate("window.back") < 1500
