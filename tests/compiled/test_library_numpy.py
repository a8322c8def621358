"""Moves given as NumPy numbers and arrays."""

from __future__ import annotations

import numpy
import pytest

import parlour
from tests.support.tabletop import begin

rules = parlour.rules_of("double-up", limit=30)


def test_numbers_in_all_but_their_type_are_moves() -> None:
    played = begin("double-up")
    played.play(numpy.int64(2))
    assert played.round.moves == [2]
    assert type(played.round.moves[0]) is int
    played.play(numpy.array(4))
    assert played.round.moves == [2, 4]
    assert rules.play(rules.start, numpy.array(2)) == rules.position([2])


def test_arrays_are_no_moves() -> None:
    match = begin("double-up")
    for wrong in (numpy.array([2]), numpy.array([[2]]), numpy.array([2, 3]), numpy.array(2.0), numpy.array(True)):
        for refuse in (
            match.play,
            match.check_move,
            lambda move: rules.play(rules.start, move),
        ):
            with pytest.raises(parlour.UnreadableMove, match="a move is a whole number"):
                refuse(wrong)
    with pytest.raises(parlour.UnreadableMove, match=r"an array with one element has it as array.item\(\)"):
        begin("double-up").play(numpy.array([2]))


def test_numbers_of_numpy_are_numbers_everywhere() -> None:
    assert parlour.rules_of("double-up", limit=numpy.int64(30)) == rules
    assert parlour.rules_of("double-up", limit=numpy.array(30)) == rules
    grid = (2, 7, 6, 9, 5, 1, 4, 3, 8)
    assert parlour.rules_of("sequence-spot", grid=numpy.array(grid)).options.grid == grid
    assert parlour.rules_of("sequence-builder", increments=numpy.array([1, 3])).options.increments == (1, 3)
    match = parlour.new_match("double-up", first=numpy.int64(2), seed=numpy.int64(7))
    assert (match.turn, type(match.turn), match.setup.seed) == (2, int, "7")
    match.resign(numpy.int64(1))
    assert match.winner == 2
    limit = parlour.Limit(seconds=numpy.int64(2), nodes=numpy.int64(7), memory=numpy.int64(9))
    assert (limit.nodes, limit.memory, type(limit.nodes)) == (7, 9, int)
    position = rules.position(numpy.array([4]))
    rules.check_position(position)
    assert type(position.last) is int
    assert rules.after(rules.start, numpy.int64(2)) == rules.position([2])
    assert parlour.rules_of("sequence-spot", grid=grid).name(numpy.int64(6)) == "2,3"


@pytest.mark.parametrize("wrong", [numpy.array(2.0), numpy.array([2, 3]), numpy.array(True), numpy.float64(30)])
def test_other_arrays_are_refused(wrong: object) -> None:
    for refuse in (
        lambda: parlour.rules_of("double-up", limit=wrong),
        lambda: parlour.new_match("double-up", first=wrong),
        lambda: parlour.Limit(nodes=wrong),
        lambda: rules.position([wrong]),
        lambda: rules.name(wrong),
    ):
        with pytest.raises(parlour.BadInput):
            refuse()
