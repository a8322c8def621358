"""What docs/api.md and docs/web.md say of the web is so: their examples are run, their tables are complete, their
numbers are those of the code."""

from __future__ import annotations

import inspect
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from parlour import players
from parlour.cli.serve import ENDING_SECONDS, default_database
from parlour.documents import practice, questions
from parlour.documents.games import MOST_DEMO_TABLES, level_documents
from parlour.documents.refusal import HTTP_ERRORS
from parlour.documents.table import MOST_TABLE_MOVES
from parlour.errors import ANSWERS
from parlour.match import LONGEST_NAME
from parlour.service import capacity, creating, rights, searches, seats
from parlour.service.matches import lifetimes_in_words
from parlour.store import VISIT_SECONDS, Lifetimes
from parlour.store.database import Database
from parlour.web import app, connections, costs, hub, limits, matches, pool, streams
from tests.support.docs import DOCS, SERVED, Block, agree, all_blocks, blocks, code, section, steps, table
from tests.support.server import Server

WEB = DOCS / "web.md"
ADDRESS = "http://127.0.0.1:8000"  # of a server, in the documents
Document = dict[str, Any]


def flat(page: Path) -> str:
    """A page as one line, wherever its lines are broken."""
    return " ".join(page.read_text(encoding="utf-8").split())


def part(title: str, page: Path = SERVED) -> str:
    """What stands under a heading of the third level."""
    found = re.search(rf"^### {re.escape(title)}\n(.*?)(?=^##|\Z)", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert found, f"{page.name} has no part {title!r}"
    return found[1]


def first_column(text: str) -> list[str]:
    """What the first column of a table names."""
    return [name for row in table(text) for name in row[0].split(", ")]


# What is shown is what happens.


def session(block: Block, url: str, here: Path) -> list[list[str]]:
    """What each command of a block writes. They are typed one after the other into the same shell."""
    mark = "--- the next command ---"
    script = "".join(f"{step.command.replace(ADDRESS, url)}\necho; echo '{mark}'\n" for step in steps(block))
    environment = {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]),
        "HOME": str(here),
        "LC_ALL": "C.UTF-8",
        "NO_PROXY": "*",
    }
    run = subprocess.run(
        ["sh"],
        input=script,
        cwd=here,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    return [part.strip("\n").splitlines() for part in run.stdout.split(mark)][:-1]


@pytest.mark.slow
@pytest.mark.parametrize(
    "block",
    [block for block in all_blocks("console") if block.page == SERVED],
    ids=lambda block: f"{block.page.name}:{block.line}",
)
def test_what_the_page_shows_is_what_happens(block: Block, server: Server, tmp_path: Path) -> None:
    if "curl" in block.text and shutil.which("curl") is None:
        pytest.skip("NOT TESTED: there is no curl")
    for other in blocks(block.page):
        if other.file:
            (tmp_path / other.file).write_text(other.text.replace(ADDRESS, server.url), encoding="utf-8")
    written = session(block, server.url, tmp_path)
    assert len(written) == len(steps(block))
    for step, lines in zip(steps(block), written, strict=True):
        assert agree(step.shown, lines), f"{block.page.name}:{block.line}: $ {step.command}\n" + "\n".join(lines)


def test_every_example_is_run() -> None:
    """A program that the page shows is also called there."""
    for block in blocks(SERVED):
        if block.language in ("python", "sh"):
            assert block.file, f"{block.line}: a program without a name cannot be run"
            assert any(block.file in other.text for other in blocks(SERVED) if other.language == "console")


@pytest.mark.slow
def test_the_copy_of_a_database_in_use_is_complete(serve: Callable[..., Server], tmp_path: Path) -> None:
    server = serve(f"sqlite:///{tmp_path}/web.sqlite3")
    with server.client() as client:
        made = client.post("/api/challenge/local", json={"game": "double-up", "first": "1"}).json()
        who = {"Authorization": f"Bearer {made['seat']}"}
        client.post(f"/api/matches/{made['id']}/move", json={"move": "2", "ply": 0}, headers=who)
    (block,) = [block for block in blocks(WEB) if block.language == "sh"]
    command = block.text.replace("parlour", f"{sys.executable} -m parlour")
    subprocess.run(["sh", "-e", "-c", command], cwd=tmp_path, check=True, timeout=30)
    copy = sqlite3.connect(tmp_path / "copy.sqlite3")
    try:
        assert copy.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert copy.execute("SELECT match, text FROM lines").fetchall() == [(made["id"], "1. 2")]
    finally:
        copy.close()
    server.stop()
    # And back again.
    (tmp_path / "copy.sqlite3").replace(tmp_path / "web.sqlite3")
    for name in re.findall(r"remove `([^`]+)` and `([^`]+)`", flat(WEB))[0]:
        (tmp_path / name).unlink(missing_ok=True)
    server.restart()
    with server.client() as client:
        assert client.get(f"/api/matches/{made['id']}").json()["table"]["moves"] == ["2"]


@pytest.mark.slow
def test_the_server_says_where_it_is() -> None:
    command = [sys.executable, "-m", "parlour", "serve", "--port", "0", "--database", "sqlite://"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        process.terminate()
    shown = next(block.text for block in blocks(WEB) if block.language == "text")
    assert re.sub(r":\d+/", ":8000/", said) == shown


# What is listed is complete.


@pytest.fixture(scope="module")
def described(server: Server) -> Document:
    document: Document = httpx.get(f"{server.url}/api/openapi.json", timeout=30).json()
    return document


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


@pytest.mark.slow
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
        text = part(heading)
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


SHAPES = {
    "New match": "NewMatch",
    "State": "State",
    "Table": "TableDocument",
    "Group": "GroupDocument",
    "Tile": "TileDocument",
    "Card": "Card",
    "Solution": "Solution",
    "Puzzle": "PuzzleDocument",
    "Map": "MapDocument",
}
# What is described in a line, by where that line stands.
SMALL = {
    "State": ("PlayerDocument", "RoundDocument", "OutcomeDocument", "OfferDocument"),
    "Table": ("RoundResult", "LastMove"),
    "Card": ("OptionDocument", "VariantDocument"),
    "Solution": ("ChoiceDocument",),
    "GET /api/games": ("GameList", "LevelDocument"),
    "GET /api/games/{game}": ("Block",),
    "GET /api/games/{game}/hint": ("HintDocument",),
    "GET /api/games/{game}/why": ("ReasonDocument",),
    "GET /api/health": ("Health",),
    "GET /api/puzzles": ("PuzzleList", "PuzzleCard"),
    "GET /api/daily": ("DailyList", "DailyCard"),
    "Puzzle": ("PuzzleTurn", "PuzzleStep", "PuzzleFeatures"),
    "GET /api/matches/{id}/replay": ("Replay",),
    "GET /api/matches/{id}/mistakes": ("MistakeList", "MistakeDocument"),
    "POST /api/practice": ("PracticeDocument", "PracticeTurn"),
    "GET /api/exams": ("ExamList", "GameExams", "ExamCard"),
    "GET /api/exams/{game}/{number}": ("ExamSheet", "ExamQuestionDocument"),
    "POST /api/exams/{game}/{number}/diploma": ("Diploma",),
    "Map": ("ShadeDocument", "ChartDocument", "SquareDocument"),
    "POST /api/qr": ("QrCode",),
}


def test_every_field_of_an_answer_is_described(described: Document) -> None:
    schemas = described["components"]["schemas"]
    for title, name in SHAPES.items():
        assert set(first_column(part(title))) == set(schemas[name]["properties"]), title
    for title, names in SMALL.items():
        words = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]+)`", part(title)))))
        for name in names:
            assert set(schemas[name]["properties"]) <= words, f"{title}: {name}"
    assert set(schemas["Refusal"]["properties"]) == {"code", "error", "reason", "legal", "state"}
    told = section(SERVED, "Refusals")
    assert all(f"`{name}`" in told or f'"{name}"' in told for name in schemas["Refusal"]["properties"])
    # And nothing that comes back is left out.
    sent = {
        content["schema"]["$ref"].rpartition("/")[2]
        for operation in operations(described).values()
        for status, response in operation["responses"].items()
        for content in response.get("content", {}).values()
        if status.startswith("2") and "$ref" in content["schema"]
    }
    # Rules are a card with rules; and a report has a page of its own.
    assert sent - {"RulesDocument", "ReportDocument"} <= {
        *SHAPES.values(),
        *(name for names in SMALL.values() for name in names),
    }


def test_every_field_of_a_report_is_described(described: Document) -> None:
    schemas = described["components"]["schemas"]
    told = code(DOCS / "study.md")
    parts = (
        "Account",
        "Decision",
        "TurningPoint",
        "Chance",
        "Chances",
        "Resignation",
        "RoundReport",
        "Report",
        "Score",
    )
    for name in parts:
        assert set(schemas[f"{name}Document"]["properties"]) - {"text"} <= set(told), name
    assert "as `text`" in part("GET /api/matches/{id}/report")


def test_what_can_be_done_is_listed() -> None:
    listed = next(row[1] for row in table(part("State")) if row[0] == "can")
    told = set(re.findall(r"[a-z]+(?: [a-z]+)?", listed.partition(":")[2]))
    assert told == {right.word for right in rights.RIGHTS}


def test_the_tables_of_refusals_are_complete() -> None:
    text = section(SERVED, "Refusals")
    served, _, terminal = text.partition("come from no server")
    told = [(row[0], int(row[1])) for half in (served, terminal) for row in table(half)]
    assert len(told) == len({name for name, _ in told})
    known = {answer.code: answer.status for answer in ANSWERS.values()}
    known |= {name: status for status, (name, _) in HTTP_ERRORS.items()}
    assert dict(told) == known
    statuses = [int(row[1]) for row in table(served)]
    assert statuses == sorted(statuses)


# The numbers.


def test_the_limits_are_those_of_the_code() -> None:
    rows = table(section(WEB, "Limits"))
    told = {row[0].partition(":")[0]: (float(row[1]), float(row[2])) for row in rows}
    rates = costs.Rates()
    assert f"{rates.questions} questions being answered and {rates.listening} pages and streams" in flat(WEB)
    assert f"{rates.processor.burst:g} seconds of the processor of the process that answers" in flat(WEB)
    assert f"{rates.processor.each_second:g} seconds more with every second" in flat(WEB)
    assert f"An address may have {connections.MOST_CONNECTIONS_EACH} connections open" in flat(WEB)
    assert f"and open {rates.connect.burst:g} at once and {rates.connect.each_second:g} a second" in flat(WEB)
    assert f"may open {costs.FINE} connections fewer" in flat(WEB)
    assert f"more than {connections.MOST_PIECES} pieces" in flat(WEB)
    assert f"one more for every {connections.BYTES_FOR_A_PIECE} bytes" in flat(WEB)
    assert f"more than {connections.MOST_SAID:,} bytes on a socket" in flat(WEB)
    assert f"({connections.SAID_EACH_SECOND} a second come back)" in flat(WEB)
    assert f"within {connections.REQUEST_SECONDS:g} seconds is closed" in flat(WEB)
    assert told == {"looking": rates.look, "playing": rates.act, "making": rates.create, "asking": rates.solve}
    _, _, second = section(WEB, "Limits").partition("For everybody:")
    settings = app.ServerSettings()
    waiting = inspect.signature(pool.Pool).parameters["waiting"].default
    (record,) = matches.Imported.model_fields["record"].metadata
    assert table(second) == [
        [what, most]
        for what, most in {
            "the body of a request": f"{limits.MOST_BODY_BYTES // 1024} KB",
            "headers of a request": f"{limits.MOST_HEADERS}",
            "a record to be imported": f"{record.max_length:,} characters",
            "its tags together": f"{capacity.MOST_TAG_CHARACTERS:,} characters",
            "a name": f"{LONGEST_NAME} characters",
            "moves, take-backs and deals in one match": f"{capacity.MOST_ACTIONS:,}",
            "moves in one of its rounds, and moves that a new match begins with": f"{capacity.MOST_ROUND_MOVES}",
            "characters of all its moves together": f"{capacity.MOST_MOVE_CHARACTERS:,}",
            "pages and streams connected to one server process": f"{hub.MOST_LISTENERS:,}",
            "processes that think": f"{settings.workers}",
            "questions that wait for them, of each kind": f"{waiting}",
            "the wait for one of them": f"{pool.LONGEST_WAIT_SECONDS:g} seconds",
            "the search for a solution, a hint or a reason": f"{settings.seconds:g} seconds",
            "the search for a report or for your mistakes": f"{questions.REPORT_SECONDS:g} seconds",
            "an exam's sheet or diploma": f"{questions.EXAM_SECONDS:g} seconds",
            "the search for the computer's move": f"{searches.MOVE_NODES:,} positions",
            "the same of perfect": f"{searches.PROOF_NODES:,} positions",
            "tiles on all boards of a question to practise": f"{practice.MOST_TILES:,}",
            "states of one match that are sent, to all who listen together": f"{1 / hub.SECONDS_EACH:,.0f} a second",
            "silence on a line, before something is sent all the same": f"{hub.KEEP_ALIVE_SECONDS:g} seconds",
            "the time that a player is shown as present when a server was killed": f"{VISIT_SECONDS:g} seconds",
        }.items()
    ]


def test_the_kinds_of_request_are_those_of_the_code(described: Document) -> None:
    routes = [route for router in app.ROUTERS for route in router.routes]
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


def test_other_numbers_are_those_of_the_code(described: Document) -> None:
    web, api = flat(WEB), flat(SERVED)
    assert lifetimes_in_words(Lifetimes()) in web
    assert lifetimes_in_words(app.ServerSettings().lifetimes) in web
    assert app.SECONDS_BETWEEN_SWEEPS == 3600
    assert "Once an hour the server removes" in web
    assert creating.ID_LENGTH == 10
    assert "Its ten letters" in web
    assert players.find_kind("perfect").stand_in == "level:5"
    positions = f"{searches.PROOF_NODES:,} positions"
    assert f"`perfect` searches {positions} for a proof; if it finds none, level 5 takes its place" in web
    assert app.ServerSettings().workers == 3
    assert "Besides the server three processes think" in web
    assert ENDING_SECONDS < 2
    assert "it ends within two seconds" in web
    assert f" {limits.MOST_BODY_BYTES // 1024} KB " in HTTP_ERRORS[413][1]
    assert api.count(f"{hub.KEEP_ALIVE_SECONDS:g} seconds") == 3
    assert f"within {streams.HELLO_SECONDS:g} seconds" in api
    assert f"{streams.NO_MATCH} says that there is no such match, {streams.NO_SEAT} that the seat" in api
    assert f"the first {MOST_TABLE_MOVES} at most" in api
    assert f"{MOST_DEMO_TABLES} at most" in api
    assert len(seats.new_secret()) == 22
    assert "a secret of 22 characters or more" in api
    bounds = described["components"]["schemas"]["Joining"]["properties"]["seat"]["anyOf"][0]
    assert f"{bounds['minLength']} to {bounds['maxLength']} of the characters" in api
    bounds = described["components"]["schemas"]["Written"]["properties"]["text"]
    assert f"{bounds['minLength']} to {bounds['maxLength']} characters" in api
    levels = [level.key for level in level_documents()]
    assert levels == ["random", *(f"level:{number}" for number in range(1, 6)), "perfect"]
    assert "`random`, `level:1` to `level:5` or `perfect`" in api
    default = described["components"]["schemas"]["ComputerChallenge"]["properties"]["level"]["default"]
    assert f"`{default}` if left out" in api


def test_a_process_takes_so_many_connections() -> None:
    pytest.importorskip("psycopg")
    database = Database("postgresql://user@host/name")
    pool: Any = database.engine.pool
    assert f"Each takes {pool.size() + pool._max_overflow + 1} connections at most" in flat(WEB)
    database.close()


def test_the_file_is_where_the_page_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    told = code(WEB)
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert f"~{default_database().removeprefix(f'sqlite:///{tmp_path}')}" in told
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert default_database().removeprefix(f"sqlite:///{tmp_path}/") in told


def test_what_a_browser_keeps_is_listed() -> None:
    page = Path(app.__file__).parent / "page"
    kept = set()
    for path in page.glob("*.js"):
        kept |= set(re.findall(r'\b(?:keep|kept|remember)\("(\w+)"', path.read_text(encoding="utf-8")))
    (told,) = re.findall(r"how you like the page: ([^.]*)\.", flat(WEB))
    assert set(re.findall(r"`(\w+)`", told)) == kept


def test_the_options_of_the_server_are_listed() -> None:
    from parlour.cli.serve import serve_command

    known = {name for parameter in serve_command.params for name in parameter.opts}
    assert set(first_column(section(WEB, "Running a server"))) == known | {"--help", "-h"}


@pytest.mark.slow
def test_limits_are_by_the_address_that_a_server_in_front_names(serve: Callable[..., Server]) -> None:
    server = serve(None, "--host", "127.0.0.1")  # and not --unlimited
    most = int(costs.Rates().create.burst) // costs.IMPORT.tokens

    def statuses(client: httpx.Client, address: str, times: int) -> set[int]:
        headers = {"X-Forwarded-For": address}
        return {client.post("/api/import", json={"record": ""}, headers=headers).status_code for _ in range(times)}

    with server.client() as client:
        assert statuses(client, "192.0.2.1", most) == {400}
        assert 429 in statuses(client, "192.0.2.1", most)
        assert statuses(client, "192.0.2.2", 1) == {400}
