"""Certificates, checked by Parlour and by the verifier that shares no code with it; and what both refuse."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result

from parlour import catalog
from parlour.rules import Rules
from parlour.score import Value
from parlour.study.strategy import claim_in_words, read_strategies
from tests.support import ROOT
from tests.support.certificates import VERIFIER, certificate, empty_proof, independent, refusals, rules_of
from tests.support.naive import minimax, reachable
from tests.support.scripts import load_script
from tests.support.small import SmallGame, small_games

pytestmark = pytest.mark.usefixtures("verifier")


@small_games
def test_the_rules_of_the_verifier_are_those_of_the_books_too(game: SmallGame) -> None:
    """In every position that play reaches: the same moves, the same text, the same result."""
    import importlib

    rules = game.rules
    other = importlib.import_module(rules.game.key.replace("-", "_")).Game(rules.option_texts)
    seen = set()
    todo = [(rules.start, other.start())]
    while todo:
        ours, theirs = todo.pop()
        token = ".".join(map(str, ours))
        assert other.text(theirs) == token
        if token in seen:
            continue
        seen.add(token)
        if rules.is_over(ours):
            assert other.result(theirs) == Value.of_result(rules.result(ours)).word
            continue
        assert other.result(theirs) is None
        assert sorted(other.moves(theirs)) == sorted(rules.names(rules.legal(ours)))
        todo += [(rules.after(ours, move), other.play(theirs, rules.name(move))) for move in rules.legal(ours)]
    assert len(seen) >= len(reachable(rules))


@small_games
def test_both_find_a_certificate_right_and_it_says_what_is_true(game: SmallGame) -> None:
    rules = game.rules
    truth = minimax(rules)
    random = Random(str(game))
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


@small_games
def test_a_certificate_with_something_changed_is_refused_by_both(game: SmallGame) -> None:
    """Every reply left out, every head changed, and every move that was changed to one that does not do as well."""
    rules = game.rules
    truth, written = minimax(rules), certificate(rules)
    lines, random = written.splitlines(), Random(str(game))
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
        for options in ("", *(variant.words for variant in game.content.variants)):
            found.add("_".join([game.key, *options.split()]) + ".gz")
    return {name for name in found if "limit=none" not in name and not name.startswith("sequence-spot")}


def arithmetic_lines(grid: Sequence[int]) -> frozenset[tuple[int, ...]]:
    """Which lines of a grid of Sequence Spot can win."""
    lines = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
    return frozenset(line for line in lines if grid[line[0]] + grid[line[2]] == 2 * grid[line[1]])


BOOKS = sorted(name.removesuffix(".gz") for name in books_and_variants())


@pytest.mark.parametrize("name", BOOKS)
def test_the_book_games_and_variants_are_proved_to_a_stranger(name: str) -> None:
    """As the command writes it and the verifier reads it."""
    rules = rules_of(name.replace("_", " "))
    written = certificate(rules)
    said = independent(written)
    assert said.startswith(f"{rules.game.key} "), said
    assert claim_in_words(read_strategies(written))


@cache
def patterns() -> list[tuple[int, ...]]:
    """A grid of each pattern of lines that can win."""
    found: dict[int, tuple[int, ...]] = {}
    for grid in permutations(range(1, 10)):
        a, b, c, d, e, f, g, h, i = grid
        lines = (a + c == 2 * b) + 2 * (d + f == 2 * e) + 4 * (g + i == 2 * h) + 8 * (a + g == 2 * d)
        lines += 16 * (b + h == 2 * e) + 32 * (c + i == 2 * f) + 64 * (a + i == 2 * e) + 128 * (c + g == 2 * e)
        found.setdefault(lines, grid)
    return list(found.values())


@pytest.mark.parametrize("number", range(153))
def test_a_draw_of_every_pattern_of_sequence_spot_is_proved_to_a_stranger(number: int) -> None:
    assert len(patterns()) == 153
    rules = rules_of(f"sequence-spot grid={','.join(map(str, patterns()[number]))}")
    written = certificate(rules)
    said = independent(written)
    assert said.startswith("sequence-spot ")
    assert "a draw" in said
    assert "a draw" in claim_in_words(read_strategies(written))


MAKE_CERTIFICATES = load_script(ROOT / "tools" / "make_certificates.py")


def make_certificates(*arguments: str) -> Result:
    return CliRunner().invoke(MAKE_CERTIFICATES.main, arguments)


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of files for which the script would have written a certificate."""
    names: list[str] = []
    monkeypatch.setattr(
        MAKE_CERTIFICATES,
        "write_certificate_file",
        lambda rules, moves, output, limit: names.append(Path(output).name),
    )
    return names


def test_the_script_certifies_all_games_variants_and_patterns(tmp_path: Path, written: list[str]) -> None:
    assert make_certificates(str(tmp_path / "proofs")).exit_code == 0
    games = {name for name in written if not name.startswith("sequence-spot")}
    assert games == books_and_variants()
    grids = {
        name: [int(n) for n in name.removesuffix(".gz").partition("=")[2].split(",")] for name in {*written} - games
    }
    found = {arithmetic_lines(grid) for grid in grids.values()}
    assert found == {arithmetic_lines(grid) for grid in patterns()}
    assert len(found) == len(grids) == 153


def test_a_certificate_that_does_not_fit_its_time_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = [rules_of("increasing-differences"), rules_of("pyramid-challenge")]
    monkeypatch.setattr(MAKE_CERTIFICATES, "built_in_rules", lambda: few)
    done = make_certificates(str(tmp_path), "--seconds", "0")
    assert done.exit_code == 1
    assert list(tmp_path.iterdir()) == []
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["LEFT", "LEFT"]
    assert done.stderr == ""
