"""Matches whose moves were chosen by hand."""

from __future__ import annotations

from typing import Any

from parlour.game import P
from parlour.match import Match
from parlour.options import O
from parlour.rules import Rules
from parlour.setup import Setup


def played(rules: Rules[O, P], moves: str = "", **how: Any) -> Match[O, P]:
    """A match in which these moves were played; passes that are forced need not be written."""
    match = Match(Setup(rules, **how))
    match.play_line(moves.split())
    return match
