"""Positions to grow trees of MCTS from, and trees in pure Python."""

from __future__ import annotations

from random import Random

from parlour.engine.tree import Tree, TreeBuild
from parlour.match import Match

BEGUN = [
    ("increasing-differences", {}, ""),
    ("increasing-differences", {"length": "6", "range": "12"}, "5 7"),
    ("pyramid-challenge", {}, "3 4"),
    ("pyramid-challenge", {"base": "2", "highest": "4", "copies": "1"}, "1"),
    ("sequence-builder", {"pool": "9", "increments": "2,3"}, "4"),
    ("sequence-spot", {"grid": "1,2,3,4,9,5,7,6,8"}, "1,1 2,1"),
    ("double-up", {"limit": "1000000"}, "2 4 7 12 24 48 90 180 360 700 1400 2800 5600"),
]


def plain_tree(match: Match, seed: int, simulations: int) -> Tree:
    return Tree(match.rules, match.position, Random(seed), simulations, TreeBuild.plain(match.rules))
