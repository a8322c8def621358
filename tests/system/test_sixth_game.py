"""A file in games/ is a game, with nothing else edited: the walk-through in CONTRIBUTING.md, and games unlike ours."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from parlour.engine.search import compiles, packs
from parlour.errors import TooBig
from parlour.game import Game
from parlour.limit import Limit
from parlour.match import Match
from parlour.record import read_record
from parlour.rules import Rules, read_rules
from parlour.score import Value
from parlour.setup import Setup
from parlour.solver import Solver, tabulate
from tests.support.foreign_games import COUNTDOWN, FOREIGN, ROOT, breakthrough, chomp, with_more_games, wythoff
from tests.support.naive import minimax, reachable

World = dict[str, str]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """The environment of a Parlour that has the new files among its games."""
    return with_more_games(tmp_path_factory.mktemp("sixth"))


class Told(NamedTuple):
    out: str
    err: str
    code: int


def ask(world: World, *arguments: str, typed: str = "") -> Told:
    run = subprocess.run(
        [sys.executable, "-m", "parlour", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        env=world,
        timeout=60,
        check=False,
    )
    assert "Traceback" not in run.stderr
    return Told(run.stdout, run.stderr, run.returncode)


def parlour_says(world: World, *arguments: str, typed: str = "") -> str:
    told = ask(world, *arguments, typed=typed)
    assert told.code == 0, told.err
    return told.out


def run_tests(world: World, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments],
        cwd=ROOT,
        env=world,
        capture_output=True,
        text=True,
        check=False,
    )


def kept_record(world: World) -> str:
    """The record of the game that was played last."""
    newest = parlour_says(world, "games", "--all").split()[0]
    return parlour_says(world, "export", newest)


# The walk-through.


def test_the_walk_through_fits_one_short_file() -> None:
    assert len(COUNTDOWN.splitlines()) < 150


def test_it_is_listed_with_its_rules_and_options(world: World) -> None:
    assert "countdown" in parlour_says(world, "list")
    rules = parlour_says(world, "rules", "count")
    assert "never as many as the other player has just taken" in " ".join(rules.split())
    assert "--heap: counters in the heap" in rules


def test_it_can_be_played_at_once(world: World) -> None:
    # 4 counters: 1, then not 1 but 2, then not 2 but 1, and nothing is left.
    told = parlour_says(world, "play", "countdown", "--heap", "4", typed="1\n1\n2\n1\n")
    assert "Invalid move! 1 has just been taken." in told
    assert told.rstrip().endswith("Player 1 wins!")
    assert "1. 1\n2. 2\n3. 1\n" in kept_record(world)


def test_the_computer_plays_it(world: World) -> None:
    assert "wins!" in parlour_says(world, "play", "countdown", "--p1", "random", "--p2", "random", "--seed", "1")


def test_it_refuses_positions_that_play_cannot_reach(world: World) -> None:
    told = ask(world, "solve", "countdown", "--position", "20.2")
    assert told.err == "parlour: bad position '20.2'; 1 are gone, so the last to be taken cannot have been 2\n"


# The contract, for all of them.


def test_they_pass_the_contract(world: World) -> None:
    run = run_tests(world, "tests/unit/contract")
    assert run.returncode == 0, run.stdout
    assert "passed" in run.stdout


def test_the_documents_do_not_mind_them(world: World) -> None:
    about_games = "readme or table or told or rulings or ledger"
    run = run_tests(world, "tests/unit/test_doc_pages.py", "tests/unit/test_ledger.py", "-k", about_games)
    assert run.returncode == 0, run.stdout
    assert "passed" in run.stdout


def test_a_game_that_breaks_the_contract_is_found_out(world: World) -> None:
    path = Path(world["PYTHONPATH"]) / "parlour" / "games" / "countdown.py"
    path.write_text(COUNTDOWN.replace("return Bounds(4, options.heap,", "return Bounds(4, options.heap // 4,"))
    try:
        run = run_tests(world, "tests/unit/contract", "-k", "bounds")
    finally:
        path.write_text(COUNTDOWN)
    assert run.returncode == 1, run.stdout


# Games unlike ours.


@pytest.mark.parametrize("path", FOREIGN, ids=lambda path: path.stem)
def test_each_is_one_short_file(path: Path) -> None:
    assert len(path.read_text().splitlines()) < 200


def test_they_are_listed_with_their_options(world: World) -> None:
    listed = {game["key"]: game for game in json.loads(parlour_says(world, "list", "--json"))}
    assert {"breakthrough", "chomp", "wythoff"} <= set(listed)
    assert [option["name"] for option in listed["breakthrough"]["options"]] == ["columns", "rows", "pawns"]
    assert "on their way" in parlour_says(world, "rules", "breakthrough")


def test_two_heaps_are_played_from_a_pipe(world: World) -> None:
    told = parlour_says(world, "play", "wythoff", typed="6 0\n(0,4)\n00 02\n1,1\nnothing\n1 0\n")
    assert "Player 1 plays 6,0." in told
    assert "Player 1 plays 0,2." in told
    assert "Invalid move! There are only 1 and 0 counters." in told
    assert "Invalid move! 'nothing' names no move." in told
    assert told.rstrip().endswith("Player 2 wins!")


def test_lettered_squares_are_played_from_a_pipe(world: World) -> None:
    told = parlour_says(world, "play", "chomp", "--columns", "2", "--rows", "3", typed="a1\nB 3\nb3\nb2\na2\n(b1)\n")
    assert "Invalid move! A1 is poisoned." in told
    assert "Invalid move! B3 has been eaten already." in told
    assert told.rstrip().endswith("Player 2 wins!")
    assert kept_record(world).endswith('[Result "0-1"]\n\n1. b3\n2. b2\n3. a2\n4. b1\n')


def test_captures_on_8_by_8_are_played_from_a_pipe(world: World) -> None:
    typed = ["b2-b3", "g7-g6", "B3 b4", "g6g5", "b4-b5", "(g5-g4)", "b5-b6", "g4-g3", "a2-a2", "b6xa7", "b6-a7"]
    typed += ["g3-h2", "b8-b7", "a7-b8"]
    told = parlour_says(world, "play", "breakthrough", typed="".join(f"{line}\n" for line in typed))
    assert "Invalid move! Your own pawn is on a2." in told
    assert "Invalid move! 'b6xa7' names no move." in told
    assert "Invalid move! You have no pawn on b8." in told
    assert told.rstrip().endswith("Player 1 wins!")
    record = kept_record(world)
    assert "9. b6-a7\n10. g3-h2\n" in record
    newest = parlour_says(world, "games", "--all").split()[0]
    assert "11. Player 1: a7-b8" in parlour_says(world, "replay", newest)
    assert ask(world, "import", "-", typed=record).code == 0
    assert kept_record(world) == record


@pytest.mark.parametrize("key", ["breakthrough", "chomp", "wythoff"])
@pytest.mark.parametrize("kind", ["mcts:20", "level:3"])
def test_computers_play_them(world: World, key: str, kind: str) -> None:
    size = ["--columns", "4", "--rows", "4", "--pawns", "1"] if key == "breakthrough" else []
    told = parlour_says(world, "play", key, *size, "--p1", kind, "--p2", "random", "--seed", "1")
    assert told.rstrip().endswith("wins!")


@pytest.mark.parametrize("kind", ["random", "mcts:5", "level:3"])
def test_a_computer_plays_the_large_one(world: World, kind: str) -> None:
    told = parlour_says(world, "play", "breakthrough", "--p2", kind, "--seed", "1", typed="b2-b3\nb3-b4\nresign\n")
    assert told.count("Player 2 plays ") == 2


# What is exactly so.


SMALL: list[tuple[Game[Any, Any], dict[str, str]]] = [
    (wythoff.GAME, {}),
    (wythoff.GAME, {"left": "12", "right": "9"}),
    (chomp.GAME, {}),
    (chomp.GAME, {"columns": "5", "rows": "4"}),
    (breakthrough.GAME, {"columns": "2", "rows": "5", "pawns": "2"}),
    (breakthrough.GAME, {"columns": "3", "rows": "4", "pawns": "1"}),
]


@pytest.mark.parametrize(("game", "texts"), SMALL, ids=lambda part: part.key if isinstance(part, Game) else None)
def test_small_ones_are_solved_right(game: Game[Any, Any], texts: dict[str, str]) -> None:
    rules = read_rules(game, texts)
    score, table = minimax(rules), tabulate(rules)
    found = {rules.canonical(position) for position in reachable(rules)}
    assert dict(table.items()) == {position: score(position) for position in found}
    for runtime in ("python", "wasm"):
        solver = Solver(rules, runtime=runtime)
        for position in Random(1).sample(sorted(found), min(len(found), 30)):
            assert solver.score(position) == score(position)
            for choice in solver.choices(position):
                assert choice.score == score(rules.play(position, choice.move)).before_move()


def test_moves_that_no_mask_of_a_word_holds_are_searched_as_they_stand() -> None:
    for game in (breakthrough.GAME, wythoff.GAME):
        rules = read_rules(
            game, {"columns": "3", "rows": "4", "pawns": "1"} if game is breakthrough.GAME else {"left": "40"}
        )
        assert rules.bounds is not None
        assert rules.bounds.moves > 62
        assert packs(rules)
        assert not compiles(rules)
    assert all(compiles(read_rules(game, {})) for game in (wythoff.GAME, chomp.GAME))


def test_the_lost_heaps_are_those_of_the_golden_ratio() -> None:
    """Wythoff: the k-th lost pair is floor(k * phi) and floor(k * phi) + k."""
    rules = read_rules(wythoff.GAME, {"left": "40", "right": "40"})
    lost = {position for position, score in tabulate(rules).items() if score.value is Value.LOSS}
    golden = (1 + math.sqrt(5)) / 2
    assert lost == {(math.floor(k * golden) + k, math.floor(k * golden)) for k in range(1, 16)}


def test_the_bar_is_won_by_who_begins() -> None:
    """A bar has as many shapes as paths along its edge; a square one is won by b2, one of two rows by its corner."""
    for columns, rows in ((3, 3), (4, 4), (4, 2), (5, 2), (5, 4)):
        bar = read_rules(chomp.GAME, {"columns": str(columns), "rows": str(rows)})
        assert len(tabulate(bar)) == math.comb(columns + rows, rows) - 2, "neither nothing nor a1 alone is to move from"
        won = [bar.name(each.move) for each in Solver(bar).choices(bar.start) if each.value is Value.WIN]
        assert won
        if columns == rows:
            assert won == ["b2"]
        if rows == 2:
            assert won == [f"{'abcdefgh'[columns - 1]}2"]


def test_what_cannot_be_packed_is_refused_early_and_clearly(world: World) -> None:
    for words in (
        ["solve", "breakthrough"],
        ["tabulate", "breakthrough"],
        ["tabulate", "chomp", "--columns", "8", "--rows", "8"],
    ):
        told = ask(world, *words)
        assert told.code == 1
        assert told.out == ""
        assert told.err.startswith("parlour: ")
        assert "too large for a table" in told.err
        assert "choose smaller options" in told.err
        assert told.err.count("\n") == 1
    rules, limit = read_rules(breakthrough.GAME, {}), Limit()
    with pytest.raises(TooBig):
        Solver(rules).value(rules.start, limit)
    assert limit.spent < 50_000


def test_the_end_of_a_large_game_can_be_solved(world: World) -> None:
    # One pawn a side, on 8 by 8: the player to move is one step from the other side.
    position = f"{1 << 49}.{1 << 20}.1"
    told = json.loads(parlour_says(world, "solve", "breakthrough", "--position", position, "--json"))
    assert (told["value"], told["plies"]) == ("win", 1)
    assert {choice["move"]: choice["plies"] for choice in told["choices"]} == {"b7-a8": 1, "b7-b8": 1, "b7-c8": 1}


# Served like any other.


@pytest.fixture(scope="module")
def client(world: World) -> Iterator[Any]:
    httpx = pytest.importorskip("httpx")
    pytest.importorskip("fastapi")
    from tests.support.server import Server

    with pytest.MonkeyPatch.context() as patch:
        for name, value in world.items():
            patch.setenv(name, value)
        server = Server(f"sqlite:///{world['PYTHONPATH']}/web.sqlite3", "--unlimited")
    try:
        with httpx.Client(base_url=server.url, timeout=60) as client:
            yield client
    finally:
        server.stop()
    assert "Traceback" not in server.errors, server.errors


@pytest.mark.parametrize("game", [breakthrough.GAME, chomp.GAME, wythoff.GAME], ids=lambda game: game.key)
def test_a_match_over_http(client: Any, game: Any) -> None:
    assert game.key in [card["key"] for card in client.get("/api/games").json()["games"]]
    assert client.get(f"/api/games/{game.key}").json()["rules"]
    made = client.post("/api/challenge/local", json={"game": game.key, "options": {}, "first": "1"}).json()
    seat = {"Authorization": f"Bearer {made['seat']}"}
    here, random = Match(Setup(Rules(game, game.defaults))), Random(1)  # the same by the rules alone
    state = client.get(f"/api/matches/{made['id']}", headers=seat).json()
    while here.legal_moves:
        table = state["table"]
        assert table["legal"] == here.legal_names
        assert table["legal_count"] == len(here.legal_moves)
        shown = {tile["move"] for group in table["view"] for row in group["rows"] for tile in row if tile["legal"]}
        assert shown == set(here.legal_names)
        move = random.choice(here.legal_moves)
        answer = client.post(
            f"/api/matches/{made['id']}/move",
            headers=seat,
            json={"move": here.rules.name(move).upper(), "ply": state["ply"]},
        )
        assert answer.status_code == 200, answer.text
        state = answer.json()
        here.play(move)
    assert here.outcome is not None
    assert here.outcome.winner is not None
    assert state["outcome"]["winner"] == here.outcome.winner
    record = read_record_of(client.get(f"/api/matches/{made['id']}/record").text, game)
    assert record == here.rules.names(here.round.moves)
    token = ".".join(record)
    assert client.get(f"/api/games/{game.key}/position?moves={token}").json()["turn"] is None


def test_a_board_has_its_letters_and_numbers_beside_it(client: Any) -> None:
    board, moves = client.get("/api/games/breakthrough/position").json()["view"]
    assert (board["across"], board["down"]) == (list("abcdefgh"), list("87654321"))
    assert (moves["across"], moves["down"]) == ([], [])
    (bar,) = client.get("/api/games/chomp/position?moves=c2").json()["view"]
    assert (bar["across"], bar["down"]) == (list("abcd"), list("321"))


def read_record_of(text: str, game: Any) -> list[str]:
    """The moves of a record of a game that is not in this catalog."""
    with pytest.raises(Exception, match=f"unknown game '{game.key}'"):
        read_record(text)
    return [line.partition(". ")[2] for line in text.partition("\n\n")[2].splitlines()]


def test_what_cannot_be_solved_is_said_over_http(client: Any) -> None:
    answer = client.get("/api/games/breakthrough/solve")
    assert answer.json()["code"] == "solve/too-big"
    assert answer.json()["error"].startswith("positions of this game are too large")
    assert client.get("/api/games/chomp/solve").json()["value"] == "win"
