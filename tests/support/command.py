"""The command `parlour`: in this process, which takes milliseconds, or as a process of its own."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch


class Run(NamedTuple):
    """What one run left behind."""

    out: str
    err: str
    code: int


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "parlour", *arguments]


def run_process(
    *arguments: str, stdin: str | bytes = "", env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> Run:
    """One `parlour` process from beginning to end. Whatever it is asked, it shows no traceback."""
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
    """The same without a process: standard streams that are no terminals, an environment and a folder of its own."""
    from parlour.cli import main

    given, out, err = io.BytesIO(stdin.encode() if isinstance(stdin, str) else stdin), io.BytesIO(), io.BytesIO()
    streams = {
        "stdin": io.TextIOWrapper(given, encoding="utf-8", errors="surrogateescape"),
        "stdout": io.TextIOWrapper(out, encoding="utf-8", newline="\n", write_through=True),
        "stderr": io.TextIOWrapper(err, encoding="utf-8", newline="\n", write_through=True),
    }
    before, handlers = os.getcwd(), {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    replaced = {**streams, "__stdout__": streams["stdout"], "argv": ["parlour", *arguments]}
    try:
        with patch.multiple(sys, **replaced), patch.dict(os.environ, env or {}):
            if cwd is not None:
                os.chdir(cwd)
            main()
    except SystemExit as end:
        code = end.code
    else:
        raise AssertionError("main() returns by sys.exit")
    finally:
        os.chdir(before)
        for number, handler in handlers.items():
            signal.signal(number, handler)
    assert isinstance(code, int)
    return Run(out.getvalue().decode(), err.getvalue().decode(), code)
