"""The games over HTTP: their cards, any position of them, and what it is exactly worth."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import httpx
import pytest

import parlour
from parlour import catalog
from parlour.match import Match
from parlour.options import declared, show_options
from parlour.rules import read_rules
from parlour.setup import Setup
from parlour.study.hints import Hints
from parlour.view import PlayerNumber
from parlour.writer import plain
from tests.support.asgi import WebApp
from tests.support.qr import TEXTS, modules
from tests.support.schema import check
from tests.support.seats import SMALL, Seat, challenge, refused, wait_until

Document = dict[str, Any]
NDJSON = "application/x-ndjson"
TOO_BIG = {"length": "12", "range": "36"}  # of Increasing Differences

all_games = pytest.mark.parametrize("key", catalog.keys())

# Positions in the middle of games: the game, its options, the moves.
POSITIONS = [
    ("double-up", {"limit": "50"}, "2.3.5"),
    ("increasing-differences", {"length": "4", "range": "12"}, "5.7.8"),
    ("pyramid-challenge", {"copies": "2"}, "4.5.7.2"),
    ("sequence-builder", {"increments": "1,2"}, "5.7.6"),
    ("sequence-spot", {"grid": "2,7,6,9,5,1,4,3,8"}, "2,1.1,2"),
]
positions = pytest.mark.parametrize(("key", "texts", "moves"), POSITIONS, ids=[key for key, _, _ in POSITIONS])


@pytest.fixture(scope="module")
def cards(app: WebApp) -> dict[str, Document]:
    with app.client() as client:
        return {card["key"]: card for card in client.get("/api/games").json()["games"]}


def get(client: httpx.Client, path: str, **query: str) -> Document:
    answer = client.get(path, params=query)
    assert answer.status_code == 200, answer.text
    document: Document = answer.json()
    return document


def match_of(key: str, texts: dict[str, str], moves: str = "", first: PlayerNumber = 1) -> Match:
    game = catalog.find_game(key)
    match = Match(Setup(read_rules(game, texts), first=first, seed="4"))  # the page deals a grid worth studying
    match.play_line(moves.split(".") if moves else [])
    return match


# What there is.


def test_health(client: httpx.Client) -> None:
    found = get(client, "/api/health")
    assert found["ok"] is True
    assert found["version"] == parlour.__version__
    assert "stored" in found["expiry"]


def test_all_games_has_its_card_in_the_order_of_the_menu(cards: dict[str, Document]) -> None:
    assert list(cards) == list(catalog.keys())
    for key, card in cards.items():
        game = catalog.find_game(key)
        assert (card["title"], card["summary"], card["known"]) == (game.title, game.content.summary, game.content.known)
        assert card["version"] == game.version
        assert card["rounds"] is (key == "sequence-spot")
        assert card["known"], "these five are solved"


@all_games
def test_every_option_has_a_form_that_makes_a_game(client: httpx.Client, cards: dict[str, Document], key: str) -> None:
    game, options = catalog.find_game(key), cards[key]["options"]
    assert [option["name"] for option in options] == list(declared(game.options))
    for option in options:
        assert option["help"]
        assert option["allowed"]
        assert option["label"] == option["name"].replace("_", " ")
        for text, fits in tried(option):
            answer = client.get(f"/api/games/{key}/position", params={option["name"]: text})
            if answer.status_code == 200:
                assert fits, (option["name"], text)
                shown = answer.json()["options"][option["name"]]
                assert shown == text or (option["by_chance"] and not text)
            else:
                told = refused(answer, 400, "options/bad")
                # Within its own limits an option is refused only for the sake of another, which is named then.
                assert not fits or not told["error"].startswith("bad "), told
    usual = {option["name"]: option["default"] for option in options}
    assert (
        get(client, f"/api/games/{key}/position", **usual)["study"]
        == (get(client, f"/api/games/{key}/position")["study"])
    ), "a form that is sent as it is, is the book's game"


def tried(option: Document) -> Iterator[tuple[str, bool]]:
    """Texts for an option, and whether by its own description they would do."""
    yield option["default"], True
    yield "nonsense", False
    if option["kind"] == "number":
        low, high = option["low"], option["high"]
        yield from [(str(low), True), (str(high), True), (str(low - 1), False), (str(high + 1), False)]
        yield "none", option["none"]
    elif option["kind"] == "word":
        yield from [(word, True) for word in option["words"]]
    elif option["kind"] == "numbers":
        low, high = option["low"], option["high"]
        yield from [(str(low), True), (f"{low},{high}", True), (str(high + 1), False), (f"{low},,{high}", False)]
    else:
        assert option["kind"] == "arrangement"
        assert option["by_chance"]
        yield from [("9,8,7,6,5,4,3,2,1", True), ("1,1,2,3,4,5,6,7,8", False), ("123456789", False)]


@all_games
def test_every_variant_can_be_played_and_says_why(client: httpx.Client, cards: dict[str, Document], key: str) -> None:
    assert cards[key]["variants"]
    for variant in cards[key]["variants"]:
        assert variant["title"]
        assert variant["why"]
        assert variant["options"]
        table = get(client, f"/api/games/{key}/position", **variant["options"])
        assert variant["options"].items() <= table["options"].items()
        made = challenge(client, "local", game=key, options=variant["options"])
        assert made["state"]["status"] == "playing"


@all_games
def test_the_demo_is_the_worked_example(cards: dict[str, Document], key: str) -> None:
    game, demo = catalog.find_game(key), cards[key]["demo"]
    assert game.content.example is not None
    moves = game.content.example.moves.split()
    assert [table["moves"] for table in demo] == [demo[-1]["moves"][:ply] for ply in range(len(demo))]
    assert [move for move in demo[-1]["moves"] if move != "pass"] == [move for move in moves if move != "pass"]
    assert demo[-1]["result"]["winner"] in (1, 2)
    assert demo[-1]["turn"] is None
    sample = cards[key]["sample"]
    assert sample in demo[1:-1]
    assert sample["legal"]


def test_the_computers_are_offered_from_the_easiest_on(client: httpx.Client) -> None:
    levels = get(client, "/api/games")["levels"]
    assert [level["key"] for level in levels] == ["random", *(f"level:{n}" for n in range(1, 6)), "perfect"]
    for level in levels:
        assert level["about"]
        made = challenge(client, "computer", game="double-up", level=level["key"], first="me")
        assert made["state"]["players"][1]["computer"] == level["key"]


def test_the_cards_travel_compressed_and_only_once(client: httpx.Client) -> None:
    plain = client.get("/api/games", headers={"Accept-Encoding": "identity"})
    assert "Content-Encoding" not in plain.headers
    with client.stream("GET", "/api/games", headers={"Accept-Encoding": "gzip"}) as zipped:
        raw = b"".join(zipped.iter_raw())
    assert zipped.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(raw) == plain.content
    assert len(raw) < len(plain.content) / 4
    assert plain.headers["ETag"] == zipped.headers["ETag"]
    assert plain.headers["Vary"] == "Accept-Encoding"
    again = client.get("/api/games", headers={"If-None-Match": plain.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["ETag"] == plain.headers["ETag"]
    assert client.get("/api/games", headers={"If-None-Match": '"another"'}).status_code == 200


@all_games
def test_one_game_is_its_card_with_the_rules(client: httpx.Client, cards: dict[str, Document], key: str) -> None:
    found = get(client, f"/api/games/{key}")
    rules = found.pop("rules")
    assert found == cards[key]
    told = " ".join(block["text"] or " ".join(block["items"]) for block in rules)
    said = (
        catalog.find_game(key).content.rules_text.replace("\n- ", "\n").replace("--", "")
    )  # options as forms call them
    assert told == " ".join(said.split()), "every word, in order"
    for before, block in zip([None, *rules], rules, strict=False):
        if block["kind"] == "ul":
            assert block["items"]
            assert before is not None
            assert before["kind"] == "h"


def test_a_game_that_there_is_not(client: httpx.Client) -> None:
    for path in ("", "/position", "/solve", "/hint", "/why?move=1"):
        refused(client.get(f"/api/games/chess{path}"), 404, "game/unknown")


# Any position.


@all_games
def test_a_study_link_leads_to_the_same_table(client: httpx.Client, key: str) -> None:
    """Also where the grid was dealt, whoever began, and with options that are not the game's own."""
    game = catalog.find_game(key)
    for texts, first in zip([{}, *(each.options for each in game.content.variants)], cycle("21")):
        random = Random(f"{key} {texts}")
        match = match_of(key, texts, first=2 if first == "2" else 1)
        for _ in range(random.randrange(12)):
            if match.legal_moves:
                match.play(random.choice(match.legal_moves))
        moves = ".".join(match.rules.names(match.round.moves))
        asked = {**texts, "moves": moves or "start", "first": first}
        table = get(client, f"/api/games/{key}/position", **asked)
        assert table["token"] == (moves or "start")
        assert table["options"] == show_options(match.options)
        assert table["first"] == int(first)
        assert follow(client, table["study"]) == table
        refused(client.get(f"/api/games/{key}/position", params={**asked, "first": "3"}), 400, "request/bad")


def test_the_study_link_of_a_match_leads_to_its_table(client: httpx.Client) -> None:
    """There the grid is dealt from a seed of the match's own, so the link has to hold it."""
    for first in ("1", "2"):
        made = challenge(client, "local", game="sequence-spot", first=first, options={"max_rounds": "3"})
        seat = Seat(client, made["id"], made["seat"])
        for _ in range(3):
            state = seat.state()
            table = follow(client, state["table"]["study"])
            assert table == state["table"]
            seat.move(table["legal"][0])


def follow(client: httpx.Client, study: str) -> Document:
    """What the page asks for when somebody opens the address of a study board."""
    address = urlsplit(study)
    _, place, game, token = address.path.split("/")
    assert place == "study"
    query = dict(parse_qsl(address.query, strict_parsing=True) if address.query else [])
    assert client.get(study, headers={"Accept": "text/html"}).status_code == 200
    return get(client, f"/api/games/{game}/position", moves=unquote(token), **query)


def test_names_are_those_that_are_given(client: httpx.Client) -> None:
    table = get(client, "/api/games/double-up/position", moves="2.3", p1="Ann", p2="Bob")
    assert table["names"] == ["Ann", "Bob"]
    assert table["last"] == {
        "player": 2, "move": "3", "passed": False, "text": table["last"]["text"], "told": "took 3", "why": "",
    }  # fmt: skip
    refused(client.get("/api/games/double-up/position", params={"p1": "Ann", "p2": "Ann"}), 400, "name/bad")


def test_a_forced_pass_is_played_though_it_is_not_said(client: httpx.Client) -> None:
    said = get(client, "/api/games/sequence-builder/position", moves="20.16.pass.19")
    unsaid = get(client, "/api/games/sequence-builder/position", moves="20.16.19")
    assert said == unsaid
    assert said["token"] == "20.16.pass.19"


def test_a_table_of_many_choices_counts_them(client: httpx.Client) -> None:
    moves = ".".join(str(2**n) for n in range(1, 12))
    table = get(client, "/api/games/double-up/position", limit="1000000", moves=moves)
    assert (len(table["legal"]), table["legal_count"], table["legal_text"]) == (200, 2048, "2049-4096")
    assert sum(tile["legal"] for group in table["view"] for row in group["rows"] for tile in row) <= 60


def test_a_game_without_a_limit_has_positions_beyond_any_number(client: httpx.Client) -> None:
    moves = ".".join(str(2**n) for n in range(1, 71))
    table = get(client, "/api/games/double-up/position", limit="none", moves=moves)
    assert table["legal_count"] == 2**70
    assert len(table["legal"]) == 200


# What it is worth.


@all_games
def test_a_small_game_is_solved_as_at_the_terminal(client: httpx.Client, run: Callable[..., Any], key: str) -> None:
    found = get(client, f"/api/games/{key}/solve", **SMALL[key])
    told = json.loads(run("solve", key, "--seed", "4", "--json", *options_of(SMALL[key])).out)
    agree(found, told)
    assert found["left_out"] == 0
    assert (found["about"] is not None) == (key == "sequence-spot")
    check_line(found)


@positions
def test_a_position_is_solved_as_at_the_terminal(
    client: httpx.Client, run: Callable[..., Any], key: str, texts: dict[str, str], moves: str
) -> None:
    found = get(client, f"/api/games/{key}/solve", moves=moves, first="2", **texts)
    told = json.loads(run("solve", key, *options_of(texts), "--moves", moves.replace(".", " "), "--json").out)
    assert found["to_move"] == 3 - told.pop("to_move"), "the other player began"
    agree(found, told)
    check_line(found)
    # The solver's own token means the same position, though nobody knows whose turn it is.
    by_token = get(client, f"/api/games/{key}/solve", position=found["position"], **texts)
    assert by_token == {**found, "moves": [], "to_move": None}
    refused(
        client.get(f"/api/games/{key}/solve", params={"moves": moves, "position": found["position"], **texts}),
        400,
        "position/bad",
    )


def options_of(texts: dict[str, str]) -> list[str]:
    """Options as the terminal wants them."""
    return [word for name, text in texts.items() for word in (f"--{name.replace('_', '-')}", text)]


def agree(found: Document, told: Document) -> None:
    """The web and the terminal, about everything that both tell."""
    for field in told:
        if field != "choices":
            assert found[field] == told[field], field
    assert [(choice["move"], choice["value"], choice["plies"]) for choice in found["choices"]] == [
        (choice["move"], choice["value"], choice["plies"]) for choice in told["choices"]
    ]
    keeping = [choice for choice in found["choices"] if choice["value"] == found["value"]]
    assert [choice for choice in found["choices"] if choice["keeps"]] == keeping
    assert [choice for choice in found["choices"] if choice["best"]] == [
        choice for choice in keeping if choice["plies"] == found["plies"]
    ]


def check_line(found: Document) -> None:
    """The line is possible, begins with a best move, and ends when it is said to: nobody can win any more, at least."""
    line = found["line"]
    match = match_of(found["game"], found["options"], ".".join([*found["moves"], *line]))
    assert not match.legal_moves or match.game.rules.settled(match.rules.packed, match.position)
    assert found["plies"] in (None, len(line))
    assert line[:1] in ([], *([choice["move"]] for choice in found["choices"] if choice["best"]))


def test_what_is_over_has_no_choices(client: httpx.Client) -> None:
    found = get(client, "/api/games/double-up/solve", limit="4", moves="2.4")
    assert (found["value"], found["plies"], found["choices"], found["to_move"]) == ("loss", 0, [], None)
    for path in ("hint?", "why?move=5&"):
        refused(client.get(f"/api/games/double-up/{path}limit=4&moves=2.4"), 409, "game/over")


def test_more_choices_than_anybody_reads_are_counted(client: httpx.Client) -> None:
    moves = ".".join(str(2**n) for n in range(1, 12))
    found = get(client, "/api/games/double-up/solve", limit="1000000", moves=moves)
    assert (len(found["choices"]), found["left_out"]) == (1000, 1048)
    assert found["value"] in ("win", "loss")


@positions
def test_the_hints_are_those_of_the_terminal_rung_by_rung(
    client: httpx.Client, key: str, texts: dict[str, str], moves: str
) -> None:
    match = match_of(key, texts, moves)
    ladder, rungs = Hints(match), list[int]()
    while not rungs or rungs[-1] < 4:
        expected = ladder.hint()
        asked = 1 + (rungs[-1] if rungs else 0)
        found = get(client, f"/api/games/{key}/hint", moves=moves, rung=str(asked), **texts)
        assert found == plain(expected)
        rungs.append(found["rung"])
    assert rungs == sorted(set(rungs))
    assert rungs[0] == 1
    assert found["move"] is not None
    assert found["text"].startswith(("Play ", "All moves are", found["move"]))
    assert get(client, f"/api/games/{key}/hint", moves=moves, rung="4", **texts) == found, "without the others as well"


def test_a_hint_names_the_players(client: httpx.Client) -> None:
    asked = {"limit": "80", "p1": "Ann", "p2": "Bob"}
    assert "Bob" in get(client, "/api/games/double-up/hint", **asked)["text"]
    assert "Ann" in get(client, "/api/games/double-up/hint", first="2", **asked)["text"]


def said(key: str, texts: dict[str, str], move: str) -> str:
    """A move as people say it: in Sequence Spot, the number in the cell."""
    if key != "sequence-spot":
        return move
    row, column = map(int, move.split(","))
    return texts["grid"].split(",")[3 * row + column - 4]


@positions
def test_why_says_of_every_move_what_solve_says(
    client: httpx.Client, key: str, texts: dict[str, str], moves: str
) -> None:
    found = get(client, f"/api/games/{key}/solve", moves=moves, **texts)
    for choice in found["choices"][:4]:
        reason = get(client, f"/api/games/{key}/why", moves=moves, move=choice["move"], **texts)
        assert {name: reason[name] for name in ("move", "value", "plies", "keeps")} == {
            name: choice[name] for name in ("move", "value", "plies", "keeps")
        }
        assert reason["text"].startswith(said(key, texts, choice["move"]))
        assert choice["plies"] in (None, 1 + len(reason["line"]))
        match_of(key, texts, ".".join([moves, choice["move"], *reason["line"]]))
    refused(client.get(f"/api/games/{key}/why", params={"moves": moves, "move": "x", **texts}), 400, "move/unreadable")


def test_why_says_of_a_move_that_is_not_allowed_why_it_is_not(client: httpx.Client) -> None:
    told = refused(client.get("/api/games/double-up/why?moves=2.3&move=7"), 400, "move/illegal")
    assert (told["reason"], told["legal"]) == ("7 is more than 6, the double of 3", "4-6")


# With progress.


def lines(client: httpx.Client, path: str, **query: str) -> list[Document]:
    with client.stream("GET", path, params=query, headers={"Accept": NDJSON}) as stream:
        assert stream.status_code == 200
        assert stream.headers["content-type"].startswith(NDJSON)
        return [json.loads(line) for line in stream.iter_lines()]


@pytest.mark.parametrize("path", ["solve", "hint?rung=4", "why?move=6"])
def test_an_answer_can_come_as_lines(client: httpx.Client, path: str) -> None:
    query = dict(parse_qsl(path.partition("?")[2])) | SMALL["sequence-builder"]
    plain = client.get(f"/api/games/sequence-builder/{path}", params=query).json()
    *progress, last = lines(client, f"/api/games/sequence-builder/{path}", **query)
    assert last == {"type": "answer", "answer": plain}
    assert all(line["type"] == "progress" for line in progress)


def test_a_refusal_that_comes_at_once_has_its_status_even_if_lines_are_wanted(client: httpx.Client) -> None:
    assert client.get("/api/games/double-up/solve?limit=20").status_code == 200  # a search process has started
    refused(client.get("/api/games/double-up/solve?limit=none", headers={"Accept": NDJSON}), 422, "solve/too-big")
    refused(client.get("/api/games/double-up/solve?limit=x", headers={"Accept": NDJSON}), 400, "options/bad")


# Too much.


def test_the_computer_moves_while_somebody_asks_too_much(app: WebApp) -> None:
    path, headers = "/api/games/increasing-differences/solve", {"Accept": NDJSON}
    asking = app.client()
    with asking, app.client() as other, asking.stream("GET", path, params=TOO_BIG, headers=headers) as asked:
        check(json.loads(next(asked.iter_lines())), "SearchProgress")
        made = challenge(other, "computer", game="double-up", level="level:1", first="me")
        seat = Seat(other, made["id"], made["seat"])
        seat.move("2")
        wait_until(seat, lambda state: not state["thinking"], seconds=8)


# What was played.


@all_games
def test_the_report_is_that_of_the_terminal(
    client: httpx.Client, run: Callable[..., Any], tmp_path: Path, key: str
) -> None:
    made = played(client, key)
    found = get(client, f"/api/matches/{made['id']}/report")
    answer = client.get(f"/api/matches/{made['id']}/record")
    assert answer.headers["content-type"].startswith("text/plain")
    name = re.search(r'filename="([\w.-]+)"', answer.headers["Content-Disposition"])
    assert name is not None
    (tmp_path / name[1]).write_text(answer.text)
    told = json.loads(run("report", str(tmp_path / name[1]), "--json").out)
    assert found["text"]
    assert found.pop("seconds") > told.pop("seconds"), "of a whole match, and of one position"
    assert found == told
    *_, last = lines(client, f"/api/matches/{made['id']}/report")
    assert last["answer"]["rounds"] == found["rounds"]


def played(client: httpx.Client, key: str) -> Document:
    """A match that was played to its end by chance."""
    few = {"max_rounds": "2"} if key == "sequence-spot" else {}
    made = challenge(client, "local", game=key, options=SMALL[key] | few, first="2", names=["Ann", "Bob"])
    seat, random = Seat(client, made["id"], made["seat"]), Random(key)
    state = made["state"]
    while state["status"] != "over":
        if state["status"] == "between":
            answer = seat.post("next", ply=state["ply"])
        else:
            answer = seat.move(random.choice(state["table"]["legal"]), state["ply"])
        assert answer.status_code == 200, answer.text
        state = answer.json()
    return state


@all_games
def test_a_replay_shows_every_position_of_a_round(client: httpx.Client, key: str) -> None:
    state = played(client, key)
    for number, round in enumerate(state["rounds"], 1):
        found = get(client, f"/api/matches/{state['id']}/replay", round=str(number))
        assert (found["round"], found["rounds"]) == (number, len(state["rounds"]))
        tables = found["tables"]
        assert [table["moves"] for table in tables] == [round["moves"][:ply] for ply in range(len(round["moves"]) + 1)]
        assert {table["first"] for table in tables} == {round["first"]}
        assert all(table["names"] == ["Ann", "Bob"] for table in tables)
        assert [table["turn"] for table in tables[:-1]] == [
            1 + (round["first"] - 1 + ply) % 2 for ply in range(len(tables) - 1)
        ]
        assert tables[-1]["result"] is not None
    assert tables[-1] == state["table"]
    for wrong, code in ((len(state["rounds"]) + 1, 404), (0, 400)):
        answer = client.get(f"/api/matches/{state['id']}/replay", params={"round": wrong})
        assert answer.status_code == code
    refused(client.get("/api/matches/abcdefghjk/replay"), 404, "match/unknown")


def test_a_report_of_a_match_between_friends_waits_for_its_end(client: httpx.Client) -> None:
    made = challenge(client, game="double-up")
    refused(client.get(f"/api/matches/{made['id']}/report"), 409, "offer/impossible")


# QR codes.

FINDER = ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"]


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_qr_code_is_one_and_says_what_was_sent(client: httpx.Client, text: str) -> None:
    import segno

    answer = client.post("/api/qr", json={"text": text})
    assert answer.status_code == 200
    rows = modules(answer.json())
    size = len(rows)
    assert (size - 17) % 4 == 0
    assert 21 <= size <= 177
    for top, left in ((0, 0), (0, size - 7), (size - 7, 0)):
        seen = ["".join(".#"[dark] for dark in row[left : left + 7]) for row in rows[top : top + 7]]
        assert seen == FINDER
    assert rows == [[bool(dark) for dark in row] for row in segno.make(text, error="m", micro=False).matrix]


def test_what_makes_no_qr_code(client: httpx.Client) -> None:
    for body in ({"text": ""}, {"text": "x" * 301}, {}, {"text": "x", "size": 3}):
        refused(client.post("/api/qr", json=body), 400, "request/bad")
    for text in ("\N{GRINNING FACE}" * 76, "é" * 151):
        told = refused(client.post("/api/qr", json={"text": text}), 400, "error")["error"]
        assert "at most 300 bytes" in told
        assert str(len(text.encode())) in told
