"""Inconsistent positions are refused with a reason; positions that play can reach never are.

The quickest games only; larger ones and the grids are in tests/proofs/test_impossible_positions.py.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import product

import pytest

from parlour import catalog
from parlour.errors import BadPosition
from parlour.rules import read_rules, show_position
from tests.support import possible_positions
from tests.support.command import Run
from tests.support.possible_positions import QUICK, Case

Runner = Callable[..., Run]
small_games = pytest.mark.parametrize("case", QUICK, ids=lambda case: case.id)


@small_games
def test_reachable_positions_and_their_canonical_forms_are_accepted(case: Case) -> None:
    possible_positions.check_reachable_positions_pass(case, 250)


@small_games
def test_positions_reached_from_canonical_forms_are_accepted(case: Case) -> None:
    possible_positions.check_followers_of_canonical_forms_pass(case)


@pytest.mark.parametrize("text", ["6.5.3.6.3", "96.3.3.2.3"])  # mirror images of each other
def test_a_last_position_reached_from_a_canonical_form_is_accepted(text: str) -> None:
    rules = read_rules(catalog.find_game("increasing-differences"), {"length": "3", "range": "7"})
    position = rules.position(map(int, text.split(".")))
    rules.check_position(position)
    assert rules.is_over(position)


@small_games
def test_unreachable_positions_are_refused(case: Case) -> None:
    possible_positions.check_unreachable_positions_are_refused(case, 10)


@small_games
def test_accepted_positions_are_solved_right(case: Case) -> None:
    possible_positions.check_accepted_positions_are_solved_right(case)


def test_a_grid_in_which_every_line_counts_is_noughts_and_crosses() -> None:
    """Of the 3**9 ways to fill its cells 5,478 can come up, as is well known."""
    rules = read_rules(catalog.find_game("sequence-spot"), {"grid": "1,2,3,4,5,6,7,8,9"})
    possible = 0
    for cells in product((0, 1, 2), repeat=9):
        if cells.count(2) - cells.count(1) not in (0, 1):
            continue  # refused for another reason: see below
        mine, theirs = (sum(2 << place for place, marker in enumerate(cells) if marker == owner) for owner in (1, 2))
        with suppress(BadPosition):
            rules.check_position(rules.position([mine, theirs, 0b11111111]))
            possible += 1
    assert possible == 5478


@pytest.mark.parametrize(
    ("arguments", "reason"),  # as they are typed
    [
        ("double-up --position 0", "the sequence begins with 1, so its last number is never 0"),
        ("double-up --position 101", "last is 101, and must be below 101"),
        ("double-up --limit none --position 0", "the sequence begins with 1, so its last number is never 0"),
        ("increasing-differences --length 4 --range 8 --position 511.0.0.0.0", "0 is not in the pool"),
        (
            "increasing-differences --length 4 --range 8 --position 510.3.0.0.0",
            "the player to move has taken 0 numbers, so the last one cannot be 3",
        ),
        (
            "increasing-differences --length 4 --range 8 --position 508.0.0.2.0",
            "2 is still in the pool, so it cannot be the last number of the other player",
        ),
        (
            "increasing-differences --length 4 --range 8 --position 508.0.0.1.3",
            "the other player has taken 1 number, so the last difference cannot be 3",
        ),
        ("increasing-differences --length 4 --range 8 --position 500.1.0.3.9", "their_gap is 9, and must be below 9"),
        (
            "increasing-differences --length 4 --range 8 --position 496.3.0.2.5",
            "the numbers taken do not make two sequences with growing differences that end like this",
        ),
        (
            "increasing-differences --length 2 --range 8 --position 480.2.1.4.1",
            "4 numbers are taken, but the game ends with 3 at the latest",
        ),
        (
            "increasing-differences --length 4 --range 8 --position 504.2.0.2.0",
            "2 cannot be the last number of both players",
        ),
        (
            "increasing-differences --length 4 --range 8 --position 508.0.0.0.0",
            "the other player has taken 1 number, so the last one cannot be none",
        ),
        (
            "increasing-differences --length 4 --range 8 --position 496.1.0.3.0",
            "the other player has taken 2 numbers, so the last difference cannot be none",
        ),
        (
            "pyramid-challenge --base 2 --highest 4 --position 0.7.0.0.0",
            "the player to move has placed 0, so 0 numbers can be built upon, not 2",
        ),
        ("pyramid-challenge --base 2 --highest 4 --position 2.5.2.6.0", "the player to move has a 0 in the pyramid"),
        (
            "pyramid-challenge --base 2 --highest 4 --position 2.6.0.0.0",
            "the player to move is ahead, but a player who can place a number never passes",
        ),
        (
            "pyramid-challenge --base 2 --highest 4 --position 0.0.2.6.0",
            "the player to move is behind by more than a turn, but a player who can place a number never passes",
        ),
        (
            "pyramid-challenge --base 2 --highest 4 --copies 2 --position 0.0.1.1.80",
            "both pyramids have 1 number together, but the supply lacks 0",
        ),
        (
            "sequence-builder --position 2097150.0.0.0.1",
            "the other player has taken 1 number, so the last one cannot be none",
        ),
        ("sequence-builder --position 2097148.0.0.1.2", "both sequences have 2 numbers together, but the pool lacks 1"),
        (
            "sequence-builder --position 2097150.5.1.6.1",
            "5 is still in the pool, so it cannot be the last number of the player to move",
        ),
        ("sequence-builder --position 2097145.0.0.1.1", "0 is not in the pool"),
        (
            "sequence-builder --position 2097054.0.0.6.2",
            "the player to move is behind by more than a turn, but a player who can take a number never skips",
        ),
        (
            "sequence-builder --position 2097118.5.1.0.0",
            "the player to move is ahead, but a player who can take a number never skips",
        ),
        (
            "sequence-builder --position 2095608.9.2.10.2",
            "the numbers taken do not make two sequences in allowed steps that end like this",
        ),
        (
            "sequence-builder --position 2097148.5.0.0.1",
            "the player to move has taken 0 numbers, so the last one cannot be 5",
        ),
        ("sequence-spot --grid 5,3,8,1,6,7,4,9,2 --position 2.2.0", "cell (1,1) cannot be marked by both players"),
        ("sequence-spot --grid 5,3,8,1,6,7,4,9,2 --position 0.2.255", "these are not the arithmetic lines of the grid"),
        ("sequence-spot --grid 5,3,8,1,6,7,4,9,2 --position 1.2.0", "there is no cell 0 in the grid"),
        (
            "sequence-spot --grid 5,3,8,1,6,7,4,9,2 --position 6.0.0",
            "the player to move has 2 markers and the other one 0, but they mark cells in turn",
        ),
        (
            "sequence-spot --grid 1,2,3,4,5,6,7,8,9 --position 14.352.255",
            "the player to move has completed a line, so the game was over before",
        ),
    ],
)
def test_the_reason_is_said(arguments: str, reason: str) -> None:
    key, *rest = arguments.replace("--", "").split()
    texts = dict(zip(rest[::2], rest[1::2], strict=True))
    token = texts.pop("position")
    with pytest.raises(BadPosition) as refusal:
        read_rules(catalog.find_game(key), texts).read_position(token)
    assert str(refusal.value) == f"bad position '{token}'; {reason}"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("increasing-differences --length 4 --range 8 --position 511.0.0.0.0", "0 is not in the pool"),
        (
            "pyramid-challenge --base 2 --highest 4 --position 0.7.0.0.0",
            "the player to move has placed 0, so 0 numbers can be built upon, not 2",
        ),
        ("sequence-spot --grid 5,3,8,1,6,7,4,9,2 --position 2.2.0", "cell (1,1) cannot be marked by both players"),
        ("sequence-spot --position 0.2.255", "these are not the arithmetic lines of the grid"),
    ],
)
def test_the_command_refuses_in_one_line(run: Runner, arguments: str, reason: str) -> None:
    told = run("solve", *arguments.split())
    token = arguments.rpartition(" ")[2]
    assert told == ("", f"parlour: bad position '{token}'; {reason}\n", 2)


def test_the_command_solves_what_stands_in_a_table(run: Runner) -> None:
    """The numbers below both last ones may be left out of the pool, as a table leaves them out."""
    rules = read_rules(catalog.find_game("sequence-builder"), {})
    position = rules.start
    for move in (5, 7):
        position = rules.play(position, move)
    told = [
        run("solve", "sequence-builder", "--position", show_position(p)) for p in (position, rules.canonical(position))
    ]
    assert [one.code for one in told] == [0, 0]
    assert told[0].out.partition("Position")[0] == told[1].out.partition("Position")[0]
    assert position != rules.canonical(position)


def test_a_cell_that_both_have_marked_is_named() -> None:
    rules = read_rules(catalog.find_game("sequence-spot"), {"grid": "5,3,8,1,6,7,4,9,2"})
    lines = rules.start[2]
    with pytest.raises(BadPosition, match=r"cell \(1,2\) cannot be marked by both players"):
        rules.check_position(rules.position([0b0000000110, 0b1000000100, lines]))
