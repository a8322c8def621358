"""The page reads what browsers stored while people played with earlier versions of Parlour."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser import Visit, Visitor, Waiting, visiting
from tests.support.old_data import DEV, WEB, WOMAN_TECHNOLOGIST, fill_sqlite, secrets_of
from tests.support.server import Server

STORED: dict[str, dict[str, str]] = json.loads((WEB / "storage.json").read_text())
SECRETS = secrets_of("sqlite")


@pytest.fixture(scope="package")
def old_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the database that those browsers have seats in."""
    server = Server(fill_sqlite(tmp_path_factory.mktemp("old") / "web.sqlite3"), "--unlimited")
    yield server
    server.stop()
    assert "Traceback" not in server.errors, server.errors


@pytest.fixture
def visit(browser: Browser, old_server: Server, waiting: Waiting) -> Iterator[Visit]:
    with visiting(browser, old_server, waiting) as visit:
        yield visit


def come_back(visit: Visit, stored: dict[str, str]) -> Visitor:
    """A visitor whose browser has all this stored."""
    visitor = visit()
    visitor.store(**{name.removeprefix("parlour."): value for name, value in stored.items()})
    return visitor


def your_games(visitor: Visitor) -> list[str]:
    """The matches that the first page lists, after somebody has asked for all of them."""
    page = visitor.arrive("/")
    listed = page.locator("[data-match]")
    expect(listed.first).to_be_visible()
    more = page.get_by_role("button", name="Show all")
    if more.count():
        visitor.press(more)
        expect(more).to_have_count(0)
    return [str(match.get_attribute("data-match")) for match in listed.all()]


def test_games_settings_seats_and_invitations_are_kept(visit: Visit) -> None:
    ann = come_back(visit, STORED["Ann"])
    names = ("playing", "between", "joiner playing", "rematch offered", "page local", "page waiting", "page computer")
    assert sorted(your_games(ann)) == sorted(SECRETS[name].id for name in names)
    page = ann.page
    playing = page.locator(f'[data-match="{SECRETS["playing"].id}"]')
    expect(playing).to_contain_text("Double Up")
    expect(playing).to_contain_text("against 李雷")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.get_by_test_id("sound")).to_have_attribute("aria-pressed", "true")
    ann.arrive("/play/double-up")
    expect(page.get_by_label("Your name")).to_have_value("Ann")
    expect(page.get_by_label("I begin")).to_be_checked()
    expect(page.get_by_label("How strong")).to_have_value("level:3")
    waiting = SECRETS["page waiting"]
    ann.arrive(f"/m/{waiting.id}")
    expect(page.get_by_test_id("invite-link")).to_have_value(f"{page.url}#join={waiting.invite}")
    ann.arrive(f"/m/{SECRETS['playing'].id}")
    ann.play("8")  # after 2 and 4
    ann.wait_for_moves(3)
    ann.arrive(f"/m/{SECRETS['joiner playing'].id}")  # which could not be opened any more
    expect(page.get_by_test_id("player-2")).to_contain_text(WOMAN_TECHNOLOGIST)
    ann.play("4")  # after 2 and 3
    ann.wait_for_moves(3)


def test_whoever_has_joined_plays_on(visit: Visit) -> None:
    bob = come_back(visit, STORED["Bob"])
    bob.arrive(f"/m/{SECRETS['to be joined by link'].id}")
    expect(bob.page.get_by_test_id("player-2")).to_contain_text("Bob")
    bob.play("2")
    bob.wait_for_moves(1)


def test_whoever_was_joining_has_joined(visit: Visit) -> None:
    """With the seat that was made up then: what was sent may have arrived after all."""
    cleo = come_back(visit, STORED["Cleo"])
    match = SECRETS["joining"].id
    cleo.arrive(f"/m/{match}")
    cleo.wait_for_turn()
    cleo.play("5")
    cleo.wait_for_moves(1)
    seat = json.loads(STORED["Cleo"]["parlour.joining"])["seat"]
    assert json.loads(cleo.secrets) == {match: seat}
    assert cleo.kept()["parlour.joining"] == ""


def test_puzzles_mistakes_exams_and_settings_of_0_2_dev_are_kept(visit: Visit) -> None:
    stored: dict[str, str] = json.loads((DEV / "web" / "storage.json").read_text())["Ann"]
    ann = come_back(visit, stored)
    page = ann.arrive("/mistakes")
    expect(page.get_by_test_id("due")).to_have_text("3 mistakes to practise today.")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    ann.arrive("/puzzles")
    expect(page.get_by_test_id("statistics")).to_contain_text("1 of 1 solved.")
    ann.arrive("/master/double-up/1")
    page.get_by_test_id("begin").click()
    expect(ann.status).to_contain_text("Question 2 of about 14.")
    ann.arrive("/play/double-up")
    expect(page.get_by_label("I begin")).to_be_checked()
    expect(page.get_by_label("How strong")).to_have_value("level:3")
    before, after = (json.loads(each["parlour.progress"]) for each in (stored, ann.kept()))
    assert (after["daily"], after["mistakes"], after["exams"]) == (
        before["daily"],
        before["mistakes"],
        before["exams"],
    )
