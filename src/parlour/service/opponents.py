"""The computers that a match can be played against, and who takes their place."""

from __future__ import annotations

from parlour.errors import UnknownPlayer
from parlour.players.level import LEVELS
from parlour.text import clip

COMPUTERS = ("random", *(f"level:{number}" for number in LEVELS), "perfect")  # the easiest first
NEED_A_PROOF = ("perfect",)  # who may search for long, and find nothing in time
STAND_INS = {"perfect": "level:5"}  # who moves where a player found no move in time; random for the others


def check_computer(word: str) -> None:
    """UnknownPlayer if no computer goes by this word."""
    if word not in COMPUTERS:
        raise UnknownPlayer(f"unknown level {clip(word)!r}; known levels: {', '.join(COMPUTERS)}")


def stand_in(word: str) -> str:
    """The easier player that goes on where this one found no move in time."""
    return STAND_INS.get(word, "random")
