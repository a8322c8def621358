"""What is exactly so: the worth of a position and of its moves, a hint, a reason, and the counts of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from parlour.documents import about, document
from parlour.game import P
from parlour.match import Match, PlayerNumber, player_number
from parlour.options import O
from parlour.rules import Rules, show_position
from parlour.score import Score, ValueWord
from parlour.study.words import drawn_round

if TYPE_CHECKING:  # these take a while to load
    from parlour.solver import Analysis
    from parlour.solver.tables import Statistics
    from parlour.study.hints import Hint, Reason


@document
class ScoreDocument:
    """What a position or a move is worth to one player."""

    value: ValueWord = about("a win, a draw or a loss")
    plies: int | None = about("until the game is over; null for a draw, or where it is not known")


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


@document
class HintDocument:
    """One rung of the ladder: 1 how you stand, 2 how many moves keep that, 3 where to look, 4 the move."""

    rung: int = about("from 1 to 4")
    text: str = about("the hint in words")
    value: ValueWord = about("what the position is worth to the player to move")
    legal: int | None = about("how many moves there are")
    keeping: int | None = about("how many of them keep the value")
    region: str | None = about("where to look")
    move: str | None = about("what to play")
    plies: int | None = about("how soon the game is over then")


@document
class ReasonDocument:
    """What one move is worth, and the play that shows it."""

    move: str = about("its name")
    value: ValueWord = about("what it is worth to the player who makes it")
    keeps: bool = about("no other move is worth more")
    plies: int | None = about("until the game is over; null for a draw, or where it is not known")
    line: list[str] = about("best play after it")
    text: str = about("all of it in words")


@document
class Tabulation:
    """Every position of a game with somebody to move, counted; `counted_once` says which of them count as one."""

    game: str = about("the name of the game")
    options: dict[str, str] = about("all its options, with everything that was dealt")
    positions: int = about("how many there are")
    values: dict[str, int] = about("positions by value for the player to move")
    plies: dict[str, dict[int, int]] = about("wins and losses by the plies until the game is over")
    decisions: int = about("positions with more than one move")
    critical: int = about("positions where some move loses value")
    longest: int = about("plies of the longest win")
    counted_once: str = about("which positions have the same future and are counted once, in words; empty: none")


def score_document(score: Score) -> ScoreDocument:
    return ScoreDocument(**score.as_document())


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
        to_move=player_number(match.turn) if match and legal else None,
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


def hint_document(rules: Rules, hint: Hint) -> HintDocument:
    """A hint about a position of a game under its options."""
    move = None if hint.move is None else rules.name(hint.move)
    return HintDocument(**hint._asdict() | {"value": hint.value.word, "move": move})


def reason_document(rules: Rules, reason: Reason) -> ReasonDocument:
    """What a move of a game under its options is worth, and why."""
    return ReasonDocument(
        **reason._asdict()
        | {"value": reason.value.word, "move": rules.name(reason.move), "line": rules.names(reason.line)}
    )


def tabulation_document(rules: Rules, statistics: Statistics) -> Tabulation:
    """What a table says about a game."""
    return Tabulation(
        game=rules.game.key,
        options=rules.option_texts,
        **statistics._asdict()
        | {
            "values": {value.word: count for value, count in statistics.values.items()},
            "plies": {value.word: counts for value, counts in statistics.plies.items()},
        },
        counted_once=rules.game.content.counted_once,
    )
