"""Which options make the best contest: the tables of docs/contests.md.

    python bench/contests.py            the book's options and the variants of every game
    python bench/contests.py places     where these stand among the squares of the atlas

The measure is defined in src/parlour/study/contest.py. `parlour sweep` and `parlour atlas` measure other options.
"""

from __future__ import annotations

import argparse
from collections import defaultdict

import parlour
from parlour.lab.atlas import shipped_map
from parlour.lab.sweep import combine
from parlour.options import left_to_chance, read_words, show_words

MOST_POSITIONS = 8_000_000  # of a variant; a larger one is left out


def row(rules: parlour.Rules, name: str) -> str:
    found = parlour.measure_contest(rules, limit=parlour.Limit(nodes=MOST_POSITIONS))
    shares = " | ".join(f"{100 * share:.0f} %" for share in (found.first, found.drawn, found.second))
    return f"| {name} | {found.value} | {shares} | {found.turns:.1f} | {found.critical:.1f} | {found.measure:.2f} |"


HEAD = "| {} | best play | first wins | drawn | second wins | turns | that decide | measure |\n" + "|---" * 8 + "|"


def shipped() -> None:
    print(HEAD.format("game and options"))
    for game in parlour.list_games():
        for title, words in (("book", ""), *((variant.title, variant.words) for variant in game.content.variants)):
            rules = parlour.rules_of(game, **read_words(words))
            name = f"{game.title}, {title} {f'(`{words}`)' if words else ''}".strip()
            try:
                print(row(rules, name), flush=True)
            except (parlour.TooBig, parlour.BadOptions):
                continue  # it need not end, or the grid is still to be dealt: see below
    by_lines()


def by_lines() -> None:
    """Grids by the number of their lines that can win: all grids of a pattern are the same game."""
    found = combine(parlour.find_game("sequence-spot"), {})
    by_amount: dict[int, list[tuple[int, parlour.Rules]]] = defaultdict(list)
    for rules, alike in zip(found.rules, found.alike, strict=True):
        by_amount[rules.start.lines.bit_count()].append((alike, rules))  # type: ignore[attr-defined]
    print("\n| lines that can win | grids | first wins | drawn | second wins | turns | that decide | measure |")
    print("|---|---|---|---|---|---|---|---|")
    for amount, chosen in sorted(by_amount.items()):
        grids = sum(count for count, _ in chosen)
        totals = [0.0] * 6
        for count, rules in chosen:
            contest = parlour.measure_contest(rules)
            kept = (contest.first, contest.drawn, contest.second, contest.turns, contest.critical, contest.measure)
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
        ranked = found.best_rows(len(found.rows))
        order = {row.words: place for place, row in enumerate(ranked, 1)}
        measures = {row.words: row.measure for row in found.rows}
        for title, words in (("book", ""), *((variant.title, variant.words) for variant in game.content.variants)):
            options = show_words(parlour.rules_of(game, **read_words(words)).options)
            if measures.get(options) is not None:
                place = order.get(options, "shorter or longer")
                print(f"| {game.title}, {title} | {measures[options]:.2f} | {place} | {len(ranked)} |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Which options make the best contest.")
    parser.add_argument("what", nargs="?", choices=("shipped", "places"), default="shipped")
    {"shipped": shipped, "places": places}[parser.parse_args().what]()
