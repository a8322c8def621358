"""What players may trust: they hear of everything, secrets stay secret, and what is too much is refused."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx
import pytest

from parlour.store import Lifetimes
from parlour.web.costs import Rate, Rates
from tests.support.asgi import StartApp, WebApp, scope_of
from tests.support.eventually import eventually
from tests.support.seats import Seat, challenge, refused, sit_down, wait_until


def test_every_page_and_answer_has_the_strict_headers(client: httpx.Client) -> None:
    paths = ["/", "/play/double-up", "/m/abcdefghjk", "/study/double-up/start", "/rules/double-up", "/import", "/about"]
    style = re.findall(r'href="(/static/\w+/style\.css)"', client.get("/").text)
    for path in [*paths, *style, "/static/style.css", "/api/games", "/nothing"]:
        answer = client.get(path, headers={"Accept": "text/html"})
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "Set-Cookie" not in answer.headers
        if path in paths:
            assert answer.status_code == 200
            assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", answer.text), "inline"
            assert not re.search(r"(?:src|href)=\"(?:https?:)?//", answer.text), "another host"


def test_a_match_holds_so_much_and_says_so(client: httpx.Client) -> None:
    # The longest that can be given at once, and then one by one: each number the least that may follow.
    given = [str(number) for number in range(2, 290)]
    made = challenge(client, "local", game="double-up", options={"limit": "none"}, first="1", moves=given)
    seat = Seat(client, made["id"], made["seat"])
    state, answer = made["state"], None
    for _ in range(30):
        answer = seat.move(state["table"]["legal"][0], state["ply"])
        if answer.status_code != 200:
            break
        state = answer.json()
    assert answer is not None
    refused(answer, 409, "match/full")
    assert seat.state()["can"] == ["rename", "resign", "renew", "delete"]
    assert seat.post("resign").status_code == 200, "but it can be ended"


def test_a_program_follows_a_match_line_by_line(client: httpx.Client) -> None:
    first, second = sit_down(client, game="double-up", options={"limit": "4"})
    events: list[dict[str, Any]] = []
    with client.stream("GET", f"/api/matches/{first.id}/stream") as stream:
        assert stream.headers["content-type"].startswith("application/x-ndjson")
        for line in stream.iter_lines():
            if not line:
                continue
            events.append(json.loads(line))
            if len(events) == 1:
                first.move("2")
                second.move("4")
    assert events[0]["type"] == "full"
    assert {event["type"] for event in events[1:]} == {"state"}
    numbers = [event["seq"] for event in events]
    assert numbers == sorted(numbers)
    assert events[-1]["state"]["outcome"]["winner"] == 2
    assert events[-1]["state"]["table"]["moves"] == ["2", "4"]


@pytest.mark.parametrize("header", ["Basic QW5uOnNlY3JldA==", "Digest", ""])
def test_a_password_for_somebody_else_is_not_ours_to_refuse(client: httpx.Client, header: str) -> None:
    """A proxy before the server may want one."""
    first, _ = sit_down(client, game="double-up")
    assert client.get(f"/api/matches/{first.id}", headers={"Authorization": header}).json()["you"] == []


def test_a_full_server_says_so(start_app: StartApp) -> None:
    with start_app(most_matches=2).client() as client:
        made = [challenge(client, "local", game="double-up") for _ in range(2)]
        for kind in ("open", "local", "computer"):  # an import, for which a process is started, is in tests/system/web
            told = refused(client.post(f"/api/challenge/{kind}", json={"game": "double-up"}), 503, "server/full")
            assert "stores no more than 2 matches" in told["error"]
        assert Seat(client, made[0]["id"], made[0]["seat"]).post("delete").status_code == 200
        challenge(client, game="double-up")


def test_rate_limits_say_when_to_come_back(start_app: StartApp) -> None:
    with start_app("sqlite://", rates=Rates(create=Rate(3, 0.5))).client() as client:
        answers = [client.post("/api/challenge/local", json={"game": "double-up"}) for _ in range(5)]
        late = [answer for answer in answers if answer.status_code != 201]
        assert len(late) == 2, "the first three are answered"
        refused(late[0], 429, "rate/limited")
        assert int(late[0].headers["Retry-After"]) >= 1
        assert client.get("/").status_code == 200, "a page is still to be had"


def test_presence_is_part_of_the_state(app: WebApp, client: httpx.Client) -> None:
    first, second = sit_down(client, game="double-up")
    with app.page(first.id, first.secret) as one:
        one.state(lambda state: [player["present"] for player in state["players"]] == [True, False])
        with app.page(first.id, second.secret):
            one.state(lambda state: state["players"][1]["present"])
        one.state(lambda state: not state["players"][1]["present"])
    wait_until(first, lambda state: [player["present"] for player in state["players"]] == [False, False])


def test_a_renewed_seat_sends_away_whoever_listens_with_the_old_one(app: WebApp, client: httpx.Client) -> None:
    first, second = sit_down(client, game="double-up")
    old, new = first.secret, "new-secret-of-22-letters"
    with (
        app.page(first.id, old) as page,
        app.page(first.id, second.secret) as other,
        app.page(first.id) as watcher,
        client.stream("GET", f"/api/matches/{first.id}/stream", headers=first.headers) as stream,
    ):
        for each in (page, other, watcher):
            each.state()
        lines = stream.iter_lines()
        assert json.loads(next(lines))["state"]["you"] == [1]
        answer = first.post("seat", seat=new)
        assert (answer.status_code, answer.json()["seat"]) == (200, new)
        assert page.closed() == 1012
        seq = answer.json()["state"]["seq"]
        assert all(not line or json.loads(line)["seq"] < seq for line in lines)
        for each in (other, watcher):
            each.state(lambda state: state["seq"] == seq)
    refused(first.move("2", 0), 403, "seat/wrong")
    assert Seat(client, first.id, new).move("2", 0).status_code == 200
    assert first.post("seat", seat=new).json()["state"]["you"] == [1], "sent again, it is told again"
    refused(first.post("seat", seat="short"), 400, "request/bad")
    refused(Seat(client, first.id, None).post("seat", seat=new + "2"), 401, "seat/needed")
    secrets = [client.get(f"/api/matches/{first.id}").text, client.get(f"/api/matches/{first.id}/record").text]
    assert new not in "".join(secrets)


def test_a_deleted_match_is_told_once_and_then_unknown(app: WebApp, client: httpx.Client) -> None:
    first, second = sit_down(client, game="double-up")
    refused(first.post("delete"), 409, "offer/impossible")
    first.move("2", 0)
    with app.page(first.id, first.secret) as page:
        page.state(lambda state: state["ply"] == 1)
        second.post("offer", kind="delete", ply=1)
        asked = page.state(lambda state: state["offer"] is not None)
        assert asked["offer"] == {"kind": "delete", "by": 2}
        last = first.post("offer/accept", kind="delete", ply=1)
        assert (last.json()["deleted"], last.json()["can"]) == (True, [])
        assert page.closed() == 1012
    for what in ("delete", "rematch"):
        refused(first.post(what), 404, "match/unknown")
    refused(client.get(f"/api/matches/{first.id}/record"), 404, "match/unknown")
    for kind in ("computer", "local"):
        made = challenge(client, kind, game="double-up")
        alone = Seat(client, made["id"], made["seat"])
        refused(Seat(client, made["id"], None).post("delete"), 401, "seat/needed")
        assert alone.post("delete").json()["deleted"] is True
        refused(alone.post("delete"), 404, "match/unknown")


def test_a_socket_for_nothing_or_with_a_wrong_seat_is_closed(app: WebApp, client: httpx.Client) -> None:
    first, _ = sit_down(client, game="double-up")
    for id, seat, code in (("abcdefghjk", None, 4404), (first.id, "wrong", 4403), (first.id, "x" * 4000, 4403)):
        with app.page(id, seat) as page:
            assert page.closed() == code


def test_a_page_that_leaves_before_its_refusal_raises_nothing(app: WebApp, client: httpx.Client) -> None:
    """The connection is gone when the server closes it, as when a visitor follows a link right away."""
    first, _ = sit_down(client, game="double-up")
    received = iter([{"type": "websocket.connect"}, {"type": "websocket.receive", "text": '{"seat": "wrong"}'}])
    sent: list[str] = []

    async def receive() -> dict[str, Any]:
        return next(received)

    async def send(message: Any) -> None:
        sent.append(message["type"])
        if message["type"] == "websocket.close":
            raise OSError("the client has disconnected")

    scope = scope_of("websocket", f"/api/matches/{first.id}/socket", "", [], "127.0.0.1")
    app.run(app.app(scope, receive, send))
    assert sent == ["websocket.accept", "websocket.close"]


@pytest.mark.parametrize("header", ["Bearer", "Bearer ", "bearer   ", "BEARER", "Bearer\t"])
def test_a_bearer_of_nothing_is_refused(client: httpx.Client, header: str) -> None:
    first, _ = sit_down(client, game="double-up")
    for method, path in (("GET", ""), ("GET", "/stream"), ("POST", "/move")):
        url, body = f"/api/matches/{first.id}{path}", {"move": "2", "ply": 0}
        answer = client.request(method, url, json=body, headers={"Authorization": header})
        assert answer.status_code == 401
        assert answer.json() == {
            "code": "seat/needed",
            "error": "no secret follows the word Bearer; send the secret of your seat, or no such header to watch",
        }
    assert first.state()["ply"] == 0


def test_a_page_that_does_not_say_who_it_is_is_sent_away(
    app: WebApp, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parlour.web.streams.HELLO_SECONDS", 0.05)
    with app.socket(challenge(client, "local", game="double-up")["id"]) as page:
        assert page.closed() == 1008


def test_a_process_has_room_for_so_many_listeners(start_app: StartApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.web.hub.MOST_LISTENERS", 1)
    app = start_app("sqlite://")
    with app.client() as client:
        made = challenge(client, "local", game="double-up")
        with app.page(made["id"]) as page:
            page.state()
            refused(client.get(f"/api/matches/{made['id']}/stream"), 503, "server/busy")
            with app.page(made["id"]) as other:
                assert other.closed() == 1013
            app.run(app.state.hub.close())
            assert page.closed() == 1012


def test_a_match_that_has_expired_is_removed_by_the_server(
    start_app: StartApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parlour.web.app.SECONDS_BETWEEN_SWEEPS", 0.05)
    with start_app("sqlite://", lifetimes=Lifetimes(waiting=0.1, playing=1e9, over=1e9)).client() as client:
        kept = challenge(client, "local", game="double-up")
        gone = challenge(client, game="double-up")
        eventually(lambda: client.get(f"/api/matches/{gone['id']}").status_code == 404)
        refused(client.get(f"/api/matches/{gone['id']}"), 404, "match/unknown")
        assert client.get(f"/api/matches/{kept['id']}").status_code == 200


def test_answers_of_the_api_are_kept_nowhere(client: httpx.Client) -> None:
    first, _ = sit_down(client, game="double-up")
    answers = [
        client.get(f"/api/matches/{first.id}"),
        client.get(f"/api/matches/{first.id}/record"),
        client.get("/api/games/double-up/position"),
        client.get("/api/matches/abcdefghjk"),
        client.get("/api/nothing"),
        first.move("2", 0),
    ]
    assert {answer.headers["Cache-Control"] for answer in answers} == {"no-store"}


@pytest.mark.parametrize("encoding", ["br", "deflate", "zstd", "gzip", "GZIP, identity"])
def test_a_body_that_is_encoded_is_refused(client: httpx.Client, encoding: str) -> None:
    body = {"game": "double-up"}
    refused(client.post("/api/challenge/local", json=body, headers={"Content-Encoding": encoding}), 415, "body/encoded")
    assert client.post("/api/challenge/local", json=body, headers={"Content-Encoding": "identity"}).status_code == 201
