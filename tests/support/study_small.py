"""Options so small that the textbook can look at everything, for every game."""

from __future__ import annotations

from random import Random

from parlour import catalog
from parlour.game import ONGOING, P
from parlour.match import Match, Setup
from parlour.options import O
from parlour.rules import Rules, read_rules
from tests.support.marks import quickly

SMALL: list[tuple[str, dict[str, str]]] = [
    ("double-up", {"limit": "2"}),
    ("double-up", {"limit": "37"}),
    ("increasing-differences", {"length": "3", "range": "7"}),
    ("increasing-differences", {"length": "4", "range": "9"}),
    ("pyramid-challenge", {"base": "2", "highest": "4"}),
    ("pyramid-challenge", {"base": "2", "highest": "4", "copies": "2"}),
    ("pyramid-challenge", {"base": "3", "highest": "3", "copies": "2"}),
    ("sequence-builder", {"length": "3", "pool": "8"}),
    ("sequence-builder", {"length": "4", "pool": "9", "increments": "1,3"}),
    ("sequence-spot", {"grid": "5,3,8,1,6,7,4,9,2"}),
    ("sequence-spot", {"grid": "9,8,7,1,2,3,4,5,6"}),
]

small_games = quickly(
    "key,texts", SMALL, *SMALL[1::2], ids=[f"{key} {' '.join(texts.values())}" for key, texts in SMALL]
)


def rules_of(key: str, texts: dict[str, str]) -> Rules:
    return read_rules(catalog.find_game(key), texts)


def random_matches(rules: Rules[O, P], number: int, seed: int = 0) -> list[Match[O, P]]:
    """Matches of one round each, played to its end at random."""
    random, matches = Random(seed), []
    for _ in range(number):
        match = Match(Setup(rules.game, rules.options), rules.options)
        while match.round_result == ONGOING:
            match.play(random.choice(match.legal))
        matches.append(match)
    return matches
