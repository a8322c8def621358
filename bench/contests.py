"""Which options make the best contest: the tables of docs/contests.md.

    python bench/contests.py            the book's options and the variants of every game
    python bench/contests.py places     where these stand among the squares of the atlas
    python bench/contests.py sweep      many options of each game, the best of them first; takes a quarter of an hour

The measure is defined in src/parlour/study/contest.py. Numba has to be installed for the sweep.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import permutations, product
from multiprocessing import Pool

import parlour
from parlour.lab.atlas import shipped_map
from parlour.options import left_to_chance, read_words, show_words

MOST_POSITIONS = 8_000_000  # of options that are tried; others are left out
BEST = 12  # of a game that are told
STEPS = ("1,2", "1,2,3", "1,3", "2,3", "1,2,4", "1,2,5", "2,3,4", "2,3,5", "1,2,3,4", "1,2,3,4,5", "1,2,3,4,5,6")
TRIED: dict[str, dict[str, tuple[object, ...]]] = {
    "double-up": {"limit": (20, 30, 50, 80, 100, 150, 200, 300, 500, 1000, 2000)},
    "increasing-differences": {"length": tuple(range(4, 11)), "range": tuple(range(8, 19))},
    "pyramid-challenge": {"base": (2, 3), "highest": tuple(range(4, 13)), "copies": (1, 2, 3)},
    "sequence-builder": {"length": tuple(range(4, 11)), "pool": tuple(range(10, 25, 2)), "increments": STEPS},
}


def row(rules: parlour.Rules, name: str) -> str:
    found = parlour.measure_contest(rules, limit=parlour.Limit(nodes=MOST_POSITIONS))
    shares = " | ".join(f"{100 * share:.0f} %" for share in (found.first, found.drawn, found.second))
    return f"| {name} | {found.value} | {shares} | {found.turns:.1f} | {found.critical:.1f} | {found.measure:.2f} |"


HEAD = "| {} | best play | first wins | drawn | second wins | turns | that decide | measure |\n" + "|---" * 8 + "|"


def shipped() -> None:
    print(HEAD.format("game and options"))
    for game in parlour.list_games():
        for title, words in (("book", ""), *((variant.title, variant.options) for variant in game.variants)):
            rules = parlour.rules_of(game, **read_words(words))
            name = f"{game.title}, {title} {f'(`{words}`)' if words else ''}".strip()
            try:
                print(row(rules, name), flush=True)
            except (parlour.TooBig, parlour.BadOptions):
                continue  # it need not end, or the grid is still to be dealt: see below
    by_lines()


def by_lines() -> None:
    """Grids by the number of their lines that can win: all grids of a pattern are the same game."""
    game = parlour.find_game("sequence-spot")
    patterns: dict[int, tuple[int, parlour.Rules]] = {}
    for grid in permutations("123456789"):
        lines = game.start(game.options(grid=int("".join(grid)))).lines  # type: ignore[attr-defined, call-arg]
        count, rules = patterns.get(lines, (0, None))
        patterns[lines] = (count + 1, rules or parlour.rules_of(game, grid=",".join(grid)))
    print("\n| lines that can win | grids | first wins | drawn | second wins | turns | that decide | measure |")
    print("|---|---|---|---|---|---|---|---|")
    for amount in sorted({lines.bit_count() for lines in patterns}):
        chosen = [pattern for lines, pattern in patterns.items() if lines.bit_count() == amount]
        grids = sum(count for count, _ in chosen)
        totals = [0.0] * 6
        for count, rules in chosen:
            found = parlour.measure_contest(rules)
            kept = (found.first, found.drawn, found.second, found.turns, found.critical, found.measure)
            totals = [total + count / grids * number for total, number in zip(totals, kept, strict=True)]
        shares = " | ".join(f"{100 * share:.0f} %" for share in totals[:3])
        print(f"| {amount} | {grids:,} | {shares} | {totals[3]:.1f} | {totals[4]:.1f} | {totals[5]:.2f} |", flush=True)


def places() -> None:
    """Where the book's options and the variants stand among the squares of eight to twenty turns, by the measure."""
    print("| game and options | measure | place | among |\n|---|---|---|---|")
    for game in parlour.list_games():
        if left_to_chance(game.options):
            continue
        found = shipped_map(game)
        ranked = found.best(len(found.squares))
        order = {row.options: place for place, row in enumerate(ranked, 1)}
        measures = {row.options: row.measure for row in found.squares}
        for title, words in (("book", ""), *((variant.title, variant.options) for variant in game.variants)):
            options = show_words(parlour.rules_of(game, **read_words(words)).options)
            if measures.get(options) is not None:
                place = order.get(options, "shorter or longer")
                print(f"| {game.title}, {title} | {measures[options]:.2f} | {place} | {len(ranked)} |")


def candidates() -> Iterator[tuple[str, dict[str, object]]]:
    for key, options in TRIED.items():
        for values in product(*options.values()):
            yield key, dict(zip(options, values, strict=True))


def try_one(what: tuple[str, dict[str, object]]) -> tuple[str, float, str] | None:
    key, options = what
    try:
        rules = parlour.rules_of(key, **options)  # type: ignore[arg-type]
        found = parlour.measure_contest(rules, limit=parlour.Limit(nodes=MOST_POSITIONS))
    except (parlour.BadOptions, parlour.TooBig):
        return None
    if not found.is_handy:
        return None
    return key, found.measure, row(rules, f"`{show_words(rules.options)}`")


def sweep() -> None:
    with Pool(2) as pool:
        rows = [found for found in pool.imap_unordered(try_one, candidates()) if found is not None]
    for key in TRIED:
        print(HEAD.format(key))
        for _, _, text in sorted((found for found in rows if found[0] == key), key=lambda found: -found[1])[:BEST]:
            print(text)
        print()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Which options make the best contest.")
    parser.add_argument("what", nargs="?", choices=("shipped", "places", "sweep"), default="shipped")
    {"shipped": shipped, "places": places, "sweep": sweep}[parser.parse_args().what]()
