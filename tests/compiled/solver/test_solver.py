"""The solver in WebAssembly: its effort, its limits, what it refuses, and pure Python where wasmtime is missing."""

from __future__ import annotations

import subprocess
import sys

import pytest

from parlour.engine import sessions
from parlour.errors import BadPosition, TooBig
from parlour.limit import Limit
from parlour.solver import ReproducibleSolver, Solver, tabulate
from tests.support.small import rules_of

# The nodes that a question may visit when compiled. A search that loses a cut-off, its move order or its transposition
# table finds the same answers with more work; lower these numbers when the search improves.
EFFORT = [
    ("increasing-differences", {"length": "4", "range": "12"}, "", 6751),
    ("increasing-differences", {"length": "6", "range": "12"}, "", 13_218),
    ("increasing-differences", {}, "5 7 8 9", 377),
    ("pyramid-challenge", {"base": "3", "highest": "6"}, "", 22_953),
    ("pyramid-challenge", {"base": "3", "highest": "5", "copies": "2"}, "", 1452),
    ("sequence-builder", {}, "", 8562),
    ("sequence-builder", {"length": "5", "pool": "14", "increments": "1,2"}, "", 4542),
    ("sequence-spot", {"grid": "2,7,6,9,5,1,4,3,8"}, "", 1577),
]


@pytest.mark.parametrize(("key", "texts", "line", "nodes"), EFFORT)
def test_a_compiled_question_visits_no_more_nodes_than_before(
    key: str, texts: dict[str, str], line: str, nodes: int
) -> None:
    rules = rules_of(key, texts)
    position = rules.start
    for word in line.split():
        position = rules.play(position, rules.read(position, word))
    limit = Limit()
    Solver(rules, runtime="wasm").choices(position, limit)
    assert 0 < limit.spent <= nodes


@pytest.mark.parametrize("nodes", [1, 5, 50, 4003])
def test_a_node_limit_too_small_for_a_compiled_table_is_refused(nodes: int) -> None:
    rules = rules_of("increasing-differences", {"length": "5", "range": "12"})
    with pytest.raises(TooBig, match=f"within {nodes:,} positions"):
        tabulate(rules, Limit(nodes=nodes), runtime="wasm")


def test_a_compiled_table_takes_one_node_for_each_position() -> None:
    rules = rules_of("increasing-differences", {"length": "3", "range": "9"})
    positions = len(tabulate(rules, runtime="python"))
    assert len(tabulate(rules, limit := Limit(nodes=positions), runtime="wasm")) == positions
    assert limit.spent == positions
    with pytest.raises(TooBig, match=f"within {positions - 1:,} positions"):
        tabulate(rules, Limit(nodes=positions - 1), runtime="wasm")


def test_a_compiled_table_that_will_be_too_large_is_refused_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of a quarter of the memory is estimated: 16 bytes for each position, and five times too low."""
    rules = rules_of("increasing-differences", {"length": "4", "range": "14"})
    estimates = [1 << 20, 1 << 18]
    monkeypatch.setattr("parlour.solver.tables.estimate", lambda rules: estimates.pop(0))
    monkeypatch.setattr("parlour.solver.tables.FORESEEN_SHARE", 100)  # or of a hundredth, to be quick
    with pytest.raises(TooBig, match=r"^about 1,048,576 positions or more need 80 MB; 79 MB of memory are allowed$"):
        tabulate(rules, Limit(memory=79 << 20), runtime="wasm")
    limit = Limit(memory=20 << 20)
    assert len(tabulate(rules, limit, runtime="wasm")) == limit.spent
    assert estimates == []


def test_webassembly_takes_over_once_the_work_has_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    for name in ("CompiledSearch", "CompiledFill"):
        kind = getattr(sessions, name)
        monkeypatch.setattr(sessions, name, lambda *given, kind=kind: made.append(kind.__name__) or kind(*given))
    small = rules_of("increasing-differences", {"length": "3", "range": "7"})
    large = rules_of("increasing-differences", {"length": "4", "range": "12"})
    Solver(small).score(small.start)
    tabulate(small)
    Solver(large, runtime="python").score(large.start)
    assert made == []
    solver = Solver(large)
    assert solver.choices(large.start) == Solver(large, runtime="python").choices(large.start)
    assert solver.score(large.start) == Solver(large, runtime="python").score(large.start)
    assert made == ["CompiledSearch"]  # once
    tabulate(large)
    Solver(small, runtime="wasm").score(small.start)
    tabulate(small, runtime="wasm")
    assert made == ["CompiledSearch", "CompiledFill", "CompiledSearch", "CompiledFill"]


def test_a_game_without_an_engine_is_solved_in_pure_python(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = rules_of("increasing-differences", {"length": "4", "range": "9"})
    table = tabulate(rules, runtime="wasm")
    monkeypatch.setattr("parlour.solver.tables.PLAIN_POSITIONS", 0)
    children = table.children()
    monkeypatch.setattr(sessions, "has_engine", lambda *given: False)
    for name in ("CompiledSearch", "ExactSearch", "CompiledFill", "CompiledChildren"):
        monkeypatch.setattr(sessions, name, None)
    assert Solver(rules, runtime="wasm").score(rules.start) == table.score(rules.start)
    assert ReproducibleSolver(rules, runtime="wasm").score(rules.start) == table.score(rules.start)
    assert tabulate(rules, runtime="wasm").arrays() == table.arrays()
    assert table.children() == children


def test_a_reproducible_solver_searches_the_nodes_of_pure_python() -> None:
    rules = rules_of("increasing-differences", {"length": "4", "range": "9"})
    spent = []
    for solver in (Solver(rules, runtime="python"), ReproducibleSolver(rules, runtime="wasm")):
        solver.choices(rules.start, limit := Limit())
        spent.append(limit.spent)
    assert spent[0] == spent[1]


def test_a_compiled_table_that_outgrows_its_memory_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = rules_of("increasing-differences", {"length": "4", "range": "20"})
    monkeypatch.setattr("parlour.solver.tables.estimate", lambda rules: 1)  # as wrong as can be
    with pytest.raises(TooBig, match="more than"):
        tabulate(rules, Limit(memory=8 << 20), runtime="wasm")


def test_a_position_that_play_cannot_lead_to_is_refused_when_compiled() -> None:
    rules = rules_of("sequence-spot", {"grid": "3,6,4,8,5,1,7,2,9"})
    with pytest.raises(BadPosition):
        Solver(rules, runtime="wasm").line(rules.position([275, 129, 130]))
    rules = rules_of("sequence-builder", {"pool": "7", "length": "3"})
    with pytest.raises(BadPosition):
        Solver(rules, runtime="wasm").choices(rules.position([33, 0, 0, 2, 1]))


def test_everything_works_without_wasmtime() -> None:
    code = (
        "import sys; sys.modules['wasmtime'] = None\n"
        "from parlour import catalog; from parlour.rules import Rules\n"
        "from parlour.solver import ReproducibleSolver, Solver, tabulate; from parlour.batch import playouts\n"
        "game = catalog.find_game('sequence-builder'); rules = Rules(game, game.defaults)\n"
        "assert str(Solver(rules).score(rules.start)) == 'win in 7 turns'\n"
        "assert len(tabulate(rules)) == 5371\n"
        "assert playouts(rules, 50).games == 50\n"
        "assert 'numpy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
