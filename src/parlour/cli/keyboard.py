"""Where typed lines come from: a person at a terminal, or a pipe."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress

from parlour.text import clip

LONGEST_TYPED_LINE = 1000  # characters of a line that are looked at


class Keyboard:
    """Standard input. At a terminal there is history and completion; from a pipe the typed text is echoed."""

    def __init__(self, echo: bool = True) -> None:
        self.terminal = sys.stdin is not None and sys.stdin.isatty()
        self.echo = echo and not self.terminal
        self._readline_ready = False

    def read_line(self, prompt: str, words: Callable[[], list[str]] = list) -> str | None:
        """The next line, None at the end of input. ``words`` says what can be completed."""
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
        self._prepare_readline(words)
        try:
            return _bounded(input(prompt))
        except EOFError:
            sys.stdout.write("\n")
            return None
        except UnicodeDecodeError:
            return "\ufffd"

    def _piped(self) -> str | None:
        if sys.stdin is None:
            return None
        stream = sys.stdin.buffer
        data = stream.readline(4 * LONGEST_TYPED_LINE)
        if not data:
            return None
        rest = data
        while rest and not rest.endswith(b"\n"):  # the end of an endless line is of no interest
            rest = stream.readline(1 << 16)
        return _bounded(data.decode(errors="replace").rstrip("\r\n"))

    def _prepare_readline(self, words: Callable[[], list[str]]) -> None:
        try:
            import readline
        except ImportError:
            return

        def complete(text: str, state: int) -> str | None:
            found = [word for word in words() if word.startswith(text.lower())]
            return found[state] if state < len(found) else None

        readline.set_completer(complete)
        if self._readline_ready:
            return
        self._readline_ready = True
        readline.set_completer_delims("\n")
        libedit = "libedit" in (readline.__doc__ or "")
        readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
        self._keep_history()

    def _keep_history(self) -> None:
        import atexit
        import readline

        from parlour.folders import make_private, state_folder

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
    """A line as it was typed; an endless one so that it is not taken for its beginning."""
    return text if len(text) <= LONGEST_TYPED_LINE else text[:40] + "... (too long)"
