"""Puzzles in real browsers: solving them, the row of days, lists, other devices, and all of it without the server."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import pytest
from playwright.sync_api import Route, expect

from parlour import catalog
from tests.support.browser import (
    DESKTOP,
    LOW,
    NARROW,
    STILL,
    Visit,
    Visitor,
    ask,
    barriers,
    installed,
    kept,
    too_wide,
)

Document = dict[str, Any]
FIRST_DAY = date(2026, 1, 1)


def number_of(day: date) -> int:
    return (day - FIRST_DAY).days + 1


def today() -> int:
    """The number of today's puzzle, here."""
    return number_of(datetime.now().date())


def fetch(client: httpx.Client, path: str) -> Document:
    found: Document = client.get(path).raise_for_status().json()
    return found


def a_puzzle(client: httpx.Client, game: str, fits: Callable[[Document], bool] = lambda puzzle: True) -> Document:
    """The first of a game that fits."""
    for card in fetch(client, f"/api/puzzles?game={game}&most=40")["puzzles"]:
        puzzle = fetch(client, f"/api/puzzles/{card['id']}")
        if fits(puzzle):
            return puzzle
    raise AssertionError("none of forty fits")


def solve(visitor: Visitor, puzzle: Document, begin: int = 0) -> None:
    """All its answers, one after the other."""
    visitor.hurry()
    for place, turn in enumerate(puzzle["turns"]):
        if place < begin:
            continue
        visitor.play(turn["answer"])
        if place + 1 < len(puzzle["turns"]):
            expect(visitor.status).to_contain_text("Go on")
    expect(visitor.status.locator(".result")).to_be_visible()


# Solving.


def test_the_puzzle_of_the_day_from_the_door_to_the_result(visit: Visit, client: httpx.Client) -> None:
    visitor = visit(**STILL)
    page = visitor.arrive("/")
    page.get_by_test_id("daily-card").click()
    page.wait_for_url("**/daily")  # which says nothing of the puzzle
    puzzle = fetch(client, f"/api/daily/{today()}")
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Puzzle of the day {today()}")
    expect(visitor.status).to_contain_text(puzzle["question"])
    solve(visitor, puzzle)
    expect(visitor.status).to_contain_text("Solved at the first try.")
    line = f"Parlour daily {today()}, {puzzle['title']}: solved at the first try, no hint."
    expect(page.get_by_test_id("share")).to_have_text(line)
    expect(page.get_by_test_id("statistics")).to_contain_text("1 of 1 solved. Day 1 in a row.")
    assert kept(visitor)["daily"] == {
        str(today()): {"tries": 1, "hints": 0, "date": str(FIRST_DAY + timedelta(days=today() - 1))}
    }
    told = [step["told"] for turn in puzzle["turns"] for step in turn["right"]]
    assert [words for words in told if not any(words in heard for heard in visitor.heard())] == []
    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visitor.press_button("Copy the result")
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == line
    visitor.arrive("/")
    expect(page.get_by_test_id("daily-card")).to_contain_text("Solved.")


@pytest.mark.parametrize("game", catalog.keys())
def test_a_wrong_move_is_refuted_and_taken_back(visit: Visit, client: httpx.Client, game: str) -> None:
    visitor = visit(**STILL)
    puzzle = a_puzzle(client, game)
    page = visitor.arrive(f"/puzzle/{puzzle['id']}")
    turn = puzzle["turns"][0]
    wrong, steps = max(turn["wrong"].items(), key=lambda each: len(each[1]))
    visitor.tile(wrong).wait_for()
    board = page.get_by_test_id("board").inner_text()
    visitor.play(wrong)
    expect(visitor.status).to_contain_text("Not that one.")
    for step in steps[1:]:
        page.get_by_test_id("step").click()
        expect(visitor.status).to_contain_text(step["told"])
    expect(visitor.status).to_contain_text("So it is not that one.")
    end = re.sub(
        r"Player (\d)", lambda found: "You" if int(found[1]) == puzzle["side"] else "They", steps[-1]["result"]
    )
    expect(visitor.status).to_contain_text(end)
    visitor.press_button("Take it back")
    expect(visitor.status).to_contain_text(puzzle["question"])
    assert re.sub(r"\bno\n?", "", page.get_by_test_id("board").inner_text()).split() == board.split()
    solve(visitor, puzzle)
    expect(visitor.status).to_contain_text("Solved in 2 tries.")
    assert kept(visitor)["puzzles"][puzzle["id"]] == {"tries": 2, "hints": 0}


def test_a_refutation_goes_on_by_itself_and_can_be_cut_short(visit: Visit, client: httpx.Client) -> None:
    visitor = visit()
    clock = visitor.install_clock()
    long = lambda puzzle: max(map(len, puzzle["turns"][0]["wrong"].values())) > 3  # noqa: E731
    puzzle = a_puzzle(client, "sequence-builder", long)
    page = visitor.arrive(f"/puzzle/{puzzle['id']}")
    wrong, steps = max(puzzle["turns"][0]["wrong"].items(), key=lambda each: len(each[1]))
    visitor.play(wrong)
    clock.run_for(2_500)  # longer than a step takes
    expect(visitor.status).to_contain_text(steps[1]["told"])
    page.get_by_test_id("skip").click()
    expect(visitor.status).to_contain_text(puzzle["question"])
    clock.run_for(2_500)  # nothing comes after it
    expect(visitor.status).to_contain_text(puzzle["question"])


def test_hints_go_up_a_ladder(visit: Visit, client: httpx.Client) -> None:
    visitor = visit(**STILL)
    puzzle = a_puzzle(client, "increasing-differences", lambda puzzle: len(puzzle["table"]["legal"]) > 3)
    page = visitor.arrive(f"/puzzle/{puzzle['id']}")
    hint, answer = page.get_by_test_id("hint"), puzzle["turns"][0]["answer"]
    hint.click()
    expect(page.get_by_test_id("hinted")).to_contain_text(f"You have {len(puzzle['table']['legal'])} moves")
    hint.click()
    named = re.findall(r"\d+", page.get_by_test_id("hinted").inner_text())
    assert answer in named
    assert len(named) == (len(puzzle["table"]["legal"]) + 1) // 2
    hint.click()
    expect(page.get_by_test_id("hinted")).to_have_text(f"It is {answer}.")
    hint.click(force=True)
    solve(visitor, puzzle)
    assert kept(visitor)["puzzles"][puzzle["id"]] == {"tries": 1, "hints": 3}
    expect(page.get_by_test_id("share")).to_contain_text("solved at the first try, 3 hints.")


def test_the_answer_can_be_shown_and_is_no_solution(visit: Visit, client: httpx.Client) -> None:
    visitor = visit(**STILL)
    puzzle = a_puzzle(client, "sequence-builder", lambda puzzle: len(puzzle["turns"]) > 1)
    page = visitor.arrive(f"/puzzle/{puzzle['id']}")
    visitor.hurry()
    page.get_by_test_id("show").click()
    expect(visitor.status).to_contain_text("That was the answer.")
    assert kept(visitor)["puzzles"][puzzle["id"]] == {"tries": 0, "hints": 0}
    for turn in puzzle["turns"]:
        assert any(turn["right"][0]["told"] in heard for heard in visitor.heard())
    page.reload()
    expect(page.get_by_test_id("known")).to_contain_text("the answer was shown")
    solve(visitor, puzzle)
    assert kept(visitor)["puzzles"][puzzle["id"]] == {"tries": 0, "hints": 0}  # the first result counts


def test_by_keyboard_alone(visit: Visit, client: httpx.Client) -> None:
    visitor = visit(**STILL)
    puzzle = a_puzzle(client, "increasing-differences")
    page = visitor.arrive(f"/puzzle/{puzzle['id']}")
    wrong, steps = next(iter(puzzle["turns"][0]["wrong"].items()))
    visitor.tile(wrong).focus()
    page.keyboard.press("Enter")
    expect(visitor.status).to_contain_text("Not that one.")
    for _ in steps:  # the last press takes it back
        expect(page.get_by_test_id("step")).to_be_focused()
        page.keyboard.press("Enter")
    expect(visitor.status).to_contain_text(puzzle["question"])
    assert page.evaluate("document.activeElement.matches('.board button.tile')")
    page.keyboard.press("h")
    expect(page.get_by_test_id("hinted")).to_be_visible()
    visitor.hurry()
    for place, turn in enumerate(puzzle["turns"]):
        visitor.tile(turn["answer"]).focus()
        page.keyboard.press("Enter")
        if place + 1 < len(puzzle["turns"]):
            expect(visitor.status).to_contain_text("Go on")
    expect(visitor.status).to_contain_text("Solved in 2 tries.")
    expect(visitor.status).to_be_focused()


# Room for everybody.


@pytest.mark.parametrize("game", catalog.keys())
def test_the_board_of_a_puzzle_is_in_view_and_has_no_barriers(visit: Visit, client: httpx.Client, game: str) -> None:
    puzzle = a_puzzle(client, game)
    for screens in ((DESKTOP,), (LOW, NARROW)):
        visitor = visit(screens[0], **STILL)
        page = visitor.arrive(f"/puzzle/{puzzle['id']}")
        visitor.tile(puzzle["turns"][0]["answer"]).wait_for()
        for device in screens:
            visitor.resize(device)
            boxes = page.evaluate(
                """moves => moves.map((move) => {
                  const { bottom, width, height } = document.querySelector(`main button[data-move="${move}"]`)
                    .getBoundingClientRect();
                  return [move, bottom, Math.min(width, height)];
                })""",
                puzzle["table"]["legal"],
            )
            assert [box for box in boxes if box[1] > device["viewport"]["height"] or box[2] < 24] == [], device
            assert not too_wide(page), device
        inspected = device is DESKTOP or game == "increasing-differences"
        assert not (barriers(page) if inspected else [])
        visitor.play(next(iter(puzzle["turns"][0]["wrong"])))
        for device in screens:
            visitor.resize(device)
            expect(page.get_by_test_id("step")).to_be_in_viewport()
            assert not too_wide(page), device
        assert not (barriers(page) if inspected else [])


def test_the_list_of_puzzles_has_no_barriers(visit: Visit) -> None:
    for screens in ((DESKTOP,), (LOW, NARROW)):
        visitor = visit(screens[0], **STILL)
        page = visitor.arrive("/puzzles")
        page.get_by_test_id("puzzles").locator("li").first.wait_for()
        assert not barriers(page)
        for device in screens:
            visitor.resize(device)
            assert not too_wide(page), device


# Days.


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_a_day_begins_at_the_players_own_midnight(visit: Visit, zone: str) -> None:
    visitor = visit(timezone_id=zone, **STILL)
    page = visitor.arrive("/daily")
    number = number_of(datetime.now(ZoneInfo(zone)).date())
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Puzzle of the day {number}")
    page = visitor.arrive("/puzzles")
    newest = page.get_by_test_id("days").locator("a").first
    expect(newest).to_contain_text("Today")
    assert newest.get_attribute("href") == "/daily"


def days_solved(*numbers: int) -> Document:
    return {
        "format": 1,
        "daily": {
            str(number): {"tries": 1, "hints": 0, "date": str(FIRST_DAY + timedelta(days=number - 1))}
            for number in numbers
        },
        "puzzles": {},
        "grade": 2,
    }


def test_a_row_of_days_goes_on(visit: Visit, client: httpx.Client) -> None:
    visitor = visit(**STILL)
    visitor.store(progress=days_solved(today() - 2, today() - 1, today() - 5))
    page = visitor.arrive("/")
    expect(page.get_by_test_id("daily-card")).to_contain_text("Keep your streak: 2 days so far.")
    visitor.arrive("/daily")
    puzzle = fetch(client, f"/api/daily/{today()}")
    solve(visitor, puzzle)
    expect(page.get_by_test_id("share")).to_contain_text("Day 3 in a row.")
    expect(visitor.status).to_contain_text("Day 3 in a row.")
    expect(page.get_by_test_id("statistics")).to_contain_text("4 of 4 solved. Day 3 in a row.")


def test_a_past_day_is_open_and_adds_nothing_to_the_row(visit: Visit, client: httpx.Client) -> None:
    visitor = visit(**STILL)
    page = visitor.arrive("/puzzles")
    page.get_by_test_id("days").locator("a").nth(3).click()
    page.wait_for_url(f"**/daily/{today() - 3}")
    solve(visitor, fetch(client, f"/api/daily/{today() - 3}"))
    expect(page.get_by_test_id("statistics")).to_contain_text("1 of 1 solved.")
    expect(page.get_by_test_id("statistics")).not_to_contain_text("in a row")
    visitor.arrive("/puzzles")
    expect(page.get_by_test_id("days").locator("li").nth(3)).to_contain_text("Solved at the first try")
    page.get_by_test_id("earlier").click()
    expect(page.get_by_test_id("days").locator("li")).to_have_count(62)


def test_an_unknown_day_or_puzzle_is_not_here(visit: Visit) -> None:
    visitor = visit()
    visitor.expect_trouble(r"status of 404")
    for path in ("/daily/someday", "/daily/2025-12-31", "/daily/2999-01-01", "/puzzle/nosuchid"):
        page = visitor.arrive(path)
        expect(page.get_by_role("heading", level=1)).to_have_text("Not here")


# What is kept.


def test_what_two_devices_have_is_put_together_and_loses_no_day(visit: Visit, tmp_path: Path) -> None:
    ours, theirs = days_solved(10, 11), days_solved(11, 12)
    ours["daily"]["12"] = {"tries": 0, "hints": 1, "date": "2026-01-12"}
    theirs["daily"]["10"] = {"tries": 3, "hints": 0, "date": "2026-02-01"}
    theirs["puzzles"] = {"abcdefgh": {"tries": 2, "hints": 0}}
    found = []
    for here, there in ((ours, theirs), (theirs, ours)):
        visitor = visit()
        visitor.store(progress=here)
        page = visitor.arrive("/puzzles")
        file = tmp_path / "progress.json"
        file.write_text(json.dumps(there), "utf-8")
        page.locator("#progress-file").set_input_files(file)
        expect(page.get_by_test_id("said")).to_contain_text("Nothing was lost")
        with page.expect_download() as download:
            page.get_by_test_id("export").click()
        found.append(json.loads(Path(download.value.path()).read_text("utf-8")))
        file.write_text("[]", "utf-8")
        page.locator("#progress-file").set_input_files(file)
        expect(page.get_by_test_id("said")).to_contain_text("holds no progress")
    assert found[0] == found[1]
    assert found[0]["daily"] == days_solved(10, 11, 12)["daily"]
    assert found[0]["puzzles"] == theirs["puzzles"]


def test_damage_to_one_result_costs_no_other(visit: Visit) -> None:
    visitor = visit()
    damaged = days_solved(today() - 1, today() - 2)
    damaged["daily"] |= {"x": 1, "7": None, "8": {"tries": -1, "hints": 0, "date": "2026-01-08"}}
    visitor.store(progress={**damaged, "grade": 99, "puzzles": []})
    page = visitor.arrive("/puzzles")
    expect(page.get_by_test_id("statistics")).to_contain_text("2 of 2 solved. Day 2 in a row.")
    page.evaluate("localStorage.setItem('parlour.progress', '{\"format\": 1, ')")
    visitor.arrive("/puzzles")
    expect(page.get_by_test_id("statistics")).to_contain_text("None yet.")
    assert visitor.kept()["parlour.progress-damaged"] == '{"format": 1, '


def test_two_tabs_lose_nothing_of_each_other(visit: Visit, client: httpx.Client) -> None:
    visitor = visit(**STILL)
    page = visitor.arrive("/puzzles")
    page.get_by_test_id("statistics").wait_for()
    other = visitor.context.new_page()
    visitor.arrive("/daily", other)
    other.get_by_test_id("board").wait_for()
    ask(page, "(of) => of.keepResult({ id: 'abcdefgh', daily: null }, { tries: 1, hints: 0 })")
    other.get_by_test_id("show").click()
    expect(page.get_by_test_id("statistics")).to_contain_text("0 of 1 solved.")  # told by the other tab
    assert set(kept(visitor)["puzzles"]) == {"abcdefgh"}
    assert set(kept(visitor)["daily"]) == {str(today())}


def test_the_grade_goes_up_and_down_with_whoever_solves(visit: Visit) -> None:
    visitor = visit()
    page = visitor.arrive("/puzzles")
    page.get_by_test_id("puzzles").locator("li").first.wait_for()
    page.get_by_label("3", exact=True).check(force=True)
    expect(page.get_by_label("3", exact=True)).to_be_checked()
    results = {"clean": (1, 0), "hinted": (1, 1), "wrong": (2, 0), "shown": (0, 0)}
    words = [
        "clean",
        "clean",
        "clean",
        "hinted",
        "clean",
        "clean",
        "wrong",
        "shown",
        "wrong",
        "clean",
        "wrong",
        "wrong",
    ]
    grades = []
    for place, word in enumerate(words):
        tries, hints = results[word]
        ask(
            page,
            "(of, ...given) => of.keepResult({ id: given[0], daily: null }, { tries: given[1], hints: given[2] })",
            f"puzzle{place:02}",
            tries,
            hints,
        )
        grades.append(ask(page, "(of) => of.progress().grade"))
    assert grades == [3, 4, 4, 4, 4, 5, 5, 4, 4, 4, 4, 3]


def test_a_clock_that_goes_back_ends_no_row(visit: Visit) -> None:
    visitor = visit()
    visitor.store(progress=days_solved(today() - 1, today(), today() + 1))
    page = visitor.arrive("/puzzles")
    page.get_by_test_id("statistics").wait_for()
    assert ask(page, "(of) => of.statistics(of.progress())") == {"played": 3, "solved": 3, "streak": 3, "longest": 3}


def test_the_next_one_is_of_the_chosen_game_and_not_solved_yet(visit: Visit, client: httpx.Client) -> None:
    visitor = visit(**STILL)
    few = fetch(client, "/api/puzzles?game=sequence-spot&grade=1")["puzzles"]
    all_but_two = {card["id"]: {"tries": 1, "hints": 0} for card in few[2:]}
    visitor.store(progress={"format": 1, "daily": {}, "puzzles": all_but_two, "grade": 1})
    page = visitor.arrive("/puzzles")
    page.get_by_label("Sequence Spot", exact=True).check()
    expect(page.get_by_test_id("puzzles").locator("li")).to_have_count(len(few))
    seen: set[str] = set()
    page.get_by_test_id("solve-one").click()
    for _ in range(2):
        page.wait_for_url(lambda url: "/puzzle/" in url and not any(id in url for id in seen))
        id = page.url.split("/puzzle/")[1].partition("?")[0]
        seen.add(id)
        page.get_by_test_id("hint").click()  # so that the grade stays where it is
        solve(visitor, fetch(client, f"/api/puzzles/{id}"))
        page.get_by_test_id("next").click()
    assert seen == {card["id"] for card in few[:2]}
    expect(visitor.status).to_contain_text("You have solved all of these.")


def test_an_answer_that_comes_late_does_not_change_the_choice(visit: Visit, client: httpx.Client) -> None:
    visitor = visit(**STILL)
    visitor.store(progress={"format": 1, "daily": {}, "puzzles": {}, "grade": 1})
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    visitor.page.route(re.compile(r"/api/puzzles\?(?!.*game=)"), hold)  # the list of all games
    page = visitor.arrive("/puzzles")
    page.get_by_label("Sequence Spot", exact=True).check()
    spots = fetch(client, "/api/puzzles?game=sequence-spot&grade=1")["count"]
    expect(page.get_by_test_id("puzzles").locator("li")).to_have_count(min(spots, 100))
    for route in held:
        route.continue_()
    page.wait_for_load_state("networkidle")
    expect(page.get_by_label("Sequence Spot", exact=True)).to_be_checked()
    expect(page.get_by_test_id("puzzles").locator("li")).to_have_count(min(spots, 100))
    assert held


# Without the server.


def test_puzzles_that_were_fetched_are_solved_without_the_server(visit: Visit, client: httpx.Client) -> None:
    visitor = visit(service_workers="allow", **STILL)
    visitor.expect_trouble("ERR_INTERNET_DISCONNECTED", "ERR_FAILED")
    page = visitor.arrive("/daily")
    page.get_by_test_id("board").wait_for()
    installed(page)
    page.wait_for_load_state("networkidle")
    visitor.context.set_offline(True)
    visitor.arrive("/daily")
    expect(page.locator("#offline")).to_contain_text("The server cannot be reached")
    solve(visitor, fetch(client, f"/api/daily/{today()}"))
    visitor.arrive("/puzzle/77")
    expect(page.get_by_role("heading", level=1)).to_have_text("Not without the server")
    visitor.context.set_offline(False)
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Puzzle 77")
