"""The OpenAPI document says what the server does, and the server does what it says."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from fastapi.routing import APIRoute

from parlour.web.app import ROUTERS
from tests.support.asgi import StartApp, WebApp
from tests.support.errors import status_by_code
from tests.support.seats import Seat, challenge, refused, sit_down

Document = dict[str, Any]


@pytest.fixture(scope="module")
def document(app: WebApp) -> Document:
    with app.client() as client:
        found: Document = client.get("/api/openapi.json").json()
        return found


def operations(document: Document) -> list[tuple[str, str, Document]]:
    return [(method, path, about) for path, item in document["paths"].items() for method, about in item.items()]


# Requests that Schemathesis (tests/proofs) would not think of.


def in_short(rubbish: str | bytes) -> str:
    """Return a test id of plain characters: mutation runs select tests by id."""
    return re.sub(r"\W+", "-", repr(rubbish))[:30].strip("-") or "empty"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"double-up"',
        b"\xff\xfe",
        b'{"game": "\xed\xa0\x80"}',
        b'{"game": "\\ud800"}',
        b'{"game": "double-up", "\\ud800": ""}',
        b'{"game": "double-up", "options": {"\\ud800": "1"}}',
        b'{"game": "double-up", "options": {"limit": "\\u0000"}}',
        b'{"game": "double-up", "names": ["\\ud800", ""]}',
        b'{"game": "double-up", "names": ["\\u0000", ""]}',
        b'{"game": "double-up", "names": ["Ann"]}',
        b'{"game": "double-up", "two\\nlines\\u001b[31m": 1}',
        b'{"game": "double-up", "' + b"x" * 5000 + b'": 1}',
        b'{"game": "double-up", "moves": [2]}',
        b'{"game": ' + b"1" * 5000 + b"}",
        b'{"game": 1e999}',
        b'{"game": NaN}',
        b'{"game": ' + b"[" * 50_000 + b"]" * 50_000 + b"}",
    ],
    ids=in_short,
)
def test_a_body_that_is_rubbish_is_refused_in_one_line(client: httpx.Client, body: bytes) -> None:
    answer = client.post("/api/challenge/local", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400, answer.text
    told = refused(answer, 400, answer.json()["code"])
    assert told["code"] in ("request/bad", "options/bad", "name/bad")
    assert told["error"].isprintable()
    assert len(told["error"]) < 300
    assert told["error"][0].islower()


def test_a_body_without_its_type_is_told_what_is_missing(client: httpx.Client) -> None:
    answer = client.post("/api/challenge/local", content=b'{"game": "double-up"}')
    assert "Content-Type: application/json" in refused(answer, 400, "request/bad")["error"]


def test_a_body_may_have_128_kilobytes(client: httpx.Client) -> None:
    def send(size: int) -> httpx.Response:
        frame = '{"record": ""}'
        body = frame.replace('""', f'"{"x" * (size - len(frame))}"')
        return client.post("/api/import", content=body, headers={"Content-Type": "application/json"})

    refused(send(128 * 1024), 400, "request/bad")  # 100,000 characters of a record are the most
    refused(send(128 * 1024 + 1), 413, "body/too-large")
    refused(send(90_000), 400, "record/bad")


@pytest.mark.parametrize(
    "text", ["%00", "%ff", "%ed%a0%80", "%2e%2e", "%0a", "a%2fb", "x" * 5000, "9" * 5000], ids=in_short
)
def test_an_address_that_is_rubbish_is_refused_in_one_line(client: httpx.Client, text: str) -> None:
    game = "/api/games/double-up"
    for path, codes in {
        f"/api/games/{text}": ("game/unknown", "page/unknown"),
        f"/api/matches/{text}": ("match/unknown", "page/unknown"),
        f"/api/matches/{text}/record": ("match/unknown", "page/unknown"),
        f"/api/matches/abcdefghjk/replay?round={text}": ("request/bad",),
        f"{game}/position?moves={text}": ("move/unreadable", "move/illegal"),
        f"{game}/position?limit={text}": ("options/bad",),
        f"{game}/position?first={text}": ("request/bad",),
        f"{game}/solve?position={text}": ("position/bad", "request/bad"),
        f"{game}/hint?rung={text}": ("request/bad",),
        f"{game}/why?move={text}": ("move/unreadable", "request/bad"),
    }.items():
        answer = client.get(path)
        assert answer.headers["content-type"] == "application/json"
        told = answer.json()
        assert told["code"] in codes, (path[:80], told)
        assert told["error"].isprintable(), path
        assert len(told["error"]) < 300


def test_an_option_given_twice_is_no_option(client: httpx.Client) -> None:
    for query in ("limit=10&limit=20", "limit=&limit=20", "moves=2&moves=3", "first=1&first=2"):
        told = refused(client.get(f"/api/games/double-up/position?{query}"), 400, "options/bad")
        assert told["error"].endswith("is given twice")


@pytest.mark.parametrize("accept", [None, "*/*", "image/png", "", ";;,,", "application/json;q=0", "text/html"])
def test_whatever_a_client_accepts_it_is_answered(client: httpx.Client, accept: str | None) -> None:
    headers = {} if accept is None else {"Accept": accept}
    for path in ("/api/games/double-up/solve", "/api/games", "/api/health"):
        answer = client.get(path, headers=headers)
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "application/json"
    refused(client.get("/api/nothing", headers=headers), 404, "page/unknown")


def test_a_method_that_is_not_for_an_address(client: httpx.Client, document: Document) -> None:
    for path, item in document["paths"].items():
        for method in {"get", "post", "put", "patch", "delete", "options"} - set(item):
            answer = client.request(method, re.sub(r"\{\w+\}", "x", path))
            refused(answer, 405, "method/wrong")
            assert {allowed.lower() for allowed in answer.headers["Allow"].split(", ")} == set(item)


@pytest.mark.parametrize("ply", ["false", '"0"', "0.5", "null", "-1", "1" * 30, "[0]"])
def test_a_ply_is_a_number_and_nothing_like_one(client: httpx.Client, ply: str) -> None:
    made = challenge(client, "local", game="double-up", first="1")
    headers = {"Authorization": f"Bearer {made['seat']}", "Content-Type": "application/json"}
    content = f'{{"move": "2", "ply": {ply}}}'
    answer = client.post(f"/api/matches/{made['id']}/move", content=content, headers=headers)
    refused(answer, 400, "request/bad")


def test_what_comes_too_late_is_told_the_whole_state(client: httpx.Client) -> None:
    first, second = sit_down(client, game="double-up")
    first.move("2")
    told = refused(second.move("3", 0), 409, "move/stale")
    assert told["state"] == second.state(), "with everything that is null"


@pytest.mark.parametrize("scheme", ["Basic", "bearer", "BEARER", "Bearer"])
def test_a_seat_is_shown_by_a_bearer(client: httpx.Client, scheme: str) -> None:
    made = challenge(client, "local", game="double-up")
    answer = client.get(f"/api/matches/{made['id']}", headers={"Authorization": f"{scheme} {made['seat']}"})
    assert answer.json()["you"] == ([] if scheme == "Basic" else [1, 2])
    wrong = {"Authorization": f"{scheme} not-a-seat"}
    if scheme != "Basic":
        refused(client.get(f"/api/matches/{made['id']}", headers=wrong), 403, "seat/wrong")
    refused(Seat(client, made["id"], None).move("2", 0), 401, "seat/needed")


@pytest.mark.parametrize(
    "hello",
    ["", "[" * 4000, "9" * 4000, '{"seat": "\\ud800"}', b"\x00", "[]", '{"seat": 1}', "{}", "x" * 5000],
    ids=in_short,
)
def test_a_socket_that_hears_rubbish_is_closed(app: WebApp, client: httpx.Client, hello: str | bytes) -> None:
    made = challenge(client, "local", game="double-up")
    with app.socket(made["id"]) as page:
        page.send(hello)
        assert page.closed() == 1008


# The document itself.


def test_every_route_is_in_the_document(document: Document) -> None:
    routes = {
        (method.lower(), route.path)
        for router in ROUTERS
        for route in router.routes
        if isinstance(route, APIRoute)
        for method in route.methods
    }
    described = {(method, path) for method, path, _ in operations(document)}
    assert described <= routes
    others = {path for _, path in routes - described}
    about_games = {"/play/{game}", "/rules/{game}", "/study/{game}", "/study/{game}/{token}"}
    pictures = {"/study/{game}/{token}/table.png", "/m/{id}/table.png", "/favicon.ico"}
    puzzles = {"/daily", "/daily/{day}", "/puzzles", "/puzzle/{id}", "/atlas", "/atlas/{game}"}
    puzzles |= {"/mistakes", "/mistakes/{id}", "/master", "/master/{game}/{number}"}
    app = {"/manifest.json", "/worker.js", "/offline.json"}
    operators = {"/robots.txt", "/health", "/ready", "/metrics"}
    assert others == {"/", "/import", "/about", "/m/{id}"} | about_games | pictures | puzzles | app | operators


def test_every_operation_says_what_it_does_and_what_it_may_answer(document: Document) -> None:
    names = [about["operationId"] for _, _, about in operations(document)]
    assert len(set(names)) == len(names)
    for method, path, about in operations(document):
        assert about["summary"], path
        assert about["description"].endswith("."), path
        assert set(about["responses"]) == {"201" if "/challenge" in path or path == "/api/import" else "200"} | {
            "4XX",
            "5XX",
        }, (method, path)
        for refusal in ("4XX", "5XX"):
            content = about["responses"][refusal]["content"]
            assert content == {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}, path
        for parameter in about.get("parameters", []):
            assert parameter["in"] in ("path", "query"), "a secret is no parameter"


def test_seats_are_asked_for_where_they_are_needed(document: Document) -> None:
    needed = {path for method, path, about in operations(document) if about.get("security") == [{"seat": []}]}
    acts = ("move", "undo", "next", "offer", "offer/{answer}", "rematch", "resign", "name", "seat", "delete")
    assert needed == {f"/api/matches/{{id}}/{act}" for act in acts}
    welcome = {path for _, path, about in operations(document) if about.get("security") == [{"seat": []}, {}]}
    assert welcome == {"/api/matches/{id}", "/api/matches/{id}/stream"}


def test_every_code_is_told_with_its_status(document: Document) -> None:
    about = document["components"]["schemas"]["Refusal"]["properties"]["code"]["description"]
    told = {
        code: int(status) for status, codes in re.findall(r"(\d{3}) ([a-z/, -]+)", about) for code in codes.split(", ")
    }
    assert told == status_by_code() | {
        "request/bad": 400,
        "page/unknown": 404,
        "method/wrong": 405,
        "body/too-large": 413,
        "body/encoded": 415,
        "server/failed": 500,
    }


def test_a_mistake_of_ours_is_told_like_everything_else(start_app: StartApp) -> None:
    """And its details stay here; the answer has the headers of all others."""
    app = start_app()
    app.state.matches.load = lambda *_: 1 // 0
    with app.client(strict=False) as client:
        answer = client.get("/api/matches/abcdefghjk")
    refused(answer, 500, "server/failed")
    assert "division" not in answer.text
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "no-store"
