"""The study board and the report in real browsers: what they show is what the solver says."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from parlour import catalog
from tests.support.browser import PHONE, REFUSED, Visit, Visitor, path_of
from tests.support.command import Run
from tests.support.seats import challenge

Document = dict[str, Any]
OPTIONS: dict[str, dict[str, str]] = {"sequence-spot": {"grid": "2,1,4,7,5,3,6,9,8"}}
FIRST: dict[str, str] = {"double-up": "2", "sequence-spot": "1,1"}  # others begin with what suits them
SIGNS = {"win": "▲", "draw": "●", "loss": "▼"}
VERBS = {"win": "wins", "draw": "draws", "loss": "loses"}


@pytest.fixture
def reader(visit: Visit) -> Visitor:
    """A visitor at a desktop."""
    return visit()


@pytest.fixture
def other(visit: Visit) -> Visitor:
    """Another visitor, at a phone."""
    return visit(PHONE)


def position(client: httpx.Client, game: str, moves: list[str], **options: str) -> Document:
    answer = client.get(f"/api/games/{game}/position", params={"moves": ".".join(moves) or "start", **options})
    assert answer.status_code == 200, answer.text
    table: Document = answer.json()
    return table


# The servers' limit is ten seconds for a search, which the first position of these may need on a busy machine.
SMALL: dict[str, dict[str, str]] = {
    "increasing-differences": {"length": "4", "range": "11"},
    "pyramid-challenge": {"base": "3", "highest": "5"},
}


def positions(client: httpx.Client, game: str) -> list[Document]:
    """A few positions of a game: its beginning, and some on the way of a random one."""
    random = Random(f"study {game}")
    options = OPTIONS.get(game, SMALL.get(game, {}))
    tables = [position(client, game, [], **options)]
    while tables[-1]["turn"]:
        tables.append(position(client, game, [*tables[-1]["moves"], random.choice(tables[-1]["legal"])], **options))
    playing = [table for table in tables if table["turn"]]
    return [playing[0], playing[len(playing) // 3], playing[2 * len(playing) // 3], playing[-1]]


def solution_of(run: Callable[..., Run], table: Document) -> Document:
    """The answer of the terminal to the same question."""
    options = [word for name, value in table["options"].items() for word in (f"--{name.replace('_', '-')}", value)]
    found: Document = json.loads(
        run("solve", table["game"], *options, "--moves", " ".join(table["moves"]), "--json").out
    )
    return found


def worth(standing: Document) -> str:
    """As the page writes it: "▲ wins in 5 moves"."""
    plies = standing["plies"]
    soon = f" in {plies} move{'' if plies == 1 else 's'}" if plies else ""
    return f"{SIGNS[standing['value']]} {VERBS[standing['value']]}{soon}"


def spoken(table: Document, move: str) -> str:
    """What the tile shows that makes a move; the move itself, where there is none."""
    tiles = (tile for group in table["view"] for row in group["rows"] for tile in row)
    return next((str(tile["text"]) for tile in tiles if tile["move"] == move), move)


def plain(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("game", catalog.keys())
def test_the_values_shown_are_those_of_the_solver(
    reader: Visitor, client: httpx.Client, run: Callable[..., Run], game: str
) -> None:
    page = reader.page
    for table in positions(client, game):
        reader.arrive(table["study"])
        expect(page.locator(".verdict")).to_be_visible()
        more = page.get_by_role("button", name=re.compile(r"^Show all \d+$"))
        if more.count():
            more.click()
        shown = {
            plain(name): plain(value)
            for value, names in page.evaluate(
                "[...document.querySelectorAll('.worth-group')].map((group) =>"
                " [group.querySelector('.value').innerText,"
                " [...group.querySelectorAll('.choice-move')].map((move) => move.innerText)])"
            )
            for name in names
        }
        tiles = {
            name: plain(value)
            for name, value in page.evaluate(
                "[...document.querySelectorAll('main button[data-move]')].filter((tile) =>"
                " tile.querySelector('.worth')).map((tile) => [tile.dataset.move, tile.getAttribute('title')])"
            )
        }
        solution = solution_of(run, table)
        true = {choice["move"]: worth(choice) for choice in solution["choices"]}
        assert solution["moves"] == table["moves"]
        assert shown == {spoken(table, move): value for move, value in true.items()}
        assert tiles == {move: value[2:] for move, value in true.items() if move in tiles}
        assert set(tiles) == set(table["legal"]) or len(table["legal"]) > 60
        assert worth(solution)[2:] in plain(page.locator(".verdict").inner_text())


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


def test_why_is_said_in_words_and_in_a_line_to_walk_along(reader: Visitor, client: httpx.Client) -> None:
    page = reader.arrive("/study/double-up/2.3")
    page.locator(".choices").get_by_role("button", name="6: why?").click()
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


@pytest.mark.parametrize("game", ["pyramid-challenge", "sequence-spot"])  # with a table of rows, and with options
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


def test_typing_a_move_that_is_refused_leaves_the_position_as_it_is(visit: Visit) -> None:
    visitor = visit()
    visitor.expect_trouble(REFUSED)
    page = visitor.arrive("/study/double-up/2.3")
    page.get_by_label("Type a move").fill("7")
    page.get_by_label("Type a move").press("Enter")
    expect(page.locator("#refusal")).to_contain_text(re.compile(r"\w+ \w+"))
    expect(page.get_by_label("Type a move")).to_have_value("7")
    assert path_of(page.url) == "/study/double-up/2.3"
    visitor.arrive("/study/double-up/2.9")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("main")).to_contain_text(re.compile("9"))


def test_playing_on_from_a_position(reader: Visitor, client: httpx.Client) -> None:
    ways = {"computer": "Computer", "local": "One device", "friend": "Friend by link"}
    for kind, way in ways.items():
        page = reader.arrive("/study/double-up/2.3.5")
        expect(page.locator("main")).to_contain_text("You take the side of")
        page.get_by_label(way, exact=True).check()
        page.get_by_test_id(f"play-{kind}").click()
        page.wait_for_url("**/m/*")
        expect(page.get_by_role("heading", level=1)).to_have_text("Double Up")
        state = client.get(f"/api/matches/{path_of(page.url).split('/')[2]}").json()
        assert state["kind"] == kind
        if kind == "friend":
            expect(page.get_by_label("Invitation", exact=True)).to_be_visible()
        else:
            assert reader.wait_for_turn()["legal"] == [str(number) for number in range(6, 11)]
            assert len(reader.glance()["moves"]) == 3


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


def report_of(client: httpx.Client, match: str) -> Document:
    path = f"/api{match.replace('/m/', '/matches/')}/report"
    report: Document = client.get(path, headers={"Accept": "application/json"}).json()
    return report


def is_quiet(report: Document, each: Document) -> bool:
    """Nothing was thrown away in a round, and there are others."""
    empty = all(play["grade"] in {"settled", "forced", "lost"} for play in each["decisions"])
    return not each["turning_points"] and (len(report["rounds"]) > 1 or empty)


@pytest.mark.parametrize("game", catalog.keys())
def test_the_report_is_shown_as_the_server_gives_it(reader: Visitor, client: httpx.Client, game: str) -> None:
    match = play_out(client, game, options={"max_rounds": "3"} if game == "sequence-spot" else {})
    page = reader.arrive(match)
    report = report_of(client, match)
    accuracy = page.get_by_role("list", name="Accuracy").get_by_role("listitem")
    expect(accuracy).to_have_count(2)
    for shown, account in zip(accuracy.all_inner_texts(), report["accuracy"], strict=True):
        true = "–" if account["accuracy"] is None else f"{round(account['accuracy'] * 100)}%"
        assert true in plain(shown)
        choices = account["decisions"]
        kept = f"{account['held']} of {choices} choice{'' if choices == 1 else 's'} kept the best result."
        assert (kept if choices else "There was no real choice to make.") in plain(shown)
    quiet = [each for each in report["rounds"] if is_quiet(report, each)]
    told = [each for each in report["rounds"] if each not in quiet]
    expect(page.get_by_test_id("quiet-round")).to_have_count(len(quiet))
    expect(page.get_by_test_id("round")).to_have_count(len(told))
    for each, whole in zip(told, page.get_by_test_id("round").all(), strict=True):
        whole.locator(".turning").wait_for()
        for more in whole.get_by_role("button", name="Show all").all():
            more.click()
        moments = whole.locator(".turning li")
        expect(moments).to_have_count(len(each["turning_points"]))
        start = position(client, game, [], **each["options"])
        for shown, point in zip(map(plain, moments.all_inner_texts()), each["turning_points"], strict=True):
            assert f"Move {point['ply']}: {report['names'][point['player'] - 1]} " in shown
            assert f"It threw away the {point['from']}; " in shown
            assert all(re.search(rf"\b{spoken(start, move)}\b", shown) for move in point["held_by"][:6])
        whole.get_by_text("Move by move").click()
        graded = [plain(text) for text in whole.locator(".decision").all_inner_texts()]
        assert len(graded) == len(each["decisions"])
        for shown, decision in zip(graded, each["decisions"], strict=True):
            assert re.search(rf"\b{spoken(start, decision['move'])}\b", shown)
            assert ("threw away" in shown) == decision["grade"].startswith("threw")
            if decision["after"]:
                assert shown.endswith(worth(decision["after"]))


def test_who_comes_back_from_a_line_is_where_the_report_was_left(reader: Visitor, client: httpx.Client) -> None:
    page = reader.arrive(play_out(client, "double-up"))
    page.get_by_role("button", name="Walk the line").click()
    expect(page.locator(".line-bar")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("button", name="Walk the line")).to_be_in_viewport()


def test_a_finished_game_is_leafed_through(reader: Visitor, client: httpx.Client) -> None:
    match = play_out(client, "double-up", options={"limit": "12"})
    page = reader.arrive(match)
    moves = client.get(f"/api{match.replace('/m/', '/matches/')}").json()["table"]["moves"]
    tables = client.get(f"/api{match.replace('/m/', '/matches/')}/replay", params={"round": 1}).json()["tables"]

    def told(back: int) -> str:
        last = tables[back - 1]["last"]
        return f"Move {len(moves) + back}. {('Ann', 'Bob')[last['player'] - 1]} {last['told']}."

    outcome = page.locator("#status .result").inner_text()
    expect(page.locator(".steps-at")).to_have_text(f"Move {len(moves)} of {len(moves)}")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#status")).to_contain_text(told(-1))
    page.keyboard.press("k")
    expect(page.locator("#status")).to_contain_text(told(-2))
    page.keyboard.press("j")
    expect(page.locator("#status")).to_contain_text(told(-1))
    page.keyboard.press("Home")
    expect(page.locator("#status")).to_contain_text("The start")
    page.get_by_role("button", name="One move forward").click()
    expect(page.locator("#status")).to_contain_text("Move 1. Ann")
    page.keyboard.press("End")
    expect(page.locator("#status")).to_contain_text(outcome)


def lost_game(client: httpx.Client) -> tuple[str, str]:
    """A match against the computer, with its seat, in which the win was thrown away twice, and once given back."""
    moves = ["2", "3", "4", "5", "10", "11", "20", "23", "25", "49"]
    made = challenge(client, kind="computer", game="double-up", name="Ann", first="me", moves=moves)
    seat = {"Authorization": f"Bearer {made['seat']}"}
    assert client.post(f"/api/matches/{made['id']}/resign", json={}, headers=seat).status_code == 200
    return f"/m/{made['id']}", made["seat"]


def test_the_curve_is_ones_own_and_is_pressed_and_walked(reader: Visitor, client: httpx.Client) -> None:
    match, seat = lost_game(client)
    report = report_of(client, match)
    points = report["rounds"][0]["turning_points"]
    assert [point["player"] for point in points] == [1, 2, 1]
    page = reader.arrive(f"{match}#seat={seat}")
    curve = page.get_by_role("slider")
    expect(curve).to_have_accessible_name("What the game was worth to you")
    # It begins at one's own last mistake, and every mistake wears a ring.
    expect(curve).to_have_attribute("aria-valuenow", str(points[-1]["ply"]))
    expect(page.locator(".chart .ring")).to_have_count(len(points))
    panel = page.get_by_test_id("moment")
    expect(panel.get_by_role("heading", level=3)).to_have_text("Move 9 of 10")
    expect(panel).to_contain_text("You took 25. It threw away the win.")
    # Above the middle one wins, below one loses; signs and hatching say so without colour.
    kinds = page.evaluate("[...document.querySelectorAll('.chart .moment')].map((moment) => moment.classList[1])")
    assert kinds == ["win"] * 3 + ["loss"] * 5 + ["win"] + ["loss"] * 2
    # Pressing and keys.
    page.locator(".chart [data-ply='8']").click()
    expect(panel).to_contain_text("Computer took 23. It threw away the win.")
    assert "Move 8: Computer took 23." in (page.locator(".chart [data-ply='8'] title").text_content() or "")
    curve.focus()
    page.keyboard.press("ArrowLeft")
    expect(panel.get_by_role("heading", level=3)).to_have_text("Move 7 of 10")
    assert "You lose in" in (curve.get_attribute("aria-valuetext") or "").replace("\u00a0", " ")
    expect(page.locator(".steps-at").first).to_have_text("Move 10 of 10")  # the board of the match stays
    page.keyboard.press("Home")
    expect(panel.get_by_role("heading", level=3)).to_have_text("The start")
    page.keyboard.press("End")
    expect(panel.get_by_role("heading", level=3)).to_have_text("Move 10 of 10")
    page.get_by_role("button", name="The move before").click()
    expect(curve).to_have_attribute("aria-valuenow", "9")


def test_the_moment_shows_what_was_played_and_what_was_better(reader: Visitor, client: httpx.Client) -> None:
    match, seat = lost_game(client)
    point = report_of(client, match)["rounds"][0]["turning_points"][0]
    page = reader.arrive(f"{match}#seat={seat}")
    page.get_by_role("button", name="Show the moment").first.click()
    panel = page.get_by_test_id("moment")
    expect(panel).to_be_in_viewport()
    expect(panel.get_by_role("heading", level=3)).to_be_focused()
    board = page.get_by_test_id("moment-board")
    played = board.locator(".tile.played")
    better = board.locator(".tile.better")
    expect(played).to_have_count(1)
    expect(played.locator(".worth")).to_be_visible()
    assert re.match(rf"{point['move']}, .*played, loses in", plain(played.get_attribute("aria-label") or ""))
    labels = [plain(tile.get_attribute("aria-label") or "") for tile in better.all()]
    assert [label.split(",")[0] for label in labels] == point["held_by"]
    assert all("better, wins in" in label for label in labels)
    page.get_by_role("button", name="Walk the line").click()
    before = ["2", "3"]
    page.wait_for_url(f"**/study/double-up/{'.'.join([*before, point['move']])}")
    expect(page.locator(".line-bar")).to_be_visible()
    page.go_back()
    page.get_by_role("button", name="Show the moment").first.click()
    page.get_by_role("button", name="Practise this moment").click()
    page.wait_for_url(lambda url: "/m/" in url and match not in url)
    assert reader.wait_for_turn()["legal"] == ["4", "5", "6"]


def test_rounds_without_a_decision_are_a_line_each(reader: Visitor, client: httpx.Client) -> None:
    match = play_out(client, "sequence-spot", options={"grid": "3,6,4,8,5,1,7,2,9", "max_rounds": "3"})
    page = reader.arrive(match)
    line = page.get_by_test_id("quiet-round").first
    expect(line).to_have_text("Round 1: nobody could win it, whatever was played.")
    box = line.bounding_box()
    assert box is not None
    assert box["height"] < 50


def test_where_nothing_turned_nobody_is_told_to_see_where(reader: Visitor, client: httpx.Client) -> None:
    moves = ["5", "7", "6", "10", "9", "13"]
    made = challenge(client, kind="local", game="sequence-builder", first="1", moves=moves)
    seat = {"Authorization": f"Bearer {made['seat']}"}
    match, last = f"/m/{made['id']}", {"ply": made["state"]["ply"], "move": "12"}
    assert client.post(f"/api/matches/{made['id']}/move", json=last, headers=seat).json()["status"] == "over"
    assert not report_of(client, match)["rounds"][0]["turning_points"]
    page = reader.arrive(f"{match}#seat={made['seat']}")
    expect(page.get_by_test_id("report")).to_contain_text("It never turned: nobody threw anything away.")
    expect(page.get_by_test_id("to-report")).to_have_text("See the report")
    lost, own = lost_game(client)
    page = reader.arrive(f"{lost}#seat={own}")
    expect(page.get_by_test_id("to-report")).to_have_text("See where it turned")


def test_a_won_position_given_up_is_no_game_without_a_mistake(reader: Visitor, client: httpx.Client) -> None:
    made = challenge(client, kind="local", game="double-up", first="1", moves=["2", "4", "6"], options={"limit": "30"})
    seat = {"Authorization": f"Bearer {made['seat']}"}
    answer = client.post(f"/api/matches/{made['id']}/resign", json={"player": 1}, headers=seat)
    assert answer.json()["status"] == "over"
    page = reader.arrive(f"/m/{made['id']}#seat={made['seat']}")
    report = page.get_by_test_id("report")
    expect(report).to_contain_text("No move threw anything away, but Player 1 resigned a won position.")
    expect(report).not_to_contain_text("It never turned")


@pytest.mark.parametrize("game", catalog.keys())
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
    expect(page.locator(".example .status")).to_contain_text(f"{tables[-1]['last']['told']}.")
    assert page.get_by_role("link", name="Study this position").get_attribute("href") == tables[-1]["study"]
