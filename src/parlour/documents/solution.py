"""The exact value of a position and of its moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from parlour.game import P
from parlour.match import Match
from parlour.options import O
from parlour.rules import Rules, show_position
from parlour.score import ValueWord
from parlour.study.words import drawn_round
from parlour.view import PlayerNumber
from parlour.writer import about, document

if TYPE_CHECKING:  # these take a while to load
    from parlour.solver import Analysis


@document
class ChoiceDocument:
    """What a move is worth to the player who makes it."""

    move: str = about("its name")
    value: ValueWord = about("a win, a draw or a loss")
    plies: int | None = about("until the game is over; null for a draw, or where it is not known")
    keeps: bool = about("no other move is worth more")
    best: bool = about("and none is quicker, or holds out longer")
    line: list[str] | None = about("best play after it; left out where nobody has asked for it", default=None)


@document
class Solution:
    """What a position is exactly worth to the player to move."""

    game: str = about("the name of the game")
    options: dict[str, str] = about("all its options, with everything that was dealt")
    moves: list[str] = about("what was played")
    position: str = about("the name of the position")
    to_move: PlayerNumber | None = about("who is to move; null when nobody is, or where only a position was given")
    value: ValueWord = about("what it is worth to the player to move")
    plies: int | None = about("until the game is over, the winner hurrying and the loser delaying; null for a draw")
    choices: list[ChoiceDocument] = about("the moves and what each is worth")
    left_out: int = about("choices that are not listed")
    line: list[str] | None = about("best play from here; null where it was not found, or not asked for")
    about: str | None = about("what has to be said about the value: that it is that of one round")


def solution_document(
    rules: Rules[O, P],
    position: P,
    found: Analysis,
    *,
    match: Match[O, P] | None = None,
    lines: Mapping[int, Sequence[int]] | None = None,
) -> Solution:
    """What was found out about a position. ``match`` is one that stands there; ``lines`` are best play by move."""
    legal, score = rules.count_legal(position), found.score
    return Solution(
        game=rules.game.key,
        options=rules.option_texts,
        moves=rules.names(match.round.moves) if match else [],
        position=show_position(position),
        to_move=match.turn if match and legal else None,
        **score.as_document(),
        choices=[
            ChoiceDocument(
                move=rules.name(choice.move),
                **choice.score.as_document(),
                keeps=choice.value == score.value,
                best=choice.value == score.value and choice.plies == score.plies,
                line=None if lines is None else rules.names(lines.get(choice.move, ())),
            )
            for choice in found.choices
        ],
        left_out=legal - len(found.choices),
        line=None if found.line is None else rules.names(found.line),
        about=about_one_round(rules),
    )


def about_one_round(rules: Rules[O, P]) -> str | None:
    """What has to be said about every value in a game that is played in rounds."""
    if rules.max_rounds is None:
        return None
    return f"This is the value of one round. {drawn_round(rules)}"
