"""Move counts per depth: Parlour's rules against the enumerators written from the rule books alone."""

from __future__ import annotations

from collections import Counter

from parlour import catalog
from parlour.game import DRAWN, MOVER_LOSES, MOVER_WINS, ONGOING, SomePosition
from parlour.rules import read_rules
from tests.support import enumerators as naive
from tests.support.enumerators import Look, Options

END = 1000  # deeper than any game here
Rows = list[tuple[int, int, int, int]]  # move sequences, wins of the first player, of the second, draws
LOOKS: dict[str, Look] = {
    "double-up": naive.double_up,
    "increasing-differences": naive.increasing_differences,
    "pyramid-challenge": naive.pyramid_challenge,
    "sequence-builder": naive.sequence_builder,
    "sequence-spot": naive.sequence_spot,
}


def count_moves(
    key: str, texts: dict[str, str], depth: int, begun: tuple[int, ...] = ()
) -> list[tuple[int, int, int, int]]:
    """As ``naive.count_moves``, by Parlour's rules. Equal positions are counted together."""
    rules = read_rules(catalog.find_game(key), texts)
    position = rules.start
    for move in begun:
        position = rules.play(position, move)
    positions: Counter[SomePosition] = Counter([position])
    rows = []
    for ply in range(depth + 1):
        ends: Counter[str] = Counter()
        deeper: Counter[SomePosition] = Counter()
        mover, waiter = ("first", "second") if (len(begun) + ply) % 2 == 0 else ("second", "first")
        for position, ways in positions.items():
            result = rules.result(position)
            if result != ONGOING:
                ends[{MOVER_WINS: mover, MOVER_LOSES: waiter, DRAWN: "draw"}[result]] += ways
                assert not rules.legal(position)
            for move in rules.legal(position) if ply < depth else ():
                deeper[rules.play(position, move)] += ways
        rows.append((positions.total(), ends["first"], ends["second"], ends["draw"]))
        if not deeper:
            break
        positions = deeper
    return rows


def texts_of(options: Options) -> dict[str, str]:
    """Return the options of an enumerator as Parlour reads them."""
    texts = {}
    for name, value in options.items():
        if name == "rows":
            texts["grid"] = ",".join(str(number) for row in value for number in row)
        elif isinstance(value, tuple):
            texts[name] = ",".join(map(str, value))
        else:
            texts[name] = "none" if value is None else str(value)
    return texts


def ended(rows: Rows) -> bool:
    """Return whether every counted game has come to its end."""
    sequences, *ends = rows[-1]
    return sequences == sum(ends)


def check_counts(key: str, options: Options, depth: int = END, begun: tuple[int, ...] = ()) -> Rows:
    """Compare the counts up to a depth, from a game that has begun like this, and return them."""
    counted = count_moves(key, texts_of(options), depth, begun)
    merge = naive.as_marked if key == "sequence-spot" else naive.as_played
    assert counted == naive.count_moves(LOOKS[key], options, depth, merge, begun)
    assert depth != END or ended(counted)
    return counted
