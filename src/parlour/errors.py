"""Everything Parlour can refuse, as one tree.

::

    ParlourError (a ValueError)
    ├── UnknownGame      no game goes by that name
    ├── UnknownPlayer    no kind of player goes by that name
    ├── BadOptions       these options make no game
    ├── BadName          a player cannot be called that
    ├── UnreadableMove   the text names no move at all
    ├── IllegalMove      a move, but not one that the rules allow now
    ├── GameOver         the game has ended: nothing more can be played
    ├── NoNextRound      the round can still be won, or is the last one
    ├── StrictGame       no hints and no take-backs were agreed
    ├── NothingToUndo    nothing has been played that could be taken back
    ├── BadPosition      not a position of the game, or play cannot lead to it
    ├── TooBig           no exact answer within the limit, or at all
    ├── Cancelled        a search was given up before it had an answer
    ├── BadTable         a saved table is damaged, or answers another question
    ├── BadArchive       the archive of puzzles is damaged, or of another version
    ├── BadStrategy      a strategy cannot be read, or does not prove what it claims
    ├── NoSuchExam       no exam of the game has that number
    ├── BadSweep         the file of a sweep is damaged, in use, or of another game, version or settings
    ├── NoWorkers        the cluster that was to do the work is not there, or not any more
    ├── NoSuchPuzzle     no puzzle has that number, id or date
    ├── EngineFailed     an outside program did not play as it should
    ├── BadRecord        the text is not a record, or not a possible game
    ├── NoSuchRecord     no game is kept under that number
    ├── GameInUse        the game is open at another terminal
    ├── BadDatabase      the database cannot be used
    │   └── DamagedDatabase  its file is damaged, at least in the place that was needed
    ├── DamagedMatch     a match is not as it was written
    ├── NoSuchMatch      no match goes by that name, or not any more
    ├── NoSuchRound      the match has not come to that round
    ├── StaleMove        the match has gone on since
    ├── NotYourTurn      the other player is to move
    ├── MatchWaiting     the second player has not come yet
    ├── MatchFull        so many things were done that no more are kept
    ├── SeatNeeded       watching is free, but this is for players
    ├── SeatWrong        this secret fits no seat of the match
    ├── SeatTaken        somebody else was first
    ├── NoOffer          no such offer is pending
    ├── OfferPending     one offer at a time
    ├── NotOnOffer       that is not to be had in a match of this kind
    ├── TooManyRequests  slower, please
    ├── Busy             too much at once, and nothing was done
    ├── ServerFull       as many matches are kept as there may be
    ├── MissingExtra     what was asked for needs packages that are not installed (an ImportError as well)
    ├── OutcomeUnknown   it may have been done or not; asking the same again tells
    └── SearchFailed     a search broke off, through no fault of the question

A message is lower case without a full stop: what was wrong, the offending value, what would work.
``ANSWERS`` says how programs hear of each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from parlour.installation import install_command


class ParlourError(ValueError):
    """What Parlour refuses to do, with the reason as its message.

    >>> import parlour
    >>> try:
    ...     parlour.new_match("double-up", limt=30)
    ... except parlour.ParlourError as refused:
    ...     print(refused)
    unknown option 'limt' (did you mean 'limit'?); known options: limit
    """


class UnknownGame(ParlourError):
    """No game goes by that name.

    >>> import parlour
    >>> parlour.find_game("go")
    Traceback (most recent call last):
        ...
    parlour.errors.UnknownGame: unknown game 'go'; known games: ...
    """


class UnknownPlayer(ParlourError):
    """No kind of player goes by that name.

    >>> import parlour
    >>> parlour.find_player("level:9")
    Traceback (most recent call last):
        ...
    parlour.errors.UnknownPlayer: unknown player 'level:9'; known players: human, random, ...
    """


class BadOptions(ParlourError):
    """These options make no game.

    >>> import parlour
    >>> parlour.rules_of("double-up", limit=1)
    Traceback (most recent call last):
        ...
    parlour.errors.BadOptions: bad limit '1'; allowed: a number from 2 to 1000000, or none
    """


class BadName(ParlourError):
    """A player cannot be called that.

    >>> import parlour
    >>> parlour.new_match("double-up", names=("Ann", "ann"))
    Traceback (most recent call last):
        ...
    parlour.errors.BadName: both players are called 'Ann'; give them different names
    """


class MoveRefused(ParlourError):
    """An input at the table that is not played; ``problem``, ``reason`` and ``legal`` are the parts of the message.

    >>> import parlour
    >>> try:
    ...     parlour.new_match("double-up").play("3")
    ... except parlour.MoveRefused as refused:
    ...     print(refused.legal)
    2
    """

    def __init__(self, problem: str, reason: str, legal: str, lines: Sequence[str] = ()) -> None:
        super().__init__(f"{problem}: {reason}; legal: {legal}")
        self.problem = problem  # what was tried
        self.reason = reason  # why it is not played
        self.legal = legal  # what could be
        self.lines = lines  # the same as the rule book says it, where the book does


class UnreadableMove(MoveRefused):
    """The text names no move at all.

    >>> import parlour
    >>> parlour.new_match("double-up").play("two")
    Traceback (most recent call last):
        ...
    parlour.errors.UnreadableMove: unreadable move 'two': please select 2, the only number that may follow; legal: 2
    """


class IllegalMove(MoveRefused):
    """A move, but not one that the rules allow now.

    >>> import parlour
    >>> parlour.new_match("double-up").play(3)
    Traceback (most recent call last):
        ...
    parlour.errors.IllegalMove: illegal move '3': 3 is more than 2, the double of 1; legal: 2
    """


class GameOver(ParlourError):
    """The game has ended: nothing more can be played.

    >>> import parlour
    >>> match = parlour.new_match("double-up", limit=2)
    >>> match.play_line("2 3")
    Traceback (most recent call last):
        ...
    parlour.errors.GameOver: the game is over: '3' cannot be played
    """


class NoNextRound(ParlourError):
    """The round can still be won, or is the last one.

    >>> import parlour
    >>> parlour.new_match("sequence-spot", grid="1,2,3,4,5,6,7,8,9").next_round()
    Traceback (most recent call last):
        ...
    parlour.errors.NoNextRound: this round is not over: somebody can still win it
    """


class StrictGame(ParlourError):
    """No hints and no take-backs were agreed."""


class NothingToUndo(ParlourError):
    """Nothing has been played that could be taken back.

    >>> import parlour
    >>> parlour.new_match("double-up").undo()
    Traceback (most recent call last):
        ...
    parlour.errors.NothingToUndo: nothing has been played yet
    """


class BadPosition(ParlourError):
    """That is not a position of the game, or play cannot lead to it.

    >>> import parlour
    >>> parlour.rules_of("double-up").read_position("101")
    Traceback (most recent call last):
        ...
    parlour.errors.BadPosition: bad position '101'; last is 101, and must be below 101
    """


class TooBig(ParlourError):
    """No exact answer within the limit, or at all: Parlour does not guess.

    >>> import parlour
    >>> parlour.solve(parlour.rules_of("double-up", limit=None))
    Traceback (most recent call last):
        ...
    parlour.errors.TooBig: a game that need not end has no value; set a limit
    """


class Cancelled(ParlourError):
    """A search was given up before it had an answer, because nobody wanted it any more.

    >>> import parlour
    >>> limit = parlour.Limit()
    >>> limit.cancel()  # from another thread, as a rule
    >>> limit.check()
    Traceback (most recent call last):
        ...
    parlour.errors.Cancelled: the search was given up
    """


class BadTable(ParlourError):
    """A saved table is damaged, or answers another question."""


class BadArchive(ParlourError):
    """The archive of puzzles is damaged, or of another version."""


class BadStrategy(ParlourError):
    """A strategy cannot be read, or does not prove what it claims."""


class NoSuchExam(ParlourError):
    """No exam of the game has that number."""


class BadSweep(ParlourError):
    """The file of a sweep is damaged, in use, or of another game, version or settings."""


class NoWorkers(ParlourError):
    """The cluster that was to do the work is not there, or not any more."""


class NoSuchPuzzle(ParlourError):
    """There is no puzzle with this number, id or date."""


class EngineFailed(ParlourError):
    """An outside program that was to choose a move did something else; it has been ended.

    >>> import parlour
    >>> from random import Random
    >>> parlour.find_player("engine:echo Hello").choose(parlour.new_match("sequence-builder"), Random(1))
    Traceback (most recent call last):
        ...
    parlour.errors.EngineFailed: engine 'echo Hello' said 'Hello' instead of replying to 'protocol_version'
    """


class BadRecord(ParlourError):
    """The text is not a record, or not a possible game; the message names the line.

    >>> import parlour
    >>> parlour.read_record("Dear Ann,")
    Traceback (most recent call last):
        ...
    parlour.errors.BadRecord: line 1: this is not a Parlour record, found 'Dear Ann,'
    """


class NoSuchRecord(ParlourError):
    """No game is kept under that number."""


class GameInUse(ParlourError):
    """The game is open at another terminal."""


class BadDatabase(ParlourError):
    """The database cannot be used: a wrong address, nobody there, or a schema from the future."""


class DamagedDatabase(BadDatabase):
    """The database is damaged, at least in the place that was needed."""


class DamagedMatch(ParlourError):
    """A match in the database is not as it was written; ``reason`` says what is missing or altered."""

    def __init__(self, id: str, reason: str) -> None:
        super().__init__(
            f"match {id} is damaged: {reason}; whoever runs this server can keep the rest with 'parlour salvage'"
        )
        self.reason = reason


class NoSuchMatch(ParlourError):
    """No match goes by that name, or no longer."""


class NoSuchRound(ParlourError):
    """The match has not come to that round."""


class StaleMove(ParlourError):
    """The match has gone on since the position that was answered."""


class NotYourTurn(ParlourError):
    """The other player is to move."""


class MatchWaiting(ParlourError):
    """The second player has not come yet."""


class MatchFull(ParlourError):
    """So many things were done in this match that no more are kept."""


class SeatNeeded(ParlourError):
    """Watching is free, but this is for players."""


class SeatWrong(ParlourError):
    """This secret fits no seat of the match."""


class SeatTaken(ParlourError):
    """Somebody else was first."""


class NoOffer(ParlourError):
    """No such offer is pending."""


class OfferPending(ParlourError):
    """One offer at a time."""


class NotOnOffer(ParlourError):
    """That is not to be had in a match of this kind, or not now."""


class TooManyRequests(ParlourError):
    """Slower, please; ``wait`` is how many seconds."""

    def __init__(self, wait: int) -> None:
        super().__init__(f"too many requests; wait {wait} {'second' if wait == 1 else 'seconds'}")
        self.wait = wait


class Busy(ParlourError):
    """Too much at once; nothing was done, and nothing will be."""


class ServerFull(ParlourError):
    """As many matches are kept as there may be."""


class MissingExtra(ParlourError, ImportError):
    """What was asked for needs packages that are not installed; the message says which extra brings them.

    >>> import parlour
    >>> print(parlour.MissingExtra("batches need NumPy", "batch"))
    batches need NumPy; install it with: ... -m pip install ...
    >>> issubclass(parlour.MissingExtra, ImportError)
    True
    """

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what}; install it with: {install_command(extra)}")
        self.extra = extra  # of ours, that brings it


class OutcomeUnknown(ParlourError):
    """What was asked for may have been done or not. Asking for the same again tells, and does it once at most."""

    def __init__(self, reason: str = "no answer in time") -> None:
        super().__init__(f"{reason}: it is not known whether this was done; send the same again to find out")


class SearchFailed(ParlourError):
    """A search broke off, through no fault of the question."""


class Answer(NamedTuple):
    """How a program hears of an error."""

    code: str  # stable, for programs that read JSON
    status: int  # of an HTTP response
    exit: int  # of the command: 1 it failed, 2 it was asked wrongly


ANSWERS: dict[type[ParlourError], Answer] = {
    ParlourError: Answer("error", 400, 1),
    UnknownGame: Answer("game/unknown", 404, 2),
    UnknownPlayer: Answer("player/unknown", 400, 2),
    BadOptions: Answer("options/bad", 400, 2),
    BadName: Answer("name/bad", 400, 2),
    MoveRefused: Answer("move/refused", 400, 1),
    UnreadableMove: Answer("move/unreadable", 400, 1),
    IllegalMove: Answer("move/illegal", 400, 1),
    GameOver: Answer("game/over", 409, 1),
    NoNextRound: Answer("round/open", 409, 1),
    StrictGame: Answer("game/strict", 409, 1),
    NothingToUndo: Answer("undo/nothing", 409, 1),
    BadPosition: Answer("position/bad", 400, 2),
    TooBig: Answer("solve/too-big", 422, 1),
    Cancelled: Answer("solve/cancelled", 503, 1),
    BadTable: Answer("table/bad", 500, 1),
    BadArchive: Answer("puzzles/bad", 500, 1),
    BadStrategy: Answer("strategy/bad", 400, 1),
    NoSuchExam: Answer("exam/unknown", 404, 1),
    BadSweep: Answer("sweep/bad", 500, 1),
    NoWorkers: Answer("workers/none", 503, 1),
    NoSuchPuzzle: Answer("puzzle/unknown", 404, 1),
    EngineFailed: Answer("engine/failed", 502, 1),
    BadRecord: Answer("record/bad", 400, 1),
    NoSuchRecord: Answer("record/unknown", 404, 1),
    GameInUse: Answer("record/in-use", 409, 1),
    BadDatabase: Answer("database/bad", 503, 1),
    DamagedDatabase: Answer("database/damaged", 500, 1),
    DamagedMatch: Answer("match/damaged", 500, 1),
    NoSuchMatch: Answer("match/unknown", 404, 1),
    NoSuchRound: Answer("round/unknown", 404, 1),
    StaleMove: Answer("move/stale", 409, 1),
    NotYourTurn: Answer("turn/other", 409, 1),
    MatchWaiting: Answer("match/waiting", 409, 1),
    MatchFull: Answer("match/full", 409, 1),
    SeatNeeded: Answer("seat/needed", 401, 1),
    SeatWrong: Answer("seat/wrong", 403, 1),
    SeatTaken: Answer("seat/taken", 409, 1),
    NoOffer: Answer("offer/none", 409, 1),
    OfferPending: Answer("offer/pending", 409, 1),
    NotOnOffer: Answer("offer/impossible", 409, 1),
    TooManyRequests: Answer("rate/limited", 429, 1),
    Busy: Answer("server/busy", 503, 1),
    ServerFull: Answer("server/full", 503, 1),
    MissingExtra: Answer("extra/missing", 501, 1),
    OutcomeUnknown: Answer("server/unknown", 504, 1),
    SearchFailed: Answer("solve/failed", 500, 1),
}


def answer_to(error: ParlourError) -> Answer:
    """Return the answer for an error: its own class's, or that of the nearest base class in ``ANSWERS``."""
    return next(ANSWERS[base] for base in type(error).__mro__ if base in ANSWERS)
