"""Tables on disk: compact, complete or not there, and refused when they answer another question."""

from __future__ import annotations

import json
import os
import re
import sys
from array import array
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from parlour import catalog
from parlour.engine.plain import PlainFill, PlainSearch
from parlour.errors import BadPosition, BadTable, Cancelled, TooBig
from parlour.limit import Limit
from parlour.rules import Rules, read_rules
from parlour.solver import ScoreTable, tabulate
from parlour.solver.tables import MAGIC, estimate, kept_table, load, path_of, save
from tests.support.command import Run
from tests.support.small import SmallGame, quick_games

GAME = catalog.find_game("sequence-builder")
RULES = read_rules(GAME, {"pool": "9"})


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = path_of(RULES)
    assert str(tmp_path) in found
    save(tabulate(RULES), found)
    return found


def look_often(monkeypatch: pytest.MonkeyPatch, positions: int) -> None:
    """Look at clock and memory after this number of positions."""
    for kind in (PlainSearch, PlainFill):
        monkeypatch.setattr(kind, "chunk", positions)


@quick_games
@pytest.mark.parametrize("chunk", [1, PlainSearch.chunk])
def test_children_are_the_places_of_the_positions_that_follow(
    game: SmallGame, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, table = game.rules, tabulate(game.rules, runtime="python")
    look_often(monkeypatch, chunk)
    places = {position: place for place, position in enumerate(table)}
    first, found = table.children(limit := Limit())
    assert limit.spent == len(table) == len(first) - 1
    assert (first[0], first[-1]) == (0, len(found))
    for position, place in places.items():
        after = [rules.after(position, move) for move in rules.legal(position)]
        expected = [-1 - rules.result(p) if rules.is_over(p) else places[rules.canonical(p)] for p in after]
        assert list(found[first[place] : first[place + 1]]) == expected
    limit.cancel()
    with pytest.raises(Cancelled):
        table.children(limit)


def test_a_table_finds_its_positions_and_no_others() -> None:
    rules = read_rules(catalog.find_game("sequence-builder"), {"length": "3", "pool": "7"})
    table = tabulate(rules)
    keys, entries = table.arrays()
    assert len(table) == len(keys) == len(entries)
    for place, position in enumerate(table):
        assert table.place(position) == place
        assert position in table
    # No player has moved twice in a row.
    for stranger in (rules.position([254 - 4 - 8, 0, 0, 3, 2]), rules.position([254 - 4 - 8, 3, 2, 0, 0])):
        assert not rules.is_over(stranger)
        assert stranger not in table
        with pytest.raises(
            BadPosition, match=r"^bad position Position\(pool=242, .*; it is over, or play cannot lead to it$"
        ):
            table.score(stranger)


def test_a_table_takes_one_node_for_each_position() -> None:
    positions = len(tabulate(RULES, limit := Limit(), runtime="python"))
    assert limit.spent == positions
    assert len(tabulate(RULES, Limit(nodes=positions), runtime="python")) == positions
    with pytest.raises(TooBig, match=f"within {positions - 1} positions"):
        tabulate(RULES, Limit(nodes=positions - 1), runtime="python")


def test_a_table_keeps_to_its_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A position takes about 400 bytes, and memory is checked every 50 positions."""
    look_often(monkeypatch, 50)
    with pytest.raises(TooBig, match=r"^more than \d+ positions; 0 MB of memory are allowed$") as caught:
        tabulate(RULES, Limit(memory=100 * 400), runtime="python")
    assert 100 < int(str(caught.value).split()[2]) <= 150
    size = len(tabulate(RULES, runtime="python"))
    assert len(tabulate(RULES, Limit(memory=size * 400), runtime="python")) == size


def test_a_table_that_will_be_too_large_is_refused_early(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Rules[Any, Any]] = []

    def estimated(rules: Rules[Any, Any]) -> int:
        asked.append(rules)
        return 1 << 20

    look_often(monkeypatch, 50)
    monkeypatch.setattr("parlour.solver.tables.FORESEEN_POSITIONS", 100)
    monkeypatch.setattr("parlour.solver.tables.estimate", estimated)
    with pytest.raises(TooBig, match=r"^about 1,048,576 positions or more need 400 MB; 399 MB of memory are allowed$"):
        tabulate(RULES, limit := Limit(memory=399 << 20), runtime="python")
    assert 100 <= limit.spent < 150
    assert len(tabulate(RULES, Limit(memory=400 << 20), runtime="python")) == 553
    assert asked == [RULES, RULES]  # once for each table


@pytest.mark.parametrize("step", [1, 2**31 - 1, 2**31, 2**40])
def test_keys_far_apart_are_read_back(path: str, step: int) -> None:
    keys, entries = array("q", [5, 5 + step, 7 + step]), array("i", [-(2**17), 0, 2**17 - 1])
    save(ScoreTable(RULES, keys, entries), path)
    assert load(RULES, path).arrays() == (keys, entries)


def test_small_tables_do_without_numpy(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", ModuleType("numpy"))  # an empty one
    table = load(RULES, path)
    assert table.statistics().positions == len(table)
    save(table, path)


def test_a_table_is_named_after_its_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    name = "sequence-builder_length-4_pool-9_increments-1+2+3.table"
    assert path_of(RULES) == str(tmp_path / "parlour" / "tables" / name)


def test_a_table_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    in_the_way = tmp_path / "table"
    in_the_way.mkdir()
    with pytest.raises(IsADirectoryError):
        save(tabulate(RULES), str(in_the_way))
    assert os.listdir(tmp_path) == ["table"]


def test_a_table_of_another_kind_of_machine_is_refused(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "byteorder", "big" if sys.byteorder == "little" else "little")
        with pytest.raises(BadTable, match="was made on another kind of machine"):
            load(RULES, path)
    load(RULES, path)


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


def test_the_estimate_of_a_game_larger_than_its_sample_is_in_the_right_region() -> None:
    """Here most random games meet no other, so the estimate depends on how often they do."""
    rules = read_rules(catalog.find_game("increasing-differences"), {"length": "3", "range": "12"})
    assert 0.6 < estimate(rules) / len(tabulate(rules)) < 1.2


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


def test_a_refusal_says_what_is_wrong_with_the_file(path: str) -> None:
    whole = Path(path).read_bytes()
    for data, reason in ((whole[1:], "is not a table of scores"), (whole[:-1], "is damaged")):
        Path(path).write_bytes(data)
        with pytest.raises(BadTable, match=f"^{re.escape(path)} {reason}$"):
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


def test_a_table_that_is_not_on_disk_keeps_to_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(TooBig, match="within 9 positions"):
        kept_table(RULES, Limit(nodes=9))
    assert os.listdir(tmp_path) == []


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
        tabulate(rules, Limit(nodes=nodes), runtime="python")
