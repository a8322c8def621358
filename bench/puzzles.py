"""Whether hard puzzles are hard: how often Monte Carlo tree search of several sizes misses the answer, by grade.

Run it with: python bench/puzzles.py (a minute). The search knows nothing of how puzzles are graded. It is run several
times in each size on every turn of a puzzle; the grade should predict the share of attempts that miss an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from parlour import catalog
from parlour.engine.tree import Tree, TreeBuild
from parlour.study.archive import GRADES
from parlour.study.archive_file import archive
from parlour.study.puzzle import Puzzle
from runtimes import tree_build

SIZES = (30, 100, 300, 1_000)  # simulations
TIMES = 5  # that a puzzle is tried in each size
SAMPLE = 60  # puzzles of each game and grade at most
SEED = 1


def missed(puzzle: Puzzle, build: TreeBuild, random: Random) -> float:
    """The share of attempts, over all sizes, in which some answer was not found."""
    misses = 0
    for simulations in SIZES:
        for _ in range(TIMES):
            misses += not _solves(puzzle, build, random, simulations)
    return misses / (len(SIZES) * TIMES)


def _solves(puzzle: Puzzle, build: TreeBuild, random: Random, simulations: int) -> bool:
    rules, position = puzzle.rules, puzzle.rules.start
    for move in puzzle.moves:
        position = rules.after(position, move)
    for turn in puzzle.stages:
        tree = Tree(rules, position, random, simulations, build)
        tree.simulate(simulations, 10**12)
        if max(tree.visits, key=lambda move: tree.visits[move]) != turn.answer:
            return False
        for move in (turn.answer, *turn.then):
            position = rules.after(position, move)
    return True


def rank_correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Spearman's: the correlation of the ranks, equal values sharing theirs."""
    a, b = _ranks(one), _ranks(other)
    mean = (len(a) + 1) / 2
    covariance = sum((x - mean) * (y - mean) for x, y in zip(a, b, strict=True))
    spread = (sum((x - mean) ** 2 for x in a) * sum((y - mean) ** 2 for y in b)) ** 0.5
    return covariance / spread if spread else 0.0


def _ranks(values: Sequence[float]) -> list[float]:
    order = sorted(values)
    first = {value: place for place, value in reversed(list(enumerate(order, 1)))}
    last = {value: place for place, value in enumerate(order, 1)}
    return [(first[value] + last[value]) / 2 for value in values]


def main() -> None:
    held, random = archive(), Random(SEED)
    print("| game | puzzles | rank correlation | " + " | ".join(f"grade {grade}" for grade in GRADES) + " |")
    print("|---|---" + "|---" * (1 + len(GRADES)) + "|")
    for key in catalog.keys():
        game = catalog.find_game(key)
        grades: list[float] = []
        shares: list[float] = []
        by_grade = []
        for grade in GRADES:
            entries = held.select(key, grade)
            puzzles = [held.find(entry.id) for entry in random.sample(entries, min(SAMPLE, len(entries)))]
            found = [missed(puzzle, tree_build("wasm", puzzle.rules), random) for puzzle in puzzles]
            grades += [grade] * len(found)
            shares += found
            by_grade.append(f"{sum(found) / len(found):.2f}" if found else "")
        print(f"| {game.title} | {len(grades)} | {rank_correlation(grades, shares):.2f} | {' | '.join(by_grade)} |")


if __name__ == "__main__":
    main()
