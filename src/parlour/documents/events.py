"""What happens at a terminal's table, one event a line: ``parlour play --json`` and ``parlour resume --json``."""

from __future__ import annotations

from typing import Literal

from parlour.documents.table import GroupDocument
from parlour.outcome import Termination
from parlour.study.hints import Hint, Reason
from parlour.view import PlayerNumber
from parlour.writer import about, document

ROUND = "the number of the round, counted from 1"
PLAYER = "who is to move"


@document
class RemarkEvent:
    """What `help`, `rules` and `save` have to say."""

    event: Literal["remark"] = about("which event this is")
    text: str = about("the words, in one line")


@document
class RoundEvent:
    """Something that happens in a round."""

    event: str = about("which event this is")
    round: int = about(ROUND)


@document
class TurnOfPlayerEvent(RoundEvent):
    """Something that happens while a player is to move."""

    player: PlayerNumber = about(PLAYER)


@document
class DealEvent(RoundEvent):
    """A round begins. It comes first, and again for each further round."""

    event: Literal["deal"] = about("which event this is")
    game: str = about("the name of the game")
    options: dict[str, str] = about("all its options, with what was dealt")
    first: PlayerNumber = about("who begins this round")
    names: list[str] = about("what the players are called")
    id: int | None = about("under which number the game is kept; null if it cannot be kept, and in further rounds")


@document
class ResumeEvent(RoundEvent):
    """A kept game goes on; it follows the `deal` of the round that the game was left in."""

    event: Literal["resume"] = about("which event this is")
    moves: list[str] = about("what was played in this round so far")


@document
class TurnEvent(TurnOfPlayerEvent):
    """Somebody at the keyboard is asked for a move."""

    event: Literal["turn"] = about("which event this is")
    legal: list[str] | None = about("all moves that can be played; null if they are more than a thousand")
    possible: str = about("the same in short, as a person is told")


@document
class MoveEvent(RoundEvent):
    """A move has been played, or a player who had none has passed; it is kept."""

    event: Literal["move", "pass"] = about("which event this is")
    ply: int = about("its number in the round, counted from 1; passes count")
    player: PlayerNumber = about("who has played it")
    move: str = about("its name")


@document
class UndoEvent(RoundEvent):
    """Moves have been taken back."""

    event: Literal["undo"] = about("which event this is")
    moves: list[str] = about("which ones, in the order in which they were played")
    player: PlayerNumber = about("who is to move now")


@document
class RefusalEvent(TurnOfPlayerEvent):
    """What was typed cannot be done, and nothing has changed. There is no new `turn`."""

    event: Literal["refusal"] = about("which event this is")
    input: str = about("what was typed, shortened if it is long")
    code: str = about("what was wrong, for programs")
    reason: str = about("what was wrong, for people")
    possible: str | None = about("what could be played; left out where no move was refused", default=None)


@document
class HintEvent(Hint):
    """The answer to `hint`, one rung higher each time."""

    WRITTEN = ("event", "round", "player", "*")

    event: Literal["hint"] = about("which event this is")
    round: int = about(ROUND)
    player: PlayerNumber = about(PLAYER)


@document
class WhyEvent(Reason):
    """The answer to `why` and a move."""

    WRITTEN = ("event", "round", "player", "move", "value", "keeps", "*")

    event: Literal["why"] = about("which event this is")
    round: int = about(ROUND)
    player: PlayerNumber = about(PLAYER)


@document
class BoardEvent(RoundEvent):
    """The answer to `board`."""

    event: Literal["board"] = about("which event this is")
    view: list[GroupDocument] = about("what lies on the table")


@document
class RoundEndEvent(RoundEvent):
    """A round has ended without a winner, and another `deal` follows."""

    event: Literal["round"] = about("which event this is")
    winner: None = about("always null")


@document
class ResultEvent(RoundEvent):
    """The match is over."""

    event: Literal["result"] = about("which event this is")
    winner: PlayerNumber | None = about("who has won; null if nobody")
    how: Termination = about("in which way")
    result: str = about('as a record has it: "1-0", "0-1", "1/2-1/2" or "undecided"')


TableEvent = (
    DealEvent
    | ResumeEvent
    | TurnEvent
    | MoveEvent
    | UndoEvent
    | RefusalEvent
    | HintEvent
    | WhyEvent
    | RemarkEvent
    | BoardEvent
    | RoundEndEvent
    | ResultEvent
)
