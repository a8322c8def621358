"""Who wins, for every length and every size of the pool, and with how many first moves.

Run it with: python bench/frontier.py increasing-differences

It prints the table of docs/solved.md. A cell says `all` if every first number wins, otherwise how many do; `+` where
the player who begins wins, but finding out with which numbers would take more than --nodes positions; `=3` if three
first numbers draw and none wins; `-` if the other player wins. With --kept FILE every answer is kept as it is found,
and a run that was broken off goes on where it ended.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from parlour import catalog
from parlour.errors import TooBig
from parlour.limit import Limit
from parlour.rules import Rules, read_rules
from parlour.score import Value
from parlour.solver import Solver

MEMORY = 2 << 30  # that one question may take
SECONDS = 3600.0  # far more than any question here needs


class Family(NamedTuple):
    """A game whose length and pool are varied."""

    size: str  # the option that says how many numbers there are
    smallest: int
    longest: Callable[[int], int]  # the greatest length that is asked for


FAMILIES = {
    # The players take turns, so nobody gets more than half of the numbers, rounded up; one more completes no sequence.
    "increasing-differences": Family("range", 2, lambda size: min(size, (size + 1) // 2 + 1)),
    # Somebody who is stuck can be overtaken, so every length is a game of its own: we stop at 10.
    "sequence-builder": Family("pool", 2, lambda size: min(size, 10)),
}


class Answer(NamedTuple):
    """What is known of one game."""

    length: int
    size: int
    value: int  # for the player who begins: 1, 0 or -1
    best: int | None  # how many first moves are worth that; None: not found out


def answer(key: str, length: int, size: int, nodes: int) -> tuple[Answer, float]:
    """Who wins, and with how many first moves if that does not take too much; and the CPU time."""
    begun = os.times()
    game = catalog.find_game(key)
    rules: Rules = read_rules(game, {"length": str(length), FAMILIES[key].size: str(size)})
    solver = Solver(rules, compiled=True)
    value = solver.value(rules.start, Limit(seconds=SECONDS, memory=MEMORY))
    best: int | None = None
    if value is Value.LOSS:
        best = len(rules.legal(rules.start))
    else:
        try:
            choices = solver.values(rules.start, Limit(seconds=SECONDS, nodes=nodes, memory=MEMORY))
            best = sum(choice.value is value for choice in choices)
        except TooBig:
            pass
    ended = os.times()
    return Answer(length, size, int(value), best), ended.user - begun.user + ended.system - begun.system


def cell(found: Answer) -> str:
    """An answer in a few characters."""
    if found.value < 0:
        return "-"
    if found.best is None:
        return "+" if found.value else "="
    return f"={found.best}" if not found.value else "all" if found.best == found.size else str(found.best)


def table(key: str, answers: dict[tuple[int, int], Answer], most: int) -> list[str]:
    """The answers, a line for each size of the pool and a column for each length."""
    family = FAMILIES[key]
    lengths = range(2, family.longest(most) + 1)
    lines = [f"| {family.size} | {' | '.join(map(str, lengths))} |", f"|---|{'---|' * len(lengths)}"]
    for size in range(family.smallest, most + 1):
        cells = [cell(answers[n, size]) if (n, size) in answers else "" for n in lengths]
        lines.append(f"| {size} | {' | '.join(cells)} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game", choices=FAMILIES)
    parser.add_argument("--most", type=int, default=27, help="the largest pool")
    parser.add_argument("--nodes", type=int, default=1_000_000, help="positions that the first moves may take")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--kept", type=Path, help="a file to keep the answers in")
    given = parser.parse_args()
    begun, spent = perf_counter(), 0.0
    answers: dict[tuple[int, int], Answer] = {}
    if given.kept and given.kept.exists():
        for line in given.kept.read_text().splitlines():
            found = Answer(*json.loads(line))
            answers[found.length, found.size] = found
    family = FAMILIES[given.game]
    games = [(n, size) for size in range(family.smallest, given.most + 1) for n in range(family.longest(size), 1, -1)]
    with ProcessPoolExecutor(given.processes) as pool:
        futures = [pool.submit(answer, given.game, *game, given.nodes) for game in games if game not in answers]
        for future in as_completed(futures):
            found, seconds = future.result()
            spent += seconds
            answers[found.length, found.size] = found
            if seconds > 1:
                print(
                    f"length {found.length}, {family.size} {found.size}: {seconds:.1f} s", file=sys.stderr, flush=True
                )
            if given.kept:
                with given.kept.open("a") as file:
                    file.write(json.dumps(found) + "\n")
    print(*table(given.game, answers, given.most), sep="\n")
    took = perf_counter() - begun
    print(f"\n{len(futures)} games in {took:.0f} s, {spent:.0f} s of CPU time, {given.processes} processes.")


if __name__ == "__main__":
    main()
