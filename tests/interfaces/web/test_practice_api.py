"""Practice and exams over HTTP: what is there, what is refused, and that the solver judges what is sent."""

from __future__ import annotations

import gzip
import json
from typing import Any

import httpx
import pytest

from parlour import catalog
from parlour.solver import Solver
from parlour.study.mastery import Exam, find_exam
from parlour.study.strategy import check_strategy, read_strategy
from tests.support.questions import broad_question

Document = dict[str, Any]


def passed() -> list[str]:
    """Answers that pass the first exam of Double Up."""
    paper = find_exam("double-up", 1)
    exam, names = Exam(paper.rules, paper.side, Solver(paper.rules).score), []
    while (question := exam.question()) is not None:
        move = exam.recommended(question.position)
        names.append(exam.kept_name(question.position, move))
        exam.answer(move)
    return names


def test_every_exam_of_every_game_is_listed_with_its_questions(client: httpx.Client) -> None:
    listed = client.get("/api/exams").json()["games"]
    assert [each["game"] for each in listed] == [game.key for game in catalog.list_games() if game.content.exams]
    for each in listed:
        sources = catalog.find_game(each["game"]).content.exams
        assert [exam["questions"] for exam in each["exams"]] == [source.questions for source in sources]
        assert [exam["number"] for exam in each["exams"]] == list(range(1, len(sources) + 1))


def test_a_sheet_goes_on_from_where_answers_lead(client: httpx.Client) -> None:
    whole = client.get("/api/exams/double-up/1").json()
    assert (whole["count"], len(whole["questions"])) == (14, 14)
    assert all(leads is not None for each in whole["questions"].values() for leads in each["right"].values())
    names = passed()
    later = client.post("/api/exams/double-up/1/further", json={"answers": names[:5]}).json()
    assert len(later["begin"]) == 9
    assert set(later["questions"]) <= set(whole["questions"])


def test_a_diploma_holds_a_strategy_that_stands_and_is_for_those_who_have_answered_all(client: httpx.Client) -> None:
    names = passed()
    proved: Document = {"answers": names, "name": "Ann", "date": "2026-11-17"}
    found = client.post("/api/exams/double-up/1/diploma", json=proved).raise_for_status().json()
    strategy = read_strategy(found["strategy"])
    assert check_strategy(strategy).positions == found["positions"] == 14
    assert strategy.notes == {"by": "Ann", "date": "2026-11-17"}
    for wrong, words in (
        (names[:-1], "questions are left"),
        ([*names, "20"], "more answers than questions"),
        (["77"], "77"),
    ):
        answer = client.post("/api/exams/double-up/1/diploma", json={**proved, "answers": wrong})
        assert answer.status_code == 400
        assert words in answer.json()["error"]


@pytest.mark.parametrize("path", ["/api/exams/double-up/9", "/api/exams/chess/1"])
def test_an_exam_that_there_is_not_is_refused(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.json()["code"]) in ((404, "exam/unknown"), (404, "game/unknown"))


@pytest.mark.parametrize(
    "question",
    [
        {},
        {"game": "double-up"},
        {"game": "double-up", "version": 99, "options": {}, "moves": [], "goal": "win", "stages": []},
        {"game": "double-up", "version": 1, "options": {"limit": "20"}, "moves": ["9"], "goal": "win", "stages": [{}]},
        {"game": ["double-up"], "version": 1, "options": 5, "moves": 5, "goal": 5, "stages": 5},
    ],
)
def test_what_is_no_question_is_refused_in_one_line(client: httpx.Client, question: Document) -> None:
    answer = client.post("/api/practice", json={"question": question})
    assert 400 <= answer.status_code < 500
    assert "\n" not in answer.json()["error"]


def test_there_is_nothing_to_practise_before_a_game_is_over(client: httpx.Client) -> None:
    made = client.post("/api/challenge/local", json={"game": "double-up"}).json()
    answer = client.get(f"/api/matches/{made['id']}/mistakes")
    assert (answer.status_code, answer.json()["error"]) == (409, "there is something to practise when the game is over")


# How large an answer is, and how many lines the server's log gets of it.


def sheet(client: httpx.Client, accept: str, encoding: str) -> tuple[bytes, bytes]:
    """The first sheet of Double Up, as it is sent and as it is read."""
    headers = {"Accept": accept, "Accept-Encoding": encoding}
    with client.stream("GET", "/api/exams/double-up/1", headers=headers, timeout=120) as response:
        assert response.status_code == 200
        assert response.headers.get("Content-Encoding", "identity") == encoding
        sent = b"".join(response.iter_raw())
    return sent, gzip.decompress(sent) if encoding == "gzip" else sent


@pytest.mark.parametrize("accept", ["application/json", "application/x-ndjson"])
def test_large_answers_are_compressed(client: httpx.Client, accept: str) -> None:
    for _ in range(2):  # the second comes from memory
        plain, zipped = sheet(client, accept, "identity")[1], sheet(client, accept, "gzip")
        answers = [json.loads(text.splitlines()[-1]) for text in (plain, zipped[1])]
        assert answers[0] == answers[1]
        assert len(answers[0].get("answer", answers[0])["questions"]) == 14
        assert len(zipped[0]) < len(plain) / 8


def test_a_question_that_can_be_practised_is_answered(client: httpx.Client) -> None:
    found = client.post("/api/practice", json={"question": broad_question(lines=2).question})
    assert found.status_code == 200
    assert found.json()["turns"]
