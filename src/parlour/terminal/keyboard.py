"""Typed lines from a terminal or a pipe."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from click.exceptions import Exit

from parlour.terminal.screen import terminal_size
from parlour.text import clip

try:
    import termios
except ImportError:  # not on Windows, where text typed between two questions shows
    termios = None  # type: ignore[assignment]

MAX_LINE = 1000  # characters


class Quit(Exit):
    """The person leaves, with exit code 0, or the input has ended, with 1; uncaught it ends the command."""


class Keyboard:
    """Standard input: with history and completion at a terminal, echoed from a pipe."""

    def __init__(self, echo: bool = True) -> None:
        self.terminal = sys.stdin is not None and sys.stdin.isatty()
        self.echo = echo and not self.terminal
        self.rows = 0  # rows of the terminal used by prompts since the last reset
        self.disturbed = False  # whether other text was written too, such as completions
        self._readline_ready = False
        self._ahead: list[str] = []  # pasted lines, not yet read
        self._prompt: str | None = None  # the current prompt
        self._attributes: list[Any] | None = None  # the original settings of the terminal

    def read_line(self, prompt: str, words: Callable[[], list[str]] = list) -> str | None:
        """Return the next line, None at the end of input; ``words`` returns the completions."""
        sys.stdout.flush()
        if self.terminal:
            return self._typed(prompt, words)
        if self.echo:
            sys.stdout.write(prompt)
            sys.stdout.flush()
        text = self._piped()
        if self.echo:
            sys.stdout.write((clip(text) if text is not None else "") + "\n")
        return text

    def _typed(self, prompt: str, words: Callable[[], list[str]]) -> str | None:
        if self._ahead:
            return self._ahead.pop(0)
        self._prepare_readline(words)
        self._prompt = prompt
        self._show_typing(True)
        try:
            text = input(prompt)
        except EOFError:
            sys.stdout.write("\n")
            self.rows += 1
            return None
        except UnicodeDecodeError:
            self.disturbed = True
            return "\ufffd"
        finally:
            self._prompt = None
            self._show_typing(False)
        from parlour.picture import text_width  # a pipe doesn't need it

        columns = terminal_size()[0]
        self.rows += sum(text_width(line) // columns + 1 for line in (prompt + text).split("\n"))
        self.disturbed |= not text.isprintable()
        text, *ahead = text.split("\n")
        self._ahead = [line for line in ahead if line.strip()]
        return _bounded(text)

    @property
    def unfinished(self) -> str:
        """The prompt and the characters typed so far; empty if there is no prompt."""
        if self._prompt is None:
            return ""
        try:
            import readline
        except ImportError:
            return self._prompt
        return self._prompt + readline.get_line_buffer()

    # The terminal between two questions.

    @contextmanager
    def without_echo(self, draw_again: Callable[[], None]) -> Iterator[None]:
        """Hide what is typed between two questions, and restore the terminal afterwards.

        Ctrl-Z restores it as well; ``draw_again`` is called when the program continues.
        """
        if not self.terminal or termios is None:
            yield
            return
        import signal

        keyboard = sys.stdin.fileno()
        self._attributes = found = termios.tcgetattr(keyboard)

        def give_back(number: int, frame: object) -> None:
            """Restore the terminal and handle the signal in the default way."""
            termios.tcsetattr(keyboard, termios.TCSANOW, found)
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)

        def stop(number: int, frame: object) -> None:
            now = termios.tcgetattr(keyboard)
            give_back(number, frame)  # the program stops here
            signal.signal(number, stop)
            termios.tcsetattr(keyboard, termios.TCSANOW, now)
            draw_again()
            sys.stdout.write(self.unfinished)
            sys.stdout.flush()

        handlers = {signal.SIGTERM: give_back, signal.SIGHUP: give_back, signal.SIGTSTP: stop}
        before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
        self._show_typing(False)
        try:
            yield
        finally:
            termios.tcsetattr(keyboard, termios.TCSANOW, found)
            self._attributes = None
            for number, handler in before.items():
                signal.signal(number, handler)

    def _show_typing(self, shows: bool) -> None:
        if self._attributes is None:
            return
        attributes = self._attributes.copy()
        if not shows:
            attributes[3] &= ~termios.ECHO
        termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, attributes)

    def forget_typed(self) -> None:
        """Discard text typed before the question."""
        self._ahead.clear()
        if self.terminal and termios is not None:
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)

    def _piped(self) -> str | None:
        if sys.stdin is None:
            return None
        stream = sys.stdin.buffer
        data = stream.readline(4 * MAX_LINE)
        if not data:
            return None
        rest = data
        while rest and not rest.endswith(b"\n"):  # skip the rest of an endless line
            rest = stream.readline(1 << 16)
        return _bounded(data.decode(errors="replace").rstrip("\r\n"))

    def _prepare_readline(self, words: Callable[[], list[str]]) -> None:
        try:
            import readline
        except ImportError:
            return

        def complete(text: str, state: int) -> str | None:
            found = [word for word in words() if word.startswith(text.lower())]
            self.disturbed |= len(found) > 1
            return found[state] if state < len(found) else None

        readline.set_completer(complete)
        if self._readline_ready:
            return
        self._readline_ready = True
        readline.set_completer_delims("\n")
        libedit = "libedit" in (readline.__doc__ or "")
        readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
        self._load_history()

    def _load_history(self) -> None:
        """Load the history, and save it at exit."""
        import atexit
        import readline

        from parlour.files import make_private, state_folder

        try:
            path = os.path.join(state_folder(), "history")
            make_private(path)
            readline.read_history_file(path)
        except OSError:
            return  # no history then
        readline.set_history_length(500)

        def write() -> None:
            with suppress(OSError):
                readline.write_history_file(path)

        atexit.register(write)


def _bounded(text: str) -> str:
    """Return a line; cut and mark an endless one, so that it isn't read as a valid answer."""
    return text if len(text) <= MAX_LINE else text[:40] + "... (too long)"
