"""Every combination of the options of a game, from ranges and lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product
from math import log, prod
from random import Random
from typing import Any, NamedTuple

from parlour.batch import random_game
from parlour.errors import BadOptions
from parlour.game import Game, P
from parlour.options import O, declared, flag, left_to_chance, pack_options
from parlour.rules import Rules
from parlour.text import clip, counted

MOST_COMBINATIONS = 1_000_000
LISTS = "several between commas, and ranges like 4-8"
SOUNDINGS = 8  # random games from which it is guessed how large a game is
LONGEST_SOUNDING = 200  # turns


class Combinations(NamedTuple):
    """The games that some options make."""

    rules: list[Rules]
    alike: list[int]  # for each of them: how many arrangements are this same game; 1 where nothing is arranged
    left_out: int  # combinations that make no game


def combine(game: Game, given: Mapping[str, Sequence[str]]) -> Combinations:
    """Every combination of the values that are given for each option, the book's where none is.

    What chance would deal is taken in every arrangement that is a game of its own, unless some are given. BadOptions
    if a text will not do, if no combination makes a game, or if there are too many.
    """
    values = [_values(game, name, given.get(name, ())) for name in declared(game.options)]
    count = prod(len(each) for each in values)
    if count > MOST_COMBINATIONS:
        raise BadOptions(f"{count:,} combinations; a sweep has at most {MOST_COMBINATIONS:,}")
    found = Combinations([], [], 0)
    left_out, reason = 0, ""
    for combination in product(*values):
        options: Any = game.options(*combination)  # type: ignore[arg-type]  # a NamedTuple
        made = 0
        for arranged, alike in _arrangements(game, options):
            try:
                rules = Rules(game, arranged)
            except BadOptions as error:
                reason = str(error)
                continue
            found.rules.append(rules)
            found.alike.append(alike)
            made += 1
        left_out += not made
    if not found.rules:
        raise BadOptions(f"none of {counted(left_out, 'combination')} makes a game: {reason}")
    return found._replace(left_out=left_out)


def _values(game: Game, name: str, texts: Sequence[str]) -> list[int]:
    kind = declared(game.options)[name]
    values: dict[int, None] = {}  # each once, in the order in which they are given
    for text in texts:
        read = kind.read_several(text)
        if read is None:
            raise BadOptions(f"bad {flag(name)} {clip(text)!r}; allowed: {kind.allowed}; also {LISTS}")
        values |= dict.fromkeys(read)
    return list(values) or [getattr(pack_options(game.defaults), name)]


def _arrangements(game: Game[O, P], options: O) -> Iterator[tuple[O, int]]:
    """The options with all that is dealt, one of each game, with how many arrangements are that game."""
    missing = [name for name in left_to_chance(game.options) if not getattr(options, name)]
    if not missing:
        yield options, 1
        return
    games: dict[P, tuple[O, int]] = {}
    for digits in permutations("123456789"):
        arranged: O = options._replace(**{missing[0]: int("".join(digits))})  # type: ignore[attr-defined]  # a NamedTuple
        if game.rules.check(arranged) is None:
            start = game.rules.start(arranged)
            first, alike = games.get(start, (arranged, 0))
            games[start] = first, alike + 1
    yield from games.values()


def sound(rules: Rules[O, P]) -> float:
    """A number that is the higher the more work a game will be: the logarithm of how many games it has, about.

    By Knuth's estimate: the product of the numbers of moves along a random game, averaged over a few (1975).
    """
    random, total = Random(0), 0.0
    for _ in range(SOUNDINGS):
        for turn, (position, move) in enumerate(random_game(rules, rules.start, random)):
            if move is None or turn >= LONGEST_SOUNDING:
                break
            total += log(rules.count_legal(position))
    return total / SOUNDINGS
