"""Large tables and searches: pure Python against compiled code, memory limits, and the estimates of sizes."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from parlour import catalog
from parlour.engine import Runtime
from parlour.engine.search import DEEPEST, ENTRY_BITS, compiles, packs
from parlour.errors import TooBig
from parlour.limit import Limit
from parlour.rules import Rules, read_rules
from parlour.score import Value
from parlour.solver import Solver, tabulate
from parlour.solver.tables import estimate, save
from tests.support.forms import nodes_of_choices
from tests.support.small import begun, rules_of, without_theory


@pytest.mark.parametrize("runtime", ["python", "wasm"])
def test_the_deepest_game_fits_the_stack(runtime: Runtime) -> None:
    rules = rules_of("double-up", {"limit": str(DEEPEST)})
    table = tabulate(rules, runtime=runtime)
    lost = [position[0] for position, score in table.items() if score.value is Value.LOSS]
    assert lost == [2, 6, 14, 30, 61, 124, 249, 499, 999, 1999]  # (a - 1) // 2 again and again, from 4000
    assert Solver(without_theory(rules), runtime=runtime).value(rules.start) is Value.WIN  # by moving to 2


def test_a_table_that_outgrows_its_memory_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = rules_of("increasing-differences", {"length": "4", "range": "20"})
    monkeypatch.setattr("parlour.solver.tables.estimate", lambda rules: 1)  # as wrong as can be
    with pytest.raises(TooBig, match="more than"):
        tabulate(rules, Limit(memory=16 << 20), runtime="python")


@pytest.mark.parametrize(
    ("key", "texts"),
    [
        ("increasing-differences", {"length": "4", "range": "12"}),
        ("sequence-builder", {}),
        ("pyramid-challenge", {"highest": "4"}),
        ("sequence-spot", {"grid": "1,2,3,4,5,6,7,8,9"}),
    ],
)
def test_the_estimate_is_in_the_right_region(key: str, texts: dict[str, str]) -> None:
    rules = rules_of(key, texts)
    assert 0.1 < estimate(rules) / len(tabulate(rules)) < 5


def test_plain_and_compiled_make_the_same_table_near_the_widest_word() -> None:
    """Positions of 62 bits: an overflow would wrap silently in compiled code."""
    assert not packs(rules_of("increasing-differences", {"length": "2", "range": "40"}), ENTRY_BITS)
    assert packs(rules_of("increasing-differences", {"length": "2", "range": "24"}), ENTRY_BITS)
    for texts in ({"length": "2", "range": "24"}, {"length": "3", "range": "24"}):
        rules = rules_of("increasing-differences", texts)
        plain, compiled = tabulate(rules, runtime="python"), tabulate(rules, runtime="wasm")
        assert list(plain.items()) == list(compiled.items())
    rules = rules_of("sequence-builder", {"length": "6", "pool": "36", "increments": "1,2,3,20"})
    assert packs(rules)
    both = [Solver(rules, runtime=runtime).score(rules.start) for runtime in ("wasm", "python")]
    assert both[0] == both[1]


@pytest.mark.parametrize("key", catalog.keys())
def test_default_tables_agree_plain_and_compiled(key: str) -> None:
    """Whole tables at the book's sizes, or as near to them as a minute allows without a compiler."""
    game = catalog.find_game(key)
    smaller = {"increasing-differences": {"range": "13"}, "pyramid-challenge": {"highest": "5"}}
    rules = Rules(game, game.rounds.deal(read_rules(game, smaller.get(key, {})).packed, 1, Random(7)))
    if not compiles(rules):
        pytest.skip("a game too large to be compiled")
    plain, compiled = tabulate(rules, runtime="python"), tabulate(rules, runtime="wasm")
    assert list(plain.items()) == list(compiled.items())
    assert plain.statistics() == compiled.statistics()


def test_a_table_is_compact(tmp_path: Path) -> None:
    table = tabulate(rules_of("increasing-differences", {"range": "13"}))
    save(table, str(tmp_path / "table"))
    assert len(table) > 50_000
    assert (tmp_path / "table").stat().st_size < 3 * len(table)  # bytes


@pytest.mark.parametrize(
    ("key", "texts", "nodes"),
    [
        ("increasing-differences", {"length": "6", "range": "12"}, 15_373),
        ("pyramid-challenge", {"base": "3", "highest": "6"}, 22_953),
    ],
)
def test_a_question_visits_no_more_nodes_than_before(key: str, texts: dict[str, str], nodes: int) -> None:
    assert 0 < nodes_of_choices(begun(key, texts, "")) <= nodes


@pytest.mark.parametrize(
    ("key", "texts"),
    [
        ("increasing-differences", {"length": "3", "range": "7"}),
        ("sequence-spot", {"grid": "2,7,6,9,5,1,4,3,8"}),
    ],
)
def test_of_a_small_game_the_estimate_is_nearly_exact(key: str, texts: dict[str, str]) -> None:
    rules = rules_of(key, texts)
    positions = len(tabulate(rules))
    assert positions <= estimate(rules) <= 1.2 * positions
