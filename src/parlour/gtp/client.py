"""The half of the protocol that lets another program play: Parlour starts it and talks to it over pipes.

The program is a stranger. It runs under a supervisor that lets nothing of it be left, has so many seconds and so many
bytes for each reply, and whatever it does wrong ends it, with everything it started, and raises EngineFailed.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from time import monotonic
from typing import IO, NoReturn, cast

from parlour.errors import EngineFailed, MoveRefused
from parlour.game import P
from parlour.gtp import supervisor
from parlour.gtp.protocol import COLOURS, GIVES_UP, LONGEST_REPLY, NEEDED, PROTOCOL_VERSION, read_reply
from parlour.gtp.supervisor import KILLING_SECONDS
from parlour.limit import Limit
from parlour.match import Match
from parlour.options import O, show_words
from parlour.text import clip
from parlour.turn import Resigned

REPLY_SECONDS = 10.0  # for a reply
STARTING_SECONDS = 10.0  # for a program to be started in, not to be ready
LEAVING_SECONDS = 1.0  # for a program to leave in, once told to
LISTENING_SECONDS = 0.2  # between two looks at a limit, which may be cancelled
KEPT_DIAGNOSTICS = 1000  # bytes of what it wrote last to its standard error


class Program:
    """A running program that answers commands. Whatever it does wrong ends it and raises EngineFailed."""

    def __init__(self, command: str, arguments: list[str], seconds: float = REPLY_SECONDS) -> None:
        """Start it. ``command`` is what it is called in messages, ``seconds`` what a reply may take."""
        import selectors  # these would delay the first prompt of every game
        import socket
        import subprocess

        self._command = command
        self._seconds = seconds
        self._number = 0  # of the last command
        self._heard = b""  # output that belongs to no reply yet
        self._diagnostics = b""
        if not hasattr(os, "killpg"):
            raise self._failure("cannot be started: outside engines need a POSIX system")
        pipe = subprocess.PIPE
        self._control, control = socket.socketpair()
        number = str(control.fileno())
        with control:
            try:
                self._process = subprocess.Popen(
                    [sys.executable, "-I", "-S", supervisor.__file__, number, *arguments],
                    bufsize=0,
                    stdin=pipe,
                    stdout=pipe,
                    stderr=pipe,
                    start_new_session=True,
                    pass_fds=[control.fileno()],
                )
            except (OSError, ValueError) as error:
                self._control.close()
                raise self._failure(f"cannot be started: {getattr(error, 'strerror', None) or error}") from None
        process = self._process
        self._input, self._output, self._errors = (
            cast("IO[bytes]", stream) for stream in (process.stdin, process.stdout, process.stderr)
        )
        for stream in (self._input, self._errors):
            os.set_blocking(stream.fileno(), False)
        self._selector = selectors.DefaultSelector()
        for stream in (self._output, self._errors):
            self._selector.register(stream, selectors.EVENT_READ)
        self._control.settimeout(STARTING_SECONDS)
        try:
            told = self._control.recv(32).strip()
        except OSError:
            told = b""
        if told != b"0":
            self.fail(f"cannot be started: {os.strerror(int(told)) if told else 'its supervisor failed'}")

    def ask(self, line: str, limit: Limit | None = None) -> str:
        """What the program replies to a command.

        Where the limit is used up before the program's own time is, the program has done nothing wrong: it is ended,
        since it has not answered, and TooBig is raised.
        """
        self._number += 1
        self._send(line)
        text = self._receive(line, limit)
        reply = read_reply(text)
        if reply is None or reply.number != str(self._number):
            self.fail(f"answered {line!r} with {clip(text)!r}, which is not a reply to command {self._number}")
        if reply.refused:
            self.fail(f"refused {line!r}: {clip(reply.text)}")
        return reply.text

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

    def _receive(self, line: str, limit: Limit | None) -> str:
        """The next reply, without the empty line that ends it."""
        deadline = monotonic() + self._seconds
        while True:
            self._heard = self._heard.lstrip(b"\n")
            if self._heard and self._heard[:1] not in (b"=", b"?"):
                said = self._heard.partition(b"\n")[0].decode(errors="replace")
                self.fail(f"said {clip(said)!r} instead of replying to {line!r}")
            reply, end, rest = self._heard.partition(b"\n\n")
            if end:
                self._heard = rest
                return reply.decode(errors="replace")
            if len(self._heard) > LONGEST_REPLY:
                self.fail(f"answered {line!r} without end: more than {LONGEST_REPLY:,} bytes")
            left = deadline - monotonic()
            if left <= 0:
                self.fail(f"did not answer {line!r} within {self._seconds:g} seconds")
            if limit is not None:
                self._check(limit)
                left = min(left, limit.seconds_left, LISTENING_SECONDS)
            self._listen(left)

    def _check(self, limit: Limit) -> None:
        try:
            limit.check()
        except Exception:
            self.end(0)
            raise

    def _listen(self, seconds: float) -> None:
        """Take in whatever the program writes next, within so many seconds."""
        for key, _ in self._selector.select(seconds):
            data = os.read(key.fd, LONGEST_REPLY)
            if key.fileobj is self._output:
                if not data:
                    self.fail(self._gone())
                self._heard += data.replace(b"\r", b"")
            elif data:
                self._diagnostics = (self._diagnostics + data)[-KEPT_DIAGNOSTICS:]
            else:
                self._selector.unregister(self._errors)

    def _gone(self) -> str:
        """What became of a program that says no more."""
        from subprocess import TimeoutExpired

        try:
            code = self._process.wait(LEAVING_SECONDS)
        except TimeoutExpired:
            return "closed its output"
        with suppress(OSError):  # there may be nothing to read
            self._diagnostics = (self._diagnostics + os.read(self._errors.fileno(), LONGEST_REPLY))[-KEPT_DIAGNOSTICS:]
        lines = self._diagnostics.decode(errors="replace").split("\n")
        words = next((clip(line.strip()) for line in reversed(lines) if line.strip()), "")
        how = f"ended with exit code {code}" if code >= 0 else f"was ended by signal {-code}"
        return f"{how}: {words}" if words else how

    def fail(self, did: str) -> NoReturn:
        """End the program for what it did."""
        self.end(0)
        raise self._failure(did)

    def _failure(self, did: str) -> EngineFailed:
        return EngineFailed(f"engine {clip(self._command)!r} {did}")

    def quit(self) -> None:
        """Tell the program to leave, and see that it does."""
        self._seconds = LEAVING_SECONDS
        with suppress(EngineFailed):  # it has ended all the same
            self.ask("quit")
            self.end()

    def end(self, seconds: float = LEAVING_SECONDS) -> None:
        """See that nothing is left of the program, after so many seconds in which it may leave by itself."""
        from socket import SHUT_RDWR
        from subprocess import TimeoutExpired

        self._selector.close()
        for stream in (self._input, self._output, self._errors):
            stream.close()
        with suppress(TimeoutExpired):
            self._process.wait(seconds)
        with suppress(OSError):  # it has gone already
            self._control.shutdown(SHUT_RDWR)  # whatever is left of the program is killed now
        self._control.close()
        try:
            self._process.wait(KILLING_SECONDS + LEAVING_SECONDS)
        except TimeoutExpired:
            self._process.kill()
            self._process.wait()


class RemoteBoard:
    """The board of a program, which is kept where a match stands."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._is_greeted = False
        # What the program was told:
        self._game = ""
        self._deal: tuple[int, tuple[int, ...]] | None = None  # the round and its options
        self._moves: list[int] = []

    def generate_move(self, match: Match[O, P], limit: Limit | None = None) -> int:
        """The legal move that the program answers; EngineFailed if it answers none, Resigned if it gives up."""
        if not self._is_greeted:
            self._greet(limit)
            self._is_greeted = True
        self._follow(match, limit)
        answer = self.program.ask(f"genmove {self._colour}", limit).lower()
        if answer == GIVES_UP:
            raise Resigned
        if "\n" in answer:
            self.program.fail(f"answered 'genmove' with more than one line: {clip(answer)!r}")
        try:
            move = match.read(answer)
        except MoveRefused as refusal:
            self.program.fail(f"answered 'genmove' with {clip(answer)!r}: {refusal.reason}")
        self._moves.append(move)
        return move

    def _greet(self, limit: Limit | None) -> None:
        """See that the program speaks the protocol."""
        version = self.program.ask("protocol_version", limit)
        if version != PROTOCOL_VERSION:
            self.program.fail(f"speaks version {clip(version)!r} of the protocol, not {PROTOCOL_VERSION}")
        for command in NEEDED:
            if self.program.ask(f"known_command {command}", limit).lower() != "true":
                self.program.fail(f"does not know the command {command!r}")

    def _follow(self, match: Match[O, P], limit: Limit | None) -> None:
        """Tell the program what it does not know of the present round."""
        program, played = self.program, match.round.moves
        deal = len(match.rounds), match.options
        if self._game != match.game.key:
            program.ask(f"game {match.game.key}", limit)
        elif self._deal != deal or self._moves != played[: len(self._moves)]:
            program.ask("clear_board", limit)
            self._moves = []
        if self._game != match.game.key or self._deal != deal:
            self._game, self._deal, self._moves = match.game.key, deal, []
            if texts := show_words(match.options):
                program.ask(f"options {texts}", limit)
        for move in played[len(self._moves) :]:
            program.ask(f"play {self._colour} {match.rules.name(move)}", limit)
            self._moves.append(move)

    @property
    def _colour(self) -> str:
        """Of whoever is to move on this board."""
        return COLOURS[len(self._moves) % 2]
