"""The exact value of a position and of its moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from parlour.game import Move, P
from parlour.match import Match
from parlour.options import O
from parlour.rules import Rules, show_position
from parlour.score import Value
from parlour.study.hints import RankedMove
from parlour.study.words import drawn_round
from parlour.view import PlayerNumber
from parlour.writer import about, document

if TYPE_CHECKING:  # these take a while to load
    from parlour.solver import Analysis


@document
class RankedChoice(RankedMove):
    """The value of a move, compared with the others."""

    WRITTEN: ClassVar[tuple[str, ...]] = ("move", "value", "plies", "keeps", "best", "line")

    best: bool = about("whether no other move is worth more, wins sooner or loses later")
    line: list[Move] | None = about("best play after the move; left out unless requested", default=None)


@document
class Solution:
    """The exact value of a position and of its moves."""

    game: str = about("the name of the game")
    rules: Rules[Any, Any] = about("all options as text, including the deal", name="options")
    moves: list[Move] = about("the moves so far")
    position: str = about("the name of the position")
    to_move: PlayerNumber | None = about("the player to move; null at the end, or for a position without moves")
    value: Value = about("the value for the player to move")
    plies: int | None = about(
        "the number of plies until the end, the winner hurrying and the loser delaying; null for a draw, or if unknown"
    )
    choices: list[RankedChoice] = about("the moves with their values")
    left_out: int = about("the number of moves that are not listed")
    line: list[Move] | None = about("best play from here; null if unknown or not requested")
    about: str | None = about("a note on the value, such as that it is the value of one round; usually null")


def solution_document(
    rules: Rules[O, P],
    position: P,
    found: Analysis,
    *,
    match: Match[O, P] | None = None,
    lines: Mapping[int, Sequence[Move]] | None = None,
) -> Solution:
    """What was found out about a position. ``match`` is one that stands there; ``lines`` are best play by move."""
    legal, score = rules.count_legal(position), found.score
    return Solution(
        game=rules.game.key,
        rules=rules,
        moves=list(match.round.moves) if match else [],
        position=show_position(position),
        to_move=match.turn if match and legal else None,
        value=score.value,
        plies=score.plies,
        choices=[
            RankedChoice(
                move=choice.move,
                value=choice.value,
                plies=choice.plies,
                keeps=choice.value == score.value,
                best=choice.value == score.value and choice.plies == score.plies,
                line=None if lines is None else list(lines.get(choice.move, ())),
            )
            for choice in found.choices
        ],
        left_out=legal - len(found.choices),
        line=found.line,
        about=about_one_round(rules),
    )


def about_one_round(rules: Rules[O, P]) -> str | None:
    """What has to be said about every value in a game that is played in rounds."""
    if rules.max_rounds is None:
        return None
    return f"This is the value of one round. {drawn_round(rules)}"
