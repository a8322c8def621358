"""The player that is another program: Parlour talks to it over pipes, in the protocol of ``docs/engine.md``.

The program is a stranger. It runs in a process group of its own, has so many seconds and so many bytes for each reply,
and whatever it does wrong ends it, with everything it started, and raises EngineFailed.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
from contextlib import suppress
from time import monotonic
from typing import IO, TYPE_CHECKING, NoReturn, cast

from parlour import referee
from parlour.errors import EngineFailed, MoveRefused, UnknownPlayer
from parlour.match import Match
from parlour.options import show_words
from parlour.players import Resigned

if TYPE_CHECKING:
    from random import Random

TIMEOUT = 10.0  # seconds for a reply
LONGEST = 1 << 16  # bytes of a reply
GRACE = 1.0  # seconds to leave in, once told to
LAST_WORDS = 1000  # bytes of its diagnostics that are remembered

PROTOCOL = "2"
NEEDED = ("game", "options", "clear_board", "play", "genmove")
COLOURS = "bw"  # who begins a round, and who does not

_REPLY = re.compile(r"([=?])([0-9]*)(?:\s+(.*))?", re.DOTALL)


class Program:
    """A running program that answers commands. Whatever it does wrong ends it and raises EngineFailed."""

    def __init__(self, command: str, arguments: list[str], timeout: float) -> None:
        import selectors  # these two would delay the first prompt of every game
        import subprocess

        self._command = command
        self._timeout = timeout
        self._number = 0  # of the last command
        self._heard = b""  # output that belongs to no reply yet
        self._diagnostics = b""
        if not hasattr(os, "killpg"):
            raise self._failure("cannot be started: outside engines need a POSIX system")
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                arguments, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise self._failure(f"cannot be started: {reason}") from None
        process = self._process
        self._input, self._output, self._errors = (
            cast("IO[bytes]", stream) for stream in (process.stdin, process.stdout, process.stderr)
        )
        for stream in (self._input, self._errors):
            os.set_blocking(stream.fileno(), False)
        self._selector = selectors.DefaultSelector()
        for stream in (self._output, self._errors):
            self._selector.register(stream, selectors.EVENT_READ)

    def ask(self, line: str, timeout: float | None = None) -> str:
        """What the program replies to a command, within the usual time or another."""
        self._number += 1
        self._send(line)
        reply = self._receive(line, self._timeout if timeout is None else timeout)
        shape = _REPLY.fullmatch(reply)
        if shape is None or shape[2] != str(self._number):
            self.fail(f"answered {line!r} with {referee.clip(reply)!r}, which is no reply to command {self._number}")
        text = (shape[3] or "").strip()
        if shape[1] == "?":
            self.fail(f"refused {line!r}: {referee.clip(text)}")
        return text

    def _send(self, line: str) -> None:
        data = f"{self._number} {line}\n".encode()
        try:
            complete = os.write(self._input.fileno(), data) == len(data)
        except BlockingIOError:
            complete = False
        except OSError:
            return  # nobody listens any more; what it said before, if anything, tells why
        if not complete:
            self.fail("does not read its commands")

    def _receive(self, line: str, timeout: float) -> str:
        """The next reply, without the empty line that ends it."""
        deadline = monotonic() + timeout
        while True:
            self._heard = self._heard.lstrip(b"\n")
            if self._heard and self._heard[:1] not in (b"=", b"?"):
                said = self._heard.partition(b"\n")[0].decode(errors="replace")
                self.fail(f"said {referee.clip(said)!r} instead of replying to {line!r}")
            reply, end, rest = self._heard.partition(b"\n\n")
            if end:
                self._heard = rest
                return reply.decode(errors="replace")
            if len(self._heard) > LONGEST:
                self.fail(f"answered {line!r} without end: more than {LONGEST:,} bytes")
            left = deadline - monotonic()
            if left <= 0:
                self.fail(f"did not answer {line!r} within {timeout:g} seconds")
            self._listen(left)

    def _listen(self, seconds: float) -> None:
        """Take in whatever the program writes next, within so many seconds."""
        for key, _ in self._selector.select(seconds):
            data = os.read(key.fd, LONGEST)
            if key.fileobj is self._output:
                if not data:
                    self.fail(self._gone())
                self._heard += data.replace(b"\r", b"")
            elif data:
                self._diagnostics = (self._diagnostics + data)[-LAST_WORDS:]
            else:
                self._selector.unregister(self._errors)

    def _gone(self) -> str:
        """What became of a program that says no more."""
        from subprocess import TimeoutExpired

        try:
            code = self._process.wait(GRACE)
        except TimeoutExpired:
            return "closed its output"
        with suppress(OSError):  # there may be nothing to read
            self._diagnostics = (self._diagnostics + os.read(self._errors.fileno(), LONGEST))[-LAST_WORDS:]
        lines = self._diagnostics.decode(errors="replace").split("\n")
        words = next((referee.clip(line.strip()) for line in reversed(lines) if line.strip()), "")
        how = f"ended with exit code {code}" if code >= 0 else f"was ended by signal {-code}"
        return f"{how}: {words}" if words else how

    def fail(self, did: str) -> NoReturn:
        """End the program for what it did."""
        self.end(0)
        raise self._failure(did)

    def _failure(self, did: str) -> EngineFailed:
        return EngineFailed(f"engine {referee.clip(self._command)!r} {did}")

    def end(self, grace: float = GRACE) -> None:
        """See that nothing is left of the program, after so many seconds in which it may leave by itself."""
        from subprocess import TimeoutExpired

        self._selector.close()
        for stream in (self._input, self._output, self._errors):
            stream.close()
        with suppress(TimeoutExpired):
            self._process.wait(grace)
        with suppress(OSError):  # the group has gone already
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


class EnginePlayer:
    """Moves that an outside program chooses. It is started for the first of them."""

    def __init__(self, command: str, timeout: float = TIMEOUT) -> None:
        """``command`` is a program and its arguments, quoted as for a shell, though no shell sees it.

        UnknownPlayer if it names no program; whether there is such a program is found out when it is to move.
        """
        try:
            self._arguments = shlex.split(command)
        except ValueError as error:
            raise UnknownPlayer(f"bad engine {referee.clip(command)!r}: {str(error).lower()}") from None
        if not self._arguments or not command.isprintable():
            raise UnknownPlayer(f"bad engine {referee.clip(command)!r}; a program and its arguments, in one line")
        self._command = command
        self._timeout = timeout
        self._program: Program | None = None
        # What the program was told:
        self._game = ""
        self._deal: object = None
        self._moves: list[int] = []

    def choose(self, match: Match, random: Random) -> int:
        """The move that the program answers; EngineFailed if it answers none, Resigned if it gives up."""
        try:
            if self._program is None:
                self._start()
            return self._choose(match)
        except EngineFailed:
            self._program = None  # it has ended
            raise

    def close(self) -> None:
        if self._program is not None:
            program, self._program = self._program, None
            with suppress(EngineFailed):  # it has ended all the same
                program.ask("quit", GRACE)
                program.end()

    def _start(self) -> None:
        self._program = program = Program(self._command, self._arguments, self._timeout)
        self._game, self._deal, self._moves = "", None, []
        version = program.ask("protocol_version")
        if version != PROTOCOL:
            program.fail(f"speaks version {referee.clip(version)!r} of the protocol, not {PROTOCOL}")
        for command in NEEDED:
            if program.ask(f"known_command {command}").lower() != "true":
                program.fail(f"does not know the command {command!r}")

    def _choose(self, match: Match) -> int:
        program = self._program
        assert program is not None
        self._follow(match, program)
        answer = program.ask(f"genmove {COLOURS[len(self._moves) % 2]}").lower()
        if answer == "resign":
            raise Resigned
        if "\n" in answer:
            program.fail(f"answered 'genmove' with more than one line: {referee.clip(answer)!r}")
        try:
            move = match.read(answer)
        except MoveRefused as refusal:
            program.fail(f"answered 'genmove' with {referee.clip(answer)!r}: {refusal.reason}")
        self._moves.append(move)
        return move

    def _follow(self, match: Match, program: Program) -> None:
        """Tell the program what it does not know of the present round."""
        deal = len(match.rounds), match.options
        played = match.round.moves
        if self._game != match.game.key:
            program.ask(f"game {match.game.key}")
        elif self._deal != deal or self._moves != played[: len(self._moves)]:
            program.ask("clear_board")
            self._moves = []
        if self._game != match.game.key or self._deal != deal:
            self._game, self._deal, self._moves = match.game.key, deal, []
            if texts := show_words(match.options):
                program.ask(f"options {texts}")
        for move in played[len(self._moves) :]:
            name = referee.name_move(match.game, match.options, move)
            program.ask(f"play {COLOURS[len(self._moves) % 2]} {name}")
            self._moves.append(move)
