"""No game needs more than 64 bits: engines that trap where a value would not fit agree with pure Python everywhere."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest

from parlour import catalog
from parlour.engine import artefacts, sessions, wasm
from parlour.engine.plain import PlainFill, PlainSearch
from parlour.engine.search import COUNTS, NOTHING_KNOWN, STOPPED, compiles, make_expected, pack, rule_functions
from parlour.engine.tree import Tree, TreeBuild, make_playouts
from parlour.errors import TooBig
from parlour.game import Game
from parlour.options import read_words
from parlour.rules import Rules, read_rules
from tests.support.small import SmallGame, small_games

pytest.importorskip("ziglang", reason="compiling needs ziglang: the extra compile")

# The largest options, or nearly, that the engine is used for. Searches are cut short.
LARGE = [
    ("double-up", "limit=4000"),
    ("increasing-differences", "length=12 range=35"),
    ("increasing-differences", "length=30 range=60"),
    ("pyramid-challenge", "base=4 highest=9 copies=2"),
    ("pyramid-challenge", "base=5 highest=31 copies=3"),
    ("pyramid-challenge", "base=10 highest=31 copies=3"),
    ("sequence-builder", "length=10 pool=40 increments=1,3,20"),
    ("sequence-builder", "length=30 pool=60 increments=1,2,20"),
    ("sequence-spot", "grid=5,3,8,1,6,7,4,9,2"),
]


@cache
def checked_engine(game: Game[Any, Any]) -> bytes:
    from parlour.engine.build import compile_wasm, write_c

    return compile_wasm(write_c(game), checked=True)


@pytest.fixture(autouse=True)
def _checked(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(artefacts, "load", checked_engine)
    wasm._module.cache_clear()
    yield
    wasm._module.cache_clear()


def check_random_games(rules: Rules[Any, Any]) -> None:
    tally, state = [0] * 5, [12345]
    make_playouts(rule_functions(rules.game))(rules.packed, rules.start, 40, state, tally)
    assert sessions.playout_kernel(rules.game)(rules.packed, rules.start, [30, 10], 12345) == tally
    trees = [
        Tree(rules, rules.start, Random(5), 100, build)
        for build in (TreeBuild.plain(rules), sessions.compiled_tree(rules.game))
    ]
    assert trees[0].simulate(100, 1 << 30) == trees[1].simulate(100, 1 << 30)
    assert trees[0].visits == trees[1].visits


@small_games
def test_all_positions_of_small_games(game: SmallGame) -> None:
    rules = game.rules
    compiled, plain = sessions.CompiledFill(rules), PlainFill(rules)
    while (score := compiled.fill(rules.start, 1 << 20)) == STOPPED:
        pass
    assert score == plain.fill(rules.start, 1 << 30)
    keys, entries = compiled.entries()
    assert dict(zip(keys, entries, strict=True)) == {pack(rules, key): entry for key, entry in plain.table.items()}
    search, exact, oracle = sessions.CompiledSearch(rules), sessions.ExactSearch(rules), PlainSearch(rules)
    for position in game.positions[:50]:
        for target in (1, 0):
            expected = oracle.at_least(position, target, 1 << 30, 0)
            assert exact.at_least(position, target, 1 << 16, 1 << 28) == expected
            assert search.at_least(position, target, 1 << 20, 1 << 28)[0] in (expected[0], STOPPED)
    table: dict[Any, Any] = {}
    counts = [0] * COUNTS
    expect = make_expected(rule_functions(rules.game))
    found = expect(rules.packed, rules.start, 0.25, table, [1 << 30], counts)
    contest = sessions.CompiledExpectation(rules)
    while (same := contest.expected(rules.start, 0.25, 1 << 20)[0]) == NOTHING_KNOWN:
        pass
    assert (same, contest.counts) == (found, counts)
    check_random_games(rules)


@pytest.mark.parametrize(("key", "options"), LARGE)
def test_large_games(key: str, options: str) -> None:
    rules = read_rules(catalog.find_game(key), read_words(options))
    check_random_games(rules)
    if compiles(rules):
        exact, oracle = sessions.ExactSearch(rules), PlainSearch(rules)
        assert exact.at_least(rules.start, 1, 3000, 1 << 28) == oracle.at_least(rules.start, 1, 3000, 0)
        assert sessions.CompiledSearch(rules).at_least(rules.start, 1, 1 << 18, 1 << 28)[0] in (0, 1, STOPPED)


def test_options_that_need_more_are_not_for_the_engine() -> None:
    """Open numbers of such a pyramid take 60 bits, and one more during a move."""
    rules = read_rules(catalog.find_game("pyramid-challenge"), read_words("base=10 highest=60"))
    assert not compiles(rules)
    with pytest.raises(TooBig, match="64 bits"):
        sessions.playout_kernel(rules.game)(rules.packed, rules.start, [1000], 12345)
