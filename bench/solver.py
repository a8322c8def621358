"""How fast the solver is, and how its cost grows. Compiled work is put beside the same source uncompiled, in one run.

Run it with: make bench
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from parlour import catalog
from parlour.batch import random_games as batch
from parlour.kernels import can_compile
from parlour.rules import Rules, read_rules
from parlour.score import Value
from parlour.solver import Solver, tabulate


def set_up(word: str, **texts: str) -> Rules:
    game = catalog.find_game(word)
    return Rules(game, game.deal(read_rules(game, texts).options, 1, Random(1)))


def memory() -> int:
    """The most memory this process has had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def openings() -> None:
    """What a player waits for without Numba: one reply, and all choices with distances, at the start and half way."""
    print("| game (book's sizes), uncompiled | a perfect reply | all choices | half way |\n|---|---|---|---|")
    for key in catalog.keys():
        rules = set_up(key)
        start = rules.start
        begin = perf_counter()
        Solver(rules, compiled=False).line(start, most=1)
        reply = perf_counter() - begin
        begin = perf_counter()
        solver = Solver(rules, compiled=False)
        solver.choices(start)
        choices = perf_counter() - begin
        line = solver.line(start)
        for move in line[: len(line) // 2]:
            start = rules.after(start, move)
        begin = perf_counter()
        Solver(rules, compiled=False).choices(start)
        half = perf_counter() - begin
        print(f"| {rules.game.title} | {reply:.3f} s | {choices:.3f} s | {half * 1000:.1f} ms |")
    print()


def tables() -> None:
    """Every position of Increasing Differences: how the cost grows, compiled beside uncompiled, in CPU time."""
    print("| table | positions | uncompiled | compiled | ratio |\n|---|---|---|---|---|")
    tabulate(set_up("increasing", length="3", range="8"), compiled=True)  # compiles
    for length, top in ((4, 10), (4, 12), (4, 14), (4, 16), (4, 18), (4, 20), (5, 18), (5, 20)):
        rules = set_up("increasing", length=str(length), range=str(top))
        begin = process_time()
        table = tabulate(rules, compiled=True)
        compiled = process_time() - begin
        plain = ""
        ratio = ""
        if len(table) < 200_000:
            begin = process_time()
            tabulate(rules, compiled=False)
            taken = process_time() - begin
            plain, ratio = f"{taken:.2f} s", f"{taken / compiled:.0f}"
        print(f"| length {length}, range {top} | {len(table):,} | {plain} | {compiled:.2f} s | {ratio} |", flush=True)
    print(f"\nmost memory so far: {memory()} MB\n")


def outcomes() -> None:
    """Who wins, and nothing more, where no table fits; in CPU time."""
    print("| who wins Increasing Differences | first player | time | memory |\n|---|---|---|---|")
    for length, top in ((6, 24), (8, 24), (12, 24)):
        rules = set_up("increasing", length=str(length), range=str(top))
        begin = process_time()
        value = Solver(rules, compiled=True).value(rules.start)
        taken = process_time() - begin
        word = {Value.WIN: "wins", Value.DRAW: "draws", Value.LOSS: "loses"}[value]
        print(f"| length {length}, range {top} | {word} | {taken:.1f} s | {memory()} MB |", flush=True)
    print()


def beside_cpp() -> None:
    """The same questions put to a naive program in C++, by turns, in seconds of CPU time: the least of three."""
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        print("There is no C++ compiler here to compare with.\n")
        return
    print("| question | naive C++ | Parlour | ratio |\n|---|---|---|---|")
    with TemporaryDirectory() as folder:
        program, source = str(Path(folder, "naive")), str(Path(__file__).with_name("naive.cpp"))
        subprocess.run([compiler, "-O3", "-march=native", "-std=c++17", "-o", program, source], check=True)
        for kind, length, top in (("table", 4, 20), ("outcome", 12, 24)):
            rules = set_up("increasing", length=str(length), range=str(top))
            theirs, ours = [], []
            for _ in range(3):
                told = subprocess.run(
                    [program, kind, str(length), str(top)], check=True, capture_output=True, text=True
                ).stdout.split()
                theirs.append(float(told[3]))
                begin = process_time()
                if kind == "table":
                    value = tabulate(rules, compiled=True).score(rules.start).value
                else:
                    value = Solver(rules, compiled=True).value(rules.start)
                ours.append(process_time() - begin)
                assert int(value) == int(told[1])
            ratio = min(ours) / min(theirs)
            print(f"| {kind} {length}/{top} | {min(theirs):.2f} s | {min(ours):.2f} s | {ratio:.2f} |", flush=True)
    print()


def playouts() -> None:
    """Placements in random games per second of a core: processor time, the best of five, as others may be at work."""
    print("| random games | uncompiled | compiled | ratio |\n|---|---|---|---|")
    for key in catalog.keys():
        rules = set_up(key)
        rates = []
        for make, games in ((batch._plain, 1000), (batch._compiled, 1_000_000)):
            run = make(rules.game)
            run(rules.options, rules.start, 1, 1)  # compiles
            best = 0.0
            for _ in range(5):
                begin = process_time()
                placements = run(rules.options, rules.start, games, 1)[3]
                best = max(best, placements / (process_time() - begin))
            rates.append(best)
        plain, compiled = rates
        print(
            f"| {rules.game.title} | {plain / 1e6:.2f} M/s | {compiled / 1e6:.0f} M/s | {compiled / plain:.0f} |",
            flush=True,
        )
    print()


def main() -> None:
    openings()
    if not can_compile():
        sys.exit("Numba is not installed: pip install 'parlour[fast]'")
    playouts()
    beside_cpp()
    outcomes()  # before the tables, which take more memory
    tables()


if __name__ == "__main__":
    main()
