"""What the games say of themselves and of their variants, proved word by word.

Each claim stands here in full beside its proof: whoever changes the words has to prove the new ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import permutations
from random import Random
from typing import Any

import pytest

from parlour import catalog
from parlour.match import Match
from parlour.options import read_words
from parlour.rules import Rules, read_rules
from parlour.score import Value
from parlour.setup import Setup
from parlour.solver import Solver
from parlour.study.contest import measure_contest
from tests.support.small import without_theory

ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
Proof = Callable[[Any], None]  # of a game under its options
PROOFS: dict[tuple[str, str], tuple[str, Proof]] = {}


def proves(game: str, options: str, claim: str) -> Callable[[Proof], Proof]:
    """The proof of what a game says: of its own options if none are given, or else of that variant."""

    def keep(proof: Proof) -> Proof:
        PROOFS[game, options] = (claim, proof)
        return proof

    return keep


def offers() -> Iterator[tuple[str, str, str]]:
    """Everything that any game says: its key, the options, the claim."""
    for key in catalog.keys():
        game = catalog.find_game(key)
        if game.content.known:
            yield key, "", game.content.known
        for variant in game.content.variants:
            yield key, variant.words, variant.why


@pytest.mark.parametrize(("key", "texts", "claim"), list(offers()))
def test_the_claim_is_true(key: str, texts: str, claim: str) -> None:
    proved, proof = PROOFS[key, texts]
    assert proved == claim, "other words need another proof"
    proof(read_rules(catalog.find_game(key), read_words(texts)))


# What to expect between equals who sometimes err. tests/unit/study/test_contest.py checks such figures by definition.
BETWEEN_EQUALS = re.compile(r"([a-z ,]+): about (\d+) turns, (\d+) of them critical")


def contests() -> Iterator[tuple[str, str, str]]:
    """The variants that speak of a contest."""
    return ((key, texts, claim) for key, texts, claim in offers() if BETWEEN_EQUALS.fullmatch(claim))


characters = {variant.why: variant.character for game in catalog.list_games() for variant in game.content.variants}


def is_such_a_contest(rules: Rules, claim: str) -> None:
    found = BETWEEN_EQUALS.fullmatch(claim)
    assert found
    contest = measure_contest(rules)
    assert (round(contest.turns), round(contest.critical)) == (int(found[2]), int(found[3]))
    assert contest.is_handy
    assert contest.character == characters[claim]
    if "even" in found[1]:
        assert abs(contest.first - contest.second) < 0.1


for _key, _texts, _claim in contests():
    proves(_key, _texts, _claim)(partial(is_such_a_contest, claim=_claim))


@pytest.mark.parametrize("key", sorted({key for key, _, _ in contests()}))
def test_every_variant_is_a_better_contest_than_the_book(key: str) -> None:
    game = catalog.find_game(key)
    book = measure_contest(Rules(game, game.defaults)).measure
    for variant in game.content.variants:
        rules = read_rules(game, variant.options)
        if rules.bounds is not None:
            assert measure_contest(rules).measure > book, variant.title


def first_moves(rules: Rules) -> dict[str, list[int]]:
    """The first moves by what they are worth to the player who begins."""
    found: dict[str, list[int]] = {"win": [], "draw": [], "loss": []}
    for choice in Solver(rules).choices(rules.start):
        found[str(choice.value)].append(choice.move)
    return found


def numbers_to_leave(rules: Any) -> list[int]:
    """From which whoever has to move loses: by search, without the game's own formula."""
    solver = Solver(without_theory(rules))
    upwards = range(2, rules.options.limit + 1)
    return [n for n in reversed(upwards) if solver.value(rules.position([n])) is Value.LOSS][::-1]


@proves("double-up", "", "The first player can always win, by leaving the other player 2, 5, 11, 24, 49 and 100.")
def _(rules: Any) -> None:
    assert first_moves(rules) == {"win": [2], "draw": [], "loss": []}
    assert numbers_to_leave(rules) == [2, 5, 11, 24, 49, 100]


@proves("double-up", "limit=none", "exactly the book's game: it ends only when a player resigns")
def _(rules: Any) -> None:
    assert rules.bounds is None
    match, random = Match(Setup(rules)), Random(1)
    for _ in range(200):  # whatever is played, the double of the last number is always there
        match.play(random.randint(match.legal_moves[0], match.legal_moves[-1]))
        assert match.legal_moves[-1] == 2 * match.position.last
    match.resign(1)
    assert match.outcome is not None


@proves(
    "increasing-differences",
    "",
    "The first player can win in 7 turns, whatever the first two numbers.",
)
def _(rules: Any) -> None:
    solver = Solver(rules, runtime="wasm")
    for first in range(1, 21):
        for second in range(1, 21):
            if first != second:
                after = rules.play(rules.play(rules.start, first), second)
                assert solver.score(after) == (Value.WIN, 5), "and two have been played"


@proves(
    "pyramid-challenge",
    "",
    "The first player can win in 11 turns with any first number, because the pyramids never touch.",
)
def _(rules: Any) -> None:
    choices = Solver(rules).choices(rules.start)
    assert [choice.score for choice in choices] == [(Value.WIN, 11)] * 9


@proves(
    "sequence-builder",
    "",
    "The first player wins with a first number up to 13, draws with 14 to 17 and loses with 18 to 20.",
)
def _(rules: Any) -> None:
    expected = {"win": list(range(1, 14)), "draw": list(range(14, 18)), "loss": list(range(18, 21))}
    assert first_moves(rules) == expected


@proves(
    "sequence-spot",
    "",
    "With best play every grid is drawn, and on 6 grids in 10 nobody can win at all.",
)
def _(rules: Any) -> None:
    grids: dict[tuple[bool, ...], tuple[int, ...]] = {}
    counts: dict[tuple[bool, ...], int] = {}
    for grid in permutations(range(1, 10)):
        pattern = tuple(grid[a] + grid[c] == 2 * grid[b] for a, b, c in ROWS)
        grids.setdefault(pattern, grid)
        counts[pattern] = counts.get(pattern, 0) + 1
    assert len(grids) == 153
    assert counts[(False,) * 8] / 362_880 == pytest.approx(0.599, abs=0.0005)
    for grid in grids.values():
        dealt = read_rules(rules.game, {"grid": ",".join(map(str, grid))})
        assert Solver(dealt).value(dealt.start) is Value.DRAW, grid


@proves("sequence-spot", "deal=winnable", "every grid has at least one winning line")
def _(rules: Any) -> None:
    # A deal is taken back unless it holds an arithmetic line; any such line can be completed, as long as nobody blocks.
    for seed in range(200):
        dealt = Rules(rules.game, rules.game.rounds.deal(rules.packed, 1 + seed % 3, Random(seed)))
        assert holds_a_line(dealt.packed.grid)
        assert not dealt.settled(dealt.start)
    for grid in list(permutations("123456789"))[:: 362_880 // 2000]:
        given = read_rules(rules.game, {"grid": ",".join(grid)})
        assert given.settled(given.start) != holds_a_line(int("".join(grid)))


def lines_of(grid: int) -> int:
    """How many lines go up or down in equal steps."""
    numbers = [int(digit) for digit in str(grid)]
    return sum(numbers[a] + numbers[c] == 2 * numbers[b] for a, b, c in ROWS)


def holds_a_line(grid: int) -> bool:
    return lines_of(grid) > 0


@proves("sequence-spot", "deal=lively", "every grid has at least four winning lines")
def _(rules: Any) -> None:
    dealt = {rules.game.rounds.deal(rules.packed, 1 + seed % 3, Random(seed)).grid for seed in range(100)}
    assert len(dealt) > 80
    assert min(lines_of(grid) for grid in dealt) == 4
    assert max(lines_of(grid) for grid in dealt) > 4
