"""What the server answers is what docs/schema.json and the OpenAPI document say."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from parlour import catalog
from tests.support.answers import answer_of, check_match
from tests.support.asgi import WebApp
from tests.support.schema import SCHEMA, check
from tests.support.seats import challenge, sit_down

Document = dict[str, Any]
NDJSON = {"Accept": "application/x-ndjson"}


def plain(schema: Any) -> Any:
    """A schema without what differs between the two: titles made of names, defaults of null, and where parts stand."""
    if isinstance(schema, list):
        return [plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: plain(part) for name, part in schema.items() if (name, type(part)) != ("title", str)}
    if found.get("default", "") is None:
        del found["default"]
    if "$ref" in found:
        found["$ref"] = found["$ref"].rpartition("/")[2]
    return found


def test_openapi_has_the_same_documents(client: httpx.Client) -> None:
    known = json.loads(SCHEMA.read_text(encoding="utf-8"))["$defs"]
    served = client.get("/api/openapi.json").json()["components"]["schemas"]
    shared = set(served) & set(known)
    assert shared >= {"State", "TableDocument", "Solution", "Report", "Refusal", "GameList", "RulesDocument"}
    for name in shared:
        assert plain(served[name]) == plain(known[name]), name


def test_what_is_answered_about_the_games(client: httpx.Client) -> None:
    answer_of(client, "/api/health", "Health")
    answer_of(client, "/api/games", "GameList")
    for key in catalog.keys():
        rules = answer_of(client, f"/api/games/{key}", "RulesDocument")
        for table in rules["demo"][1:]:
            path = f"/api/games/{key}/position?moves={table['token']}"
            options = {name: text for name, text in table["options"].items() if text}
            answer_of(client, path, "TableDocument", params={"moves": table["token"], **options})
    code = client.post("/api/qr", json={"text": "hello"})
    check(code.json(), "QrCode")


@pytest.mark.parametrize("key", catalog.keys())
def test_what_is_answered_about_a_position(client: httpx.Client, key: str) -> None:
    demo = client.get(f"/api/games/{key}").json()["demo"]
    table = demo[-2]
    about = {"moves": table["token"], **{name: text for name, text in table["options"].items() if text}}
    path = f"/api/games/{key}"
    answer_of(client, f"{path}/solve", "Solution", params=about)
    for rung in "1234":
        answer_of(client, f"{path}/hint", "Hint", params={**about, "rung": rung})
    answer_of(client, f"{path}/why", "Reason", params={**about, "move": table["legal"][0]})
    lines = client.get(f"{path}/solve", params=about, headers=NDJSON).text.splitlines()
    check(json.loads(lines[-1]), "SearchAnswer")


def test_what_is_answered_while_friends_play(client: httpx.Client, app: WebApp) -> None:
    first, second = sit_down(client, game="double-up")
    first.move("2")
    second.move("4")
    offered = first.post("offer", kind="undo", ply=first.state()["ply"]).json()
    assert offered["offer"] == {"kind": "undo", "by": 1}
    check(offered, "State")
    computer = challenge(client, "computer", game="double-up", level="random", first="you")
    check(computer, "NewMatch")
    with app.page(first.id, first.secret) as page:
        check(page.receive(), "MatchEvent")


@pytest.mark.parametrize("path", ["/api/nothing", "/api/games/nim", "/api/matches/abcdefghjk", "/api/games/spot/why"])
def test_what_is_refused(client: httpx.Client, path: str) -> None:
    check(client.get(path).json(), "Refusal")
    check(client.get("/api/games/double-up/position?moves=7").json(), "Refusal")


@pytest.mark.parametrize("key", ["double-up", "sequence-spot"])  # all of them are in tests/system/web
def test_what_is_answered_about_a_match(client: httpx.Client, key: str) -> None:
    check_match(client, key)
