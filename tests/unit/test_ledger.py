"""The rule ledger names tests: they have to exist, and no test of a game's rules may be missing from it."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.support import ROOT

LEDGER = ROOT / "docs" / "ledger.md"
GAMES = ["increasing_differences", "sequence_spot", "pyramid_challenge", "double_up", "sequence_builder"]
TEST_ID = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


@cache
def functions_in(path: Path) -> set[str]:
    """The names of the test functions in a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def sections() -> dict[str, list[str]]:
    """The table rows of the ledger, without their heads, by the game they stand under."""
    found: dict[str, list[str]] = {}
    for line in LEDGER.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            found[line.removeprefix("## ").lower().replace(" ", "_")] = []
        elif line.startswith("|") and not line.startswith(("| Rule |", "|---")):
            list(found.values())[-1].append(line)
    return found


def named() -> list[tuple[str, str]]:
    """The file and the function of every test that the ledger names."""
    return TEST_ID.findall(LEDGER.read_text(encoding="utf-8"))


def test_ledger_has_a_table_for_each_game() -> None:
    assert list(sections()) == GAMES
    assert all(sections().values())


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_has_a_test(game: str) -> None:
    for row in sections()[game]:
        assert TEST_ID.search(row), row
        assert len(row.split(" | ")) == 3, row


def test_every_test_named_in_the_ledger_exists() -> None:
    missing = [f"{file}::{name}" for file, name in named() if name not in functions_in(ROOT / file)]
    assert missing == []


def test_ids_in_the_ledger_are_all_understood() -> None:
    assert len(named()) == LEDGER.read_text(encoding="utf-8").count("::")


@pytest.mark.parametrize("game", GAMES)
def test_every_test_of_a_game_is_named_in_its_table(game: str) -> None:
    path = f"tests/unit/games/test_{game}.py"
    listed = {name for file, name in TEST_ID.findall("\n".join(sections()[game])) if file == path}
    assert functions_in(ROOT / path) - listed == set()


@pytest.mark.parametrize("game", GAMES)
def test_no_two_tests_of_a_game_have_the_same_name(game: str) -> None:
    text = (ROOT / "tests" / "unit" / "games" / f"test_{game}.py").read_text(encoding="utf-8")
    names = re.findall(r"^def (test_\w+)", text, re.MULTILINE)
    assert len(names) == len(set(names))
