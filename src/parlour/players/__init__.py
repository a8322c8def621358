"""Who can choose moves besides a person: each kind of player, by the word that names it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from parlour.errors import UnknownPlayer

if TYPE_CHECKING:
    from random import Random

    from parlour.game import AnyGame

HUMAN = "human"  # chooses at the keyboard, not here
KINDS = (HUMAN, "random")


class Player(Protocol):
    """Chooses moves."""

    def choose(self, game: AnyGame, options: Any, position: Any, random: Random) -> int:
        """A legal move. All chance comes from ``random``."""
        ...


def load(word: str) -> Player | None:
    """The player that a word names, None for a person; UnknownPlayer if there is no such kind."""
    if word == HUMAN:
        return None
    if word == "random":
        from parlour.players.random import RandomPlayer

        return RandomPlayer()
    raise UnknownPlayer(f"unknown player {word[:40]!r}; known players: {', '.join(KINDS)}")
