"""Tables on disk: compact, complete or not there, and refused when they answer another question."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from parlour import catalog
from parlour.errors import BadTable, TooBig
from parlour.limit import Limit
from parlour.rules import Rules, read_rules
from parlour.solver import tabulate
from parlour.solver.tables import MAGIC, estimate, kept_table, load, path_of, save
from tests.support.command import Run

GAME = catalog.find_game("sequence-builder")
RULES = read_rules(GAME, {"pool": "9"})


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = path_of(RULES)
    assert str(tmp_path) in found
    save(tabulate(RULES), found)
    return found


def test_what_is_saved_is_read_back(path: str) -> None:
    assert list(load(RULES, path).items()) == list(tabulate(RULES).items())
    assert os.listdir(os.path.dirname(path)) == [os.path.basename(path)]


@pytest.mark.parametrize(
    ("key", "texts"),
    [
        ("pyramid-challenge", {"base": "2", "highest": "4", "copies": "2"}),
        ("sequence-builder", {"pool": "9"}),
    ],
)
def test_of_a_small_game_the_estimate_is_nearly_exact(key: str, texts: dict[str, str]) -> None:
    """Three thousand random games see nearly all there is, and count again only what is met after several turns."""
    rules = read_rules(catalog.find_game(key), texts)
    positions = len(tabulate(rules))
    assert positions <= estimate(rules) <= 1.2 * positions


def test_another_game_version_option_or_rule_is_refused(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadTable, match="made for another version"):
        load(Rules(replace(GAME, version=2), RULES.options), path)
    with pytest.raises(BadTable, match="made for another options"):
        load(read_rules(GAME, {"pool": "10"}), path)
    other = catalog.find_game("increasing-differences")
    with pytest.raises(BadTable, match="made for another game"):
        load(Rules(other, other.defaults), path)
    monkeypatch.setattr("parlour.solver.tables.SOLVER_VERSION", 99)
    with pytest.raises(BadTable, match="made for another solver"):
        load(RULES, path)
    monkeypatch.setattr("parlour.solver.tables.SOLVER_VERSION", 1)
    monkeypatch.setattr("parlour.solver.tables.inspect.getsource", lambda module: "other rules")
    with pytest.raises(BadTable, match="made for another rules"):
        load(RULES, path)


def test_every_damage_is_noticed_and_mended(path: str) -> None:
    whole = Path(path).read_bytes()
    truth = list(load(RULES, path).items())
    damaged = [whole[:cut] for cut in (0, 5, len(MAGIC), len(MAGIC) + 20, len(whole) // 2, len(whole) - 1)]
    damaged += [whole + b"x", b"\0" * len(whole), MAGIC + b"{}\n", MAGIC + b"[]\n", MAGIC + b"\xff\n"]
    for place in range(0, len(whole), 41):
        damaged.append(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
    for number, data in enumerate(damaged):
        Path(path).write_bytes(data)
        with pytest.raises(BadTable):
            load(RULES, path)
        if number % 10 == 0:  # whatever is refused is replaced in the same way
            assert list(kept_table(RULES).items()) == truth
            assert Path(path).read_bytes() == whole


def test_a_folder_that_takes_nothing_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert len(kept_table(RULES)) == len(tabulate(RULES))


def test_the_tabulate_command_counts(run: Callable[..., Run]) -> None:
    document: dict[str, Any] = json.loads(run("tabulate", "double-up", "--json").out)
    # Of 1 .. 99 the five lost numbers are 2, 5, 11, 24 and 49.
    assert document["values"] == {"win": 94, "draw": 0, "loss": 5}
    assert document["positions"] == 99
    assert document["longest"] == 11


@pytest.mark.parametrize("nodes", [1, 5, 50, 4003])
def test_a_node_limit_too_small_for_a_table_is_refused(nodes: int) -> None:
    rules = read_rules(catalog.find_game("increasing-differences"), {"length": "5", "range": "12"})
    with pytest.raises(TooBig, match=f"within {nodes:,} positions"):
        tabulate(rules, Limit(nodes=nodes), compiled=False)
