"""Events of a game at the terminal, one per line: ``parlour play --json`` and ``parlour resume --json``."""

from __future__ import annotations

from typing import Literal

from parlour.documents.table import GroupDocument
from parlour.fields import about, document
from parlour.outcome import Termination
from parlour.study.hints import Hint, Reason
from parlour.view import PlayerNumber

ROUND = "the number of the round, counted from 1"
PLAYER = "the player to move"


@document
class RemarkEvent:
    """The output of `help`, `rules`, `save` and other commands that change nothing."""

    event: Literal["remark"] = about("the kind of event")
    text: str = about("the text, in one line")


@document
class RoundEvent:
    """An event in a round."""

    event: str = about("the kind of event")
    round: int = about(ROUND)


@document
class TurnOfPlayerEvent(RoundEvent):
    """An event while a player is to move."""

    player: PlayerNumber = about(PLAYER)


@document
class DealEvent(RoundEvent):
    """The start of a round: the first event, and again for each further round."""

    event: Literal["deal"] = about("the kind of event")
    game: str = about("the name of the game")
    options: dict[str, str] = about("all options as text, including the deal")
    first: PlayerNumber = about("the player who begins this round")
    names: list[str] = about("the players' names")
    id: int | None = about("the number of the saved game; null if it cannot be saved, and in further rounds")


@document
class ResumeEvent(RoundEvent):
    """The continuation of a saved game; it follows the `deal` of the current round."""

    event: Literal["resume"] = about("the kind of event")
    moves: list[str] = about("the moves of this round so far")


@document
class TurnEvent(TurnOfPlayerEvent):
    """A request for a move, sent to a player who is `human`."""

    event: Literal["turn"] = about("the kind of event")
    legal: list[str] | None = about("the names of the legal moves; null if there are more than a thousand")
    possible: str = about("the legal moves in short, as text for people")


@document
class MoveEvent(RoundEvent):
    """A move, or the pass of a player without a legal move; it has been saved."""

    event: Literal["move", "pass"] = about("the kind of event")
    ply: int = about("the number of the move in the round, counted from 1; passes count")
    player: PlayerNumber = about("the player who made the move")
    move: str = about("the name of the move")


@document
class UndoEvent(RoundEvent):
    """The undo of one or more moves."""

    event: Literal["undo"] = about("the kind of event")
    moves: list[str] = about("the undone moves, in the order of play")
    player: PlayerNumber = about("the player to move now")


@document
class RefusalEvent(TurnOfPlayerEvent):
    """The refusal of an input. The position is unchanged, and there is no new `turn`."""

    event: Literal["refusal"] = about("the kind of event")
    input: str = about("the input, shortened if it is long")
    code: str = about("the error code")
    reason: str = about("the error message")
    possible: str | None = about("the legal moves in short; only after a refused move", default=None)


@document
class HintEvent(Hint):
    """The answer to `hint`, one rung higher each time."""

    WRITTEN = ("event", "round", "player", "*")

    event: Literal["hint"] = about("the kind of event")
    round: int = about(ROUND)
    player: PlayerNumber = about(PLAYER)


@document
class WhyEvent(Reason):
    """The answer to `why` and a move."""

    WRITTEN = ("event", "round", "player", "move", "value", "keeps", "*")

    event: Literal["why"] = about("the kind of event")
    round: int = about(ROUND)
    player: PlayerNumber = about(PLAYER)


@document
class BoardEvent(RoundEvent):
    """The answer to `board`."""

    event: Literal["board"] = about("the kind of event")
    view: list[GroupDocument] = about("the groups of tiles on the board")


@document
class RoundEndEvent(RoundEvent):
    """The end of a round without a winner; another `deal` follows."""

    event: Literal["round"] = about("the kind of event")
    winner: None = about("always null")


@document
class ResultEvent(RoundEvent):
    """The end of the match."""

    event: Literal["result"] = about("the kind of event")
    winner: PlayerNumber | None = about("the player who won; null if there is none")
    how: Termination = about(
        "the way it ended: `won`, `resigned`, `forfeited` (by an engine that failed), `drawn` or "
        "`undecided` (the rounds ran out)"
    )
    result: str = about('the result as in a record: "1-0", "0-1", "1/2-1/2" or "undecided"')


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
