"""Tables on disk: compact, complete or not there, and refused when they answer another question."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
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


def test_numpy_counts_and_packs_as_plain_python_does(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, written = tabulate(RULES), Path(path).read_bytes()
    counted, items = plain.statistics(), list(plain.items())
    monkeypatch.setattr("parlour.solver.tables.NUMPY_POSITIONS", 0)
    assert plain.statistics() == counted
    save(plain, path)
    assert Path(path).read_bytes() == written
    assert list(load(RULES, path).items()) == items


@pytest.mark.parametrize(
    ("key", "texts"),
    [
        ("increasing-differences", {"length": "3", "range": "7"}),
        ("pyramid-challenge", {"base": "2", "highest": "4", "copies": "2"}),
        ("sequence-builder", {"pool": "9"}),
        ("sequence-spot", {"grid": "2,7,6,9,5,1,4,3,8"}),
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


@pytest.mark.slow
def test_every_damage_is_noticed_and_mended(path: str) -> None:
    whole = Path(path).read_bytes()
    truth = list(load(RULES, path).items())
    damaged = [whole[:cut] for cut in (0, 5, len(MAGIC), len(MAGIC) + 20, len(whole) // 2, len(whole) - 1)]
    damaged += [whole + b"x", b"\0" * len(whole), MAGIC + b"{}\n", MAGIC + b"[]\n", MAGIC + b"\xff\n"]
    for place in range(0, len(whole), 17):
        damaged.append(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
    for data in damaged:
        Path(path).write_bytes(data)
        with pytest.raises(BadTable):
            load(RULES, path)
        assert list(kept_table(RULES).items()) == truth
        assert Path(path).read_bytes() == whole


@pytest.mark.slow
def test_a_table_is_compact(tmp_path: Path) -> None:
    table = tabulate(read_rules(catalog.find_game("increasing-differences"), {"range": "13"}))
    save(table, str(tmp_path / "table"))
    assert len(table) > 50_000
    assert (tmp_path / "table").stat().st_size < 3 * len(table)  # bytes


def test_a_folder_that_takes_nothing_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert len(kept_table(RULES)) == len(tabulate(RULES))


def start(*arguments: str, cache: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    command = [sys.executable, "-m", "parlour", "tabulate", *arguments, "--json"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def test_two_processes_can_make_the_same_table_at_once(tmp_path: Path) -> None:
    both = [start("sequence-builder", "--pool", "14", cache=tmp_path) for _ in range(2)]
    told = [process.communicate(timeout=60) for process in both]
    assert [process.returncode for process in both] == [0, 0], told
    assert told[0][0] == told[1][0]
    assert len(list((tmp_path / "parlour" / "tables").iterdir())) == 1


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
@pytest.mark.slow
def test_interrupted_work_leaves_nothing_half_written(tmp_path: Path, end: signal.Signals) -> None:
    process = start("increasing-differences", "--length", "5", "--range", "22", cache=tmp_path)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(timeout=2.5)
    process.send_signal(end)
    _, complaint = process.communicate(timeout=60)
    assert process.returncode == (-9 if end == signal.SIGKILL else 130)
    assert "Traceback" not in complaint
    assert not list(tmp_path.rglob("*.table"))


def test_the_command_counts(tmp_path: Path) -> None:
    process = start("double-up", cache=tmp_path)
    document: dict[str, Any] = json.loads(process.communicate(timeout=60)[0])
    # Of 1 .. 99 the five lost numbers are 2, 5, 11, 24 and 49.
    assert document["values"] == {"win": 94, "draw": 0, "loss": 5}
    assert document["positions"] == 99
    assert document["longest"] == 11


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("nodes", [1, 5, 50, 4003])
def test_so_few_nodes_that_none_is_enough_to_go_on_with_are_refused(nodes: int, compiled: bool) -> None:
    rules = read_rules(catalog.find_game("increasing-differences"), {"length": "5", "range": "12"})
    with pytest.raises(TooBig, match=f"within {nodes:,} positions"):
        tabulate(rules, Limit(nodes=nodes), compiled=compiled)
