"""The compiled tree of MCTS grows as the one in pure Python does."""

from __future__ import annotations

from random import Random

import pytest

from parlour.kernels.packing import compiles
from parlour.kernels.tree import Tree
from parlour.limit import Limit
from parlour.players import mcts
from parlour.players.mcts import MctsPlayer
from tests.support.adapters import needed
from tests.support.small import begun
from tests.support.trees import BEGUN, plain_tree

needed("numba")


@pytest.mark.parametrize(("key", "texts", "line"), BEGUN)
def test_plain_and_compiled_grow_the_same_tree(key: str, texts: dict[str, str], line: str) -> None:
    from parlour.kernels.compile import compiled_tree

    match = begun(key, texts, line)
    assert compiles(match.rules)
    for seed in (1, 2, 3):
        plain = plain_tree(match, seed, 3000)
        fast = Tree(match.rules, match.position, Random(seed), 3000, compiled_tree(match.rules.game))
        told = [(plain.simulate(*work), fast.simulate(*work)) for work in ((1, 1), (3000, 500), (2000, 10**9))]
        assert all(one == other for one, other in told)
        assert plain.visits == fast.visits
        assert plain.numbers == list(fast.numbers)
        assert plain.fractions == list(fast.fractions)


def test_many_simulations_are_compiled_and_come_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    match = begun("increasing-differences", {}, "5")
    used: list[Tree] = []

    class Watched(Tree):
        def __init__(self, *given: object) -> None:
            super().__init__(*given)  # type: ignore[arg-type]
            used.append(self)

    monkeypatch.setattr(mcts, "Tree", Watched)
    monkeypatch.setattr(mcts, "PLAIN_SIMULATIONS", 100)
    assert MctsPlayer(101).choose(match, Random(2)) == MctsPlayer(101).choose(match, Random(2), Limit(seconds=1))
    assert [isinstance(tree.numbers, list) for tree in used] == [False, True]  # no time to compile in a second
    assert used[0].visits == used[1].visits
