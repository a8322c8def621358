"""The client side of the protocol, which runs an outside program as a player.

The program is untrusted. It runs in its own process group, with a time and size limit for each reply. A fault kills the
group and raises EngineFailed.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from time import monotonic
from types import FrameType
from typing import IO, Any, NoReturn, cast

from parlour.errors import EngineFailed, MoveRefused
from parlour.game import P
from parlour.gtp.protocol import COLOURS, MAX_REPLY, PROTOCOL_VERSION, REQUIRED, RESIGNATION, read_reply
from parlour.limit import Limit
from parlour.match import Match
from parlour.options import O, show_words
from parlour.text import clip
from parlour.turn import Resigned

REPLY_SECONDS = 10.0  # timeout of a reply
QUIT_SECONDS = 1.0  # time to exit after `quit`
POLL_SECONDS = 0.2  # interval between checks of the limit and of the process
DIAGNOSTICS_BYTES = 1000  # last bytes of standard error for messages


class Program:
    """A running program. Any fault kills it and raises EngineFailed."""

    def __init__(self, command: str, arguments: list[str], seconds: float = REPLY_SECONDS) -> None:
        """Start the program. Error messages quote ``command``; ``seconds`` is the timeout of a reply."""
        import selectors  # imported late, because they would delay the first prompt of every game
        import subprocess

        self._command = command
        self._seconds = seconds
        self._number = 0  # number of the last command
        self._received = b""  # output after the last reply
        self._diagnostics = b""
        if not hasattr(os, "killpg"):
            raise self._failure("cannot be started: outside engines need a POSIX system")
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                arguments, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
            )
        except (OSError, ValueError) as error:
            raise self._failure(f"cannot be started: {getattr(error, 'strerror', None) or error}") from None
        _groups.add(self._process.pid)
        self._input, self._output, self._errors = (
            cast("IO[bytes]", stream) for stream in (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        for stream in (self._input, self._errors):
            os.set_blocking(stream.fileno(), False)
        self._selector = selectors.DefaultSelector()
        for stream in (self._output, self._errors):
            self._selector.register(stream, selectors.EVENT_READ)

    def ask(self, line: str, limit: Limit | None = None) -> str:
        """Send a command and return the program's reply.

        An error ends the program.

        Raises:
            EngineFailed: there is no valid reply in time.
            TooBig, Cancelled: the limit ended the wait.
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
            return  # the input is closed; _receive() finds the reason
        if not complete:
            self.fail("does not read its commands")

    def _receive(self, line: str, limit: Limit | None) -> str:
        """Return the next reply, without the empty line at its end."""
        deadline = monotonic() + self._seconds
        while True:
            self._received = self._received.lstrip(b"\n")
            if self._received and self._received[:1] not in (b"=", b"?"):
                text = self._received.partition(b"\n")[0].decode(errors="replace")
                self.fail(f"said {clip(text)!r} instead of replying to {line!r}")
            reply, end, rest = self._received.partition(b"\n\n")
            if end:
                self._received = rest
                return reply.decode(errors="replace")
            if len(self._received) > MAX_REPLY:
                self.fail(f"answered {line!r} without end: more than {MAX_REPLY:,} bytes")
            seconds_left = deadline - monotonic()
            if seconds_left <= 0:
                self.fail(f"did not answer {line!r} within {self._seconds:g} seconds")
            if limit is not None:
                try:
                    limit.check()
                except Exception:
                    self.end(0)
                    raise
                seconds_left = min(seconds_left, limit.seconds_left)
            self._read(min(seconds_left, POLL_SECONDS))

    def _read(self, seconds: float) -> None:
        """Read what the program writes next; wait for at most ``seconds``."""
        ready = self._selector.select(seconds)
        if not ready and self._process.poll() is not None:
            _kill_group(self._process.pid)  # one of its children still holds the output open
        for key, _ in ready:
            data = os.read(key.fd, MAX_REPLY)
            if key.fileobj is self._output:
                if not data:
                    self.fail(self._describe_exit())
                self._received += data.replace(b"\r", b"")
            elif data:
                self._diagnostics = (self._diagnostics + data)[-DIAGNOSTICS_BYTES:]
            else:
                self._selector.unregister(self._errors)

    def _describe_exit(self) -> str:
        """Describe the end of a program that has closed its output."""
        from subprocess import TimeoutExpired

        try:
            code = self._process.wait(QUIT_SECONDS)
        except TimeoutExpired:
            return "closed its output"
        with suppress(OSError):  # nothing to read
            self._diagnostics = (self._diagnostics + os.read(self._errors.fileno(), MAX_REPLY))[-DIAGNOSTICS_BYTES:]
        lines = self._diagnostics.decode(errors="replace").split("\n")
        message = next((clip(line.strip()) for line in reversed(lines) if line.strip()), "")
        how = f"ended with exit code {code}" if code >= 0 else f"was ended by signal {-code}"
        return f"{how}: {message}" if message else how

    def fail(self, fault: str) -> NoReturn:
        """Kill the program and raise EngineFailed."""
        self.end(0)
        raise self._failure(fault)

    def _failure(self, fault: str) -> EngineFailed:
        return EngineFailed(f"engine {clip(self._command)!r} {fault}")

    def quit(self) -> None:
        """Send ``quit`` and end the program."""
        self._seconds = QUIT_SECONDS
        with suppress(EngineFailed):  # it has ended in any case
            self.ask("quit")
            self.end()

    def end(self, seconds: float = QUIT_SECONDS) -> None:
        """Close the pipes, wait up to ``seconds`` for the program to exit, and kill its process group."""
        from subprocess import TimeoutExpired

        self._selector.close()
        for stream in (self._input, self._output, self._errors):
            stream.close()
        with suppress(TimeoutExpired):
            self._process.wait(seconds)
        _kill_group(self._process.pid)
        self._process.wait()
        _groups.discard(self._process.pid)


def _kill_group(process: int) -> None:
    with suppress(OSError):  # all its processes have ended
        os.killpg(process, signal.SIGKILL)


class _ProcessGroups:
    """The process groups of running programs, which are killed when Parlour receives SIGTERM or SIGHUP."""

    def __init__(self) -> None:
        self._processes: set[int] = set()
        self._previous: dict[int, Any] = {}  # handlers by signal

    def add(self, process: int) -> None:
        self._processes.add(process)
        with suppress(ValueError):  # only the main thread can handle signals
            for number in (signal.SIGTERM, signal.SIGHUP):
                handler = signal.getsignal(number)
                if handler not in (self._end, signal.SIG_IGN, None):
                    self._previous[number] = handler
                    signal.signal(number, self._end)

    def discard(self, process: int) -> None:
        self._processes.discard(process)
        with suppress(ValueError):
            for number in [] if self._processes else [*self._previous]:
                if signal.getsignal(number) == self._end:
                    signal.signal(number, self._previous.pop(number))

    def _end(self, number: int, frame: FrameType | None) -> None:
        """Kill all groups, then handle the signal as before."""
        for process in self._processes:
            _kill_group(process)
        previous = self._previous[number]
        if callable(previous):
            previous(number, frame)
        else:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)


_groups = _ProcessGroups()


class RemoteBoard:
    """The board of a program, synchronised with a match."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._is_greeted = False
        # The state that the program has received.
        self._game = ""
        self._deal: tuple[int, tuple[int, ...]] | None = None  # number of the round, and its options
        self._moves: list[int] = []

    def generate_move(self, match: Match[O, P], limit: Limit | None = None) -> int:
        """Return the program's move. Raises EngineFailed if it is not legal, and Resigned if the program resigns."""
        if not self._is_greeted:
            self._greet(limit)
            self._is_greeted = True
        self._synchronise(match, limit)
        answer = self.program.ask(f"genmove {self._colour}", limit).lower()
        if answer == RESIGNATION:
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
        """Check that the program supports the protocol."""
        version = self.program.ask("protocol_version", limit)
        if version != PROTOCOL_VERSION:
            self.program.fail(f"speaks version {clip(version)!r} of the protocol, not {PROTOCOL_VERSION}")
        for command in REQUIRED:
            if self.program.ask(f"known_command {command}", limit).lower() != "true":
                self.program.fail(f"does not know the command {command!r}")

    def _synchronise(self, match: Match[O, P], limit: Limit | None) -> None:
        """Send the changes of the current round to the program."""
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
        """The colour of the player to move on this board."""
        return COLOURS[len(self._moves) % 2]
