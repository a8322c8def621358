"""Who can choose moves besides a person: each kind of player, by the word that names it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from parlour.errors import UnknownPlayer

if TYPE_CHECKING:
    from random import Random

    from parlour.match import Match

HUMAN = "human"  # chooses at the keyboard, not here
KINDS = (HUMAN, "random")


class Player(Protocol):
    """Chooses moves."""

    def choose(self, match: Match, random: Random) -> int:
        """A legal move in a match that waits for one. All chance comes from ``random``."""
        ...

    def close(self) -> None:
        """The match is over, or left."""
        ...


def load(word: str) -> Player | None:
    """The player that a word names, None for a person; UnknownPlayer if there is no such kind."""
    if word == HUMAN:
        return None
    if word == "random":
        from parlour.players.random import RandomPlayer

        return RandomPlayer()
    raise UnknownPlayer(f"unknown player {word[:40]!r}; known players: {', '.join(KINDS)}")
