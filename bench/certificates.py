"""How much cheaper it is to check a certificate than to solve the game: the table of docs/certificates.md.

    python bench/certificates.py                a few games of each kind
    python bench/certificates.py GAME OPTIONS   another one, such as: sequence-builder "length=5 pool=16"

Whoever trusts nobody can check a certificate, or solve the game themselves. Both are done here as plain Python with the
rules of verifier/: the one plays the strategy against every reply, the other looks at every position once and knows no
short cut. What Parlour's own solver needs, which knows many, stands beside them.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path
from time import process_time
from typing import Any

import parlour
from parlour.options import read_words, show_words
from parlour.rules import Rules
from parlour.study.strategy import certify, write_strategy

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "verifier"))

MOST = 200_000  # positions that are looked at; a game that has more is said to have more
CLAIMS = (
    ("double-up", "limit=1000"),
    ("increasing-differences", "length=4 range=10"),
    ("increasing-differences", "length=7 range=14"),
    ("increasing-differences", ""),
    ("pyramid-challenge", "highest=7 copies=2"),
    ("pyramid-challenge", ""),
    ("sequence-builder", "length=4 pool=12"),
    ("sequence-builder", ""),
    ("sequence-builder", "length=8 increments=2,3,5"),
    ("sequence-spot", "grid=2,7,6,9,5,1,4,3,8"),
)


def count_positions(game: Any) -> tuple[int, bool]:
    """Score every position that play reaches, value and distance, as far as the most; how many, and whether all."""
    worth = {"loss": (-1, 0), "draw": (0, 0), "win": (1, 0)}
    scores: dict[str, tuple[int, int]] = {}
    todo = [game.start()]
    while todo and len(scores) < MOST:
        position = todo[-1]
        if (result := game.result(position)) is not None:
            scores[game.text(position)] = worth[result]
            todo.pop()
            continue
        follows = [game.play(position, move) for move in game.moves(position)]
        if missing := [after for after in follows if game.text(after) not in scores]:
            todo += missing
            continue
        best = max((-value, -plies if value < 0 else plies) for value, plies in (scores[game.text(a)] for a in follows))
        scores[game.text(position)] = (best[0], abs(best[1]) + 1)
        todo.pop()
    return len(scores), not todo


def row(rules: Rules) -> str:
    verify = importlib.import_module("verify")
    game = importlib.import_module(rules.game.key.replace("-", "_")).Game(rules.option_texts)
    began = process_time()
    positions, all_of_them = count_positions(game)
    solving = process_time() - began
    limit, solver = parlour.Limit(), parlour.Solver(rules, runtime="python")
    worth = solver.score(rules.start, limit)
    strategies = certify(rules, (), parlour.Solver(rules).score)
    text = "".join(map(write_strategy, strategies)).encode()
    began = process_time()
    verify.verify(text)
    checking = process_time() - began
    lines = sum(len(each.answers) for each in strategies)
    more = "" if all_of_them else "more than "
    return (
        f"| {rules.game.title} `{show_words(rules.options)}` | {worth} | {lines:,} | {more}{positions:,} "
        f"| {limit.spent:,} | {more}{solving / checking:,.0f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="How much cheaper checking is than solving.")
    parser.add_argument("game", nargs="?")
    parser.add_argument("options", nargs="?", default="")
    given = parser.parse_args()
    print("| game | worth | lines of the proof | positions | searched by Parlour | solving : checking, in time |")
    print("|---" * 6 + "|")
    for key, words in [(given.game, given.options)] if given.game else CLAIMS:
        print(row(parlour.rules_of(key, **read_words(words))), flush=True)


if __name__ == "__main__":
    main()
