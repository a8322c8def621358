"""When a search should move from pure Python to WebAssembly: the reasons for PLAIN_NODES in the solver.

    python bench/crossover.py

A question is what `parlour solve` answers at a position of a random game, asked in a new process: WebAssembly has to be
loaded first, and nothing is known. Times are CPU time, the least of several runs.
"""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from random import Random
from time import process_time

from parlour import catalog
from parlour.batch import random_game
from parlour.errors import TooBig
from parlour.limit import Limit
from parlour.rules import Rules, read_rules
from parlour.solver import Solver
from parlour.solver.solver import PLAIN_NODES

RUNS = 7
GAMES = 8  # random games of each kind
MOST_NODES = 60_000  # counted of a question
THRESHOLDS = (0, 500, 1_000, 2_000, 4_000, 8_000, 16_000)
LOADING = """
from time import process_time
from parlour.catalog import find_game
from parlour.rules import read_rules
from parlour.solver import Solver
rules = read_rules(find_game("increasing-differences"), {"length": "3", "range": "7"})
begun = process_time()
Solver(rules, runtime="wasm").value(rules.start)
print(process_time() - begun)
"""


def book(key: str) -> Rules:
    """Return a game of the book's size, with everything dealt."""
    game = catalog.find_game(key)
    return Rules(game, game.rounds.deal(read_rules(game, {}).packed, 1, Random(1)))


def seconds_per_node(runtime: str) -> float:
    """Return the time of one node of the book's Increasing Differences."""
    rules, best = book("increasing-differences"), 1.0
    for _ in range(RUNS):
        solver, limit = Solver(rules, runtime=runtime), Limit()  # type: ignore[arg-type]
        solver.value(rules.after(rules.start, rules.legal(rules.start)[0]))  # loads
        begun = process_time()
        solver.value(rules.start, limit)
        best = min(best, (process_time() - begun) / limit.spent)
    return best


def questions() -> list[int]:
    """Return how many nodes the questions take, at every position of some random games."""
    random, found = Random(1), list[int]()
    for key in catalog.keys():
        rules = book(key)
        if rules.game.search.theory is None:
            for _ in range(GAMES):
                for position, move in random_game(rules, rules.start, random):
                    if move is not None:
                        limit = Limit(nodes=MOST_NODES)
                        with suppress(TooBig):
                            Solver(rules).analyse(position, limit, line=True)
                        found.append(limit.spent)
    return found


def main() -> None:
    loads = [float(subprocess.check_output([sys.executable, "-c", LOADING])) for _ in range(RUNS)]
    load, python, wasm = min(loads), seconds_per_node("python"), seconds_per_node("wasm")
    even = load / (python - wasm)
    print(
        f"loading WebAssembly {1000 * load:.0f} ms; a node {1e6 * python:.1f} us in Python, {1e6 * wasm:.2f} us in it"
    )
    print(f"loading costs as much as {even:,.0f} nodes; PLAIN_NODES is {PLAIN_NODES:,}")
    found = questions()
    above = [nodes for nodes in found if nodes > PLAIN_NODES]
    more = sum(nodes > even for nodes in above)
    print(f"{len(found):,} questions, {len(above):,} above PLAIN_NODES, {more:,} of these above {even:,.0f}\n")
    print("| threshold | ms per question | ms per question above PLAIN_NODES |\n|---|---|---|")
    for most in THRESHOLDS:
        cost = [n * python if n <= most else most * python + load + (n - most) * wasm for n in found]
        large = [each for each, nodes in zip(cost, found, strict=True) if nodes > PLAIN_NODES]
        print(f"| {most:,} | {1000 * sum(cost) / len(cost):.1f} | {1000 * sum(large) / max(len(large), 1):.0f} |")


if __name__ == "__main__":
    main()
