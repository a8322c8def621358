"""The compiled solver: its effort, its limits, what it refuses, and pure Python where numba is missing."""

from __future__ import annotations

import subprocess
import sys

import pytest

from parlour.errors import BadPosition, TooBig
from parlour.limit import Limit
from parlour.solver import Solver, tabulate
from tests.support.adapters import needed
from tests.support.small import rules_of

needed("numba")

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
    Solver(rules, compiled=True).choices(position, limit)
    assert 0 < limit.spent <= nodes


@pytest.mark.parametrize("nodes", [1, 5, 50, 4003])
def test_a_node_limit_too_small_for_a_compiled_table_is_refused(nodes: int) -> None:
    rules = rules_of("increasing-differences", {"length": "5", "range": "12"})
    with pytest.raises(TooBig, match=f"within {nodes:,} positions"):
        tabulate(rules, Limit(nodes=nodes), compiled=True)


def test_a_compiled_table_that_outgrows_its_memory_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = rules_of("increasing-differences", {"length": "4", "range": "20"})
    monkeypatch.setattr("parlour.solver.tables.estimate", lambda rules: 1)  # as wrong as can be
    with pytest.raises(TooBig, match="more than"):
        tabulate(rules, Limit(memory=8 << 20), compiled=True)


def test_a_position_that_play_cannot_lead_to_is_refused_when_compiled() -> None:
    rules = rules_of("sequence-spot", {"grid": "3,6,4,8,5,1,7,2,9"})
    with pytest.raises(BadPosition):
        Solver(rules, compiled=True).line(rules.position([275, 129, 130]))
    rules = rules_of("sequence-builder", {"pool": "7", "length": "3"})
    with pytest.raises(BadPosition):
        Solver(rules, compiled=True).choices(rules.position([33, 0, 0, 2, 1]))


def test_everything_works_without_numba() -> None:
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "import parlour.kernels as kernels; kernels.can_compile = lambda: False\n"
        "from parlour import catalog; from parlour.rules import Rules\n"
        "from parlour.solver import Solver, tabulate; from parlour.batch import playouts\n"
        "game = catalog.find_game('sequence-builder'); rules = Rules(game, game.defaults)\n"
        "assert str(Solver(rules).score(rules.start)) == 'win in 7 turns'\n"
        "assert len(tabulate(rules)) == 5371\n"
        "assert playouts(rules, 50).games == 50\n"
        "assert 'numpy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
