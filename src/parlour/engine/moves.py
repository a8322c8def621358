"""Iteration over the moves of a position without a list. These functions are compiled too."""

from __future__ import annotations

from parlour.game import Moves


def lowest_bit(mask: int) -> int:
    """The place of the lowest bit that is set."""
    return (mask & -mask).bit_length() - 1


def select_bit(mask: int, place: int) -> int:
    """The place of one of the bits that are set, counted among these from 0."""
    for _ in range(place):
        mask &= mask - 1
    return lowest_bit(mask)


def first_move(moves: Moves) -> int:
    """The first move; -1: there is none."""
    if moves.mask:
        return lowest_bit(moves.mask)
    return moves.low if moves.low <= moves.high else -1


def next_move(moves: Moves, move: int) -> int:
    """The move after a move; -1: it was the last."""
    if moves.mask:
        rest = moves.mask >> (move + 1)
        return move + 1 + lowest_bit(rest) if rest else -1
    return move + 1 if move < moves.high else -1


def nth_move(moves: Moves, place: int) -> int:
    """The move at a place, counted from 0."""
    return select_bit(moves.mask, place) if moves.mask else moves.low + place
