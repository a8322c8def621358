"""Who wins, and with how many first moves, as a table of two options: those of docs/solved.md.

Run it with the file of a sweep, which has a row for every cell, and the two options, the one of the columns first:

    parlour sweep sequence-builder --length 2-10 --pool 2-27 --measure value,first-moves -o builder.sweep
    python bench/frontier.py builder.sweep length pool

A cell says `all` if every first move wins, otherwise how many do; `+` where the player who begins wins, but there was
no time to find out with which moves; `=3` if three first moves draw and none wins; `-` if the other player wins; `?`
where nothing is known. Where a combination makes no game, or is not in the file, there is nothing.
"""

from __future__ import annotations

import argparse

from parlour.lab.measures import Row
from parlour.lab.results import read_results
from parlour.options import read_words


def cell(row: Row) -> str:
    """A row in a few characters."""
    if row.value in (None, "loss"):
        return "-" if row.value else "?"
    if row.keeping_first_moves is None:
        return "+" if row.value == "win" else "="
    if row.value == "draw":
        return f"={row.keeping_first_moves}"
    return "all" if row.keeping_first_moves == row.first_moves else str(row.keeping_first_moves)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", help="the file of a sweep")
    parser.add_argument("across", help="the option of the columns")
    parser.add_argument("down", help="the option of the lines")
    given = parser.parse_args()
    cells: dict[tuple[int, int], str] = {}
    with read_results(given.file) as results:
        for row in results:
            texts = read_words(row.options)
            cells[int(texts[given.down]), int(texts[given.across])] = cell(row)
    columns = sorted({column for _, column in cells})
    print(f"| {given.down} | {' | '.join(map(str, columns))} |\n|---|{'---|' * len(columns)}")
    for line in sorted({line for line, _ in cells}):
        print(f"| {line} | {' | '.join(cells.get((line, column), '') for column in columns)} |")


if __name__ == "__main__":
    main()
