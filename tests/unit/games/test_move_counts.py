"""Move counts per depth: Parlour's rules against an enumerator that was written from the rule books alone."""

from __future__ import annotations

from collections import Counter

import pytest

from parlour import catalog
from parlour.game import DRAWN, MOVER_LOSES, MOVER_WINS, ONGOING, SomePosition
from parlour.rules import read_rules
from tests.support import enumerators as naive
from tests.support.ledger import rule

END = 1000  # deeper than any game here


def count_moves(
    key: str, texts: dict[str, str], depth: int, begun: tuple[int, ...] = ()
) -> list[tuple[int, int, int, int]]:
    """As ``naive.count_moves``, by Parlour's rules. Equal positions are counted together."""
    rules = read_rules(catalog.find_game(key), texts)
    position = rules.start
    for move in begun:
        position = rules.play(position, move)
    positions: Counter[SomePosition] = Counter([position])
    rows = []
    for ply in range(depth + 1):
        ends: Counter[str] = Counter()
        deeper: Counter[SomePosition] = Counter()
        mover, waiter = ("first", "second") if (len(begun) + ply) % 2 == 0 else ("second", "first")
        for position, ways in positions.items():
            result = rules.result(position)
            if result != ONGOING:
                ends[{MOVER_WINS: mover, MOVER_LOSES: waiter, DRAWN: "draw"}[result]] += ways
                assert not rules.legal(position)
            for move in rules.legal(position) if ply < depth else ():
                deeper[rules.play(position, move)] += ways
        rows.append((positions.total(), ends["first"], ends["second"], ends["draw"]))
        if not deeper:
            break
        positions = deeper
    return rows


def texts_of(**options: object) -> dict[str, str]:
    """The options as they are typed, those that are not None."""
    return {name: str(value) for name, value in options.items() if value is not None}


def ended(rows: list[tuple[int, int, int, int]]) -> bool:
    """Whether every game that was counted has come to its end."""
    sequences, *ends = rows[-1]
    return sequences == sum(ends)


@pytest.mark.parametrize(
    ("length", "highest", "depth"),
    [
        (4, 20, 3),
        (4, 11, 5),
        (5, 15, 3),
        (30, 60, 2),
        (2, 2, END),
        (2, 30, END),
        (3, 3, END),
        (3, 6, END),
        (4, 4, END),
        (4, 7, END),
        (5, 8, END),
        (8, 8, END),
    ],
)
@rule("increasing-differences", "Game summary: … without the possibility of a draw.")
def test_increasing_differences(length: int, highest: int, depth: int) -> None:
    counted = count_moves("increasing-differences", texts_of(length=length, range=highest), depth)
    assert counted == naive.count_moves(naive.increasing_differences, {"length": length, "range": highest}, depth)
    assert depth != END or ended(counted)
    assert all(draws == 0 for _, _, _, draws in counted)


@pytest.mark.parametrize(
    "rows",
    [
        ((5, 3, 8), (1, 6, 7), (4, 9, 2)),  # the book's first grid: two lines
        ((2, 7, 6), (9, 5, 1), (4, 3, 8)),  # the book's second grid: four lines
        ((1, 2, 3), (4, 5, 6), (7, 8, 9)),  # all eight lines
        ((1, 2, 4), (3, 5, 6), (8, 9, 7)),  # none
        ((1, 2, 3), (5, 4, 9), (7, 8, 6)),  # one row
        ((1, 9, 8), (4, 2, 5), (6, 7, 3)),  # one diagonal
    ],
)
@rule("sequence-spot", "Rules 3, winning: The first player to meet the objective wins the game.")
def test_sequence_spot(rows: tuple[tuple[int, ...], ...]) -> None:
    grid = ",".join(str(number) for row in rows for number in row)
    expected = naive.count_moves(naive.sequence_spot, {"rows": rows}, END, naive.as_marked)
    assert count_moves("sequence-spot", {"grid": grid}, END) == expected
    assert ended(expected)


@pytest.mark.parametrize(
    ("base", "highest", "copies", "depth"),
    [
        (3, 9, None, 4),
        (10, 60, None, 2),
        (3, 9, 1, 4),
        (3, 9, 60, 4),
        (2, 2, None, END),
        (2, 9, None, END),
        (3, 3, None, END),
        (3, 4, None, END),
        (4, 2, None, END),
        (4, 3, None, 11),
        (2, 3, 1, END),
        (2, 6, 1, END),
        (2, 7, 2, END),
        (3, 4, 2, END),
        (3, 4, 3, END),
        (3, 6, 1, END),
        (4, 2, 5, END),
    ],
)
@rule("pyramid-challenge", "Rules, passing turns: The game continues until one player completes their pyramid.")
def test_pyramid_challenge(base: int, highest: int, copies: int | None, depth: int) -> None:
    counted = count_moves("pyramid-challenge", texts_of(base=base, highest=highest, copies=copies), depth)
    options = {"base": base, "highest": highest, "copies": copies}
    assert counted == naive.count_moves(naive.pyramid_challenge, options, depth)
    assert depth != END or ended(counted)


@pytest.mark.parametrize(
    ("limit", "depth"),
    [
        (100, 6),
        (None, 6),
        (1_000_000, 5),
        (40, 6),
        (2, END),
        (3, END),
        (4, END),
        (5, END),
        (9, END),
        (16, END),
        (17, END),
    ],
)
@rule("double-up", "Scoring: No draws: there is always a clear winner.")
def test_double_up(limit: int | None, depth: int) -> None:
    counted = count_moves("double-up", {"limit": "none" if limit is None else str(limit)}, depth)
    assert counted == naive.count_moves(naive.double_up, {"limit": limit}, depth)
    assert depth != END or ended(counted)
    assert all(draws == 0 for _, _, _, draws in counted)


@pytest.mark.parametrize(
    ("length", "pool", "increments", "depth"),
    [
        (4, 20, (1, 2, 3), END),
        (4, 15, (1, 2, 3), END),
        (5, 12, (1, 2, 3), END),
        (4, 20, (2, 3), END),
        (4, 20, (5,), END),
        (3, 9, (1, 4), END),
        (3, 6, (1, 2, 3), END),
        (2, 2, (1,), END),
        (2, 60, (1, 20), END),
        (4, 10, (3,), END),
        (12, 12, (1,), END),
        (12, 12, (1, 3), END),
        (30, 60, (1, 2, 3), 3),
    ],
)
@rule("sequence-builder", "Rules 3, winning: If both sequences are of equal length and no")
def test_sequence_builder(length: int, pool: int, increments: tuple[int, ...], depth: int) -> None:
    texts = texts_of(length=length, pool=pool, increments=",".join(map(str, increments)))
    counted = count_moves("sequence-builder", texts, depth)
    options = {"length": length, "pool": pool, "increments": increments}
    assert counted == naive.count_moves(naive.sequence_builder, options, depth)
    assert depth != END or ended(counted)


# The books' own sizes are too large to be counted from the start. From some beginnings they can be, to the very end.


@pytest.mark.parametrize("begun", [(5, 7, 8), (10, 11, 1, 20), (20, 1, 19, 2), (1, 20, 11, 10), (3, 18, 9, 4)])
def test_increasing_differences_at_the_books_size(begun: tuple[int, ...]) -> None:
    counted = count_moves("increasing-differences", {}, END, begun)
    options = {"length": 4, "range": 20}
    assert counted == naive.count_moves(naive.increasing_differences, options, END, begun=begun)
    assert ended(counted)


@pytest.mark.parametrize(
    ("begun", "copies"),
    [
        ((4, 5, 7, 2), None),
        ((4, 5, 7, 2), 1),
        ((1, 2, 3), None),
        ((1, 2, 3), 2),
        ((5, 6, 5, 8), None),
        ((5, 6, 5, 8), 2),
        ((9, 1, 8, 3), 1),
        ((2, 4, 3, 6), 1),
        ((2, 4, 3, 6), 3),
    ],
)
def test_pyramid_challenge_at_the_books_size(begun: tuple[int, ...], copies: int | None) -> None:
    counted = count_moves("pyramid-challenge", texts_of(copies=copies), END, begun)
    options = {"base": 3, "highest": 9, "copies": copies}
    assert counted == naive.count_moves(naive.pyramid_challenge, options, END, begun=begun)
    assert ended(counted)


@pytest.mark.parametrize("begun", [(2, 4, 8, 16, 32, 64, 90), (2, 3, 5, 6, 9, 10, 19, 38, 76, 88)])
def test_double_up_at_the_books_size(begun: tuple[int, ...]) -> None:
    counted = count_moves("double-up", {}, END, begun)
    assert counted == naive.count_moves(naive.double_up, {"limit": 100}, END, begun=begun)
    assert ended(counted)


# Counts that can be worked out by hand hold the enumerator itself to the rules.


def test_enumerator_counts_double_up_up_to_4_by_hand() -> None:
    # 1 2 3 4, 1 2 4: two games, one won by each player.
    rows = naive.count_moves(naive.double_up, {"limit": 4}, END)
    assert rows == [(1, 0, 0, 0), (1, 0, 0, 0), (2, 0, 1, 0), (1, 1, 0, 0)]


def test_enumerator_counts_a_dead_grid_by_hand() -> None:
    # Without an arithmetic line every order of the nine cells is a game, and all of them are drawn: 9!.
    rows = naive.count_moves(naive.sequence_spot, {"rows": ((1, 2, 4), (3, 5, 6), (8, 9, 7))}, END, naive.as_marked)
    assert [row[0] for row in rows] == [1, 9, 72, 504, 3024, 15120, 60480, 181440, 362880, 362880]
    assert rows[-1] == (362880, 0, 0, 362880)


def test_enumerator_counts_tic_tac_toe() -> None:
    # With eight arithmetic lines it is noughts and crosses, whose 255168 games are well known.
    rows = naive.count_moves(naive.sequence_spot, {"rows": ((1, 2, 3), (4, 5, 6), (7, 8, 9))}, END, naive.as_marked)
    assert tuple(sum(row[k] for row in rows) for k in (1, 2, 3)) == (131184, 77904, 46080)


def test_enumerator_counts_two_numbers_of_two_by_hand() -> None:
    # Sequence Builder with 1 and 2: whoever has the 1 lacks the 2, so both games are draws.
    rows = naive.count_moves(naive.sequence_builder, {"length": 2, "pool": 2, "increments": (1,)}, END)
    assert rows == [(1, 0, 0, 0), (2, 0, 0, 0), (2, 0, 0, 2)]
    # Increasing Differences with 1 and 2: Player 1 has nothing left for his second number.
    rows = naive.count_moves(naive.increasing_differences, {"length": 2, "range": 2}, END)
    assert rows == [(1, 0, 0, 0), (2, 0, 0, 0), (2, 0, 2, 0)]


def test_enumerator_counts_the_smallest_pyramid_by_hand() -> None:
    # Base 2 with 1 and 2: above 1 1 stands 2, above 1 2 stands 1, above 2 2 nothing.
    rows = naive.count_moves(naive.pyramid_challenge, {"base": 2, "highest": 2}, END)
    # Of 16 pairs of bottoms one is stuck on both sides; 12 are won by the first player; in 3 he passes and loses.
    assert rows == [(1, 0, 0, 0), (2, 0, 0, 0), (4, 0, 0, 0), (8, 0, 0, 0), (16, 0, 0, 1), (15, 12, 0, 0), (3, 0, 3, 0)]
