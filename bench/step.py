"""What one step costs from Python: Match.play and Rules.play, beside a bare loop over the game's own functions.

The bare loop asks for each position what nobody can do without, its result and its moves, and plays; it checks nothing
and keeps nothing. All play the same random games at the book's sizes, in turns in the same run. The times are those of
the processor, the least of several, so that others at work on the machine change little.

    python bench/step.py [--games 200] [--repeats 9]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from random import Random
from time import process_time
from typing import Any, NamedTuple

from parlour import catalog
from parlour.game import ONGOING
from parlour.match import Match
from parlour.rules import Rules
from parlour.setup import Setup


class Line(NamedTuple):
    """One round of a game, and what was played in it."""

    setup: Setup
    options: Any  # with everything dealt
    moves: list[int]


def random_line(key: str, seed: int) -> Line:
    game = catalog.find_game(key)
    setup = Setup(Rules(game, game.defaults), seed=str(seed))
    match, random, moves = Match(setup), Random(seed), list[int]()
    while match.round_result == ONGOING:
        moves.append(random.choice(match.legal_moves))
        match.play(moves[-1])
    return Line(setup, match.options, moves)


def played(lines: list[Line]) -> float:
    """Seconds of the processor for all these moves, each by Match.play."""
    matches = [Match(line.setup, line.options) for line in lines]
    begun = process_time()
    for match, line in zip(matches, lines, strict=True):
        for move in line.moves:
            match.play(move)
    return process_time() - begun


def refereed(lines: list[Line]) -> float:
    """The same, by Rules.play."""
    every = [Match(line.setup, line.options).rules for line in lines]
    starts = [rules.start for rules in every]
    begun = process_time()
    for rules, start, line in zip(every, starts, lines, strict=True):
        position = start
        for move in line.moves:
            position = rules.play(position, move)
    return process_time() - begun


def bare(lines: list[Line]) -> float:
    """The same, by the game's own functions."""
    matches = [Match(line.setup, line.options) for line in lines]
    starts = [(match.position, match.rules.packed) for match in matches]
    game = lines[0].setup.game
    result, moves, play = game.rules.result, game.rules.moves, game.rules.play
    begun = process_time()
    for (start, options), line in zip(starts, lines, strict=True):
        position = start
        for move in line.moves:
            if result(options, position) == ONGOING and moves(options, position):
                position = play(options, position, move)
    return process_time() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description="What one step costs from Python.")
    parser.add_argument("--games", type=int, default=200, help="of each kind")
    parser.add_argument("--repeats", type=int, default=9, help="of which the least counts")
    asked = parser.parse_args()
    ways: tuple[Callable[[list[Line]], float], ...] = (bare, refereed, played)
    sums = [0.0] * len(ways)
    print("| one step (book's sizes) | the game's functions | Rules.play | ratio | Match.play | ratio |")
    print("|---|---|---|---|---|---|")
    for key in catalog.keys():
        lines = [random_line(key, seed) for seed in range(asked.games)]
        steps = sum(len(line.moves) for line in lines)
        measured = [[way(lines) for way in ways] for _ in range(asked.repeats)]
        least = [1e6 * min(column) / steps for column in zip(*measured, strict=True)]
        sums = [total + each for total, each in zip(sums, least, strict=True)]
        print_row(lines[0].setup.game.title, least)
    print_row("all five, on average", [total / len(catalog.keys()) for total in sums])


def print_row(title: str, microseconds: list[float]) -> None:
    bare, refereed, played = microseconds
    print(f"| {title} | {bare:.2f} µs | {refereed:.2f} µs | {refereed / bare:.1f} ", end="")
    print(f"| {played:.2f} µs | {played / bare:.1f} |")


if __name__ == "__main__":
    main()
