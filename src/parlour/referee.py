"""The functions of old; ``Rules`` has taken their place. To be removed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from parlour.errors import BadOptions
from parlour.game import AnyGame
from parlour.rules import Rules, is_pass, read_rules, show_position
from parlour.text import clip

__all__ = ["BadOptions", "clip", "is_pass", "show_position"]


def choose_options(game: AnyGame, texts: Mapping[str, str]) -> Any:
    return read_rules(game, texts).options


def legal_moves(game: AnyGame, options: Any, position: Any) -> Sequence[int]:
    return Rules(game, options).legal(position)


def name_move(game: AnyGame, options: Any, move: int) -> str:
    return Rules(game, options).name(move)


def spell_moves(game: AnyGame, options: Any, moves: Sequence[int]) -> str:
    return Rules(game, options).spell(moves)


def read_move(game: AnyGame, options: Any, position: Any, text: str) -> int:
    return Rules(game, options).read(position, text)


def play_move(game: AnyGame, options: Any, position: Any, move: int) -> Any:
    return Rules(game, options).play(position, move)


def read_position(game: AnyGame, options: Any, token: str) -> Any:
    return Rules(game, options).read_position(token)
