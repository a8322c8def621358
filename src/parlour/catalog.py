"""The catalog of built-in games, which are the modules in ``games/``."""

from __future__ import annotations

import copyreg
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from parlour import games
from parlour.errors import UnknownGame
from parlour.game import Game
from parlour.text import clip, did_you_mean, nearest


@cache
def keys() -> tuple[str, ...]:
    """Return the keys of all games in alphabetical order, without loading a game."""
    names = (module.name for module in iter_modules(games.__path__) if not module.name.startswith("_"))
    return tuple(sorted(name.replace("_", "-") for name in names))


def find_key(word: str) -> str:
    """Return the key of a game given by its key or an unambiguous part of it.

    Raises:
        UnknownGame: no game, or more than one, matches.
    """
    wanted = "-".join(word.lower().replace("_", " ").split())
    if wanted in keys():
        return wanted
    found = [key for key in keys() if wanted and (key.startswith(wanted) or wanted in key.split("-"))]
    if len(found) == 1:
        return found[0]
    if found:
        raise UnknownGame(f"{clip(word)!r} could be any of: {', '.join(found)}")
    parts = {part: key for key in keys() for part in (*key.split("-"), key)}
    near = did_you_mean(parts.get(nearest(wanted, parts) or ""))
    raise UnknownGame(f"unknown game {clip(word)!r}{near}; known games: {', '.join(keys())}")


@cache
def _load(key: str) -> Game:
    game: Game = import_module(f"parlour.games.{key.replace('-', '_')}").GAME
    return game


def _reduce(game: Game) -> str | tuple[Any, ...]:
    """Pickle a game of the catalog as its key, so that loading returns the same object."""
    if game.key in keys() and _load(game.key) is game:
        return find_game, (game.key,)
    return object.__reduce_ex__(game, 2)


copyreg.pickle(Game, _reduce)


def find_game(word: str | Game) -> Game:
    """Return the game with a key or title, or an unambiguous part of one; a ``Game`` is returned unchanged.

    Raises:
        UnknownGame: no game, or more than one, has this name.

    >>> import parlour
    >>> parlour.find_game("spot").title
    'Sequence Spot'
    >>> parlour.find_game("chess")
    Traceback (most recent call last):
        ...
    parlour.errors.UnknownGame: unknown game 'chess'; known games: ...
    """
    if isinstance(word, Game):
        return word
    if not isinstance(word, str):
        raise UnknownGame(f"unknown game {clip(repr(word))}; known games: {', '.join(keys())}")
    return _load(find_key(word))


def list_games() -> list[Game]:
    """Return all games in alphabetical order.

    >>> import parlour
    >>> for game in parlour.list_games():
    ...     if game.key.startswith("sequence"):
    ...         print(game.key, "is", game.title)
    sequence-builder is Sequence Builder
    sequence-spot is Sequence Spot
    """
    return [_load(key) for key in keys()]
