"""Who can choose moves besides a person: each kind of player, by the word that names it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from parlour.errors import UnknownPlayer

if TYPE_CHECKING:
    from random import Random

    from parlour.match import Match

HUMAN = "human"  # chooses at the keyboard, not here
KINDS = (
    HUMAN,
    "random",
    "level:1",
    "level:2",
    "level:3",
    "level:4",
    "level:5",
    "perfect",
    "mcts:SIMULATIONS",
    "engine:COMMAND",
)
KNOWN = "human, random, level:1 to level:5, perfect, mcts:SIMULATIONS, engine:COMMAND"  # the same, to be read
MOST_SIMULATIONS = 1_000_000


class Resigned(Exception):
    """A player gives the game up instead of choosing a move."""


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
    kind, _, rest = word.partition(":")
    if word == HUMAN:
        return None
    if word == "random":
        from parlour.players.random import RandomPlayer

        return RandomPlayer()
    if word == "perfect":
        from parlour.players.perfect import PerfectPlayer

        return PerfectPlayer()
    if kind == "level" and word in KINDS:
        from parlour.players.level import LevelPlayer

        return LevelPlayer(int(rest))
    if kind == "mcts" and rest.isascii() and rest.isdigit() and len(rest) < 9 and 1 <= int(rest) <= MOST_SIMULATIONS:
        from parlour.players.mcts import MctsPlayer

        return MctsPlayer(int(rest))
    if kind == "engine" and rest.strip():
        from parlour.players.engine import EnginePlayer

        return EnginePlayer(rest)
    hint = f"; SIMULATIONS go from 1 to {MOST_SIMULATIONS}" if kind == "mcts" else ""
    raise UnknownPlayer(f"unknown player {clip(word)!r}; known players: {KNOWN}{hint}")


def starts_program(word: str) -> bool:
    """Whether a player is a program of somebody's."""
    return word.startswith("engine:")


def clip(word: str) -> str:
    """A player's word as it may be shown: not endless."""
    return word if len(word) <= 40 else word[:37] + "..."
