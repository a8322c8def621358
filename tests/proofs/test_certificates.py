"""Certificates, checked by Parlour and by the verifier that shares no code with it; and what both refuse."""

from __future__ import annotations

import ast
import gzip
import json
import subprocess
import sys
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from parlour import catalog
from parlour.errors import ParlourError
from parlour.options import read_words
from parlour.rules import Rules, read_rules
from parlour.score import Value
from parlour.solver import Solver
from parlour.study.certify import certify, claim_in_words
from parlour.study.strategy import read_strategies, write_strategy
from tests.support import ROOT
from tests.support.marks import quickly
from tests.support.naive import minimax, reachable

VERIFIER = ROOT / "verifier"
SMALL = [
    "double-up limit=20",
    "double-up limit=37",
    "increasing-differences length=3 range=8",
    "increasing-differences length=4 range=8",
    "increasing-differences length=5 range=8",
    "pyramid-challenge base=2 highest=5 copies=1",
    "pyramid-challenge base=3 highest=3",
    "pyramid-challenge base=3 highest=4 copies=2",
    "sequence-builder length=4 pool=8",
    "sequence-builder length=5 pool=8 increments=1,3",
    "sequence-builder length=3 pool=7 increments=2,3",
    "sequence-spot grid=1,2,3,4,5,6,7,8,9",
    "sequence-spot grid=2,7,6,9,5,1,4,3,8",
]
every_small = quickly("text", SMALL, SMALL[0], SMALL[2], SMALL[5], SMALL[8], SMALL[12])


def rules_of(text: str) -> Rules:
    game, _, options = text.partition(" ")
    return read_rules(catalog.find_game(game), read_words(options))


@pytest.fixture(autouse=True)
def _verifier_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(VERIFIER))
    for name in (
        "verify",
        "double_up",
        "increasing_differences",
        "pyramid_challenge",
        "sequence_builder",
        "sequence_spot",
    ):
        monkeypatch.delitem(sys.modules, name, raising=False)


def certificate(rules: Rules, moves: tuple[int, ...] = ()) -> str:
    return "".join(map(write_strategy, certify(rules, moves, Solver(rules).score)))


def independent(text: str) -> str:
    """What the verifier says; ValueError, or another exception, if it refuses."""
    import verify

    said: str = verify.verify(text.encode())
    return said


def refusals(text: str) -> list[str]:
    """Who refuses a certificate: "parlour", "verifier"."""
    import verify

    refused = []
    try:
        claim_in_words(read_strategies(text))
    except ParlourError:
        refused.append("parlour")
    try:
        verify.verify(text.encode())
    except (verify.Wrong, EOFError, KeyError, TypeError, ValueError, ArithmeticError):
        refused.append("verifier")
    return refused


@every_small
def test_the_rules_of_the_verifier_are_those_of_the_books_too(text: str) -> None:
    """In every position that play reaches: the same moves, the same text, the same result."""
    import importlib

    rules = rules_of(text)
    game = importlib.import_module(rules.game.key.replace("-", "_")).Game(rules.option_texts)
    seen = set()
    todo = [(rules.start, game.start())]
    while todo:
        ours, theirs = todo.pop()
        token = ".".join(map(str, ours))
        assert game.text(theirs) == token
        if token in seen:
            continue
        seen.add(token)
        if rules.is_over(ours):
            assert game.result(theirs) == Value.of_result(rules.result(ours)).word
            continue
        assert game.result(theirs) is None
        assert sorted(game.moves(theirs)) == sorted(rules.names(rules.legal(ours)))
        todo += [(rules.after(ours, move), game.play(theirs, rules.name(move))) for move in rules.legal(ours)]
    assert len(seen) >= len(reachable(rules))


@every_small
def test_both_find_a_certificate_right_and_it_says_what_is_true(text: str) -> None:
    rules = rules_of(text)
    truth = minimax(rules)
    random = Random(text)
    for moves in [(), *(some_moves(rules, random) for _ in range(4))]:
        position = rules.start
        for move in moves:
            position = rules.play(position, move)
        worth = truth(position)
        written = certificate(rules, moves)
        said, also = independent(written), claim_in_words(read_strategies(written))
        mover = len(moves) % 2 + 1
        if worth.value is Value.DRAW:
            assert "a draw" in said
            assert "a draw" in also
        else:
            winner = mover if worth.value is Value.WIN else 3 - mover
            assert f"player {winner} wins, in {worth.plies} plies at most" in said
            assert f"Player {winner} wins, in {worth.plies} turns at most" in also


def some_moves(rules: Rules, random: Random) -> tuple[int, ...]:
    """The beginning of a random game that is not over yet."""
    moves: list[int] = []
    position = rules.start
    for _ in range(random.randrange(1, 4)):
        move = random.choice(rules.legal(position))
        if rules.is_over(rules.after(position, move)):
            break
        moves.append(move)
        position = rules.after(position, move)
    return tuple(moves)


@every_small
def test_a_certificate_with_something_changed_is_refused_by_both(text: str) -> None:
    """Every reply left out, every head changed, and every move that was changed to one that does not do as well."""
    rules = rules_of(text)
    truth, written = minimax(rules), certificate(rules)
    lines, random = written.splitlines(), Random(text)
    heads = [number for number, line in enumerate(lines) if line.startswith("{")]
    both = ["parlour", "verifier"]
    body = [number for number in range(len(lines)) if number not in heads]
    for number in random.sample(body, min(10, len(body))):
        begin = max(head for head in heads if head < number)
        head = json.loads(lines[begin])
        token, name = lines[number].split(" ")
        position = rules.position(map(int, token.split(".")))
        shorter = json.dumps({**head, "positions": head["positions"] - 1})
        left_out = [*lines[:begin], shorter, *lines[begin + 1 : number], *lines[number + 1 :]]
        assert refusals("\n".join(left_out)) == both
        assert refusals("\n".join([*lines[:number], *lines[number + 1 :]])) == both
        assert refusals("\n".join([*lines[:number], f"{token} 99", *lines[number + 1 :]])) == both
        for move in rules.legal(position):
            worse = -truth(rules.after(position, move)).value < Value.read(head["value"])
            if worse and rules.name(move) != name:
                changed = [*lines[:number], f"{token} {rules.name(move)}", *lines[number + 1 :]]
                assert refusals("\n".join(changed)) == both
    head = json.loads(lines[0])
    other = next(key for key in catalog.keys() if key != head["game"])
    changes: list[dict[str, Any]] = [
        {"game": other},
        {"game": "chess"},
        {"side": 3 - head["side"]},
        {"positions": head["positions"] + 1},
        {"positions": -1},
    ]
    if head["value"] == "win":
        changes += [{"plies": head["plies"] - 1}]
    else:
        changes += [{"value": "win"}]
    for change in changes:
        assert refusals("\n".join([json.dumps({**head, **change}), *lines[1:]])) == both, change
    for rubbish in ("", "{}", "nonsense", lines[0], "\n".join(lines[1:])):
        if rubbish != lines[0] or head["positions"]:
            assert refusals(rubbish) == both, rubbish


HEADS: list[tuple[str, dict[str, Any]]] = [
    ("double-up limit=20", {"side": 3}),
    ("double-up limit=20", {"side": 0}),
    ("double-up limit=20", {"side": True}),
    ("double-up limit=20", {"side": 1.0}),
    ("double-up limit=20", {"side": "1"}),
    ("double-up limit=20", {"plies": float("nan")}),
    ("double-up limit=20", {"plies": float("inf")}),
    ("double-up limit=20", {"plies": True}),
    ("double-up limit=20", {"plies": 100.0}),
    ("double-up limit=20", {"value": "loss"}),
    ("double-up limit=20", {"value": True}),
    ("double-up limit=20", {"positions": True}),
    ("double-up limit=20", {"moves": None}),
    ("double-up limit=20", {"moves": [2]}),
    ("double-up limit=20", {"options": None}),
    ("double-up limit=20", {"options": []}),
    ("double-up limit=20", {"options": {}}),
    ("double-up limit=20", {"game": None}),
]
# Options that the books have no game for, with the proof of the game beside them.
NO_GAMES: list[tuple[str, dict[str, str]]] = [
    ("double-up", {"limit": "1"}),
    ("double-up", {"limit": "0"}),
    ("double-up", {"limit": "-5"}),
    ("double-up", {"limit": "10.0"}),
    ("double-up", {"limit": "none"}),
    ("double-up", {"limit": "1000001"}),
    ("double-up", {"limit": "1_0"}),
    ("double-up", {"limit": "10", "range": "20"}),
    ("increasing-differences", {"length": "0", "range": "8"}),
    ("increasing-differences", {"length": "1", "range": "8"}),
    ("increasing-differences", {"length": "9", "range": "8"}),
    ("pyramid-challenge", {"base": "0", "highest": "5", "copies": "1"}),
    ("pyramid-challenge", {"base": "1", "highest": "5", "copies": "1"}),
    ("pyramid-challenge", {"base": "2", "highest": "5", "copies": "0"}),
    ("pyramid-challenge", {"base": "2", "highest": "60", "copies": "2"}),
    ("sequence-builder", {"length": "4", "pool": "0", "increments": "1"}),
    ("sequence-builder", {"length": "4", "pool": "8", "increments": "-1"}),
    ("sequence-builder", {"length": "4", "pool": "8", "increments": "0,1"}),
    ("sequence-builder", {"length": "4", "pool": "8", "increments": ""}),
    ("sequence-builder", {"length": "4", "pool": "8", "increments": "3"}),
    ("sequence-spot", {"grid": "1,2,3,4,5,6,7,8", "deal": "any", "max_rounds": "none"}),
    ("sequence-spot", {"grid": "1,2,3,4,5,6,7,8,8", "deal": "any", "max_rounds": "none"}),
    ("sequence-spot", {"grid": "", "deal": "any", "max_rounds": "none"}),
    ("sequence-spot", {"grid": "3,6,4,8,5,1,7,2,9", "deal": "winnable", "max_rounds": "none"}),
    ("sequence-spot", {"grid": "3,6,4,8,5,1,7,2,9", "deal": "any", "max_rounds": "0"}),
]


@pytest.mark.parametrize(("text", "change"), HEADS, ids=[str(change) for _, change in HEADS])
def test_a_head_of_another_form_is_refused_by_both(text: str, change: dict[str, Any]) -> None:
    head, *lines = certificate(rules_of(text)).splitlines()
    changed = json.dumps({**json.loads(head), **change})
    assert refusals("\n".join([changed, *lines])) == ["parlour", "verifier"]


def empty_proof(game: str, options: dict[str, str], side: int = 1, value: str = "win") -> str:
    """A strategy without a line: it is all that a position needs in which the game is over at once."""
    head = {"kind": "parlour strategy", "format": 1, "game": game, "version": 1, "options": options, "moves": []}
    return json.dumps({**head, "side": side, "value": value, "plies": None, "positions": 0, "merged": "", "notes": {}})


@pytest.mark.parametrize(("game", "options"), NO_GAMES, ids=[f"{game} {options}" for game, options in NO_GAMES])
def test_what_is_no_game_is_refused_by_both(game: str, options: dict[str, str]) -> None:
    for text in (
        empty_proof(game, options, 1),
        empty_proof(game, options, 2),
        empty_proof(game, options, 1, "draw") + "\n" + empty_proof(game, options, 2, "draw"),
    ):
        assert refusals(text) == ["parlour", "verifier"]


def test_every_bad_file_is_refused_in_a_line_and_the_others_are_checked(tmp_path: Path) -> None:
    good = certificate(rules_of("double-up limit=20"))
    flipped = bytearray(gzip.compress(good.encode()))
    flipped[len(flipped) // 2] ^= 0x10
    no_game = empty_proof("double-up", {"limit": "1"}, 2)
    bad: dict[str, bytes] = {
        "flipped.gz": bytes(flipped),
        "cut.gz": gzip.compress(good.encode())[:40],
        "list": b"[1, 2]",
        "null": b"null",
        "number": b"7",
        "deep": b"[" * 100_000,
        "deeper": b'{"options":' * 100_000,
        "bytes": bytes(range(256)),
        "empty": b"",
        "no_lines": good.splitlines()[0].encode(),
        "odd_line": good.replace(" ", "", 30).encode(),
        "no_game": no_game.encode(),
        "short_grid": empty_proof("sequence-spot", {"grid": "1,2"}).encode(),
        "nan": good.replace('"plies": ', '"plies": NaN, "p": ', 1).encode(),
    }
    for name, data in bad.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "good").write_text(good)
    names = [str(tmp_path / name) for name in (*bad, "good")]
    for command in ([sys.executable, "-m", "parlour", "verify"], [sys.executable, str(VERIFIER / "verify.py")]):
        done = subprocess.run([*command, *names], capture_output=True, text=True, timeout=60, check=False)
        assert done.stderr == ""
        said = done.stdout.splitlines()
        assert [line.split()[0] for line in said] == ["REFUSED"] * len(bad) + ["proved"]
        assert [line.split()[1] for line in said[:-1]] == [f"{name}:" for name in names[:-1]]
        assert done.returncode == 1


def test_half_a_draw_and_two_positions_are_no_certificate() -> None:
    rules = rules_of("sequence-spot grid=2,7,6,9,5,1,4,3,8")
    one, other = (write_strategy(each) for each in certify(rules, (), Solver(rules).score))
    assert refusals(one + other) == []
    assert refusals(one) == refusals(other) == refusals(one + one) == ["parlour", "verifier"]
    double = certificate(rules_of("double-up limit=20"))
    assert refusals(double + certificate(rules_of("double-up limit=37"))) == ["parlour", "verifier"]


def test_the_verifier_imports_nothing_of_parlour_and_is_short() -> None:
    for path in VERIFIER.glob("*.py"):
        source = path.read_text(encoding="utf-8")
        assert len(source.splitlines()) < 200
        for node in ast.walk(ast.parse(source)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert {name.partition(".")[0] for name in names} <= {"gzip", "importlib", "json", "pathlib", "sys", "zlib"}


def parlour(*words: str, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "parlour", *words], capture_output=True, text=True, timeout=timeout, check=False
    )


def test_the_commands_write_and_check(tmp_path: Path) -> None:
    file = tmp_path / "proof.gz"
    done = parlour("certify", "double-up", "--limit", "50", "--moves", "2 4", "-o", str(file))
    assert done.returncode == 0, done.stderr
    assert "Player 1 wins" in done.stdout
    assert parlour("verify", str(file)).stdout.startswith("proved  Double Up: limit=50 after 2 4: Player 1 wins")
    own = [sys.executable, str(VERIFIER / "verify.py")]
    stranger = subprocess.run([*own, str(file)], capture_output=True, text=True, timeout=60, check=False)
    assert stranger.stdout.startswith('proved  double-up {"limit": "50"} after 2 4: player 1 wins')
    assert stranger.returncode == 0
    broken = tmp_path / "broken.gz"
    broken.write_bytes(file.read_bytes()[:-9])
    missing = tmp_path / "missing"
    for command in ([sys.executable, "-m", "parlour", "verify"], own):
        done = subprocess.run(
            [*command, str(file), str(broken), str(missing)], capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 1
        assert [line.split()[0] for line in done.stdout.splitlines()] == ["proved", "REFUSED", "REFUSED"]
        assert "Traceback" not in done.stderr
    assert gzip.decompress(file.read_bytes()).decode().count("\n") > 20


def test_a_certificate_is_refused_where_nothing_can_be_proved(tmp_path: Path) -> None:
    file = str(tmp_path / "proof.gz")
    for words in (
        ["double-up", "--limit", "none"],
        ["double-up", "--moves", "2 9"],
        ["double-up", "--limit", "3", "--moves", "2 3"],
        ["sequence-spot"],
    ):
        done = parlour("certify", *words, "-o", file)
        assert done.returncode in (1, 2)
        assert done.stderr.count("\n") == 1
        assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def books_and_variants() -> set[str]:
    """Every game that is shipped, has a value and leaves nothing to chance, as its certificate is called."""
    found = set()
    for game in catalog.list_games():
        for options in ("", *(variant.options for variant in game.variants)):
            found.add("_".join([game.key, *options.split()]) + ".gz")
    return {name for name in found if "limit=none" not in name and not name.startswith("sequence-spot")}


def arithmetic_lines(grid: Sequence[int]) -> frozenset[tuple[int, ...]]:
    """Which lines of a grid of Sequence Spot can win."""
    lines = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
    return frozenset(line for line in lines if grid[line[0]] + grid[line[2]] == 2 * grid[line[1]])


@pytest.mark.slow
def test_all_that_is_shipped_is_proved_to_a_stranger(tmp_path: Path) -> None:
    """Every book's game, every variant and every pattern of lines, as the command writes and the verifier reads it."""
    done = parlour("certificates", str(tmp_path / "proofs"), timeout=500)
    assert done.returncode == 0, done.stdout + done.stderr
    files = {path.name: path for path in (tmp_path / "proofs").iterdir()}
    games = {name for name in files if not name.startswith("sequence-spot")}
    assert games == books_and_variants()
    grids = {name: [int(n) for n in name.removesuffix(".gz").partition("=")[2].split(",")] for name in {*files} - games}
    patterns = {arithmetic_lines(grid) for grid in grids.values()}
    assert patterns == {arithmetic_lines(grid) for grid in permutations(range(1, 10))}
    assert len(patterns) == len(grids) == 153
    stranger = [sys.executable, str(VERIFIER / "verify.py"), *(str(path) for path in files.values())]
    said = subprocess.run(stranger, capture_output=True, text=True, timeout=300, check=True).stdout.splitlines()
    assert len(said) == len(files)
    for name, line in zip(files, said, strict=True):
        assert line.startswith(f"proved  {name.removesuffix('.gz').partition('_')[0]} "), line
        assert name in games or "a draw" in line


@pytest.mark.slow
def test_what_does_not_fit_its_time_is_left_out_and_said_to_be(tmp_path: Path) -> None:
    done = parlour("certificates", str(tmp_path), "--seconds", "0")
    assert done.returncode == 1
    assert list(tmp_path.iterdir()) == []
    assert {line.split()[0] for line in done.stdout.splitlines()} == {"LEFT"}
    assert done.stderr == ""
    blocked = tmp_path / "file"
    blocked.touch()
    done = parlour("certificates", str(blocked))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
