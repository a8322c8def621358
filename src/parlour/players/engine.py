"""Outside engines: players that are programs with the protocol of ``docs/engine.md``."""

from __future__ import annotations

import shlex
from random import Random

from parlour.errors import Cancelled, EngineFailed, TooBig, UnknownPlayer
from parlour.game import P
from parlour.gtp.client import REPLY_SECONDS, Program, RemoteBoard
from parlour.limit import Limit
from parlour.match import Match
from parlour.options import O
from parlour.players import PlayerKind
from parlour.text import clip
from parlour.turn import check_turn


class EnginePlayer:
    """A player that is an outside program, started for its first move."""

    def __init__(self, command: str, seconds: float = REPLY_SECONDS) -> None:
        """``command`` is a program and its arguments, quoted as for a shell; ``seconds`` limits a reply.

        Raises:
            UnknownPlayer: the command is empty or badly quoted.
        """
        try:
            self._arguments = shlex.split(command)
        except ValueError as error:
            raise UnknownPlayer(f"bad engine {clip(command)!r}: {str(error).lower()}") from None
        if not self._arguments or not command.isprintable():
            raise UnknownPlayer(f"bad engine {clip(command)!r}; a program and its arguments, in one line")
        self._command = command
        self._seconds = seconds
        self._board: RemoteBoard | None = None

    def __repr__(self) -> str:
        return f"<Player engine:{clip(self._command)}>"

    def choose(self, match: Match[O, P], random: Random | None = None, limit: Limit | None = None) -> int:
        """Return the program's move; EngineFailed if it has none, Resigned if it resigns."""
        check_turn(match)
        try:
            if self._board is None:
                self._board = RemoteBoard(Program(self._command, self._arguments, self._seconds))
            return self._board.generate_move(match, limit)
        except (EngineFailed, TooBig, Cancelled):
            self._board = None  # the program has ended
            raise

    def check_start(self) -> None:
        """Start and end the program; EngineFailed if it cannot be started."""
        Program(self._command, self._arguments, self._seconds).end(0)

    def close(self) -> None:
        if self._board is not None:
            program, self._board = self._board.program, None
            program.quit()


KINDS = (
    PlayerKind(
        word="engine:COMMAND",
        title="Engine",
        about="is another program, which Parlour starts",
        make=lambda argument: EnginePlayer(argument) if argument.strip() else None,
        argument="COMMAND is a program and its arguments",
        place=50,
        offered=False,
        starts_program=True,
        check_start=lambda argument: EnginePlayer(argument).check_start(),
    ),
)
