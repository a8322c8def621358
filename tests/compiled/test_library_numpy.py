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
