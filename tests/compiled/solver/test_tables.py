"""Tables on disk, counted and packed with numpy."""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest

from parlour import catalog
from parlour.engine import sessions
from parlour.rules import read_rules
from parlour.solver import ScoreTable, tabulate
from parlour.solver.tables import load, path_of, save
from tests.support.adapters import needed

needed("numpy")

GAME = catalog.find_game("sequence-builder")
RULES = read_rules(GAME, {"pool": "9"})


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = path_of(RULES)
    assert str(tmp_path) in found
    save(tabulate(RULES), found)
    return found


def test_numpy_counts_and_packs_as_plain_python_does(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, written = tabulate(RULES), Path(path).read_bytes()
    counted, items = plain.statistics(), list(plain.items())
    monkeypatch.setattr("parlour.solver.tables.NUMPY_POSITIONS", 0)
    assert plain.statistics() == counted
    save(plain, path)
    assert Path(path).read_bytes() == written
    assert list(load(RULES, path).items()) == items


@pytest.mark.parametrize("step", [1, 2**31 - 1, 2**31, 2**40])
def test_numpy_packs_keys_far_apart(path: str, step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.solver.tables.NUMPY_POSITIONS", 0)
    keys, entries = array("q", [5, 5 + step, 7 + step]), array("i", [-(2**17), 0, 2**17 - 1])
    save(ScoreTable(RULES, keys, entries), path)
    assert load(RULES, path).arrays() == (keys, entries)


def test_compiled_children_are_those_of_pure_python(monkeypatch: pytest.MonkeyPatch) -> None:
    table = tabulate(RULES)
    plain = table.children()  # computed in Python
    monkeypatch.setattr("parlour.solver.tables.PLAIN_POSITIONS", len(table))
    made: list[object] = []
    kind = sessions.CompiledChildren
    monkeypatch.setattr(sessions, "CompiledChildren", lambda *given: made.append(given) or kind(*given))
    assert table.children() == plain
    assert len(made) == 1
