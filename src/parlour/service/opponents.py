"""The computers that a match can be played against."""

from __future__ import annotations

from parlour import players
from parlour.errors import UnknownPlayer
from parlour.text import clip


def check_computer(word: str) -> None:
    """UnknownPlayer if no computer that is offered goes by this word."""
    known = [kind.word for kind in players.offered()]
    if word not in known:
        raise UnknownPlayer(f"unknown level {clip(word)!r}; known levels: {', '.join(known)}")
