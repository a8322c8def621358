"""The exact value of a position and of its moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from parlour.fields import about, document
from parlour.game import Move, P
from parlour.match import Match
from parlour.options import O
from parlour.rules import Rules
from parlour.solver import Analysis
from parlour.study.hints import RankedMove
from parlour.study.words import drawn_round
from parlour.view import PlayerNumber
from parlour.writer import extend


@document
class RankedChoice(RankedMove):
    """The value of a move, compared with the others."""

    WRITTEN: ClassVar[tuple[str, ...]] = ("move", "value", "plies", "keeps", "best", "line")

    best: bool = about("whether no other move is worth more, wins sooner or loses later")
    line: list[Move] | None = about("best play after the move; left out unless requested", default=None)


@document
class Solution(Analysis):
    """The exact value of a position and of its moves."""

    WRITTEN = (
        *("game", "rules", "moves", "position_text", "to_move", "value", "plies", "choices", "left_out"),
        *("line", "about"),
    )

    moves: list[Move] = about("the moves so far")
    to_move: PlayerNumber | None = about("the player to move; null at the end, or for a position without moves")
    choices: Sequence[RankedChoice] = about("the moves with their values")
    left_out: int = about("the number of moves that are not listed")
    about: str | None = about("a note on the value, such as that it is the value of one round; usually null")


def solution_document(
    found: Analysis,
    *,
    match: Match | None = None,
    lines: Mapping[int, Sequence[Move]] | None = None,
) -> Solution:
    """Return an analysis as a document; ``match`` is at its position, ``lines`` are best play after each move."""
    legal = found.rules.count_legal(found.position)
    return extend(
        Solution,
        found,
        moves=list(match.round.moves) if match else [],
        to_move=match.turn if match and legal else None,
        choices=[
            extend(
                RankedChoice,
                choice,
                keeps=choice.value == found.value,
                best=choice.score == found.score,
                line=None if lines is None else list(lines.get(choice.move, ())),
            )
            for choice in found.choices
        ],
        left_out=legal - len(found.choices),
        about=about_one_round(found.rules),
    )


def about_one_round(rules: Rules[O, P]) -> str | None:
    """Return the note on values of a game that is played in rounds; None for other games."""
    if rules.max_rounds is None:
        return None
    return f"This is the value of one round. {drawn_round(rules)}"
