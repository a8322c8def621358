"""Matches with a computer, as the tests of its moves make them."""

from __future__ import annotations

from parlour.service.loaded import LoadedMatch
from parlour.service.matches import MatchService
from parlour.service.new_matches import MatchRequest, match_with_computer

ANN = "192.0.2.1"  # an address


def against(matches: MatchService, level: str = "level:3", first: str = "you") -> tuple[LoadedMatch, str]:
    """A match with a computer, which begins."""
    made = matches.add(match_with_computer(MatchRequest("sequence-builder", {}), None, level, first))
    assert made.seat is not None
    return made.loaded, made.seat


def moves(matches: MatchService, id: str) -> list[int]:
    return matches.load(id).match.round.moves
