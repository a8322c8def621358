"""The words that hints, reports and explanations share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from parlour import referee
from parlour.game import DRAWN, MOVER_WINS, NO_CAP, ONGOING, AnyGame, number_name

LONGEST_LIST = 70  # characters of a list of moves before it is cut short


def plies(number: int) -> str:
    return "1 ply" if number == 1 else f"{number} plies"


def counted(number: int, one: str, many: str | None = None) -> str:
    """``1 move``, ``3 moves``, ``1,000 moves``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def share(part: int, whole: int) -> str:
    """A part of a whole in per cent: 0 and 100 only where it is none and all of it."""
    per_cent = round(100 * part / whole)
    if 0 < part < whole:
        per_cent = min(max(per_cent, 1), 99)
    return f"{per_cent}%"


def joined(words: Sequence[str], last: str = "and") -> str:
    """``a, b and c``."""
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)


def listed(game: AnyGame, options: Any, moves: Sequence[int]) -> str:
    """A list of moves, runs shortened, and cut where it gets too long to read."""
    text = referee.spell_moves(game, options, moves)
    if len(text) <= LONGEST_LIST:
        return text
    gap = ", " if game.name is number_name else "  "
    cut = text[:LONGEST_LIST].rsplit(gap, 1)[0]
    return f"{cut} and more, {len(moves):,} in all"


def told_line(game: AnyGame, options: Any, names: tuple[str, str], seat: int, position: Any, line: list[int]) -> str:
    """A line of play from a position in which ``seat`` is to move, each move with its player, and how it ends.

    ``Bob: 5, Ann: 6, Bob: 11, and Bob has won``.
    """
    said = []
    for move in line:
        said.append(f"{names[seat]}: {referee.name_move(game, options, move)}")
        position = game.play(options, position, move)
        seat = 1 - seat
    result = game.result(options, position)
    if result == ONGOING:
        said.append("and nobody can win any more" if game.settled(options, position) else "and so on")
    elif result == DRAWN:
        said.append("and it is a draw")
    else:
        said.append(f"and {names[seat if result == MOVER_WINS else 1 - seat]} has won")
    if len(said) == 1:  # nothing is left to play
        return said[0].removeprefix("and ")
    return ", ".join(said)


def sentence(text: str) -> str:
    """Text that begins with a capital letter and ends with a full stop."""
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith(".") else ".")


def drawn_round(game: AnyGame, options: Any) -> str:
    """What a drawn round means for the match, in a game that is played in rounds."""
    most = game.rounds(options)
    if most == 1:
        return "There is no other round: if this one is drawn the match is undecided."
    cap = "" if most is None or most >= NO_CAP else f", up to {counted(most, 'round')}"
    return f"A drawn round is followed by the next, which the other player begins{cap}."
