"""Matches in real browsers: two friends (one at a phone), the computer, one device, and a bad network."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, Route, WebSocketRoute, expect

from parlour import catalog, record
from tests.support.browser import (
    BLANK,
    DEAD_LINE,
    OTHER_HOST,
    PHONE,
    REFUSED,
    STILL,
    Visit,
    Visitor,
    Waiting,
    alternate,
    path_of,
    sit_down,
    visiting,
)
from tests.support.eventually import eventually
from tests.support.seats import Seat, challenge
from tests.support.server import Server


def invite(host: Visitor, game: str) -> str:
    """From the first page to an invitation, by clicks; the link as the page shows it."""
    page = host.begin(game, "Friend by link")
    link = page.get_by_label("Invitation", exact=True).input_value()
    assert link.startswith(f"{page.url}#join=")
    return link


def secret_of(visitor: Visitor) -> str | None:
    match = path_of(visitor.page.url).split("/")[2]
    secret: str | None = visitor.page.evaluate(
        "id => JSON.parse(localStorage.getItem('parlour.seats') ?? '{}')[id] ?? null", match
    )
    return secret


def state_of(visitor: Visitor) -> dict[str, Any]:
    """The match as the server knows it."""
    with httpx.Client(base_url=visitor.home) as client:
        return Seat(client, path_of(visitor.page.url).split("/")[2], secret_of(visitor)).state()


@pytest.fixture
def pair(visit: Visit) -> tuple[Visitor, Visitor]:
    """A desktop and a phone. Nothing moves at them: that takes half of the time of a game."""
    return visit(**STILL), visit(PHONE, **STILL)


# Between two people.


@pytest.mark.parametrize("game", catalog.keys())
def test_two_friends_play_a_whole_game_by_clicks(pair: tuple[Visitor, Visitor], game: str) -> None:
    host, guest = pair
    random = Random(f"browser {game}")
    guest.arrive(invite(host, game))
    for visitor in pair:
        expect(visitor.page.get_by_test_id("board")).to_be_visible()
        expect(visitor.page.get_by_test_id("player-1")).to_contain_text("here")
        expect(visitor.page.get_by_test_id("player-2")).to_contain_text("here")
    taken = []
    for _ in range(200):
        seen = eventually(lambda: settled(*pair), "both pages agree")
        assert [re.findall(r"\S+$", move) for move in seen[0]["moves"]] == [
            re.findall(r"\S+$", move) for move in seen[1]["moves"]
        ]
        if seen[0]["over"]:
            break
        mover = next((player for player, each in enumerate(seen) if each["legal"]), None)
        if mover is not None:
            begun = time.perf_counter()
            pair[mover].play(random.choice(seen[mover]["legal"]))
            pair[1 - mover].wait_for_moves(len(seen[0]["moves"]) + 1)
            taken.append(time.perf_counter() - begun)
        else:
            random.choice(pair).press_button("Next round")
            for visitor in pair:
                expect(visitor.page.get_by_test_id("moves")).to_contain_text("Round 2")
            host.resign()
    assert min(taken) < 1, taken  # seconds until the other page shows a move; bench/ has the real numbers
    state = state_of(host)
    assert state["status"] == "over"
    for seat, visitor in enumerate(pair, 1):
        verdict = {seat: "You win!", None: "A draw."}.get(state["outcome"]["winner"], "You lose.")
        expect(visitor.status.locator(".result")).to_have_text(verdict)
        expect(visitor.status.locator(".said")).to_have_text(why_it_ended(state, seat))
        expect(visitor.page.get_by_role("heading", name="How it was played")).to_be_visible()
        expect(visitor.page.get_by_role("list", name="Accuracy")).to_be_visible()
        expect(visitor.page.get_by_role("button", name="Offer a rematch")).to_be_visible()
    winner = state["outcome"]["winner"]
    if winner:
        expect(guest.page.get_by_test_id(f"player-{winner}")).to_contain_text("won")


def why_it_ended(state: dict[str, Any], seat: int) -> str:
    """As somebody in that seat is told it; the other one has no name."""
    outcome, result = state["outcome"], state["table"]["result"]
    if outcome["how"] == "resigned":
        return "Your friend resigned." if outcome["winner"] == seat else "You resigned."
    subject = {None: "", seat: "You "}.get(result["subject"], "Your friend ")
    return f"{subject}{result['told']}."


def settled(*visitors: Visitor) -> list[dict[str, Any]]:
    """Return what the pages show if it is the same moves, and a turn of one of them or the end; otherwise nothing."""
    seen = [visitor.glance() for visitor in visitors]
    between = ["is over" in each["status"] for each in seen]
    agree = all(
        len({key(each) for each in seen}) == 1 for key in (lambda each: len(each["moves"]), lambda each: each["over"])
    )
    turns = sorted(bool(each["legal"]) for each in seen) == [False, True]
    return seen if agree and (seen[0]["over"] or all(between) or (turns and not any(between))) else []


def test_everything_is_announced_once(visit: Visit) -> None:
    host, guest = sit_down(visit(), visit(PHONE), game="double-up", options={"limit": "6"}, name="Ann")
    guest.expect_trouble(DEAD_LINE)
    alternate(host, guest, "2", "3")
    guest.context.set_offline(True)
    guest.context.set_offline(False)
    alternate(host, guest, "4", "6")
    for visitor in (host, guest):
        expect(visitor.status.locator(".result")).to_be_visible()
    told = {"host": " / ".join(host.heard()), "guest": " / ".join(guest.heard())}
    for move in ("2", "3", "4", "6"):
        mine, theirs = ("host", "guest") if move in "24" else ("guest", "host")
        assert len(re.findall(rf"You (?:took|doubled \d+ to) {move}\.", told[mine])) == 1, told
        assert len(re.findall(rf"(?:Ann|Your friend) (?:took|doubled \d+ to) {move}\.", told[theirs])) == 1, told
        assert len(re.findall(rf"(?:Ann|Your friend) (?:took|doubled \d+ to) {move}\.", told[mine])) == 0, told
    for words in told.values():
        assert words.count("Your turn.") == 2, told
    assert told["guest"].count("You win! Ann could not go beyond 6.") == 1, told
    assert told["host"].count("You lose. You could not go beyond 6.") == 1, told
    assert told["host"].count("Player 2 has joined") == 1
    assert told["guest"].count("You have joined") == 1


def test_an_undo_is_offered_withdrawn_declined_and_accepted(pair: tuple[Visitor, Visitor]) -> None:
    host, guest = sit_down(*pair, game="double-up")
    alternate(host, guest, "2", "3", "4")
    host.press_button("Ask to take back")
    expect(guest.page.get_by_test_id("offer")).to_contain_text("asks to take back the last move")
    host.press_button("Withdraw")
    for visitor in pair:
        expect(visitor.page.get_by_test_id("offer")).to_be_hidden()
    assert host.page.get_by_text("declined").count() == 0
    host.press_button("Ask to take back")
    guest.press_button("Decline")
    expect(host.page.get_by_test_id("offer")).to_be_hidden()
    expect(host.page.get_by_test_id("notice")).to_contain_text("Your friend declined: you had asked to take back")
    assert len(guest.glance()["moves"]) == 3
    host.press_button("Ask to take back")
    guest.press_button("Accept")
    for visitor in pair:
        expect(visitor.page.get_by_test_id("moves").locator("li")).to_have_count(2)
    assert host.wait_for_turn()["legal"] == ["4", "5", "6"]
    host.play("5")
    guest.wait_for_moves(3)


def test_a_resignation_needs_a_second_press_and_a_rematch_swaps_the_seats(pair: tuple[Visitor, Visitor]) -> None:
    host, guest = sit_down(*pair, name="Ann")
    guest.open_more()
    guest.press_button("Resign")
    guest.press_button("Keep playing")
    expect(guest.page.get_by_role("button", name="Resign", exact=True)).to_be_visible()
    assert not host.glance()["over"]
    where = guest.page.get_by_role("button", name="Resign", exact=True).bounding_box()
    guest.press_button("Resign")
    confirm = guest.page.get_by_role("button", name="Confirm resignation", exact=True)
    confirm.wait_for()
    assert confirm.bounding_box() != where
    guest.press(confirm)
    expect(host.status).to_have_text("You win! Your friend resigned.")
    expect(guest.status).to_have_text("You lose. You resigned.")

    before = path_of(host.page.url)
    guest.press_button("Offer a rematch")
    expect(guest.page.get_by_test_id("offer")).to_contain_text("You ask for a rematch")
    host.press_button("Accept")
    for visitor in pair:
        visitor.page.wait_for_url(lambda url: path_of(url) != before)
        expect(visitor.page.get_by_test_id("board")).to_be_visible()
        expect(visitor.page.get_by_test_id("player-2")).to_contain_text("Ann")
    assert path_of(host.page.url) == path_of(guest.page.url)
    assert (state_of(host)["you"], state_of(guest)["you"]) == ([2], [1])
    seen = eventually(lambda: settled(*pair), "both have sat down")
    guest.play(seen[1]["legal"][0])
    for visitor in pair:
        visitor.wait_for_moves(1)


# Refusals.


def test_a_refusal_says_why_and_changes_nothing(visit: Visit) -> None:
    host, guest = sit_down(visit(), visit(PHONE), game="increasing-differences")
    for visitor in (host, guest):
        visitor.expect_trouble(REFUSED)
    alternate(host, guest, "5", "9")
    field = host.page.get_by_label("Type a move")
    for typed, why in (("9", r"taken"), ("99", r"."), ("nonsense", r".")):
        field.fill(typed)
        field.press("Enter")
        refusal = host.page.locator("#refusal")
        expect(refusal).to_contain_text(re.compile(why))
        expect(refusal).to_contain_text(re.compile(r"\w+ \w+ \w+"))  # in words
        expect(host.page.locator("#move-help")).to_contain_text("Possible now")
        expect(field).to_have_value(typed)
        expect(field).to_have_attribute("aria-invalid", "true")
        assert host.heard()[-1] == refusal.inner_text().strip()
    # A tile that cannot be chosen says so too, where one sees it wherever the page is scrolled to.
    host.try_to_play("9")
    refused = host.page.get_by_test_id("refused")
    expect(refused).to_contain_text("taken")
    assert host.heard()[-1] == refused.inner_text().strip()
    # So does one that could be chosen, at the other's turn.
    guest.try_to_play("12")
    expect(guest.page.get_by_test_id("refused")).to_contain_text("turn")
    expect(guest.page.get_by_test_id("refused")).to_be_in_viewport()
    assert len(host.glance()["moves"]) == len(guest.glance()["moves"]) == 2
    assert state_of(host)["table"]["moves"] == ["5", "9"]
    field.fill("6")
    field.press("Enter")
    guest.wait_for_moves(3)
    expect(field).to_have_value("")
    for visitor in (host, guest):  # who goes on has read it
        expect(visitor.page.locator(".refusal")).to_be_hidden()


def test_a_double_click_plays_once(pair: tuple[Visitor, Visitor]) -> None:
    host, guest = sit_down(*pair, game="sequence-spot")
    for cell, other, delay in (("2,2", "1,1", 0), ("3,3", "1,2", 60)):
        done = len(host.glance()["moves"])
        host.tile(cell).dblclick(delay=delay)
        guest.wait_for_moves(done + 1)
        guest.wait_for_turn()
        guest.play(other)
        host.wait_for_moves(done + 2)
    assert state_of(host)["table"]["moves"] == ["2,2", "1,1", "3,3", "1,2"]
    assert len(host.glance()["moves"]) == 4
    # On one device a five could be chosen again immediately.
    with httpx.Client(base_url=host.home) as client:
        made = challenge(client, "local", game="pyramid-challenge", first="1")
    host.arrive(f"/m/{made['id']}#seat={made['seat']}")
    host.wait_for_turn()
    host.tile("5").dblclick(delay=60)
    host.wait_for_moves(1)
    host.wait_for_turn()
    host.play("6")
    host.wait_for_moves(2)
    assert state_of(host)["table"]["moves"] == ["5", "6"]


# What a network and a browser can do.


def test_a_reload_keeps_the_seat(pair: tuple[Visitor, Visitor]) -> None:
    host, guest = sit_down(*pair, game="double-up")
    alternate(host, guest, "2")
    guest.page.reload()
    assert guest.wait_for_turn()["legal"] == ["3", "4"]
    expect(guest.page.get_by_test_id("player-2")).to_contain_text("You")
    alternate(guest, host, "4")
    host.page.reload()
    assert host.wait_for_turn()["legal"] == ["5", "6", "7", "8"]


def test_the_game_goes_on_when_the_server_was_killed(
    browser: Browser, waiting: Waiting, serve: Callable[..., Server]
) -> None:
    server = serve()
    with visiting(browser, server, waiting) as visit:
        host, guest = sit_down(visit(**STILL), visit(PHONE, **STILL), game="double-up")
        for visitor in (host, guest):
            visitor.expect_trouble(DEAD_LINE, r"failed: .*/api/")
        alternate(host, guest, "2", "3")
        server.kill()
        for visitor in (host, guest):
            expect(visitor.page.get_by_test_id("reconnecting")).to_be_visible()
        host.play("5")  # there is nobody to take it: it is kept
        expect(host.page.get_by_test_id("reconnecting")).to_contain_text("Your move 5 is kept")
        server.restart()
        for visitor in (host, guest):
            visitor.wait_for_moves(3)
            expect(visitor.page.get_by_test_id("reconnecting")).to_be_hidden()
        alternate(guest, host, "6", "11")
        assert state_of(host)["table"]["moves"] == ["2", "3", "5", "6", "11"]
        for visitor in (host, guest):
            told = " / ".join(visitor.heard())
            for move in ("2", "3", "5", "6", "11"):
                assert len(re.findall(rf"\b{move}\.", told)) == 1, told


def test_a_move_made_offline_is_kept_and_sent(visit: Visit) -> None:
    host, guest = sit_down(visit(), visit(PHONE), game="double-up")
    guest.expect_trouble(DEAD_LINE)
    alternate(host, guest, "2")
    guest.context.set_offline(True)
    guest.play("4")
    expect(guest.page.get_by_test_id("reconnecting")).to_contain_text("Your move 4 is kept")
    assert len(host.glance()["moves"]) == 1
    guest.context.set_offline(False)
    for visitor in (host, guest):
        visitor.wait_for_moves(2)
    expect(guest.page.get_by_test_id("reconnecting")).to_be_hidden()
    alternate(host, guest, "5", "6")
    assert state_of(host)["table"]["moves"] == ["2", "4", "5", "6"]


def test_a_page_that_is_behind_is_told_and_brought_up_to_date(visit: Visit) -> None:
    host, guest = sit_down(visit(), visit(), game="double-up")
    host.expect_trouble(REFUSED)
    behind = host.context.new_page()
    one_message_only(host, behind)
    behind.goto(host.page.url)
    expect(behind.locator("#status")).to_contain_text("Your turn")
    alternate(host, guest, "2", "3")
    expect(behind.get_by_test_id("moves").locator("li")).to_have_count(0)
    behind.locator('[data-move="2"]').click()  # sent before, by the other tab: that is the same move, and no new one
    expect(behind.get_by_test_id("moves").locator("li")).to_have_count(2)
    behind.reload()
    expect(behind.locator("#status")).to_contain_text("Your turn")
    alternate(host, guest, "4", "5")
    behind.locator('[data-move="6"]').click()
    expect(behind.get_by_test_id("notice")).to_contain_text("The game had gone on")
    expect(behind.get_by_test_id("moves").locator("li")).to_have_count(4)
    assert behind.evaluate("window.heard.some((text) => text.includes('The game had gone on'))")
    behind.locator('[data-move="6"]').click()
    guest.wait_for_moves(5)
    assert state_of(host)["table"]["moves"] == ["2", "3", "4", "5", "6"]


def one_message_only(visitor: Visitor, page: Page) -> None:
    """The line to the match dies after its first message, and nobody notices."""

    def connect(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        heard: list[Any] = []

        def pass_on(message: str | bytes) -> None:
            if not heard:
                route.send(message)
            heard.append(message)

        server.on_message(pass_on)

    visitor.route_sockets(connect, page)


def test_where_sockets_do_not_get_through_the_game_is_followed_all_the_same(visit: Visit) -> None:
    host, guest = visit(), visit(PHONE)
    guest.expect_trouble("WebSocket")
    guest.route_sockets(lambda route: route.close(code=1011))
    sit_down(host, guest, game="double-up")
    expect(guest.page.get_by_test_id("reconnecting")).to_be_hidden()
    alternate(host, guest, "2", "3", "5")
    assert any(url.endswith("/stream") for url in guest.requests)


def test_where_sockets_are_silent_the_game_is_followed_all_the_same(visit: Visit) -> None:
    host, guest = visit(), visit(PHONE)
    guest.install_clock()
    tried: list[WebSocketRoute] = []

    def take_and_be_silent(route: WebSocketRoute) -> None:
        tried.append(route)

    guest.route_sockets(take_and_be_silent)
    with httpx.Client(base_url=host.home) as client:
        made = challenge(client, game="double-up", first="me")
    host.arrive(f"/m/{made['id']}#seat={made['seat']}")
    guest.arrive(f"/m/{made['id']}#join={made['invite']}")
    for _ in range(100):
        guest.page.clock.run_for(1_000)
        if any(url.endswith("/stream") for url in guest.requests):
            break
    expect(guest.page.get_by_test_id("board")).to_be_visible()
    expect(guest.page.get_by_test_id("reconnecting")).to_be_hidden()
    alternate(host, guest, "2", "3", "5")
    assert len(tried) == 2


def answering(visitor: Visitor, what: str, *statuses: int) -> list[str]:
    """The first requests for ``what`` get these answers, as from a proxy; those that came, by and by."""
    came: list[str] = []

    def answer(route: Route) -> None:
        came.append(route.request.post_data or "")
        if len(came) <= len(statuses):
            route.fulfill(status=statuses[len(came) - 1], content_type="text/html", body="<h1>Bad gateway</h1>")
        else:
            route.continue_()

    visitor.page.route(re.compile(what), answer)
    return came


def test_what_a_proxy_says_while_the_server_is_away_is_no_refusal(visit: Visit) -> None:
    host, guest = visit(), visit(PHONE)
    for visitor in (host, guest):
        visitor.expect_trouble(r"status of (429|50\d)")
    joins = answering(guest, "/join$", 502, 504)
    sit_down(host, guest, game="double-up")
    expect(guest.page.get_by_test_id("player-2")).to_contain_text("You")
    assert len(joins) == 3
    assert len(set(joins)) == 1, "the same seat each time"
    moves = answering(host, "/move$", 429, 502)
    host.play("2")
    expect(host.page.get_by_test_id("reconnecting")).to_contain_text("The server asks us to wait a moment")
    expect(host.page.get_by_test_id("reconnecting")).to_contain_text("Reconnecting")
    guest.wait_for_moves(1)
    expect(host.page.get_by_test_id("reconnecting")).to_be_hidden()
    assert len(moves) == 3


# The delays of the timers that these modules set, in milliseconds, while every draw at random has the same result.
RECORD_DELAYS = """
window.drawn = 0;
Math.random = () => window.drawn;
window.delays = [];
const original = window.setTimeout;
window.setTimeout = (action, delay, ...rest) => {
  const found = /\\/(link|session|offline|request)\\.js/.exec(new Error().stack);
  const watchdog = delay === 10_000 || delay === 20_000;
  if (found && !watchdog) window.delays.push([found[1], delay]);
  return original(action, delay, ...rest);
};
"""
FIRST_RETRY = {"link": 1000, "session": 1000, "offline": 2000, "request": 500}  # milliseconds, by module, before jitter


def test_retries_have_jitter(visit: Visit) -> None:
    visitor = visit()
    visitor.expect_trouble(DEAD_LINE)
    visitor.add_script(RECORD_DELAYS)
    page = visitor.page
    sockets: list[WebSocketRoute] = []

    def connect(route: WebSocketRoute) -> None:
        route.connect_to_server()
        sockets.append(route)

    visitor.route_sockets(connect)
    found: dict[float, dict[str, float]] = {}

    def wait_for(factor: float, *modules: str) -> None:
        page.wait_for_function("modules => modules.every((one) => delays.some(([by]) => by === one))", arg=modules)
        first = {by: delay for by, delay in reversed(page.evaluate("delays")) if by in modules}
        found.setdefault(factor, {}).update(first)

    draws = {0.5: "0", 1.0: "0.5", 1.5: "0.99999"}
    with httpx.Client(base_url=visitor.home) as client:
        made = challenge(client, "local", game="double-up", first="1")
    visitor.arrive(f"/m/{made['id']}#seat={made['seat']}")
    for done, (factor, drawn) in enumerate(draws.items()):
        legal = visitor.wait_for_turn()["legal"]
        expect(page.get_by_test_id("reconnecting")).to_be_hidden()
        page.evaluate(f"window.drawn = {drawn}; window.delays = []")
        visitor.context.set_offline(True)
        sockets[-1].close(code=1011)
        visitor.play(legal[0])
        wait_for(factor, "link", "session", "offline")
        visitor.context.set_offline(False)
        visitor.wait_for_moves(done + 1)
    for factor, drawn in draws.items():
        page = visitor.arrive("/")
        expect(page.get_by_test_id("card").first).to_be_visible()
        page.evaluate(f"window.drawn = {drawn}; window.delays = []")
        visitor.context.set_offline(True)
        visitor.press(page.locator('[data-game="double-up"] .button.primary'))
        wait_for(factor, "request")
        visitor.context.set_offline(False)
        page.wait_for_url("**/m/*")
    for factor, delays in found.items():
        assert delays == {module: pytest.approx(delay * factor, rel=0.01) for module, delay in FIRST_RETRY.items()}


def test_an_answer_to_an_offer_that_the_game_has_left_behind_is_not_taken(visit: Visit) -> None:
    host, guest = sit_down(visit(), visit(), game="double-up")
    host.expect_trouble(REFUSED)
    alternate(host, guest, "2", "3", "4")
    with httpx.Client(base_url=host.home) as client:
        other = Seat(client, path_of(guest.page.url).split("/")[2], secret_of(guest))
        assert other.post("offer", kind="undo", ply=3).status_code == 200
        behind = host.context.new_page()
        one_message_only(host, behind)
        behind.goto(host.page.url)
        expect(behind.get_by_test_id("offer")).to_be_visible()
        assert other.move("5").status_code == 200
        host.wait_for_moves(4)
        behind.get_by_role("button", name="Accept", exact=True).click()
        expect(behind.get_by_test_id("notice")).to_contain_text("Your answer came too late")
        expect(behind.get_by_test_id("moves").locator("li")).to_have_count(4)
    assert state_of(host)["table"]["moves"] == ["2", "3", "4", "5"]


def test_the_next_round_can_be_pressed_by_both(visit: Visit) -> None:
    host, guest = sit_down(visit(), visit(), game="sequence-spot", options={"grid": "5,3,8,1,6,7,4,9,2"})
    alternate(host, guest, "1,1", "2,2", "1,2", "2,3", "1,3", "3,2", "2,1", "3,3", "3,1")
    behind = guest.context.new_page()
    one_message_only(guest, behind)
    behind.goto(guest.page.url)
    behind.get_by_role("button", name="Next round").wait_for()
    host.press_button("Next round")
    expect(guest.page.get_by_test_id("moves")).to_contain_text("Round 2")
    behind.get_by_role("button", name="Next round").click()
    expect(behind.get_by_test_id("moves")).to_contain_text("Round 2")
    assert behind.locator(".refusal, [data-testid=notice]").count() == 0
    assert state_of(host)["round"] == 2


# Secrets and seats.


def test_a_link_with_a_bad_seat_costs_nobody_a_seat(visit: Visit) -> None:
    host, guest = sit_down(visit(), visit(PHONE), game="double-up")
    for visitor in (host, guest):
        visitor.expect_trouble(REFUSED)
    secrets, match = host.secrets, host.page.url
    guest.page.evaluate("localStorage.clear()")
    for seat in ("A" * 24, "%E2%99%9E%20x"):  # wrong, and strange
        host.arrive(BLANK)
        host.arrive(f"{match}#seat={seat}")
        expect(host.page.get_by_test_id("notice")).to_contain_text("That link fits no seat of this match")
        assert host.secrets == secrets
        assert host.page.url == match
        assert host.wait_for_turn()["legal"] == ["2"]
        guest.arrive(BLANK)
        guest.arrive(f"{match}#seat={seat}")
        expect(guest.page.get_by_test_id("watching")).to_be_visible()
        assert guest.secrets == "{}"


def test_a_link_to_the_other_seat_replaces_ones_own_only_on_request(visit: Visit) -> None:
    host, guest = sit_down(visit(), visit(PHONE), game="double-up", name="Ann")
    guest.expect_trouble(REFUSED)
    match, mine, theirs = path_of(guest.page.url), secret_of(guest), secret_of(host)
    assert mine != theirs
    page = guest.page

    def open_link() -> None:
        guest.arrive(BLANK)
        guest.arrive(f"{match}#seat={theirs}")

    open_link()
    notice = page.get_by_test_id("notice")
    expect(notice).to_contain_text("This link is for the other seat of this match.")
    assert page.url.endswith(match)
    guest.press_button("Keep my seat")
    expect(notice).to_be_hidden()
    assert secret_of(guest) == mine
    expect(page.get_by_test_id("player-2")).to_contain_text("You")
    guest.arrive(f"/m/{match.split('/')[2]}#seat={mine}")  # one's own link asks nothing
    expect(page.get_by_test_id("board")).to_be_visible()
    assert notice.count() == 0
    open_link()
    guest.press_button("Switch seats")
    assert guest.wait_for_turn()["legal"] == ["2"]
    assert secret_of(guest) == theirs
    guest.press_button("Switch back")
    expect(page.get_by_test_id("player-2")).to_contain_text("You")
    assert secret_of(guest) == mine
    # The own seat stays in this browser, over a reload and when the other one is no longer valid.
    guest.press(guest.in_menu("switch-seats"))
    expect(page.get_by_test_id("player-1")).to_contain_text("(you)")
    page.reload()
    expect(page.get_by_test_id("player-1")).to_contain_text("(you)")
    host.press(host.in_menu("renew"))
    expect(notice).to_contain_text("That seat is no longer valid. You are back in your own.")
    expect(page.get_by_test_id("player-2")).to_contain_text("You")
    assert secret_of(guest) == mine
    alternate(host, guest, "2", "3")


def test_a_link_replaces_a_seat_that_is_no_longer_valid(visit: Visit) -> None:
    host, _ = sit_down(visit(), visit(PHONE), game="double-up")
    other = visit()
    for visitor in (host, other):
        visitor.expect_trouble(REFUSED)
    match = path_of(host.page.url)
    other.store(seats={match.split("/")[2]: "A" * 24})
    other.arrive(f"{match}#seat={secret_of(host)}")
    assert other.wait_for_turn()["legal"] == ["2"]
    assert secret_of(other) == secret_of(host)
    assert other.page.get_by_test_id("notice").count() == 0


def test_an_invitation_says_if_it_works_on_this_computer_alone(
    visit: Visit,
    server: Server,
) -> None:
    visitor = visit()
    page = visitor.begin("double-up", "Friend by link")
    invitation = page.get_by_test_id("invitation")
    expect(invitation).to_contain_text("This link works only on this computer.")
    expect(invitation).to_contain_text("parlour serve --host 0.0.0.0")
    assert page.locator(".qr").count() == 0
    assert not any(url.endswith("/api/qr") for url in visitor.requests)
    visitor.press(page.get_by_test_id("menu"))
    expect(page.get_by_role("dialog")).to_contain_text("These links work only on this computer.")
    elsewhere = visit(at=f"http://{OTHER_HOST}:{server.port}")
    elsewhere.expect_trouble("Cross-Origin-Opener-Policy header has been ignored")  # no https
    page = elsewhere.begin("double-up", "Friend by link")
    expect(page.get_by_role("img", name="QR code of the invitation")).to_be_visible()
    assert page.get_by_test_id("only-here").count() == 0


def test_only_a_name_that_was_taken_is_remembered(visit: Visit) -> None:
    visitor = visit()
    visitor.expect_trouble(REFUSED)
    page = visitor.arrive("/play/double-up")
    page.get_by_label("Your name").fill("\u202eAnn")
    visitor.press_button("Play the computer")
    expect(page.locator("#refusal")).to_be_visible()
    assert not visitor.kept().get("parlour.name")
    page.get_by_label("Your name").fill(" Ann ")
    visitor.press_button("Play the computer")
    visitor.wait_for_turn()
    assert visitor.kept()["parlour.name"] == "Ann"
    visitor.press(page.get_by_role("button", name="Change the name Ann"))
    page.get_by_label("Your name").fill("\u202eBob")
    visitor.press_button("Use this name")
    # It is said in the dialog, which stays, and nothing has to be typed again.
    expect(page.get_by_role("dialog").locator(".refusal")).to_contain_text("control characters")
    expect(page.get_by_label("Your name")).to_have_value("\u202eBob")
    assert visitor.kept()["parlour.name"] == "Ann"
    page.get_by_label("Your name").fill("Bob")
    visitor.press_button("Use this name")
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert visitor.kept()["parlour.name"] == "Bob"
    page.evaluate("localStorage.setItem('parlour.name', '\u202eAnn')")  # as an older page may have kept it
    visitor.begin("double-up")
    visitor.wait_for_turn()


def test_a_seat_is_changed_and_whoever_had_its_link_can_only_watch(visit: Visit) -> None:
    host, guest = sit_down(visit(), visit(PHONE))
    old = secret_of(host)
    thief = visit()
    thief.expect_trouble(DEAD_LINE, REFUSED)
    thief.arrive(f"{path_of(host.page.url)}#seat={old}")
    thief.wait_for_turn()
    host.press(host.in_menu("renew"))
    expect(host.page.get_by_test_id("notice")).to_contain_text("Your seat has a new secret")
    expect(thief.page.get_by_test_id("watching")).to_be_visible()
    assert secret_of(thief) is None
    assert secret_of(host) not in (None, old)
    alternate(host, guest, "5", "7")
    assert host.kept()["parlour.renewing"] == ""


def test_the_answer_to_a_changed_seat_may_be_lost(visit: Visit) -> None:
    host, guest = sit_down(visit(), visit())
    host.expect_trouble(DEAD_LINE, REFUSED)
    old = secret_of(host)

    def lose(route: Route) -> None:
        route.fetch()  # it is done
        route.abort("connectionreset")

    host.page.route("**/seat", lose, times=1)
    host.press(host.in_menu("renew"))
    eventually(lambda: secret_of(host) not in (None, old), "the new secret")
    host.page.reload()
    host.wait_for_turn()
    alternate(host, guest, "5", "7")


def test_a_match_is_deleted_after_a_second_press(visit: Visit) -> None:
    visitor = visit()
    visitor.expect_trouble(DEAD_LINE, REFUSED)
    with httpx.Client(base_url=visitor.home) as client:
        made = challenge(client, "local", game="sequence-builder", first="1")
        visitor.arrive(f"/m/{made['id']}#seat={made['seat']}")
        visitor.press(visitor.in_menu("delete"))
        expect(visitor.page.get_by_text("Delete it for good?")).to_be_visible()
        visitor.press_button("Keep it")
        assert client.get(f"/api/matches/{made['id']}").status_code == 200
        visitor.press(visitor.in_menu("delete"))
        visitor.press(visitor.page.get_by_test_id("confirm-deletion"))
        expect(visitor.page.get_by_text("This match is deleted")).to_be_visible()
        assert client.get(f"/api/matches/{made['id']}").status_code == 404
    assert made["id"] not in visitor.kept()["parlour.seats"]


def test_friends_delete_a_match_together(visit: Visit) -> None:
    host, guest = sit_down(visit(), visit(PHONE))
    for each in (host, guest):
        each.expect_trouble(DEAD_LINE, REFUSED)
    host.press(host.in_menu("delete"))
    host.press(host.page.get_by_test_id("confirm-deletion"))
    expect(guest.page.get_by_test_id("offer")).to_contain_text(
        "asks to delete this match, for both of you and for good"
    )
    guest.press_button("Accept")
    expect(guest.page.get_by_text("This match is deleted")).to_be_visible()
    expect(host.page.get_by_text("There is no such match here, or not any more")).to_be_visible()
    for each in (host, guest):
        assert each.kept()["parlour.seats"] == "{}"


def test_the_creator_who_opens_the_invitation_keeps_the_seat(pair: tuple[Visitor, Visitor]) -> None:
    host, guest = pair
    link = invite(host, "double-up")
    secrets = host.secrets
    host.arrive("/")
    host.arrive(link)
    expect(host.page.get_by_test_id("notice")).to_contain_text("You already have a seat")
    assert host.page.url == link.split("#")[0]
    assert host.secrets == secrets
    assert state_of(host)["status"] == "waiting"
    guest.arrive(link)
    expect(host.page.get_by_test_id("board")).to_be_visible()
    assert state_of(guest)["you"] != state_of(host)["you"]
    guest.arrive("/")
    guest.arrive(link)  # which is how many come back
    expect(guest.page.get_by_test_id("board")).to_be_visible()
    expect(guest.page.get_by_test_id("player-2" if state_of(guest)["you"] == [2] else "player-1")).to_contain_text(
        "You"
    )
    assert guest.page.get_by_test_id("notice").count() == 0


def test_a_guest_sees_the_game_and_both_can_change_their_names(visit: Visit) -> None:
    host, guest = sit_down(visit(), visit(PHONE), game="double-up", options={"limit": "50"})
    page = guest.page
    expect(page.locator("h1 + p")).to_have_text(f"{catalog.find_game('double-up').content.summary} Up to 50.")
    guest.press(page.get_by_role("button", name="Add your name"))
    page.get_by_label("Your name").fill("Zoë")
    guest.press_button("Use this name")
    expect(host.page.get_by_test_id("player-2")).to_contain_text("Zoë")
    host.press(host.page.get_by_role("button", name="Change the name Player 1"))
    host.page.get_by_label("Your name").fill("<b>Ann</b> & Bob")
    host.press_button("Use this name")
    for visitor in (host, guest):
        expect(visitor.page.get_by_test_id("player-1")).to_contain_text("<b>Ann</b> & Bob")
    before = page.url
    guest.press(page.get_by_test_id("menu"))
    guest.press(page.get_by_role("link", name="Rules", exact=True))
    rules = page.get_by_role("dialog", name="Double Up: the rules")
    expect(rules).to_contain_text("doubl")
    expect(rules.get_by_role("heading", name="Double Up: the rules")).to_be_in_viewport()
    guest.press_button("Close")
    expect(rules).to_be_hidden()
    assert page.url == before


def test_a_notice_that_needs_no_answer_goes_by_itself(visit: Visit) -> None:
    host, guest = visit(), visit(PHONE)
    for visitor in (host, guest):
        visitor.install_clock()
    sit_down(host, guest, game="double-up")
    expect(guest.page.get_by_test_id("notice")).to_contain_text("You have joined")
    guest.page.clock.run_for(9000)
    expect(guest.page.get_by_test_id("notice")).to_be_hidden()
    guest.try_to_play("2")
    expect(guest.page.get_by_test_id("refused")).to_be_visible()
    host.play("2")  # and so it does when the game goes on
    guest.wait_for_moves(1)
    expect(guest.page.get_by_test_id("refused")).to_be_hidden()


def test_on_a_grid_that_nobody_can_win_the_next_is_agreed_upon(pair: tuple[Visitor, Visitor]) -> None:
    host, guest = sit_down(*pair, game="sequence-spot", options={"grid": "1,4,2,9,3,8,5,7,6"})
    for visitor in pair:
        expect(visitor.page.get_by_text("Nobody can win this round, whatever is played.")).to_be_visible()
    host.press_button("Offer the next round")
    expect(guest.page.get_by_test_id("offer")).to_contain_text("asks to go on to the next round")
    guest.press_button("Accept")
    for visitor in pair:
        expect(visitor.page.get_by_test_id("moves")).to_contain_text("Round 2")


def test_what_is_taken_back_is_not_looked_at_any_more(visit: Visit) -> None:
    visitor = visit()
    page = visitor.begin("double-up", "One device")
    for number, move in enumerate(("2", "3", "5"), 1):
        visitor.wait_for_turn()
        visitor.play(move)
        visitor.wait_for_moves(number)
    page.keyboard.press("k")
    expect(page.locator(".steps-at")).to_have_text("Move 2 of 3")
    page.keyboard.press("u")
    expect(page.locator(".steps-at")).to_have_text("Move 2 of 2")
    page.keyboard.press("k")
    expect(page.locator(".steps-at")).to_have_text("Move 1 of 2")
    page.keyboard.press("u")
    expect(page.locator(".steps-at")).to_have_text("Move 1 of 1")
    page.keyboard.press("u")
    expect(page.locator(".steps-at")).to_have_text("Start")
    assert visitor.wait_for_turn()["legal"] == ["2"]


def test_a_guest_who_has_the_name_of_the_host_gets_the_seat(visit: Visit) -> None:
    host, guest = visit(), visit(PHONE)
    guest.expect_trouble(REFUSED)
    guest.store(name="Ann")
    sit_down(host, guest, game="double-up", name="Ann")
    expect(guest.page.get_by_test_id("player-2")).to_contain_text("You")
    expect(guest.page.get_by_test_id("watching")).to_be_hidden()


def test_a_third_person_watches_and_has_nothing_to_move_or_to_tell(visit: Visit) -> None:
    host, guest, third, fourth = visit(), visit(PHONE), visit(), visit(PHONE)
    link = invite(host, "double-up")
    guest.arrive(link)
    guest.page.get_by_test_id("board").wait_for()
    third.expect_trouble(REFUSED)
    third.arrive(link)
    expect(third.page.get_by_test_id("notice")).to_contain_text("the seat is taken, and you are watching")
    fourth.arrive(link.split("#")[0])
    seen = eventually(lambda: settled(host, guest), "both have sat down")
    alternate(*((host, guest) if seen[0]["legal"] else (guest, host)), "2", "3", "5")
    for watcher in (third, fourth):
        expect(watcher.page.get_by_test_id("watching")).to_be_visible()
        watcher.wait_for_moves(3)
        assert watcher.page.locator("[data-move]").count() == 0
        assert watcher.page.locator("#move-input").count() == 0
        for name in ("Resign", "Undo", "Ask to take back", "Hint", "Values", "Offer a rematch"):
            assert watcher.page.get_by_role("button", name=name).count() == 0
        watcher.page.keyboard.press("u")
        watcher.page.keyboard.press("n")
        assert watcher.secrets == "{}"
    secrets = [secret_of(host), secret_of(guest), link.split("=")[1]]
    for visitor in (host, guest, third, fourth):
        assert visitor.page.evaluate("location.hash + location.search + document.referrer") == ""
        assert not any(str(secret) in url for url in visitor.requests for secret in secrets)
    for watcher in (third, fourth):
        stored = " ".join(watcher.kept().values())
        assert not any(str(secret) in stored for secret in secrets), stored
    assert len(host.glance()["moves"]) == 3


def test_the_address_keeps_no_secret_and_going_back_brings_none(pair: tuple[Visitor, Visitor]) -> None:
    host, _ = pair
    with httpx.Client(base_url=host.home) as client:
        made = challenge(client, kind="computer", game="double-up", level="level:1", first="me")
    host.arrive(f"/m/{made['id']}#seat={made['seat']}")
    assert host.wait_for_turn()["legal"] == ["2"]
    assert host.page.url == f"{host.home}/m/{made['id']}"
    host.page.go_back()
    host.page.go_forward()
    host.wait_for_turn()
    assert "#" not in host.page.url


# The computer, one device, records.


@pytest.mark.parametrize("game", ["sequence-builder", "sequence-spot"])
def test_two_clicks_and_one_plays_the_computer_to_the_end(pair: tuple[Visitor, Visitor], game: str) -> None:
    host = pair[0]
    random = Random(game)
    page = host.begin(game)
    seen = host.wait_for_turn()
    done = len(seen["moves"])
    host.play(seen["legal"][0])
    host.wait_for_moves(done + 2)  # the computer has answered
    host.press_button("Undo")
    expect(page.get_by_test_id("moves").locator("li")).to_have_count(done)
    for _ in range(100):
        page.wait_for_function(
            "() => /is over/.test(document.querySelector('#status')?.innerText ?? '')"
            " || document.querySelector('#status .result')"
            " || document.querySelector('main button[data-move]:not([aria-disabled])')"
        )
        seen = host.glance()
        if seen["over"]:
            break
        if seen["legal"]:
            count = len(seen["moves"])
            host.play(random.choice(seen["legal"]))
            page.wait_for_function(
                "n => document.querySelectorAll('[data-testid=moves] li').length > n"
                " || document.querySelector('#status .result')",
                arg=count,
            )
        else:
            host.press_button("Next round")
            page.wait_for_function("() => !document.querySelector('#status').innerText.includes('is over')")
            if page.get_by_test_id("moves").get_by_role("heading").count() > 2:
                host.wait_for_turn()  # a move of the computer between the two steps would end the resignation
                host.resign()
                expect(host.status.locator(".result")).to_be_visible()
    expect(host.status.locator(".result")).to_be_visible()
    expect(page.get_by_role("list", name="Accuracy")).to_be_visible()
    before = page.url
    host.press_button("Rematch")
    page.wait_for_url(lambda url: url != before)
    host.wait_for_turn()


def test_hints_help_against_the_computer_and_not_against_a_friend(pair: tuple[Visitor, Visitor]) -> None:
    before = len(pair[1].requests)
    host, guest = sit_down(*pair)
    for visitor in pair:
        assert visitor.page.get_by_role("button", name="Hint").count() == 0
        assert visitor.page.get_by_test_id("values").count() == 0
    with httpx.Client(base_url=host.home) as client:
        made = challenge(client, kind="computer", game="sequence-builder", level="level:1", first="me")
    host.arrive(f"/m/{made['id']}#seat={made['seat']}")
    host.press_button("Hint")
    expect(host.page.get_by_test_id("hints").locator("li")).to_have_count(1)
    host.press_button("Values")
    expect(host.page.locator(".tile .worth")).to_have_count(20)
    assert [url for url in guest.requests[before:] if re.search("/hint|/solve", url)] == []


def test_two_on_one_device(pair: tuple[Visitor, Visitor]) -> None:
    phone = pair[1]
    page = phone.arrive("/")
    phone.press(page.get_by_role("link", name="Options of Increasing Differences"))
    page.get_by_label("One device", exact=True).check()
    page.get_by_label("Your name").fill("Ann")
    page.get_by_label("Second name").fill("Bob")
    page.get_by_label("I begin", exact=True).check()
    phone.press_button("Play on this device")
    expect(page.get_by_test_id("player-1")).to_contain_text("Ann")
    expect(page.get_by_test_id("player-2")).to_contain_text("Bob")
    random = Random(5)
    expect(phone.status).to_contain_text("Ann's turn")
    phone.play("7")
    phone.wait_for_moves(1)
    expect(phone.status).to_contain_text("Bob's turn")
    phone.press_button("Undo")
    expect(phone.status).to_contain_text("Ann's turn")
    for done in range(100):
        seen = phone.wait_for_turn()
        if seen["over"]:
            break
        phone.play(random.choice(seen["legal"]))
        phone.wait_for_moves(done + 1)
    expect(phone.status.locator(".result")).to_have_text(re.compile(r"Ann|Bob|draw", re.IGNORECASE))


def test_a_record_is_downloaded_and_read_and_imported_again(pair: tuple[Visitor, Visitor], tmp_path: Path) -> None:
    host, guest = sit_down(*pair, game="double-up", options={"limit": "8"}, name="Ann")
    alternate(host, guest, "2", "3", "4")
    unfinished = save(host, tmp_path / "unfinished.parlour")
    assert (len(unfinished.rounds[-1].moves), unfinished.outcome) == (3, None)
    alternate(guest, host, "8")
    expect(guest.status.locator(".result")).to_be_visible()
    finished = save(guest, tmp_path / "finished.parlour")
    assert finished.outcome is not None
    outcome = guest.status.locator(".said").inner_text()

    page = guest.arrive("/import")
    page.get_by_label("The record").fill((tmp_path / "finished.parlour").read_text("utf-8"))
    guest.press_button("Import")
    expect(guest.status.locator(".said")).to_have_text(outcome)
    expect(page.get_by_role("list", name="Accuracy")).to_be_visible()
    assert page.locator("[data-move]").count() == 0

    page = host.arrive("/import")
    page.get_by_label("Or choose a file").set_input_files(tmp_path / "unfinished.parlour")
    host.press_button("Import")
    assert host.wait_for_turn()["legal"] == ["5", "6", "7", "8"]
    host.play("5")
    host.wait_for_moves(4)


def save(visitor: Visitor, path: Path) -> Any:
    if not visitor.glance()["over"]:  # then it is in the report
        visitor.open_more()
    with visitor.page.expect_download() as found:
        visitor.press(visitor.page.get_by_role("link", name="Download the record"))
    found.value.save_as(path)
    assert found.value.suggested_filename.endswith(".parlour")
    return record.read_record(path.read_text("utf-8"))


def test_a_bad_record_is_refused_and_kept(visit: Visit) -> None:
    visitor = visit()
    visitor.expect_trouble(REFUSED)
    page = visitor.arrive("/import")
    page.get_by_label("The record").fill("this is no record")
    visitor.press_button("Import")
    expect(page.locator("#refusal")).to_contain_text(re.compile(r"\w+ \w+"))
    expect(page.get_by_label("The record")).to_have_value("this is no record")


def test_bad_options_are_refused_and_kept(visit: Visit) -> None:
    visitor = visit(PHONE)
    visitor.expect_trouble(REFUSED)
    page = visitor.arrive("/play/sequence-builder")
    visitor.press(page.get_by_text("All options"))
    page.get_by_label("Increments").fill("0,x")
    visitor.press_button("Play the computer")
    expect(page.locator("#refusal")).to_contain_text("increments")
    expect(page.get_by_label("Increments")).to_have_value("0,x")
    page.get_by_label("Increments").fill("1,2")
    visitor.press_button("Play the computer")
    visitor.wait_for_turn()
    assert state_of(visitor)["table"]["options"]["increments"] == "1,2"


def test_the_longest_name_that_can_be_typed_is_taken(visit: Visit) -> None:
    visitor = visit(PHONE)
    page = visitor.arrive("/play/double-up")
    page.get_by_label("Your name").press_sequentially("Wolfeschlegelsteinhausenbergerdorff the Younger")
    visitor.press_button("Play the computer")
    visitor.wait_for_turn()
    expect(page.locator(".seats")).to_contain_text("Wolfeschlegel")


def test_your_games_are_listed_until_removed(visit: Visit) -> None:
    host, guest = sit_down(visit(), visit(PHONE), game="double-up")
    alternate(host, guest, "2")
    for visitor, words in ((host, "turn"), (guest, "Your turn")):
        visitor.arrive("/")
        expect(visitor.page.get_by_test_id("your-games")).to_contain_text(words)
    guest.press(guest.page.get_by_test_id("your-games").get_by_role("link"))
    assert guest.wait_for_turn()["legal"] == ["3", "4"]
    remove = host.page.get_by_test_id("your-games").get_by_role("button", name=re.compile("^Remove"))
    secrets = host.secrets
    remove.press("Enter")
    expect(host.page.get_by_test_id("your-games")).to_contain_text("You cannot play on then")
    expect(host.page.get_by_role("button", name="Keep it")).to_be_focused()
    host.page.keyboard.press("Enter")
    expect(remove).to_be_focused()
    assert host.secrets == secrets
    host.press(remove)
    host.press_button("Confirm")
    expect(host.page.get_by_test_id("your-games")).to_be_hidden()
    assert host.secrets == "{}"


def test_all_your_games_can_be_reached_those_that_go_on_first(visit: Visit) -> None:
    visitor = visit()
    visitor.expect_trouble(REFUSED)
    with httpx.Client(base_url=visitor.home) as client:
        made = [challenge(client, kind="local", game="double-up", names=[f"Ann {n}", ""]) for n in range(14)]
        for each in made[1:]:
            assert Seat(client, each["id"], each["seat"]).post("resign", player=1).status_code == 200
    seats = {each["id"]: each["seat"] for each in made}
    visitor.store(seats={"gone": "A" * 24, **seats})
    visitor.arrive("/")
    listed = visitor.page.get_by_test_id("your-games").get_by_role("listitem")
    expect(listed.first).to_contain_text("Ann 0")
    visitor.press_button("Show all 14")
    expect(listed).to_have_count(14)
    assert visitor.page.evaluate("JSON.parse(localStorage.getItem('parlour.seats'))") == seats


def test_sound_is_off_until_it_is_wanted_and_colours_are_remembered(visit: Visit) -> None:
    visitor = visit()
    page = visitor.arrive("/")
    expect(page.get_by_test_id("sound")).to_have_attribute("aria-pressed", "false")
    colours = []
    for _ in range(3):
        page.get_by_test_id("theme").click()
        page.reload()
        page.get_by_test_id("theme").wait_for()
        colours.append(page.evaluate("document.documentElement.dataset.theme ?? 'auto'"))
    assert sorted(colours) == ["auto", "dark", "light"]
    assert all(before != after for before, after in pairwise(colours))
