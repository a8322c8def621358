"""The JSON of the rarer commands, routes, events and tools, for the fixtures of `tests/support/json_fixtures.py`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import httpx

from tests.support.command import Run
from tests.support.json_fixtures import GRID, OPTIONS, Documents, Sourced, option_words
from tests.support.seats import Document, Seat, challenge

if TYPE_CHECKING:
    from tests.support.asgi import WebApp
    from tests.support.mcp_client import Session

NDJSON = {"Accept": "application/x-ndjson"}
PUZZLES = ("1", "99", "1500", "2500", "3999")
POSITION = "5"  # a token of Double Up
DIPLOMA = ["4", *["9"] * 4, *["20"] * 9]  # answers that pass the first exam of Double Up
TOO_BIG = {"length": "15", "range": "31"}  # of Increasing Differences; takes minutes on any machine
DAMAGED = """[Parlour "1"]
[Game "double-up"]
[Version "1"]
[Options "limit=20"]
[Player1 "Ann"]
[Player2 "Ben"]
[Chooser1 "human"]
[Chooser2 "human"]
[First "1"]
[Seed "1"]
[Date "2026-11-16T13:21:17Z"]
[Result "*"]

1. 2
2. 9
"""
ROUNDS = """[Parlour "1"]
[Game "sequence-spot"]
[Version "1"]
[Options "grid=3,6,4,8,5,1,7,2,9 deal=any max_rounds=2"]
[Player1 "Ann"]
[Player2 "Ben"]
[Chooser1 "human"]
[Chooser2 "human"]
[First "1"]
[Seed "4"]
[Date "2026-11-16T13:21:26Z"]
[Result "*"]

1. 1,1
2. 1,2
3. 1,3
4. 2,1
5. 2,2
6. 2,3
7. 3,1
8. 3,2
9. 3,3
"""


def options_of(key: str) -> dict[str, str]:
    """The small options of a game that is one round on the same board every time."""
    return OPTIONS[key] | ({"grid": GRID, "max_rounds": "1"} if key == "sequence-spot" else {})


def more_commands(run: Callable[..., Run], state: Path) -> Iterator[Documents]:
    """Run the rarer forms of the commands that write JSON."""

    def read(*arguments: str) -> Any:
        return json.loads(run(*arguments).out)

    yield "more-puzzle", [read("puzzle", "--id", number, "--json") for number in PUZZLES]
    at = ("solve", "double-up", "--limit", "20", "--json", "--position", POSITION)
    yield "more-solve", [read(*at), read(*at, "--seconds", "1"), read(*at, "--outcome")]
    run("play", *("double-up", *option_words("double-up"), "--seed", "1"), stdin="2\n3\nresign\n")
    (state / "2.parlour").write_text(DAMAGED, "utf-8")
    (state / "3.parlour").write_bytes(b"")
    yield "more-games", [read("games", "--json")]
    yield "more-check", [read("check", "--json")]


def more_game_routes(client: httpx.Client, key: str) -> Iterator[Documents]:
    """Request the rarer routes about a game."""

    def get(path: str, **params: Any) -> Any:
        return client.get(f"/api{path}", params=params).json()

    def post(path: str, **body: Any) -> Any:
        return client.post(f"/api{path}", json=body).json()

    options = options_of(key)
    made = challenge(client, game=key, options=options, first="me", name="Ann")
    path = f"/matches/{made['id']}"
    joined = post(f"{path}/join", invite=made["invite"], name="Ben")
    one, two = Seat(client, made["id"], made["seat"]), Seat(client, made["id"], joined["seat"])
    documents = [made, joined, one.post("name", name="Anna").json(), one.post("seat", seat="A" * 30).json()]
    one.secret = "A" * 30
    yield f"http-more-friends-{key}", [*documents, _play_out(one, two)]
    found = get(f"{path}/mistakes")
    yield f"http-more-over-{key}", [get(f"{path}/replay"), get(f"{path}/report"), found]
    imported = post("/import", record=client.get(f"/api{path}/record").text)
    alone = challenge(client, "local", game=key, options=options, names=["Cy", "Di"], first="2")
    seat = Seat(client, alone["id"], alone["seat"])
    documents = [imported, alone, *(seat.post(*each).json() for each in (("resign",), ("rematch",), ("delete",)))]
    computer = challenge(client, "computer", game=key, options=options, level="level:1", first="me", name="Eve")
    yield f"http-more-matches-{key}", [*documents, computer]
    asked = [post("/practice", question=mistake["question"]) for mistake in found["mistakes"][:1]]
    listed = get("/puzzles", game=key, most=1)["puzzles"]
    yield f"http-more-practice-{key}", [*asked, *(get(f"/puzzles/{puzzle['id']}") for puzzle in listed)]


def _play_out(one: Seat, two: Seat) -> Document:
    """Play a match of one round to its end at random; return the last state."""
    random, state = Random(3), one.state()
    while state["status"] == "playing":
        seat = (one, two)[state["table"]["turn"] - 1]
        state = seat.move(random.choice(state["table"]["legal"]), state["ply"]).json()
    return state


def more_routes(app: WebApp, client: httpx.Client) -> Iterator[Documents]:
    """Request the rarer routes that aren't about a single game."""

    def post(path: str, **body: Any) -> Any:
        return client.post(f"/api{path}", json=body).json()

    yield "http-more-server", [client.get("/api/health").json(), post("/qr", text="hello")]
    exam = "/exams/double-up/1"
    proved = post(f"{exam}/diploma", answers=DIPLOMA, name="Ann", date="2026-11-17")
    proved["strategy"] = proved["strategy"].splitlines()[1:]  # without the version of Parlour
    yield "http-more-exams", [post(f"{exam}/further", answers=DIPLOMA[:5]), proved]
    made = post("/import", record=ROUNDS)
    seat = Seat(client, made["id"], made["seat"])
    dealt = seat.post("next", ply=seat.state()["ply"]).json()
    yield "http-more-next", [made, dealt | {"table": list(dealt["table"])}]  # dealt at random
    first = challenge(client, "local", game="double-up", options={"limit": "4"}, names=["Ann", "Ben"], first="1")
    yield "http-more-stream", list(_streamed(client, Seat(client, first["id"], first["seat"])))
    second = challenge(client, "local", game="double-up", options={"limit": "4"}, names=["Ann", "Ben"], first="1")
    yield "http-more-socket", list(_heard(app, Seat(client, second["id"], second["seat"])))


def _streamed(client: httpx.Client, seat: Seat) -> Iterator[Document]:
    """The events of a match, each answered with a move, as lines."""
    moves = iter(["2", "4"])
    with client.stream("GET", f"/api/matches/{seat.id}/stream") as stream:
        for line in stream.iter_lines():
            if line:
                yield json.loads(line)
                if move := next(moves, None):
                    seat.move(move)


def _heard(app: WebApp, seat: Seat) -> Iterator[Document]:
    """The events of a match, each answered with a move, as messages of a socket."""
    with app.page(seat.id) as page:
        yield page.receive()
        for move in ("2", "4"):
            seat.move(move)
            yield page.receive()


def progress_lines(client: httpx.Client) -> Iterator[Documents]:
    """Solve with progress at a server that refuses what takes longer than a second."""
    path, small = "/api/games/increasing-differences/solve", OPTIONS["increasing-differences"]
    answered = client.get(path, params=small, headers=NDJSON).text.splitlines()  # and the search process has started
    ended = client.get(path, params=TOO_BIG, headers=NDJSON).text.splitlines()
    yield "http-more-progress", [_uncounted(json.loads(line)) for line in (ended[0], ended[-1], answered[-1])]


def _uncounted(line: Document) -> Document:
    """A line without the number of positions searched so far, which depends on the machine."""
    return line | {"positions": "*"} if "positions" in line else line


# Tools.


def mcp_tools(session: Session) -> Iterator[Sourced]:
    """Call every tool of the MCP server."""
    called: list[str] = []

    def ask(tool: str, **arguments: Any) -> Any:
        called.append(f"mcp {tool}")
        return session.ask(tool, **arguments)

    def fixture(name: str, documents: list[Any]) -> Sourced:
        sources = sorted(set(called))
        called.clear()
        return name, documents, sources

    yield fixture("mcp-arguments", [{name: tool.input_schema} for name, tool in sorted(session.tools().items())])
    yield fixture("mcp-games", [ask("list_games")])
    for key in OPTIONS:
        yield fixture(f"mcp-match-{key}", list(_tools_of_game(ask, key)))
    yield fixture("mcp-next", list(_tools_of_rounds(ask)))


def _tools_of_game(ask: Callable[..., Any], key: str) -> Iterator[Any]:
    yield ask("read_rules", game=key)
    made = ask("start_game", game=key, options=options_of(key), opponent="invitation", first="me")
    yield made
    match = made["match"]
    joined = ask("join_game", match=match, invitation=made["invitation"], name="Zed")
    yield joined
    seats, random = (made["seat"], joined["seat"]), Random(1)
    yield ask("wait_for_turn", match=match, seat=seats[0])
    seen, shown = ask("see_position", match=match), 3
    yield seen
    while seen["status"] != "over":
        legal = ask("legal_moves", match=match)
        move = random.choice(legal["legal"])
        seen = ask("play", match=match, seat=seats[legal["turn"] - 1], move=move, ply=seen["ply"])
        if shown or seen["status"] == "over":
            yield from (legal, seen)
        shown = max(0, shown - 1)
    yield ask("read_record", match=match) | {"record": ""}
    alone = ask("start_game", game=key, options=options_of(key), opponent="level:1", first="me")
    yield alone
    seat = {"match": alone["match"], "seat": alone["seat"]}
    yield from (ask("hint", **seat, rung=rung) for rung in (1, 2, 3, 4))
    yield ask("analyse", **seat)
    yield ask("resign", **seat)


def _tools_of_rounds(ask: Callable[..., Any]) -> Iterator[Any]:
    """A round that nobody wins, and the next; its grid is dealt at random, so only the keys are compared."""
    dead = {"grid": "3,6,4,8,5,1,7,2,9"}
    made = ask("start_game", game="sequence-spot", options=dead, opponent="self", first="me")
    seat, seen = {"match": made["match"], "seat": made["seat"]}, made["position"]
    while seen["status"] == "playing":
        move = ask("legal_moves", match=made["match"])["legal"][0]
        seen = ask("play", **seat, move=move, ply=seen["ply"])
    yield seen
    dealt = ask("next_round", **seat)
    yield {key: dealt[key] if key in ("status", "round", "turn", "ply") else "*" for key in dealt}
