"""Whether each level is stronger than the one below: neighbours meet under the book's options and every variant.

Run it with: python bench/levels.py [--games N] [GAME]...

Each opening, a deal and two random moves, is played twice with the players swapped. A cell has the points of the
stronger player out of 100, and how far the truth may be from that with 95 % confidence: **62 ± 4** where it is above
50 beyond doubt, in italics where it is below beyond doubt; that never happens, or the exit code is 1.
"""

from __future__ import annotations

import argparse
import os
import sys
from itertools import pairwise
from math import sqrt
from typing import NamedTuple

from parlour import catalog, players
from parlour.options import read_words
from parlour.parallel import ProcessExecutor
from parlour.rules import Rules, read_rules
from parlour.tournament import Pair, Played, play_all

OPENING_MOVES = 2  # at random, as in a tournament
WORDS = [kind.word for kind in players.offered()]  # the weakest first
CONFIDENT = 1.96  # standard errors on either side have the truth between them 95 times out of 100


class Contest(NamedTuple):
    """A game under options that are shipped."""

    title: str
    rules: Rules


class Share(NamedTuple):
    """The points of a player out of 100, and half the width of the interval that has the truth in it."""

    points: float
    within: float

    @property
    def is_above(self) -> bool:
        return self.points - self.within > 50

    @property
    def is_below(self) -> bool:
        return self.points + self.within < 50

    def __str__(self) -> str:
        mark = "**" if self.is_above else "*" if self.is_below else ""
        return f"{mark}{self.points:.1f} ± {self.within:.1f}{mark}"


def contests(keys: list[str]) -> list[Contest]:
    """The book's options and the variants of some games, as far as computers can play them to an end."""
    found = []
    for key in keys:
        game = catalog.find_game(key)
        for title, words in (("book", ""), *((variant.title, variant.words) for variant in game.content.variants)):
            rules = read_rules(game, read_words(words))
            if rules.bounds is not None:
                found.append(Contest(f"{game.title}, {title}", rules))
    return found


def share_of(word: str, games: list[Played]) -> Share:
    """From the games of two players: an opening's two games count as one, for they share their luck."""
    openings: dict[int, float] = {}
    for game in games:
        points = game.points if game.first == word else 1 - game.points
        openings[game.opening] = openings.get(game.opening, 0.0) + points / 2
    mean = sum(openings.values()) / len(openings)
    variance = sum((points - mean) ** 2 for points in openings.values()) / max(1, len(openings) - 1)
    return Share(100 * mean, 100 * CONFIDENT * sqrt(variance / len(openings)))


def meet(contest: Contest, neighbours: list[tuple[str, str]], games: int, seed: str, jobs: int) -> list[Share]:
    """Let each of these meet so often: what the second one of each has got."""
    pairs = [
        Pair(contest.rules, OPENING_MOVES, opening, words, seed)
        for words in neighbours
        for opening in range(games // 2)
    ]
    with ProcessExecutor(jobs) as executor:
        played = play_all(pairs, executor)
    met = [[game for game in played if {game.first, game.second} == {*words}] for words in neighbours]
    return [share_of(words[1], games) for words, games in zip(neighbours, met, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("keys", metavar="GAME", nargs="*", default=catalog.keys())
    parser.add_argument("--games", type=int, default=400, help="how often two players meet")
    parser.add_argument("--players", default=",".join(WORDS), help="who meets the next one, the weakest first")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes that share the work")
    given = parser.parse_args()
    neighbours = list(pairwise(given.players.split(",")))
    print("| points out of 100 |", " | ".join(f"`{high}` against `{low}`" for low, high in neighbours), "|")
    print("|---|" + "---:|" * len(neighbours))
    worse = 0
    for contest in contests(given.keys):
        shares = meet(contest, neighbours, given.games, given.seed, given.jobs)
        worse += sum(share.is_below for share in shares)
        print(f"| {contest.title} |", " | ".join(map(str, shares)), "|", flush=True)
    print(f"\n{given.games} games a cell, seed {given.seed}")
    sys.exit(worse > 0)


if __name__ == "__main__":
    main()
