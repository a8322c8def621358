"""The command at a real terminal."""

from __future__ import annotations

import io
import re
from typing import Any

from tests.support.command import command

ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Person:
    """Somebody who types at a terminal and reads what it shows."""

    def __init__(self, arguments: tuple[str, ...], environment: dict[str, str], columns: int, rows: int) -> None:
        import pexpect

        program, *rest = command(*arguments)
        self.seen = io.StringIO()
        self.child = pexpect.spawn(
            program,
            rest,
            env=environment,
            encoding="utf-8",
            codec_errors="replace",
            timeout=30,
            dimensions=(rows, columns),
        )
        self.child.delaybeforesend = None
        self.child.ptyproc.delayafterclose = self.child.ptyproc.delayafterterminate = 0.01
        self.child.logfile_read = self.seen
        self._size = columns, rows
        self._emulator: Any = None

    def sees(self, *texts: str) -> str:
        """Wait until all these texts have appeared, in this order; everything that came with them."""
        told = ""
        for text in texts:
            characters = ("\r\n" if character == "\n" else re.escape(character) for character in text)
            self.child.expect(f"(?:{ESCAPE.pattern})*".join(characters))
            told += self.child.before + self.child.after
        return plain(told)

    def asked(self) -> None:
        """Wait for the next question for a move."""
        self.sees("turn:")
        self.sees_prompt()

    def sees_prompt(self) -> None:
        """Wait until something can be typed at the table."""
        self.child.expect(f"\\r\\n(?:{ESCAPE.pattern})*(?:\\(Enter, or undo\\) )?> ")

    def types(self, line: str) -> None:
        self.child.send(line + "\r")

    def presses(self, keys: str) -> None:
        self.child.send(keys)

    def leaves(self, keys: str = "") -> tuple[str, int | None]:
        """Press these keys and wait until the process has ended: what it wrote last, and its exit code.

        They are pressed again if nothing happens: readline overlooks a Ctrl-C in the instant before it listens.
        """
        import pexpect

        for _ in range(3):
            self.presses(keys)
            if self.child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=4 if keys else 10) == 0:
                break
        else:
            raise AssertionError(f"it does not end: {self.child.before!r}")
        self.child.close()
        assert "Traceback" not in self.seen.getvalue()
        return plain(self.child.before), self.child.exitstatus

    def resizes(self, columns: int, rows: int) -> None:
        """Drag the window to another size."""
        self.display()  # what was written before is what the window had then
        self._emulator[0].resize(rows, columns)
        self.child.setwinsize(rows, columns)

    def display(self) -> list[str]:
        """What stands on the screen now, by a terminal's own reading of all that was sent to it."""
        import pyte

        if self._emulator is None:
            screen = pyte.HistoryScreen(*self._size, history=5000)
            self._emulator = screen, pyte.Stream(screen), [0]
        screen, stream, fed = self._emulator
        text = self.seen.getvalue()
        stream.feed(text[fed[0] :])
        fed[0] = len(text)
        lines = [line.rstrip() for line in screen.display]
        while lines and not lines[-1]:
            lines.pop()
        return lines

    def scrollback(self) -> list[str]:
        """What has left the screen at the top, and what stands there."""
        lines = self.display()
        history = self._emulator[0].history.top
        columns = self._emulator[0].columns
        return ["".join(line[x].data for x in range(columns)).rstrip() for line in history] + lines

    @property
    def raw(self) -> str:
        """All that the terminal was sent, colours included."""
        return self.seen.getvalue()


def plain(text: str) -> str:
    """What a terminal shows of a text: no colours, plain line ends."""
    return ESCAPE.sub("", text).replace("\r\n", "\n")
