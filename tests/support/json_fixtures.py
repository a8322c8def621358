"""The JSON of every command, route and tool, normalised for fixtures.

A fixture is what was written before results and documents became one: keys, their order and all values are to stay.
Values that differ from run to run are masked. Prose is masked too; the tests keep it as snapshots.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
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

# Values that differ from run to run, by key.
VOLATILE = frozenset(
    [
        "allowed_memory",
        "command",
        "created",
        "date",
        "digest",
        "expires",
        "format_version",
        "id",
        "invite",
        "last_seen",
        "memory",
        "occurred",
        "path",
        "record",
        "saved",
        "seat",
        "seconds",
        "seed",
        "started",
        "stamp",
        "time",
        "token_seat",
        "updated",
        "version",
        "visit",
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
        "detail",
        "description",
        "error",
        "finding",
        "help",
        "hint",
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
        "terms",
        "text",
        "title",
        "told",
        "want",
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


def game_commands(
    run: Callable[..., Run], whole_game: Callable[..., list[str]], key: str
) -> Iterator[tuple[str, list[Any]]]:
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


def other_commands(run: Callable[..., Run], folder: Path) -> Iterator[tuple[str, list[Any]]]:
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


def game_routes(client: httpx.Client, key: str) -> Iterator[tuple[str, list[Any]]]:
    """Request every route about a game that answers with JSON; yield the name of a fixture and its documents."""

    def get(path: str, **params: Any) -> Any:
        return client.get(f"/api{path}", params=params).json()

    options = OPTIONS[key] | ({"grid": GRID} if key == "sequence-spot" else {})
    first = get(f"/games/{key}/position", **options)["legal"]
    lines: list[dict[str, str]] = [{}, {"moves": first[0]}, {"moves": first[0], "first": "2"}]
    yield f"http-game-{key}", [get(f"/games/{key}")]
    yield f"http-position-{key}", [get(f"/games/{key}/position", **options, **line) for line in lines]
    yield f"http-solve-{key}", [get(f"/games/{key}/solve", **options, **line) for line in lines]
    yield f"http-hint-{key}", [get(f"/games/{key}/hint", **options, rung=rung) for rung in (1, 2, 3, 4)]
    yield f"http-why-{key}", [get(f"/games/{key}/why", **options, move=move) for move in first[:3]]
    yield f"http-atlas-{key}", [get(f"/atlas/{key}")]
    yield f"http-match-{key}", list(_friends(client, key, options))
    yield f"http-alone-{key}", list(_alone(client, key, options))
    yield f"http-exam-{key}", [get(f"/exams/{key}/1")]


def other_routes(client: httpx.Client) -> Iterator[tuple[str, list[Any]]]:
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


# Masks.


def masked(document: Any, keys: frozenset[str]) -> Any:
    """Replace the values of these keys, texts and lists of texts only where they are prose."""
    if isinstance(document, dict):
        return {key: _mask(value) if key in keys else masked(value, keys) for key, value in document.items()}
    if isinstance(document, list):
        return [masked(one, keys) for one in document]
    return document


def _mask(value: Any) -> Any:
    return value if value in (None, "", []) else MASK


def values_of(documents: list[Any]) -> str:
    """The documents without prose and volatile values, one a line; of long lists the beginning and a digest."""
    return "".join(_text(_shortened(masked(one, VOLATILE | PROSE))) + "\n" for one in documents)


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


def _digest(rest: list[Any]) -> str:
    return f"{len(rest)} more: {sha256(_text(rest).encode()).hexdigest()[:16]}"


def prose_of(document: Any) -> list[str]:
    """All prose of documents, each text once, in order."""
    found: dict[str, None] = {}

    def look(value: Any, inside: bool) -> None:
        if isinstance(value, dict):
            for key, one in value.items():
                look(one, key in PROSE)
        elif isinstance(value, list):
            for one in value:
                look(one, inside)
        elif inside and isinstance(value, str) and value:
            found[value] = None

    look(document, False)
    return list(found)


def compare(name: str, documents: list[Any]) -> list[str]:
    """Compare documents with their fixture, and return their prose. PARLOUR_WRITE_FIXTURES=1 writes it first."""
    path, found = FOLDER / f"{name}.jsonl", values_of(documents)
    if os.environ.get("PARLOUR_WRITE_FIXTURES"):
        path.write_text(found, "utf-8")
    assert found == path.read_text("utf-8"), f"{name} is not as it was"
    return prose_of(documents)
