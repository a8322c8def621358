"""The command at a terminal: a real one (`Person`), or one in memory (`MemoryPerson`), which takes milliseconds."""

from __future__ import annotations

import atexit
import io
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import click

from tests.support.command import command

ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
PROMPT = f"\\r\\n(?:{ESCAPE.pattern})*(?:\\(Enter, or undo\\) )?> "  # of the board
DEADLINE = 30.0  # seconds


def pattern(text: str) -> str:
    """A regular expression that finds a text in terminal output, colours or not."""
    characters = ("\r\n" if character == "\n" else re.escape(character) for character in text)
    return f"(?:{ESCAPE.pattern})*".join(characters)


def plain(text: str) -> str:
    """The text that a terminal shows: no colours, plain line ends."""
    return ESCAPE.sub("", text).replace("\r\n", "\n")


class Person:
    """A person who types at a real terminal and reads its screen."""

    def __init__(self, arguments: tuple[str, ...], environment: dict[str, str], columns: int, rows: int) -> None:
        import pexpect

        self._open_screen(columns, rows)
        program, *rest = command(*arguments)
        self.child = pexpect.spawn(
            program,
            rest,
            env=environment,
            encoding="utf-8",
            codec_errors="replace",
            timeout=DEADLINE,
            dimensions=(rows, columns),
        )
        self.child.delaybeforesend = None
        self.child.ptyproc.delayafterclose = self.child.ptyproc.delayafterterminate = 0.01
        self.child.logfile_read = self.seen

    def _open_screen(self, columns: int, rows: int) -> None:
        self.seen = io.StringIO()
        self._size = columns, rows
        self._emulator: Any = None

    def sees(self, *texts: str) -> str:
        """Wait until all these texts have appeared, in this order; return all output up to there."""
        told = ""
        for text in texts:
            self.child.expect(pattern(text))
            told += self.child.before + self.child.after
        return plain(told)

    def asked(self) -> None:
        """Wait for the next question for a move."""
        self.sees("turn:")
        self.sees_prompt()

    def sees_prompt(self) -> None:
        """Wait for the prompt of the board."""
        self.child.expect(PROMPT)

    def types(self, line: str) -> None:
        self.presses(line + "\r")

    def presses(self, keys: str) -> None:
        self.child.send(keys)

    def end(self) -> None:
        """End the process, whatever it is doing."""
        if self.child.isalive():
            self.child.kill(signal.SIGKILL)
            self.child.wait()
        self.child.close()

    def leaves(self, keys: str = "") -> tuple[str, int | None]:
        """Press these keys and wait until the command has ended: return its last output and its exit code.

        They are pressed again if nothing happens: readline overlooks a Ctrl-C in the instant before it listens.
        """
        import pexpect

        for _ in range(3):
            self.presses(keys)
            if self.child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=4 if keys else 10) == 0:
                break
        else:
            raise AssertionError(f"it does not end: {self.child.before!r}")
        self.child.wait()  # the screen is let go a moment before the command has ended, and close() would end it
        self.child.close()
        assert "Traceback" not in self.seen.getvalue()
        code, signal = self.child.exitstatus, self.child.signalstatus
        return plain(self.child.before), code if signal is None else 128 + signal  # as a shell tells it

    def resizes(self, columns: int, rows: int) -> None:
        """Drag the window to another size."""
        self.display()  # what was written before is what the window had then
        self._emulator[0].resize(rows, columns)
        self.child.setwinsize(rows, columns)

    def display(self) -> list[str]:
        """The lines on the screen now, by a terminal emulator's reading of all output."""
        if self._emulator is None:
            self._emulator = open_emulator(*self._size)
        screen, stream, fed = self._emulator
        text = self.seen.getvalue()
        stream.feed(text[fed[0] :])
        fed[0] = len(text)
        lines = [emulated_line(screen.buffer[y], screen.columns) for y in range(screen.lines)]
        while lines and not lines[-1]:
            lines.pop()
        return lines

    def scrollback(self) -> list[str]:
        """The lines that have left the screen at the top, and those on the screen."""
        lines = self.display()
        history = self._emulator[0].history.top
        columns = self._emulator[0].columns
        return [emulated_line(line, columns) for line in history] + lines

    @property
    def raw(self) -> str:
        """All output, colours included."""
        return self.seen.getvalue()


def open_emulator(columns: int, rows: int) -> tuple[Any, Any, list[int]]:
    """Return a pyte screen with scrollback, its stream, and how much of the output has been fed."""
    import pyte

    class Screen(pyte.HistoryScreen):
        """A screen without pages: the wrapper around every attribute, which serves them, takes most of the time."""

        __getattribute__ = object.__getattribute__

    screen = Screen(columns, rows, history=5000)
    return screen, pyte.Stream(screen), [0]


def emulated_line(line: Any, columns: int) -> str:
    """Return the text of a line of an emulator, which has only the cells that were written to."""
    width = min(columns, max(line, default=-1) + 1)
    return "".join([line[x].data for x in range(width)]).rstrip()


# A terminal in memory.

MEMORY = 1_000_000  # the file descriptor of the terminal in memory: no real one has this number
CTRL_C, CTRL_D = "\x03", "\x04"
TYPED = re.compile(f"([^\r\n{CTRL_C}{CTRL_D}]*)([\r\n{CTRL_C}{CTRL_D}])")  # a line and the key that ends it
KEYS = re.compile(r"\x1b(?:O[A-Z]|\[[0-9;]*[A-Za-z~])")  # of a keyboard that mean nothing to a line editor


class Closed(BaseException):
    """The test is over before the command is."""


class _Screen(io.RawIOBase):
    """Output to the terminal; line feeds become line ends, as a terminal driver does it."""

    def __init__(self, seen: io.StringIO) -> None:
        self._seen = seen

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return MEMORY

    def write(self, data: Any) -> int:
        self._seen.write(bytes(data).decode(errors="replace").replace("\n", "\r\n"))
        return len(data)


class _Keys(io.TextIOBase):
    """Input from the terminal, as `input` reads it."""

    def __init__(self, read: Callable[[], str]) -> None:
        self._read = read

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return MEMORY

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        return self._read()


class MemoryPerson(Person):
    """A person at a terminal in memory: a scripted keyboard, and the output as the screen.

    The command runs in a thread of its own, but never at the same time as the test: it runs until it waits for a key
    or ends, then the test continues. What a process has to itself (standard streams, arguments, environment, signal
    handlers, functions to call at exit, terminal attributes) is swapped in whenever it runs. Ctrl-C interrupts only
    while it waits for a key; interrupting work, line editing and job control need a real terminal.
    """

    def __init__(self, arguments: tuple[str, ...], environment: Mapping[str, str], columns: int, rows: int) -> None:
        import parlour.terminal.keyboard

        self._open_screen(columns, rows)
        self._position = 0  # of the output up to which the test has seen it
        self._keys = ""  # pressed and not read yet
        self._environment: dict[str, str | None] = dict(environment)
        self._exit_functions: list[Callable[[], Any]] = []
        self._handlers: dict[int, Any] = {signal.SIGINT: signal.default_int_handler}
        self._over = self._closed = False
        self._error: BaseException | None = None
        self.code: int | None = None
        encoding = environment.get("PYTHONIOENCODING", "utf-8")
        out, err = (
            io.TextIOWrapper(_Screen(self.seen), encoding=encoding, newline="\n", write_through=True)  # type: ignore[type-var]
            for _ in range(2)
        )
        self._world: list[tuple[Any, str, Any]] = [
            (sys, "argv", ["parlour", *arguments]),
            (sys, "stdin", _Keys(self._read_line)),
            (sys, "stdout", out),
            (sys, "stderr", err),
            (sys, "__stdout__", out),
            (signal, "signal", self._set_handler),
            (atexit, "register", self._at_exit),
            (os, "get_terminal_size", self._terminal_size),
            (parlour.terminal.keyboard, "termios", self._termios()),
            (click, "echo_via_pager", self._page),
        ]
        self._modules: dict[str, Any] = {"readline": self._readline()}
        self._run, self._wait = threading.Semaphore(0), threading.Semaphore(0)
        self._thread = threading.Thread(target=self._command, daemon=True)
        self._thread.start()
        self._resume()

    # What the test does.

    def sees(self, *texts: str) -> str:
        return plain("".join(self._find(pattern(text), text) for text in texts))

    def sees_prompt(self) -> None:
        self._find(PROMPT, "> ")

    def _find(self, expression: str, text: str) -> str:
        found = re.compile(expression).search(self.raw, self._position)
        assert found, f"{text!r} is not in {plain(self.raw[self._position :])!r}"
        begin, self._position = self._position, found.end()
        return self.raw[begin : found.end()]

    def presses(self, keys: str) -> None:
        self._keys += keys
        if TYPED.match(self._keys):
            self._resume()

    def leaves(self, keys: str = "") -> tuple[str, int | None]:
        self.presses(keys)
        assert self._over, f"it does not end: {plain(self.raw[self._position :])!r}"
        return plain(self.raw[self._position :]), self.code

    def resizes(self, columns: int, rows: int) -> None:
        self.display()
        self._emulator[0].resize(rows, columns)
        self._size = columns, rows

    def close(self) -> None:
        """End the command, wherever it is."""
        self._closed = True
        if not self._over:
            self._resume()
        self._thread.join(DEADLINE)

    def _resume(self) -> None:
        """Let the command run until it waits for a key or ends."""
        if self._over:
            return
        with self._swapped():
            self._run.release()
            assert self._wait.acquire(timeout=DEADLINE), f"it neither ends nor asks: {self.raw[self._position :]!r}"
        if self._error is not None:
            error, self._error = self._error, None
            raise error

    @contextmanager
    def _swapped(self) -> Iterator[None]:
        """For the block, the process belongs to the command; what that changes is there again the next time."""

        def swap() -> None:
            for place, (owner, name, value) in enumerate(self._world):
                self._world[place] = owner, name, getattr(owner, name)
                setattr(owner, name, value)
            for name, module in self._modules.items():
                self._modules[name] = sys.modules.get(name)
                sys.modules[name] = module
            for name, text in self._environment.items():
                self._environment[name] = os.environ.get(name)
                if text is None:
                    del os.environ[name]
                else:
                    os.environ[name] = text

        swap()
        try:
            yield
        finally:
            swap()

    # What the command finds.

    def _command(self) -> None:
        from parlour.cli import main

        self._run.acquire()
        try:
            main()
        except SystemExit as end:
            self.code = end.code if isinstance(end.code, int) else None
        except Closed:
            pass
        except BaseException as error:
            self._error = error
        finally:
            while self._exit_functions:
                self._exit_functions.pop()()
            self._over = True
            self._wait.release()

    def _read_line(self) -> str:
        """The next line; empty at the end of input. KeyboardInterrupt for Ctrl-C."""
        while True:
            found = TYPED.match(self._keys)
            if found is None:
                self._wait.release()
                self._run.acquire()
                if self._closed:
                    raise Closed
                continue
            self._keys = self._keys[found.end() :]
            text, end = KEYS.sub("", found[1]), found[2]
            if end == CTRL_C:
                self.seen.write(f"{text}^C")
                raise KeyboardInterrupt
            if end == CTRL_D and not text:
                return ""
            if end == CTRL_D:  # which deletes nothing at the end of a line
                self._keys = text + self._keys
                continue
            self.seen.write(f"{text}\r\n")
            return f"{text}\n"

    def _terminal_size(self, descriptor: int = 1) -> os.terminal_size:
        if descriptor != MEMORY:
            raise OSError("not a terminal")
        return os.terminal_size(self._size)

    def _set_handler(self, number: int, handler: Any) -> Any:
        before = self._handlers.get(number, signal.SIG_DFL)
        self._handlers[number] = handler
        return before

    def _at_exit(self, function: Callable[..., Any], *arguments: Any, **options: Any) -> Callable[..., Any]:
        self._exit_functions.append(lambda: function(*arguments, **options))
        return function

    def _termios(self) -> SimpleNamespace:
        """Terminal attributes, of which only the flush of typed keys has an effect here."""

        def flush(descriptor: int, queue: int) -> None:
            self._keys = ""

        return SimpleNamespace(
            ECHO=8,
            TCSANOW=0,
            TCIFLUSH=0,
            tcgetattr=lambda descriptor: [0, 0, 0, 8, 0, 0, []],
            tcsetattr=lambda descriptor, when, attributes: None,
            tcflush=flush,
        )

    def _readline(self) -> SimpleNamespace:
        """A line editor without editing; it keeps the completer for `completions`."""

        def nothing(*arguments: object) -> None:
            pass

        def set_completer(complete: Callable[[str, int], str | None]) -> None:
            self._completer = complete

        return SimpleNamespace(
            __doc__="",
            set_completer=set_completer,
            set_completer_delims=nothing,
            parse_and_bind=nothing,
            read_history_file=nothing,
            set_history_length=nothing,
            write_history_file=nothing,
            get_line_buffer=lambda: "",
        )

    def completions(self, text: str) -> list[str]:
        """The words that Tab would offer after this text."""
        found: list[str] = []
        while (word := self._completer(text, len(found))) is not None:
            found.append(word)
        return found

    def _page(self, text: str) -> None:
        """Run a pager that shows everything at once, as click does; print the text if there is none."""
        program = shutil.which(os.environ["PAGER"])
        if program is not None:
            text = subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout
        self.seen.write(text.replace("\n", "\r\n"))


@contextmanager
def memory_terminals() -> Iterator[Callable[..., MemoryPerson]]:
    """Start `parlour` at terminals in memory (by default 80 columns and 24 rows); end it with the block."""
    people: list[MemoryPerson] = []

    def sit_down(*arguments: str, columns: int = 80, rows: int = 24, **environment: str) -> MemoryPerson:
        person = MemoryPerson(arguments, {"PAGER": "", **environment}, columns, rows)
        people.append(person)
        return person

    try:
        yield sit_down
    finally:
        for person in people:
            person.close()
