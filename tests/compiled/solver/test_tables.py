"""Tables on disk, counted and packed with numpy."""

from __future__ import annotations

from pathlib import Path

import pytest

from parlour import catalog
from parlour.rules import read_rules
from parlour.solver import tabulate
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
