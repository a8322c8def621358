"""Which games Parlour offers."""

from __future__ import annotations

from collections.abc import Iterator

from parlour.catalog import list_games
from parlour.lab.combinations import combine
from parlour.options import left_to_chance
from parlour.rules import Rules, read_rules


def shipped_rules() -> Iterator[Rules]:
    """What Parlour offers and has a value: each game by the book and in its variants, or else whatever it can deal."""
    for game in list_games():
        if left_to_chance(game.options):
            yield from combine(game, {}).rules  # what the variants deal is among them
            continue
        for options in ({}, *(variant.options for variant in game.content.variants)):
            rules = read_rules(game, options)
            if rules.bounds is not None:  # a game that need not end has no value
                yield rules
