"""The tree of MCTS: the same plain and compiled, and what a search by the textbook finds."""

from __future__ import annotations

from math import log, sqrt
from random import Random

import pytest

from parlour.engine.search import compiles
from parlour.engine.tree import CHILDREN, LEGAL, MOVE, NUMBERS, POINTS, TRIED, VISITS, Tree, TreeBuild
from parlour.rules import Rules
from tests.support.small import begun
from tests.support.trees import BEGUN, plain_tree


def nodes_of(tree: Tree, rules: Rules, position: tuple[int, ...], row: int = 0) -> list[tuple[int, tuple[int, ...]]]:
    """The rows of all nodes and their positions, by playing the moves again through the referee."""
    found = [(row, position)]
    for place in range(tree.numbers[row + TRIED]):
        child = (tree.numbers[row + CHILDREN] + place) * NUMBERS
        found += nodes_of(tree, rules, rules.play(position, tree.numbers[child + MOVE]), child)  # type: ignore[arg-type]
    return found


@pytest.mark.parametrize(("key", "texts", "line"), BEGUN)
def test_the_tree_holds_together(key: str, texts: dict[str, str], line: str) -> None:
    match = begun(key, texts, line)
    rules, simulations = match.rules, 400
    tree = plain_tree(match, 5, simulations)
    assert tree.simulate(simulations, 10**9)[0] == simulations
    numbers = tree.numbers
    assert numbers[VISITS] == simulations
    nodes = nodes_of(tree, rules, match.position)
    assert len({row for row, _ in nodes}) == len(nodes)
    for row, position in nodes:
        assert numbers[row + LEGAL] == rules.count_legal(position)  # type: ignore[arg-type]
        children = [(numbers[row + CHILDREN] + place) * NUMBERS for place in range(numbers[row + TRIED])]
        assert len({numbers[child + MOVE] for child in children}) == len(children)  # each move is tried once
        if not children:
            continue
        # Every simulation but the one that made the node goes on to a child, and brings the other player the rest.
        own = 0 if row == 0 else 1
        assert numbers[row + VISITS] == own + sum(numbers[child + VISITS] for child in children)
        theirs = sum(2 * numbers[child + VISITS] - numbers[child + POINTS] for child in children)
        assert 0 <= numbers[row + POINTS] - theirs <= 2 * own
        if len(children) < numbers[row + LEGAL]:  # nothing is tried twice before all is tried once
            assert {numbers[child + VISITS] for child in children} == {1}


def test_where_all_was_tried_the_upper_confidence_bound_decides() -> None:
    """From 24 in Double Up to 26 there are two moves: 25, which loses to 26, and 26, which wins at once."""
    match = begun("double-up", {"limit": "26"}, "2 4 8 16 24")
    tree = plain_tree(match, 1, 1000)
    expected = {25: 0, 26: 0}
    points = {25: 0.0, 26: 1.0}
    for done in range(1000):
        untried = [move for move in expected if not expected[move]]
        if untried:
            tree.simulate(1, 10**9)
            chosen = next(move for move in untried if move in tree.visits)
        else:
            chosen = max(expected, key=lambda move: points[move] + sqrt(2 * log(done) / expected[move]))
            tree.simulate(1, 10**9)
        expected[chosen] += 1
    assert tree.visits == expected
    assert expected[25] > 3


@pytest.mark.parametrize("count", [1, 2, 3, 19, 64])
def test_the_moves_of_a_node_are_each_tried_once(count: int) -> None:
    match = begun("double-up", {"limit": "1000000"}, "")
    rules = match.rules
    firsts = set()
    for seed in range(20):
        tree = Tree(rules, rules.position([count]), Random(seed), count, TreeBuild.plain(rules))
        tree.simulate(count, 10**9)
        assert sorted(tree.visits) == list(range(count + 1, 2 * count + 1))
        firsts.add(next(iter(tree.visits)))
    assert len(firsts) >= min(count, 8)


def test_large_boards_and_endless_games_grow_as_they_stand() -> None:
    endless = begun("double-up", {"limit": "none"}, "2")
    assert not compiles(endless.rules)
    tree = plain_tree(endless, 1, 60)
    tree.simulate(60, 10**9)
    assert sum(tree.visits.values()) == 60
    assert set(tree.visits) == {3, 4}
