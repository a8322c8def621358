"""The speed of searches, tables and random games in every runtime, in one run.

    python bench/solver.py [PART ...] [--beside FOLDER]

The parts are ``searches``, ``playouts``, ``cpp``, ``outcomes`` and ``tables``, all of them by default. ``--beside``
names the source of another version of Parlour (its ``src``), which is measured in turns with this one.

All times are processor time, and the least of several rounds. In brackets: how many times as fast as Python, or as the
other version.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
from collections.abc import Callable
from contextlib import suppress
from inspect import signature
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from parlour import Limit, Rules, TooBig, Value, catalog, playouts
from parlour.solver import Solver, tabulate
from runtimes import LABELS, OTHER, Other, chosen, in_turns, print_head, print_row, runtimes, serve, set_up, started

SEARCHES = {  # options that take a while; Double Up is solved by a formula, and Sequence Spot is small
    "increasing-differences": {"length": "8", "range": "22"},
    "pyramid-challenge": {"highest": "12"},
    "sequence-builder": {"length": "10", "pool": "24", "increments": "2,3,5"},
}
NODES, COMPILED_NODES = 50_000, 3_000_000  # the most in one measurement
GAMES, COMPILED_GAMES = 500, 1_000_000  # 500 are the most that run in Python by default
TABLES = ((4, 10), (4, 12), (4, 14), (4, 16), (4, 18), (4, 20), (5, 18), (5, 20))  # length and range
MAX_PYTHON_TABLE = (4, 12)
OUTCOMES = ((6, 24), (8, 24), (12, 24))
PARTS = ("searches", "playouts", "cpp", "outcomes", "tables")


def increasing(length: int, top: int) -> Rules:
    return set_up("increasing", length=str(length), range=str(top))


def millions(cost: float) -> str:
    return f"{1e-6 / cost:.3g} M"


def seconds(cost: float) -> str:
    return f"{cost:.2f} s"


def node(runtime: str, key: str) -> float:
    """Return the seconds of a node, in a search for the scores of all first moves."""
    rules = set_up(key, **SEARCHES[key])
    limit = Limit(nodes=NODES if runtime == "python" else COMPILED_NODES)
    solver = Solver(rules, **chosen(runtime))
    begin = process_time()
    with suppress(TooBig):
        solver.choices(rules.start, limit)
    return (process_time() - begin) / limit.spent


def placement(runtime: str, key: str) -> float:
    """Return the seconds of a placement in random games."""
    rules, how = set_up(key), {"runtime": runtime} if "runtime" in signature(playouts).parameters else {}
    begin = process_time()
    found = playouts(rules, GAMES if runtime == "python" else COMPILED_GAMES, **how)
    return (process_time() - begin) / found.placements


def table(runtime: str, length: int, top: int) -> float:
    """Return the seconds of a table of Increasing Differences, sorted and ready to be saved."""
    begin = process_time()
    tabulate(increasing(length, top), **chosen(runtime))
    return process_time() - begin


def outcome(runtime: str, length: int, top: int) -> float:
    """Return the seconds to find out who wins Increasing Differences."""
    rules = increasing(length, top)
    begin = process_time()
    Solver(rules, **chosen(runtime)).value(rules.start)
    return process_time() - begin


class Bench:
    """The tables, for these runtimes."""

    def __init__(self, other: Other) -> None:
        self._other, self._all = other, runtimes()
        self._compiled = tuple(name for name in self._all if name != "python")

    def _costs(self, work: Callable[..., float], *given: Any, python: bool = True, rounds: int = 3) -> dict[str, float]:
        return in_turns(work, *given, among=self._all if python else self._compiled, other=self._other, rounds=rounds)

    def searches(self) -> None:
        print_head("nodes a second", self._all, self._other)
        for key, options in SEARCHES.items():
            self._costs(node, key, python=False, rounds=1)  # loads, or compiles
            print_row(set_up(key, **options).title, self._costs(node, key), millions)

    def playouts(self) -> None:
        print_head("random games, placements a second", self._all, self._other)
        for key in catalog.keys():
            self._costs(placement, key, python=False, rounds=1)
            print_row(catalog.find_game(key).title, self._costs(placement, key, rounds=5), millions)

    def cpp(self) -> None:
        """The same questions put to a naive program in C++."""
        compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
        if compiler is None:
            print("There is no C++ compiler here to compare with.")
            return
        labels = [LABELS[name] for name in (*self._compiled, *([OTHER] if self._other else []))]
        print(f"| question | naive C++ | {' | '.join(labels)} |\n|---|---|{'---|' * len(labels)}")
        with TemporaryDirectory() as folder:
            program, source = str(Path(folder, "naive")), str(Path(__file__).with_name("naive.cpp"))
            subprocess.run([compiler, "-O3", "-march=native", "-std=c++17", "-o", program, source], check=True)
            for work, length, top in ((table, 4, 20), (outcome, 12, 24)):
                command = [program, work.__name__, str(length), str(top)]
                found = [subprocess.run(command, check=True, capture_output=True, text=True).stdout for _ in range(3)]
                naive = min(float(line.split()[3]) for line in found)
                self._costs(work, 4, 10, python=False, rounds=1)
                costs = self._costs(work, length, top, python=False)
                cells = [f"{cost:.2f} s, {cost / naive:.2f}" for cost in costs.values()]
                print(f"| {work.__name__} {length}/{top} | {naive:.2f} s | {' | '.join(cells)} |", flush=True)

    def outcomes(self) -> None:
        """Who wins, and nothing more, where no table fits."""
        print_head("who wins Increasing Differences", self._compiled, self._other, "first player", "memory so far")
        for length, top in OUTCOMES:
            costs = self._costs(outcome, length, top, python=False)
            rules = increasing(length, top)
            winner = {Value.WIN: "wins", Value.LOSS: "loses"}[Solver(rules).value(rules.start)]
            memory = f"{getrusage(RUSAGE_SELF).ru_maxrss >> 10} MB"
            print_row(f"length {length}, range {top}", costs, seconds, winner, memory)

    def tables(self) -> None:
        """Every position of Increasing Differences."""
        print_head("table", self._all, self._other, "positions")
        self._costs(table, 3, 8, python=False, rounds=1)
        for length, top in TABLES:
            python = (length, top) <= MAX_PYTHON_TABLE
            costs = self._costs(table, length, top, python=python, rounds=3 if length == 4 else 1)
            count = f"{len(tabulate(increasing(length, top))):,}"
            print_row(f"length {length}, range {top}", costs, seconds, count, *([] if python else [""]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], metavar="PART")
    parser.add_argument("--beside", metavar="FOLDER", help="the source of another version of Parlour")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)  # the process of the other version
    given = parser.parse_args()
    if given.serve:
        serve(globals())
        return
    with started(__file__, given.beside) as other:
        bench = Bench(other)
        for part in given.parts or PARTS:
            getattr(bench, part)()
            print()


if __name__ == "__main__":
    main()
