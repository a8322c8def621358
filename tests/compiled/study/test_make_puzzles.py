"""Making puzzles: those that the definition gives are found, graded and shared fairly among the games."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

from parlour import catalog
from parlour.rules import Rules, read_rules
from parlour.study.puzzle import compose
from tests.support import ROOT
from tests.support.adapters import needed
from tests.support.naive import minimax, reachable
from tests.support.scripts import load_script
from tests.support.small import SmallGame, each_of

needed("numpy")
MAKE_PUZZLES = load_script(ROOT / "tools" / "make_puzzles.py")
PositionGraph, find_puzzles = MAKE_PUZZLES.PositionGraph, MAKE_PUZZLES.find_puzzles
choose, grade_of = MAKE_PUZZLES.choose, MAKE_PUZZLES.grade_of

GAMES = [
    SmallGame("increasing-differences", "length=5 range=9"),
    SmallGame("sequence-builder", "length=5 pool=9 increments=1,2,4"),
    SmallGame("pyramid-challenge", "base=2 highest=6 copies=1"),
    SmallGame("sequence-spot", "grid=1,2,3,4,5,6,7,8,9"),
    SmallGame("double-up", "limit=30"),
]


@each_of(GAMES)
def test_small_games_give_the_puzzles_that_the_definition_gives(game: SmallGame) -> None:
    """Over every raw position: those that are puzzles are found, one for each kind of tree, and no others."""
    rules = game.rules
    score, tree = minimax(rules), game_tree(rules)

    wanted = {tree(position) for position in reachable(rules) if compose(rules, position, score)}
    found = list(find_puzzles(PositionGraph(rules)))
    trees = Counter()
    for puzzle in found:
        position = rules.start
        for move in puzzle.moves:
            position = rules.play(position, move)
        trees[tree(position)] += 1
        assert puzzle.stages == compose(rules, position, score)
    assert set(trees) == wanted
    assert set(trees.values()) <= {1}


def game_tree(rules: Rules) -> Any:
    """A number for the tree of what can follow: the same only where trees are the same but for the order of moves."""
    numbers: dict[Any, int] = {}

    @cache
    def tree(position: Any) -> int:
        if rules.is_over(position):
            shape: Any = ("over", rules.result(position))
        else:
            shape = tuple(sorted(tree(rules.after(position, move)) for move in rules.legal(position)))
        return numbers.setdefault(shape, len(numbers))

    return tree


def test_an_easy_puzzle_is_left_out_and_games_share_a_grade_fairly() -> None:
    graph = PositionGraph(read_rules(catalog.find_game("sequence-spot"), {"grid": "1,2,3,4,5,6,7,8,9"}))
    found = list(find_puzzles(graph))
    chosen = choose([(puzzle, 5) for puzzle in found], 1)
    assert {puzzle.kind for puzzle, _ in chosen} == {puzzle.kind for puzzle in found if grade_of(puzzle.features)}
    assert all(grade == 1 for _, grade in choose([(puzzle, 1) for puzzle in found], 1))
    assert choose([(puzzle, 5) for puzzle in found], 1) == chosen
