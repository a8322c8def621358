"""The study board and the report in real browsers: what they show is what the solver says."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from random import Random
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, expect

from parlour import catalog
from tests.web.browser import PHONE, Visit, Visitor, browser, path_of, visit, visiting  # noqa: F401
from tests.web.conftest import Server
from tests.web.test_matches import challenge

Document = dict[str, Any]
every_game = pytest.mark.parametrize(
    "game", [key if key == "sequence-builder" else pytest.param(key, marks=pytest.mark.slow) for key in catalog.keys()]
)
REFUSED = r"status of 4\d\d"
OPTIONS: dict[str, dict[str, str]] = {"sequence-spot": {"grid": "2,1,4,7,5,3,6,9,8"}}
FIRST: dict[str, str] = {"double-up": "2", "sequence-spot": "1,1"}  # others begin with what suits them
SIGNS = {"win": "▲", "draw": "●", "loss": "▼"}


@pytest.fixture(scope="module")
def reader(browser: Browser, server: Server) -> Iterator[Visitor]:  # noqa: F811
    """Somebody at a desktop, for the tests in which nothing goes wrong."""
    with visiting(browser, server) as visit:  # noqa: F811
        yield visit()


@pytest.fixture(scope="module")
def other(browser: Browser, server: Server) -> Iterator[Visitor]:  # noqa: F811
    """Somebody else, at a phone."""
    with visiting(browser, server) as visit:  # noqa: F811
        yield visit(PHONE)


def position(client: httpx.Client, game: str, moves: list[str], **options: str) -> Document:
    answer = client.get(f"/api/games/{game}/position", params={"moves": ".".join(moves) or "start", **options})
    assert answer.status_code == 200, answer.text
    table: Document = answer.json()
    return table


def positions(client: httpx.Client, game: str) -> list[Document]:
    """A few positions of a game: its beginning, and some on the way of a random one."""
    random = Random(f"study {game}")
    options = OPTIONS.get(game, {})
    tables = [position(client, game, [], **options)]
    while tables[-1]["turn"]:
        tables.append(position(client, game, [*tables[-1]["moves"], random.choice(tables[-1]["legal"])], **options))
    playing = [table for table in tables if table["turn"]]
    return [playing[0], playing[len(playing) // 3], playing[2 * len(playing) // 3], playing[-1]]


def solving(table: Document) -> subprocess.Popen[str]:
    """The same question to the terminal, asked in a process of its own."""
    options = [word for name, value in table["options"].items() for word in (f"--{name.replace('_', '-')}", value)]
    return subprocess.Popen(
        [
            sys.executable,
            "-m",
            "parlour",
            "solve",
            table["game"],
            *options,
            "--moves",
            " ".join(table["moves"]),
            "--json",
        ],
        stdout=subprocess.PIPE,
        text=True,
    )


def worth(standing: Document) -> str:
    """As the page writes it."""
    plies = "" if standing["plies"] is None else f" {standing['plies']}"
    return f"{SIGNS[standing['value']]} {standing['value']}{plies}"


def plain(text: str) -> str:
    return " ".join(text.split())


@every_game
def test_the_values_shown_are_those_of_the_solver(reader: Visitor, client: httpx.Client, game: str) -> None:
    page = reader.page
    for table in positions(client, game):
        with solving(table) as process:
            reader.arrive(table["study"])
            expect(page.locator(".verdict")).to_be_visible()
            more = page.get_by_role("button", name=re.compile(r"^Show all \d+$"))
            if more.count():
                more.click()
            shown = {
                plain(name): plain(value)
                for name, value in page.evaluate(
                    "[...document.querySelectorAll('.choices li')].map((item) =>"
                    " [item.querySelector('.choice-name').innerText, item.querySelector('.value').innerText])"
                )
            }
            tiles = {
                name: plain(value)
                for name, value in page.evaluate(
                    "[...document.querySelectorAll('main button[data-move]')].filter((tile) =>"
                    " tile.querySelector('.worth')).map((tile) =>"
                    " [tile.dataset.move, tile.querySelector('.worth').innerText])"
                )
            }
            assert process.stdout is not None
            solution = json.load(process.stdout)
        true = {choice["move"]: worth(choice) for choice in solution["choices"]}
        assert solution["moves"] == table["moves"]
        assert shown == true
        assert tiles == {move: value for move, value in true.items() if move in tiles}
        assert set(tiles) == set(table["legal"]) or len(table["legal"]) > 60
        expect(page.locator(".verdict .value")).to_have_text(re.compile(worth(solution).replace(" ", r"\s")))


def test_hints_come_one_rung_at_a_time(reader: Visitor, client: httpx.Client) -> None:
    table = position(client, "sequence-builder", ["5", "9"])
    page = reader.arrive(table["study"])
    hints = page.get_by_test_id("hints").locator("li")
    rung, told = 0, []
    while page.get_by_test_id("hint").is_enabled():
        answer = client.get("/api/games/sequence-builder/hint", params={"moves": "5.9", "rung": str(rung + 1)}).json()
        rung = answer["rung"]
        told.append(plain(answer["text"]))
        if len(told) % 2:
            page.get_by_test_id("hint").click()
        else:
            page.keyboard.press("h")
        expect(hints).to_have_count(len(told))
        assert [plain(text) for text in hints.all_inner_texts()] == told
        assert plain(reader.heard()[-1]) == told[-1]
        page.wait_for_function("() => !document.querySelector('[data-testid=hint]').innerText.includes('Looking')")
    assert rung == 4
    assert 2 <= len(told) <= 4


@pytest.mark.slow
def test_why_is_said_in_words_and_in_a_line_to_walk_along(reader: Visitor, client: httpx.Client) -> None:
    page = reader.arrive("/study/double-up/2.3")
    page.locator(".choices").get_by_role("button", name=re.compile(r"\b6\b.*Why")).click()
    answer = client.get("/api/games/double-up/why", params={"moves": "2.3", "move": "6"}).json()
    expect(page.get_by_test_id("why")).to_contain_text(answer["text"].split("\n")[0])
    page.get_by_role("button", name="Walk through this line").click()
    page.wait_for_url("**/study/double-up/2.3.6*")
    line = ["2", "3", "6", *answer["line"]]
    expect(page.locator(".line-bar")).to_be_visible()
    forward = page.get_by_role("button", name="One move forward")
    for length in range(4, len(line) + 1):
        forward.click()
        page.wait_for_url(f"**/study/double-up/{'.'.join(line[:length])}")
        expect(page.locator(".steps-at")).to_have_text(f"Move {length} of {len(line)}")
    expect(page.locator("#status")).to_contain_text("The round is over")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(f"**/study/double-up/{'.'.join(line[:-1])}")
    page.get_by_role("button", name="Back to where it began").click()
    page.wait_for_url("**/study/double-up/2.3")
    expect(page.locator(".line-bar")).to_be_hidden()
    page.keyboard.press("End")
    page.wait_for_url(f"**/study/double-up/{'.'.join(line)}")
    page.keyboard.press("Home")
    page.wait_for_url("**/study/double-up/start")


@every_game
@pytest.mark.slow
def test_every_position_has_an_address_that_shows_it_to_anybody(
    reader: Visitor, other: Visitor, client: httpx.Client, game: str
) -> None:
    random = Random(f"address {game}")
    table = position(client, game, [], **OPTIONS.get(game, {}))
    page = reader.arrive(table["study"])
    page.get_by_test_id("board").wait_for()
    seen = {page.url}
    for _ in range(3):
        before = page.url
        reader.play(random.choice(reader.wait_for_turn()["legal"]))
        page.wait_for_function("before => location.href !== before", arg=before)
        page.wait_for_function(
            "() => document.querySelector('.steps-at').innerText.match(/\\d+/)[0] == "
            "location.pathname.split('/')[3].split('.').length"
        )
        seen.add(page.url)
    assert len(seen) == 4
    other.arrive(path_of(page.url))
    board = "[...document.querySelectorAll('[data-testid=board] .tile')].map((tile) => tile.getAttribute('aria-label'))"
    for visitor in (reader, other):
        expect(visitor.page.locator(".verdict").or_(visitor.page.get_by_text("nothing left to choose"))).to_be_visible()
    assert page.evaluate(board) == other.page.evaluate(board)
    page.go_back()
    page.wait_for_url(before)
    expect(page.locator(".steps-at")).to_contain_text("Move 2 of")


@pytest.mark.slow
def test_typing_a_move_that_is_refused_leaves_the_position_as_it_is(visit: Visit) -> None:  # noqa: F811
    visitor = visit()
    visitor.expect_trouble(REFUSED)
    page = visitor.arrive("/study/double-up/2.3")
    page.get_by_label("Type a move").fill("7")
    page.get_by_label("Type a move").press("Enter")
    expect(page.locator("#refusal")).to_contain_text(re.compile(r"\w+ \w+"))
    expect(page.get_by_label("Type a move")).to_have_value("7")
    assert path_of(page.url) == "/study/double-up/2.3"
    page.goto("/study/double-up/2.9")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("main")).to_contain_text(re.compile("9"))


@pytest.mark.slow
def test_playing_on_from_a_position(reader: Visitor, client: httpx.Client) -> None:
    for way, kind in (("Play the computer", "computer"), ("Two on this device", "local"), ("Play a friend", "friend")):
        page = reader.arrive("/study/double-up/2.3.5")
        expect(page.locator("main")).to_contain_text("You take the side of")
        page.get_by_role("button", name=way).click()
        page.wait_for_url("**/m/*")
        expect(page.get_by_role("heading", level=1)).to_have_text("Double Up")
        state = client.get(f"/api/matches/{path_of(page.url).split('/')[2]}").json()
        assert state["kind"] == kind
        if kind == "friend":
            expect(page.get_by_label("Invitation", exact=True)).to_be_visible()
        else:
            assert reader.wait_for_turn()["legal"] == [str(number) for number in range(6, 11)]
            assert len(reader.glance()["moves"]) == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    ["/study/pyramid-challenge/start?base=5&highest=20", "/study/increasing-differences/start?length=12&range=39"],
)
def test_a_position_that_is_too_big_can_be_left(reader: Visitor, path: str) -> None:
    page = reader.arrive(path)
    expect(page.get_by_test_id("solving")).to_contain_text(re.compile(r"[\d,]+ positions"))
    # Everything else goes on meanwhile.
    expect(page.get_by_test_id("board")).to_be_visible()
    page.get_by_test_id("solving").get_by_role("button", name="Cancel").click()
    expect(page.get_by_test_id("solving")).to_be_hidden()
    expect(page.locator("main")).to_contain_text("Not solved: cancelled")
    if "pyramid" in path:
        page.get_by_role("button", name="Solve it after all").click()
        expect(page.locator(".analysis")).to_contain_text(re.compile("no exact answer", re.IGNORECASE), timeout=40_000)
        assert page.locator(".tile .worth").count() == 0


# After a game.


def play_out(client: httpx.Client, game: str, **more: Any) -> str:
    """The address of a finished match of two friends who know nothing."""
    random = Random(f"report {game}")
    made = challenge(client, kind="local", game=game, names=["Ann", "Bob"], first="1", **more)
    headers = {"Authorization": f"Bearer {made['seat']}"}
    state = made["state"]
    for _ in range(200):
        if state["status"] == "over":
            return f"/m/{made['id']}"
        if state["status"] == "between":
            body, path = {"ply": state["ply"]}, "next"
        else:
            body, path = {"ply": state["ply"], "move": random.choice(state["table"]["legal"])}, "move"
        state = client.post(f"/api/matches/{made['id']}/{path}", json=body, headers=headers).json()
    raise AssertionError("it does not end")


@every_game
def test_the_report_is_shown_as_the_server_gives_it(reader: Visitor, client: httpx.Client, game: str) -> None:
    match = play_out(client, game, options={"max_rounds": "3"} if game == "sequence-spot" else {})
    page = reader.arrive(match)
    report = client.get(
        f"/api{match.replace('/m/', '/matches/')}/report", headers={"Accept": "application/json"}
    ).json()
    accuracy = page.get_by_role("list", name="Accuracy").get_by_role("listitem")
    expect(accuracy).to_have_count(2)
    for shown, account in zip(accuracy.all_inner_texts(), report["accuracy"], strict=True):
        true = "–" if account["accuracy"] is None else f"{round(account['accuracy'] * 100)}%"
        assert true in plain(shown)
        if account["decisions"]:
            assert f"held {account['held']} of {account['decisions']} real decision" in plain(shown)
    points = [point for each in report["rounds"] for point in each["turning_points"]]
    for more in page.locator(".turning").get_by_role("button", name="Show all").all():
        more.click()
    moments = [plain(text) for text in page.locator(".turning li").all_inner_texts()]
    assert len(moments) == len(points)
    for shown, point in zip(moments, points, strict=True):
        name = report["names"][point["player"] - 1]
        assert f"Move {point['ply']}: {name} played {point['move']} and threw away the {point['from']}" in shown
        assert all(re.search(rf"\b{move}\b", shown) for move in point["held_by"][:6])
    graded = [plain(text) for text in page.locator(".decision").all_inner_texts()]
    dead = [each for each in report["rounds"] if all(play["grade"] == "settled" for play in each["decisions"])]
    expect(page.get_by_text("Nobody could win it, whatever was played.")).to_have_count(len(dead))
    decisions = [decision for each in report["rounds"] if each not in dead for decision in each["decisions"]]
    assert len(graded) == len(decisions)
    for shown, decision in zip(graded, decisions, strict=True):
        assert re.search(rf"\b{decision['move']}\b", shown)
        assert ("threw away" in shown) == decision["grade"].startswith("threw")
        if decision["after"]:
            assert shown.endswith(worth(decision["after"]))
    # The picture says in words what it shows.
    pictures = page.locator(".chart svg[role=img]")
    charted = [
        each
        for each in report["rounds"]
        if each not in dead and sum(bool(decision["before"]) for decision in each["decisions"]) > 1
    ]
    assert pictures.count() >= len(charted)
    for index, each in enumerate(charted[: pictures.count()]):
        words = pictures.nth(index).get_attribute("aria-label") or ""
        assert pictures.nth(index).get_attribute("role") == "img"
        assert "at the start Ann" in words
        assert f"after move {len(each['decisions']) - 1} Ann" in words
    if points:
        page.get_by_role("button", name="Show the moment").first.click()
        expect(page.locator(".steps-at")).to_contain_text(re.compile(rf"^(Move {points[0]['ply'] - 1} of|Start, )"))
        expect(page.get_by_test_id("board")).to_be_in_viewport()
        page.get_by_role("button", name="Back to the report").click()
        expect(page.get_by_role("heading", name="How it was played")).to_be_in_viewport()


def test_who_comes_back_from_a_line_is_where_the_report_was_left(reader: Visitor, client: httpx.Client) -> None:
    page = reader.arrive(play_out(client, "double-up"))
    page.get_by_role("button", name="Walk the line").last.click()
    expect(page.locator(".line-bar")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("button", name="Walk the line").last).to_be_in_viewport()


def test_a_finished_game_is_leafed_through(reader: Visitor, client: httpx.Client) -> None:
    match = play_out(client, "double-up", options={"limit": "12"})
    page = reader.arrive(match)
    moves = client.get(f"/api{match.replace('/m/', '/matches/')}").json()["table"]["moves"]
    outcome = page.locator("#status .result").inner_text()
    expect(page.locator(".steps-at")).to_have_text(f"Move {len(moves)} of {len(moves)}")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#status")).to_contain_text(f"played {moves[-2]}")
    page.keyboard.press("k")
    expect(page.locator("#status")).to_contain_text(f"played {moves[-3]}")
    page.keyboard.press("j")
    expect(page.locator("#status")).to_contain_text(f"played {moves[-2]}")
    page.keyboard.press("Home")
    expect(page.locator("#status")).to_contain_text("The start")
    page.get_by_role("button", name="One move forward").click()
    expect(page.locator("#status")).to_contain_text("Ann played 2")
    page.keyboard.press("End")
    expect(page.locator("#status")).to_contain_text(outcome)
    page.locator(".decision").nth(1).click()
    expect(page.locator("#status")).to_contain_text(f"Bob played {moves[1]}")
    page.get_by_test_id("to-now").click()
    expect(page.locator("#status")).to_contain_text(outcome)


def test_a_turning_point_leads_to_the_study_board(reader: Visitor, client: httpx.Client) -> None:
    match = play_out(client, "double-up")
    report = client.get(
        f"/api{match.replace('/m/', '/matches/')}/report", headers={"Accept": "application/json"}
    ).json()
    point = report["rounds"][0]["turning_points"][0]
    before = [decision["move"] for decision in report["rounds"][0]["decisions"][: point["ply"] - 1]]
    page = reader.arrive(match)
    page.get_by_role("button", name=f"Try {point['held_by'][0]}").first.click()
    page.wait_for_url(f"**/study/double-up/{'.'.join([*before, point['held_by'][0]])}")
    page.go_back()
    page.get_by_role("button", name="Walk the line").first.click()
    page.wait_for_url(f"**/study/double-up/{'.'.join([*before, point['move']])}")
    expect(page.locator(".line-bar")).to_be_visible()


@every_game
def test_the_worked_example_is_stepped_through(reader: Visitor, client: httpx.Client, game: str) -> None:
    page = reader.arrive(f"/rules/{game}")
    card = client.get(f"/api/games/{game}").json()
    tables = card["example"]["tables"] if "example" in card else card["demo"]
    for block in card["rules"]:
        text = block["text"] or block["items"][0]
        expect(page.locator("main")).to_contain_text(plain(text))
    for index in range(1, len(tables)):
        page.get_by_role("button", name="One move forward").click()
        expect(page.locator(".steps-at")).to_have_text(f"Move {index} of {len(tables) - 1}")
    expect(page.locator(".example .status")).to_contain_text(tables[-1]["last"]["move"])
    assert page.get_by_role("link", name="Study this position").get_attribute("href") == tables[-1]["study"]
