"""Certificates, and the two programs that check them: Parlour, and the verifier that shares no code with it."""

from __future__ import annotations

import json
import sys

import pytest

from parlour import catalog
from parlour.errors import ParlourError
from parlour.options import read_words
from parlour.rules import Rules, read_rules
from parlour.solver import Solver
from parlour.study.strategy import certify, claim_in_words, read_strategies, write_strategy
from tests.support import ROOT

VERIFIER = ROOT / "verifier"


def rules_of(text: str) -> Rules:
    game, _, options = text.partition(" ")
    return read_rules(catalog.find_game(game), read_words(options))


@pytest.fixture
def verifier(monkeypatch: pytest.MonkeyPatch) -> None:
    """The modules of the verifier can be imported."""
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


def empty_proof(game: str, options: dict[str, str], side: int = 1, value: str = "win") -> str:
    """A strategy without a line: it is all that a position needs in which the game is over at once."""
    head = {"kind": "parlour strategy", "format": 1, "game": game, "version": 1, "options": options, "moves": []}
    return json.dumps({**head, "side": side, "value": value, "plies": None, "positions": 0, "merged": "", "notes": {}})
