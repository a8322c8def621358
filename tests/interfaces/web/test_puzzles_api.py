"""Puzzles over HTTP: lists, whole puzzles, days, and what their pages say of themselves."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import Any

import httpx
import pytest

from parlour import catalog
from parlour.study.archive import FIRST_DAY, GRADE_OF_WEEKDAY
from parlour.study.archive_file import archive

Document = dict[str, Any]


def get(client: httpx.Client, path: str) -> Document:
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    found: Document = answer.json()
    return found


def heads(text: str) -> str:
    """What a page says of itself: everything before its own scripts."""
    return text.partition('<meta name="color-scheme"')[0]


def test_lists_can_be_cut_by_game_and_grade_and_read_in_parts(client: httpx.Client) -> None:
    whole = get(client, "/api/puzzles")
    assert (whole["count"], len(whole["puzzles"])) == (len(archive()), 100)
    for key in catalog.keys():
        counts = [get(client, f"/api/puzzles?game={key}&grade={grade}&most=1")["count"] for grade in range(1, 6)]
        assert sum(counts) == get(client, f"/api/puzzles?game={key}&most=1")["count"] > 0
    first = get(client, "/api/puzzles?grade=2&most=5")["puzzles"]
    second = get(client, "/api/puzzles?grade=2&begin=5&most=5")["puzzles"]
    numbers = [each["number"] for each in first + second]
    assert {each["grade"] for each in first + second} == {2}
    assert numbers == sorted(set(numbers))


def test_a_puzzle_is_found_by_its_number_and_its_id_and_sent_once(client: httpx.Client) -> None:
    answer = client.get("/api/puzzles/1")
    puzzle = answer.json()
    assert client.get(f"/api/puzzles/{puzzle['id']}").json() == puzzle
    again = client.get("/api/puzzles/1", headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert (puzzle["daily"], puzzle["date"]) == (None, None)


@pytest.mark.parametrize("key", catalog.keys())
def test_every_move_that_can_be_made_is_answered(client: httpx.Client, key: str) -> None:
    """The answer, and each wrong move with its refutation to the end of the game: the page has no rule of its own."""
    id = get(client, f"/api/puzzles?game={key}&most=1")["puzzles"][0]["id"]
    puzzle = get(client, f"/api/puzzles/{id}")
    assert puzzle["table"]["turn"] == puzzle["side"]
    legal = set(puzzle["table"]["legal"])
    for turn in puzzle["turns"]:
        assert {turn["answer"], *turn["wrong"]} == legal
        assert turn["right"][0]["move"] == turn["answer"]
        for move, steps in turn["wrong"].items():
            assert steps[0]["move"] == move
            assert [bool(step["result"]) for step in steps] == [False] * (len(steps) - 1) + [True]
        tiles = [tile for group in turn["right"][-1]["view"] for row in group["rows"] for tile in row]
        legal = {tile["move"] for tile in tiles if tile["legal"]} or legal_in_range(turn["right"][-1]["view"])


def legal_in_range(view: list[Document]) -> set[str]:
    ranges = [group["range"] for group in view if group["range"]]
    return {str(number) for each in ranges for number in range(each["low"], each["high"] + 1)}


def test_date_and_number_name_the_same_day(client: httpx.Client) -> None:
    today = datetime.now(UTC).date()
    number = (today - date(2026, 1, 1)).days + 1
    puzzle = get(client, f"/api/daily/{today}")
    assert get(client, f"/api/daily/{number}") == puzzle
    assert (puzzle["daily"], puzzle["date"]) == (number, str(today))
    assert puzzle["grade"] == GRADE_OF_WEEKDAY[today.weekday()]


def test_the_days_so_far_are_listed_without_their_puzzles(client: httpx.Client) -> None:
    listed = get(client, "/api/daily?most=40")
    newest = (datetime.now(UTC) + timedelta(hours=14)).date()
    assert [day["date"] for day in listed["days"]] == [str(newest - timedelta(days=n)) for n in range(40)]
    assert listed["newest"] == listed["days"][0]["daily"]
    assert set(listed["days"][0]) == {"daily", "date", "game", "grade"}
    assert get(client, "/api/daily?before=3")["days"][-1]["date"] == str(FIRST_DAY)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/api/puzzles/0", "there is no puzzle 0"),
        ("/api/puzzles/999999", "numbered from 1 to"),
        ("/api/puzzles/nosuchid", "'nosuchid'"),
        ("/api/daily/2025-12-31", "the first was on 2026-01-01"),
        ("/api/daily/2999-01-01", "not out yet"),
        ("/api/daily/999999", "not out yet|is not a date"),
        ("/api/daily/0", "the first was on"),
        ("/api/daily/someday", "'someday' is not a date"),
        ("/api/daily?before=someday", "is not a date"),
    ],
)
def test_what_there_is_not_is_refused_in_a_line(client: httpx.Client, path: str, words: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.json()["code"] == "puzzle/unknown"
    assert re.search(words, answer.json()["error"]), answer.text


@pytest.mark.parametrize("query", ["grade=6", "grade=x", "most=0", "most=101", "begin=-1", "game=" + "x" * 99])
def test_nonsense_is_refused(client: httpx.Client, query: str) -> None:
    assert client.get(f"/api/puzzles?{query}").status_code == 400


# The pages.


def test_the_pages_tell_the_question_and_no_answer(client: httpx.Client) -> None:
    puzzle = get(client, "/api/puzzles/1")
    told = heads(client.get("/puzzle/1").text)
    assert f"<title>Puzzle 1: {puzzle['title']} · Parlour</title>" in told
    assert puzzle["question"] in told
    assert f"/puzzle/{puzzle['id']}" in told
    told = heads(client.get("/daily/5").text)
    assert "Puzzle of the day 5, Monday 2026-01-05" in told
    assert get(client, "/api/daily/5")["title"] in told


def test_the_address_of_today_says_nothing_of_the_day(client: httpx.Client) -> None:
    told = heads(client.get("/daily").text)
    assert "<title>Puzzle of the day · Parlour</title>" in told
    assert not any(catalog.find_game(key).title in told for key in catalog.keys())


@pytest.mark.parametrize("path", ["/daily/someday", "/daily/2999-01-01", "/puzzle/nosuchid"])
def test_a_page_of_nothing_opens_and_says_so_itself(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert "<title>Parlour</title>" in answer.text
