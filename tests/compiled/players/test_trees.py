"""The compiled tree of MCTS grows as the one in pure Python does."""

from __future__ import annotations

from random import Random

import pytest

from parlour.engine.search import compiles
from parlour.engine.sessions import compiled_tree
from parlour.engine.tree import Tree
from parlour.players import mcts
from parlour.players.mcts import MctsPlayer
from tests.support.small import begun
from tests.support.trees import BEGUN, plain_tree


@pytest.mark.parametrize(("key", "texts", "line"), BEGUN)
def test_plain_and_compiled_grow_the_same_tree(key: str, texts: dict[str, str], line: str) -> None:
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


def test_many_simulations_run_in_webassembly_and_come_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    match = begun("increasing-differences", {}, "5")
    used: list[Tree] = []

    class Watched(Tree):
        def __init__(self, *given: object) -> None:
            super().__init__(*given)  # type: ignore[arg-type]
            used.append(self)

    monkeypatch.setattr(mcts, "Tree", Watched)
    moves = []
    for plain in (100, 101):
        monkeypatch.setattr(mcts, "PLAIN_SIMULATIONS", plain)
        moves.append(MctsPlayer(101).choose(match, Random(2)))
    assert moves[0] == moves[1]
    assert [isinstance(tree.numbers, list) for tree in used] == [False, True]
    assert used[0].visits == used[1].visits
