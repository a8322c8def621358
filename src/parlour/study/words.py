"""Phrases that hints, reports and explanations share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from parlour.game import NO_CAP, P, opponent
from parlour.options import O
from parlour.rules import Rules
from parlour.score import Value
from parlour.text import counted, ordinal
from parlour.view import PlayerNumber

YOU = "You"  # the reader's name in their own game
MAX_LIST_CHARACTERS = 70  # longer lists of moves are cut


class Line(NamedTuple):
    """A heading, a paragraph, or an item that begins with ``- ``; an empty line separates parts.

    >>> import parlour
    >>> parlour.explain("double-up", limit=30).lines[0]
    Line(text='Double Up: up to 30', strong=True)
    """

    text: str  # without a line break
    strong: bool = False  # whether it is a heading or the most important item


def in_per_cent(part: int, whole: int) -> str:
    """Return a rounded percentage, 0% only for nothing and 100% only for everything."""
    per_cent = round(100 * part / whole)
    if 0 < part < whole:
        per_cent = min(max(per_cent, 1), 99)
    return f"{per_cent}%"


def moves_in_words(rules: Rules[O, P], moves: Sequence[int]) -> str:
    """Return moves as a list, with runs shortened, and truncated if it is too long."""
    text = rules.spell(moves) if rules.numbers_only else ", ".join(rules.spoken(moves))
    if len(text) <= MAX_LIST_CHARACTERS:
        return text
    cut = text[:MAX_LIST_CHARACTERS].rsplit(", ", 1)[0]
    return f"{cut} and more ({len(moves):,} in all)"


def one_of(rules: Rules[O, P], moves: Sequence[int]) -> str:
    """Return the list of ``moves_in_words`` with ``or`` before its last item."""
    return " or ".join(moves_in_words(rules, moves).rsplit(", ", 1)) if len(moves) > 1 else moves_in_words(rules, moves)


def line_in_words(
    rules: Rules[O, P], names: tuple[str, str], player: PlayerNumber, position: P, line: Sequence[int]
) -> str:
    """Return a line of play with the name before each move and the outcome at the end.

    An example is ``Bob: 5, Ann: 6, Bob: 11, and Bob wins``. The name ``YOU`` gives ``and you win``.
    """
    parts = []
    for move, name in zip(line, rules.spoken(line), strict=True):
        parts.append(f"{names[player - 1]}: {name}")
        position = rules.after(position, move)
        player = opponent(player)
    if not rules.is_over(position):
        parts.append("and neither player can win any more" if rules.settled(position) else "and so on")
    elif (value := Value.of_result(rules.result(position))) is Value.DRAW:
        parts.append("and it is a draw")
    else:
        winner = names[(player if value is Value.WIN else opponent(player)) - 1]
        parts.append("and you win" if winner == YOU else f"and {winner} wins")
    if not line:
        return parts[0].removeprefix("and ")
    return ", ".join(parts)


def on_turn(plies: int) -> str:
    """Return when the game ends, in turns of the player to move: `` immediately``, `` on your 3rd turn``.

    ``plies`` counts the moves of both players from here. An even number means that the opponent makes the last move.
    """
    if plies <= 2:
        return " immediately" if plies == 1 else " on the next move"
    return f" {'on' if plies % 2 else 'after'} your {ordinal((plies + 1) // 2)} turn"


def on_turn_from_now(plies: int) -> str:
    """Return ``on_turn`` with a note that the count includes the current turn."""
    return on_turn(plies) + (", counting this one" if plies > 2 else "")


def drawn_round(rules: Rules[O, P]) -> str:
    """Return a sentence about the consequence of a drawn round, for a game in rounds."""
    most = rules.max_rounds
    if most == 1:
        return "There is only this round: if it is drawn, the match is undecided."
    cap = "" if most is None or most >= NO_CAP else f", up to {counted(most, 'round')}"
    return f"After a drawn round the other player begins the next{cap}."
