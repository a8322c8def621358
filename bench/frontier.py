"""Who wins, and with how many first moves, as a table of two options: those of docs/solved.md.

Run it with the file of a sweep, which has a row for every cell, and the two options, the one of the columns first:

    parlour sweep sequence-builder --length 2-10 --pool 2-27 --measure value,first-moves -o builder.sweep
    python bench/frontier.py builder.sweep length pool

Or with a runtime, and the range of Increasing Differences up to which it finds out who wins at every length, and how
many seconds of processor time each range takes:

    python bench/frontier.py --runtime native --range 30
    python bench/frontier.py --runtime wasm --range 24

A cell says `all` if every first move wins, otherwise how many do; `+` where the player who begins wins, but there was
no time to find out with which moves; `=3` if three first moves draw and none wins; `-` if the other player wins; `?`
where nothing is known. Where a combination makes no game, or is not in the file, there is nothing.
"""

from __future__ import annotations

import argparse
from time import process_time
from typing import get_args

from parlour import Limit, Solver, Value, rules_of
from parlour.engine import Runtime
from parlour.engine.sessions import has_engine
from parlour.lab.measures import Row
from parlour.lab.results import read_results


def cell(row: Row) -> str:
    """A row in a few characters."""
    if row.value in (None, Value.LOSS):
        return "?" if row.value is None else "-"
    if row.keeping_first_moves is None:
        return "+" if row.value is Value.WIN else "="
    if row.value is Value.DRAW:
        return f"={row.keeping_first_moves}"
    return "all" if row.keeping_first_moves == row.first_moves else str(row.keeping_first_moves)


def solve(runtime: Runtime, highest: int) -> None:
    """Find out who wins Increasing Differences at every length, for every range up to the highest."""
    has_engine(rules_of("increasing-differences").game, "native" if runtime == "native" else "wasm")  # is built now
    print(f"| range | who wins at length 2, 3, ... | CPU seconds, {runtime} | nodes |\n|---|---|---|---|")
    total = 0.0
    for top in range(2, highest + 1):
        begin, limit, values = process_time(), Limit(nodes=10**12, memory=2 << 30), ""
        for length in range(2, (top + 3) // 2 + 1):
            rules = rules_of("increasing-differences", length=length, range=top)
            values += "+" if Solver(rules, runtime=runtime).value(rules.start, limit) is Value.WIN else "-"
        taken = process_time() - begin
        total += taken
        print(f"| {top} | {values} | {taken:.2f} | {limit.spent:,} |", flush=True)
    print(f"\nall: {total:.1f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", nargs="?", help="the file of a sweep")
    parser.add_argument("across", nargs="?", help="the option of the columns")
    parser.add_argument("down", nargs="?", help="the option of the lines")
    parser.add_argument("--runtime", choices=get_args(Runtime), default="wasm", help="solve instead, with this runtime")
    parser.add_argument("--range", type=int, default=30, help="the highest range to solve")
    given = parser.parse_args()
    if given.down is None:
        solve(given.runtime, given.range)
        return
    cells: dict[tuple[int, int], str] = {}
    with read_results(given.file) as results:
        for row in results:
            texts = row.options
            cells[int(texts[given.down]), int(texts[given.across])] = cell(row)
    columns = sorted({column for _, column in cells})
    print(f"| {given.down} | {' | '.join(map(str, columns))} |\n|---|{'---|' * len(columns)}")
    for line in sorted({line for line, _ in cells}):
        print(f"| {line} | {' | '.join(cells.get((line, column), '') for column in columns)} |")


if __name__ == "__main__":
    main()
