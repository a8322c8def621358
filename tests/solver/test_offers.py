"""What the games say of themselves and of their variants, proved word by word.

Each claim stands here in full beside its proof: whoever changes the words has to prove the new ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import permutations
from random import Random
from typing import Any

import pytest

from parlour import catalog
from parlour.match import Match, Setup
from parlour.options import read_words
from parlour.rules import Rules, read_rules
from parlour.score import Value
from parlour.solver import Solver
from tests.solver.test_claims import ROWS
from tests.solver.test_claims import test_every_grid_of_sequence_spot_is_a_draw as every_grid_is_a_draw

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
        if game.known:
            yield key, "", game.known
        for variant in game.variants:
            yield key, variant.options, variant.why


@pytest.mark.slow
@pytest.mark.parametrize(("key", "texts", "claim"), list(offers()))
def test_the_claim_is_true(key: str, texts: str, claim: str) -> None:
    proved, proof = PROOFS[key, texts]
    assert proved == claim, "other words need another proof"
    proof(read_rules(catalog.find_game(key), read_words(texts)))


def first_moves(rules: Rules) -> dict[str, list[int]]:
    """The first moves by what they are worth to the player who begins."""
    found: dict[str, list[int]] = {"win": [], "draw": [], "loss": []}
    for choice in Solver(rules).choices(rules.start):
        found[str(choice.value)].append(choice.move)
    return found


def numbers_to_leave(rules: Any) -> list[int]:
    """From which whoever has to move loses: by search, without the game's own formula."""
    solver = Solver(Rules(replace(rules.game, theory=None), rules.options))
    upwards = range(2, rules.options.limit + 1)
    return [n for n in reversed(upwards) if solver.value(rules.position([n])) is Value.LOSS][::-1]


@proves("double-up", "", "The player who begins wins: leave 2, 5, 11, 24, 49 and 100 to the other one.")
def _(rules: Any) -> None:
    assert first_moves(rules) == {"win": [2], "draw": [], "loss": []}
    assert numbers_to_leave(rules) == [2, 5, 11, 24, 49, 100]


@proves("double-up", "limit=80", "here it is the second player who wins, if he knows what to leave")
def _(rules: Any) -> None:
    assert first_moves(rules) == {"win": [], "draw": [], "loss": [2]}
    # He has to know: some answer to the forced 2 gives the win away, and some does not.
    after = rules.play(rules.start, 2)
    assert {choice.value for choice in Solver(rules).choices(after)} == {Value.WIN, Value.LOSS}


@proves("double-up", "limit=1000", "a longer climb, and other numbers to leave")
def _(rules: Any) -> None:
    book = Rules(rules.game, rules.game.defaults)
    longer = Solver(rules).score(rules.start).plies
    usual = Solver(book).score(book.start).plies
    assert longer is not None
    assert usual is not None
    assert longer > usual
    assert set(numbers_to_leave(rules)) & set(numbers_to_leave(book)) == {2}, "which is no choice"


@proves("double-up", "limit=none", "the book to the letter: it ends only when somebody resigns")
def _(rules: Any) -> None:
    assert rules.bounds is None
    match, random = Match(Setup(rules.game, rules.options)), Random(1)
    for _ in range(200):  # whatever is played, the double of the last number is always there
        match.play(random.randint(match.legal[0], match.legal[-1]))
        assert match.legal[-1] == 2 * match.position.last
    match.resign(0)
    assert match.outcome is not None


@proves(
    "increasing-differences",
    "",
    "The player who begins wins, whatever both first numbers are; it takes 7 turns.",
)
def _(rules: Any) -> None:
    solver = Solver(rules, compiled=True)
    for first in range(1, 21):
        for second in range(1, 21):
            if first != second:
                after = rules.play(rules.play(rules.start, first), second)
                assert solver.score(after) == (Value.WIN, 5), "and two have been played"


@proves("increasing-differences", "length=6 range=14", "only 6 of the 14 first numbers win, so the opening matters")
def _(rules: Any) -> None:
    found = first_moves(rules)
    assert (len(found["win"]), len(found["loss"]), found["draw"]) == (6, 8, [])


@proves("increasing-differences", "length=6 range=12", "the second player wins: let the stronger one begin")
def _(rules: Any) -> None:
    found = first_moves(rules)
    assert (found["win"], found["draw"], len(found["loss"])) == ([], [], 12)


@proves(
    "pyramid-challenge",
    "",
    "The player who begins wins in 11 turns with any first number: the pyramids never touch.",
)
def _(rules: Any) -> None:
    choices = Solver(rules).choices(rules.start)
    assert [choice.score for choice in choices] == [(Value.WIN, 11)] * 9


@proves("pyramid-challenge", "copies=2", "the numbers run out, so you can take what the other player needs")
def _(rules: Any) -> None:
    # If the pyramids did not touch, whoever begins would win with any number. Here one of them can be punished.
    assert first_moves(rules) == {"win": [1, 2, 3, 4, 5, 6, 7, 8], "draw": [], "loss": [9]}


@proves("pyramid-challenge", "copies=1", "a fair fight: with best play it is a draw")
def _(rules: Any) -> None:
    assert first_moves(rules)["draw"] == list(range(1, 10))


@proves(
    "sequence-builder",
    "",
    "The player who begins wins with any first number up to 13; 14 to 17 draw, 18 to 20 lose.",
)
def _(rules: Any) -> None:
    expected = {"win": list(range(1, 14)), "draw": list(range(14, 18)), "loss": list(range(18, 21))}
    assert first_moves(rules) == expected


@proves("sequence-builder", "length=6", "a draw with best play, though 15 of 20 first numbers lose")
def _(rules: Any) -> None:
    found = first_moves(rules)
    assert (found["win"], len(found["draw"]), len(found["loss"])) == ([], 5, 15)


@proves("sequence-builder", "increments=1,2", "sharper: one first number draws, the other 19 lose")
def _(rules: Any) -> None:
    found = first_moves(rules)
    assert (found["win"], len(found["draw"]), len(found["loss"])) == ([], 1, 19)


@proves(
    "sequence-spot",
    "",
    "With best play every grid is drawn, and in 6 of 10 grids no line can win at all.",
)
def _(rules: Any) -> None:
    every_grid_is_a_draw()  # it counts those without a line as well: 59.9 %


@proves("sequence-spot", "deal=winnable", "every grid holds at least one line that can win")
def _(rules: Any) -> None:
    # A deal is taken back unless it holds an arithmetic line; any such line can be completed, as long as nobody blocks.
    for seed in range(200):
        dealt = Rules(rules.game, rules.game.deal(rules.options, 1 + seed % 3, Random(seed)))
        assert holds_a_line(dealt.options.grid)
        assert not dealt.settled(dealt.start)
    for grid in list(permutations("123456789"))[:: 362_880 // 2000]:
        given = read_rules(rules.game, {"grid": ",".join(grid)})
        assert given.settled(given.start) != holds_a_line(int("".join(grid)))


def holds_a_line(grid: int) -> bool:
    numbers = [int(digit) for digit in str(grid)]
    return any(numbers[a] + numbers[c] == 2 * numbers[b] for a, b, c in ROWS)


@proves("sequence-spot", "deal=winnable max_rounds=3", "three winnable grids at most, then it is undecided")
def _(rules: Any) -> None:
    match, solvers = Match(Setup(rules.game, rules.options, seed="3")), {}
    while match.outcome is None:
        assert holds_a_line(match.options.grid)
        if match.between_rounds:
            match.next_round()
            continue
        solver = solvers.setdefault(match.options, Solver(match.rules))
        match.play(next(choice.move for choice in solver.choices(match.position) if choice.value is Value.DRAW))
    assert len(match.rounds) == 3
    assert match.outcome == (None, "undecided")
