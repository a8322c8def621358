"""What a game can deal, with all that are the same game counted once."""

from __future__ import annotations

from itertools import product

from parlour.game import Game
from parlour.options import Arrangement, declared
from parlour.rules import Rules


def distinct_deals(game: Game) -> list[Rules]:
    """One deal by the book for each position that it can begin with, in the order of what is dealt."""
    kinds = declared(game.options).values()
    choices = [
        kind.every() if isinstance(kind, Arrangement) else (value,)
        for kind, value in zip(kinds, game.defaults, strict=True)
    ]
    firsts: dict[tuple[int, ...], Rules] = {}
    for values in product(*choices):
        options = game.options(*values)
        start = game.start(options)
        if start not in firsts:
            firsts[start] = Rules(game, options)
    return [*firsts.values()]
