"""What stands for what: `canonical` merges positions, and nothing that can be told of any of them may change.

Every position of a game as it is played is put beside what the table and the solver say of it: the value, the
distance, whether there is a choice, and whether some move loses value. The truth comes from minimax over the positions
as they are, without any form.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from parlour import catalog
from parlour.games import increasing_differences
from parlour.kernels.search import FLAGS, unpack_score
from parlour.limit import Limit
from parlour.rules import Rules, read_rules
from parlour.solver import Solver, tabulate
from tests.support.naive import Truth, truths

Sets = list[tuple[str, str]]

SMALL: Sets = [
    ("increasing-differences", "length=2 range=2"),
    ("increasing-differences", "length=2 range=7"),
    ("increasing-differences", "length=3 range=8"),
    ("increasing-differences", "length=4 range=7"),
    ("increasing-differences", "length=5 range=8"),
    ("increasing-differences", "length=7 range=8"),
    ("sequence-builder", "length=3 pool=7"),
    ("sequence-builder", "length=4 pool=9 increments=1,3"),
    ("sequence-builder", "length=3 pool=10 increments=2,5"),
    ("sequence-builder", "length=5 pool=8"),
    ("sequence-builder", "length=4 pool=9 increments=2"),
    ("pyramid-challenge", "base=2 highest=4"),
    ("pyramid-challenge", "base=2 highest=6 copies=1"),
    ("pyramid-challenge", "base=2 highest=4 copies=2"),
    ("pyramid-challenge", "base=3 highest=2"),
    ("pyramid-challenge", "base=3 highest=3 copies=2"),
    ("pyramid-challenge", "base=3 highest=3 copies=3"),
    ("pyramid-challenge", "base=3 highest=6 copies=1"),
    ("sequence-spot", "grid=2,7,6,9,5,1,4,3,8"),
    ("double-up", "limit=2"),
    ("double-up", "limit=97"),
]
LARGE: Sets = [
    ("increasing-differences", "length=5 range=9"),
    ("increasing-differences", "length=7 range=10"),
    ("increasing-differences", "length=3 range=12"),
    ("increasing-differences", "length=4 range=11"),
    ("increasing-differences", "length=5 range=11"),
    ("increasing-differences", "length=6 range=11"),
    ("increasing-differences", "length=8 range=11"),
    ("sequence-builder", "length=4 pool=14"),
    ("sequence-builder", "length=6 pool=13"),
    ("sequence-builder", "length=4 pool=15 increments=1,2,6"),
    ("pyramid-challenge", "base=3 highest=4 copies=2"),
    ("pyramid-challenge", "base=3 highest=5 copies=2"),
    ("pyramid-challenge", "base=3 highest=9 copies=1"),
    ("pyramid-challenge", "base=4 highest=3 copies=3"),
    ("pyramid-challenge", "base=3 highest=4"),
    ("sequence-spot", "grid=1,2,3,4,5,6,7,8,9"),
    ("sequence-spot", "grid=5,3,8,1,6,7,4,9,2"),
    ("double-up", "limit=200"),
]


def set_up(key: str, words: str) -> Rules:
    return read_rules(catalog.find_game(key), dict(word.split("=") for word in words.split()))


def differences(rules: Rules, truth: dict[Any, Truth], compiled: bool) -> list[Any]:
    """The positions of which the table says anything but the truth, or nothing."""
    table = tabulate(rules, compiled=compiled)
    told = {
        position: Truth(unpack_score(int(entry) >> FLAGS), bool(entry & 2), bool(entry & 1))
        for position, entry in zip(table, table._entries, strict=True)
    }
    return [position for position, true in truth.items() if told.get(rules.canonical(position)) != true]


def misjudged(rules: Rules, truth: dict[Any, Truth], compiled: bool) -> list[Any]:
    """The positions that the solver scores wrong."""
    rules = Rules(replace(rules.game, theory=None), rules.options)  # it has to search
    solver, limit = Solver(rules, compiled=compiled), Limit(seconds=1e6)
    # Asked past the referee, who takes his time over whether play can lead to a position: it can.
    return [p for p, true in truth.items() if unpack_score(solver._score(p, limit)) != true.score]


@pytest.mark.parametrize(("key", "words"), SMALL)
def test_nothing_is_told_wrong(key: str, words: str) -> None:
    rules = set_up(key, words)
    truth = truths(rules)
    assert differences(rules, truth, compiled=False) == []
    assert misjudged(rules, truth, compiled=False) == []


@pytest.mark.slow
@pytest.mark.parametrize(("key", "words"), SMALL + LARGE)
def test_nothing_is_told_wrong_when_compiled(key: str, words: str) -> None:
    rules = set_up(key, words)
    truth = truths(rules)
    assert differences(rules, truth, compiled=True) == []
    assert misjudged(rules, truth, compiled=True) == []


@pytest.mark.parametrize(("key", "words"), SMALL)
def test_a_form_stands_for_itself_and_is_a_position_like_any_other(key: str, words: str) -> None:
    rules = set_up(key, words)
    for position in truths(rules):
        form = rules.canonical(position)
        assert rules.canonical(form) == form
        assert rules.result(form) == rules.result(position)
        assert rules.count_legal(form) == rules.count_legal(position)


def test_the_sets_are_as_many_as_promised() -> None:
    assert len(set(SMALL + LARGE)) >= 30
    assert len({words for key, words in SMALL + LARGE if key == "increasing-differences"}) >= 12


# Forms that merge too much, each by a thought that is nearly right: the comparison has to find them.


@cache
def small_truth(words: str) -> tuple[Rules, dict[Any, Truth]]:
    rules = set_up("increasing-differences", words)
    return rules, truths(rules)


def found_out(words: str) -> bool:
    return bool(differences(*small_truth(words), compiled=False))


@pytest.mark.parametrize("steps", [1, 2])
def test_a_form_that_looks_too_few_steps_ahead_is_found_out(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """One: what is too near now is never taken. Two: nobody comes back to it after a second step the same way."""
    right = increasing_differences.opened_above
    assert not found_out("length=5 range=9")
    monkeypatch.setattr(
        increasing_differences,
        "opened_above",
        lambda options, pool, last, gap, needed: right(options, pool, last, gap, min(needed, steps)),
    )
    assert found_out("length=5 range=9")


def test_a_form_that_widens_too_far_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    right = increasing_differences.widened
    assert not found_out("length=4 range=7")
    monkeypatch.setattr(increasing_differences, "widened", lambda *given: min(given[0].range, right(*given) + 1))
    assert found_out("length=4 range=7")
