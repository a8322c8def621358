"""The only enforcer of the rules: reads moves, allows or refuses them, and says why.

The games' rule functions trust their caller; everybody who plays goes through here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from parlour.errors import BadOptions, BadPosition, GameOver, IllegalMove, UnreadableMove
from parlour.game import ONGOING, PASS, AnyGame, listed, number_name
from parlour.options import O, read_options
from parlour.view import spell

if TYPE_CHECKING:
    from parlour.game import Game, P

PASS_WORDS = ("pass", "skip")


def choose_options(game: Game[O, P], texts: Mapping[str, str]) -> O:
    """The game's options as typed, the book's where nothing is; BadOptions if they make no game."""
    options = read_options(game.options, texts)
    reason = game.check(options)
    if reason:
        raise BadOptions(reason)
    return options


def legal_moves(game: Game[O, P], options: O, position: P) -> Sequence[int]:
    """Every move that may be played now, in ascending order; none when the game is over."""
    if game.result(options, position) != ONGOING:
        return ()
    return listed(game.moves(options, position))


def name_move(game: Game[O, P], options: O, move: int) -> str:
    """What a move is called: one lower-case token."""
    return "pass" if move == PASS else game.name(options, move)


def spell_moves(game: Game[O, P], options: O, moves: Sequence[int]) -> str:
    """A list of moves, short enough to read."""
    if game.name is number_name and PASS not in moves:
        return spell(moves)
    return "  ".join(name_move(game, options, move) for move in moves)


def read_move(game: Game[O, P], options: O, position: P, text: str) -> int:
    """The legal move that a text names; UnreadableMove, IllegalMove or GameOver if it names none."""
    if game.result(options, position) != ONGOING:
        raise GameOver(f"the game is over: {clip(text)!r} cannot be played")
    legal = legal_moves(game, options, position)
    move = _named(game, options, text)
    if move is None:
        reason = f"please select {game.want(options, position)}"
        raise UnreadableMove(f"unreadable move {clip(text)!r}", reason, spell_moves(game, options, legal))
    if move not in legal or (move == PASS and not is_pass(text)):
        raise _illegal(game, options, position, move, clip(text), legal)
    return move


def play_move(game: Game[O, P], options: O, position: P, move: int) -> P:
    """The position after a move; IllegalMove or GameOver if it may not be played."""
    if game.result(options, position) != ONGOING:
        raise GameOver("the game is over")
    legal = legal_moves(game, options, position)
    if move not in legal:
        raise _illegal(game, options, position, move, name_move(game, options, move), legal)
    return game.play(options, position, move)


def read_position(game: AnyGame, options: Any, token: str) -> Any:
    """The position that a token spells: its numbers, joined by dots."""
    start, bounds = game.start(options), game.bounds(options)
    parts = token.split(".")
    if len(parts) != len(start) or not all(part.isascii() and part.isdigit() and len(part) < 20 for part in parts):
        example = show_position(start)
        want = "a number" if len(start) == 1 else f"{len(start)} numbers joined by dots"
        raise BadPosition(f"bad position {clip(token)!r}; {want}, like {example}")
    position = type(start)(*map(int, parts))
    for name, value, bound in zip(start._fields, position, bounds.position if bounds else (), strict=False):
        if value >= bound:
            raise BadPosition(f"bad position {clip(token)!r}; {name} is {value}, and must be below {bound}")
    if game.result(options, position) == ONGOING and not legal_moves(game, options, position):
        raise BadPosition(f"bad position {clip(token)!r}; nobody could move there, and yet the game is not over")
    return position


def show_position(position: tuple[int, ...]) -> str:
    """The token of a position."""
    return ".".join(map(str, position))


def _illegal(game: Game[O, P], options: O, position: P, move: int, text: str, legal: Sequence[int]) -> IllegalMove:
    if is_pass(text):
        reason = "there is a move to make, so this is no time to pass"
    elif legal[0] == PASS:
        reason = "nothing can be placed, so only a pass is possible"
    elif move >= 10**9 and game.bounds(options) is not None:
        reason = "no number in this game is as large as that"
    else:
        reason = game.why(options, position, move)
    return IllegalMove(f"illegal move {text!r}", reason, spell_moves(game, options, legal))


def is_pass(text: str) -> bool:
    """Whether a text means the pass."""
    return text.strip().lower() in PASS_WORDS


# Brackets and separators that people put around and between the numbers of a move.
_SHAPE = re.compile(r"[\s(\[{]*([0-9]{1,1000})(?:[\s,;:/]+([0-9]{1,1000}))?[\s)\]}.]*", re.ASCII)


def _named(game: AnyGame, options: tuple[int, ...], text: str) -> int | None:
    """The move that a text names, allowed or not; None where it names none.

    Naming is the game's; this is its inverse, and forgiving: ``2,1``, ``2 1``, ``(2, 1)`` and ``21`` are the same.
    """
    if is_pass(text):
        return PASS
    shape = _SHAPE.fullmatch(text) if len(text) < 2500 else None
    token = text.strip().lower() if shape is None else ",".join(str(int(part)) for part in shape.groups() if part)
    if game.name is number_name:
        return int(token) if shape is not None and shape[2] is None else None
    bounds = game.bounds(options)
    names = {game.name(options, move): move for move in range(1, bounds.moves)} if bounds else {}
    run_together = {name.replace(",", ""): move for name, move in names.items()}
    return names.get(token, run_together.get(token))


def clip(text: str) -> str:
    """Typed text as it may be shown again: no control characters, not endless."""
    shown = "".join(c if c.isprintable() else "?" for c in text[:60])
    return shown if len(text) <= 60 else shown[:40] + "..."
