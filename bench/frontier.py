"""Who wins, for every length and every size of the pool, and with how many first moves.

Run it with: python bench/frontier.py increasing-differences

First it finds out who wins each game, then in the time that is left with how many first moves, the smaller games before
the larger. It prints the table of docs/solved.md. A cell says `all` if every first move wins, otherwise how many do;
`+` where the player who begins wins, but there was no time to find out with which moves; `=3` if three first moves draw
and none wins; `-` if the other player wins. With --kept FILE every answer is kept as it is found, and a run that was
broken off goes on where it ended.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from pathlib import Path
from time import perf_counter, process_time, time
from typing import NamedTuple

from parlour import catalog
from parlour.errors import TooBig
from parlour.limit import Limit
from parlour.options import read_words
from parlour.rules import Rules, read_rules
from parlour.score import Value
from parlour.solver import Solver

MEMORY = 1 << 30  # that one question may take


class Family(NamedTuple):
    """A game whose length and pool are varied."""

    length: str  # the option that says how long a sequence is
    size: str  # the option that says how many numbers there are
    sizes: tuple[int, int]  # the smallest and the largest, unless another is asked for
    longest: Callable[[int], int]  # the greatest length that is asked for
    others: str = ""  # options that stay as they are


FAMILIES = {
    # The players take turns, so nobody gets more than half of the numbers, rounded up; one more completes no sequence.
    "increasing-differences": Family("length", "range", (2, 30), lambda size: min(size, (size + 1) // 2 + 1)),
    # Somebody who is stuck can be overtaken, so every length is a game of its own: we stop at 10.
    "sequence-builder": Family("length", "pool", (2, 27), lambda size: min(size, 10)),
    "pyramid-challenge": Family("base", "highest", (2, 12), lambda size: 3, "copies=2"),
}


class Answer(NamedTuple):
    """What is known of one game."""

    length: int
    size: int
    value: int  # for the player who begins: 1, 0 or -1
    best: int | None  # how many first moves are worth that; None: not found out


def rules(key: str, length: int, size: int) -> Rules:
    family = FAMILIES[key]
    texts = {family.length: str(length), family.size: str(size), **read_words(family.others)}
    return read_rules(catalog.find_game(key), texts)


def who_wins(key: str, length: int, size: int, deadline: float) -> tuple[Answer | None, float]:
    """Who wins, or None if the time on the clock is over before that is known; and the CPU time."""
    begun, game = process_time(), rules(key, length, size)
    try:
        value = Solver(game, compiled=True).value(game.start, _until(deadline))
    except TooBig:
        return None, process_time() - begun
    best = len(game.legal(game.start)) if value is Value.LOSS else None
    return Answer(length, size, int(value), best), process_time() - begun


def with_how_many(key: str, found: Answer, deadline: float) -> tuple[Answer | None, float]:
    """The same answer with the number of best first moves; in other respects as ``who_wins``."""
    begun, game = process_time(), rules(key, found.length, found.size)
    try:
        choices = Solver(game, compiled=True).values(game.start, _until(deadline))
    except TooBig:
        return None, process_time() - begun
    best = sum(choice.value == found.value for choice in choices)
    return found._replace(best=best), process_time() - begun


def _until(deadline: float) -> Limit:
    return Limit(seconds=max(0.0, deadline - time()), memory=MEMORY)


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
    for size in range(family.sizes[0], most + 1):
        cells = [cell(answers[n, size]) if (n, size) in answers else "" for n in lengths]
        lines.append(f"| {size} | {' | '.join(cells)} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game", choices=FAMILIES)
    parser.add_argument("--most", type=int, help="the largest pool")
    parser.add_argument("--seconds", type=float, default=600, help="how long it may take")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--kept", type=Path, help="a file to keep the answers in")
    given = parser.parse_args()
    key, family = given.game, FAMILIES[given.game]
    most = given.most or family.sizes[1]
    begun, spent, deadline = perf_counter(), 0.0, time() + given.seconds
    answers: dict[tuple[int, int], Answer] = {}
    if given.kept and given.kept.exists():
        for line in given.kept.read_text().splitlines():
            found = Answer(*json.loads(line))
            answers[found.length, found.size] = found
    games = [(n, size) for size in range(family.sizes[0], most + 1) for n in range(family.longest(size), 1, -1)]
    with ProcessPoolExecutor(given.processes) as pool:

        def take(futures: list[Future[tuple[Answer | None, float]]]) -> None:
            nonlocal spent
            for future in as_completed(futures):
                found, seconds = future.result()
                spent += seconds
                if found is None:
                    continue
                answers[found.length, found.size] = found
                if seconds > 1:
                    print(f"{found}: {seconds:.1f} s", file=sys.stderr, flush=True)
                if given.kept:
                    with given.kept.open("a") as file:
                        file.write(json.dumps(found) + "\n")

        take([pool.submit(who_wins, key, *game, deadline) for game in games if game not in answers])
        took = perf_counter() - begun
        print(
            f"who wins {len(answers)} of {len(games)} games: {took:.0f} s, {spent:.0f} s of CPU time", file=sys.stderr
        )
        unsure = [answers[game] for game in games if game in answers and answers[game].best is None]
        take([pool.submit(with_how_many, key, found, deadline) for found in unsure])
    print(*table(key, answers, most), sep="\n")
    took = perf_counter() - begun
    print(f"\n{took:.0f} s, {spent:.0f} s of CPU time, {given.processes} processes.")


if __name__ == "__main__":
    main()
