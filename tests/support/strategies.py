"""Hypothesis strategies for any game: options it allows, and positions that play can reach."""

from __future__ import annotations

import os
from random import Random
from typing import Any

from hypothesis import assume, settings
from hypothesis import strategies as st

from parlour import catalog
from parlour.errors import BadOptions
from parlour.game import Game, SomePosition
from parlour.options import Arrangement, Kind, Number, Numbers, Word, declared
from parlour.rules import Rules, read_rules

FACTOR = int(os.environ.get("PARLOUR_EXAMPLES", "1"))


def examples(count: int, **more: Any) -> settings:
    """Return settings for a number of examples, multiplied by PARLOUR_EXAMPLES for a longer run."""
    return settings(max_examples=count * FACTOR, deadline=None, **more)


games = st.sampled_from(catalog.keys()).map(catalog.find_game)


def values(kind: Kind) -> st.SearchStrategy[str]:
    """Every text that an option of this kind allows."""
    if isinstance(kind, Number):
        numbers = st.integers(kind.low, kind.high).map(str)
        return st.one_of(st.just("none"), numbers) if kind.none else numbers
    if isinstance(kind, Word):
        return st.sampled_from(kind.words)
    if isinstance(kind, Numbers):
        return st.sets(st.integers(kind.low, kind.high), min_size=1).map(
            lambda found: ",".join(map(str, sorted(found)))
        )
    assert isinstance(kind, Arrangement)
    return st.permutations("123456789").map(",".join)


@st.composite
def rules_of(draw: st.DrawFn, game: Game, ends: bool = True) -> Rules:
    """The game under options that it allows, dealt; by default only those under which every game ends."""
    texts = {name: draw(values(kind)) for name, kind in declared(game.options).items() if draw(st.booleans())}
    try:
        options = read_rules(game, texts).packed
    except BadOptions:
        assume(False)
    assume(not ends or game.rules.bounds(options) is not None)
    return Rules(game, game.rounds.deal(options, 1, Random(draw(st.integers(0, 1000)))))


def playout(rules: Rules, seed: int) -> list[tuple[SomePosition, int | None]]:
    """The positions of one random game to its end, each with the move played there; the last with None."""
    random, position = Random(seed), rules.start
    steps: list[tuple[SomePosition, int | None]] = []
    while not rules.is_over(position):
        move = random.choice(rules.legal(position))
        steps.append((position, move))
        position = rules.after(position, move)
    return [*steps, (position, None)]
