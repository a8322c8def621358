"""Native code answers as pure Python does, with the same nodes, games and trees, and frees its memory."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
from functools import cache
from random import Random
from typing import Any

import pytest

from parlour.engine import sessions
from parlour.engine.native import NativeInstance
from parlour.engine.plain import PlainFill, PlainSearch
from parlour.engine.search import COUNTS, STOPPED, TOP, make_expected, pack, rule_functions
from parlour.engine.tree import Tree, TreeBuild, make_playouts
from parlour.errors import ParlourError, TooBig
from parlour.rules import Rules, read_rules
from parlour.solver import ReproducibleSolver, Solver, tabulate
from tests.support.foreign_games import wythoff
from tests.support.small import SmallGame, few_games, quick_games, rules_of, small_games, without_theory

EIGHT = "increasing-differences", {"length": "8", "range": "17"}


@cache
def searched(game: SmallGame) -> Rules[Any, Any]:
    """Its rules without a theory. A game that is the same object is compiled once."""
    return without_theory(game.rules) if game.rules.game.search.theory else game.rules


@small_games
def test_scores_tables_and_children(game: SmallGame, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = searched(game)
    solver = Solver(rules, runtime="native")
    for position in game.positions[:100]:
        assert solver.score(position) == game.truth[position].score
    assert not isinstance(solver._search, PlainSearch)
    monkeypatch.setattr(sessions, "FIRST_SLOTS", 512)  # so that it has to grow
    table, plain = tabulate(rules, runtime="native"), tabulate(rules, runtime="python")
    assert table.arrays() == plain.arrays()
    keys = table.arrays()[0]
    done, first, children = sessions.CompiledChildren(rules, keys, "native").children(0)
    assert done == len(keys)
    assert (first, children) == plain.children()


@small_games
def test_exact_searches_count_the_nodes_of_pure_python(game: SmallGame) -> None:
    rules = searched(game)
    exact, oracle = sessions.ExactSearch(rules, "native"), PlainSearch(rules)
    for position in game.positions[:50]:
        for target in (1, 0, TOP - 3, 4 - TOP):
            for nodes in (5, 1000):
                asked = position, target, nodes, 1 << 30
                assert exact.at_least(*asked) == oracle.at_least(*asked)


@few_games
def test_random_games_trees_and_expectations(game: SmallGame) -> None:
    rules = game.rules
    tally, state = [0] * 5, [12345]
    make_playouts(rule_functions(rules.game))(rules.packed, rules.start, 300, state, tally)
    assert sessions.playout_kernel(rules.game, "native")(rules.packed, rules.start, [100, 200], 12345) == tally
    trees = [
        Tree(rules, rules.start, Random(5), 400, build)
        for build in (TreeBuild.plain(rules), sessions.compiled_tree(rules.game, "native"))
    ]
    assert trees[0].simulate(400, 1 << 30) == trees[1].simulate(400, 1 << 30)
    assert trees[0].visits == trees[1].visits
    assert list(trees[0].fractions) == list(trees[1].fractions)
    expected = make_expected(rule_functions(rules.game))
    counts = [0] * COUNTS
    found: Any = expected(rules.packed, rules.start, 0.2, {}, [1 << 30], counts)
    expectation = sessions.CompiledExpectation(rules, "native")
    assert expectation.expected(rules.start, 0.2, 1 << 20)[0] == found
    assert expectation.counts == counts


@quick_games
def test_levels_may_search_in_native_code(game: SmallGame) -> None:
    rules = searched(game)
    solver = ReproducibleSolver(rules, runtime="native")
    assert solver.score(rules.start) == game.truth[rules.start].score
    assert isinstance(solver._search, sessions.ExactSearch)


def test_a_users_game_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Native code of a game that is not ours traps where 64 bits are not enough, and the process goes on."""
    monkeypatch.setenv("ZIG_GLOBAL_CACHE_DIR", os.path.expanduser("~/.cache/zig"))  # has a standard library
    rules = read_rules(wythoff.GAME, {"left": "6", "right": "6"})
    compiled, plain = sessions.CompiledFill(rules, "native"), PlainFill(rules)
    while (score := compiled.fill(rules.start, 1 << 20)) == STOPPED:
        pass
    assert score == plain.fill(rules.start, 1 << 30)
    keys, entries = compiled.entries()
    assert dict(zip(keys, entries, strict=True)) == {pack(rules, key): entry for key, entry in plain.table.items()}
    rules = read_rules(wythoff.GAME, {"left": "12", "right": "9"})  # too large for the compiled solver
    for _ in range(2):
        with pytest.raises(TooBig, match=r"^no exact answer within 64 bits[^\n]*$"):
            sessions.CompiledFill(rules, "native").fill(rules.start, 1 << 20)


def test_a_deep_search_in_a_thread() -> None:
    rules = without_theory(rules_of("double-up", {"limit": "4000"}))
    found = []
    solver = Solver(rules, runtime="native")
    thread = threading.Thread(target=lambda: found.append(solver.value(rules.start)))
    thread.start()
    thread.join()
    assert found == [Solver(rules_of("double-up", {"limit": "4000"})).value(rules.start)]


def test_memory_that_cannot_grow() -> None:
    instance = NativeInstance(rules_of(*EIGHT).game)
    for size in (1 << 46, 1 << 62, -1):
        with pytest.raises(TooBig, match=r"^no exact answer within the memory[^\n]*$"):
            instance.allocate(size)
    assert instance.read(instance.allocate(8), 8) == bytes(8)


def resident() -> int:
    """The memory of this process in MB."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 >> 20


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_memory_is_freed_with_the_instance_and_when_a_table_grows() -> None:
    rules = rules_of(*EIGHT)
    for attempt in range(12):
        search = sessions.CompiledFill(rules, "native")
        for _ in range(9):
            assert search._grow()  # up to 100 MB each, in the end
        if attempt == 1:
            before = resident()
    del search
    gc.collect()
    assert resident() < before + 100


def test_searches_need_no_numpy() -> None:
    program = (
        "import sys; sys.modules['numpy'] = None\n"
        "from parlour import rules_of, Solver, tabulate\n"
        "rules = rules_of('increasing-differences', length=4, range=9)\n"
        "Solver(rules, runtime='native').score(rules.start); tabulate(rules, runtime='native')\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=300)


def test_an_unknown_runtime() -> None:
    rules = rules_of(*EIGHT)
    with pytest.raises(ParlourError, match=r"^bad runtime 'fast'; allowed: python, wasm, native$"):
        Solver(rules, runtime="fast").value(rules.start)  # type: ignore[arg-type]
