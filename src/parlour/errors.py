"""The errors that Parlour raises on purpose.

Each class has a stable code, an HTTP status and an exit code, and a subclass inherits those of its parent. Catch
``BadInput`` for a mistyped name, option or position, ``Conflict`` for something that is not possible now, ``NotFound``
for a missing puzzle or saved game, ``BadData`` for a damaged file, ``NoAnswer`` for a search without a result, and
``Unavailable`` for what may work later. ``store.errors`` and ``service.errors`` have the errors of a server.

A message is lower case without a full stop: what was wrong, the offending value, what would work.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from parlour.installation import install_command


class ParlourError(ValueError):
    """The base class of all errors that Parlour raises on purpose.

    >>> import parlour
    >>> try:
    ...     parlour.new_match("double-up", limt=30)
    ... except parlour.ParlourError as refused:
    ...     print(refused)
    unknown option 'limt' (did you mean 'limit'?); known options: limit
    """

    code: ClassVar[str] = "error"  # stable, for programs that read JSON
    status: ClassVar[int] = 400  # HTTP status of a response
    exit_code: ClassVar[int] = 1  # exit code of the command: 1 for a failure, 2 for wrong usage

    def __reduce__(self) -> tuple[object, ...]:
        return restore, (type(self), str(self), vars(self))


def restore(kind: type[ParlourError], message: str, fields: dict[str, object]) -> ParlourError:
    """Return an error as another process had it, whatever the arguments of its class are."""
    error = kind.__new__(kind, message)
    error.__setstate__(fields)
    return error


class BadInput(ParlourError):
    """A name, option or position that is not accepted.

    >>> import parlour
    >>> try:
    ...     parlour.new_match("chess", limit=30)
    ... except parlour.BadInput as error:
    ...     print(error.code, error)
    game/unknown unknown game 'chess'; known games: ...
    """

    exit_code = 2


class UnknownGame(BadInput):
    """An unknown name of a game.

    >>> import parlour
    >>> parlour.find_game("go")
    Traceback (most recent call last):
        ...
    parlour.errors.UnknownGame: unknown game 'go'; known games: ...
    """

    code = "game/unknown"
    status = 404


class UnknownPlayer(BadInput):
    """An unknown kind of player.

    >>> import parlour
    >>> parlour.find_player("level:9")
    Traceback (most recent call last):
        ...
    parlour.errors.UnknownPlayer: unknown player 'level:9'; known players: human, random, ...
    """

    code = "player/unknown"


class BadOptions(BadInput):
    """Options that make no game.

    >>> import parlour
    >>> parlour.rules_of("double-up", limit=1)
    Traceback (most recent call last):
        ...
    parlour.errors.BadOptions: bad limit '1'; allowed: a number from 2 to 1000000, or none
    """

    code = "options/bad"


class BadName(BadInput):
    """A name that a player cannot have.

    >>> import parlour
    >>> parlour.new_match("double-up", names=("Ann", "ann"))
    Traceback (most recent call last):
        ...
    parlour.errors.BadName: both players are called 'Ann'; give them different names
    """

    code = "name/bad"


class BadPosition(BadInput):
    """A position that the game does not have, or that contradicts itself.

    >>> import parlour
    >>> parlour.rules_of("double-up").read_position("101")
    Traceback (most recent call last):
        ...
    parlour.errors.BadPosition: bad position '101'; last is 101, and must be below 101
    """

    code = "position/bad"


class BadArgument(BadInput):
    """An argument of a wrong type or out of range.

    >>> import parlour
    >>> parlour.new_match("double-up", first=3)
    Traceback (most recent call last):
        ...
    parlour.errors.BadArgument: there is no player 3; 1 or 2
    """

    code = "argument/bad"


class MoveRefused(ParlourError):
    """A move that was not played; ``problem``, ``reason`` and ``legal`` are the parts of the message.

    >>> import parlour
    >>> try:
    ...     parlour.new_match("double-up").play("3")
    ... except parlour.MoveRefused as refused:
    ...     print(refused.legal)
    2
    """

    code = "move/refused"
    lines: Sequence[str] = ()

    def __init__(self, problem: str, reason: str, legal: str, lines: Sequence[str] = ()) -> None:
        super().__init__(f"{problem}: {reason}; legal: {legal}")
        self.problem = problem  # the rejected input
        self.reason = reason  # the reason
        self.legal = legal  # the legal moves, as a text
        self.lines = lines  # the rule book's own words, if it has any


class UnreadableMove(MoveRefused):
    """A text that names no move.

    >>> import parlour
    >>> parlour.new_match("double-up").play("two")
    Traceback (most recent call last):
        ...
    parlour.errors.UnreadableMove: unreadable move 'two': please select 2, the only legal number; legal: 2
    """

    code = "move/unreadable"


class IllegalMove(MoveRefused):
    """A move that the rules do not allow now.

    >>> import parlour
    >>> parlour.new_match("double-up").play(3)
    Traceback (most recent call last):
        ...
    parlour.errors.IllegalMove: illegal move '3': 3 is more than 2, the double of 1; legal: 2
    """

    code = "move/illegal"


class Conflict(ParlourError):
    """Something that is not possible in the present state of a match or a saved game.

    >>> import parlour
    >>> try:
    ...     parlour.new_match("double-up").undo()
    ... except parlour.Conflict as error:
    ...     print(error.code, error)
    undo/nothing nothing has been played yet
    """

    status = 409


class GameOver(Conflict):
    """A move or hint after the end of the game.

    >>> import parlour
    >>> match = parlour.new_match("double-up", limit=2)
    >>> match.play_line("2 3")
    Traceback (most recent call last):
        ...
    parlour.errors.GameOver: the game is over: '3' cannot be played
    """

    code = "game/over"


class NoNextRound(Conflict):
    """A next round while this one can still be won, or after the last one.

    >>> import parlour
    >>> parlour.new_match("sequence-spot", grid="1,2,3,4,5,6,7,8,9").next_round()
    Traceback (most recent call last):
        ...
    parlour.errors.NoNextRound: this round is not over: a player can still win it
    """

    code = "round/open"


class StrictGame(Conflict):
    """A hint or take-back in a game that is played without them."""

    code = "game/strict"


class NothingToUndo(Conflict):
    """A take-back before the first move.

    >>> import parlour
    >>> parlour.new_match("double-up").undo()
    Traceback (most recent call last):
        ...
    parlour.errors.NothingToUndo: nothing has been played yet
    """

    code = "undo/nothing"


class GameInUse(Conflict):
    """A saved game that is open at another terminal."""

    code = "record/in-use"


class NotFound(ParlourError):
    """A saved game, puzzle, exam, match or round that does not exist.

    >>> import parlour
    >>> issubclass(parlour.errors.NoSuchPuzzle, parlour.NotFound)
    True
    """

    status = 404


class NoSuchRecord(NotFound):
    """An unknown number of a saved game."""

    code = "record/unknown"


class NoSuchPuzzle(NotFound):
    """An unknown number, ID or date of a puzzle.

    >>> import parlour
    >>> parlour.find_puzzle(0)
    Traceback (most recent call last):
        ...
    parlour.errors.NoSuchPuzzle: there is no puzzle 0; they are numbered from 1 to 4081
    """

    code = "puzzle/unknown"


class NoSuchExam(NotFound):
    """An unknown number of an exam.

    >>> import parlour
    >>> parlour.start_exam("double-up", 99)
    Traceback (most recent call last):
        ...
    parlour.errors.NoSuchExam: Double Up has no exam 99; they are numbered from 1 to 3
    """

    code = "exam/unknown"


class BadData(ParlourError):
    """A text, file or stored match that is damaged or of another kind.

    >>> import parlour
    >>> try:
    ...     parlour.read_record("Dear Ann,")
    ... except parlour.BadData as error:
    ...     print(error.code, error)
    record/bad line 1: this is not a Parlour record, found 'Dear Ann,'
    """

    status = 500


class BadRecord(BadData):
    """A text that is not a record, or not of a possible game; the message names the line.

    >>> import parlour
    >>> parlour.read_record("Dear Ann,")
    Traceback (most recent call last):
        ...
    parlour.errors.BadRecord: line 1: this is not a Parlour record, found 'Dear Ann,'
    """

    code = "record/bad"
    status = 400


class BadStrategy(BadData):
    """A strategy that cannot be read, or does not prove what it claims.

    >>> import parlour
    >>> parlour.check_certificate("Dear Ann,")
    Traceback (most recent call last):
        ...
    parlour.errors.BadStrategy: bad strategy: the first line cannot be read: it is not JSON
    """

    code = "strategy/bad"
    status = 400


class BadTable(BadData):
    """A saved position table that is damaged or of another game."""

    code = "table/bad"


class BadArchive(BadData):
    """An archive of puzzles that is damaged or of another version."""

    code = "puzzles/bad"


class BadSweep(BadData):
    """A file of a sweep that is damaged, in use, or of another game, version or settings."""

    code = "sweep/bad"


class NoAnswer(ParlourError):
    """A search that ended without an exact answer.

    >>> import parlour
    >>> try:
    ...     parlour.solve(parlour.rules_of("double-up", limit=None))
    ... except parlour.NoAnswer as error:
    ...     print(error.code, error)
    solve/too-big a game that need not end has no value; set a limit
    """


class TooBig(NoAnswer):
    """No exact answer within the limit, or at all: Parlour does not guess.

    >>> import parlour
    >>> parlour.solve(parlour.rules_of("double-up", limit=None))
    Traceback (most recent call last):
        ...
    parlour.errors.TooBig: a game that need not end has no value; set a limit
    """

    code = "solve/too-big"
    status = 422


class Cancelled(NoAnswer):
    """A search that was cancelled before it had an answer.

    >>> import parlour
    >>> limit = parlour.Limit()
    >>> limit.cancel()  # from another thread, as a rule
    >>> limit.check()
    Traceback (most recent call last):
        ...
    parlour.errors.Cancelled: the search was given up
    """

    code = "solve/cancelled"
    status = 503


class Unavailable(ParlourError):
    """A server or cluster that cannot do the work now. Nothing was done, and a later attempt may succeed."""

    status = 503


class NoWorkers(Unavailable):
    """A cluster that is not available, or no longer."""

    code = "workers/none"


class EngineFailed(ParlourError):
    """An engine that did not answer as the protocol requires. Its process has been ended.

    >>> import parlour
    >>> from random import Random
    >>> parlour.find_player("engine:echo Hello").choose(parlour.new_match("sequence-builder"), Random(1))
    Traceback (most recent call last):
        ...
    parlour.errors.EngineFailed: engine 'echo Hello' said 'Hello' instead of replying to 'protocol_version'
    """

    code = "engine/failed"
    status = 502


class MissingExtra(ParlourError, ImportError):
    """A feature whose packages are not installed; the message names the extra.

    >>> import parlour
    >>> print(parlour.MissingExtra("batches need NumPy", "batch"))
    batches need NumPy; install it with: ... -m pip install ...
    >>> issubclass(parlour.MissingExtra, ImportError)
    True
    """

    code = "extra/missing"
    status = 501

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what}; install it with: {install_command(extra)}")
        self.what = what  # the feature and the packages it needs
        self.extra = extra  # the extra that installs them
