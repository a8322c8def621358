"""The command `parlour`: in this process, which takes milliseconds, or as a process of its own."""

from __future__ import annotations

import atexit
import io
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch


class Run(NamedTuple):
    """The output and the exit code of one run."""

    out: str
    err: str
    code: int


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "parlour", *arguments]


def run_process(
    *arguments: str, stdin: str | bytes = "", env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> Run:
    """Run `parlour` as a process, and fail if it prints a traceback. Only for tests of the process itself."""
    done = subprocess.run(
        command(*arguments),
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        env={**os.environ, **(env or {})},
        cwd=cwd,
        timeout=60,
        check=False,
    )
    out, err = done.stdout.decode(), done.stderr.decode()
    assert "Traceback" not in out + err, out + err
    return Run(out, err, done.returncode)


def run_parlour(
    *arguments: str, stdin: str | bytes = "", env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> Run:
    """Run `parlour` in this process with streams that are no terminals; unexpected exceptions reach the test.

    The streams, the arguments, the environment, the folder and the signal handlers belong to the whole process, so
    this is for the main thread only.
    """
    from parlour.cli import main

    assert threading.current_thread() is threading.main_thread(), "run_parlour is for the main thread"
    given, out, err = io.BytesIO(stdin.encode() if isinstance(stdin, str) else stdin), io.BytesIO(), io.BytesIO()
    streams = {
        "stdin": io.TextIOWrapper(given, encoding="utf-8", errors="surrogateescape"),
        "stdout": io.TextIOWrapper(out, encoding="utf-8", newline="\n", write_through=True),
        "stderr": io.TextIOWrapper(err, encoding="utf-8", newline="\n", write_through=True),
    }
    replaced = {**streams, "__stdout__": streams["stdout"], "argv": ["parlour", *arguments]}
    with (
        kept_signal_handlers(),
        exit_functions() as run_exit_functions,
        patch.multiple(sys, **replaced),
        patch.dict(os.environ, env or {}),
        working_folder(cwd),
    ):
        try:
            main()
        except SystemExit as end:
            code = end.code
        else:
            raise AssertionError("main() returns by sys.exit")
        run_exit_functions()
    assert isinstance(code, int)
    told = Run(out.getvalue().decode(), err.getvalue().decode(), code)
    assert "Traceback" not in told.out + told.err, told
    return told


@contextmanager
def kept_signal_handlers() -> Iterator[None]:
    """Restore all signal handlers at the end of the block."""
    before = {number: signal.getsignal(number) for number in signal.valid_signals()}
    try:
        yield
    finally:
        for number, handler in before.items():
            if handler is not None and signal.getsignal(number) is not handler:
                signal.signal(number, handler)


@contextmanager
def exit_functions() -> Iterator[Callable[[], None]]:
    """Collect functions registered with atexit instead of leaving them to the end of the tests; yield their caller."""
    registered: list[Callable[[], Any]] = []

    def register(function: Callable[..., Any], *arguments: Any, **options: Any) -> Callable[..., Any]:
        registered.append(lambda: function(*arguments, **options))
        return function

    def run() -> None:
        while registered:
            registered.pop()()

    with patch.object(atexit, "register", register):
        yield run


@contextmanager
def working_folder(path: Path | None) -> Iterator[None]:
    """Change into a folder for the block, if one is given; return to the present one in any case."""
    before = os.getcwd()
    try:
        if path is not None:
            os.chdir(path)
        yield
    finally:
        os.chdir(before)
