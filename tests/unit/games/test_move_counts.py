"""Move counts per depth of small games. The larger ones are in tests/proofs/test_move_counts.py."""

from __future__ import annotations

import pytest

from tests.support import enumerators as naive
from tests.support.ledger import rule
from tests.support.move_counts import END, check_counts


@pytest.mark.parametrize(
    ("length", "highest", "depth"),
    [
        (4, 20, 2),
        (5, 15, 3),
        (30, 60, 1),
        (2, 2, END),
        (2, 12, END),
        (3, 3, END),
        (3, 6, END),
        (4, 4, END),
        (4, 6, END),
    ],
)
@rule("increasing-differences", "Game summary: … without the possibility of a draw.")
def test_increasing_differences(length: int, highest: int, depth: int) -> None:
    counted = check_counts("increasing-differences", {"length": length, "range": highest}, depth)
    assert all(draws == 0 for _, _, _, draws in counted)


@pytest.mark.parametrize(
    "rows",
    [
        ((2, 7, 6), (9, 5, 1), (4, 3, 8)),  # the book's second grid: four lines
        ((1, 2, 3), (4, 5, 6), (7, 8, 9)),  # all eight lines
    ],
)
@rule("sequence-spot", "Rules 3, winning: The first player to meet the objective wins the game.")
def test_sequence_spot(rows: tuple[tuple[int, ...], ...]) -> None:
    check_counts("sequence-spot", {"rows": rows}, 6)


@pytest.mark.parametrize(
    ("base", "highest", "copies", "depth"),
    [
        (3, 9, None, 3),
        (10, 60, None, 1),
        (3, 9, 1, 3),
        (3, 9, 60, 3),
        (2, 2, None, END),
        (2, 5, None, END),
        (3, 2, None, END),
        (4, 2, None, END),
        (2, 3, 1, END),
        (2, 6, 1, END),
        (2, 5, 2, END),
        (3, 3, 2, END),
        (3, 6, 1, END),
        (4, 2, 5, END),
    ],
)
@rule("pyramid-challenge", "Rules, passing turns: The game continues until one player completes their pyramid.")
def test_pyramid_challenge(base: int, highest: int, copies: int | None, depth: int) -> None:
    check_counts("pyramid-challenge", {"base": base, "highest": highest, "copies": copies}, depth)


@pytest.mark.parametrize(
    ("limit", "depth"),
    [(100, 5), (None, 5), (1_000_000, 5), (40, 5), (2, END), (3, END), (4, END), (5, END), (9, END), (14, END)],
)
@rule("double-up", "Scoring: No draws: there is always a clear winner.")
def test_double_up(limit: int | None, depth: int) -> None:
    counted = check_counts("double-up", {"limit": limit}, depth)
    assert all(draws == 0 for _, _, _, draws in counted)


@pytest.mark.parametrize(
    ("length", "pool", "increments", "depth"),
    [
        (4, 20, (1, 2, 3), 3),
        (5, 12, (1, 2), END),
        (4, 20, (5,), END),
        (3, 9, (1, 4), END),
        (3, 6, (1, 2, 3), END),
        (2, 2, (1,), END),
        (4, 10, (3,), END),
        (12, 12, (1,), END),
        (30, 60, (1, 2, 3), 2),
    ],
)
@rule("sequence-builder", "Rules 3, winning: If both sequences are of equal length and no")
def test_sequence_builder(length: int, pool: int, increments: tuple[int, ...], depth: int) -> None:
    check_counts("sequence-builder", {"length": length, "pool": pool, "increments": increments}, depth)


# The books' own sizes are too large to be counted from the start. From some beginnings they can be, to the very end.


@pytest.mark.parametrize("begun", [(10, 11, 1, 20), (3, 18, 9, 4)])
def test_increasing_differences_at_the_books_size(begun: tuple[int, ...]) -> None:
    check_counts("increasing-differences", {"length": 4, "range": 20}, begun=begun)


@pytest.mark.parametrize(
    ("begun", "copies"), [((4, 5, 7, 2), None), ((4, 5, 7, 2), 1), ((9, 1, 8, 3), 1), ((2, 4, 3, 6), 1)]
)
def test_pyramid_challenge_at_the_books_size(begun: tuple[int, ...], copies: int | None) -> None:
    check_counts("pyramid-challenge", {"base": 3, "highest": 9, "copies": copies}, begun=begun)


def test_double_up_at_the_books_size() -> None:
    check_counts("double-up", {"limit": 100}, begun=(2, 4, 8, 16, 32, 64, 90))


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
