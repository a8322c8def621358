"""What docs/api.md and docs/web.md say of the web is complete: addresses, fields, refusals, limits."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from parlour import players
from parlour.cli.server import ENDING_SECONDS, default_database
from parlour.documents.games import level_documents
from parlour.secrets import new_secret
from parlour.service import rights
from parlour.service.matches import lifetimes_in_words
from parlour.store import Lifetimes
from parlour.web import app as web
from parlour.web import costs, limits, streams
from parlour.web.refusals import HTTP_ERRORS
from tests.support.asgi import WebApp
from tests.support.docs import DOCS, SERVED, blocks, code, section, table
from tests.support.errors import status_by_code
from tests.support.scripts import load_script

WEB = DOCS / "web.md"
Document = dict[str, Any]


def part(title: str, page: Path = SERVED) -> str:
    """What stands under a heading of the third level."""
    found = re.search(rf"^### {re.escape(title)}\n(.*?)(?=^##|\Z)", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert found, f"{page.name} has no part {title!r}"
    return found[1]


def by_hand(text: str) -> str:
    """Return a part of a page without the tables of the fields that answers have."""
    return re.sub(r"<!-- fields: .*?<!-- end of fields -->\n", "", text, flags=re.DOTALL)


def first_column(text: str) -> list[str]:
    """What the first column of a table names."""
    return [name for row in table(text) for name in row[0].split(", ")]


@pytest.fixture(scope="module")
def described(app: WebApp) -> Document:
    document: Document = app.app.openapi()
    return document


def test_every_example_is_run() -> None:
    """A program that the page shows is also called there."""
    for block in blocks(SERVED):
        if block.language in ("python", "sh"):
            assert block.file, f"{block.line}: a program without a name cannot be run"
            assert any(block.file in other.text for other in blocks(SERVED) if other.language == "console")


# What is listed is complete.


def operations(described: Document) -> dict[str, Document]:
    """What can be done, by its heading in the documents."""
    return {
        f"{method.upper()} {path}": operation
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
    }


def fields(described: Document, schema: Document) -> list[str]:
    """The fields of a document."""
    if "$ref" in schema:
        schema = described["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return list(schema["properties"])


def test_every_address_is_described(described: Document) -> None:
    headings = re.findall(r"^### ((?:GET|POST|PUT|DELETE|PATCH|WS) .*)$", SERVED.read_text("utf-8"), re.MULTILINE)
    assert len(headings) == len(set(headings))
    # OpenAPI tells neither of sockets nor of itself.
    beside = {"WS /api/matches/{id}/socket", "GET /api/openapi.json"}
    assert set(headings) == set(operations(described)) | beside
    sockets = {f"WS {route.path}" for route in streams.router.routes if "socket" in type(route).__name__.lower()}
    assert sockets <= beside


def test_every_field_and_parameter_is_described(described: Document) -> None:
    for heading, operation in operations(described).items():
        text = by_hand(part(heading))
        taken = {parameter["name"] for parameter in operation.get("parameters", []) if parameter["in"] == "query"} - {
            "options"
        }  # each option of the game is one; the page says so
        body = operation.get("requestBody")
        if body:
            assert not taken
            taken = set(fields(described, body["content"]["application/json"]["schema"]))
        if not taken:
            assert "|---|" not in text, f"{heading}: a table of what does not exist"
            continue
        assert set(first_column(text)) == taken, heading


def test_the_status_of_what_is_made_is_told(described: Document) -> None:
    for heading, operation in operations(described).items():
        assert ("201" in part(heading)) == ("201" in operation["responses"]), heading


def parts_of(schemas: Document, names: set[str]) -> set[str]:
    """Return the names of documents with those of the documents inside them."""
    found: set[str] = set()
    while names:
        name = names.pop()
        found.add(name)
        inside = re.findall(r'"#/components/schemas/(\w+)"', json.dumps(schemas[name]))
        names |= set(inside) - found
    return found


def test_every_document_of_an_answer_has_a_table_of_fields(described: Document) -> None:
    schemas = described["components"]["schemas"]
    sent = {
        content["schema"]["$ref"].rpartition("/")[2]
        for operation in operations(described).values()
        for status, response in operation["responses"].items()
        for content in response.get("content", {}).values()
        if status.startswith("2") and "$ref" in content["schema"]
    }
    # Rules are a card with rules, clients send a saved question back unread, and a report has a page of its own.
    elsewhere = {"RulesDocument", "Exercise", "Stage", "PackedStep", "GroupFrame"} | parts_of(schemas, {"Report"})
    assert parts_of(schemas, sent) - elsewhere <= set(re.findall(r"<!-- fields: (\w+)", SERVED.read_text("utf-8")))


def test_the_tables_of_fields_are_current() -> None:
    """Otherwise: make reference."""
    script = load_script(DOCS / "make_fields.py")
    for path in script.PAGES:
        page = path.read_text("utf-8")
        assert script.updated(page) == page
        assert len(re.findall("<!-- fields: ", page)) == len(script.TABLE.findall(page)), "a marker lacks its end"


def test_every_field_of_a_refusal_is_described(described: Document) -> None:
    told = section(SERVED, "Refusals")
    fields = described["components"]["schemas"]["Refusal"]["properties"]
    assert all(f"`{name}`" in told or f'"{name}"' in told for name in fields)


def test_every_field_of_a_report_is_described(described: Document) -> None:
    schemas = described["components"]["schemas"]
    told = code(DOCS / "study.md")
    parts = (
        "Account",
        "Decision",
        "TurningPoint",
        "LastChance",
        "Chances",
        "Resignation",
        "RoundReport",
        "Report",
        "Score",
    )
    for name in parts:
        assert set(schemas[name]["properties"]) - {"text"} <= set(told), name
    assert "as `text`" in part("GET /api/matches/{id}/report")


def test_what_can_be_done_is_listed() -> None:
    (listed,) = re.findall(r"`can` has some of: ([^.]*)\.", part("State"))
    assert set(re.findall(r"`([^`]+)`", listed)) == {right.word for right in rights.RIGHTS}


def test_the_tables_of_refusals_are_complete() -> None:
    text = section(SERVED, "Refusals")
    served, _, terminal = text.partition("come from no server")
    told = [(row[0], int(row[1])) for half in (served, terminal) for row in table(half)]
    assert len(told) == len({name for name, _ in told})
    known = status_by_code() | {name: status for status, (name, _) in HTTP_ERRORS.items()}
    assert dict(told) == known
    statuses = [int(row[1]) for row in table(served)]
    assert statuses == sorted(statuses)


# The numbers.


def test_the_tables_of_limits_are_current() -> None:
    """Otherwise: make limits."""
    script = load_script(DOCS / "make_limits.py")
    page = WEB.read_text("utf-8")
    assert script.updated(page) == page


def test_numbers_that_the_prose_relies_on(described: Document) -> None:
    """Figures are in the table of limits; these are values that sentences of the page are about."""
    page = WEB.read_text("utf-8")
    assert lifetimes_in_words(Lifetimes()) in " ".join(page.split())
    assert web.ServerSettings().lifetimes == Lifetimes()
    assert players.find_kind("perfect").stand_in == "level:5"
    assert ENDING_SECONDS < 2
    assert f" {limits.MOST_BODY_BYTES // 1024} KB " in HTTP_ERRORS[413][1]
    assert len(new_secret()) == 22
    schemas = described["components"]["schemas"]
    bounds = schemas["Joining"]["properties"]["seat"]["anyOf"][0]
    assert bounds["minLength"] <= 22 <= bounds["maxLength"]
    levels = [level.key for level in level_documents()]
    assert levels == ["random", *(f"level:{number}" for number in range(1, 6)), "perfect"]
    assert schemas["ComputerChallenge"]["properties"]["level"]["default"] in levels
    closing = {streams.NO_MATCH, streams.NO_SEAT, streams.DAMAGED}
    told = {int(number) for number in re.findall(r"\b4\d{3}\b", part("WS /api/matches/{id}/socket"))}
    assert closing - {streams.DAMAGED} <= told <= closing


def test_the_kinds_of_request_are_those_of_the_code(described: Document) -> None:
    routes = [route for router in web.ROUTERS for route in router.routes]
    for heading in operations(described):
        method, path = heading.split()
        cost = costs.cost_of(routes, {"type": "http", "method": method, "path": path})
        kind = {"look": "looking", "act": "playing", "create": "making", "solve": "asking"}[cost.kind]
        if method == "GET":
            expected = (
                "asking"
                if "answers-that-take-their-time" in part(heading) or path.endswith(("hint", "why", "replay"))
                else "looking"
            )
        else:
            asks = path.endswith(("/qr", "/practice")) or "answers-that-take-their-time" in part(heading)
            expected = "asking" if asks else "making" if "201" in part(heading) or "/rematch" in path else "playing"
        assert kind == expected, heading


def test_the_file_is_where_the_page_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    told = code(WEB)
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert f"~{default_database().removeprefix(f'sqlite:///{tmp_path}')}" in told
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert default_database().removeprefix(f"sqlite:///{tmp_path}/") in told


def test_what_a_browser_keeps_is_listed() -> None:
    page = Path(web.__file__).parent / "page"
    kept = set()
    for path in page.glob("*.js"):
        kept |= set(re.findall(r'\b(?:keep|kept|remember)\("(\w+)"', path.read_text(encoding="utf-8")))
    (told,) = re.findall(r"how you like the page: ([^.]*)\.", " ".join(WEB.read_text("utf-8").split()))
    assert set(re.findall(r"`(\w+)`", told)) == kept


def test_the_options_of_the_server_are_listed() -> None:
    from parlour.cli.server import serve_command

    known = {name for parameter in serve_command.params for name in parameter.opts}
    assert set(first_column(section(WEB, "Running a server"))) == known | {"--help", "-h"}
