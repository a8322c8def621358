"""The JSON of every command, route and tool, normalised for fixtures.

A fixture is the output from before results and documents became one: keys, their order and all values have to stay.
Its first line lists the routes, commands and tools that the documents below come from.
Values that differ from run to run are masked. Prose is masked too; the tests keep it as snapshots.
`tests/support/more_json_fixtures.py` has the rarer routes, events and tools.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx

from tests.support import ROOT
from tests.support.command import Run
from tests.support.seats import SMALL, Seat, challenge, sit_down

FOLDER = ROOT / "tests" / "fixtures" / "json"
MASK = "*"
LONGEST = 12  # entries of a list before a digest of the others
LARGEST = 12_000  # characters of a document that shows its boards; larger ones have digests of them
WORD = re.compile(r"[^\W\d_]{3}")  # shorter texts are marks, cells and numbers, not prose
CHOICES = "words"  # the values an option can have: a list of words that aren't prose

Documents = tuple[str, list[Any]]  # the name of a fixture and its documents
Sourced = tuple[str, list[Any], list[str]]  # the same with the routes, commands or tools asked for them

# Values that differ from run to run, by key.
VOLATILE = frozenset(
    [
        "allowed_memory",
        "command",
        "created",
        "date",
        "digest",  # contains the source of the game's file
        "expires",
        "format_version",
        "id",
        "invitation",
        "invite",
        "last_seen",
        "match",
        "memory",
        "occurred",
        "path",
        "record",
        "rematch",
        "saved",
        "seat",
        "seconds",
        "seed",
        "started",
        "stamp",
        "time",
        "token_seat",
        "updated",
        "version",  # of Parlour; a game's version is a number and stays
        "visit",
        "watch",
        "when",
        "written",
    ]
)
# Prose, by key: texts for people, whose wording may change.
PROSE = frozenset(
    [
        "about",
        "answer_text",
        "banner",
        "counted_once",
        "damaged",
        "detail",
        "description",
        "error",
        "finding",
        "help",
        "hint",
        "items",
        "known",
        "known_for",
        "lesson",
        "legal_text",
        "line_text",
        "message",
        "needs",
        "nickname",
        "note",
        "notice",
        "phrase",
        "question_text",
        "reason",
        "rule",
        "rules",
        "secret",
        "stuck",
        "summary",
        "table",
        "terms",
        "text",
        "title",
        "told",
        "want",
        "what",
        "why",
        "words",
    ]
)

GRID = "5,3,8,1,6,7,4,9,2"
OPTIONS = SMALL | {"double-up": {"limit": "20"}}
TYPED = "help\nboard\nhint\nhint\nhint\nhint\nwhy {move}\nx\nundo\n{move}\nundo\n{move}\nboard\n"


def option_words(key: str) -> list[str]:
    """The small options of a game, as a command line has them."""
    return [word for name, value in OPTIONS[key].items() for word in (f"--{name}", value)]


def game_commands(run: Callable[..., Run], whole_game: Callable[..., list[str]], key: str) -> Iterator[Documents]:
    """Run every command about a game that writes JSON; yield the name of a fixture and its documents."""
    small, moves = option_words(key), whole_game(key, **OPTIONS[key])
    deal = ["--grid", GRID] if key == "sequence-spot" else []

    def read(*arguments: str) -> Any:
        return json.loads(run(*arguments).out)

    yield f"rules-{key}", [read("rules", key, "--json")]
    yield f"explain-{key}", [read("explain", key, *small, "--json")]
    yield f"tabulate-{key}", [read("tabulate", key, *small, *deal, "--json")]
    line = ("--moves", "1 2" if deal else " ".join(moves[:2]))
    yield f"solve-{key}", [read("solve", key, *small, *deal, *more, "--json") for more in ((), ("--outcome",), line)]
    play = ("play", key, *small, "--json", "--name1", "Ann", "--name2", "Ben")
    typed = TYPED.format(move=moves[0]) + "\n".join(moves[1:3]) + "\n"
    yield (
        f"play-{key}",
        [
            [json.loads(event) for event in run(*arguments, stdin=given).out.splitlines()]
            for arguments, given in (
                ((*play, "--seed", "1"), typed),
                (("resume", "--json"), "next\nresign\n"),
                ((*play, "--seed", "9", "--p1", "random", "--p2", "random"), ""),
            )
        ],
    )
    yield f"games-{key}", [read("games", "--json")]
    yield f"replay-{key}", [read("replay", number, "--json") for number in ("1", "2")]
    yield f"report-{key}", [read("report", number, "--json") for number in ("1", "2")]


def other_commands(run: Callable[..., Run], folder: Path) -> Iterator[Documents]:
    """Run every other command that writes JSON."""
    yield "list", [json.loads(run("list", "--json").out)]
    yield "check", [json.loads(run("check", "--json").out)]
    yield "daily", [json.loads(run("daily", str(day), "--json").out) for day in (1, 9)]
    exported = run("puzzles", "export").out.splitlines()
    yield "puzzles-export", [json.loads(line) for line in exported[::97]]
    players = ("--players", "random,level:2,perfect", "--games", "4", "--jobs", "1", "--seed", "3")
    yield "tournament", [json.loads(run("tournament", "double-up", "spot", *players, "--json").out)]
    swept = folder / "swept.json"
    run("sweep", "double-up", "--limit", "5-9", "--jobs", "1", "--json", str(swept))
    yield "sweep", [json.loads(swept.read_text("utf-8"))]


def game_routes(client: httpx.Client, key: str) -> Iterator[Documents]:
    """Request every route about a game that answers with JSON; yield the name of a fixture and its documents."""

    def get(path: str, **params: Any) -> Any:
        return client.get(f"/api{path}", params=params).json()

    options = OPTIONS[key] | ({"grid": GRID} if key == "sequence-spot" else {})
    yield f"http-game-{key}", [get(f"/games/{key}")]
    first = get(f"/games/{key}/position", **options)["legal"]
    lines: list[dict[str, str]] = [{}, {"moves": first[0]}, {"moves": first[0], "first": "2"}]
    yield f"http-position-{key}", [get(f"/games/{key}/position", **options, **line) for line in lines]
    yield f"http-solve-{key}", [get(f"/games/{key}/solve", **options, **line) for line in lines]
    yield f"http-hint-{key}", [get(f"/games/{key}/hint", **options, rung=rung) for rung in (1, 2, 3, 4)]
    yield f"http-why-{key}", [get(f"/games/{key}/why", **options, move=move) for move in first[:3]]
    yield f"http-atlas-{key}", [get(f"/atlas/{key}")]
    yield f"http-match-{key}", list(_friends(client, key, options))
    yield f"http-alone-{key}", list(_alone(client, key, options))
    yield f"http-exam-{key}", [get(f"/exams/{key}/1")]


def other_routes(client: httpx.Client) -> Iterator[Documents]:
    """Request every other route that answers with JSON, and some that refuse."""

    def get(path: str, **params: Any) -> Any:
        return client.get(f"/api{path}", params=params).json()

    def post(path: str, body: dict[str, Any]) -> Any:
        return client.post(f"/api{path}", json=body).json()

    yield "http-lists", [get("/games"), get("/exams"), get("/puzzles", game="double-up", most=5), get("/daily", most=3)]
    yield "http-puzzles", [get("/daily/5")]
    refusals = [
        get("/games/chess"),
        get("/games/double-up/position", limit="x"),
        get("/games/double-up/position", moves="99999"),
        get("/matches/nothing"),
        get("/puzzles/nothing"),
        get("/exams/double-up/99"),
        post("/challenge/open", {"game": "chess"}),
        post("/challenge/computer", {"game": "double-up", "level": "level:99"}),
        post("/import", {"record": "nonsense"}),
        post("/practice", {"question": {}}),
    ]
    yield "http-refusals", refusals


def _friends(client: httpx.Client, key: str, options: dict[str, str]) -> Iterator[Any]:
    """The states of a match between two people, from its beginning to the rematch."""
    one, two = sit_down(client, game=key, options=options)
    yield one.state()
    yield one.move(one.state()["table"]["legal"][0]).json()
    yield one.move("1").json()  # not this player's turn
    yield one.post("offer", kind="undo", ply=1).json()
    yield two.post("offer/decline", kind="undo", ply=1).json()
    for seat in (two, one, two, one):
        if legal := seat.state()["table"]["legal"]:
            yield seat.move(legal[-1]).json()
    yield two.post("resign").json()
    yield client.get(f"/api/matches/{one.id}").json()
    for part in ("replay", "report", "mistakes"):
        yield client.get(f"/api/matches/{one.id}/{part}").json()
    yield one.post("offer", kind="rematch", ply=one.state()["ply"]).json()


def _alone(client: httpx.Client, key: str, options: dict[str, str]) -> Iterator[Any]:
    """The states of a match on one device, with a move taken back."""
    made = challenge(client, "local", game=key, options=options, names=["Ann", "Ben"], first="1")
    yield made
    seat = Seat(client, made["id"], made["seat"])
    for place in (0, -1, 0):
        if legal := seat.state()["table"]["legal"]:
            yield seat.move(legal[place]).json()
    yield seat.post("undo", ply=seat.state()["ply"]).json()
    yield seat.post("resign", player=1).json()


# Sources.


def commands_with_sources(
    run: Callable[..., Run], make: Callable[[Callable[..., Run]], Iterator[Documents]]
) -> Iterator[Sourced]:
    """Yield fixtures of commands with the names of the commands that wrote their JSON."""
    found: list[str] = []

    def noting(*arguments: str, **given: Any) -> Run:
        if "--json" in arguments:
            found.append(f"parlour {arguments[0]} --json")
        return run(*arguments, **given)

    for name, documents in make(noting):
        yield name, documents, sorted(set(found))
        found.clear()


def routes_with_sources(client: httpx.Client, make: Callable[[httpx.Client], Iterator[Documents]]) -> Iterator[Sourced]:
    """Yield fixtures of routes with the routes that answered them; refusals and texts don't count."""
    found: list[str] = []

    def note(response: httpx.Response) -> None:
        if response.is_success and "json" in response.headers["content-type"]:
            found.append(route_of(response.request.method, response.request.url.path))

    client.event_hooks = {"response": [note]}
    for name, documents in make(client):
        yield name, documents, sorted(set(found))
        found.clear()


@cache
def api_routes() -> list[tuple[str, Any]]:
    """All methods and routes of the API, sockets included, in the order in which they are tried."""
    from parlour.web.app import ROUTERS  # which commands don't need

    routes: list[Any] = [route for router in ROUTERS for route in router.routes]
    return [
        (method, route)
        for route in routes
        if route.path.startswith("/api/")
        for method in getattr(route, "methods", None) or ["SOCKET"]
    ]


def route_of(method: str, path: str) -> str:
    """Return the method and the path of the route that answers a request."""
    return next(f"{verb} {one.path}" for verb, one in api_routes() if verb == method and one.path_regex.match(path))


def recorded_sources() -> set[str]:
    """Return the sources of all fixtures."""
    firsts = (json.loads(path.read_text("utf-8").split("\n", 1)[0]) for path in FOLDER.glob("*.jsonl"))
    return {source for first in firsts for source in first["from"]}


# Masks.


def is_prose(key: str, value: Any) -> bool:
    """Return whether the value of a key is text for people, or a list of such texts."""
    if isinstance(value, list):
        return key != CHOICES and any(is_prose(key, one) for one in value)
    return key in PROSE and isinstance(value, str) and WORD.search(value) is not None


def is_volatile(key: str, value: Any) -> bool:
    """Return whether the value of a key differs from run to run."""
    return key in VOLATILE and value not in (None, "", []) and not (key == "version" and isinstance(value, int))


def masked(document: Any) -> Any:
    """Replace prose and volatile values."""
    if isinstance(document, dict):
        return {
            key: MASK if is_volatile(key, value) or is_prose(key, value) else masked(value)
            for key, value in document.items()
        }
    if isinstance(document, list):
        return [masked(one) for one in document]
    return document


def values_of(documents: list[Any]) -> str:
    """The documents without prose and volatile values, one a line; of long lists the beginning and a digest."""
    return "".join(_line(masked(one)) + "\n" for one in documents)


def _line(document: Any) -> str:
    line = _text(_shortened(document))
    return line if len(line) <= LARGEST else _text(_shortened(_without_boards(document)))


def _without_boards(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _digest(one) if key == "view" and one else _without_boards(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_without_boards(one) for one in value]
    return value


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _shortened(value: Any) -> Any:
    if isinstance(value, dict):
        places = list(value.items())
        by_move = len(places) > 3 and all(isinstance(one, list) for one in value.values())
        shown = {key: _shortened(one) for key, one in (places[:3] if by_move else places)}
        return shown | ({"rest": _digest(places[3:])} if by_move else {})
    if isinstance(value, list):
        most = 3 if value and isinstance(value[0], dict) and "view" in value[0] else LONGEST
        rest = value[most:]
        return [_shortened(one) for one in value[:most]] + ([_digest(rest)] if rest else [])
    return value


def _digest(rest: Any) -> str:
    return f"{len(rest)} more: {sha256(_text(rest).encode()).hexdigest()[:16]}"


def prose_of(document: Any) -> list[str]:
    """All prose of documents, each text once, in order."""
    found: dict[str, None] = {}

    def look(value: Any) -> None:
        if isinstance(value, dict):
            for key, one in value.items():
                if is_prose(key, one):
                    found.update(dict.fromkeys([one] if isinstance(one, str) else one))
                else:
                    look(one)
        elif isinstance(value, list):
            for one in value:
                look(one)

    look(document)
    return list(found)


def compare(name: str, documents: list[Any], sources: list[str]) -> list[str]:
    """Compare documents with their fixture, and return their prose. PARLOUR_WRITE_FIXTURES=1 writes it first."""
    path, found = FOLDER / f"{name}.jsonl", _text({"from": sources}) + "\n" + values_of(documents)
    if os.environ.get("PARLOUR_WRITE_FIXTURES"):
        path.write_text(found, "utf-8")
    assert found == path.read_text("utf-8"), f"{name} is not as it was"
    return prose_of(documents)
