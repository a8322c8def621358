"""The exact value of a position and of its moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from parlour.game import Move, P
from parlour.match import Match
from parlour.options import O
from parlour.rules import Rules
from parlour.solver import Analysis
from parlour.study.hints import RankedMove
from parlour.study.words import drawn_round
from parlour.view import PlayerNumber
from parlour.writer import about, document, extend


@document
class RankedChoice(RankedMove):
    """What a move is worth, compared with the others."""

    WRITTEN: ClassVar[tuple[str, ...]] = ("move", "value", "plies", "keeps", "best", "line")

    best: bool = about("and none is quicker, or holds out longer")
    line: list[Move] | None = about("best play after it; left out where nobody has asked for it", default=None)


@document
class Solution(Analysis):
    """What a position is exactly worth to the player to move, and how it was reached."""

    WRITTEN = (
        *(
            "game",
            "rules",
            "moves",
            "position_text",
            "to_move",
            "value",
            "plies",
            "choices",
            "left_out",
            "line",
            "about",
        ),
    )

    moves: list[Move] = about("what was played")
    to_move: PlayerNumber | None = about("who is to move; null when nobody is, or where only a position was given")
    choices: Sequence[RankedChoice] = about("the moves and what each is worth")
    left_out: int = about("choices that are not listed")
    about: str | None = about("what has to be said about the value: that it is that of one round")


def solution_document(
    found: Analysis,
    *,
    match: Match | None = None,
    lines: Mapping[int, Sequence[Move]] | None = None,
) -> Solution:
    """What was found out about a position. ``match`` is one that stands there; ``lines`` are best play by move."""
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
    """What has to be said about every value in a game that is played in rounds."""
    if rules.max_rounds is None:
        return None
    return f"This is the value of one round. {drawn_round(rules)}"
