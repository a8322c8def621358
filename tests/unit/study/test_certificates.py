"""Certificates that Parlour and its independent verifier refuse. tests/proofs/test_certificates.py has the others."""

from __future__ import annotations

import ast
import json
from typing import Any

import pytest

from parlour.solver import Solver
from parlour.study.strategy import certify, write_strategy
from tests.support.certificates import VERIFIER, certificate, empty_proof, refusals, rules_of

pytestmark = pytest.mark.usefixtures("verifier")

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


@pytest.mark.parametrize(("game", "options"), NO_GAMES, ids=[f"{game} {options}" for game, options in NO_GAMES])
def test_what_is_no_game_is_refused_by_both(game: str, options: dict[str, str]) -> None:
    for text in (
        empty_proof(game, options, 1),
        empty_proof(game, options, 2),
        empty_proof(game, options, 1, "draw") + "\n" + empty_proof(game, options, 2, "draw"),
    ):
        assert refusals(text) == ["parlour", "verifier"]


def test_half_a_draw_and_two_positions_are_no_certificate() -> None:
    rules = rules_of("sequence-builder length=4 pool=7 increments=1,2")
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
