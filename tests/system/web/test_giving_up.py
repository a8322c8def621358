"""Searches that take too long, or that nobody waits for any more, and those who ask meanwhile."""

from __future__ import annotations

import json
import threading
from contextlib import ExitStack
from time import monotonic
from typing import Any

import httpx
import pytest

from tests.support.asgi import StartApp
from tests.support.eventually import eventually
from tests.support.metrics import number, read_metrics
from tests.support.questions import broad_question
from tests.support.schema import check
from tests.support.seats import refused

Document = dict[str, Any]
NDJSON = "application/x-ndjson"
HARD = "/api/games/increasing-differences/solve"
TOO_BIG = {"length": "12", "range": "36"}


def get(client: httpx.Client, path: str, **query: str) -> Document:
    answer = client.get(path, params=query)
    assert answer.status_code == 200, answer.text
    document: Document = answer.json()
    return document


def ask_in_lines(client: httpx.Client, accept: str = NDJSON, **query: str) -> Any:
    return client.stream("GET", HARD, params={**TOO_BIG, **query}, headers={"Accept": accept})


def test_a_question_that_is_too_big_is_refused_in_time_and_the_server_goes_on(start_app: StartApp) -> None:
    seconds = 1.5
    app = start_app(seconds=seconds)
    answers: list[httpx.Response] = []
    told: list[Document] = []

    def ask() -> None:
        with app.client() as client:
            answers.append(client.get(HARD, params=TOO_BIG))

    def ask_for_lines() -> None:
        with app.client() as client, ask_in_lines(client) as stream:
            told.extend(json.loads(line) for line in stream.iter_lines())

    begun = monotonic()
    asking = [threading.Thread(target=each) for each in (ask, ask_for_lines)]
    for thread in asking:
        thread.start()
    others = 0
    with app.client() as client:
        while any(thread.is_alive() for thread in asking):
            assert get(client, "/api/health")["ok"]
            get(client, "/api/games/double-up/position", moves="2.3")
            others += 1
            asking[0].join(0.05)
    assert "no exact answer within 1.5 seconds" in refused(answers[0], 422, "solve/too-big")["error"]
    *progress, last = told
    assert progress
    assert (last["type"], last["code"]) == ("error", "solve/too-big")
    assert monotonic() - begun > 0.9 * seconds
    assert others > 2, "nobody else waits for it"


@pytest.mark.parametrize("accept", ["application/json", NDJSON])
def test_whoever_goes_away_has_given_the_question_up(start_app: StartApp, accept: str) -> None:
    """More of them than there are processes: if they went on, nobody else would be answered for long."""
    app = start_app(workers=1)
    with app.client(timeout=20 if accept == NDJSON else 0.3) as client:
        for length in ("10", "11"):
            if accept == NDJSON:
                with ask_in_lines(client, accept, length=length) as stream:
                    assert json.loads(next(stream.iter_lines()))["type"] == "progress", "there is no answer so soon"
            else:
                with pytest.raises(httpx.ReadTimeout), ask_in_lines(client, accept, length=length):
                    pass
    begun = monotonic()
    with app.client() as client:
        assert get(client, "/api/games/double-up/solve", limit="200")["value"] in ("win", "loss")
    assert monotonic() - begun < 8, "a question may take ten seconds"


def test_progress_of_a_search_that_is_given_up(start_app: StartApp) -> None:
    client = start_app(workers=1, seconds=1.0).client()
    path = "/api/games/increasing-differences/hint?length=12&range=39"
    *progress, end = map(json.loads, client.get(path, headers={"Accept": NDJSON}).text.splitlines())
    assert progress
    for line in progress:
        check(line, "SearchProgress")
    check(end, "SearchRefusal")
    searched = [line["positions"] for line in progress if line["positions"] is not None]
    assert searched == sorted(searched)
    assert [line["seconds"] for line in progress] == sorted(line["seconds"] for line in progress)


def test_leaving_a_question_writes_nothing_to_the_log(start_app: StartApp, caplog: pytest.LogCaptureFixture) -> None:
    app = start_app(workers=1)
    with app.client() as client:
        for _ in range(3):
            with ask_in_lines(client) as response:
                assert json.loads(next(response.iter_lines()))["type"] == "progress"
        assert client.get("/api/games/double-up/hint?limit=20").status_code == 200
    app.stop()
    assert caplog.records == []


def test_those_who_think_and_wait_are_counted(start_app: StartApp) -> None:
    app = start_app("sqlite://", metrics=True, workers=3)

    def thought_about() -> tuple[float, float]:
        with app.client() as client:
            numbers = read_metrics(client.get("/metrics").text)
        return number(numbers, "parlour_workers_busy"), number(numbers, "parlour_questions_waiting")

    with app.client() as client, ExitStack() as asked:
        for numbers in ("36", "37", "38", "39"):
            asked.enter_context(ask_in_lines(client, range=numbers))
        eventually(lambda: thought_about() == (2, 2), "two processes to think: one is kept for computers' moves")


def test_a_question_that_is_too_broad_is_refused_once_and_the_next_is_answered(client: httpx.Client) -> None:
    broad = client.post("/api/practice", json={"question": broad_question().question}, timeout=60)
    assert (broad.status_code, broad.json()["code"]) == (422, "solve/too-big")
    assert client.post("/api/practice", json={"question": broad_question(2).question}, timeout=60).status_code == 200
