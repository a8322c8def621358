"""The rule ledger: every sentence of the rule books has a test, and docs/ledger.md shows the marks on the tests."""

from __future__ import annotations

import ast
import importlib
import runpy

import pytest

from tests.support import ROOT
from tests.support.ledger import find_sentence, marked_files, proofs, rule, sentences

GAMES = sorted({sentence.game for sentence in sentences()})


def test_ledger_page_is_current() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "make_ledger.py"))
    assert made["PAGE"].read_text(encoding="utf-8") == made["page"](), "run make ledger"


def test_every_sentence_of_the_ledger_has_a_test() -> None:
    assert [str(sentence) for sentence in sentences() if sentence not in proofs()] == []
    assert len(GAMES) == 5
    assert len(set(sentences())) == len(sentences()) >= 150


@pytest.mark.parametrize("game", GAMES)
def test_every_test_of_a_game_proves_a_sentence_of_the_ledger(game: str) -> None:
    module = importlib.import_module(f"tests.unit.games.test_{game.replace('-', '_')}")
    tests = {name: test for name, test in vars(module).items() if name.startswith("test_")}
    assert tests
    for name, test in tests.items():
        assert {sentence.game for sentence in getattr(test, "proves", [])} == {game}, name


def test_no_two_tests_of_the_ledger_have_the_same_name() -> None:
    """The second one would replace the first, which would never run."""
    for file in marked_files():
        body = ast.parse(file.read_text(encoding="utf-8")).body
        names = [node.name for node in body if isinstance(node, ast.FunctionDef)]
        assert len(names) == len(set(names)), file.name


def test_a_ledger_mark_names_exactly_one_sentence() -> None:
    assert find_sentence("double-up", "Turns: Players alternate").text == (
        "Players alternate turns, starting with Player 1."
    )
    for beginning, count in (("Turns: Players take a nap", 0), ("Turns: ", 2), ("", 22)):
        with pytest.raises(ValueError, match=f"{count} sentences of double-up"):
            rule("double-up", beginning)
